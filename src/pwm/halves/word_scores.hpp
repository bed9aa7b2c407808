// Words that are put together from their halves, and what words of one score weigh together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "genocl/sequence/alphabet.hpp"

namespace genocl::pwm {

/// Calls use(column, letter) from the first column to the last, the order in which a score is defined as a sum. The
/// last letter of a half is in its lowest two bits.
template <class Use>
void for_each_letter(std::size_t length, std::size_t cut, std::uint64_t left, std::uint64_t right, const Use& use) {
  for (std::size_t i = 0; i < cut; ++i) use(i, static_cast<Code>(left >> 2 * (cut - 1 - i) & 3));
  for (std::size_t i = cut; i < length; ++i) use(i, static_cast<Code>(right >> 2 * (length - 1 - i) & 3));
}

/// Words of one score.
template <class Weight>
struct ScoreGroup {
  double score = 0;
  Weight weight = 0;
};

/// Sorts by ascending keys; those of one key become one, which weighs what all of them do.
template <class Words, class Key>
void add_up_equal(std::vector<Words>& words, const Key& key) {
  std::sort(words.begin(), words.end(), [&](const Words& a, const Words& b) { return key(a) < key(b); });
  std::size_t n = 0;
  for (const Words& one : words) {
    if (n != 0 && key(words[n - 1]) == key(one))
      words[n - 1].weight += one.weight;
    else
      words[n++] = one;
  }
  words.resize(n);
}

}  // namespace genocl::pwm
