// What of a read is mapped: adapters and ends of low quality are cut off, and ends that match nothing may be left out.
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

  std::span<const Code> of(std::span<const Code> read) const { return read.subspan(first, length); }
  std::uint32_t end() const noexcept { return std::uint32_t{first} + length; }
  friend bool operator==(const ReadPart&, const ReadPart&) = default;
};

struct ClipOptions {
  /// A, C, G, T and N, which stands for any letter. A read may have run into one at its 3' end: it is cut off where the
  /// rest of the read, or as much of it as the adapter is long, agrees with the adapter from its first letter on, at
  /// least `adapter_overlap` letters with at most a tenth of them mismatches (rounded down). Of several such places
  /// and adapters the leftmost is taken.
  std::vector<std::string> adapters = {};
  unsigned adapter_overlap = 3;  ///< letters, at least 1
  /// Phred score. The 3' end is cut off where the sum of `least_quality` - score, from there to the end, is largest; it
  /// is followed from the end leftwards until it is negative, as BWA does. This comes before adapters. 0 cuts nothing,
  /// and reads without scores are not cut.
  unsigned least_quality = 0;
  /// A read of L letters that has no hit within its bound is mapped by a part of it: with s = max(1, L / 8) its parts
  /// of L - s, L - 2 s, ... letters, no fewer than half of L nor than 30, which begin at multiples of s. The greatest
  /// length of which any part has a hit is taken, and of its parts the one with the fewest errors, then the leftmost.
  /// Everything that is said of the read, its hits and bound, holds for that part. Records show what matches beyond it
  /// (Aligner::align_record). Reads that match nowhere cost up to fourteen more searches of shorter reads.
  bool ends = false;

  /// Of pairs that are aligned: where a mate has no hit, and the mates overlap and reach past each other's 5' end, what
  /// lies past it is adapter and is cut off. The overlap is at least 20 bases with at most a tenth of them mismatches,
  /// and the only such one.
  bool overlap = false;

  bool none() const noexcept { return adapters.empty() && least_quality == 0 && !ends; }
};

/// The sequence that Illumina's TruSeq adapters begin with, on both reads of a pair.
inline constexpr const char* illumina_adapter = "AGATCGGAAGAGC";

}  // namespace genocl::marose
