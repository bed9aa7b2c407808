// Queries, batch by batch, and what is found for them.
#pragma once

#include <vector>

#include "align/options.hpp"
#include "align/result_writer.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace program {

/// Reads queries, batch by batch: the same batches whoever reads them.
class QuerySource {
 public:
  QuerySource(const SearchSettings& settings, genocl::Alphabet alphabet);

  /// Throws InputError for a query that is too long, too. An empty one is told of, by the root: nothing is found for
  /// it.
  bool next(genocl::SequenceSet& batch);
  double fraction() const noexcept { return reader_.fraction(); }

 private:
  void check(const genocl::SequenceSet& batch, std::size_t i) const;

  genocl::io::SequenceReader reader_;
  genocl::BatchLimits limits_;
};

/// Those that have letters; `numbers`: which of `batch` they are.
genocl::SequenceSet with_letters(const genocl::SequenceSet& batch, std::vector<std::size_t>& numbers);

/// An empty query has no hits, and does not keep the others from theirs.
std::vector<std::vector<align::Hit>> hits_of_all(std::size_t queries, const std::vector<std::size_t>& numbers,
                                                 std::vector<std::vector<align::Hit>> found);

/// Gives how many hits were written.
std::uint64_t write_hits(ResultWriter& writer, const genocl::SequenceSet& batch,
                         const std::vector<std::vector<align::Hit>>& hits);

}  // namespace program
