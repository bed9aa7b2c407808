// What the tests of scores share: sets of given sequences, and a database with the scores that are to come out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "align/device_state.hpp"
#include "genocl/align/database.hpp"
#include "reference/align.hpp"

namespace align_test {

using Codes = std::vector<genocl::Code>;

inline genocl::SequenceSet make_set(const std::vector<Codes>& sequences,
                                    genocl::Alphabet alphabet = genocl::Alphabet::protein) {
  genocl::SequenceSet set(alphabet);
  for (const Codes& codes : sequences) set.append("s", codes);
  return set;
}

/// A database, queries, and the oracle's score of each query with each rank: expected()[query * ranks + rank].
class ScoreCase {
 public:
  /// `every_letter`: the table has a class for each letter, whether the database has that letter or not.
  ScoreCase(const genocl::SequenceSet& subjects, const std::vector<Codes>& queries, const genocl::align::Matrix& matrix,
            const genocl::align::GapPenalty& gap, bool every_letter = false)
      : database_(genocl::align::Database::build(subjects)),
        table_(genocl::align::make_scoring_table(
            matrix, gap, every_letter ? std::span<const std::uint64_t>() : database_.letter_counts())),
        codes_(queries) {
    for (const Codes& query : codes_) queries_.push_back({query});
    for (const Codes& query : codes_)
      for (std::size_t rank = 0; rank < database_.size(); ++rank)
        expected_.push_back(
            static_cast<std::int32_t>(genocl_reference::local_score(query, database_.sequence_at(rank), matrix, gap)));
  }
  // The queries are views of the codes.
  ScoreCase(const ScoreCase&) = delete;
  ScoreCase& operator=(const ScoreCase&) = delete;

  /// The whole database, on a device.
  genocl::align::DeviceChunk upload(const genocl::Device& device, genocl::align::DeviceChunk::Layout layout) const {
    const genocl::align::ChunkRange range{
        .first = 0, .count = database_.size(), .residues = database_.residues(), .longest = database_.longest()};
    return genocl::align::upload_chunk(device, database_, range, table_, layout);
  }

  const genocl::align::Database& database() const { return database_; }
  const genocl::align::ScoringTable& table() const { return table_; }
  std::span<const genocl::align::Query> queries() const { return queries_; }
  const std::vector<std::int32_t>& expected() const { return expected_; }
  std::uint64_t at_least(std::int32_t score) const {
    return static_cast<std::uint64_t>(
        std::count_if(expected_.begin(), expected_.end(), [&](std::int32_t s) { return s >= score; }));
  }

 private:
  genocl::align::Database database_;
  genocl::align::ScoringTable table_;
  std::vector<Codes> codes_;
  std::vector<genocl::align::Query> queries_;
  std::vector<std::int32_t> expected_;
};

}  // namespace align_test
