// The finder `loss`, for CPUs and GPUs, and the choice of a finder.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "pwm/finders.hpp"
#include "pwm/pipeline.hpp"
#include "pwm/scores.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/names.hpp"

namespace genocl::pwm {
namespace {

constexpr unsigned max_budget = 127;

std::uint32_t table_entries(std::uint32_t letters) { return 1U << (2 * letters); }
double highest(const std::array<double, 4>& column) { return *std::max_element(column.begin(), column.end()); }

double loss(const std::array<double, 4>& column, std::uint32_t letter) { return highest(column) - column[letter]; }

/// Maximum sum of the losses of a hit, including rounding of scores, of their sums and of losses. Minus infinity: no
/// word is a hit; infinity: every word is one; otherwise above 0.
double loss_budget(const Target& target) {
  constexpr double infinity = INFINITY;
  if (target.threshold == -infinity) return infinity;
  double best = 0, magnitude = std::abs(target.threshold);
  for (const std::array<double, 4>& column : target.scores->columns()) {
    best += highest(column);
    double largest = 0;
    for (const double score : column)
      if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
    magnitude += largest;
  }
  if (best == -infinity || target.threshold == infinity) return -infinity;
  // A sum of 128 terms is off by at most 128 * 2^-53 of the sum of their magnitudes.
  const double budget = best - target.threshold + 1e-12 * magnitude;
  return budget < 0 ? -infinity : std::max(budget, 1e-300);
}

/// floor(steps * loss / budget), certainly not above it; steps + 1 if the loss exceeds the budget.
std::uint32_t quantised_loss(double loss, double budget, std::uint32_t steps) {
  // The rounding of the product is less than the subtracted 1e-12.
  const double of_budget = loss / budget * (1 - 1e-12);
  return of_budget >= 2 ? steps + 1 : std::min(static_cast<std::uint32_t>(of_budget * steps), steps + 1);
}

}  // namespace

ColumnWindow column_window(const Target& target, std::uint32_t most) {
  const auto columns = target.scores->columns();
  const auto length = static_cast<std::uint32_t>(columns.size());
  if (length <= most) return {0, length};
  ColumnWindow best{0, most};
  double best_loss = -1;
  for (std::uint32_t offset = 0; offset + most <= length; ++offset) {
    double sum = 0;
    for (std::uint32_t c = 0; c < most; ++c)
      for (std::uint32_t letter = 0; letter < 4; ++letter) {
        const double lost = loss(columns[offset + c], letter);
        // Bounded: one letter that never occurs does not outweigh all other columns.
        sum += std::isfinite(lost) ? std::min(lost, 20.0) : 20.0;
      }
    if (sum > best_loss) {
      best_loss = sum;
      best.offset = offset;
    }
  }
  return best;
}

double candidate_share(const Target& target, const ColumnWindow& window) {
  const double budget = loss_budget(target);
  if (budget == -INFINITY) return 0;
  if (budget == INFINITY) return 1;
  std::vector<double> share(max_budget + 1, 0.0), next;  // [sum of losses so far]
  share[0] = 1;
  for (std::uint32_t c = 0; c < window.count; ++c) {
    next.assign(share.size(), 0.0);
    for (std::uint32_t letter = 0; letter < 4; ++letter) {
      const std::uint32_t lost =
          quantised_loss(loss(target.scores->columns()[window.offset + c], letter), budget, max_budget);
      for (std::size_t sum = 0; sum + lost < share.size(); ++sum) next[sum + lost] += share[sum] / 4;
    }
    share.swap(next);
  }
  return std::accumulate(share.begin(), share.end(), 0.0);
}

std::vector<std::uint8_t> no_loss_bytes(const TableLetters& tables) {
  std::vector<std::uint8_t> bytes(tables.entries(), 0);
  std::fill_n(bytes.begin(), table_entries(tables.letters_of(0)), std::uint8_t{128});
  return bytes;
}

std::vector<std::uint8_t> loss_bytes(const Target& target, const ColumnWindow& window, std::uint32_t shift,
                                     const TableLetters& tables) {
  const double budget = loss_budget(target);
  if (budget == -INFINITY) return no_loss_bytes(tables);
  std::vector<std::uint8_t> bytes(tables.entries(), 0);
  if (budget == INFINITY) return bytes;

  const auto columns = target.scores->columns();
  std::vector<double> losses, largest;
  std::uint32_t first = 0;  // first letter of the table
  for (std::uint32_t t = 0; t < tables.tables(); ++t) {
    const std::uint32_t count = tables.letters_of(t);
    largest.push_back(0);
    for (std::uint32_t w = 0; w < table_entries(count); ++w) {
      double sum = 0;
      for (std::uint32_t j = 0; j < count; ++j) {
        const std::uint32_t letter = first + j;
        if (letter < shift || letter - shift >= window.count) continue;
        sum += loss(columns[window.offset + letter - shift], w >> (2 * (count - 1 - j)) & 3);
      }
      losses.push_back(sum);
      largest.back() = std::max(largest.back(), sum);
    }
    first += count;
  }

  unsigned steps = max_budget;
  for (; steps > 1; --steps) {
    unsigned sum = 0;
    for (const double lost : largest) sum += quantised_loss(lost, budget, steps);
    if (sum <= 128 + steps) break;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(quantised_loss(losses[i], budget, steps));
  for (std::uint32_t w = 0; w < table_entries(tables.letters_of(0)); ++w)
    bytes[w] = static_cast<std::uint8_t>(bytes[w] + 127 - steps);
  return bytes;
}

// `loss` on CPUs: losses in bytes, two columns for each look-up (cl/pwm/loss_cpu.cl).

namespace {

using runtime::ceil_div;

/// TILE of cl/pwm/loss_cpu.cl.
constexpr std::uint32_t tile = 8192;
/// A sum of losses below 255 is a candidate.
constexpr double max_steps = 254;
/// A worker rearranges the text for all its targets: fewer targets are not worth that.
constexpr std::uint32_t min_targets = 32;

using ShuffleTable = std::array<std::uint8_t, 16>;

/// losses[i][letter 2 i | letter 2 i + 1 << 2], rounded down; empty for a target without hits.
///
/// Why the sum of every hit is at most 254. The exact losses of a hit sum to the sum of the best letters minus its
/// own exact sum, which FloatScores bounds from below with a margin for floats. This covers the rounding of double
/// sums and differences here (2^-29 of the margin), so the losses sum to at most `may_lose`. The remaining roundings
/// are of numbers by 2^-53 of themselves: of may_lose, the step and the quotients; the step is increased by 2^-49 of
/// itself for them. So the quotients sum to at most 254, also after rounding down. A forbidden letter loses more than
/// 255 steps: no step is above 1.
std::vector<ShuffleTable> quantise(const Target& target) {
  const FloatScores scores(target);
  if (scores.threshold == FloatScores::nowhere) return {};
  const std::size_t length = scores.columns.size();
  std::vector<ShuffleTable> tables((length + 1) / 2, ShuffleTable{});
  if (scores.threshold == FloatScores::everywhere) return tables;

  std::vector<double> best;
  for (const std::array<double, 4>& column : scores.columns)
    best.push_back(*std::max_element(column.begin(), column.end()));
  const double may_lose = std::accumulate(best.begin(), best.end(), 0.0) - scores.threshold;
  // If all scores are 0, no loss is allowed.
  const double step = std::max(may_lose / max_steps * (1 + 0x1p-49), 0x1p-100);
  for (std::size_t i = 0; i < length; i += 2)
    for (unsigned letters = 0; letters < 16; ++letters) {
      double lost = best[i] - scores.columns[i][letters & 3];
      if (i + 1 < length) lost += best[i + 1] - scores.columns[i + 1][letters >> 2];
      tables[i / 2][letters] = static_cast<std::uint8_t>(std::min(255.0, std::floor(lost / step)));
    }
  return tables;
}

class LossFinderCpu : public Finder {
 public:
  LossFinderCpu(const Device& device, std::span<const Target> targets, const runtime::Defines& defines)
      : defines_(defines) {
    std::vector<ShuffleTable> losses;
    std::vector<std::uint32_t> begin = {0}, lengths;
    for (const Target& target : targets) {
      const std::vector<ShuffleTable> own = quantise(target);
      losses.insert(losses.end(), own.begin(), own.end());
      begin.push_back(static_cast<std::uint32_t>(losses.size()));
      lengths.push_back(static_cast<std::uint32_t>(target.scores->length()));
    }
    defines_.set("ONLY_CPU", 1).set("TILE", tile);
    losses_ = Array<ShuffleTable>(device, std::span<const ShuffleTable>(losses));
    begin_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(begin));
    lengths_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(lengths));
  }

  bool wants_packed() const override { return false; }

  Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                  std::uint64_t capacity) const override {
    if (count == 0 || text.own.empty()) return {};
    const std::uint64_t places = text.own.length();
    const runtime::Shares shares = runtime::share_out(device, {}, places, tile, tile);
    // If the text is too short for all workers, each takes a part of the targets.
    const std::uint64_t wanted = ceil_div(runtime::workers_that_fill(device), shares.workers);
    const auto each = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count, std::max<std::uint64_t>(min_targets, ceil_div(count, wanted))));
    CandidateMemory memory(device, capacity);
    runtime::Kernel(device, "pwm/loss_cpu.cl", "loss_cpu", defines_)
        .args(text.codes, losses_, begin_, lengths_, first, count, each, static_cast<std::uint32_t>(text.codes.size()),
              text.size, text.own.begin, text.own.end, shares.share, memory.capacity, memory.found, memory.keys)
        .run({.x = shares.workers, .y = static_cast<std::size_t>(ceil_div(count, each))}, {}, places * count);
    return memory.take();
  }

 private:
  runtime::Defines defines_;
  Array<ShuffleTable> losses_;
  /// [target], and one more element.
  Array<std::uint32_t> begin_, lengths_;
};

}  // namespace

