// Words in two halves: cuts, lists, halves of the best words, and two lists against each other.

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "pwm/cases.hpp"
#include "pwm/halves.hpp"
#include "pwm/word_count.hpp"
#include "random.hpp"

using namespace genocl::pwm;

TEST_CASE("pwm best cut: the longer list is as short as can be, within the limits") {
  const std::vector<double> even(6, 4);
  CHECK(best_cut(even, 0, 6).at == 3);
  CHECK(best_cut(even, 0, 6).sums == 64);
  CHECK(best_cut(even, 4, 6).at == 4);
  CHECK(best_cut(even, 4, 6).sums == 256);
  // Four states have a list of ends each, unless there are no ends.
  CHECK(best_cut(even, 1, 6, 4).at == 3);
  CHECK(best_cut(even, 1, 6, 4).sums == 256);
  CHECK(best_cut(std::vector<double>{4, 1}, 1, 2, 16).at == 2);
  CHECK(best_cut(std::vector<double>{4, 1}, 1, 2, 16).sums == 4);
  const std::vector<double> uneven = {4, 1, 1, 4, 4};
  CHECK(best_cut(uneven, 0, 5).at == 1);
  CHECK(best_cut(uneven, 0, 5).sums == 16);
}

TEST_CASE("pwm best cut: letters that score alike count once but in a Markov model") {
  const double never = -std::numeric_limits<double>::infinity();
  const ScoreMatrix matrix("m", "", {{1, 1, 1, 1}, {1, 2, 3, never}, {0, 0, 1, 1}});
  const FixedPoint fixed = fixed_point(matrix);
  CHECK(best_cut(fixed, 0).sums == 3);
  CHECK(best_cut(fixed, 1).at == 2);
  CHECK(best_cut(fixed, 1).sums == 16);
}

TEST_CASE("pwm letter classes: the first letter stands for those of its score") {
  constexpr std::int64_t impossible = FixedPoint::impossible;
  const LetterClasses letters = letter_classes<double>({0.5, 2, 0.5, 0.5}, {5, 20, 5, impossible});
  REQUIRE(letters.count == 2);
  CHECK(letters.classes[0].add == 5);
  CHECK(letters.classes[0].letter == 0);
  CHECK(letters.classes[0].times == 2);
  CHECK(letters.classes[1].add == 20);
  CHECK(letters.classes[1].letter == 1);
  CHECK(letters.classes[1].times == 1);
  // Scores that round to one Q are two classes by score, and one by Q.
  const std::array<std::int64_t, 4> q = {7, 7, 8, impossible};
  CHECK(letter_classes<double>({0.5, 0.5000001, 1, 0}, q).count == 3);
  CHECK(letter_classes(q, q).count == 2);
}

namespace {

using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;
using List = HalfList<std::uint64_t>;

/// Sum, letters and weight of each word.
using Words = std::vector<std::tuple<std::int64_t, std::uint64_t, std::uint64_t>>;

List random_list(Random& random, std::size_t size) {
  List list;
  for (std::size_t i = 0; i < size; ++i) {
    list.sum.push_back(static_cast<std::int64_t>(random() % 50) - 25);
    list.letters.push_back(i);
    list.weight.push_back(1 + random() % 5);
  }
  std::ranges::sort(list.sum);
  return list;
}

Words words_of(const List& list) {
  Words words;
  for (std::size_t i = 0; i < list.sum.size(); ++i)
    words.emplace_back(list.sum[i], list.letters.empty() ? 0 : list.letters[i], list.weight_of(i));
  return words;
}

/// What the lists hold, a letter longer, in the order of its sums; one letter for each of `extended`.
Words expected_words(const std::vector<Extended<std::uint64_t>>& extended, std::int64_t least) {
  Words words;
  for (const Extended<std::uint64_t>& one : extended)
    for (std::size_t i = 0; i < one.list->sum.size(); ++i)
      if (one.list->sum[i] + one.add >= least)
        words.emplace_back(one.list->sum[i] + one.add, one.list->letters[i] << one.shift | one.letter,
                           one.list->weight_of(i) * one.factor);
  std::ranges::sort(words);
  return words;
}

std::map<std::int64_t, std::uint64_t> weight_by_sum(const Words& words) {
  std::map<std::int64_t, std::uint64_t> weights;
  for (const auto& [sum, letters, weight] : words) weights[sum] += weight;
  return weights;
}

}  // namespace

TEST_CASE("pwm half lists: up to four lists in one") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (std::size_t count = 0; count <= 4; ++count)
    for (int repeat = 0; repeat < 20; ++repeat) {
      CAPTURE(count);
      std::vector<List> lists;
      for (std::size_t i = 0; i < count; ++i)
        lists.push_back(random_list(random, random() % 4 == 0 ? 0 : random() % 40));
      std::vector<Extended<std::uint64_t>> extended;
      for (std::size_t i = 0; i < count; ++i)
        extended.push_back({.list = &lists[i],
                            .add = static_cast<std::int64_t>(random() % 9) - 4,
                            .factor = 1 + random() % 3,
                            .shift = 2,
                            .letter = i});
      const std::int64_t least = repeat % 2 == 0 ? Joining().least : static_cast<std::int64_t>(random() % 40) - 20;
      const Words expected = expected_words(extended, least);

      const List apart = join(extended, {.weighted = true, .least = least});
      CHECK(std::ranges::is_sorted(apart.sum));
      Words found = words_of(apart);
      std::ranges::sort(found);
      CHECK((found == expected));

      for (const bool lettered : {false, true}) {
        const List merged = join(extended, {.lettered = lettered, .weighted = true, .merges = true, .least = least});
        CHECK((weight_by_sum(words_of(merged)) == weight_by_sum(expected)));
        CHECK(merged.letters.empty() == (!lettered || merged.sum.empty()));
        for (const auto& [sum, letters, weight] : words_of(merged)) {
          const bool is_one = std::ranges::any_of(expected, [&, s = sum, l = letters](const auto& word) {
            return std::get<0>(word) == s && std::get<1>(word) == l;
          });
          CHECK((is_one || !lettered));
        }
      }

      for (List& list : lists) list.weight.clear();
      for (Extended<std::uint64_t>& one : extended) one.factor = 1;
      const List plain = join(extended, {.least = least});
      CHECK(plain.weight.empty());
      found = words_of(plain);
      std::ranges::sort(found);
      CHECK((found == expected_words(extended, least)));
    }
}

