// From a hit to what a SAM record says of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

enum class Operation : std::uint8_t { match, mismatch, insertion, deletion };

/// Operations on the forward strand of the reference. An N is a mismatch.
struct Alignment {
  struct Run {
    Operation operation = Operation::match;
    std::uint32_t length = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };
  std::vector<Run> runs;
  std::uint32_t errors = 0;

  /// "38=1X1I", or with `merge_matches` "39M1I".
  std::string cigar(bool merge_matches) const;
};

/// The operations of a hit, by dynamic programming between its two ends in a band of its errors. Among the alignments
/// with fewest errors: read from the right end, a match or mismatch before a gap, a deletion before an insertion, so
/// that gaps lie as far left as they can. O(length * errors). `read` as it was given to the mapper.
GENOCL_EXPORT Alignment align(const Index& index, std::span<const Code> read, const Hit& hit);

/// The MD tag of SAM.
GENOCL_EXPORT std::string mismatch_tag(const Index& index, const Alignment& alignment, const Hit& hit);

}  // namespace genocl::marose
