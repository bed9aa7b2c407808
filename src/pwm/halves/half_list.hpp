// Sorted lists of half words, and how those of a letter more are made from them.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace genocl::pwm {

/// Half words by ascending sum.
template <class Weight>
struct HalfList {
  std::vector<std::int64_t> sum;
  /// The last letter in the lowest two bits; of one of the words where they are merged. Empty where they are not kept.
  std::vector<std::uint64_t> letters;
  std::vector<Weight> weight;  ///< empty where all are 1

  Weight weight_of(std::size_t i) const { return weight.empty() ? Weight{1} : weight[i]; }
};

/// A list with a letter more: each sum grows by `add`, each weight `factor` times, and letters by `letter`.
template <class Weight>
struct Extended {
  const HalfList<Weight>* list = nullptr;
  std::int64_t add = 0;
  Weight factor = 1;
  unsigned shift = 0;        ///< of the letters there are
  std::uint64_t letter = 0;  ///< at its place
  double score = 0;          ///< of the letter, which may differ where `add` is the same
};

/// What the lists are and become.
struct Joining {
  bool lettered = true;   ///< the letters are kept; always, but where equal sums are merged
  bool weighted = false;  ///< not all weights are 1
  bool merges = false;    ///< equal sums become one, with both weights; only where weighted
  /// Smaller sums are left out. No sum is smaller than the least that can be given, nor as large as its negative.
  std::int64_t least = std::numeric_limits<std::int64_t>::min() / 2;
};

/// All of up to four lists in one. Letters of one list and one score become one letter of their common weight.
template <class Weight>
HalfList<Weight> join(const std::vector<Extended<Weight>>& lists, const Joining& joining);

}  // namespace genocl::pwm
