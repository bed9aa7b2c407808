// The longest motifs: every method, P-values and bucket, up to ScoreMatrix::longest and no further.
#include <algorithm>
#include <cmath>

#include "genocl/error.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/scan.hpp"
#include "pwm/cases.hpp"
#include "reference/pwm/pwm.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;

constexpr std::size_t lengths[] = {63, 64, 65, 127, 128};

/// Two records; the best word of the matrix on both strands at their ends, across a cut, and next to an N.
SequenceSet text_for(Random& random, const ScoreMatrix& matrix) {
  const std::size_t m = matrix.length();
  std::vector<Code> best, turned;
  for (const auto& column : matrix.columns())
    best.push_back(static_cast<Code>(std::max_element(column.begin(), column.end()) - column.begin()));
  for (std::size_t i = m; i-- > 0;) turned.push_back(static_cast<Code>(3 - best[i]));
  SequenceSet set;
  for (int record = 0; record < 2; ++record) {
    std::vector<Code> text = pwm_test::random_codes(random, 1300);
    const auto put = [&](const std::vector<Code>& word, std::size_t at) {
      std::copy(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at));
    };
    put(best, 0);
    put(turned, 499 - m / 2);
    text[700] = 14;
    put(turned, 701);
    put(best, text.size() - m);
    set.append("r", text);
  }
  return set;
}

}  // namespace

TEST_CASE("pwm lengths: every method finds hits of the longest motifs") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : lengths) {
    CAPTURE(length);
    const ScoreMatrix matrix = pwm_test::random_matrix(random, length);
    const SequenceSet text = text_for(random, matrix);
    const double threshold = matrix.lowest() + (matrix.highest() - matrix.lowest()) * 0.6;
    std::vector<Hit> expected;
    for (std::size_t r = 0; r < text.size(); ++r)
      for (const auto& hit : genocl_reference::scan(matrix, threshold, text[r]))
        expected.push_back({0, r, hit.position, hit.score, hit.reverse});
    REQUIRE(expected.size() >= 8);
    for (const auto& variant : pwm_test::drawn_variants())
      for (const Method method :
           {Method::naive, Method::naive_matrix, Method::lookahead, Method::kmp, Method::slices, Method::loss})
        for (const std::uint64_t residues : {0u, 500u}) {
          CAPTURE(variant.name);
          CAPTURE(to_string(method));
          CAPTURE(residues);
          const Scanner scanner(std::span(&variant.device, 1), std::span(&matrix, 1), std::span(&threshold, 1),
                                {.method = method, .chunk_residues = residues});
          CHECK((scanner.scan(text) == expected));
        }
  }
}

TEST_CASE("pwm lengths: P-values of the longest motifs") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : lengths) {
    CAPTURE(length);
    // Scores -1 and 1, evenly: hits are the tail of a binomial distribution.
    std::vector<std::array<double, 4>> columns;
    for (std::size_t i = 0; i < length; ++i)
      columns.push_back(random() % 2 == 0 ? std::array<double, 4>{1, -1, 1, -1} : std::array<double, 4>{-1, -1, 1, 1});
    const ScoreMatrix matrix("m", "", columns);
    const auto m = static_cast<double>(length);
    const double score = m - 2 * std::floor(m / 4);
    double tail = 0;
    for (double right = 0; m - 2 * right >= score; ++right)
      tail += std::exp(std::lgamma(m + 1) - std::lgamma(right + 1) - std::lgamma(m - right + 1) - m * std::log(2.0));
    for (const auto& variant : pwm_test::drawn_variants()) {
      CAPTURE(variant.name);
      const PValue p = p_value(variant.device, matrix, score);
      CHECK(p.low <= tail * (1 + 1e-9));
      CHECK(p.high >= tail * (1 - 1e-9));
      const Threshold threshold = genocl::pwm::threshold(variant.device, matrix, tail * (1 + 1e-6));
      // Scores are 2 apart.
      CHECK(threshold.score > score - 2);
      CHECK(threshold.score <= score);
    }
  }
}

TEST_CASE("pwm lengths: bucket's slices of few columns sum all of a long motif's words") {
  Random random(9);
  for (const std::size_t length : {64u, 65u, 128u}) {
    CAPTURE(length);
    const ScoreMatrix matrix = pwm_test::random_matrix(random, length);
    for (const auto& variant : pwm_test::drawn_variants()) {
      CAPTURE(variant.name);
      // Slices of 7 columns or fewer.
      const PValueOptions options{
          .method = PValueMethod::bucket, .slices = static_cast<unsigned>((length + 6) / 7), .buckets = 400};
      const Distribution distribution = genocl::pwm::distribution(variant.device, matrix, options);
      CHECK(distribution.low.front() <= 1.0 + 1e-9);
      CHECK(distribution.high.front() >= 1.0 - 1e-9);
      for (const double share : {0.5, 0.6}) {
        const double score = matrix.lowest() + (matrix.highest() - matrix.lowest()) * share;
        const PValue rough = p_value(variant.device, matrix, score, options);
        const PValue fine = p_value(variant.device, matrix, score);
        CHECK(rough.low <= fine.high * (1 + 1e-6));
        CHECK(rough.high >= fine.low * (1 - 1e-6));
      }
    }
  }
}

TEST_CASE("pwm lengths: 129 columns are refused") {
  CHECK_THROWS_WITH_AS(ScoreMatrix("long", "", std::vector<std::array<double, 4>>(129)),
                       doctest::Contains("long has 129 columns; at most 128"), InputError);
}
