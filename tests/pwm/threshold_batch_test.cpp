// Thresholds of many matrices at once, against those of each by itself.
#include "pwm/threshold_batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "genocl/error.hpp"
#include "pwm/cases.hpp"
#include "pwm/p_value.hpp"

namespace {

using namespace genocl::pwm;
using genocl::Device;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::random_matrix;
using pwm_test::test_device;

constexpr double never = -std::numeric_limits<double>::infinity();

void check_same(const Threshold& found, const Threshold& expected) {
  CHECK(found.none == expected.none);
  CHECK(found.score == expected.score);
  CHECK(found.p.low == expected.p.low);
  CHECK(found.p.high == expected.p.high);
  CHECK(found.p.exact == expected.p.exact);
  CHECK(found.p.words == expected.p.words);
}

/// Returns how many of the matrices the batch had.
std::size_t check_batch(const Device& device, const std::vector<ScoreMatrix>& matrices, const std::vector<double>& ps) {
  const Device host = device.with_family(genocl::KernelFamily::cpu);
  const Device group = device.with_family(genocl::KernelFamily::gpu);
  std::size_t batched = 0;
  for (const bool paper : {false, true}) {
    CAPTURE(paper);
    PValueOptions options;
    options.paper_convention = paper;
    const auto found = batched_thresholds(std::span(&group, 1), matrices, ps, options);
    const auto all = thresholds(std::span(&group, 1), matrices, ps, options);
    const auto by_cpu = thresholds(std::span(&host, 1), matrices, ps, options);
    REQUIRE(found.size() == matrices.size());
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      CAPTURE(matrices[i].id());
      batched += found[i] ? 1 : 0;
      REQUIRE(all[i].size() == ps.size());
      for (std::size_t j = 0; j < ps.size(); ++j) {
        CAPTURE(ps[j]);
        if (found[i]) check_same((*found[i])[j], by_cpu[i][j]);
        check_same(all[i][j], by_cpu[i][j]);
      }
    }
  }
  return batched;
}

}  // namespace

TEST_CASE("tiny: pwm threshold batch") {
  // Thirds are rounded: words are listed. Few scores apart, so that a search is short.
  const ScoreMatrix thirds("thirds", "", {{1.0 / 3, 0, 0, 1}, {0, 2.0 / 3, 1, 1}, {0.1, 0, 0, never}});
  PValueOptions options;
  const Device group = test_device().with_family(genocl::KernelFamily::gpu);
  const std::vector<double> ps = {0.1};
  const auto found = batched_thresholds(std::span(&group, 1), std::span(&thirds, 1), ps, options);
  REQUIRE(found[0].has_value());
  check_same((*found[0])[0], certified_thresholds(group, thirds, ps, options.background, false)[0]);
}

TEST_CASE("pwm threshold batch: every length, random scores, both conventions") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<ScoreMatrix> matrices;
  for (std::size_t length = 1; length <= 15; ++length)
    for (unsigned k = 0; k < 3; ++k) matrices.push_back(random_matrix(random, length));
  const std::vector<double> ps = {0.3, 1e-2, 1e-3, 1e-4, 1e-5, 1e-9, 1e-300};
  CHECK(check_batch(test_device(), matrices, ps) == 2 * matrices.size());
}

TEST_CASE("pwm threshold batch: more words than a double counts one by one") {
  // 2^56 words, of which the 2^54 with the first letter A score 1: no more than a quarter, so 1 is the threshold. The
  // count that is one too many is 2^54 + 1.
  std::vector<std::array<double, 4>> columns(28, {0, 0, 0, 0});
  columns[0] = {1, 0, 0, 0};
  const ScoreMatrix matrix("28", "", columns);
  const Device group = test_device().with_family(genocl::KernelFamily::gpu);
  const std::vector<double> ps = {0.25};
  const auto found = batched_thresholds(std::span(&group, 1), std::span(&matrix, 1), ps, {});
  REQUIRE(found[0].has_value());
  CHECK_FALSE((*found[0])[0].none);
  CHECK((*found[0])[0].score == 1);
  CHECK((*found[0])[0].p.words == std::uint64_t{1} << 54);
  // A last letter that weighs as little as can be: (2^56 - 2^54) / 2^56 and the next double on either side.
  const std::vector<double> near = {0.25, std::nextafter(0.25, 0), std::nextafter(0.25, 1), 0.75,
                                    std::nextafter(0.75, 0)};
  CHECK(check_batch(test_device(), {matrix}, near) == 2);
}

