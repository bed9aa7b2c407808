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

namespace genocl::align {

/// A chunk is consecutive ranks of a database: sequences of like length, shortest first.
struct ChunkRange {
  std::size_t first = 0, count = 0;
  std::uint64_t residues = 0;  ///< of all of them
  std::uint64_t longest = 0;   ///< the last one's length

  friend bool operator==(const ChunkRange&, const ChunkRange&) = default;
};

/// Cut so that each has at most `residues` (or one sequence), and 2^31 at most with padding.
std::vector<ChunkRange> cut_into_chunks(const Database& database, std::uint64_t residues);

/// A chunk on a device, its letters as classes, in one of two layouts. Both are made once for each chunk, on the
/// device.
///
/// `plain` (for `group`, `inter`, `intra`): subject s has letters[begin[s] .. begin[s] + length[s]); begin[s] is a
/// multiple of 16; pads fill the letters up to begin[s + 1], at least plain_margin of them behind each subject; and
/// plain_margin pads stand before the first.
///
/// `interleaved` (for `lanes`): subjects in groups of 32 lanes, subject s is lane s % 32 of group s / 32;
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
  Array<std::uint8_t> letters;
  Array<std::uint32_t> begin;   ///< [subject] (one more: the end); interleaved: [group], in columns
  Array<std::uint32_t> length;  ///< [subject]; interleaved: columns of the [group]
  /// On the host: lengths by subject, for cutting work.
  std::vector<std::uint32_t> lengths;

  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(range.count); }
};

/// Copies the letters of a chunk to the device and lays them out.
DeviceChunk upload_chunk(const Device& device, const Database& database, const ChunkRange& range,
                         const ScoringTable& table, DeviceChunk::Layout layout);
/// Bytes that it takes, about.
std::uint64_t bytes_on_device(const ChunkRange& range, DeviceChunk::Layout layout);

/// A query as kernels are given it.
struct Query {
  std::span<const Code> codes;       ///< 1 to 2^24 letters
  const Profile* profile = nullptr;  ///< scores with its rows, one for each letter
};

/// scores[q * count + s]: of query q and subject s of the chunk.
using DeviceScores = Array<std::int32_t>;

}  // namespace genocl::align
