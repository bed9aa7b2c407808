#include "pwm/p_value/many_tails.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "pwm/halves/top_halves.hpp"
#include "pwm/halves/word_scores.hpp"

namespace genocl::pwm {
namespace {

/// An end costs as much to make as so many pairs of a beginning and a score cost to look up.
constexpr double lookups_per_end = 5;
/// Beyond this many the ends do not grow: there are at most four times as many, at 16 bytes or 24, and in the making as
/// much again.
constexpr std::size_t most_ends = std::size_t{1} << 22;
/// Ends that beginnings and scores are looked up in at a time: their sums stay in the second level's cache.
constexpr std::size_t block_ends = std::size_t{1} << 15;
/// Pairs of halves near the scores that are looked at one by one, and words of different scores kept of them.
constexpr std::uint64_t most_near = std::uint64_t{1} << 26;
constexpr std::size_t most_near_kept = std::size_t{1} << 20;

/// Scores which Q cannot tell apart: words with Q >= beyond reach all of them, those with Q < first none.
struct Window {
  std::int64_t first, beyond;
  std::size_t scores_end;  ///< one past its last score; they begin where those of the window before end
};

std::vector<Window> windows_of(const FixedPoint& fixed, std::span<const double> scores) {
  std::vector<Window> windows;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Window one{fixed.maybe_at_least(scores[i]), fixed.surely_at_least(scores[i]), i + 1};
    if (!windows.empty() && (one.first < windows.back().beyond || one.beyond == windows.back().beyond)) {
      windows.back().beyond = one.beyond;
      windows.back().scores_end = i + 1;
    } else {
      windows.push_back(one);
    }
  }
  return windows;
}

/// Words of a window that score the same.
template <class Weight>
struct NearWord {
  std::size_t window;
  double score;
  Weight weight;
};

/// First of a range of sums that is at least so much: places by the highest bits of the sums, a few sums for each.
class PlaceTable {
 public:
  PlaceTable(const std::int64_t* sums, std::size_t size) : sums_(sums), size_(size), least_(sums[0]) {
    const auto range = static_cast<std::uint64_t>(sums[size - 1] - least_);
    const std::size_t places = std::bit_ceil(size / 2 + 1);
    while (range >> shift_ >= places) ++shift_;
    begin_.resize((range >> shift_) + 2);
    std::size_t i = 0;
    for (std::size_t place = 0; place + 1 < begin_.size(); ++place) {
      begin_[place] = static_cast<std::uint32_t>(i);
      while (i < size && static_cast<std::uint64_t>(sums[i] - least_) >> shift_ == place) ++i;
    }
    begin_.back() = static_cast<std::uint32_t>(size);
  }
  std::size_t find(std::int64_t bound) const {
    if (bound <= least_) return 0;
    const std::uint64_t place = static_cast<std::uint64_t>(bound - least_) >> shift_;
    if (place + 1 >= begin_.size()) return size_;
    const std::int64_t *from = sums_ + begin_[place], *to = sums_ + begin_[place + 1];
    if (to - from > 16) {
      from = std::lower_bound(from, to, bound);
    } else {
      while (from < to && *from < bound) ++from;
    }
    return static_cast<std::size_t>(from - sums_);
  }

 private:
  const std::int64_t* sums_;
  std::size_t size_;
  std::int64_t least_;
  unsigned shift_ = 0;
  std::vector<std::uint32_t> begin_;
};

template <class Weight>
class Lookup {
 public:
  Lookup(const ScoreMatrix& matrix, const TopHalves<Weight>& halves, std::span<const Window> windows)
      : matrix_(matrix), halves_(halves), windows_(windows), beyond_(windows.size(), Weight{0}) {}

  /// False where there are too many words in windows.
  bool run() {
    for (std::size_t state = 0; state < halves_.left.size(); ++state)
      if (!halves_.left[state].sum.empty() && !halves_.right[state].sum.empty() && !run(state)) return false;
    add_up_near();
    return true;
  }
  /// [window]: weight of the words beyond it.
  const std::vector<Weight>& beyond() const { return beyond_; }
  /// By window, in each the highest score first.
  const std::vector<NearWord<Weight>>& near() const { return near_; }
  /// Pairs of halves that they were added up from.
  std::uint64_t near_pairs() const { return near_pairs_; }

 private:
  bool run(std::size_t state);
  bool take_near(std::size_t window, const HalfList<Weight>& left, std::size_t i, const HalfList<Weight>& right,
                 std::size_t j);
  void add_up_near();
  double score(std::uint64_t left, std::uint64_t right) const;