TEST_CASE("pwm threshold batch: long halves") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<ScoreMatrix> matrices;
  for (std::size_t length = 16; length <= 20; ++length) matrices.push_back(random_matrix(random, length));
  // As many half words as 20 columns have.
  for (std::size_t length = 21; length <= 22; ++length) {
    ScoreMatrix matrix = random_matrix(random, length);
    std::vector<std::array<double, 4>> columns(matrix.columns().begin(), matrix.columns().end());
    for (const std::size_t i : {1, 3, 18, 20}) columns[i][2] = columns[i][0], columns[i][3] = columns[i][1];
    matrices.emplace_back(matrix.id(), "", columns);
  }
  const std::vector<double> ps = {1e-2, 1e-5, 1e-9};
  const Device group = test_device().with_family(genocl::KernelFamily::gpu);
  const auto found = batched_thresholds(std::span(&group, 1), matrices, ps, {});
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    CAPTURE(matrices[i].id());
    REQUIRE(found[i].has_value());
    const auto expected =
        certified_thresholds(test_device().with_family(genocl::KernelFamily::cpu), matrices[i], ps, {}, false);
    for (std::size_t j = 0; j < ps.size(); ++j) check_same((*found[i])[j], expected[j]);
  }
}

TEST_CASE("pwm threshold batch: several batches, and matrices that fit in no batch") {
  Random random(6);
  std::vector<ScoreMatrix> matrices;
  for (unsigned i = 0; i < 24; ++i) matrices.push_back(random_matrix(random, 1 + i % 8));
  const Device group = test_device().with_family(genocl::KernelFamily::gpu);
  const std::vector<double> ps = {1e-2, 1e-3};
  for (const std::uint64_t most : {1, 40, 128, 600}) {
    CAPTURE(most);
    const auto found = batched_thresholds(std::span(&group, 1), matrices, ps, {}, most);
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      const std::size_t length = matrices[i].length();
      const auto half_words = (std::uint64_t{1} << (2 * (length / 2))) + (std::uint64_t{1} << (2 * ((length + 1) / 2)));
      REQUIRE(found[i].has_value() == (half_words <= most));
      if (!found[i]) continue;
      const auto expected = certified_thresholds(group, matrices[i], ps, {}, false);
      for (std::size_t j = 0; j < ps.size(); ++j) check_same((*found[i])[j], expected[j]);
    }
  }
}

TEST_CASE("pwm threshold batch: searches that need more rounds than they were given") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<std::vector<LetterClasses>> halves(4, std::vector<LetterClasses>(4));
  std::int64_t highest[2] = {0, 0}, lowest[2] = {0, 0};
  for (std::size_t half = 0; half < 4; ++half) {
    for (LetterClasses& column : halves[half]) {
      column.count = 4;
      std::int64_t most = 0, least = INT64_MAX;
      for (std::uint32_t x = 0; x < 4; ++x) {
        column.classes[x] = {static_cast<std::int64_t>(random() >> 8), x, 1};
        most = std::max(most, column.classes[x].add);
        least = std::min(least, column.classes[x].add);
      }
      highest[half / 2] += most;
      lowest[half / 2] += least;
    }
  }
  ThresholdBatch batch(test_device().with_family(genocl::KernelFamily::gpu), halves);
  std::vector<ThresholdJob> jobs;
  for (std::uint64_t i = 0; i < 6; ++i)
    jobs.push_back({.left = batch.halves().first(i % 2 * 2),
                    .right = batch.halves().first(i % 2 * 2 + 1),
                    .left_size = 256,
                    .right_size = 256,
                    .lowest = lowest[i % 2],
                    .highest = highest[i % 2],
                    .doubt = i < 2 ? 0 : 100,
                    .wanted = 1 + random() % 65536,
                    .words = 65536,
                    .pairs = 65536,
                    .with_next = i < 2 ? 0U : 1U});
  const std::vector<ThresholdFound> enough = batch.search(jobs, 250), few = batch.search(jobs, 2);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    CHECK(enough[i].rounds > 2);
    CHECK(few[i].rounds == enough[i].rounds);
    CHECK(few[i].low == enough[i].low);
    CHECK(few[i].low_words == enough[i].low_words);
    CHECK(few[i].low_words >= jobs[i].wanted);
    CHECK(few[i].high == enough[i].high);
    CHECK(few[i].next == enough[i].next);
    CHECK(few[i].beyond == enough[i].beyond);
    CHECK(few[i].beyond < jobs[i].wanted);
    CHECK(few[i].pairs == enough[i].pairs);
  }
}

