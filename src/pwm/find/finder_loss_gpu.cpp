// `loss` on GPUs: tables of 3-mers and 2-mers in local memory (cl/pwm/find/loss_gpu.cl).
#include <algorithm>
#include <limits>
#include <vector>

#include "pwm/find/loss_bytes.hpp"
#include "pwm/scan/candidate_memory.hpp"
#include "pwm/steps.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

using runtime::ceil_div;

/// Of an entry of a table: what all items of a warp read of it at a time.
constexpr std::uint32_t bytes_of_row = 128;
/// For candidates, in local memory.
constexpr std::uint64_t local_bytes_besides = 4608;
/// Of 64 KiB, where there are more: more groups at a time are worth more than fewer look-ups.
constexpr std::uint64_t most_local_bytes = 48 << 10;
constexpr std::uint32_t most_letters = 56;
constexpr std::uint32_t rounds_long = 64, rounds_short = 16;

/// Rows that fit into local memory.
std::uint32_t rows_of_group(const Device& device) {
  const std::uint64_t bytes = std::min(device.info().local_memory, most_local_bytes);
  return static_cast<std::uint32_t>((std::max(bytes, local_bytes_besides + 4096) - local_bytes_besides) / bytes_of_row);
}

/// Fewest tables for so many letters that have so many rows at most.
TableLetters tables_for(std::uint32_t letters, std::uint32_t rows) {
  TableLetters best{0, std::max(1U, static_cast<std::uint32_t>(ceil_div(letters, 2)))};
  for (std::uint32_t threes = 1; threes <= ceil_div(letters, 3); ++threes) {
    const std::uint32_t left = letters > 3 * threes ? letters - 3 * threes : 0;
    const TableLetters some{threes, static_cast<std::uint32_t>(ceil_div(left, 2))};
    if (some.entries() <= rows && some.tables() < best.tables()) best = some;
  }
  return best;
}

/// How items share the work: each has a unit of `words` of a row, a byte of it for each target of a set and each of
/// `shifts` places. `sets` sets lie side by side in a row, and as often as fill it.
struct Shape {
  std::uint32_t rows = 0;  ///< that fit
  std::uint32_t words = 4, shifts = 1, sets = 8;

  std::uint32_t lanes() const { return 4 * words; }
  std::uint32_t targets() const { return lanes() / shifts; }  ///< of a set
  std::uint32_t targets_of_row() const { return targets() * sets; }
  /// Places of an item, so many that its letters serve for more than one.
  std::uint32_t steps() const { return std::max(1U, 8 / shifts); }
  std::uint32_t places() const { return steps() * shifts; }
  /// That can be looked at: of longer matrices some are left out.
  std::uint32_t columns() const {
    return std::min(rows / 16 * 2, most_letters - (steps() - 1) * shifts) - (shifts - 1);
  }
  /// Items of a group. Large tables leave a compute unit fewer groups, which then have more items each; H200, 225 Mb,
  /// one motif of 20, one strand: 0.18 ms with 512, 0.21 with 256. With a row full of sets 256 stay a little faster.
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

/// The shape with which local memory is read least: few targets are looked for at several places at a time.
Shape best_shape(const Device& device, std::span<const Target> targets) {
  Shape best{rows_of_group(device)};
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint32_t words : {4U, 2U})
    for (const std::uint32_t shifts : {1U, 2U, 4U, 8U, 16U})
      for (std::uint32_t sets = bytes_of_row / (4 * words); sets >= 1; sets /= 2) {
        const Shape shape{best.rows, words, shifts, sets};
        if (shape.targets() == 0) continue;
        if (shifts > 1 && shape.columns() < 16) continue;  // too much of a matrix would be left out
        std::uint64_t cost = 0;
        for_each_row(targets, shape, [&](std::span<const Target> row) {
          // Of one item for 16 places, what is neither look-up nor addition as one look-up.
          cost += std::uint64_t{shape.tables(longest_of(row)).tables() + 1} * words * sets * (16 / shifts);
        });
        if (cost < least) {
          least = cost;
          best = shape;
        }
      }
  return best;
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
                  std::uint64_t room) const override;

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
  for_each_row(targets, shape_, [&](std::span<const Target> row) {
    const TableLetters tables = shape_.tables(longest_of(row));
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
                               std::uint64_t room) const {
  CandidateMemory memory(device, room);
  const std::uint32_t first_row = first / shape_.targets_of_row();
  const auto end_row = static_cast<std::uint32_t>(ceil_div(std::uint64_t{first} + count, shape_.targets_of_row()));
  // Places [own_begin, own_end + reach_) are looked at.
  const std::uint32_t first_item = text.own_begin / shape_.places();
  const auto items = static_cast<std::uint32_t>(ceil_div(text.own_end + reach_, shape_.places())) - first_item;
  for (const Run& run : runs_) {
    const std::uint32_t begin = std::max(run.first_row, first_row), end = std::min(run.first_row + run.rows, end_row);
    if (begin >= end || count == 0) continue;
    const std::uint32_t rows = end - begin;
    const unsigned size = runtime::group_size(device, {}, shape_.wanted_group(run.tables));
    const std::uint32_t items_of_round = size / shape_.sets;
    // Long stays spread the loading of tables over more text; not at the price of idle compute units.
    const std::uint64_t long_groups = ceil_div(items, std::uint64_t{rounds_long} * items_of_round) * rows;
    const std::uint32_t rounds =
        long_groups >= std::uint64_t{64} * std::max(1u, device.info().compute_units) ? rounds_long : rounds_short;
    runtime::Defines defines;
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("THREES", run.tables.threes);
    defines.set("TWOS", run.tables.twos).set("WORDS", shape_.words).set("SHIFTS", shape_.shifts);
    defines.set("SETS", shape_.sets).set("STEPS", shape_.steps()).set("ROUNDS", rounds);
    runtime::Kernel(device, "pwm/find/loss_gpu.cl", "loss_gpu", defines)
        .args(text.words, first_item, items, text.own_begin, text.own_end, run.bytes, run.first_row, begin, offset_,
              first, first + count, memory.room, memory.found, memory.keys)
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

}  // namespace genocl::pwm