  const ScoreMatrix& matrix_;
  const TopHalves<Weight>& halves_;
  std::span<const Window> windows_;
  std::vector<Weight> beyond_;
  std::vector<NearWord<Weight>> near_;
  std::uint64_t near_pairs_ = 0;
};

template <class Weight>
double Lookup<Weight>::score(std::uint64_t left, std::uint64_t right) const {
  double sum = 0;
  for_each_letter(halves_.length, halves_.cut, left, right,
                  [&](std::size_t column, Code letter) { sum += matrix_(column, letter); });
  return sum;
}

template <class Weight>
void Lookup<Weight>::add_up_near() {
  add_up_equal(near_, [](const NearWord<Weight>& word) { return std::pair(word.window, -word.score); });
}

template <class Weight>
bool Lookup<Weight>::take_near(std::size_t window, const HalfList<Weight>& left, std::size_t i,
                               const HalfList<Weight>& right, std::size_t j) {
  if (++near_pairs_ > most_near) return false;
  if (near_.size() == most_near_kept) {
    add_up_near();
    if (near_.size() > most_near_kept / 2) return false;
  }
  near_.push_back({window, score(left.letters[i], right.letters[j]), left.weight_of(i) * right.weight_of(j)});
  return true;
}

// For each beginning the windows, lowest first, need ends of larger and larger sums. All beginnings go on, block of
// ends by block, from the window where they were.
template <class Weight>
bool Lookup<Weight>::run(std::size_t state) {
  const HalfList<Weight>&left = halves_.left[state], &right = halves_.right[state];
  const std::size_t ends = right.sum.size();
  std::vector<Weight> tail;  // [i]: weights from i on; they are a count of ends where all are 1
  if (!right.weight.empty()) {
    tail.assign(ends + 1, Weight{0});
    for (std::size_t i = ends; i-- > 0;) tail[i] = tail[i + 1] + right.weight[i];
  }
  std::vector<std::uint32_t> next_window(left.sum.size(), 0);
  for (std::size_t begin = 0; begin < ends; begin += block_ends) {
    const std::size_t end = std::min(ends, begin + block_ends);
    const PlaceTable places(right.sum.data() + begin, end - begin);
    const std::int64_t largest = right.sum[end - 1];
    for (std::size_t i = left.sum.size(); i-- > 0;) {
      const std::int64_t sum = left.sum[i];
      const Weight weight = left.weight_of(i);
      std::size_t w = next_window[i];
      for (; w < windows_.size(); ++w) {
        const std::int64_t rest = windows_[w].beyond - sum;
        if (rest > largest && end < ends) break;
        const std::int64_t least = windows_[w].first - sum;
        if (least > right.sum[ends - 1]) {  // and so are those above
          w = windows_.size();
          break;
        }
        const std::size_t at = begin + places.find(rest);
        beyond_[w] += weight * (tail.empty() ? static_cast<Weight>(ends - at) : tail[at]);
        for (std::size_t j = at; j > 0 && right.sum[j - 1] >= least; --j)
          if (!take_near(w, left, i, right, j - 1)) return false;
      }
      next_window[i] = static_cast<std::uint32_t>(w);
    }
  }
  return true;
}

}  // namespace

template <class Weight>
std::optional<ManyTails<Weight>> many_tails(const ScoreMatrix& matrix, const FixedPoint& fixed,
                                            const WordModel<Weight>& model, std::span<const double> scores) {
  ManyTails<Weight> result;
  if (scores.empty()) return result;
  if (matrix.length() > 2 * most_half_letters) return std::nullopt;
  const std::vector<Window> windows = windows_of(fixed, scores);
  const TopHalves<Weight> halves(matrix, fixed, model, windows.front().first,
                                 static_cast<double>(windows.size()) / lookups_per_end, most_ends);
  Lookup<Weight> lookup(matrix, halves, windows);
  if (!lookup.run()) return std::nullopt;
  const std::vector<Weight>& beyond = lookup.beyond();
  const std::vector<NearWord<Weight>>& near = lookup.near();
  result.weight.resize(scores.size());
  auto word = near.begin();
  std::size_t first_score = 0;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    Weight sum = beyond[w];
    for (std::size_t i = windows[w].scores_end; i-- > first_score;) {
      for (; word != near.end() && word->window == w && word->score >= scores[i]; ++word) sum += word->weight;
      result.weight[i] = sum;
    }
    while (word != near.end() && word->window == w) ++word;
    first_score = windows[w].scores_end;
  }
  if constexpr (std::is_floating_point_v<Weight>) {
    const std::uint64_t terms = 8 * halves.length + 64 + halves.beginnings() + halves.ends() + lookup.near_pairs();
    result.relative_error = static_cast<double>(terms) * std::numeric_limits<double>::epsilon() / 2;
  }
  return result;
}

template std::optional<ManyTails<std::uint64_t>> many_tails(const ScoreMatrix&, const FixedPoint&,
                                                            const WordModel<std::uint64_t>&, std::span<const double>);
template std::optional<ManyTails<double>> many_tails(const ScoreMatrix&, const FixedPoint&, const WordModel<double>&,
                                                     std::span<const double>);

}  // namespace genocl::pwm