runtime::Defines loss_cpu_defines(const Device& device) {
  runtime::Defines defines;
  if (!device.vendor_paths()) defines.set("BYTE_SHUFFLE", 0);
  return defines;
}

std::unique_ptr<Finder> make_loss_finder_cpu(const Device& device, std::span<const Target> targets,
                                             const runtime::Defines& defines) {
  return std::make_unique<LossFinderCpu>(device, targets, defines);
}

std::unique_ptr<Finder> make_loss_finder_cpu(const Device& device, std::span<const Target> targets) {
  return make_loss_finder_cpu(device, targets, loss_cpu_defines(device));
}

// `loss` on GPUs: tables of 3-mers and 2-mers in local memory (cl/pwm/loss_gpu.cl).

namespace {

using runtime::ceil_div;

/// Bytes of a table entry that all items of a warp read at a time.
constexpr std::uint32_t bytes_of_row = 128;
/// Bytes for candidates in local memory.
constexpr std::uint64_t local_bytes_besides = 4608;
/// Maximum local memory for tables, of 64 KiB or more: more groups at a time are worth more than fewer look-ups.
constexpr std::uint64_t max_local_bytes = 48 << 10;
constexpr std::uint32_t max_tile_letters = 56;
constexpr std::uint32_t rounds_long = 64, rounds_short = 16;

/// Number of rows that fit into local memory.
std::uint32_t rows_of_group(const Device& device) {
  const std::uint64_t bytes = std::min(device.info().local_memory, max_local_bytes);
  return static_cast<std::uint32_t>((std::max(bytes, local_bytes_besides + 4096) - local_bytes_besides) / bytes_of_row);
}

/// The fewest tables for this number of letters with at most `rows` rows.
TableLetters tables_for(std::uint32_t letters, std::uint32_t rows) {
  TableLetters best{0, std::max(1U, static_cast<std::uint32_t>(ceil_div(letters, 2)))};
  for (std::uint32_t threes = 1; threes <= ceil_div(letters, 3); ++threes) {
    const std::uint32_t left = letters > 3 * threes ? letters - 3 * threes : 0;
    const TableLetters some{threes, static_cast<std::uint32_t>(ceil_div(left, 2))};
    if (some.entries() <= rows && some.tables() < best.tables()) best = some;
  }
  return best;
}

/// Division of work among items. Each has a unit of `words` of a row, one byte for each target of a set and each of
/// `shifts` places. A row contains `sets` sets, repeated to fill it.
struct Shape {
  std::uint32_t rows = 0;  ///< rows that fit
  std::uint32_t words = 4, shifts = 1, sets = 8;

