#include "align/composition/composition.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace genocl::align {

Composition composition_of(std::span<const Code> protein) {
  constexpr Code cysteine = protein::encode('C'), selenocysteine = protein::encode('U');
  std::array<std::uint64_t, 256> counts{};
  for (const Code code : protein) ++counts[code];
  counts[cysteine] += counts[selenocysteine];
  Composition found;
  for (std::size_t a = 0; a < amino_acids; ++a) found.letters += counts[a];
  if (found.letters > 0)
    for (std::size_t a = 0; a < amino_acids; ++a)
      found.frequency[a] = static_cast<double>(counts[a]) / static_cast<double>(found.letters);
  return found;
}

LetterTable with_pseudocounts(const Composition& composition, const LetterTable& background, double pseudocounts) {
  const double weight = pseudocounts / (static_cast<double>(composition.letters) + pseudocounts);
  LetterTable mixed{};
  for (std::size_t a = 0; a < amino_acids; ++a)
    mixed[a] = (1 - weight) * composition.frequency[a] + weight * background[a];
  return mixed;
}

double distance(const LetterTable& a, const LetterTable& b) {
  double divergence = 0;
  for (std::size_t i = 0; i < amino_acids; ++i) {
    const double mean = (a[i] + b[i]) / 2;
    if (a[i] > 0) divergence += a[i] * std::log(a[i] / mean) / 2;
    if (b[i] > 0) divergence += b[i] * std::log(b[i] / mean) / 2;
  }
  return std::sqrt(std::max(0.0, divergence));
}

}  // namespace genocl::align
