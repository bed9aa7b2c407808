// Comparison by lists of hits.

#include "pwm/hit_lists.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "genocl/error.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/scan.hpp"
#include "pwm/compare.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {
namespace {

constexpr std::uint32_t longest_word = 31, indexed_letters = 6, piece = 1024;

/// Enumerates words letter by letter and skips those that cannot reach the threshold. The sum grows from the first
/// position to the last: it is the exact score.
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
    // Exceeds the rounding of at most 31 additions of at most `size`, in any order.
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
  std::vector<double> best_;  ///< best sum of the columns from i on
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
    index.push_back(static_cast<std::uint32_t>(list.size()));  // end of the last key
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
    runtime::launch_items(device, "pwm/compare_words.cl", "join_words", defines, {.items = count, .bytes = bytes},
                          words_, index_, lists_, on_device, result, count);
    const std::vector<std::uint64_t> found = result.download();
    for (std::size_t i = 0; i < found.size(); ++i) joint.words[task_of[i]] += found[i];
  } else {
    const Array<double> result(device, count);
    runtime::launch_items(device, "pwm/compare_words.cl", "join_words", defines, {.items = count, .bytes = bytes},
                          words_, index_, lists_, on_device, result, count, sums_, frequencies_);
    const std::vector<double> found = result.download();
    for (std::size_t i = 0; i < found.size(); ++i) joint.probability[task_of[i]] += found[i];
  }
  return joint;
}

namespace {

std::vector<double> sums_of(std::span<const std::vector<std::uint64_t>* const> lists,
                            std::span<const std::uint32_t> lengths, const Background& background) {
  std::vector<double> sums;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    double sum = 0;
    sums.push_back(sum);
    for (const std::uint64_t word : *lists[l]) sums.push_back(sum += word_probability(word, lengths[l], background));
  }
  return sums;
}

}  // namespace

HitLists::HitLists(const Device& device, std::span<const std::vector<std::uint64_t>* const> lists,
                   std::span<const std::uint32_t> lengths, const Background& background)
    : lengths_of_(lengths.begin(), lengths.end()) {
  firsts_.push_back(0);
  for (const auto* list : lists) firsts_.push_back(firsts_.back() + list->size());
  const std::uint64_t all = firsts_.back();
  runtime::check_capacity(device, "lists of the hits to be compared", all * 8, bytes(all, background.uniform()));
  if (all >= std::numeric_limits<std::uint32_t>::max())
    throw CapacityError("lists of the hits to be compared", all * 8, std::uint64_t{8} << 32);
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> owners, described;
  words.reserve(all);
  owners.reserve(all);
  for (std::size_t l = 0; l < lists.size(); ++l) {
    words.insert(words.end(), lists[l]->begin(), lists[l]->end());
    owners.insert(owners.end(), lists[l]->size(), static_cast<std::uint32_t>(l));
    described.insert(described.end(), {static_cast<std::uint32_t>(firsts_[l]),
                                       static_cast<std::uint32_t>(lists[l]->size()), lengths[l], 0});
  }
  words_ = Array<std::uint64_t>(device, std::span<const std::uint64_t>(words));
  owners_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(owners));
  lengths_ = Array<std::uint32_t>(device, lengths);
  described_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(described));
  if (background.uniform()) return;
  sums_ = Array<double>(device, std::span<const double>(sums_of(lists, lengths, background)));
  // The reverse complement of a word is as probable as the word with the frequencies of complements exchanged.
  turned_sums_ =
      Array<double>(device, std::span<const double>(sums_of(lists, lengths, background.reverse_complement())));
}

std::uint64_t HitLists::first_list(std::uint32_t letters) const {
  return static_cast<std::uint64_t>(std::ranges::lower_bound(lengths_of_, letters) - lengths_of_.begin());
}

std::uint64_t HitLists::mark_runs(const Device& device, std::uint32_t letters, Array<std::uint8_t>& flags,
                                  Array<std::uint32_t>& beginnings) const {
  const std::uint64_t first = first_word(letters), count = words();
  if (first == count) return 0;
  runtime::launch_items(device, "pwm/hit_lists.cl", "mark_runs", {}, {.items = count, .bytes = (count - first) * 13},
                        words_, owners_, lengths_, flags, letters, first, count);
  return primitives::select_indices(device, flags, beginnings);
}

namespace {

constexpr const char* list_join_file = "pwm/list_join.cl";

/// Table of runs, by their first letters.
class RunTable {
 public:
  RunTable(const Device& device, std::uint64_t max_runs, bool weighted)
      : weighted_(weighted),
        keys_(device, std::max<std::uint64_t>(1, max_runs)),
        lists_(device, std::max<std::uint64_t>(1, max_runs)),
        counts_(device, weighted ? 1 : std::max<std::uint64_t>(1, max_runs)),
        weights_(device, weighted ? std::max<std::uint64_t>(1, max_runs) : 1) {}