  std::uint32_t lanes() const { return 4 * words; }
  std::uint32_t targets() const { return lanes() / shifts; }  ///< targets of a set
  std::uint32_t targets_of_row() const { return targets() * sets; }
  /// Number of places of an item, so that its letters serve several places.
  std::uint32_t steps() const { return std::max(1U, 8 / shifts); }
  std::uint32_t places() const { return steps() * shifts; }
  /// Number of columns that are evaluated: longer matrices are truncated.
  std::uint32_t columns() const {
    return std::min(rows / 16 * 2, max_tile_letters - (steps() - 1) * shifts) - (shifts - 1);
  }
  /// Items of a group. With large tables a compute unit has fewer groups, which then have more items each. H200, 225
  /// Mb, one motif of 20, one strand: 0.18 ms with 512, 0.21 with 256. With a full row of sets 256 are slightly
  /// faster.
  unsigned wanted_group(const TableLetters& tables) const {
    return sets * words * 4 < bytes_of_row && 5 * tables.entries() > 4 * rows ? 512 : 256;
  }
  TableLetters tables(std::uint32_t length) const { return tables_for(std::min(length, columns()) + shifts - 1, rows); }
};

std::uint32_t longest_of(std::span<const Target> targets) {
  std::size_t longest = 0;
  for (const Target& target : targets) longest = std::max(longest, target.scores->length());
  return static_cast<std::uint32_t>(longest);
}

template <class Use>
void for_each_row(std::span<const Target> targets, const Shape& shape, Use&& use) {
  for (std::size_t begin = 0; begin < targets.size(); begin += shape.targets_of_row())
    use(targets.subspan(begin, std::min<std::size_t>(shape.targets_of_row(), targets.size() - begin)));
}

/// The shape with the fewest reads of local memory: few targets are searched at several places at a time.
Shape best_shape(const Device& device, std::span<const Target> targets) {
  Shape best{rows_of_group(device)};
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint32_t words : {4U, 2U})
    for (const std::uint32_t shifts : {1U, 2U, 4U, 8U, 16U})
      for (std::uint32_t sets = bytes_of_row / (4 * words); sets >= 1; sets /= 2) {
        const Shape shape{best.rows, words, shifts, sets};
        if (shape.targets() == 0) continue;
        if (shifts > 1 && shape.columns() < 16) continue;  // too few columns would be evaluated
        std::uint64_t cost = 0;
        for_each_row(targets, shape, [&](std::span<const Target> row) {
          // For one item and 16 places, the cost of the rest is that of one look-up.
          cost += std::uint64_t{shape.tables(longest_of(row)).tables() + 1} * words * sets * (16 / shifts);
        });
        if (cost < least) {
          least = cost;
          best = shape;
        }
      }
  return best;
}

