// Queries, batch by batch, and what is found for them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "align/alphabet_guard.hpp"
#include "align/formats/result_writer.hpp"
#include "align/options.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"

namespace program {

/// Reads queries, batch by batch: the same batches whoever reads them.
class QuerySource {
 public:
  /// `warns`: tells of queries that are empty or too long, for which nothing is found, and of records with wrong
  /// letters, which are left out.
  QuerySource(const SearchSettings& settings, genocl::Alphabet alphabet, bool warns = team().is_root());
  QuerySource(const QuerySource&) = delete;
  QuerySource& operator=(const QuerySource&) = delete;

  /// Throws InputError, too, where every record has wrong letters, and for what looks like DNA but is read as protein.
  bool next(genocl::SequenceSet& batch);
  double fraction() const noexcept { return reader_.fraction(); }

 private:
  void leave_out(const genocl::InputError& why);
  void tell_wrong();
  void check(const genocl::SequenceSet& batch, std::size_t i) const;
  void warn(const std::string& text) const;

  std::vector<std::uint64_t> skipped_;  ///< records of this batch that were left out, from 0
  std::vector<std::string> wrong_;      ///< what was wrong with the first ones, as long as no record is right
  std::uint64_t skipped_before_ = 0;    ///< in the batches before
  std::uint64_t taken_ = 0;             ///< records that were not left out
  AlphabetGuard guard_;
  genocl::io::SequenceReader reader_;
  genocl::BatchLimits limits_;
  bool masks_;  ///< what has low complexity
  bool warns_;
};

/// Those that can be searched for, neither empty nor too long; `numbers`: which of `batch` they are.
genocl::SequenceSet searchable(const genocl::SequenceSet& batch, std::vector<std::size_t>& numbers);

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
