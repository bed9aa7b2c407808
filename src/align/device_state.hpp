// What the steps of a search hand to one another, in the memory of a device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/scoring/scoring_table.hpp"
#include "genocl/align/database.hpp"
#include "genocl/align/profile.hpp"
#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "pairwise/row_scores.hpp"

namespace genocl::align {

/// A chunk is consecutive ranks of a database: sequences of like length, shortest first.
struct ChunkRange {
  std::size_t first = 0, count = 0;
  std::uint64_t residues = 0;  ///< of all of them
  std::uint64_t longest = 0;   ///< the last one's letters in this chunk, or the first one's
  /// Letters of the first sequence that are in chunks before, of the last one that are in chunks behind.
  std::uint64_t before = 0, behind = 0;

  friend bool operator==(const ChunkRange&, const ChunkRange&) = default;
};

/// Cut so that each has at most `residues` (or one sequence), and 2^31 at most with padding. Sequences of more than
/// `split` letters may be in several chunks; 0: none.
std::vector<ChunkRange> cut_into_chunks(const Database& database, std::uint64_t residues, std::uint64_t split = 0);

/// How the sequences of a chunk are cut: those of more than `piece` + `overlap` letters into pieces of `piece` at most,
/// each with the `overlap` letters in front of it. Then an alignment that ends in a piece, and is no wider than
/// `overlap`, lies in it as a whole.
struct Cut {
  std::uint64_t piece = 0;  ///< 0: into none
  std::uint64_t overlap = 0;

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// Letters of a sequence of the chunk.
struct Piece {
  std::uint32_t subject = 0;  ///< in the range: rank - first
  std::uint32_t length = 0;
  std::uint64_t begin = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// The pieces of all sequences, shortest first; those of a sequence that are as long as one another in their order.
std::vector<Piece> pieces_of(const Database& database, const ChunkRange& range, const Cut& cut);

/// Those of one sequence of so many letters, in their order; their subject is 0.
std::vector<Piece> pieces_of(std::uint64_t length, const Cut& cut);

/// What a chunk that is cut has on the device.
struct CutSize {
  std::uint64_t count = 0;     ///< pieces
  std::uint64_t residues = 0;  ///< of all of them
  std::uint64_t longest = 0;
};
CutSize size_of(const Database& database, const ChunkRange& range, const Cut& cut);

/// A chunk on a device, its letters as classes, in one of two layouts. Both are made once for each chunk, on the
/// device. To the kernels a piece is a subject.
///
/// `plain` (for `gpu`, `inter`, `intra`): subject s has letters[begin[s] .. begin[s] + length[s]); begin[s] is a
/// multiple of 16; pads fill the letters up to begin[s + 1], at least plain_margin of them behind each subject; and
/// plain_margin pads stand before the first.
///
/// `interleaved` (for `cpu`): subjects in groups of 32 lanes, subject s is lane s % 32 of group s / 32;
/// letters[(begin[g] + column) * 32 + lane], begin[g] counts columns, group g has columns[g] of them (a multiple of 4,
/// no fewer than the longest of its subjects has letters), pads behind each subject and in lanes without one.
struct DeviceChunk {
  static constexpr std::uint32_t plain_margin = 64;
  static constexpr std::uint32_t lanes = 32;
  /// Columns of a sequence that kernels take together: lengths are rounded up to it.
  static constexpr std::uint32_t column_block = 4;

  enum class Layout : std::uint8_t { plain, interleaved };
  Layout layout = Layout::plain;
  ChunkRange range;
  std::uint64_t residues = 0;  ///< of all subjects
  std::vector<Piece> pieces;   ///< by subject; empty: subject s is the sequence of rank range.first + s
  Array<std::uint8_t> letters;
  Array<std::uint32_t> begin;   ///< [subject] (one more: the end); interleaved: [group], in columns
  Array<std::uint32_t> length;  ///< [subject]; interleaved: columns of the [group]
  /// On the host: lengths by subject, for cutting work.
  std::vector<std::uint32_t> lengths;

  /// Counts subjects.
  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(lengths.size()); }
};

/// Copies the letters of a chunk to the device and lays them out. Throws CapacityError, also where pieces that overlap
/// come to more than 2^31 letters.
DeviceChunk upload_chunk(const Device& device, const Database& database, const ChunkRange& range,
                         const ScoringTable& table, DeviceChunk::Layout layout, const Cut& cut = {});
/// Bytes that it takes, about.
std::uint64_t bytes_on_device(const CutSize& size, DeviceChunk::Layout layout);

/// A query as kernels are given it.
struct Query {
  std::span<const Code> codes;       ///< 1 to 2^24 letters
  const Profile* profile = nullptr;  ///< scores with its rows, one for each letter
};

/// Returns the scores of a profile, which has to outlive the result.
inline pairwise::PositionScores position_scores(const Profile& profile) noexcept {
  static_assert(Profile::stride == pairwise::PositionScores::codes);
  return {profile.scores().data(), profile.highest(), profile.lowest()};
}

/// scores[q * count + s]: of query q and subject s of the chunk.
using DeviceScores = Array<std::int32_t>;

}  // namespace genocl::align
