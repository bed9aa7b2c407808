// Masks low-complexity regions, which score high against many unrelated sequences.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::align {

/// Parameters of SEG.
struct SegOptions {
  std::uint32_t window = 12;  ///< letters; 1 or more
  double low = 2.2;           ///< bits: a window of at most this entropy starts a segment
  double high = 2.5;          ///< bits: a segment extends through windows of at most this entropy
};

/// Returns the low-complexity segments of a protein as [begin, end), in order, none inside another. Letters other than
/// the twenty amino acids do not count; a window with more than two of them is in no segment. O(length) except for long
/// segments.
/// Source: SEG, Wootton and Federhen 1993, Computers and Chemistry 17, 149-163.
GENOCL_EXPORT std::vector<Interval> seg(std::span<const Code> protein, const SegOptions& options = {});

struct DustOptions {
  std::uint32_t window = 64;  ///< letters, 8 to 64
  std::uint32_t level = 20;   ///< ten times the score above which an interval is masked; 2 to 64
};

/// Returns the low-complexity intervals of DNA as [begin, end), in order, adjacent ones joined. No interval contains a
/// letter other than A, C, G and T. At most O(length * window).
/// Source: symmetric DUST, Morgulis, Gertz, Schaeffer and Agarwala 2006, Journal of Computational Biology 13,
/// 1028-1040.
GENOCL_EXPORT std::vector<Interval> dust(std::span<const Code> dna, const DustOptions& options = {});

/// Adds SEG segments (proteins) or DUST intervals (DNA) to the masked letters of each record.
GENOCL_EXPORT void mask_low_complexity(SequenceSet& set);

}  // namespace genocl::align