  /// The first `runs` runs of lists 0, step, 2 step, ...; `end` is the word after them.
  void fill(const Device& device, const HitLists& from, const Array<std::uint32_t>& beginnings, std::uint64_t runs,
            std::uint64_t end, std::uint32_t letters, std::uint32_t step) {
    const auto wide = static_cast<std::uint32_t>(std::clamp<int>(static_cast<int>(std::bit_width(runs)) + 1, 8, 26));
    direct_ = 2 * letters <= wide;
    bits_ = direct_ ? 2 * letters : wide;
    ends_ = Array<std::uint32_t>(device, std::size_t{1} << bits_);
    ends_.fill(0);
    runtime::Defines all = defines();
    runtime::launch_items(device, list_join_file, "count_runs", all, {.items = runs, .bytes = runs * 20},
                          from.words_on_device(), from.owners(), from.lengths(), beginnings, ends_, letters, bits_,
                          step, runs);
    primitives::exclusive_scan(device, ends_, ends_);
    const auto launch = [&](const auto& weights, const auto&... sums) {
      runtime::launch_items(device, list_join_file, "fill_table", all, {.items = runs, .bytes = runs * 40},
                            from.words_on_device(), from.owners(), from.lengths(), beginnings, ends_, keys_, lists_,
                            weights, sums..., letters, bits_, step, runs, end);
    };
    if (weighted_)
      launch(weights_, from.sums(false));
    else
      launch(counts_);
  }

  runtime::Defines defines() const {
    runtime::Defines all;
    all.set("WEIGHTED", weighted_ ? 1 : 0).set("DIRECT", direct_ ? 1 : 0);
    return all;
  }
  auto uniform_arguments() const { return std::tie(ends_, keys_, lists_, counts_); }
  auto weighted_arguments() const { return std::tie(ends_, keys_, lists_, weights_); }
  std::uint32_t bits() const { return bits_; }

 private:
  bool weighted_, direct_ = true;
  std::uint32_t bits_ = 0;
  Array<std::uint32_t> ends_;
  Array<std::uint64_t> keys_;
  Array<std::uint32_t> lists_, counts_;
  Array<double> weights_;
};

/// One collection and the begins of its runs.
struct Side {
  const HitLists& lists;
  Array<std::uint8_t> flags;
  Array<std::uint32_t> beginnings;
  std::uint64_t runs = 0;

  Side(const Device& device, const HitLists& of)
      : lists(of), flags(device, of.words()), beginnings(device, of.words()) {}
};

class Join {
 public:
  Join(const Device& device, const HitLists& rows, const HitLists& columns, std::span<const double> row_p,
       std::span<const double> column_p, const Background& background)
      : device_(device),
        weighted_(!background.uniform()),
        row_count_(rows.lists() / 2),
        column_count_(columns.lists()),
        rows_(device, rows),
        columns_(device, columns),
        table_(device, std::max(rows.words(), columns.words()), weighted_),
        low_(device, row_count_ * column_count_),
        high_(device, row_count_ * column_count_),
        best_(device, row_count_ * column_count_ / 2),
        codes_(device, row_count_ * column_count_ / 2) {
    low_.fill(0);
    high_.fill(0);
    codes_.fill(0);
    for (const double p : row_p) scales_.push_back(std::ldexp(1.0, 62 - (p > 0 ? std::ilogb(p) + 1 : 0)));
    if (!weighted_) return;
    scales_on_device_ = Array<double>(device, std::span<const double>(scales_));
    row_p_ = Array<double>(device, row_p);
    column_p_ = Array<double>(device, column_p);
    frequencies_ = Array<double>(device, std::span<const double>(background.frequencies()));
  }

  void run() {
    const std::uint32_t most = std::min(rows_.lists.longest(), columns_.lists.longest());
    for (std::uint32_t letters = 1; letters <= most; ++letters) {
      for (Side* side : {&rows_, &columns_})
        side->runs = side->lists.mark_runs(device_, letters, side->flags, side->beginnings);
      if (rows_.runs == 0 || columns_.runs == 0) continue;
      look_up_ends(rows_, columns_, letters, true);
      look_up_ends(columns_, rows_, letters, false);
      look_up_middles(rows_, columns_, letters, true);
      look_up_middles(columns_, rows_, letters, false);
    }
  }

  std::vector<JoinedPair> pairs() const {
    const std::vector<std::uint64_t> best = best_.download();
    const std::vector<std::uint32_t> codes = codes_.download();
    std::vector<JoinedPair> pairs(best.size());
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (codes[i] == 0) continue;
      pairs[i].any = true;
      pairs[i].reverse = (codes[i] >> 9 & 1) != 0;
      pairs[i].shift = static_cast<int>(codes[i] & 511) - 256;
      if (weighted_)
        pairs[i].both = weighed(best[i], scales_[i / (column_count_ / 2)]);
      else
        pairs[i].words = best[i];
    }
    return pairs;
  }

 private:
  /// Bounds from a sum of integers: each of at most 2^20 terms was rounded to an integer, after some roundings in
  /// double.
  static PValue weighed(std::uint64_t sum, double scale) {
    const double value = static_cast<double>(sum), error = value * 1e-12 + (1 << 20);
    return {std::max(0.0, value - error) / scale, (value + error) / scale, true, std::nullopt};
  }

