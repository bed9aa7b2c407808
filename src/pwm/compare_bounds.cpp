// Bounds for matrices whose hits are too many to be listed.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "genocl/opencl.hpp"
#include "genocl/primitives/sort.hpp"
#include "primitives/sort_replacing.hpp"
#include "pwm/compare_long.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {
namespace {

double single(const Losses& losses, std::uint32_t bins, const std::array<double, 4>& frequencies) {
  std::vector<double> before(bins);
  before[0] = 1;
  for (const auto& column : losses) add_losses(before, column, frequencies);
  return std::accumulate(before.begin(), before.end(), 0.0);
}

/// P of at most the last bin in both directions.
double joint(const Device& device, const Losses& first, const Losses& second, int shift,
             const std::array<double, 4>& frequencies, std::uint32_t bins) {
  const std::uint32_t columns = union_length(first.size(), second.size(), shift);
  const std::size_t first_begin = shift < 0 ? static_cast<std::size_t>(-shift) : 0;
  const std::size_t second_begin = shift > 0 ? static_cast<std::size_t>(shift) : 0;
  const std::uint64_t cells = std::uint64_t{bins} * bins;
  std::vector<float> start(cells), letters;
  start[0] = 1;
  for (const double frequency : frequencies) letters.push_back(static_cast<float>(frequency));
  Array<float> before(device, std::span<const float>(start)), after(device, cells);
  const Array<float> on_device(device, std::span<const float>(letters));
  // A CPU worker processes rows; work-items of a group have one bin each.
  const std::uint32_t segment = runtime::uses_cpu_kernels(device) ? 512 : 1;
  const auto segments = static_cast<std::uint32_t>(runtime::ceil_div(bins, segment));
  const std::uint64_t items = std::uint64_t{bins} * segments;
  runtime::Defines defines;
  defines.set("SEGMENT", segment);
  for (std::size_t i = 0; i < columns; ++i) {
    std::vector<std::uint32_t> added(8, 0);
    for (std::size_t letter = 0; letter < 4; ++letter) {
      if (i >= first_begin && i < first_begin + first.size()) added[letter] = first[i - first_begin][letter];
      if (i >= second_begin && i < second_begin + second.size()) added[4 + letter] = second[i - second_begin][letter];
    }
    const Array<std::uint32_t> steps(device, std::span<const std::uint32_t>(added));
    runtime::launch_items(device, "pwm/compare_bounds.cl", "add_column", defines, {.items = items, .bytes = cells * 20},
                          before, after, steps, on_device, bins, segments, items);
    std::swap(before, after);
  }
  const std::vector<float> last = before.download();
  return std::accumulate(last.begin(), last.end(), 0.0);
}

/// Relative error due to float frequencies and four roundings for each column.
double float_error(std::uint32_t columns) { return 6.0e-7 * (columns + 1); }

}  // namespace

PValue bound_single(const Side& side, const Background& background) {
  constexpr std::uint32_t bins = 1u << 16;
  const RoundedLosses losses = rounded_losses(side, bins);
  if (losses.all) return {1, 1, true, std::nullopt};
  if (losses.none) return {0, 0, true, std::nullopt};
  constexpr double error = 2e-11;  // of sums in double, of all bins, and four for each column
  return {std::max(0.0, single(losses.up, bins, background.frequencies()) * (1 - error)),
          std::min(1.0, single(losses.down, bins, background.frequencies()) * (1 + error)), false, std::nullopt};
}

PValue bound_joint(const Device& device, const Side& first, const Side& second, int shift, const Background& background,
                   std::uint32_t bins) {
  RoundedLosses a = rounded_losses(first, bins), b = rounded_losses(second, bins);
  if (a.none || b.none) return {0, 0, true, std::nullopt};
  if (a.all) return bound_single(second, background);
  if (b.all) return bound_single(first, background);
  const double error = float_error(union_length(a.down.size(), b.down.size(), shift));
  const double low = joint(device, a.up, b.up, shift, background.frequencies(), bins);
  const double high = joint(device, a.down, b.down, shift, background.frequencies(), bins);
  return {std::max(0.0, low * (1 - error)), std::min(1.0, high * (1 + error) + lost_floats), false, std::nullopt};
}

