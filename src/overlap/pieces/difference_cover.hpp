// Difference covers: residues of which any difference, modulo the period, is one of two of them.
#pragma once

#include <cstdint>
#include <vector>

namespace genocl::overlap {

/// Colbourn and Ling's ("Quorums from difference covers", 2000): about sqrt(1.5 period) elements of [0, period).
struct DifferenceCover {
  unsigned period_bits = 0;
  std::vector<std::uint32_t> elements;  ///< ascending, 0 the first

  /// `period_bits`: 6 to 16.
  explicit DifferenceCover(unsigned period_bits);

  std::uint32_t period() const { return std::uint32_t{1} << period_bits; }
  /// How many of the positions [0, size) leave an element.
  std::uint64_t samples(std::uint64_t size) const;
  /// pieces.clh's `cover` for a text of `size` symbols: [0, period): for each difference an element to which it can be
  /// added; behind that, for each residue, where its class begins in the sample class by class (2^32 - 1: it is none).
  std::vector<std::uint32_t> table(std::uint64_t size) const;
};

}  // namespace genocl::overlap
