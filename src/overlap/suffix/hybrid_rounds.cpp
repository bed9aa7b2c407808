#include <algorithm>
#include <bit>
#include <memory>

#include "genocl/opencl.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/suffix/hybrid.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap::hybrid {
namespace {

constexpr const char* file = "overlap/suffix/hybrid_rounds.cl";
constexpr unsigned run_bits = 6;  // RUN_BITS

/// Members of groups, in the order of their groups.
struct Members {
  Members(const Device& device, std::uint64_t size)
      : count(size), slots(device, size), positions(device, size), groups(device, size) {}
  std::uint64_t count;
  runtime::ScratchArray<std::uint32_t> slots, positions, groups;
};

unsigned bits_for(std::uint64_t largest) { return static_cast<unsigned>(std::bit_width(largest)); }

class Rounds {
 public:
  Rounds(const Task& task, Groups& groups)
      : task_(task),
        device_(task.device),
        size_(task.text.size),
        ranks_(task.device, task.text.size),
        members_(std::make_unique<Members>(task.device, groups.members)),
        group_count_(groups.count),
        depth_(groups.depth) {
    runtime::ScratchArray<std::uint32_t> offsets(device_, groups.count + 1);
    primitives::exclusive_scan(device_, Array<std::uint32_t>::adopt(device_, groups.sizes.buffer(), groups.count),
                               offsets);
    Members& members = *members_;
    launch("spread_members", members.count, 28, groups.starts, offsets, static_cast<cl_uint>(groups.count),
           task.positions, members.slots, members.positions, members.groups);
    launch("rank_all", size_, 8, task.positions, ranks_);
    launch("rank_members", members.count, 16, members.positions, members.groups, groups.starts, ranks_);
  }

  void run() {
    sort_members(true);
    while (members_) {
      task_.told_apart(depth_, members_->count);
      sort_members(false);
      depth_ *= 2;
    }
  }

 private:
  template <class... Arguments>
  void launch(const char* name, std::uint64_t items, unsigned bytes, const Arguments&... arguments) {
    runtime::launch_items(device_, file, name, task_.text.defines().set("RUN_BITS", run_bits),
                          {.items = items, .bytes = items * bytes}, arguments..., items);
  }

  /// One round; what is not alone in its group then is left.
  void sort_members(bool by_runs) {
    Members& members = *members_;
    const unsigned low_bits = by_runs ? run_bits : bits_for(size_);
    runtime::ScratchArray<std::uint64_t> keys(device_, members.count);
    if (by_runs)
      launch("run_keys", members.count, 20, task_.text.breaks, size_, static_cast<cl_uint>(depth_), members.positions,
             members.groups, keys);
    else
      launch("rank_keys", members.count, 48, ranks_, size_, depth_, low_bits, members.positions, members.groups, keys);
    primitives::sort(device_, keys, members.positions, {.last_bit = std::min(64u, low_bits + bits_for(group_count_))});
    runtime::ScratchArray<std::uint32_t> firsts(device_, members.count);
    launch("round_firsts", members.count, 12, keys, by_runs ? 1u : 0u, firsts);
    primitives::inclusive_max_scan(device_, firsts, firsts);
    runtime::ScratchArray<std::uint8_t> keep(device_, members.count);
    launch("place_members", members.count, 60, members.slots, members.positions, firsts, task_.positions, ranks_, keep);
    runtime::ScratchArray<std::uint32_t> kept(device_, members.count);
    const std::uint64_t left = primitives::select_indices(device_, keep, kept);
    if (left == 0) {
      members_.reset();
      return;
    }
    auto next = std::make_unique<Members>(device_, left);
    launch("keep_members", left, 28, kept, members.slots, members.positions, firsts, next->slots, next->positions,
           next->groups);
    primitives::inclusive_scan(device_, next->groups, next->groups);
    group_count_ = left / 2;
    members_ = std::move(next);
  }

  const Task& task_;
  const Device& device_;
  std::uint64_t size_;
  runtime::ScratchArray<std::uint32_t> ranks_;
  std::unique_ptr<Members> members_;
  std::uint64_t group_count_, depth_;
};

}  // namespace

void sort_by_rounds(const Task& task, Groups groups) { Rounds(task, groups).run(); }

std::uint64_t round_bytes(const Device& device, std::uint64_t size, std::uint64_t members) {
  const std::uint64_t sort = primitives::sort_scratch_bytes<std::uint64_t>(device, members, true);
  // Ranks; slots, members and groups twice; keys; firsts, keep and kept.
  return 4 * size + sort + members * (2 * 12 + 8 + 9);
}

}  // namespace genocl::overlap::hybrid
