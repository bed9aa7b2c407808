// Parts of sequences of low complexity, which score high against much that they have nothing in common with.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::align {

/// The windows and bounds of SEG.
struct SegOptions {
  std::uint32_t window = 12;  ///< letters; 1 or more
  double low = 2.2;           ///< bits: a window of this entropy or less begins a segment,
  double high = 2.5;          ///< which goes on as far as windows have no more than this
};

/// The low-complexity segments of a protein (Wootton and Federhen 1993, Computers and Chemistry 17, 149-163; SEG):
/// [begin, end), in order, none in another. Letters that are none of the twenty amino acids count for nothing; a window
/// with more than two of them is in no segment. O(length) but for long segments.
GENOCL_EXPORT std::vector<LetterRange> seg(std::span<const Code> protein, const SegOptions& options = {});

struct DustOptions {
  std::uint32_t window = 64;  ///< letters, 8 to 64
  std::uint32_t level = 20;   ///< ten times the score above which an interval is masked; 2 to 64
};

/// The low-complexity intervals of DNA (symmetric DUST: Morgulis, Gertz, Schaeffer and Agarwala 2006, Journal of
/// Computational Biology 13, 1028-1040), those that meet joined: [begin, end), in order. Letters other than A, C, G and
/// T are in none. O(length * window) at most.
GENOCL_EXPORT std::vector<LetterRange> dust(std::span<const Code> dna, const DustOptions& options = {});

/// Adds to what is masked in each record what SEG finds in proteins, and DUST in DNA.
GENOCL_EXPORT void mask_low_complexity(SequenceSet& set);

}  // namespace genocl::align
