// Two lists against each other, and words put together from halves.
#include "pwm/halves.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "pwm/cases.hpp"
#include "random.hpp"

using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;

TEST_CASE("pwm halves: each beginning meets the ends that bring it to the bound") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const auto sums = [&](std::size_t size) {
    std::vector<std::int64_t> list(size);
    for (std::int64_t& sum : list) sum = static_cast<std::int64_t>(random() % 100) - 50;
    std::ranges::sort(list);
    return list;
  };
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::vector<std::int64_t> left = sums(random() % 30), right = sums(random() % 30);
    const std::int64_t bound = static_cast<std::int64_t>(random() % 240) - 120;
    std::size_t next = 0;
    walk(left, right, bound, [&](std::size_t i, std::size_t j) {
      CHECK(i == next++);
      REQUIRE(j <= right.size());
      if (j < right.size()) CHECK(left[i] + right[j] >= bound);
      if (j > 0) CHECK(left[i] + right[j - 1] < bound);
    });
    CHECK(next == left.size());
  }
}

TEST_CASE("pwm halves: the letters of both halves in order") {
  const std::vector<std::pair<std::size_t, int>> expected = {{0, 3}, {1, 0}, {2, 2}, {3, 1}, {4, 2}};
  std::vector<std::pair<std::size_t, int>> found;
  for_each_letter(5, 2, 0b1100, 0b100110,
                  [&](std::size_t column, genocl::Code letter) { found.emplace_back(column, letter); });
  CHECK((found == expected));
}

TEST_CASE("pwm halves: words of one score weigh what all of them do") {
  std::vector<ScoreGroup<std::uint64_t>> words = {{1.5, 2}, {-1, 1}, {1.5, 3}, {4, 1}, {-1, 10}, {0.25, 7}};
  add_up_equal(words, [](const ScoreGroup<std::uint64_t>& group) { return -group.score; });
  REQUIRE(words.size() == 4);
  const double scores[] = {4, 1.5, 0.25, -1};
  const std::uint64_t weights[] = {1, 5, 7, 11};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(words[i].score == scores[i]);
    CHECK(words[i].weight == weights[i]);
  }
}
