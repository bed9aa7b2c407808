// `loss` on GPUs: tables of 4-mers in local memory (cl/pwm/find/loss_group.cl).
#include <algorithm>
#include <limits>
#include <vector>

#include "pwm/find/finder_loss_mma.hpp"
#include "pwm/find/loss_bytes.hpp"
#include "pwm/scan/candidate_memory.hpp"
#include "pwm/steps.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

using runtime::ceil_div;

/// Bytes of a table's entry: a set's targets times its shifts.
constexpr std::uint32_t lanes = 16;
constexpr std::uint32_t entries = 256;
constexpr std::uint32_t bytes_of_table = lanes * entries;
/// Of 4 KiB, in local memory; the rest of 48 KiB is for candidates.
/// An item looks at 36 letters.
constexpr std::uint32_t most_tables_of_group = 9;
constexpr std::uint64_t local_bytes_besides = 10 << 10;
constexpr std::uint32_t rounds_long = 64, rounds_short = 16;

/// That fit into local memory.
std::uint32_t tables_of_group(const Device& device) {
  const std::uint64_t bytes = device.info().local_memory;
  const std::uint64_t fit = bytes > local_bytes_besides ? (bytes - local_bytes_besides) / bytes_of_table : 0;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fit, 1, most_tables_of_group));
}

struct Shape {
  std::uint32_t shifts = 1, most_tables = 8;

  std::uint32_t targets() const { return lanes / shifts; }
  std::uint32_t columns() const { return 4 * most_tables - (shifts - 1); }
  /// That a set of targets of at most `length` columns takes.
  std::uint32_t tables(std::uint32_t length) const {
    return static_cast<std::uint32_t>(ceil_div(std::min(length, columns()) + shifts - 1, 4));
  }
};

std::uint32_t longest_of(std::span<const Target> targets) {
  std::size_t longest = 0;
  for (const Target& target : targets) longest = std::max(longest, target.scores->length());
  return static_cast<std::uint32_t>(longest);
}

template <class Use>
void for_each_set(std::span<const Target> targets, const Shape& shape, Use&& use) {
  for (std::size_t begin = 0; begin < targets.size(); begin += shape.targets())
    use(targets.subspan(begin, std::min<std::size_t>(shape.targets(), targets.size() - begin)));
}

/// Look-ups for sixteen places of all targets are least: few targets are looked for at several places at a time.
Shape best_shape(const Device& device, std::span<const Target> targets) {
  const std::uint32_t most_tables = tables_of_group(device);
  Shape best;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint32_t shifts : {1u, 2u, 4u, 8u, 16u}) {
    const Shape shape{shifts, most_tables};
    if (shifts > 1 && shape.columns() < 16) continue;  // too much of a matrix would be left out
    std::uint64_t cost = 0;
    for_each_set(targets, shape, [&](std::span<const Target> set) {
      cost += std::uint64_t{shape.tables(longest_of(set))} * (lanes / shifts);
    });
    if (cost < least) {
      least = cost;
      best = shape;
    }
  }
  return best;
}

/// Consecutive sets with as many tables each.
struct Run {
  std::uint32_t first_set = 0, sets = 0, tables = 0;
  Array<std::uint8_t> bytes;  ///< [set][table][word][lane]
};

class LossFinderGroup : public Finder {
 public:
  LossFinderGroup(const Device& device, std::span<const Target> targets);

  bool wants_packed() const override { return true; }
  Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                  std::uint64_t room) const override;

 private:
  Shape shape_;
  std::uint32_t tables_of_group_;
  std::uint32_t reach_ = 0;  ///< the largest offset
  Array<std::uint32_t> offset_;
  std::vector<Run> runs_;
};