void add_losses(std::vector<double>& distribution, const std::array<std::uint32_t, 4>& column,
                const std::array<double, 4>& frequencies) {
  const std::vector<double> before = distribution;
  std::ranges::fill(distribution, 0.0);
  for (std::size_t letter = 0; letter < 4; ++letter)
    for (std::size_t bin = column[letter]; bin < before.size(); ++bin)
      distribution[bin] += frequencies[letter] * before[bin - column[letter]];
}

RoundedLosses rounded_losses(const Side& side, std::uint32_t bins) {
  const ScoreMatrix& matrix = *side.matrix;
  RoundedLosses losses;
  losses.all = side.threshold == -std::numeric_limits<double>::infinity();
  if (losses.all) {
    losses.down.assign(matrix.length(), {0, 0, 0, 0});
    losses.up = losses.down;
    return losses;
  }
  double size = std::abs(side.threshold);
  double best = 0;
  for (const auto& column : matrix.columns()) {
    best += *std::ranges::max_element(column);
    double largest = 0;
    for (const double score : column)
      if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
    size += largest;
  }
  // A score is a sum in double: exceeds its rounding.
  const double slack = size * 512 * std::numeric_limits<double>::epsilon();
  const double max_loss = best - side.threshold;
  losses.none = !(max_loss + slack >= 0);
  if (losses.none) {
    losses.down.assign(matrix.length(), {no_hit, no_hit, no_hit, no_hit});
    losses.up = losses.down;
    return losses;
  }
  // Losses up to `max_loss` + slack rounded down, and up to `max_loss` - slack rounded up, are within the bins.
  const double step_down = std::max(max_loss + slack, slack) / (bins - 1) * (1 + 1e-12);
  const double step_up = (max_loss - slack) / (bins - 1) * (1 - 1e-12);
  for (const auto& column : matrix.columns()) {
    const double top = *std::ranges::max_element(column);
    std::array<std::uint32_t, 4> down{}, up{};
    for (std::size_t letter = 0; letter < 4; ++letter) {
      const double loss = top - column[letter];
      const double most = static_cast<double>(bins);
      const auto bin = [&](double value) { return value < most ? static_cast<std::uint32_t>(value) : no_hit; };
      down[letter] = loss == 0 ? 0 : std::isfinite(loss) && step_down > 0 ? bin(std::floor(loss / step_down)) : no_hit;
      up[letter] = loss == 0 ? 0 : std::isfinite(loss) && step_up > 0 ? bin(std::ceil(loss / step_up)) : no_hit;
    }
    losses.down.push_back(down);
    losses.up.push_back(up);
  }
  // If the best word is nearer to the threshold than rounding, no word is certainly a hit.
  if (!(max_loss - slack >= 0)) losses.up.assign(matrix.length(), {no_hit, no_hit, no_hit, no_hit});
  return losses;
}

std::vector<Window> shared_windows(std::uint32_t m, std::uint32_t n) {
  std::vector<Window> windows;
  for (int at = 1 - static_cast<int>(n); at < static_cast<int>(m); ++at)
    windows.emplace_back(std::max(0, at), std::min(static_cast<int>(m), at + static_cast<int>(n)));
  return windows;
}

OtherTails::OtherTails(const Losses& losses, std::span<const Window> windows, const Background& background,
                       std::uint32_t bins, bool round_up) {
  const auto m = static_cast<std::uint32_t>(losses.size());
  std::map<std::uint32_t, std::vector<std::uint32_t>> ends;  // [first column]: ends of the windows
  for (const Window& window : windows)
    if (numbers_.emplace(window, 0).second) ends[window.first].push_back(window.second);
  constexpr double error = 1e-11;  // of sums in double: of four terms a column, and of all bins
  std::vector<double> before(bins, 0.0);
  before[0] = 1;
  std::uint32_t reached = 0;
  for (auto& [begin, of_begin] : ends) {
    for (; reached < begin; ++reached) add_losses(before, losses[reached], background.frequencies());
    std::vector<double> others = before;
    std::uint32_t from = m;
    std::ranges::sort(of_begin, std::greater<>());
    for (const std::uint32_t end : of_begin) {
      for (; from > end; --from) add_losses(others, losses[from - 1], background.frequencies());
      numbers_[{begin, end}] = static_cast<std::uint32_t>(tails_.size() / bins);
      double sum = 0;
      for (const double p : others) {
        sum += p;
        const double units = sum * (round_up ? 1 + error : 1 - error) / unit;
        tails_.push_back(
            static_cast<std::uint32_t>(round_up ? std::ceil(std::min(units, 1 / unit)) : std::floor(units)));
      }
    }
  }
}

