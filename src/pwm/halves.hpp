// Words in two halves, that meet in the middle.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "genocl/pwm/background.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "pwm/scores.hpp"

namespace genocl::pwm {

/// What a word weighs: 1 each (then weights are counts), or its probability under a background. The state after some
/// letters is the last `order` of them, the latest in the lowest two bits; all of them while there are fewer.
template <class Weight>
class WordModel {
 public:
  WordModel(const Background& background, std::size_t length);

  unsigned order() const noexcept { return order_; }
  std::size_t states(std::size_t letters) const noexcept {
    return std::size_t{1} << (2 * std::min<std::size_t>(letters, order_));
  }
  std::size_t next(std::size_t letters, std::size_t state, unsigned letter) const noexcept {
    return (state * 4 + letter) & (states(letters + 1) - 1);
  }
  /// What the letter after `letters` others multiplies a word's weight with.
  Weight factor(std::size_t letters, std::size_t state, unsigned letter) const;

 private:
  Background background_;
  unsigned order_ = 0;
  std::size_t length_ = 0;
};

// The letters of a column, those that add the same as one.

struct LetterClasses {
  struct Class {
    std::int64_t add = 0;
    std::uint32_t letter = 0, times = 1;
  };
  std::array<Class, 4> classes{};
  std::uint32_t count = 1;
};

/// Letters of one score are a class, which has the Q of all of them and the name of the first. Those that never occur
/// are in none.
template <class Score>
LetterClasses letter_classes(const std::array<Score, 4>& score, const std::array<std::int64_t, 4>& q) {
  LetterClasses letters;
  letters.count = 0;
  for (std::uint32_t x = 0; x < 4; ++x) {
    if (q[x] == FixedPoint::impossible) continue;
    const auto end = letters.classes.begin() + letters.count;
    const auto same = std::find_if(letters.classes.begin(), end,
                                   [&](const LetterClasses::Class& other) { return score[other.letter] == score[x]; });
    if (same != end)
      ++same->times;
    else
      letters.classes[letters.count++] = {q[x], x, 1};
  }
  return letters;
}

// Words that are put together from their halves, and what words of one score weigh together.

/// Calls use(column, letter) from the first column to the last, the order in which a score is defined as a sum. The
/// last letter of a half is in its lowest two bits.
template <class Use>
void for_each_letter(std::size_t length, std::size_t cut, std::uint64_t left, std::uint64_t right, const Use& use) {
  for (std::size_t i = 0; i < cut; ++i) use(i, static_cast<Code>(left >> 2 * (cut - 1 - i) & 3));
  for (std::size_t i = cut; i < length; ++i) use(i, static_cast<Code>(right >> 2 * (length - 1 - i) & 3));
}

/// Words of one score.
template <class Weight>
struct ScoreGroup {
  double score = 0;
  Weight weight = 0;
};

/// Sorts by ascending keys; those of one key become one, which weighs what all of them do.
template <class Words, class Key>
void add_up_equal(std::vector<Words>& words, const Key& key) {
  std::sort(words.begin(), words.end(), [&](const Words& a, const Words& b) { return key(a) < key(b); });
  std::size_t n = 0;
  for (const Words& one : words) {
    if (n != 0 && key(words[n - 1]) == key(one))
      words[n - 1].weight += one.weight;
    else
      words[n++] = one;
  }
  words.resize(n);
}

// Meeting in the middle: two sorted lists against each other.

/// Calls use(i, j) for each beginning i, in order: with ends[j] and those behind it, and no others, it adds up to at
/// least `bound`. Both lists ascend; the larger the beginning, the smaller the ends that suffice, so two pointers do.
template <class Use>
void walk(std::span<const std::int64_t> beginnings, std::span<const std::int64_t> ends, std::int64_t bound,
          const Use& use) {
  std::size_t j = ends.size();
  for (std::size_t i = 0; i < beginnings.size(); ++i) {
    const std::int64_t rest = bound - beginnings[i];
    while (j > 0 && ends[j - 1] >= rest) --j;
    use(i, j);
  }
}

// Sorted lists of half words, and how those of a letter more are made from them.

/// Half words by ascending sum.
template <class Weight>
struct HalfList {
  std::vector<std::int64_t> sum;
  /// The last letter in the lowest two bits; of one of the words where they are merged. Empty where they are not kept.
  std::vector<std::uint64_t> letters;
  std::vector<Weight> weight;  ///< empty where all are 1

