// Distribution of the deficits of words on a grid, column by column.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "pwm/p_value.hpp"
#include "pwm/tail_table.hpp"
#include "runtime/vector_clones.hpp"

namespace genocl::pwm {

std::int64_t largest_deficit(const FixedPoint& fixed) { return fixed.highest() - fixed.lowest(); }

namespace {

/// Shifts and probabilities of the letters of a column.
struct ColumnLoss {
  std::array<std::size_t, 4> shift{};
  std::array<double, 4> factor{};
};

/// to[k] is the sum of factor * from[k - shift] over the letters, k < count.
GENOCL_VECTOR_CLONES void next_sums(const double* from, const ColumnLoss& column, std::size_t count, double* to) {
  const double *const a = from - column.shift[0], *const c = from - column.shift[1], *const g = from - column.shift[2],
                      *const t = from - column.shift[3];
  const auto [of_a, of_c, of_g, of_t] = column.factor;
  for (std::size_t k = 0; k < count; ++k) to[k] = of_a * a[k] + of_c * c[k] + of_g * g[k] + of_t * t[k];
}

/// The same for one letter, which is added.
GENOCL_VECTOR_CLONES void add_sums(const double* from, double factor, std::size_t count, double* to) {
  for (std::size_t k = 0; k < count; ++k) to[k] += factor * from[k];
}

/// A column on a grid of 2^step.
struct GridColumn {
  std::array<std::size_t, 4> shift{};
  std::array<bool, 4> within{};  ///< letters whose deficit is at most the depth
  std::size_t max_shift = 0;
  std::int64_t rest = 0;  ///< the largest rounding of a letter
};

std::vector<GridColumn> grid_columns(const FixedPoint& fixed, std::int64_t depth, unsigned step) {
  std::vector<GridColumn> columns(fixed.columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    GridColumn& column = columns[i];
    const std::int64_t best = *std::ranges::max_element(fixed.columns[i]);
    for (std::size_t x = 0; x < 4; ++x) {
      if (fixed.columns[i][x] == FixedPoint::impossible) continue;
      const std::int64_t deficit = best - fixed.columns[i][x];
      if (deficit > depth) continue;
      column.within[x] = true;
      column.shift[x] = static_cast<std::size_t>(deficit >> step);
      column.max_shift = std::max(column.max_shift, column.shift[x]);
      column.rest = std::max(column.rest, deficit - (static_cast<std::int64_t>(column.shift[x]) << step));
    }
  }
  return columns;
}

/// The distribution of the first columns, while few sums differ: (F, probability), ascending. Sums as next_sums() does,
/// in the same order.
class FirstSums {
 public:
  std::vector<std::pair<std::size_t, double>> sums{{0, 1.0}};

