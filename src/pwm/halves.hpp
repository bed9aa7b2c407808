// Sums of all beginnings and of all ends, sorted, equal ones merged.
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

/// Weight of a word: 1 (weights are then counts), or its probability under a background. The state after some letters
/// is the last `order` of them, the latest in the lowest two bits; all of them if there are fewer.
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
  /// Factor of a letter after `letters` others in the weight of a word.
  Weight factor(std::size_t letters, std::size_t state, unsigned letter) const;

 private:
  Background background_;
  unsigned order_ = 0;
  std::size_t length_ = 0;
};

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

/// Calls use(column, letter) from the first column to the last, the order of the sum that defines a score. The last
/// letter of a half is in its lowest two bits.
template <class Use>
void for_each_letter(std::size_t length, std::size_t cut, std::uint64_t left, std::uint64_t right, const Use& use) {
  for (std::size_t i = 0; i < cut; ++i) use(i, static_cast<Code>(left >> 2 * (cut - 1 - i) & 3));
  for (std::size_t i = cut; i < length; ++i) use(i, static_cast<Code>(right >> 2 * (length - 1 - i) & 3));
}

/// The words of one score.
template <class Weight>
struct ScoreGroup {
  double score = 0;
  Weight weight = 0;
};

/// Sorts by ascending keys and merges equal keys, adding their weights.
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

/// Calls use(i, j) for each beginning i, in order: exactly ends[j] and those after it sum with it to at least
/// `bound`. Both lists ascend. The larger the beginning, the smaller the ends that suffice: two pointers,
/// O(beginnings + ends).
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

// Sorted lists of half words, and their extension by a letter.

/// Half words by ascending sum.
template <class Weight>
struct HalfList {
  std::vector<std::int64_t> sum;
  /// The last letter in the lowest two bits; of one of the words if equal sums are merged. Empty if letters are not
  /// kept.
  std::vector<std::uint64_t> letters;
  std::vector<Weight> weight;  ///< empty if all are 1

  Weight weight_of(std::size_t i) const { return weight.empty() ? Weight{1} : weight[i]; }
};

/// A list extended by a letter: adds `add` to each sum, multiplies each weight by `factor`, and appends `letter`.
template <class Weight>
struct Extended {
  const HalfList<Weight>* list = nullptr;
  std::int64_t add = 0;
  Weight factor = 1;
  unsigned shift = 0;        ///< of the existing letters
  std::uint64_t letter = 0;  ///< at its position
  double score = 0;          ///< of the letter; may differ even if `add` is equal
};

/// Properties of the lists and of the result.
struct Joining {
  bool lettered = true;   ///< letters are kept; required unless equal sums are merged
  bool weighted = false;  ///< not all weights are 1
  bool merges = false;    ///< equal sums are merged, with the sum of their weights; only if weighted
  /// Smaller sums are omitted. No sum is below the smallest allowed value, nor as large as its negative.
  std::int64_t least = std::numeric_limits<std::int64_t>::min() / 2;
};

/// Merges up to four lists. Letters of one list with one score become one letter with the sum of their weights.
template <class Weight>
HalfList<Weight> join(const std::vector<Extended<Weight>>& lists, const Joining& joining);

/// A cut: beginnings have the columns before `at`; the longer of both lists has at most `sums` sums.
struct Cut {
  std::size_t at = 0;
  double sums = 0;
};

/// The cut with the shortest longer list, first <= at <= last. Column i distinguishes letters[i] letters; each of
/// `states` has a list of ends, if there are ends.
Cut best_cut(std::span<const double> letters, std::size_t first, std::size_t last, double states = 1);

/// The same for merged equal sums, with lists for each state of a Markov model of this order.
Cut best_cut(const FixedPoint& matrix, unsigned order);

// Words cut in two: the sums of all beginnings and of all ends, sorted, equal ones merged.

inline constexpr std::int64_t every_word = std::numeric_limits<std::int64_t>::min() / 4;

/// prefix[i][state]: of the first i letters, 0 <= i <= cut, by the state after them. suffix[i - cut][state]: of the
/// letters from i on, cut <= i <= length, by the state before them. All levels are kept: a word of a given sum is
/// found letter by letter, by checking whether the level below contains the rest.
template <class Weight>
struct HalfWords {
  std::size_t length = 0, cut = 0;
  std::vector<std::vector<HalfList<Weight>>> prefix, suffix;
  /// [state]: as suffix[0], tail[i] = sum of the weights from i on; one more element than sums.
  std::vector<std::vector<Weight>> tail;
};

/// Halves that cannot be completed to a word of Q >= least are left out.
template <class Weight>
HalfWords<Weight> half_words(const FixedPoint& matrix, const WordModel<Weight>& model, std::size_t cut,
                             std::int64_t least = every_word);

/// Beginnings and ends, with their letters, of all words with Q >= bound. Letters of a column with equal scores
/// become one letter with the sum of their weights. Other words stay separate even if their sums are equal, unless
/// the sums are the scores (FixedPoint::doubt is 0). Halves that cannot be completed to such a word are omitted. The
/// cut depends on their number: about `ends_per_beginning` times as many ends as beginnings, but not many more than
/// `max_ends`.
template <class Weight>
struct TopHalves {
  std::size_t length = 0, cut = 0;
  std::vector<HalfList<Weight>> left, right;  ///< [state at the cut]

  TopHalves(const ScoreMatrix& matrix, const FixedPoint& fixed, const WordModel<Weight>& model, std::int64_t bound,
            double ends_per_beginning, std::size_t max_ends);
  std::size_t beginnings() const;
  std::size_t ends() const;
};

/// Maximum number of letters of a half.
inline constexpr std::size_t max_half_letters = 32;

}  // namespace genocl::pwm
