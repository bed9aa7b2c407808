// The reverse strand is scored as the reverse complement of a word is, column by column in the motif's own order: sums
// of doubles in the other order may differ in their last bit, which decides at a threshold that is attained.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "genocl/pwm/compare.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/scan.hpp"
#include "pwm/cases.hpp"
#include "reference/pwm/pwm.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;

using pwm_test::turned;

struct Case {
  ScoreMatrix matrix;
  std::vector<Code> word;  ///< scores `threshold`, by the motif
  double threshold = 0;
};

/// A word that scores less (`lower`) or more in the motif's order than in the other.
std::optional<Case> find_case(Random& random, std::size_t length, bool lower) {
  for (int attempt = 0; attempt < 10'000; ++attempt) {
    const ScoreMatrix matrix = pwm_test::random_matrix(random, length);
    const std::vector<Code> word = pwm_test::random_codes(random, length);
    const double score = matrix.score(word), other = matrix.reverse_complement().score(turned(word));
    if (lower ? score < other : score > other) return Case{matrix, word, score};
  }
  return std::nullopt;
}

/// The word on both strands, apart, among random letters.
SequenceSet text_with(Random& random, const Case& c) {
  std::vector<Code> text = pwm_test::random_codes(random, 700);
  const std::vector<Code> reverse = turned(c.word);
  std::copy(c.word.begin(), c.word.end(), text.begin() + 100);
  std::copy(reverse.begin(), reverse.end(), text.begin() + 400);
  SequenceSet set;
  set.append("r", text);
  return set;
}

bool has(const std::vector<Hit>& hits, std::uint64_t position, bool reverse, double score) {
  return std::find(hits.begin(), hits.end(), Hit{0, 0, position, score, reverse}) != hits.end();
}

void check(Random& random, const Case& c) {
  const SequenceSet text = text_with(random, c);
  const double above = std::nextafter(c.threshold, std::numeric_limits<double>::infinity());
  for (const auto& variant : pwm_test::variants())
    for (const Method method :
         {Method::naive, Method::naive_matrix, Method::lookahead, Method::kmp, Method::slices, Method::loss}) {
      CAPTURE(variant.name);
      CAPTURE(to_string(method));
      for (const double threshold : {c.threshold, above}) {
        const Scanner scanner(std::span(&variant.device, 1), std::span(&c.matrix, 1), std::span(&threshold, 1),
                              {.method = method});
        const std::vector<Hit> hits = scanner.scan(text);
        const bool is_hit = threshold == c.threshold;
        CHECK(has(hits, 100, false, c.threshold) == is_hit);
        CHECK(has(hits, 400, true, c.threshold) == is_hit);
        CHECK(hits.size() == genocl_reference::scan(c.matrix, threshold, text[0]).size());
      }
    }
}

}  // namespace

TEST_CASE("pwm strands: a word at the very threshold is a hit on both, a last bit below it on none") {
  Random random(77);
  for (const std::size_t length : {4u, 9u, 20u, 65u})
    for (const bool lower : {false, true}) {
      CAPTURE(length);
      CAPTURE(lower);
      const std::optional<Case> found = find_case(random, length, lower);
      REQUIRE(found);
      check(random, *found);
    }
}

TEST_CASE("pwm strands: as many words are compared as hits on the reverse strand as on the forward one") {
  Random random(78);
  for (const bool lower : {false, true}) {
    const std::optional<Case> found = find_case(random, 6, lower);
    REQUIRE(found);
    for (const auto& variant : pwm_test::drawn_variants()) {
      CAPTURE(variant.name);
      const PValue p = p_value(variant.device, found->matrix, found->threshold);
      REQUIRE(p.words);
      // Against itself: at shift 0 the forward words are the same, and the reverse ones as many.
      for (const Overlap& overlap :
           compare(variant.device, found->matrix, found->threshold, found->matrix, found->threshold)) {
        if (overlap.shift != 0) continue;
        REQUIRE(overlap.both.words);
        REQUIRE(overlap.only_second.words);
        CHECK(*overlap.both.words + *overlap.only_second.words == *p.words);
      }
    }
  }
}