LongSides::LongSides(const Device& device, std::span<const Side> sides, std::span<const std::uint32_t> other_lengths,
                     const Background& background, std::uint32_t bins)
    : bins_(bins), sides_(sides.size()) {
  for (const bool below : {false, true}) {
    std::vector<std::vector<std::uint32_t>> tails_of(sides.size());
    std::vector<Losses> losses_of(sides.size());
    runtime::parallel_for(sides.size(), runtime::threads_for(sides.size(), 1), [&](std::size_t i) {
      const RoundedLosses rounded = rounded_losses(sides[i], bins);
      losses_of[i] = below ? rounded.up : rounded.down;
      std::set<Window> windows;
      for (const std::uint32_t length : other_lengths)
        for (const Window& window : shared_windows(static_cast<std::uint32_t>(losses_of[i].size()), length))
          windows.insert(window);
      const std::vector<Window> all(windows.begin(), windows.end());
      const OtherTails others(losses_of[i], all, background, bins, !below);
      for (const Window& window : all) sides_[i].windows[window] = others.number(window);
      tails_of[i].assign(others.tails().begin(), others.tails().end());
    });
    std::vector<std::uint32_t> losses, tails;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      One& one = sides_[i];
      one.length = static_cast<std::uint32_t>(losses_of[i].size());
      one.losses = static_cast<std::uint32_t>(losses.size());
      one.tails = static_cast<std::uint32_t>(tails.size());
      for (const auto& column : losses_of[i]) losses.insert(losses.end(), column.begin(), column.end());
      for (std::size_t column = one.length; column-- > 0;)
        losses.insert(losses.end(), losses_of[i][column].rbegin(), losses_of[i][column].rend());
      tails.insert(tails.end(), tails_of[i].begin(), tails_of[i].end());
    }
    losses_[below ? 1 : 0] = Array<std::uint32_t>(device, std::span<const std::uint32_t>(losses));
    tails_[below ? 1 : 0] = Array<std::uint32_t>(device, std::span<const std::uint32_t>(tails));
  }
}

std::uint32_t LongSides::longest() const {
  std::uint32_t longest = 0;
  for (const One& one : sides_) longest = std::max(longest, one.length);
  return longest;
}

namespace {

constexpr std::uint32_t grid = 256, fine = pair_bins / grid;

void launch(const Device& device, const Array<std::uint32_t>& tasks, std::uint32_t count, const LongSides& a,
            const LongSides& b, bool below, const cl_float4& frequencies, const Array<float>& results) {
  runtime::Defines defines;
  defines.set("GRID", grid).set("FINE", fine).set("BELOW", below ? 1 : 0);
  constexpr std::uint64_t grid_bytes = std::uint64_t{2} * grid * grid * 4;
  const auto arguments = [&](runtime::Kernel& kernel, const cl::Buffer& grids, const auto&... more) {
    kernel.args(tasks, a.losses(below), b.losses(below), a.tails(below), b.tails(below), frequencies, grids, results,
                pair_bins - 1, count, more...);
  };
  const std::uint64_t bytes = count * std::uint64_t{64};
  if (runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, count, 1, 1);
    const runtime::Scratch grids(device, shares.workers * grid_bytes);
    defines.set("ONLY_CPU", 1);
    runtime::Kernel kernel(device, "pwm/long_pairs_cpu.cl", "join_pairs_cpu", defines);
    arguments(kernel, grids.buffer(), static_cast<std::uint32_t>(shares.share));
    kernel.run(shares.workers, 1, bytes);
    return;
  }
  const unsigned size = runtime::group_size(device);
  const std::size_t groups = std::min<std::size_t>(count, runtime::groups_that_fill(device));
  const runtime::Scratch grids(device, groups * grid_bytes);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  runtime::Kernel kernel(device, "pwm/long_pairs_gpu.cl", "join_pairs_gpu", defines);
  arguments(kernel, grids.buffer());
  kernel.run(groups, size, bytes);
}

}  // namespace

