// Lists of half words a letter longer, against all their words sorted.
#include "pwm/halves.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "pwm/cases.hpp"
#include "random.hpp"

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
