// What the keys do not tell apart, on a GPU.
#include <algorithm>
#include <array>
#include <vector>

#include "overlap/suffix/hybrid.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap::hybrid {
namespace {

using runtime::ceil_div;

// What hybrid_ties_gpu.cl gets as TILE, SMALL, MEDIUM, SMALL_SAMPLES and MEDIUM_SAMPLES.
constexpr std::uint64_t tile = 2048, small = 32, medium = 1024, small_samples = 1024, medium_samples = 256;
enum Count { small_groups, medium_groups = 2, large_groups = 4, pairs = 6, left_groups, sampled = 9, count_words = 11 };
// Comparisons are worth it up to as many windows for each suffix of the text. DC3 moves as many bytes as 10 of them.
constexpr std::uint64_t most_windows = 8;

struct List {
  runtime::ScratchArray<std::uint32_t> starts, sizes;
  List(const Device& device, std::uint64_t most) : starts(device, most), sizes(device, most) {}
};

class Ties {
 public:
  Ties(const Task& task, const Sorted& sorted)
      : task_(task),
        sorted_(sorted),
        device_(task.device),
        size_(task.text.size),
        group_size_(runtime::group_size(task.device, {}, 256)),
        defines_(task.text.defines()
                     .set("GROUP_SIZE", group_size_)
                     .set("TILE", tile)
                     .set("SMALL", small)
                     .set("MEDIUM", medium)
                     .set("SMALL_SAMPLES", small_samples)
                     .set("MEDIUM_SAMPLES", medium_samples)),
        small_(device_, size_ / 2),
        medium_(device_, size_ / (small + 1)),
        large_(device_, size_ / (medium + 1)),
        counts_(device_, count_words) {}

  KeyGroups resolve(std::uint64_t most_left, bool whatever_it_takes) {
    counts_.fill(0);
    run("find_ties", ceil_div(size_, tile), size_ * 4, sorted_.keys, size_, sorted_.shift, sorted_.depth, text(),
        breaks(), task_.positions, small_.starts, small_.sizes, medium_.starts, medium_.sizes, large_.starts,
        large_.sizes, counts_);
    run("sample_ties", ceil_div(small_samples + medium_samples, group_size_), 0, text(), breaks(), size_, sorted_.depth,
        task_.positions, small_.starts, small_.sizes, medium_.starts, medium_.sizes, counts_);
    read_counts();
    const std::uint64_t in_small = found_[small_groups + 1], in_medium = found_[medium_groups + 1],
                        in_large = found_[large_groups + 1];
    const std::uint64_t unresolved = 2 * std::uint64_t{found_[pairs]} + in_small + in_medium + in_large;
    const bool compare = windows_expected() <= most_windows * size_;
    const std::uint64_t sure_left = compare ? in_large : in_small + in_medium + in_large;
    const bool give_up = !whatever_it_takes && sure_left > most_left;
    List left(device_, give_up ? 0 : in_small / 2 + in_medium / 2 + found_[large_groups]);
    KeyGroups groups{Groups{std::move(left.starts), std::move(left.sizes), 0, 0, sorted_.depth}, unresolved, give_up};
    if (give_up || in_small + in_medium + in_large == 0) return groups;

    leave(large_, large_groups, groups.left);
    if (compare) {
      compare_groups(in_medium, groups.left);
    } else {
      leave(small_, small_groups, groups.left);
      leave(medium_, medium_groups, groups.left);
    }
    read_counts();
    groups.left.count = found_[left_groups];
    groups.left.members = found_[left_groups + 1];
    groups.given_up = !whatever_it_takes && groups.left.members > most_left;
    return groups;
  }

 private:
  const Array<std::uint64_t>& text() const { return task_.text.words; }
  const Array<std::uint32_t>& breaks() const { return task_.text.breaks; }

  template <class... Arguments>
  void run(const char* name, std::uint64_t groups, std::uint64_t bytes, const Arguments&... arguments) {
    runtime::Kernel(device_, "overlap/suffix/hybrid_ties_gpu.cl", name, defines_)
        .args(arguments...)
        .run(static_cast<std::size_t>(groups), group_size_, bytes);
  }

  void read_counts() { counts_.download(std::span<std::uint32_t>(found_)); }

  /// From the samples: of small groups all pairs are compared, of medium ones those of the small groups they become.
  std::uint64_t windows_expected() const {
    const auto scaled = [&](std::size_t sum, std::size_t groups, std::uint64_t samples) {
      return std::uint64_t{found_[sum]} * found_[groups] / std::clamp<std::uint64_t>(found_[groups], 1, samples);
    };
    return scaled(sampled, small_groups, small_samples) +
           small / 2 * scaled(sampled + 1, medium_groups, medium_samples);
  }

  void leave(const List& list, std::size_t index, const Groups& left) {
    const std::uint32_t count = found_[index];
    if (count == 0) return;
    run("leave_groups", ceil_div(count, group_size_), std::uint64_t{count} * 16, list.starts, list.sizes, count,
        left.starts, left.sizes, to_, found_[index + 1], counts_);
    to_ += count;
  }

  void compare_groups(std::uint64_t in_medium, const Groups& left) {
    const std::uint64_t most_groups = 2 * runtime::groups_that_fill(device_);
    if (const std::uint32_t count = found_[medium_groups]; count != 0)
      run("split_medium", std::min<std::uint64_t>(count, most_groups), in_medium * 48, text(), breaks(), size_,
          sorted_.depth, task_.positions, medium_.starts, medium_.sizes, count, small_.starts, small_.sizes,
          left.starts, left.sizes, counts_);
    const std::uint64_t most = found_[small_groups] + in_medium / 2;
    if (most == 0) return;
    run("rank_small", std::min(ceil_div(most, group_size_ / small), most_groups), windows_expected() * 64, text(),
        breaks(), size_, sorted_.depth, task_.positions, small_.starts, small_.sizes, left.starts, left.sizes, counts_);
  }

  const Task& task_;
  const Sorted& sorted_;
  const Device& device_;
  std::uint64_t size_;
  unsigned group_size_;
  runtime::Defines defines_;
  List small_, medium_, large_;
  runtime::ScratchArray<std::uint32_t> counts_;
  std::array<std::uint32_t, count_words> found_{};
  std::uint32_t to_ = 0;
};

}  // namespace

KeyGroups resolve_on_gpu(const Task& task, const Sorted& sorted, std::uint64_t most_left, bool whatever_it_takes) {
  return Ties(task, sorted).resolve(most_left, whatever_it_takes);
}

std::uint64_t gpu_bytes(std::uint64_t size) {
  // The keys, three lists, and the list of what is left: no more groups than half the members.
  return 4 * size + 8 * (size / 2 + size / (small + 1) + size / (medium + 1)) + 4 * size;
}

}  // namespace genocl::overlap::hybrid