/// The tables of each row. A kernel is compiled for each kind of tables, a third of a second by NVIDIA's driver: rows
/// of a kind that few have take the tables of the longer rows behind them, as long as this adds at most a fiftieth of
/// all look-ups.
std::vector<TableLetters> tables_of_rows(std::span<const Target> targets, const Shape& shape) {
  struct Kind {
    TableLetters tables;
    std::size_t rows = 0;
  };
  std::vector<Kind> kinds;
  std::uint64_t look_ups = 0;
  for_each_row(targets, shape, [&](std::span<const Target> row) {
    const TableLetters tables = shape.tables(longest_of(row));
    if (kinds.empty() || kinds.back().tables != tables) kinds.push_back({tables});
    ++kinds.back().rows;
    look_ups += tables.tables();
  });
  for (std::uint64_t left = look_ups / 50;;) {
    std::size_t best = kinds.size();
    std::uint64_t least = left + 1;
    for (std::size_t i = 0; i + 1 < kinds.size(); ++i) {
      const TableLetters &own = kinds[i].tables, &next = kinds[i + 1].tables;
      if (next.letters() < own.letters() || next.tables() < own.tables()) continue;
      const std::uint64_t more = kinds[i].rows * std::uint64_t{next.tables() - own.tables()};
      if (more < least) best = i, least = more;
    }
    if (best == kinds.size()) break;
    left -= least;
    kinds[best + 1].rows += kinds[best].rows;
    kinds.erase(kinds.begin() + static_cast<std::ptrdiff_t>(best));
  }
  std::vector<TableLetters> of_rows;
  for (const Kind& kind : kinds) of_rows.insert(of_rows.end(), kind.rows, kind.tables);
  return of_rows;
}

