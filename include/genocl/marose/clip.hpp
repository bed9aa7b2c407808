// Clipping of reads: adapters, ends of low quality, and ends that match nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace genocl::marose {

/// Letters [first, first + length) of a read.
struct ReadPart {
  std::uint16_t first = 0;
  std::uint16_t length = 0;

  std::span<const Code> of(std::span<const Code> read) const { return {read.data() + first, length}; }
  std::uint32_t end() const noexcept { return std::uint32_t{first} + length; }
  friend bool operator==(const ReadPart&, const ReadPart&) = default;
};

struct ClipOptions {
  /// Adapters of A, C, G, T and N, which matches any letter. A read is cut at the leftmost position from which its
  /// rest, or as much of it as the adapter is long, matches the begin of an adapter: at least `adapter_overlap`
  /// letters, at most a tenth of them mismatches (rounded down).
  std::vector<std::string> adapters = {};
  unsigned adapter_overlap = 3;  ///< letters, at least 1
  /// Phred score for trimming of the 3' end as BWA does it: cuts where the sum of `min_quality` - score, from there
  /// to the end, is largest; the sum is followed leftwards until it is negative. Applied before adapters. 0: no
  /// trimming. Reads without qualities are not trimmed.
  unsigned min_quality = 0;
  /// Maps a part of a read of L letters that has no hit within its bound. With s = max(1, L / 8), its parts have L -
  /// s, L - 2 s, ... letters, at least half of L and at least 30, and begin at multiples of s. The greatest length
  /// with a hit is taken, and of its parts the one with the fewest errors, then the leftmost. All reported data of
  /// the read, its hits and bound, apply to that part. Records extend the match beyond it (Aligner::align_record).
  /// Reads that match nowhere cost up to fourteen additional searches of shorter reads.
  bool ends = false;

  /// For aligned pairs with an unmapped mate: if the mates overlap and extend past each other's 5' end, the bases
  /// past it are adapter and are cut off. The overlap must be unique, of at least 20 bases with at most a tenth of
  /// them mismatches.
  bool overlap = false;

  GENOCL_EXPORT bool none() const noexcept;
};

/// Begin of Illumina's TruSeq adapters, on both reads of a pair.
inline constexpr const char* illumina_adapter = "AGATCGGAAGAGC";

}  // namespace genocl::marose
