#include "genocl/primitives/segmented_sort.hpp"

#include <bit>

#include "genocl/error.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"

namespace genocl::primitives {
namespace {

// WINDOW and SMALL of segmented_sort.cl, SMALL of segmented_sort_cpu.cl.
constexpr std::uint64_t window = 2048, small_for_gpu = 256, small_for_cpu = 16384;

/// Scratch memory as an array.
template <class T>
struct Temporary {
  Temporary(const Device& device, std::uint64_t size)
      : memory(device, static_cast<std::size_t>(std::max<std::uint64_t>(size, 1) * sizeof(T))),
        array(Array<T>::adopt(device, memory.buffer(), static_cast<std::size_t>(size))) {}
  runtime::Scratch memory;
  Array<T> array;
};

template <class Key, class Offset>
class SegmentedSort {
 public:
  SegmentedSort(const Device& device, Array<Key>& keys, Array<std::uint32_t>& values, const Array<Offset>& offsets,
                const Tuning& tuning)
      : device_(device),
        keys_(keys),
        values_(values),
        offsets_(offsets),
        segments_(offsets.size() - 1),
        tuning_(tuning) {
    defines_.set("KEY", type_name<Key>()).set("OFFSET", type_name<Offset>());
  }

  std::uint64_t small_length() const { return uses_cpu_kernels(device_) ? small_for_cpu : small_for_gpu; }

  void sort_small() {
    const std::uint64_t key_count = keys_.size(), bytes = key_count * 2 * (sizeof(Key) + sizeof(std::uint32_t));
    if (uses_cpu_kernels(device_)) {
      const Shares shares = share_out(device_, tuning_, key_count, 64, 4096);
      const Temporary<Key> spare_keys(device_, shares.workers * small_for_cpu);
      const Temporary<std::uint32_t> spare_values(device_, shares.workers * small_for_cpu);
      runtime::Kernel(device_, "primitives/segmented_sort_cpu.cl", "segmented_sort_cpu",
                      runtime::Defines(defines_).set("SMALL", small_for_cpu))
          .args(keys_, values_, key_count, offsets_, segments_, shares.share, spare_keys.array, spare_values.array)
          .run(shares.workers, 1, bytes);
      return;
    }
    const std::uint64_t windows = ceil_div(key_count, window);
    const unsigned size = group_size(device_, tuning_);
    runtime::Defines defines = defines_;
    defines.set("GROUP_SIZE", size).set("WINDOW", window).set("SMALL", small_for_gpu);
    const Temporary<std::uint64_t> first_segments(device_, windows + 1);
    const char* file = "primitives/segmented_sort.cl";
    runtime::Kernel(device_, file, "segmented_sort_windows", defines)
        .args(offsets_, segments_, windows, first_segments.array)
        .run(static_cast<std::size_t>(ceil_div(windows + 1, size)), size);
    runtime::Kernel(device_, file, "segmented_sort_small", defines)
        .args(keys_, values_, key_count, offsets_, first_segments.array)
        .run(static_cast<std::size_t>(windows), size, bytes);
  }

  void sort_large() {
    // An upper bound, since segments do not overlap.
    const std::uint64_t most = std::min(segments_, keys_.size() / (small_length() + 1));
    if (most == 0) return;
    const Temporary<std::uint64_t> large(device_, most);
    std::uint64_t count = 0;
    {
      const Temporary<std::uint8_t> flags(device_, segments_);
      run("segmented_sort_flag", segments_, offsets_, segments_, std::uint64_t{keys_.size()}, small_length(), Own{},
          flags.array);
      Array<std::uint64_t> indices = Array<std::uint64_t>::adopt(device_, large.array.buffer(), large.array.size());
      count = std::min(most, select_indices(device_, flags.array, indices, tuning_));
    }
    if (count == 0) return;

    Temporary<std::uint64_t> starts(device_, count + 1);
    {
      const Temporary<std::uint64_t> lengths(device_, count);
      run("segmented_sort_lengths", count, offsets_, std::uint64_t{keys_.size()}, large.array, count, Own{},
          lengths.array);
      exclusive_scan(device_, lengths.array, starts.array, tuning_);
    }
    std::uint64_t total = 0;
    starts.array.download(std::span<std::uint64_t>(&total, 1), static_cast<std::size_t>(count));
    const auto key_bits = static_cast<unsigned>(std::bit_width(maximum(device_, keys_, tuning_)));
    const auto number_bits = static_cast<unsigned>(std::bit_width(count - 1));
    if (key_bits + number_bits <= 64)
      sort_numbered(large.array, starts.array, count, total, key_bits, number_bits);
    else
      sort_twice(large.array, starts.array, count, total, number_bits);
  }