/// Consecutive rows with the same tables.
struct Run {
  std::uint32_t first_row = 0, rows = 0;
  TableLetters tables;
  Array<std::uint8_t> bytes;  ///< [row][entry][set][lane]
};

class LossFinderGpu : public Finder {
 public:
  LossFinderGpu(const Device& device, std::span<const Target> targets);

  bool wants_packed() const override { return true; }
  Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                  std::uint64_t capacity) const override;

 private:
  Shape shape_;
  std::uint32_t reach_ = 0;  ///< the largest offset
  Array<std::uint32_t> offset_;
  std::vector<Run> runs_;
};

LossFinderGpu::LossFinderGpu(const Device& device, std::span<const Target> targets)
    : shape_(best_shape(device, targets)) {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint8_t> bytes;  // of the last run
  const auto close_run = [&] {
    if (!runs_.empty()) runs_.back().bytes = Array<std::uint8_t>(device, std::span<const std::uint8_t>(bytes));
    bytes.clear();
  };
  std::uint32_t rows = 0;
  const std::vector<TableLetters> tables_of = tables_of_rows(targets, shape_);
  for_each_row(targets, shape_, [&](std::span<const Target> row) {
    const TableLetters tables = tables_of[rows];
    if (runs_.empty() || runs_.back().tables != tables) {
      close_run();
      Run& run = runs_.emplace_back();
      run.first_row = rows;
      run.tables = tables;
    }
    ++runs_.back().rows;
    ++rows;
    const std::uint32_t width = shape_.sets * shape_.lanes();
    const std::size_t begin = bytes.size();
    bytes.resize(begin + std::size_t{tables.entries()} * width);
    for (std::uint32_t set = 0; set < shape_.sets; ++set)
      for (std::uint32_t lane = 0; lane < shape_.lanes(); ++lane) {
        const std::uint32_t t = set * shape_.targets() + lane % shape_.targets(), shift = lane / shape_.targets();
        std::vector<std::uint8_t> own;
        if (t < row.size()) {
          const ColumnWindow window = column_window(row[t], shape_.columns());
          own = loss_bytes(row[t], window, shift, tables);
          if (shift == 0) offsets.push_back(window.offset);
          reach_ = std::max(reach_, window.offset);
        } else {
          own = no_loss_bytes(tables);
        }
        for (std::size_t i = 0; i < own.size(); ++i) bytes[begin + i * width + set * shape_.lanes() + lane] = own[i];
      }
  });
  close_run();
  offsets.resize(std::size_t{std::max(1U, rows)} * shape_.targets_of_row(), 0);
  offset_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(offsets));
}

Candidates LossFinderGpu::find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                               std::uint64_t capacity) const {
  CandidateMemory memory(device, capacity);
  const std::uint32_t first_row = first / shape_.targets_of_row();
  const auto end_row = static_cast<std::uint32_t>(ceil_div(std::uint64_t{first} + count, shape_.targets_of_row()));
  // Evaluates places [own.begin, own.end + reach_).
  const std::uint32_t first_item = text.own.begin / shape_.places();
  const auto items = static_cast<std::uint32_t>(ceil_div(text.own.end + reach_, shape_.places())) - first_item;
  for (const Run& run : runs_) {
    const std::uint32_t begin = std::max(run.first_row, first_row), end = std::min(run.first_row + run.rows, end_row);
    if (begin >= end || count == 0) continue;
    const std::uint32_t rows = end - begin;
    const unsigned size = runtime::group_size(device, {}, shape_.wanted_group(run.tables));
    const std::uint32_t items_of_round = size / shape_.sets;
    // Longer runs amortize the loading of tables over more text, unless compute units would idle.
    const std::uint64_t long_groups = ceil_div(items, std::uint64_t{rounds_long} * items_of_round) * rows;
    const std::uint32_t rounds =
        long_groups >= std::uint64_t{64} * std::max(1u, device.info().compute_units) ? rounds_long : rounds_short;
    runtime::Defines defines;
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("THREES", run.tables.threes);
    defines.set("TWOS", run.tables.twos).set("WORDS", shape_.words).set("SHIFTS", shape_.shifts);
    defines.set("SETS", shape_.sets).set("STEPS", shape_.steps()).set("ROUNDS", rounds);
    runtime::Kernel(device, "pwm/loss_gpu.cl", "loss_gpu", defines)
        .args(text.words, first_item, items, text.own.begin, text.own.end, run.bytes, run.first_row, begin, offset_,
              first, first + count, memory.capacity, memory.found, memory.keys)
        .run({static_cast<std::size_t>(ceil_div(items, std::uint64_t{rounds} * items_of_round)),
              static_cast<std::size_t>(rows), 1},
             {size, 1, 1}, (text.size / 4) * rows);
  }
  return memory.take();
}

}  // namespace