  void add(const GridColumn& column, const std::array<double, 4>& factor, std::size_t size) {
    std::vector<std::pair<std::size_t, double>> next;
    next.reserve(4 * sums.size());
    std::array<std::size_t, 4> place{};
    while (true) {
      std::size_t smallest = size;
      for (std::size_t x = 0; x < 4; ++x)
        if (column.within[x] && place[x] < sums.size())
          smallest = std::min(smallest, sums[place[x]].first + column.shift[x]);
      if (smallest == size) break;
      double sum = 0;
      for (std::size_t x = 0; x < 4; ++x)
        if (column.within[x] && place[x] < sums.size() && sums[place[x]].first + column.shift[x] == smallest)
          sum += factor[x] * sums[place[x]++].second;
      next.emplace_back(smallest, sum);
    }
    sums.swap(next);
  }
};

/// Takes an array of `size` numbers from `memory`, or makes one. Its first `zeros` are 0, the others any.
void make_array(DeficitTable::Memory& memory, std::size_t size, std::size_t zeros, std::vector<double>& array) {
  if (!memory.empty()) {
    array = std::move(memory.back());
    memory.pop_back();
  }
  if (array.size() < size) array = std::vector<double>(size);
  std::fill_n(array.begin(), zeros, 0.0);
}

}  // namespace

DeficitTable::DeficitTable(const FixedPoint& fixed, const Background& background, std::int64_t depth,
                           std::uint64_t cells, Memory& memory)
    : depth_(depth) {
  while (static_cast<std::uint64_t>(depth >> step_) >= cells) ++step_;
  size_ = static_cast<std::size_t>(depth >> step_) + 1;
  const std::size_t length = fixed.columns.size();
  const std::vector<GridColumn> columns = grid_columns(fixed, depth, step_);
  for (const GridColumn& column : columns) {
    slack_ += column.rest;
    begin_ = std::max(begin_, column.max_shift);
  }
  const WordModel<double> model(background, length);
  const auto at = [this](std::vector<double>& array, std::size_t k) { return array.data() + begin_ + k; };
  // [state][begin_ + F], zeros before F = 0. Deficits beyond the depth are dropped. Of F, only the first `used` are
  // valid, and the others are 0.
  std::vector<std::vector<double>> table(1), next;
  make_array(memory, begin_ + size_, begin_, table[0]);
  constexpr std::size_t few = 1024;
  FirstSums first;
  std::size_t begin = 0;
  for (; model.order() == 0 && begin < length && first.sums.size() <= few; ++begin)
    first.add(
        columns[begin],
        {model.factor(begin, 0, 0), model.factor(begin, 0, 1), model.factor(begin, 0, 2), model.factor(begin, 0, 3)},
        size_);
  std::size_t used = first.sums.back().first + 1;
  std::fill_n(at(table[0], 0), used, 0.0);
  for (const auto& [place, sum] : first.sums) *at(table[0], place) = sum;
  for (std::size_t i = begin; i < length; ++i) {
    const std::size_t before = std::exchange(used, std::min(size_, used + columns[i].max_shift));
    for (std::vector<double>& of_state : table) std::fill_n(at(of_state, before), used - before, 0.0);
    while (next.size() < model.states(i + 1)) make_array(memory, begin_ + size_, begin_, next.emplace_back());
    for (; next.size() > model.states(i + 1); next.pop_back()) memory.push_back(std::move(next.back()));
    if (model.order() != 0)
      for (std::vector<double>& of_state : next) std::fill_n(at(of_state, 0), used, 0.0);
    for (std::size_t state = 0; state < table.size(); ++state) {
      ColumnLoss loss{.shift = columns[i].shift, .factor = {}};
      for (unsigned x = 0; x < 4; ++x) loss.factor[x] = columns[i].within[x] ? model.factor(i, state, x) : 0;
      const double* const from = table[state].data() + begin_;
      if (model.order() == 0)
        next_sums(from, loss, used, next[0].data() + begin_);
      else
        for (unsigned x = 0; x < 4; ++x)
          if (columns[i].within[x])
            add_sums(from - loss.shift[x], loss.factor[x], used, next[model.next(i, state, x)].data() + begin_);
    }
    table.swap(next);
  }
  sum_ = std::move(table[0]);
  table.front() = {};
  for (std::size_t state = 1; state < table.size(); ++state)
    for (std::size_t k = 0; k < used; ++k) *at(sum_, k) += *at(table[state], k);
  for (std::size_t k = 1; k < used; ++k) *at(sum_, k) += *at(sum_, k - 1);
  std::fill_n(at(sum_, used), size_ - used, *at(sum_, used - 1));
  for (std::vector<std::vector<double>>* const arrays : {&table, &next})
    for (std::vector<double>& array : *arrays)
      if (!array.empty()) memory.push_back(std::move(array));
  // Rounding of a word's probability as a product, and of sums of positive numbers.
  const std::size_t terms = 12 * length + size_ + 16;
  error_ = static_cast<double>(terms) * std::numeric_limits<double>::epsilon();
}

double DeficitTable::high(std::int64_t deficit) const {
  return deficit < 0 ? 0 : std::min(1.0, at_most(deficit >> step_) * (1 + error_));
}

ReachingDepth depth_reaching(const FixedPoint& fixed, std::span<const Background> backgrounds, double p) {
  constexpr std::uint64_t cells = 8192;
  const std::int64_t all = largest_deficit(fixed);
  DeficitTable::Memory memory;
  std::vector<DeficitTable> tables;
  for (const Background& background : backgrounds) tables.emplace_back(fixed, background, all, cells, memory);
  const std::int64_t width = tables[0].width();
  const auto sure = [&](std::int64_t place) {
    double sum = 0;
    for (const DeficitTable& table : tables) sum += table.low(place * width);
    return sum / static_cast<double>(tables.size());
  };
  std::int64_t low = 0, high = all / width + 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (sure(middle) > p * (1 + 1e-9))
      high = middle;
    else
      low = middle + 1;
  }
  return {std::min(all, low * width), sure(low)};
}

}  // namespace genocl::pwm
