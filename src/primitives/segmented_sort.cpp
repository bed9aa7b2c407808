#include "genocl/primitives/segmented_sort.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "genocl/error.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "primitives/index_check.hpp"
#include "primitives/launch.hpp"
#include "primitives/radix_sort.hpp"
#include "primitives/sort_values.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"

namespace genocl::primitives {
namespace {

// WINDOW and SMALL of segmented_sort.cl, SMALL of segmented_sort_cpu.cl.
constexpr std::uint64_t window = 2048, small_for_gpu = 256, small_for_cpu = 16384;

/// Length of the longest segment that one group or worker sorts.
std::uint64_t small_segment(const Device& device) { return uses_cpu_kernels(device) ? small_for_cpu : small_for_gpu; }

using runtime::ScratchArray;

/// The type of the keys, and their order.
struct KeyOrder {
  std::size_t bytes;
  detail::KeyKind kind;
  bool descending;

  /// True if the keys are unsigned integers in ascending order of a type that maximum() takes.
  bool plain() const { return bytes >= 4 && kind == detail::KeyKind::unsigned_integer && !descending; }
};

template <class Offset>
struct Segments {
  MemoryView keys, values;  ///< without values: empty
  Span<const Offset> offsets;
};

template <class Offset>
class SegmentedSort {
 public:
  SegmentedSort(const Device& device, const Segments<Offset>& operands, const KeyOrder& order,
                const LaunchTuning& tuning)
      : device_(device),
        order_(order),
        has_values_(operands.values.bytes != 0),
        key_count_(operands.keys.bytes / order.bytes),
        keys_(operands.keys),
        values_(has_values_ ? operands.values : operands.keys),
        offsets_(operands.offsets),
        segments_(offsets_.size() - 1),
        tuning_(tuning),
        defines_(key_defines(order.bytes, order.kind, order.descending)) {
    defines_.set("OFFSET", type_name<Offset>()).set("HAS_VALUES", has_values_ ? 1 : 0);
  }

  std::uint64_t small_length() const { return small_segment(device_); }

  void sort_small() {
    const std::uint64_t bytes = key_count_ * 2 * (order_.bytes + (has_values_ ? 4 : 0));
    if (uses_cpu_kernels(device_)) {
      const Shares shares = share_out(device_, tuning_, key_count_, 64, 4096);
      const ScratchArray<std::byte> spare_keys(device_, shares.workers * small_for_cpu * order_.bytes);
      const ScratchArray<std::uint32_t> spare_values(device_, has_values_ ? shares.workers * small_for_cpu : 1);
      runtime::Kernel(device_, "primitives/segmented_sort_cpu.cl", "segmented_sort_cpu",
                      runtime::Defines(defines_).set("SMALL", small_for_cpu))
          .args(keys_, values_, key_count_, offsets_, segments_, shares.share, spare_keys, spare_values)
          .run(shares.workers, 1, bytes);
      return;
    }
    const std::uint64_t windows = ceil_div(key_count_, window);
    const unsigned size = group_size(device_, tuning_);
    runtime::Defines defines = defines_;
    defines.set("GROUP_SIZE", size).set("WINDOW", window).set("SMALL", small_for_gpu);
    defines.set("ONE_WINDOW", windows == 1 ? 1 : 0);
    const ScratchArray<std::uint64_t> first_segments(device_, windows + 1);
    const char* file = "primitives/segmented_sort.cl";
    if (windows > 1)
      runtime::Kernel(device_, file, "segmented_sort_windows", defines)
          .args(offsets_, segments_, windows, first_segments)
          .run(static_cast<std::size_t>(ceil_div(windows + 1, size)), size);
    runtime::Kernel(device_, file, "segmented_sort_small", defines)
        .args(keys_, values_, key_count_, offsets_, segments_, first_segments)
        .run(static_cast<std::size_t>(windows), size, bytes);
  }

  void sort_large() {
    // An upper bound, since segments do not overlap.
    const std::uint64_t max_large = std::min<std::uint64_t>(segments_, key_count_ / (small_length() + 1));
    if (max_large == 0) return;
    ScratchArray<std::uint64_t> large(device_, max_large);
    std::uint64_t count = 0;
    {
      const ScratchArray<std::uint8_t> flags(device_, segments_);
      run("segmented_sort_flag", segments_, offsets_, segments_, key_count_, small_length(), Own{}, flags);
      count = std::min(max_large, select_indices(device_, flags, large, {.tuning = tuning_}));
    }
    if (count == 0) return;

    ScratchArray<std::uint64_t> starts(device_, count + 1);
    {
      const ScratchArray<std::uint64_t> lengths(device_, count);
      run("segmented_sort_lengths", count, offsets_, key_count_, large, count, Own{}, lengths);
      exclusive_scan(device_, lengths, starts, {.tuning = tuning_});
    }
    std::uint64_t total = 0;
    starts.download(std::span<std::uint64_t>(&total, 1), static_cast<std::size_t>(count));
    const unsigned key_bits = width_of_keys();
    const auto number_bits = static_cast<unsigned>(std::bit_width(count - 1));
    if (key_bits + number_bits <= 64)
      sort_numbered(large, starts, count, total, key_bits, number_bits);
    else
      sort_twice(large, starts, count, total, number_bits);
  }