std::vector<std::vector<PValue>> join_pairs(const Device& device, const LongSides& a, std::size_t row,
                                            const LongSides& b, const Background& background) {
  const auto m = static_cast<int>(a.length(row));
  std::vector<std::uint32_t> tasks;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const auto n = static_cast<int>(b.length(j));
    for (int shift = 1 - n; shift < m; ++shift) {
      const auto begin = static_cast<std::uint32_t>(std::max(0, shift));
      const auto end = static_cast<std::uint32_t>(std::min(m, shift + n));
      const auto begin_b = static_cast<std::uint32_t>(std::max(0, -shift));
      tasks.insert(tasks.end(), {a.losses_at(row, begin), b.losses_at(j, begin_b), a.tails_at(row, {begin, end}),
                                 b.tails_at(j, {begin_b, begin_b + end - begin}), end - begin, 0, 0, 0});
    }
  }
  const auto count = static_cast<std::uint32_t>(tasks.size() / 8);
  std::vector<std::vector<PValue>> pairs(b.size());
  if (count == 0) return pairs;
  const Array<std::uint32_t> tasks_there(device, std::span<const std::uint32_t>(tasks));
  const Array<float> results(device, count);
  cl_float4 frequencies;
  for (std::size_t letter = 0; letter < 4; ++letter)
    frequencies.s[letter] = static_cast<float>(background.frequencies()[letter]);
  std::vector<float> bounds[2];
  for (const bool below : {false, true}) {
    launch(device, tasks_there, count, a, b, below, frequencies, results);
    bounds[below ? 1 : 0] = results.download();
  }
  std::size_t task = 0;
  for (std::size_t j = 0; j < b.size(); ++j)
    for (std::uint32_t shifts = a.length(row) + b.length(j) - 1; shifts-- > 0; ++task) {
      // Float frequencies, four roundings for each column, and sums of at most 256 rows and 256 cells of each.
      const double error = 6e-7 * (tasks[8 * task + 4] + 1) + 4e-5;
      pairs[j].push_back({std::max(0.0, bounds[1][task] * (1 - error)),
                          std::min(1.0, bounds[0][task] * (1 + error) + lost_floats), false, std::nullopt});
    }
  return pairs;
}

namespace {

constexpr const char* long_words_file = "pwm/long_words.cl";
constexpr std::uint32_t bins = 1u << 12;

std::vector<std::uint32_t> lengths_of(const HitLists& lists) {
  std::vector<std::uint32_t> lengths;
  for (std::uint64_t list = 0; list < lists.lists(); ++list)
    if (list == 0 || lists.length(list) != lengths.back()) lengths.push_back(lists.length(list));
  return lengths;
}

/// Some matrices and all lists.
class Group {
 public:
  Group(const Device& device, const HitLists& lists, std::uint32_t step, std::uint64_t stride,
        std::span<const Side> matrices, const Background& background)
      : device_(device),
        lists_(lists),
        step_(step),
        stride_(static_cast<std::uint32_t>(stride)),
        of_matrix_((lists.lists() + step - 1) / step * stride),
        weighted_(!background.uniform()),
        piece_(runtime::uses_cpu_kernels(device) ? 1u << 14 : 1u << 10),
        sides_(device, matrices, lengths_of(lists), background, bins),
        flags_(device, lists.words()),
        beginnings_(device, lists.words()),
        below_(matrices.size() * of_matrix_),
        low_(device, 2 * below_),
        high_(device, 2 * below_) {
    low_.fill(0);
    high_.fill(0);
  }

  void run() {
    const std::uint32_t most = std::min(sides_.longest(), lists_.longest());
    for (std::uint32_t letters = 1; letters <= most; ++letters) {
      const std::uint64_t runs = lists_.mark_runs(device_, letters, flags_, beginnings_);
      look(letters, runs, lists_.words(), looks_at_ends(letters));
      look(letters, lists_.whole(letters), lists_.first_word(letters + 1), looks_inside(letters));
    }
    look_inside_lists();
  }