  Weight weight_of(std::size_t i) const { return weight.empty() ? Weight{1} : weight[i]; }
};

/// A list with a letter more: each sum grows by `add`, each weight `factor` times, and letters by `letter`.
template <class Weight>
struct Extended {
  const HalfList<Weight>* list = nullptr;
  std::int64_t add = 0;
  Weight factor = 1;
  unsigned shift = 0;        ///< of the letters there are
  std::uint64_t letter = 0;  ///< at its place
  double score = 0;          ///< of the letter, which may differ where `add` is the same
};

/// What the lists are and become.
struct Joining {
  bool lettered = true;   ///< the letters are kept; always, but where equal sums are merged
  bool weighted = false;  ///< not all weights are 1
  bool merges = false;    ///< equal sums become one, with both weights; only where weighted
  /// Smaller sums are left out. No sum is smaller than the least that can be given, nor as large as its negative.
  std::int64_t least = std::numeric_limits<std::int64_t>::min() / 2;
};

/// All of up to four lists in one. Letters of one list and one score become one letter of their common weight.
template <class Weight>
HalfList<Weight> join(const std::vector<Extended<Weight>>& lists, const Joining& joining);

// Where to cut words in two.

/// Beginnings have the columns before `at`; the longer of both lists has at most `sums` sums.
struct Cut {
  std::size_t at = 0;
  double sums = 0;
};

/// Where the longer of both lists is shortest, first <= at <= last: with letters[i] letters that column i tells apart,
/// and a list of ends, where there are any, for each of `states`.
Cut best_cut(std::span<const double> letters, std::size_t first, std::size_t last, double states = 1);

/// With equal sums merged, and lists for each state of a Markov model of that order.
Cut best_cut(const FixedPoint& matrix, unsigned order);

// Words cut in two: the sums of all beginnings and of all ends, sorted, equal ones merged.

inline constexpr std::int64_t every_word = std::numeric_limits<std::int64_t>::min() / 4;

/// prefix[i][state]: of the first i letters, 0 <= i <= cut, by the state after them. suffix[i - cut][state]: of the
/// letters from i on, cut <= i <= length, by the state before them. All levels are kept: a word of a given sum is found
/// letter by letter by asking whether the rest of it is in the level below.
template <class Weight>
struct HalfWords {
  std::size_t length = 0, cut = 0;
  std::vector<std::vector<HalfList<Weight>>> prefix, suffix;
  /// [state]: as suffix[0], tail[i] = the weights from i on; one more than there are sums.
  std::vector<std::vector<Weight>> tail;
};

/// Halves that cannot be completed to a word of Q >= least are left out.
template <class Weight>
HalfWords<Weight> half_words(const FixedPoint& matrix, const WordModel<Weight>& model, std::size_t cut,
                             std::int64_t least = every_word);

// Halves of the words that reach a bound, with their letters.

/// Beginnings and ends, with their letters, of all words with Q >= bound. Letters of a column that score alike are one,
/// as heavy as they are together; other words stay apart even where their sums are equal, unless the sums are the
/// scores (FixedPoint::doubt is 0). Those that cannot be completed to such a word are left out. Where words are cut
/// depends on how many of these there are: there should be `ends_per_beginning` times as many ends, but not many more
/// than `most_ends`.
template <class Weight>
struct TopHalves {
  std::size_t length = 0, cut = 0;
  std::vector<HalfList<Weight>> left, right;  ///< [state at the cut]

  TopHalves(const ScoreMatrix& matrix, const FixedPoint& fixed, const WordModel<Weight>& model, std::int64_t bound,
            double ends_per_beginning, std::size_t most_ends);
  std::size_t beginnings() const;
  std::size_t ends() const;
};

/// A half has at most so many letters.
inline constexpr std::size_t most_half_letters = 32;

}  // namespace genocl::pwm