  runtime::Defines defines(bool rows_look_up) const {
    runtime::Defines all = table_.defines();
    all.set("ROWS_LOOK_UP", rows_look_up ? 1 : 0);
    return all;
  }

  /// Joins the ends of `from`'s words with the begins of `in`'s words.
  void look_up_ends(const Side& from, const Side& in, std::uint32_t letters, bool rows) {
    const std::uint32_t least = rows ? letters : letters + 1;
    if (from.lists.longest() < least) return;
    table_.fill(device_, in.lists, in.beginnings, in.runs, in.lists.words(), letters, rows ? 1 : 2);
    const auto launch = [&](const auto& table, const auto&... sums) {
      runtime::launch_items(device_, list_join_file, "join_ends", defines(rows),
                            {.items = from.runs, .bytes = from.runs * 40}, table, from.lists.words_on_device(),
                            from.lists.owners(), from.lists.lengths(), from.beginnings, low_, high_, sums..., letters,
                            least, table_.bits(), column_count_, from.runs, from.lists.words());
    };
    if (weighted_)
      launch(std::tuple_cat(table_.weighted_arguments(), std::tie(scales_on_device_, frequencies_)),
             from.lists.sums(true));
    else
      launch(table_.uniform_arguments());
    keep_best(letters, 0, rows ? 1 : -1, 0, row_count_, 0, column_count_);
  }

  /// Words of `in` inside words of `from`, except those at their end or, for the words of the second collection, at
  /// their begin.
  void look_up_middles(const Side& from, const Side& in, std::uint32_t letters, bool rows) {
    const std::uint64_t whole = in.lists.whole(letters);
    const std::uint32_t longest = from.lists.longest();
    std::uint32_t begin = rows ? 0 : 1;
    if (whole == 0 || begin + letters >= longest) return;
    table_.fill(device_, in.lists, in.beginnings, whole, in.lists.first_word(letters + 1), letters, rows ? 1 : 2);
    for (; begin + letters < longest; ++begin) {
      const std::uint64_t first = from.lists.first_word(begin + letters + 1), count = from.lists.words() - first;
      const auto launch = [&](const auto& table, const auto&... sums) {
        runtime::launch_items(device_, list_join_file, "join_middles", defines(rows),
                              {.items = count, .bytes = count * 20}, table, from.lists.words_on_device(),
                              from.lists.owners(), from.lists.lengths(), low_, high_, sums..., letters, begin,
                              table_.bits(), column_count_, first, count);
      };
      if (weighted_)
        launch(std::tuple_cat(table_.weighted_arguments(), std::tie(scales_on_device_, frequencies_)),
               from.lists.sums(false));
      else
        launch(table_.uniform_arguments());
      const std::uint64_t whole_begin = in.lists.first_list(letters), whole_end = in.lists.first_list(letters + 1);
      const std::uint64_t from_begin = from.lists.first_list(begin + letters + 1);
      if (rows)
        keep_best(letters, static_cast<int>(begin), 0, from_begin / 2, row_count_, whole_begin, whole_end);
      else
        keep_best(letters, -static_cast<int>(begin), 0, whole_begin / 2, whole_end / 2, from_begin, column_count_);
    }
  }

  void keep_best(std::uint32_t letters, int shift, int by_ends, std::uint64_t first_row, std::uint64_t last_row,
                 std::uint64_t first_column, std::uint64_t last_column) {
    const std::uint64_t pairs = (last_column - first_column) / 2, count = (last_row - first_row) * pairs;
    if (count == 0) return;
    runtime::Defines all;
    all.set("WEIGHTED", weighted_ ? 1 : 0);
    const auto launch = [&](const auto&... probabilities) {
      runtime::launch_items(device_, list_join_file, "keep_best", all, {.items = count, .bytes = count * 16}, low_,
                            high_, rows_.lists.lengths(), columns_.lists.lengths(), best_, codes_, probabilities...,
                            letters, shift, by_ends, column_count_, first_row, first_column, pairs, count);
    };
    if (weighted_)
      launch(row_p_, column_p_, scales_on_device_);
    else
      launch();
  }

  const Device& device_;
  bool weighted_;
  std::uint64_t row_count_, column_count_;
  Side rows_, columns_;
  RunTable table_;
  Array<std::uint32_t> low_, high_;
  Array<std::uint64_t> best_;
  Array<std::uint32_t> codes_;
  std::vector<double> scales_;
  Array<double> scales_on_device_, row_p_, column_p_, frequencies_;
};

}  // namespace

std::vector<JoinedPair> join_lists(const Device& device, const HitLists& rows, const HitLists& columns,
                                   std::span<const double> row_p, std::span<const double> column_p,
                                   const Background& background) {
  if (rows.lists() == 0 || columns.lists() == 0) return {};
  if (rows.words() == 0 || columns.words() == 0) return std::vector<JoinedPair>(rows.lists() / 2 * columns.lists() / 2);
  Join join(device, rows, columns, row_p, column_p, background);
  join.run();
  return join.pairs();
}

}  // namespace genocl::pwm