  /// [from above, from below][matrix][target][place]
  std::vector<std::uint64_t> units() const {
    const std::vector<std::uint32_t> low = low_.download(), high = high_.download();
    std::vector<std::uint64_t> units(low.size());
    for (std::size_t i = 0; i < low.size(); ++i) units[i] = std::uint64_t{high[i]} << 32 | low[i];
    return units;
  }

 private:
  using Looks = std::vector<std::uint32_t>;

  void add(Looks& looks, std::size_t matrix, std::uint32_t column, const Window& window, bool turned,
           std::uint32_t place) const {
    looks.insert(looks.end(), {sides_.losses_at(matrix, column, turned), sides_.tails_at(matrix, window),
                               static_cast<std::uint32_t>(matrix * of_matrix_), turned ? 1u : 0u, place, 0, 0, 0});
  }

  /// The overlap is the end of the matrix and the begin of the list's words, or the reverse.
  Looks looks_at_ends(std::uint32_t letters) const {
    Looks looks;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const std::uint32_t m = sides_.length(i);
      if (m < letters) continue;
      add(looks, i, m - letters, {m - letters, m}, false, letters - 1);
      add(looks, i, m - letters, {0, letters}, true, m - 1);
    }
    return looks;
  }

  /// The overlap is the whole word of the list and does not reach the end of the matrix.
  Looks looks_inside(std::uint32_t letters) const {
    Looks looks;
    for (std::size_t i = 0; i < sides_.size() && lists_.whole(letters) > 0; ++i)
      for (std::uint32_t begin = 0; begin + letters < sides_.length(i); ++begin)
        add(looks, i, begin, {begin, begin + letters}, false, sides_.length(i) - 1 - begin);
    return looks;
  }

  /// `looks` at the first `runs` runs; `end` is the word after them.
  void look(std::uint32_t letters, std::uint64_t runs, std::uint64_t end, const Looks& looks) {
    if (runs == 0 || looks.empty()) return;
    Array<std::uint64_t> keys(device_, runs);
    Array<std::uint32_t> order(device_, runs);
    runtime::launch_items(device_, "pwm/hit_lists.cl", "list_runs", {}, {.items = runs, .bytes = runs * 32},
                          lists_.words_on_device(), lists_.owners(), lists_.lengths(), beginnings_, keys, order,
                          letters, runs);
    primitives::sort_replacing(device_, keys, order, {.first_bit = 0, .last_bit = 2 * letters});
    const Array<std::uint32_t> looks_there(device_, std::span<const std::uint32_t>(looks));
    const std::uint64_t pieces = runtime::ceil_div(runs, piece_), count = looks.size() / 8 * pieces;
    const auto launch = [&](const auto&... sums) {
      runtime::launch_items(
          device_, long_words_file, "join_runs", defines(), {.items = count, .bytes = count * piece_ * 8, .least = 4},
          keys, order, lists_.owners(), lists_.lengths(), beginnings_, looks_there, sides_.losses(false),
          sides_.losses(true), sides_.tails(false), sides_.tails(true), low_, high_, sums..., letters, bins - 1, step_,
          stride_, below_, static_cast<std::uint32_t>(runs), static_cast<std::uint32_t>(end), pieces, count);
    };
    if (weighted_)
      launch(lists_.sums(false), lists_.sums(true));
    else
      launch();
  }

