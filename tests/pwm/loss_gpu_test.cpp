// The group form of `loss`: every hit is a candidate, each once, and few others are.
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

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Collection {
  std::vector<ScoreMatrix> matrices;
  std::vector<Target> targets;

  void add(ScoreMatrix matrix, double threshold) {
    matrices.push_back(std::move(matrix));
    targets.push_back({static_cast<std::uint32_t>(targets.size()), false, nullptr, threshold});
  }
  void finish() {
    for (std::size_t i = 0; i < targets.size(); ++i) targets[i].scores = &matrices[i];
  }
};

/// Thresholds `share` of the way from the lowest to the highest score.
Collection random_collection(Random& random, std::size_t count, std::size_t shortest, std::size_t longest,
                             double share) {
  Collection c;
  for (std::size_t i = 0; i < count; ++i) {
    ScoreMatrix matrix =
        pwm_test::random_matrix(random, shortest + random() % (longest - shortest + 1), random() % 3 == 0 ? 2 : 0);
    const double low = matrix.lowest(), high = matrix.highest();
    c.add(std::move(matrix), low + (high - low) * share);
  }
  c.finish();
  return c;
}

std::vector<std::uint64_t> hits_of(const Collection& c, const std::vector<Code>& codes, const DeviceText& text,
                                   std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t t = first; t < first + count; ++t)
    for (const auto& hit : genocl_reference::scan(c.matrices[t], c.targets[t].threshold, codes))
      if (!hit.reverse && hit.position >= text.own.begin && hit.position < text.own.end)
        keys.push_back(t << 32 | hit.position);
  return keys;
}

struct Found {
  std::uint64_t hits = 0, candidates = 0;
};

Found check(const Device& device, const Collection& c, const std::vector<Code>& codes, std::uint32_t own_begin,
            std::uint32_t own_end, std::uint32_t first, std::uint32_t count) {
  CAPTURE(first);
  CAPTURE(count);
  CAPTURE(own_begin);
  CAPTURE(own_end);
  SequenceSet set;
  set.append("r", codes);
  TextPiece piece{{{0, 0, static_cast<std::uint32_t>(codes.size()), 0}},
                  static_cast<std::uint32_t>(codes.size()),
                  {own_begin, own_end}};
  const DeviceText text = upload_text(device, set, piece, true);
  const auto finder = make_loss_finder_gpu(device, c.targets);
  REQUIRE(finder->wants_packed());
  const std::uint64_t capacity = std::uint64_t{own_end} * count + 1;
  const Candidates candidates = finder->find(device, text, first, count, capacity);
  REQUIRE(candidates.count < capacity);
  std::vector<std::uint64_t> keys(candidates.count);
  candidates.keys.download(std::span<std::uint64_t>(keys));
  std::sort(keys.begin(), keys.end());
  CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
  for (const std::uint64_t key : keys) {
    const std::uint64_t target = key >> 32;
    REQUIRE(target >= first);
    REQUIRE(target < first + count);
    REQUIRE(static_cast<std::uint32_t>(key) >= own_begin);
    REQUIRE(static_cast<std::uint32_t>(key) < own_end);
  }
  const std::vector<std::uint64_t> hits = hits_of(c, codes, text, first, count);
  CHECK(std::includes(keys.begin(), keys.end(), hits.begin(), hits.end()));
  // With capacity for half of them the count is the same, and the written ones are candidates.
  if (keys.size() > 1) {
    const Candidates few = finder->find(device, text, first, count, keys.size() / 2);
    CHECK(few.count == keys.size());
    REQUIRE(few.keys.size() == keys.size() / 2);
    for (const std::uint64_t key : few.keys.download()) CHECK(std::binary_search(keys.begin(), keys.end(), key));
  }
  return {hits.size(), keys.size()};
}

std::vector<pwm_test::Variant> group_variants() {
  auto all = pwm_test::variants();
  all.erase(all.begin());
  return all;
}

}  // namespace

TEST_CASE("tiny: pwm loss group") {
  Random random(2);
  const std::vector<Code> codes = pwm_test::random_codes(random, 45, 5);
  for (const auto& variant : group_variants()) {
    CAPTURE(variant.name);
    const Collection one = random_collection(random, 1, 6, 6, 0.6);
    CHECK(check(variant.device, one, codes, 0, 45, 0, 1).hits > 0);
    const Collection many = random_collection(random, 17, 4, 9, 0.7);
    CHECK(check(variant.device, many, codes, 0, 45, 0, 17).hits > 0);
  }
}

