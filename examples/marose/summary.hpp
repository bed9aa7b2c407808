// What is counted while reads are mapped, and said in the end.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "genocl/marose.hpp"

namespace program {

struct Counts {
  std::uint64_t reads = 0, mapped = 0, unique = 0, multiple = 0;
  std::uint64_t hits_of_multiple = 0;  ///< that are known, written or not
  std::uint64_t not_all_written = 0;   ///< reads of which not all hits are written
  std::uint64_t capped = 0;            ///< reads with too many places to be gone through
  std::uint64_t trimmed = 0;           ///< reads of which adapters or low quality are cut off
  std::uint64_t in_part = 0;           ///< reads mapped by a part, for what is kept of them has no hit
  std::uint64_t split = 0;             ///< reads with supplementary alignments
  std::uint64_t records = 0;
  std::uint64_t too_short = 0, too_long = 0, lower_bound = 0, heuristic = 0;
  std::uint64_t shortest_lower = 0, lower_errors = 0;  ///< the length and bound of one of those
  std::uint64_t pairs = 0, proper = 0, rescued = 0;

  void add(const genocl::marose::ReadSummary& read, const genocl::marose::AlignedRead& aligned, std::uint64_t length,
           bool rescued_mate, bool with_alignments);
  Counts& operator+=(const Counts& other);
};

struct Seconds {
  double kernels = 0;  ///< of the slowest device
  double mapping = 0;  ///< from the first batch to the last
  double whole = 0;    ///< with the index
};

/// What a wider bound on errors would bring.
struct WiderBound {
  static constexpr double share = 0.10;  ///< of a read's bases
  std::uint64_t asked = 0;               ///< reads without a hit that were mapped again
  std::uint64_t mapped = 0;              ///< those of them that have a hit within the wider bound
};

/// `insert`: the range of proper pairs; empty for single reads.
void write_summary(std::ostream& out, const Counts& counts, const Seconds& seconds,
                   const std::optional<genocl::marose::InsertRange>& insert, const std::optional<WiderBound>& wider);

/// Lines about reads that were not mapped as they were asked to be; empty when there are none.
std::string warnings(const Counts& counts);

}  // namespace program