std::unique_ptr<Finder> make_loss_finder_gpu(const Device& device, std::span<const Target> targets) {
  return std::make_unique<LossFinderGpu>(device, targets);
}

// The default on GPUs: `loss`, and `slices` for targets that are too long for it.

namespace {

/// Maximum share of words that are candidates of `loss`. H200, one motif of 40 columns, 27 of them evaluated: a tenth
/// are candidates, and 3.6 G of them are rescored in a second. `loss` then searches 33 G places a second, `slices` 164.
constexpr double max_candidate_share = 0.02;

class DefaultFinderGpu : public Finder {
 public:
  /// @param targets  from short to long ones
  DefaultFinderGpu(const Device& device, std::span<const Target> targets) : first_long_(count_short(device, targets)) {
    if (first_long_ != 0) loss_ = make_loss_finder_gpu(device, targets.first(first_long_));
    if (first_long_ != targets.size()) slices_ = make_slices_finder(device, targets, first_long_);
  }

  bool wants_packed() const override { return true; }
  std::uint32_t count_at_once(std::uint32_t first, std::uint32_t count) const override {
    return first < first_long_ ? std::min(count, first_long_ - first) : count;
  }
  Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                  std::uint64_t capacity) const override {
    return (first < first_long_ ? *loss_ : *slices_).find(device, text, first, count, capacity);
  }

 private:
  static std::uint32_t count_short(const Device& device, std::span<const Target> targets) {
    auto count = static_cast<std::uint32_t>(targets.size());
    for (;;) {
      const std::uint32_t columns = best_shape(device, targets.first(count)).columns();
      const auto is_short = [&](const Target& target) {
        return target.scores->length() <= columns ||
               candidate_share(target, column_window(target, columns)) <= max_candidate_share;
      };
      const auto end = std::ranges::find_if_not(targets.first(count), is_short);
      const auto found = static_cast<std::uint32_t>(end - targets.begin());
      if (found == count) return count;
      count = found;
    }
  }

  std::uint32_t first_long_ = 0;
  std::unique_ptr<Finder> loss_, slices_;
};

}  // namespace

// The finder for a method and a kernel family.

namespace {

constexpr runtime::Names<Method, 7> names = {{{Method::automatic, "auto"},
                                              {Method::naive, "naive"},
                                              {Method::naive_matrix, "naive-matrix"},
                                              {Method::lookahead, "lookahead"},
                                              {Method::kmp, "kmp"},
                                              {Method::slices, "slices"},
                                              {Method::loss, "loss"}}};

}  // namespace

std::string_view to_string(Method method) noexcept { return runtime::name_of(names, method); }

Method method_named(std::string_view name) { return runtime::value_named(names, "method of scanning", name); }

std::unique_ptr<Finder> make_finder(const Device& device, std::span<const Target> targets, Method method,
                                    unsigned slice_columns) {
  switch (method) {
    case Method::naive:
      return make_naive_finder(device, targets);
    case Method::naive_matrix:
      return make_naive_matrix_finder(device, targets);
    case Method::lookahead:
      return make_lookahead_finder(device, targets);
    case Method::kmp:
      return make_kmp_finder(device, targets);
    case Method::slices:
      return slice_columns == 0 ? make_slices_finder(device, targets)
                                : make_slices_finder_of(device, targets, slice_columns);
    case Method::loss:
      return device.family() == KernelFamily::cpu ? make_loss_finder_cpu(device, targets)
                                                  : make_loss_finder_gpu(device, targets);
    case Method::automatic:
      break;
  }
  if (device.family() == KernelFamily::cpu) return make_loss_finder_cpu(device, targets);
  return std::make_unique<DefaultFinderGpu>(device, targets);
}

}  // namespace genocl::pwm