TEST_CASE("pwm loss group: random matrices") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& variant : group_variants()) {
    CAPTURE(variant.name);
    for (const std::size_t count : {1, 2, 3, 4, 7, 9, 16, 33, 100, 150}) {
      const std::vector<Code> codes = pwm_test::random_codes(random, 700 + random() % 9000, 4 + random() % 2);
      const auto size = static_cast<std::uint32_t>(codes.size());
      const Collection c = random_collection(random, count, 1, 24, 0.3 + 0.1 * static_cast<double>(random() % 6));
      const auto first = static_cast<std::uint32_t>(random() % count);
      check(variant.device, c, codes, 0, size, 0, static_cast<std::uint32_t>(count));
      check(variant.device, c, codes, size / 3, size / 2, first,
            static_cast<std::uint32_t>(1 + random() % (count - first)));
    }
  }
}

TEST_CASE("pwm loss group: matrices longer than an item's letters") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& variant : group_variants())
    for (const std::size_t count : {1, 5, 20}) {
      const std::vector<Code> codes = pwm_test::random_codes(random, 3000);
      const Collection c = random_collection(random, count, 24, 128, 0.55);
      CHECK(check(variant.device, c, codes, 0, 3000, 0, static_cast<std::uint32_t>(count)).hits > 0);
    }
}

TEST_CASE("pwm loss group: few candidates are no hits") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<Code> codes = pwm_test::random_codes(random, 60'000);
  for (const auto& variant : group_variants())
    for (const std::size_t count : {2, 32}) {
      Collection c;
      for (std::size_t i = 0; i < count; ++i) {
        ScoreMatrix matrix = pwm_test::random_matrix(random, 8 + random() % 10);
        std::vector<double> scores;
        for (int w = 0; w < 20'000; ++w)
          scores.push_back(matrix.score(pwm_test::random_codes(random, matrix.length())));
        std::nth_element(scores.begin(), scores.begin() + 20, scores.end(), std::greater<>());
        c.add(std::move(matrix), scores[20]);  // P about 1e-3
      }
      c.finish();
      const Found found = check(variant.device, c, codes, 0, 60'000, 0, static_cast<std::uint32_t>(count));
      CAPTURE(found.hits);
      CAPTURE(found.candidates);
      CHECK(found.hits > 0);
      CHECK(found.candidates < 8 * found.hits);
    }
}

TEST_CASE("pwm loss group: scores and thresholds at the ends") {
  Random random(8);
  const std::vector<Code> codes = pwm_test::random_codes(random, 2000);
  for (const auto& variant : group_variants()) {
    Collection c = random_collection(random, 6, 3, 5, 0.5);
    c.targets[0].threshold = c.matrices[0].highest();  // the best word only
    c.targets[1].threshold = infinity;
    c.targets[2].threshold = -infinity;
    c.targets[3].threshold = std::nextafter(c.matrices[3].highest(), infinity);
    c.targets[4].threshold = c.matrices[4].lowest();  // every word
    c.add(ScoreMatrix("flat", "", {{1, 1, 1, 1}, {0, 0, 0, 0}}), 1);
    c.add(ScoreMatrix("never", "", {{-infinity, 1, -infinity, 0}, {0, -infinity, 1, 0}}), 0.5);
    c.add(ScoreMatrix("nowhere", "", {{-infinity, -infinity, -infinity, -infinity}, {0, 0, 1, 0}}), 0.5);
    c.add(ScoreMatrix("nowhere", "", {{-infinity, -infinity, -infinity, -infinity}, {0, 0, 1, 0}}), -infinity);
    c.finish();
    check(variant.device, c, codes, 0, 2000, 0, static_cast<std::uint32_t>(c.targets.size()));
    const DeviceText empty = upload_text(variant.device, SequenceSet(), {}, true);
    CHECK(make_loss_finder_gpu(variant.device, c.targets)->find(variant.device, empty, 0, 6, 10).count == 0);
  }
}
