// Data in device memory that the steps of a search exchange.
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

/// A chunk: consecutive ranks of a database, i.e. sequences of similar length, shortest first.
struct ChunkRange {
  std::size_t first = 0, count = 0;
  std::uint64_t residues = 0;  ///< sum over all sequences
  std::uint64_t longest = 0;   ///< letters of the longest sequence (first or last) in this chunk
  /// Letters of the first sequence in previous chunks, and of the last sequence in following chunks.
  std::uint64_t before = 0, behind = 0;

  friend bool operator==(const ChunkRange&, const ChunkRange&) = default;
};

/// Cuts a database into chunks of at most `residues` residues (or one sequence), and at most 2^31 letters with padding.
/// Sequences of more than `split` letters may span chunks; 0: no sequence does.
std::vector<ChunkRange> cut_into_chunks(const Database& database, std::uint64_t residues, std::uint64_t split = 0);

/// Parameters that cut the sequences of a chunk. A sequence of more than `piece` + `overlap` letters becomes pieces of
/// at most `piece` letters, each preceded by `overlap` letters. A piece therefore contains every alignment that ends in
/// it and spans at most `overlap` letters.
struct Cut {
  std::uint64_t piece = 0;  ///< 0: no pieces
  std::uint64_t overlap = 0;

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// A range of letters of a sequence in a chunk.
struct Piece {
  std::uint32_t subject = 0;  ///< relative to the range: rank - first
  std::uint32_t length = 0;
  std::uint64_t begin = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// Returns the pieces of all sequences, shortest first. Pieces of equal length of a sequence keep their order.
std::vector<Piece> pieces_of(const Database& database, const ChunkRange& range, const Cut& cut);

/// Returns the pieces of one sequence of `length` letters, in order; their subject is 0.
std::vector<Piece> pieces_of(std::uint64_t length, const Cut& cut);

/// Size of a cut chunk on the device.
struct CutSize {
  std::uint64_t count = 0;     ///< number of pieces
  std::uint64_t residues = 0;  ///< sum over all pieces
  std::uint64_t longest = 0;
};
CutSize size_of(const Database& database, const ChunkRange& range, const Cut& cut);

/// A chunk on a device, with letters as classes, in one of two layouts. The device computes the layout once for each
/// chunk. Kernels treat a piece as a subject.
///
/// `plain` (for `gpu`, `inter`, `intra`): subject s is letters[begin[s] .. begin[s] + length[s]), and begin[s] is a
/// multiple of 16. Pads fill the letters up to begin[s + 1]: at least plain_margin pads follow each subject.
/// plain_margin pads precede the first subject.
///
/// `interleaved` (for `cpu`): subjects are in groups of 32 lanes; subject s is lane s % 32 of group s / 32. A letter is
/// letters[(begin[g] + column) * 32 + lane]; begin[g] counts columns. Group g has columns[g] columns: a multiple of 4,
/// at least the length of its longest subject. Pads follow each subject and fill lanes without a subject.
struct DeviceChunk {
  static constexpr std::uint32_t plain_margin = 64;
  static constexpr std::uint32_t lanes = 32;
  /// Number of columns that kernels process together; lengths are rounded up to a multiple of it.
  static constexpr std::uint32_t column_block = 4;

  enum class Layout : std::uint8_t { plain, interleaved };
  Layout layout = Layout::plain;
  ChunkRange range;
  std::uint64_t residues = 0;  ///< sum over all subjects
  std::vector<Piece> pieces;   ///< by subject; if empty, subject s is the sequence of rank range.first + s
  Array<std::uint8_t> letters;
  Array<std::uint32_t> begin;   ///< [subject] (one more entry: the end); interleaved: [group], in columns
  Array<std::uint32_t> length;  ///< [subject]; interleaved: columns of the [group]
  /// Lengths by subject on the host, to divide work.
  std::vector<std::uint32_t> lengths;

  /// The number of subjects.
  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(lengths.size()); }
};

/// Copies the letters of a chunk to the device and computes the layout. Throws CapacityError, also if overlapping
/// pieces exceed 2^31 letters in all.
DeviceChunk upload_chunk(const Device& device, const Database& database, const ChunkRange& range,
                         const ScoringTable& table, DeviceChunk::Layout layout, const Cut& cut = {});
/// Approximate size on the device in bytes.
std::uint64_t bytes_on_device(const CutSize& size, DeviceChunk::Layout layout);

/// A query, as passed to the scoring functions.
struct Query {
  std::span<const Code> codes;       ///< 1 to 2^24 letters
  const Profile* profile = nullptr;  ///< if present, its rows score; one row for each letter
};

/// Returns the scores of a profile, which must outlive the result.
inline pairwise::PositionScores position_scores(const Profile& profile) noexcept {
  static_assert(Profile::stride == pairwise::PositionScores::codes);
  return {profile.scores().data(), profile.highest(), profile.lowest()};
}

/// scores[q * count + s] is the score of query q with subject s of the chunk.
using DeviceScores = Array<std::int32_t>;

}  // namespace genocl::align