TEST_CASE("pwm threshold batch: scores that tie") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<ScoreMatrix> matrices;
  // Whole ones and quarters never round; tenths and thirds do, so that words that tie on paper differ in their last
  // bits.
  for (const unsigned steps : {1, 4, 10, 3})
    for (const std::size_t length : {1, 2, 3, 5, 8, 9, 12, 14})
      matrices.push_back(random_matrix(random, length, steps));
  matrices.push_back(random_matrix(random, 18, 1));
  matrices.push_back(ScoreMatrix("matches", "", {20, {1.0, 0.0, 0.0, 0.0}}));
  matrices.push_back(ScoreMatrix("more matches", "", {28, {1.0, 0.0, 0.0, 0.0}}));
  matrices.push_back(ScoreMatrix("zero", "", {5, {0.0, 0.0, 0.0, 0.0}}));
  matrices.push_back(ScoreMatrix("tenth", "", {8, {0.1, 0.2, 0.3, -0.1}}));
  // One Q for two scores.
  matrices.push_back(ScoreMatrix("tiny", "", {3, {1.0, 1e-30, 2e-30, -0.7}}));
  const std::vector<double> ps = {0.25, 0.1, 1e-2, 1e-3, 1e-5, 1e-9};
  CHECK(check_batch(test_device(), matrices, ps) >= matrices.size());
}

TEST_CASE("pwm threshold batch: P-values of words themselves, and beside them") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : {3, 5, 6}) {
    for (const unsigned steps : {0, 4, 10}) {
      const std::vector<ScoreMatrix> matrices = {random_matrix(random, length, steps)};
      std::vector<double> ps;
      const std::uint64_t words = std::uint64_t{1} << (2 * length);
      for (std::uint64_t k = 1; k < words; k = k < 20 ? k + 1 : k + random() % (words / 16) + 1) {
        const double p = std::ldexp(static_cast<double>(k), -2 * static_cast<int>(length));
        for (const double near : {std::nextafter(p, 0.0), p, std::nextafter(p, 1.0)}) ps.push_back(near);
      }
      CHECK(check_batch(test_device(), matrices, ps) == 2);
    }
  }
}

TEST_CASE("pwm threshold batch: letters that never occur, P-values that are not reached, matrices that are too long") {
  Random random(3);
  const ScoreMatrix some(
      "some", "", {{1.0, never, 0.5, never}, {0.25, 2.0, never, 0.0}, {never, never, never, 1.0}, {1, 1, 0.3, 1}});
  const std::vector<ScoreMatrix> matrices = {some, random_matrix(random, 7), random_matrix(random, 40),
                                             random_matrix(random, 4)};
  check_batch(test_device(), matrices, {1.0, 0.5, 0.01});
  CHECK(check_batch(test_device(), matrices, {0.01, 1e-4, 1e-300}) == 6);
}

TEST_CASE("pwm threshold batch: two devices, and none") {
  Random random(4);
  std::vector<ScoreMatrix> matrices;
  for (unsigned i = 0; i < 12; ++i) matrices.push_back(random_matrix(random, 1 + i % 7));
  const Device group = test_device().with_family(genocl::KernelFamily::gpu);
  const std::vector<Device> devices = {group, group.with_own_queue()};
  const std::vector<double> ps = {1e-2, 1e-3};
  const auto by_two = batched_thresholds(devices, matrices, ps, {});
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    REQUIRE(by_two[i].has_value());
    for (std::size_t j = 0; j < ps.size(); ++j)
      check_same((*by_two[i])[j], certified_thresholds(group, matrices[i], ps, Background(), false)[j]);
  }
  CHECK_THROWS_AS(thresholds({}, matrices, ps), genocl::InputError);
  CHECK_FALSE(can_batch_thresholds(std::vector<Device>{group, group.with_family(genocl::KernelFamily::cpu)}, {}));
  PValueOptions options;
  options.background = Background({0.3, 0.2, 0.2, 0.3});
  CHECK_FALSE(can_batch_thresholds(devices, options));
}

TEST_CASE("pwm threshold batch: progress counts every matrix once, and stops it") {
  Random random(8);
  std::vector<ScoreMatrix> matrices;
  for (const std::size_t length : {4, 40, 5, 3, 33, 6}) matrices.push_back(random_matrix(random, length));
  const Device group = test_device().with_family(genocl::KernelFamily::gpu);
  const std::vector<double> ps = {0.01};
  std::vector<genocl::ProgressState> states;
  PValueOptions options;
  options.progress = [&](const genocl::ProgressState& state) {
    states.push_back(state);
    return true;
  };
  thresholds(std::span(&group, 1), matrices, ps, options);
  REQUIRE(states.size() == 3);  // the batch, and two alone
  CHECK(states[0].items_done == 4);
  CHECK(states[1].items_done == 5);
  CHECK(states[2].items_done == 6);
  for (const genocl::ProgressState& state : states) {
    CHECK(state.items_total == 6);
    CHECK(state.fraction == doctest::Approx(static_cast<double>(state.items_done) / 6));
  }
  options.progress = [](const genocl::ProgressState&) { return false; };
  CHECK_THROWS_AS(thresholds(std::span(&group, 1), matrices, ps, options), genocl::Cancelled);
}
