// Target frequencies that fit other letters than those of the alignments they come from (Yu, Wootton and Altschul 2003;
// Altschul, Wootton, Gertz, Agarwala, Morgulis, Schaeffer and Yu 2005).
#pragma once

#include <optional>

#include "align/composition/target_frequencies.hpp"

namespace genocl::align {

/// The frequencies of pairs that are nearest to `targets`, in relative entropy, of all with these letters in the rows
/// and in the columns (none 0) and with the relative entropy `entropy` (nats a pair) to what these letters give by
/// chance. Empty where there are none.
std::optional<PairTable> fitted_frequencies(const PairTable& targets, const LetterTable& rows,
                                            const LetterTable& columns, double entropy);

/// Nats a pair, to what rows and columns give by chance.
double relative_entropy(const PairTable& pairs, const LetterTable& rows, const LetterTable& columns);

}  // namespace genocl::align
