#include <algorithm>
#include <cmath>
#include <limits>

#include "genocl/error.hpp"
#include "pwm/compare/compare_steps.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {
namespace {

constexpr std::uint32_t longest_word = 31, indexed_letters = 6, piece = 1024;

/// Goes through the words letter by letter and leaves out what cannot reach the threshold any more. The sum grows from
/// the first position to the last, so that it is the very score.
class HitSearch {
 public:
  HitSearch(const Side& side, std::uint64_t most) : matrix_(*side.matrix), threshold_(side.threshold), most_(most) {
    const std::size_t m = matrix_.length();
    best_.assign(m + 1, 0);
    double size = std::isfinite(threshold_) ? std::abs(threshold_) : 0;
    for (std::size_t i = m; i-- > 0;) {
      const auto& column = matrix_.columns()[i];
      best_[i] = best_[i + 1] + *std::ranges::max_element(column);
      double largest = 0;
      for (const double score : column)
        if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
      size += largest;
    }
    // More than what rounding may lose in any order of at most 31 additions of at most `size`.
    slack_ = size * 256 * std::numeric_limits<double>::epsilon();
  }

  bool run() { return extend(0, 0, 0); }
  std::vector<std::uint64_t> words() && { return std::move(words_); }

 private:
  bool extend(std::size_t i, double sum, std::uint64_t word) {
    if (i == matrix_.length()) {
      if (!(sum >= threshold_)) return true;
      if (words_.size() >= most_) return false;
      words_.push_back(word);
      return true;
    }
    for (Code letter = 0; letter < 4; ++letter) {
      const double next = sum + matrix_(i, letter);
      if (next + best_[i + 1] + slack_ >= threshold_ && !extend(i + 1, next, word << 2 | letter)) return false;
    }
    return true;
  }

  const ScoreMatrix& matrix_;
  double threshold_, slack_ = 0;
  std::uint64_t most_;
  std::vector<double> best_;  ///< of the columns from i on
  std::vector<std::uint64_t> words_;
};

}  // namespace

double word_probability(std::uint64_t word, std::uint32_t length, const Background& background) {
  double p = 1;
  for (std::uint32_t i = 0; i < length; ++i) p *= background.frequencies()[word >> (2 * (length - 1 - i)) & 3];
  return p;
}

std::optional<std::vector<std::uint64_t>> hit_words(const Side& side, std::uint64_t most) {
  if (side.matrix->length() > longest_word) return std::nullopt;
  HitSearch search(side, most);
  if (!search.run()) return std::nullopt;
  return std::move(search).words();
}

std::vector<std::uint64_t> turned_words(std::span<const std::uint64_t> words, std::uint32_t length) {
  std::vector<std::uint64_t> turned;
  turned.reserve(words.size());
  for (std::uint64_t word : words) {
    std::uint64_t result = 0;
    for (std::uint32_t i = 0; i < length; ++i, word >>= 2) result = result << 2 | (3 - (word & 3));
    turned.push_back(result);
  }
  std::ranges::sort(turned);
  return turned;
}

double probability_of(std::span<const std::uint64_t> words, std::uint32_t length, const Background& background) {
  double sum = 0;
  for (const std::uint64_t word : words) sum += word_probability(word, length, background);
  return sum;
}

WordLists::WordLists(const Device& device, std::span<const std::vector<std::uint64_t>* const> lists,
                     std::span<const std::uint32_t> lengths, const Background& background)
    : uniform_(background.uniform()) {
  std::uint64_t all = 0;
  for (const auto* list : lists) all += list->size();
  if (all >= std::numeric_limits<std::uint32_t>::max())
    throw CapacityError("lists of the hits to be compared", all * 8, std::uint64_t{8} << 32);
  const std::uint64_t bytes = all * (uniform_ ? 8 : 16);
  runtime::check_capacity(device, "lists of the hits to be compared", all * 8, bytes);
  std::vector<std::uint64_t> words;
  words.reserve(all);
  std::vector<std::uint32_t> index, described;
  std::vector<double> sums;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    const std::vector<std::uint64_t>& list = *lists[l];
    described.insert(described.end(),
                     {static_cast<std::uint32_t>(words.size()), static_cast<std::uint32_t>(list.size()), lengths[l],
                      static_cast<std::uint32_t>(index.size())});
    counts_.push_back(list.size());
    const std::uint32_t indexed = std::min(lengths[l], indexed_letters);
    const std::uint32_t drop = 2 * (lengths[l] - indexed);
    std::size_t at = 0;
    for (std::uint64_t bucket = 0; bucket <= std::uint64_t{1} << (2 * indexed); ++bucket) {
      while (at < list.size() && list[at] >> drop < bucket) ++at;
      index.push_back(static_cast<std::uint32_t>(at));
    }
    index.push_back(static_cast<std::uint32_t>(list.size()));  // of the key behind all words
    words.insert(words.end(), list.begin(), list.end());
    if (uniform_) continue;
    sums.push_back(0);
    for (const std::uint64_t word : list) sums.push_back(sums.back() + word_probability(word, lengths[l], background));
  }
  if (words.empty()) words.push_back(0);
  words_ = Array<std::uint64_t>(device, std::span<const std::uint64_t>(words));
  index_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(index));
  lists_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(described));
  if (uniform_) return;
  sums_ = Array<double>(device, std::span<const double>(sums));
  frequencies_ = Array<double>(device, std::span<const double>(background.frequencies()));
}

WordLists::Joint WordLists::join(const Device& device, std::span<const Task> tasks) const {
  std::vector<std::uint32_t> items, task_of;
  for (std::uint32_t t = 0; t < tasks.size(); ++t)
    for (std::uint64_t hit = 0; hit < counts_[tasks[t].first]; hit += piece) {
      items.insert(items.end(), {tasks[t].first, tasks[t].second, tasks[t].shift, static_cast<std::uint32_t>(hit)});
      task_of.push_back(t);
    }
  Joint joint;
  joint.words.assign(uniform_ ? tasks.size() : 0, 0);
  joint.probability.assign(uniform_ ? 0 : tasks.size(), 0);
  const std::uint64_t count = task_of.size();
  if (count == 0) return joint;
  const Array<std::uint32_t> on_device(device, std::span<const std::uint32_t>(items));
  runtime::Defines defines;
  defines.set("WEIGHTED", uniform_ ? 0 : 1).set("INDEXED", indexed_letters).set("PIECE", piece);
  const std::uint64_t bytes = count * 24;
  if (uniform_) {
    const Array<std::uint64_t> result(device, count);
    runtime::launch_items(device, "pwm/compare/compare_words.cl", "join_words", defines,
                          {.items = count, .bytes = bytes}, words_, index_, lists_, on_device, result, count);
    const std::vector<std::uint64_t> found = result.download();
    for (std::size_t i = 0; i < found.size(); ++i) joint.words[task_of[i]] += found[i];
  } else {
    const Array<double> result(device, count);
    runtime::launch_items(device, "pwm/compare/compare_words.cl", "join_words", defines,
                          {.items = count, .bytes = bytes}, words_, index_, lists_, on_device, result, count, sums_,
                          frequencies_);
    const std::vector<double> found = result.download();
    for (std::size_t i = 0; i < found.size(); ++i) joint.probability[task_of[i]] += found[i];
  }
  return joint;
}

}  // namespace genocl::pwm