  /// The overlap is the whole matrix; the words of the list extend beyond both ends.
  void look_inside_lists() {
    std::vector<std::uint32_t> tasks, items;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const std::uint32_t m = sides_.length(i);
      for (std::uint64_t list = runtime::round_up(lists_.first_list(m + 2), step_); list < lists_.lists();
           list += step_) {
        for (std::uint64_t word = 0; word < lists_.words(list); word += piece_)
          items.insert(items.end(), {static_cast<std::uint32_t>(tasks.size() / 4), static_cast<std::uint32_t>(word)});
        tasks.insert(tasks.end(), {static_cast<std::uint32_t>(list), sides_.losses_at(i, 0),
                                   static_cast<std::uint32_t>(i * of_matrix_ + list / step_ * stride_ + m), m});
      }
    }
    const std::uint64_t count = items.size() / 2;
    if (count == 0) return;
    const Array<std::uint32_t> tasks_there(device_, std::span<const std::uint32_t>(tasks));
    const Array<std::uint32_t> items_there(device_, std::span<const std::uint32_t>(items));
    const auto launch = [&](const auto&... sums) {
      runtime::launch_items(device_, long_words_file, "join_inside", defines(),
                            {.items = count, .bytes = count * piece_ * 8, .least = 1}, lists_.words_on_device(),
                            lists_.described(), tasks_there, items_there, sides_.losses(false), sides_.losses(true),
                            low_, high_, sums..., bins - 1, below_, count);
    };
    if (weighted_)
      launch(lists_.sums(false), lists_.sums(true));
    else
      launch();
  }

  runtime::Defines defines() const {
    runtime::Defines all;
    all.set("WEIGHTED", weighted_ ? 1 : 0).set("PIECE", piece_);
    return all;
  }

  const Device& device_;
  const HitLists& lists_;
  std::uint32_t step_, stride_;
  std::uint64_t of_matrix_;  ///< results
  bool weighted_;
  std::uint32_t piece_;
  LongSides sides_;
  Array<std::uint8_t> flags_;
  Array<std::uint32_t> beginnings_;
  std::uint64_t below_;  ///< begin of the sums from below
  Array<std::uint32_t> low_, high_;
};

}  // namespace

LongJoin::LongJoin(const Device& device, const HitLists& lists, std::uint32_t step, std::span<const Side> matrices,
                   const Background& background)
    : step_(step), targets_((lists.lists() + step - 1) / step) {
  std::uint32_t longest = 0;
  for (const Side& side : matrices) {
    columns_.push_back(static_cast<std::uint32_t>(side.matrix->length()));
    longest = std::max(longest, columns_.back());
  }
  if (targets_ == 0 || matrices.empty()) return;
  stride_ = longest + lists.longest() - 1;
  // At most one window for each end and for each position of words of each length.
  const std::uint64_t windows = std::uint64_t{longest} * (2 + lengths_of(lists).size());
  const std::uint64_t of_matrix = targets_ * stride_ * 16 + windows * bins * 8;
  const std::uint64_t memory = std::min<std::uint64_t>(device.info().global_memory / 8, std::uint64_t{1} << 32);
  const std::size_t group = static_cast<std::size_t>(std::clamp<std::uint64_t>(memory / of_matrix, 1, matrices.size()));
  for (std::size_t first = 0; first < matrices.size(); first += group)
    join(device, lists, matrices.subspan(first, std::min(group, matrices.size() - first)), background);
}

void LongJoin::join(const Device& device, const HitLists& lists, std::span<const Side> matrices,
                    const Background& background) {
  if (lists.words() == 0) {
    low_.resize(low_.size() + matrices.size() * targets_ * stride_, 0.0);
    high_.resize(low_.size(), 0.0);
    return;
  }
  Group group(device, lists, step_, stride_, matrices, background);
  group.run();
  // Sums in double are rounded to a unit for each of at most 2^20 words.
  const bool weighted = !background.uniform();
  const std::vector<std::uint64_t> units = group.units();
  std::size_t i = 0;
  for (const bool below : {false, true}) {
    std::vector<double>& bounds = below ? low_ : high_;
    for (std::size_t matrix = 0; matrix < matrices.size(); ++matrix)
      for (std::uint64_t target = 0; target < targets_; ++target) {
        const double unit =
            weighted ? std::ldexp(1.0, -62)
                     : OtherTails::unit * std::ldexp(1.0, -2 * static_cast<int>(lists.length(target * step_)));
        for (std::uint64_t place = 0; place < stride_; ++place, ++i) {
          const auto sum = static_cast<double>(units[i]);
          const double error = weighted ? sum * 1e-12 + (1 << 20) : sum * 1e-15;
          bounds.push_back(below ? std::max(0.0, sum - error) * unit : std::min(1.0, (sum + error) * unit));
        }
      }
  }
}

PValue LongJoin::both(std::size_t matrix, std::uint64_t list, int at) const {
  const std::uint64_t i = (matrix * targets_ + list / step_) * stride_ +
                          static_cast<std::uint64_t>(at + static_cast<int>(columns_[matrix]) - 1);
  return {low_[i], high_[i], false, std::nullopt};
}

}  // namespace genocl::pwm
