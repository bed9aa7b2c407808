// What the tests of pwm share: the device under test, the ways in which a step runs on it, and sequences.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "device_under_test.hpp"
#include "drawn_variants.hpp"
#include "genocl/device.hpp"
#include "genocl/pwm/background.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "random.hpp"

namespace pwm_test {

using genocl_test::Random;
using genocl_test::test_seed;

using Variant = genocl_test::DeviceVariant;

inline const genocl::Device& test_device() { return genocl_test::device_under_test(); }
inline std::vector<Variant> variants() { return genocl_test::device_variants(); }
inline std::vector<Variant> drawn_variants() { return genocl_test::drawn(variants()); }

/// Whether overlaps of words in lists are exact on the device: where it has no fp64 not with an uneven background, and
/// then the test says so.
inline bool has_exact_lists(const genocl::Device& device, const genocl::pwm::Background& background) {
  if (background.uniform() || device.info().fp64) return true;
  MESSAGE("an uneven background is left out: " << device.info().name << " has no fp64");
  return false;
}

/// Letters drawn evenly from `letters` codes: the four bases, and where there are more any that is no base.
inline std::vector<genocl::Code> random_codes(Random& random, std::size_t length, unsigned letters = 4) {
  std::vector<genocl::Code> codes(length);
  for (genocl::Code& code : codes) {
    code = static_cast<genocl::Code>(random() % letters);
    if (code >= 4) code = static_cast<genocl::Code>(4 + random() % (genocl::dna::letters.size() - 4));
  }
  return codes;
}

/// The reverse complement of bases.
inline std::vector<genocl::Code> turned(std::span<const genocl::Code> word) {
  std::vector<genocl::Code> other(word.size());
  genocl::dna::reverse_complement(word, other);
  return other;
}

/// A matrix of `length` columns of random scores, rounded to `steps` of a unit (0: not rounded), so that scores tie.
inline genocl::pwm::ScoreMatrix random_matrix(Random& random, std::size_t length, unsigned steps = 0) {
  std::vector<std::array<double, 4>> scores(length);
  for (std::array<double, 4>& column : scores)
    for (double& score : column) {
      score = static_cast<double>(random() >> 11) / 9007199254740992.0 * 6 - 4;
      if (steps != 0) score = static_cast<double>(static_cast<int>(score * steps)) / steps;
    }
  return {"m" + std::to_string(length), "", std::move(scores)};
}

/// A score that a share of all words reaches.
inline double score_at(const genocl::pwm::ScoreMatrix& matrix, double share, Random& random) {
  std::vector<double> scores;
  for (int i = 0; i < 400; ++i) scores.push_back(matrix.score(random_codes(random, matrix.length())));
  std::ranges::sort(scores, std::greater<>());
  return scores[static_cast<std::size_t>(share * 399)];
}

}  // namespace pwm_test