 private:
  using Numbers = Array<std::uint64_t>;
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
    runtime::check_capacity(device_, "segmented sort", total * 8,
                            total * 12 + sort_scratch_bytes<std::uint64_t>(device_, total, true, bits));
    Temporary<std::uint64_t> numbered(device_, total);
    Temporary<std::uint32_t> taken(device_, total);
    run("segmented_sort_take", total, keys_, values_, offsets_, large, starts, count, total, std::uint32_t{key_bits},
        Own{}, numbered.array, taken.array);
    sort(device_, numbered.array, taken.array, bits);
    run("segmented_sort_put", total, numbered.array, taken.array, offsets_, large, starts, total,
        std::uint32_t{key_bits}, Own{}, keys_, values_);
  }

  /// Sorts by key, then by segment number; both sorts move only positions in the copy.
  void sort_twice(const Numbers& large, const Numbers& starts, std::uint64_t count, std::uint64_t total,
                  unsigned number_bits) {
    const std::uint64_t needed = total * 36 + sort_scratch_bytes<std::uint64_t>(device_, total, true);
    runtime::check_capacity(device_, "segmented sort", total * 8, needed);
    // Positions have 32 bits. Larger inputs at 36 bytes or more per element exceed current devices.
    if (total >> 32 != 0) throw CapacityError("segmented sort of 64-bit keys", needed, std::uint64_t{36} << 32);
    Temporary<std::uint64_t> taken_keys(device_, total), sorted_keys(device_, total);
    Temporary<std::uint32_t> taken_values(device_, total), order(device_, total), numbers(device_, total);
    run("segmented_sort_take", total, keys_, values_, offsets_, large, starts, count, total, std::uint32_t{64}, Own{},
        taken_keys.array, taken_values.array);
    sorted_keys.array.copy_from(taken_keys.array, static_cast<std::size_t>(total));
    iota(device_, order.array, 0u, tuning_);
    sort(device_, sorted_keys.array, order.array);
    run("segmented_sort_numbers", total, order.array, starts, count, total, Own{}, numbers.array);
    sort(device_, numbers.array, order.array, {.first_bit = 0, .last_bit = number_bits});
    run("segmented_sort_put_ordered", total, order.array, taken_keys.array, taken_values.array, offsets_, large, starts,
        count, total, Own{}, keys_, values_);
  }

  const Device& device_;
  Array<Key>& keys_;
  Array<std::uint32_t>& values_;
  const Array<Offset>& offsets_;
  std::uint64_t segments_;
  const Tuning& tuning_;
  runtime::Defines defines_;
};

}  // namespace

template <class Key, class Offset>
requires((std::same_as<Key, std::uint32_t> || std::same_as<Key, std::uint64_t>)&&(
    std::same_as<Offset, std::uint32_t> ||
    std::same_as<Offset, std::uint64_t>)) void segmented_sort(const Device& device, Array<Key>& keys,
                                                              Array<std::uint32_t>& values,
                                                              const Array<Offset>& offsets,
                                                              const SegmentedSortOptions& options) {
  if (keys.size() != values.size())
    throw InputError("segmented_sort: " + std::to_string(keys.size()) + " keys but " + std::to_string(values.size()) +
                     " values");
  if (offsets.empty()) throw InputError("segmented_sort: no offsets; even no segments need one");
  check_apart("segmented_sort", "keys and values", range_of(keys), range_of(values));
  check_apart("segmented_sort", "keys and offsets", range_of(keys), range_of(offsets));
  check_apart("segmented_sort", "values and offsets", range_of(values), range_of(offsets));
  if (keys.empty() || offsets.size() == 1) return;
  SegmentedSort<Key, Offset> sorting(device, keys, values, offsets, options.tuning);
  // The step that may fail for lack of memory comes first, before any change.
  if (options.longest_segment > sorting.small_length()) sorting.sort_large();
  sorting.sort_small();
}

#define GENOCL_SEGMENTED_SORT_OF(Key, Offset)                                                           \
  template void segmented_sort(const Device&, Array<Key>&, Array<std::uint32_t>&, const Array<Offset>&, \
                               const SegmentedSortOptions&)
GENOCL_SEGMENTED_SORT_OF(std::uint32_t, std::uint32_t);
GENOCL_SEGMENTED_SORT_OF(std::uint32_t, std::uint64_t);
GENOCL_SEGMENTED_SORT_OF(std::uint64_t, std::uint32_t);
GENOCL_SEGMENTED_SORT_OF(std::uint64_t, std::uint64_t);
#undef GENOCL_SEGMENTED_SORT_OF

}  // namespace genocl::primitives
