#include "pwm/find/finder_loss_mma.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "pwm/find/loss_fragments.hpp"
#include "pwm/scan/candidate_memory.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

using runtime::ceil_div;

/// BLOCKS and REPEATS of cl/pwm/find/loss_mma.cl.
constexpr std::uint32_t place_blocks = 12, places_of_warp = 8 * place_blocks, repeats = 16, warp = 32;
constexpr unsigned group_size = 256;
/// For fragments and what sums begin at, in local memory; the rest of 48 KiB is for candidates.
constexpr std::uint32_t local_bytes = 38 << 10;

/// Consecutive sets with as many blocks of columns each.
struct Run {
  std::uint32_t first_set = 0, sets = 0, blocks = 0;
  Array<std::uint8_t> fragments;
  Array<std::int32_t> begins;
};

std::uint32_t sets_of_group(std::uint32_t blocks) {
  return local_bytes / (blocks * bytes_of_fragment + 4 * targets_of_fragment);
}

runtime::Kernel kernel_for(const Device& device, std::uint32_t blocks) {
  runtime::Defines defines;
  defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", group_size).set("COLUMN_BLOCKS", blocks);
  defines.set("SETS", sets_of_group(blocks)).set("REPEATS", repeats).set("BLOCKS", place_blocks);
  return runtime::Kernel(device, "pwm/find/loss_mma.cl", "loss_mma", defines);
}

class LossFinderMma : public Finder {
 public:
  LossFinderMma(const Device& device, std::span<const Target> targets);

  bool wants_packed() const override { return true; }
  Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                  std::uint64_t room) const override;

 private:
  std::vector<Run> runs_;
};

LossFinderMma::LossFinderMma(const Device& device, std::span<const Target> targets) {
  std::vector<std::uint8_t> fragments;  // of the last run
  std::vector<std::int32_t> begins;
  const auto close_run = [&] {
    if (!runs_.empty()) {
      runs_.back().fragments = Array<std::uint8_t>(device, std::span<const std::uint8_t>(fragments));
      runs_.back().begins = Array<std::int32_t>(device, std::span<const std::int32_t>(begins));
    }
    fragments.clear();
    begins.clear();
  };
  for (std::size_t begin = 0; begin < targets.size(); begin += targets_of_fragment) {
    const auto set = targets.subspan(begin, std::min<std::size_t>(targets_of_fragment, targets.size() - begin));
    std::size_t longest = 0;
    for (const Target& target : set) longest = std::max(longest, target.scores->length());
    const auto blocks = static_cast<std::uint32_t>(ceil_div(longest, columns_of_fragment));
    if (runs_.empty() || runs_.back().blocks != blocks) {
      close_run();
      Run& run = runs_.emplace_back();
      run.first_set = static_cast<std::uint32_t>(begin / targets_of_fragment);
      run.blocks = blocks;
    }
    ++runs_.back().sets;
    append_fragments(set, blocks, fragments, begins);
  }
  close_run();
  // Compiled now, and refused now where matrix units are missing.
  for (const Run& run : runs_) kernel_for(device, run.blocks);
}

Candidates LossFinderMma::find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                               std::uint64_t room) const {
  CandidateMemory memory(device, room);
  const std::uint32_t first_set = first / targets_of_fragment;
  const auto end_set = static_cast<std::uint32_t>(ceil_div(std::uint64_t{first} + count, targets_of_fragment));
  const std::uint64_t places_of_group = std::uint64_t{group_size / warp} * places_of_warp * repeats;
  const std::uint64_t groups = ceil_div(text.own_end - text.own_begin, places_of_group);
  for (const Run& run : runs_) {
    const std::uint32_t begin = std::max(run.first_set, first_set), end = std::min(run.first_set + run.sets, end_set);
    if (begin >= end || count == 0 || groups == 0) continue;
    const std::uint64_t set_groups = ceil_div(end - begin, sets_of_group(run.blocks));
    kernel_for(device, run.blocks)
        .args(text.words, text.own_begin, text.own_end, run.fragments, run.begins, run.first_set, begin, end - begin,
              first, first + count, memory.room, memory.found, memory.keys)
        .run({static_cast<std::size_t>(groups), static_cast<std::size_t>(set_groups), 1}, {group_size, 1, 1},
             text.size / 4 * set_groups);
  }
  return memory.take();
}

}  // namespace

std::unique_ptr<Finder> make_loss_finder_mma(const Device& device, std::span<const Target> targets) {
  if (device.info().local_memory < (std::uint64_t{48} << 10) || device.info().max_work_group_size < group_size)
    return nullptr;
  try {
    return std::make_unique<LossFinderMma>(device, targets);
  } catch (const BuildError& error) {
    if (error.log().empty()) throw;  // the source is missing, which is no answer of the compiler's
    return nullptr;
  }
}

}  // namespace genocl::pwm
