// Queries, batch by batch, and what is found for them.
#pragma once

#include <vector>

#include "align/formats/result_writer.hpp"
#include "align/options.hpp"
#include "common/team.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace program {

/// Reads queries, batch by batch: the same batches whoever reads them.
class QuerySource {
 public:
  /// `warns`: tells of empty queries, for which nothing is found.
  QuerySource(const SearchSettings& settings, genocl::Alphabet alphabet, bool warns = team().is_root());

  /// Throws InputError for a query that is too long, too.
  bool next(genocl::SequenceSet& batch);
  double fraction() const noexcept { return reader_.fraction(); }

 private:
  void check(const genocl::SequenceSet& batch, std::size_t i) const;

  genocl::io::SequenceReader reader_;
  genocl::BatchLimits limits_;
  bool warns_;
};

/// Those that have letters; `numbers`: which of `batch` they are.
genocl::SequenceSet with_letters(const genocl::SequenceSet& batch, std::vector<std::size_t>& numbers);

/// An empty query has no hits, and does not keep the others from theirs.
std::vector<std::vector<align::Hit>> hits_of_all(std::size_t queries, const std::vector<std::size_t>& numbers,
                                                 std::vector<std::vector<align::Hit>> found);

/// [query]: its hits.
using HitLists = std::vector<std::vector<align::Hit>>;

/// Adds those of another part of the database to `to`, which is empty or has as many queries.
void merge_into(HitLists& to, HitLists&& more, std::size_t top);

/// Gives how many hits were written.
std::uint64_t write_hits(ResultWriter& writer, const genocl::SequenceSet& batch,
                         const std::vector<std::vector<align::Hit>>& hits);

}  // namespace program
