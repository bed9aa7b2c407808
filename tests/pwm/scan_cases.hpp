// Inputs of scans, and their hits by the oracle.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "genocl/pwm/scan.hpp"
#include "pwm/cases.hpp"
#include "random.hpp"
#include "reference/pwm/pwm.hpp"

namespace pwm_test {

inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr genocl::pwm::Method methods[] = {genocl::pwm::Method::automatic,    genocl::pwm::Method::naive,
                                                  genocl::pwm::Method::naive_matrix, genocl::pwm::Method::lookahead,
                                                  genocl::pwm::Method::kmp,          genocl::pwm::Method::slices,
                                                  genocl::pwm::Method::loss};

/// Records of up to `longest` letters, some of them none, with N and other letters here and there.
inline genocl::SequenceSet random_text(genocl_test::Random& random, std::size_t records, std::size_t longest) {
  genocl::SequenceSet text;
  for (std::size_t i = 0; i < records; ++i) {
    std::vector<genocl::Code> codes = random_codes(random, random() % 4 == 0 ? random() % 8 : random() % (longest + 1));
    for (genocl::Code& code : codes)
      if (random() % 25 == 0) code = static_cast<genocl::Code>(4 + random() % 11);
    text.append("r" + std::to_string(i), codes);
  }
  return text;
}

/// A threshold between the middle of the matrix's scores and its best one.
inline double random_threshold(genocl_test::Random& random, const genocl::pwm::ScoreMatrix& matrix) {
  const double share = 0.4 + static_cast<double>(random() % 50) / 100;
  return matrix.lowest() + (matrix.highest() - matrix.lowest()) * share;
}

struct Collection {
  std::vector<genocl::pwm::ScoreMatrix> matrices;
  std::vector<double> thresholds;

  std::vector<genocl::pwm::Hit> expected(const genocl::SequenceSet& text,
                                         genocl::pwm::Strands strands = genocl::pwm::Strands::both) const {
    using genocl::pwm::Strands;
    std::vector<genocl::pwm::Hit> hits;
    for (std::uint32_t m = 0; m < matrices.size(); ++m)
      for (std::size_t r = 0; r < text.size(); ++r)
        for (const auto& hit : genocl_reference::scan(matrices[m], thresholds[m], text[r]))
          if (strands == Strands::both || hit.reverse == (strands == Strands::reverse))
            hits.push_back({m, r, hit.position, hit.score, hit.reverse});
    return hits;
  }
};

/// Some of the matrices are not looked for: they have no threshold.
inline Collection random_collection(genocl_test::Random& random, std::size_t count) {
  Collection c;
  for (std::size_t i = 0; i < count; ++i) {
    c.matrices.push_back(random_matrix(random, 1 + random() % 22, random() % 2 == 0 ? 2 : 0));
    c.thresholds.push_back(random_threshold(random, c.matrices.back()));
    if (random() % 9 == 0) c.thresholds.back() = no_number;
  }
  return c;
}

}  // namespace pwm_test