LossFinderGroup::LossFinderGroup(const Device& device, std::span<const Target> targets)
    : shape_(best_shape(device, targets)), tables_of_group_(tables_of_group(device)) {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint8_t> bytes;  // of the last run
  const auto close_run = [&] {
    if (!runs_.empty()) runs_.back().bytes = Array<std::uint8_t>(device, std::span<const std::uint8_t>(bytes));
    bytes.clear();
  };
  std::uint32_t sets = 0;
  for_each_set(targets, shape_, [&](std::span<const Target> set) {
    const std::uint32_t tables = shape_.tables(longest_of(set));
    if (runs_.empty() || runs_.back().tables != tables) {
      close_run();
      Run& run = runs_.emplace_back();
      run.first_set = sets;
      run.tables = tables;
    }
    ++runs_.back().sets;
    ++sets;
    const std::size_t begin = bytes.size();
    bytes.resize(begin + std::size_t{tables} * bytes_of_table);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const std::uint32_t t = lane % shape_.targets(), shift = lane / shape_.targets();
      std::vector<std::uint8_t> own;
      if (t < set.size()) {
        const ColumnWindow window = column_window(set[t], shape_.columns());
        own = loss_bytes(set[t], window, shift, tables);
        if (shift == 0) offsets.push_back(window.offset);
        reach_ = std::max(reach_, window.offset);
      } else {
        own = no_loss_bytes(tables);
      }
      for (std::size_t i = 0; i < own.size(); ++i) bytes[begin + i * lanes + lane] = own[i];
    }
  });
  close_run();
  offsets.resize(std::size_t{std::max(1u, sets)} * shape_.targets(), 0);
  offset_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(offsets));
}

Candidates LossFinderGroup::find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                                 std::uint64_t room) const {
  CandidateMemory memory(device, room);
  const unsigned size = runtime::group_size(device, {}, 256);
  const std::uint32_t first_set = first / shape_.targets();
  const auto end_set = static_cast<std::uint32_t>(ceil_div(std::uint64_t{first} + count, shape_.targets()));
  // Places [own_begin, own_end + reach_) are looked at.
  const std::uint32_t first_item = text.own_begin / shape_.shifts;
  const auto items = static_cast<std::uint32_t>(ceil_div(text.own_end + reach_, shape_.shifts)) - first_item;
  for (const Run& run : runs_) {
    const std::uint32_t begin = std::max(run.first_set, first_set), end = std::min(run.first_set + run.sets, end_set);
    if (begin >= end || count == 0) continue;
    const std::uint32_t sets = end - begin, sets_of_group = std::max(1u, tables_of_group_ / run.tables);
    const std::uint64_t table_groups = ceil_div(sets, sets_of_group);
    // Long stays spread the loading of tables over more text; not at the price of idle compute units.
    const std::uint64_t long_groups = ceil_div(items, std::uint64_t{rounds_long} * size) * table_groups;
    const std::uint32_t rounds =
        long_groups >= std::uint64_t{64} * std::max(1u, device.info().compute_units) ? rounds_long : rounds_short;
    runtime::Defines defines;
    defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", size).set("TABLES", run.tables).set("SHIFTS", shape_.shifts);
    defines.set("SETS", sets_of_group).set("ROUNDS", rounds);
    runtime::Kernel(device, "pwm/find/loss_group.cl", "loss_group", defines)
        .args(text.words, first_item, items, text.own_begin, text.own_end, run.bytes, run.first_set, begin, sets,
              offset_, first, first + count, memory.room, memory.found, memory.keys)
        .run({static_cast<std::size_t>(ceil_div(items, std::uint64_t{rounds} * size)),
              static_cast<std::size_t>(table_groups), 1},
             {size, 1, 1}, (text.size / 4) * table_groups);
  }
  return memory.take();
}

}  // namespace

std::unique_ptr<Finder> make_loss_finder_group(const Device& device, std::span<const Target> targets) {
  // Fewer leave most of a matrix unit idle; several places of each at a time are then faster.
  constexpr std::size_t fewest_for_mma = 12;
  if (device.has_ptx() && targets.size() >= fewest_for_mma)
    if (auto finder = make_loss_finder_mma(device, targets)) return finder;
  return std::make_unique<LossFinderGroup>(device, targets);
}

}  // namespace genocl::pwm
