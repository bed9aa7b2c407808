// Which letters a protein has.
#pragma once

#include <cstdint>
#include <span>

#include "align/composition/target_frequencies.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace genocl::align {

struct Composition {
  LetterTable frequency{};    ///< of the amino acids, adding up to 1
  std::uint64_t letters = 0;  ///< of the sequence that are amino acids
};

/// Selenocysteine counts as cysteine; other letters that are none of the twenty do not count.
Composition composition_of(std::span<const Code> protein);

/// Mixes frequencies that were seen in so many letters with `pseudocounts` letters of the background.
LetterTable with_pseudocounts(const Composition& composition, const LetterTable& background, double pseudocounts);

/// The square root of the Jensen-Shannon divergence, in nats: a distance (Endres and Schindelin 2003).
double distance(const LetterTable& a, const LetterTable& b);

}  // namespace genocl::align
