#include "pwm/compare/long/long_words.hpp"
#include "primitives/sort_replacing.hpp"

#include <algorithm>
#include <cmath>

#include "genocl/primitives/sort.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

constexpr const char* file = "pwm/compare/long/long_words.cl";
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

  /// The overlap is the end of the matrix and the beginning of the list's words, or the other way round.
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

  /// It is all of the list's words, and does not reach the matrix's end.
  Looks looks_inside(std::uint32_t letters) const {
    Looks looks;
    for (std::size_t i = 0; i < sides_.size() && lists_.whole(letters) > 0; ++i)
      for (std::uint32_t begin = 0; begin + letters < sides_.length(i); ++begin)
        add(looks, i, begin, {begin, begin + letters}, false, sides_.length(i) - 1 - begin);
    return looks;
  }

  /// `looks` at the first `runs` runs; `end` is the word behind them.
  void look(std::uint32_t letters, std::uint64_t runs, std::uint64_t end, const Looks& looks) {
    if (runs == 0 || looks.empty()) return;
    Array<std::uint64_t> keys(device_, runs);
    Array<std::uint32_t> order(device_, runs);
    runtime::launch_items(device_, "pwm/compare/hit_lists.cl", "list_runs", {}, {.items = runs, .bytes = runs * 32},
                          lists_.words_on_device(), lists_.owners(), lists_.lengths(), beginnings_, keys, order,
                          letters, runs);
    primitives::sort_replacing(device_, keys, order, {.first_bit = 0, .last_bit = 2 * letters});
    const Array<std::uint32_t> looks_there(device_, std::span<const std::uint32_t>(looks));
    const std::uint64_t pieces = runtime::ceil_div(runs, piece_), count = looks.size() / 8 * pieces;
    const auto launch = [&](const auto&... sums) {
      runtime::launch_items(
          device_, file, "join_runs", defines(), {.items = count, .bytes = count * piece_ * 8, .least = 4}, keys, order,
          lists_.owners(), lists_.lengths(), beginnings_, looks_there, sides_.losses(false), sides_.losses(true),
          sides_.tails(false), sides_.tails(true), low_, high_, sums..., letters, bins - 1, step_, stride_, below_,
          static_cast<std::uint32_t>(runs), static_cast<std::uint32_t>(end), pieces, count);
    };
    if (weighted_)
      launch(lists_.sums(false), lists_.sums(true));
    else
      launch();
  }

  /// The overlap is all of the matrix, and the list's words go on at both ends.
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
      runtime::launch_items(device_, file, "join_inside", defines(),
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
  std::uint64_t below_;  ///< where sums from below begin
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
  // A window for each end and for each place of words of each length, at most.
  const std::uint64_t windows = std::uint64_t{longest} * (2 + lengths_of(lists).size());
  const std::uint64_t of_matrix = targets_ * stride_ * 16 + windows * bins * 8;
  const std::uint64_t room = std::min<std::uint64_t>(device.info().global_memory / 8, std::uint64_t{1} << 32);
  const std::size_t group = static_cast<std::size_t>(std::clamp<std::uint64_t>(room / of_matrix, 1, matrices.size()));
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
