// Rescoring against the oracle: exactly the hits remain, whatever the other candidates.
#include <algorithm>
#include <limits>

#include "pwm/cases.hpp"
#include "pwm/pipeline.hpp"
#include "reference/pwm/pwm.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;

struct Case {
  SequenceSet set;
  std::vector<ScoreMatrix> matrices;  ///< forward, then reversed, of each
  std::vector<Target> targets;
};

Case make_case(Random& random, std::size_t matrices, std::size_t residues) {
  Case c;
  // Mostly bases.
  for (int r = 0; r < 3; ++r) {
    std::vector<Code> codes = pwm_test::random_codes(random, residues / 3);
    for (Code& code : codes)
      if (random() % 30 == 0) code = static_cast<Code>(4 + random() % 11);
    c.set.append("r", codes);
  }
  for (std::size_t i = 0; i < matrices; ++i) {
    c.matrices.push_back(pwm_test::random_matrix(random, 1 + random() % 12, random() % 2 == 0 ? 4 : 0));
    c.matrices.push_back(c.matrices.back().reverse_complement());
  }
  for (std::size_t i = 0; i < c.matrices.size(); ++i) {
    const ScoreMatrix& matrix = c.matrices[i];
    const double share = static_cast<double>(random() % 100) / 100;
    double threshold = matrix.lowest() + (matrix.highest() - matrix.lowest()) * share;
    if (i % 5 == 0) threshold = matrix.highest();  // equal to the best score: a hit
    c.targets.push_back({static_cast<std::uint32_t>(i / 2), i % 2 == 1, &matrix, threshold});
  }
  return c;
}

struct Expected {
  std::vector<std::uint64_t> keys;
  std::vector<double> scores;
  std::vector<std::uint64_t> counts;
};

Expected expected_hits(const Case& c, const TextPiece& piece) {
  Expected expected;
  for (std::uint64_t t = 0; t < c.targets.size(); ++t) {
    expected.counts.push_back(0);
    const Target& target = c.targets[t];
    const ScoreMatrix& motif = c.matrices[t / 2 * 2];
    for (const TextPiece::Part& part : piece.parts)
      for (const genocl_reference::PwmHit& hit :
           genocl_reference::scan(motif, target.threshold, c.set[part.record].subspan(part.begin, part.length))) {
        const std::uint64_t letter = part.at + hit.position;
        if (hit.reverse != target.reverse || letter < piece.own.begin || letter >= piece.own.end) continue;
        expected.keys.push_back(t << 32 | letter);
        expected.scores.push_back(hit.score);
        ++expected.counts[t];
      }
  }
  return expected;
}

/// Every letter of the piece for every target, in no order, or a share of those that are no hits.
Candidates make_candidates(const Device& device, Random& random, const Case& c, const DeviceText& text,
                           const Expected& expected, bool all) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t t = 0; t < c.targets.size(); ++t)
    for (std::uint64_t letter = 0; letter < text.size; ++letter) {
      const std::uint64_t key = t << 32 | letter;
      if (all || random() % 8 == 0 || std::binary_search(expected.keys.begin(), expected.keys.end(), key))
        keys.push_back(key);
    }
  std::shuffle(keys.begin(), keys.end(), random);
  Candidates candidates;
  candidates.count = keys.size();
  keys.resize(keys.size() + 5, ~std::uint64_t{0});  // entries that were not used
  candidates.keys = runtime::ScratchArray<std::uint64_t>(device, keys.size());
  candidates.keys.upload(keys);
  return candidates;
}

void check(const pwm_test::Variant& variant, Random& random, const Case& c, std::uint64_t residues) {
  CAPTURE(variant.name);
  const Device& device = variant.device;
  const DeviceTargets on_device = upload_targets(device, c.targets);
  DeviceTargets for_host;
  for_host.targets = c.targets;
  std::vector<std::uint64_t> totals(c.targets.size());
  Array<std::uint64_t> counts(device, c.targets.size());
  counts.fill(0);
  for (const TextPiece& piece : cut_text(c.set, residues)) {
    const DeviceText text = upload_text(device, c.set, piece, false);
    const Expected expected = expected_hits(c, piece);
    for (std::size_t t = 0; t < totals.size(); ++t) totals[t] += 2 * expected.counts[t];
    for (const DeviceTargets* const targets : {&on_device, const_cast<const DeviceTargets*>(&for_host)}) {
      const bool host = targets == &for_host;
      CAPTURE(host);
      const Candidates candidates = make_candidates(device, random, c, text, expected, host);
      const DeviceHits hits = verify(device, text, *targets, candidates);
      REQUIRE(hits.count == expected.keys.size());
      if (hits.count != 0) {
        CHECK(hits.keys.download() == expected.keys);
        CHECK(hits.scores.download() == expected.scores);
      }
      count_hits(device, text, *targets, candidates, counts);
    }
  }
  CHECK(counts.download() == totals);
}

}  // namespace

TEST_CASE("tiny: pwm verify") {
  Random random(11);
  Case c = make_case(random, 2, 45);
  // There are hits: every word of bases.
  c.targets[1].threshold = c.matrices[1].lowest();
  for (const auto& variant : pwm_test::variants()) check(variant, random, c, 1000);
}

TEST_CASE("pwm verify: random matrices and pieces") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t matrices : {1, 7, 200})
    for (const std::uint64_t residues : {80, 5000}) {
      const Case c = make_case(random, matrices, matrices == 200 ? 300 : 1200);
      for (const auto& variant : pwm_test::drawn_variants()) check(variant, random, c, residues);
    }
}

TEST_CASE("pwm verify: more targets than local counters") {
  Random random(3);
  const Case c = make_case(random, 4200, 60);
  for (const auto& variant : pwm_test::drawn_variants()) check(variant, random, c, 1000);
}

TEST_CASE("pwm verify: thresholds and scores without bounds") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Random random(4);
  Case c = make_case(random, 3, 90);
  c.matrices[0] = ScoreMatrix("a", "", {{0, -infinity, 1, -1}, {-infinity, 2, 0, 0}});
  c.targets[0].threshold = -infinity;
  c.targets[1].threshold = infinity;
  c.targets[2].threshold = -infinity;
  for (const auto& variant : pwm_test::drawn_variants()) check(variant, random, c, 1000);
}

TEST_CASE("pwm verify: no candidates") {
  Random random(4);
  const Case c = make_case(random, 1, 30);
  for (const auto& variant : pwm_test::drawn_variants()) {
    const DeviceText text = upload_text(variant.device, c.set, cut_text(c.set, 1000).front(), false);
    const DeviceTargets targets = upload_targets(variant.device, c.targets);
    CHECK(verify(variant.device, text, targets, {}).count == 0);
    Array<std::uint64_t> counts(variant.device, c.targets.size());
    counts.fill(3);
    count_hits(variant.device, text, targets, {}, counts);
    CHECK(counts.download() == std::vector<std::uint64_t>(c.targets.size(), 3));
  }
}