 private:
  using Numbers = ScratchArray<std::uint64_t>;

  /// The number of bits that encoded keys use.
  unsigned width_of_keys() const {
    if (!order_.plain()) return static_cast<unsigned>(8 * order_.bytes);
    const Call call{.tuning = tuning_};
    const std::uint64_t largest = order_.bytes == 4 ? maximum(device_, Span<const std::uint32_t>(keys_.view()), call)
                                                    : maximum(device_, Span<const std::uint64_t>(keys_.view()), call);
    return static_cast<unsigned>(std::bit_width(largest));
  }
  /// Placeholder in an argument list for the number of elements per work-item.
  struct Own {};

  /// Launches a kernel of segmented_sort_large.cl over `items`.
  template <class... Args>
  void run(const char* kernel, std::uint64_t items, const Args&... args) {
    runtime::Defines defines = defines_;
    std::uint64_t share = 1;
    std::size_t groups = 0;
    unsigned size = 1;
    if (uses_cpu_kernels(device_)) {
      const Shares shares = share_out(device_, tuning_, items, 64, 4096);
      share = shares.share;
      groups = shares.workers;
    } else {
      size = group_size(device_, tuning_);
      groups = static_cast<std::size_t>(ceil_div(items, size));
    }
    const auto resolve = [&]<class T>(const T& argument) -> decltype(auto) {
      if constexpr (std::is_same_v<T, Own>)
        return (share);
      else
        return (argument);
    };
    runtime::Kernel(device_, "primitives/segmented_sort_large.cl", kernel, defines.set("GROUP_SIZE", size))
        .args(resolve(args)...)
        .run(groups, size);
  }

  void sort_numbered(const Numbers& large, const Numbers& starts, std::uint64_t count, std::uint64_t total,
                     unsigned key_bits, unsigned number_bits) {
    const SortOptions bits{.first_bit = 0, .last_bit = key_bits + number_bits};
    runtime::check_capacity(
        device_, "segmented sort", total * 8,
        total * (has_values_ ? 12 : 8) + sort_scratch_bytes<std::uint64_t>(device_, total, has_values_, bits));
    ScratchArray<std::uint64_t> numbered(device_, total);
    ScratchArray<std::uint32_t> taken(device_, has_values_ ? total : 1);
    run("segmented_sort_take", total, keys_, values_, offsets_, large, starts, count, total, std::uint32_t{key_bits},
        Own{}, numbered, taken);
    if (has_values_)
      primitives::sort(device_, numbered, taken, bits);
    else
      primitives::sort(device_, numbered, bits);
    run("segmented_sort_put", total, numbered, taken, offsets_, large, starts, total, std::uint32_t{key_bits}, Own{},
        keys_, values_);
  }

  /// Sorts by key, then by segment number; both sorts move only positions in the copy.
  void sort_twice(const Numbers& large, const Numbers& starts, std::uint64_t count, std::uint64_t total,
                  unsigned number_bits) {
    const std::uint64_t needed =
        total * (has_values_ ? 36 : 24) + sort_scratch_bytes<std::uint64_t>(device_, total, true);
    runtime::check_capacity(device_, "segmented sort", total * 8, needed);
    // Positions have 32 bits. Larger inputs at 36 bytes or more per element exceed current devices.
    if (total >> 32 != 0) throw CapacityError("segmented sort of 64-bit keys", needed, std::uint64_t{36} << 32);
    ScratchArray<std::uint64_t> taken_keys(device_, total), sorted_keys(device_, total);
    ScratchArray<std::uint32_t> taken_values(device_, has_values_ ? total : 1);
    ScratchArray<std::uint32_t> order(device_, total), numbers(device_, total);
    run("segmented_sort_take", total, keys_, values_, offsets_, large, starts, count, total, std::uint32_t{64}, Own{},
        taken_keys, taken_values);
    sorted_keys.copy_from(taken_keys, static_cast<std::size_t>(total));
    iota(device_, order, 0u, {.tuning = tuning_});
    primitives::sort(device_, sorted_keys, order);
    run("segmented_sort_numbers", total, order, starts, count, total, Own{}, numbers);
    primitives::sort(device_, numbers, order, {.first_bit = 0, .last_bit = number_bits});
    run("segmented_sort_put_ordered", total, order, taken_keys, taken_values, offsets_, large, starts, count, total,
        Own{}, keys_, values_);
  }

