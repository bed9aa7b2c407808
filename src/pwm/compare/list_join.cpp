#include "pwm/compare/list_join.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "genocl/primitives/scan.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

constexpr const char* file = "pwm/compare/list_join.cl";

/// What begins the words of lists, by those letters.
class Table {
 public:
  Table(const Device& device, std::uint64_t most_runs, bool weighted)
      : weighted_(weighted),
        keys_(device, std::max<std::uint64_t>(1, most_runs)),
        lists_(device, std::max<std::uint64_t>(1, most_runs)),
        counts_(device, weighted ? 1 : std::max<std::uint64_t>(1, most_runs)),
        weights_(device, weighted ? std::max<std::uint64_t>(1, most_runs) : 1) {}

  /// Of the first `runs` runs of lists 0, step, 2 step, ...; `end` is the word behind them.
  void fill(const Device& device, const HitLists& from, const Array<std::uint32_t>& beginnings, std::uint64_t runs,
            std::uint64_t end, std::uint32_t letters, std::uint32_t step) {
    const auto wide = static_cast<std::uint32_t>(std::clamp<int>(static_cast<int>(std::bit_width(runs)) + 1, 8, 26));
    direct_ = 2 * letters <= wide;
    bits_ = direct_ ? 2 * letters : wide;
    ends_ = Array<std::uint32_t>(device, std::size_t{1} << bits_);
    ends_.fill(0);
    runtime::Defines all = defines();
    runtime::launch_items(device, file, "count_runs", all, {.items = runs, .bytes = runs * 20}, from.words_on_device(),
                          from.owners(), from.lengths(), beginnings, ends_, letters, bits_, step, runs);
    primitives::exclusive_scan(device, ends_, ends_);
    const auto launch = [&](const auto& weights, const auto&... sums) {
      runtime::launch_items(device, file, "fill_table", all, {.items = runs, .bytes = runs * 40},
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

/// One collection with the places where its words' beginnings change.
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
  /// What a sum of integers says: each of at most 2^20 terms was rounded to a whole one, after some roundings in
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

  /// The ends of `from`'s words against what begins those of `in`.
  void look_up_ends(const Side& from, const Side& in, std::uint32_t letters, bool rows) {
    const std::uint32_t least = rows ? letters : letters + 1;
    if (from.lists.longest() < least) return;
    table_.fill(device_, in.lists, in.beginnings, in.runs, in.lists.words(), letters, rows ? 1 : 2);
    const auto launch = [&](const auto& table, const auto&... sums) {
      runtime::launch_items(device_, file, "join_ends", defines(rows), {.items = from.runs, .bytes = from.runs * 40},
                            table, from.lists.words_on_device(), from.lists.owners(), from.lists.lengths(),
                            from.beginnings, low_, high_, sums..., letters, least, table_.bits(), column_count_,
                            from.runs, from.lists.words());
    };
    if (weighted_)
      launch(std::tuple_cat(table_.weighted_arguments(), std::tie(scales_on_device_, frequencies_)),
             from.lists.sums(true));
    else
      launch(table_.uniform_arguments());
    keep_best(letters, 0, rows ? 1 : -1, 0, row_count_, 0, column_count_);
  }

  /// Words of `in` that are within those of `from`, but for those that end with them or, for the second collection's,
  /// begin with them.
  void look_up_middles(const Side& from, const Side& in, std::uint32_t letters, bool rows) {
    const std::uint64_t whole = in.lists.whole(letters);
    const std::uint32_t longest = from.lists.longest();
    std::uint32_t begin = rows ? 0 : 1;
    if (whole == 0 || begin + letters >= longest) return;
    table_.fill(device_, in.lists, in.beginnings, whole, in.lists.first_word(letters + 1), letters, rows ? 1 : 2);
    for (; begin + letters < longest; ++begin) {
      const std::uint64_t first = from.lists.first_word(begin + letters + 1), count = from.lists.words() - first;
      const auto launch = [&](const auto& table, const auto&... sums) {
        runtime::launch_items(device_, file, "join_middles", defines(rows), {.items = count, .bytes = count * 20},
                              table, from.lists.words_on_device(), from.lists.owners(), from.lists.lengths(), low_,
                              high_, sums..., letters, begin, table_.bits(), column_count_, first, count);
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
      runtime::launch_items(device_, file, "keep_best", all, {.items = count, .bytes = count * 16}, low_, high_,
                            rows_.lists.lengths(), columns_.lists.lengths(), best_, codes_, probabilities..., letters,
                            shift, by_ends, column_count_, first_row, first_column, pairs, count);
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
  Table table_;
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