TEST_CASE("pwm half lists: letters of one score are one of their common weight") {
  const List list{{-3, 0, 7}, {0, 1, 2}, {1, 2, 3}};
  const auto letter = [&](std::uint64_t x, double score) {
    return Extended<std::uint64_t>{.list = &list, .add = 5, .factor = 2, .shift = 2, .letter = x, .score = score};
  };
  const Joining joining{.weighted = true};
  const List one = join<std::uint64_t>({letter(0, 0.5), letter(2, 0.5), letter(3, 0.5)}, joining);
  CHECK(one.sum == std::vector<std::int64_t>{2, 5, 12});
  CHECK(one.letters == std::vector<std::uint64_t>{0, 4, 8});
  CHECK(one.weight == std::vector<std::uint64_t>{6, 12, 18});
  // Scores that only rounding made equal sums of stay apart.
  const List two = join<std::uint64_t>({letter(0, 0.5), letter(2, 0.25), letter(3, 0.5)}, joining);
  CHECK(two.sum == std::vector<std::int64_t>{2, 2, 5, 5, 12, 12});
  CHECK(two.weight == std::vector<std::uint64_t>{4, 2, 8, 4, 12, 6});
}

namespace {

using genocl::pwm::ScoreMatrix;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::random_matrix;

/// Lists made and counted on the device, however short, against those of the host.
void check_on_device(const genocl::Device& device, const ScoreMatrix& matrix, Random& random) {
  using genocl::pwm::Background;
  using genocl::pwm::FixedPoint;
  using genocl::pwm::WordCount;
  const FixedPoint fixed = genocl::pwm::fixed_point(matrix);
  const WordCount<std::uint64_t> host(matrix, fixed, Background());
  const WordCount<std::uint64_t> there(matrix, fixed, Background(), &device, 0);
  CHECK(there.total() == host.total());
  for (unsigned k = 0; k < 3; ++k) {
    const std::uint64_t rank = random() % host.total();
    const std::int64_t q = host.quantile(rank, true).q;
    CHECK(there.quantile(rank, true).q == q);
    CHECK(there.sum_at_least(q) == host.sum_at_least(q));
    CHECK(there.sum_at_least(q + 1) == host.sum_at_least(q + 1));
    const auto found = there.scores_between(q - 2 * fixed.doubt, q + 2 * fixed.doubt);
    const auto expected = host.scores_between(q - 2 * fixed.doubt, q + 2 * fixed.doubt);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].score == expected[i].score);
      CHECK(found[i].weight == expected[i].weight);
    }
  }
}

}  // namespace

TEST_CASE("tiny: pwm half words and tail counts on the device") {
  Random random(5);
  for (const auto& variant : pwm_test::variants()) {
    CAPTURE(variant.name);
    check_on_device(variant.device, random_matrix(random, 5), random);
  }
}

TEST_CASE("pwm p-values: counted on the device as on the host") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const double never = -std::numeric_limits<double>::infinity();
  for (const auto& variant : pwm_test::drawn_variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {1, 2, 7, 12, 15}) {
      CAPTURE(length);
      check_on_device(variant.device, random_matrix(random, length), random);
      check_on_device(variant.device, random_matrix(random, length, 10), random);
      check_on_device(variant.device, random_matrix(random, length, 1), random);
    }
    check_on_device(
        variant.device,
        ScoreMatrix("never", "", {{1.0, never, 0.5, never}, {0.25, 2.0, never, 0.0}, {never, 3.0, 3.0, 1.0}}), random);
    check_on_device(variant.device, random_matrix(random, 19), random);
  }
}

using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::random_matrix;

TEST_CASE("pwm top halves: every word at or above the bound, once, and no half that is in none") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const double ends_per_beginning : {0.01, 1.0, 100.0}) {
    const ScoreMatrix matrix = random_matrix(random, 8);
    const FixedPoint fixed = fixed_point(matrix);
    const std::int64_t bound = fixed.highest() - (fixed.highest() - fixed.lowest()) / 4;
    const TopHalves<std::uint64_t> halves(matrix, fixed, WordModel<std::uint64_t>(Background(), 8), bound,
                                          ends_per_beginning, 1 << 20);
    std::uint64_t expected = 0, found = 0;
    for (unsigned word = 0; word < 1u << 16; ++word) {
      std::int64_t q = 0;
      for (std::size_t i = 0; i < 8; ++i) q += fixed.columns[i][word >> 2 * i & 3];
      expected += q >= bound ? 1 : 0;
    }
    const std::vector<std::int64_t>&left = halves.left[0].sum, &right = halves.right[0].sum;
    for (const std::int64_t a : left)
      for (const std::int64_t b : right) found += a + b >= bound ? 1 : 0;
    CHECK(found == expected);
    CHECK(left.front() + right.back() >= bound);
    CHECK(left.back() + right.front() >= bound);
    CHECK(std::is_sorted(left.begin(), left.end()));
    CHECK(std::is_sorted(right.begin(), right.end()));
  }
}

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