  const Device& device_;
  const KeyOrder order_;
  const bool has_values_;
  const std::uint64_t key_count_;
  const Span<std::byte> keys_, values_;
  const Span<const Offset> offsets_;
  const std::uint64_t segments_;
  const LaunchTuning& tuning_;
  runtime::Defines defines_;
};

template <class Offset>
void run(const CallFrame& frame, const Segments<Offset>& segments, const KeyOrder& order,
         const SegmentedSortOptions& options, const LaunchTuning& tuning) {
  SegmentedSort<Offset> sorting(frame.device(), segments, order, tuning);
  // The step that may fail for lack of memory comes first, before any change.
  if (options.longest_segment > sorting.small_length()) sorting.sort_large();
  sorting.sort_small();
}

/// The view of an operand in the frame's buffer, which kernels can use.
MemoryView usable(const CallFrame& frame, std::size_t operand, const MemoryView& view) {
  return view.bytes == 0 ? MemoryView{} : MemoryView{frame[operand](), view.context, 0, view.bytes};
}

}  // namespace

void detail::segmented_sort(const Device& device, const SortOperands& operands, const MemoryView& offsets,
                            std::size_t offset_bytes, const SegmentedSortOptions& options, const Call& call) {
  const std::uint64_t keys = operands.keys.bytes / operands.key_bytes;
  const std::uint64_t values = operands.value_bytes == 0 ? keys : operands.values.bytes / operands.value_bytes;
  if (keys != values)
    throw InputError("segmented_sort: " + std::to_string(keys) + " keys but " + std::to_string(values) + " values");
  if (operands.value_bytes > 4 && keys > std::uint64_t{1} << 32)
    throw InputError("segmented_sort: " + std::to_string(keys) + " values of " + std::to_string(operands.value_bytes) +
                     " bytes; expected at most 2^32, or values of at most 4 bytes");
  if (offsets.bytes == 0) throw InputError("segmented_sort: no offsets; even no segments need one");
  CallFrame frame(device, call, "segmented_sort",
                  {{"keys", operands.keys, Access::update},
                   {"values", operands.values, Access::update},
                   {"offsets", offsets, Access::read}});
  const std::uint64_t segments = offsets.bytes / offset_bytes - 1;
  if (keys == 0 || segments == 0) return frame.finish();
  if (!call.scratch.empty())
    frame.require_scratch(segmented_sort_scratch_bytes(device, keys, segments, operands.key_bytes, operands.value_bytes,
                                                       options, call.tuning));
  check_offsets(device, "segmented_sort", {frame[2], segments + 1, offset_bytes}, keys);
  const KeyOrder order{operands.key_bytes, operands.key_kind, options.descending};
  const auto sort_words = [&](const MemoryView& words) {
    const auto with_offset = [&]<class Offset>(Offset) {
      run<Offset>(frame, {usable(frame, 0, operands.keys), words, Span<const Offset>(usable(frame, 2, offsets))}, order,
                  options, call.tuning);
    };
    offset_bytes == 4 ? with_offset(std::uint32_t{}) : with_offset(std::uint64_t{});
  };
  if (operands.value_bytes == 0 || operands.value_bytes == 4) {
    sort_words(usable(frame, 1, operands.values));
  } else {
    const ValueWords words{keys, operands.value_bytes, 4};
    words.sort_in_place(frame.device(), frame[1], [&](const cl::Buffer& buffer) {
      sort_words({buffer(), device.context()(), 0, static_cast<std::size_t>(words.array_bytes())});
    });
  }
  frame.finish();
}

std::uint64_t detail::segmented_sort_scratch_bytes(const Device& device, std::uint64_t keys, std::uint64_t segments,
                                                   std::size_t key_bytes, std::size_t value_bytes,
                                                   const SegmentedSortOptions& options, const LaunchTuning& tuning) {
  if (keys == 0 || segments == 0) return 0;
  const bool with_values = value_bytes != 0;
  runtime::ScratchSize small(device);
  if (with_values && value_bytes != 4) ValueWords{keys, value_bytes, 4}.add_scratch(small);
  if (uses_cpu_kernels(device)) {
    const std::uint64_t items = share_out(device, tuning, keys, 64, 4096).workers * small_for_cpu;
    small.add(items * key_bytes).add(with_values ? items * 4 : 4);
  } else {
    small.add((ceil_div(keys, window) + 1) * 8);
  }
  const std::uint64_t max_large = std::min(segments, keys / (small_segment(device) + 1));
  if (max_large == 0 || options.longest_segment <= small_segment(device)) return small.total();
  // All allocations of the search for long segments, and of the more expensive of the two ways to sort them.
  runtime::ScratchSize large(device);
  large.add(max_large * 8).add(segments).add((max_large + 1) * 8).add(max_large * 8);
  large.add(keys * 8).add(with_values ? keys * 4 : 4);
  if (key_bytes == 8) large.add(keys * 8).add(keys * 4).add(keys * 4);
  return small.total() + large.total() + select_scratch_bytes(device, segments, tuning) +
         scan_scratch_bytes(device, max_large + 1, 8, tuning) +
         reduce_scratch_bytes(device, keys, std::max<std::size_t>(key_bytes, 4)) +
         primitives::sort_scratch_bytes<std::uint64_t>(device, keys, true) +
         primitives::sort_scratch_bytes<std::uint32_t>(device, keys, true);
}

}  // namespace genocl::primitives
