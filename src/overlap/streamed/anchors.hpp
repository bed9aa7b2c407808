// Anchors of a text: the minimizers of all windows of a length, found on devices.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/file_repeats.hpp"
#include "overlap/streamed/file_text.hpp"

namespace genocl::overlap {

/// What all steps of a search know.
struct RepeatSearch {
  /// A window has at most 4,096 k-mers, so that an offset takes 12 bits.
  static constexpr std::uint64_t max_kmers = 4096;

  std::uint64_t length = 0;  ///< of a window
  std::uint64_t k = 0;       ///< of an anchor
  std::uint64_t memory = 0;  ///< bytes
  bool later_only = false;
  std::uint64_t seed = 0;       ///< of all hashes
  std::uint64_t hash_mask = 0;  ///< bits of fingerprints in use: fewer for tests
  std::string separator, folder;

  /// Offsets of an anchor in its windows: 0 to extension().
  std::uint64_t extension() const { return length - k; }
  std::uint64_t chunk_bytes() const;
  /// Behind a chunk: the rest of its last window, and a separator that begins in it.
  std::uint64_t lookahead() const { return length - 1 + separator.size(); }
};

/// Sets k: half the length, or more for windows of more than max_kmers k-mers.
RepeatSearch repeat_search(const FileRepeatOptions& options, std::uint64_t memory);

/// The windows [first, last] have their minimizer at `place`: positions of the text. All are within one record.
struct AnchorRun {
  std::uint64_t place, first, last;
};

/// Calls use(chunk, runs) for each chunk of the text, in order, on the calling thread.
void scan_anchors(Devices devices, const FileText& text, const RepeatSearch& search, const Progress& progress,
                  const std::function<void(const TextChunk& chunk, std::span<const AnchorRun> runs)>& use);

}  // namespace genocl::overlap
