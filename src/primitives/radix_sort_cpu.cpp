#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/opencl.hpp"
#include "primitives/launch.hpp"
#include "primitives/radix_sort.hpp"
#include "runtime/defines.hpp"
#include "runtime/kernel.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

constexpr unsigned max_digit_bits = 11;
constexpr unsigned max_digits = 1u << max_digit_bits;
constexpr unsigned local_digit_bits = 8;
constexpr std::uint64_t array_line = 16;
// Two counts and six digits of a 64-bit key in two launches each, and spare entries.
constexpr std::uint64_t max_launches = 64;

struct Digit {
  unsigned first_bit, bits;
  unsigned mask() const noexcept { return (1u << bits) - 1; }
  bool operator==(const Digit&) const = default;
};

unsigned record_bytes(const SortTask& task) {
  return task.has_values() ? 2 * task.largest_bytes() : task.register_bytes();
}

// A worker buffers sixteen keys and values of each digit.
std::uint64_t gather_bytes(const SortTask& task) {
  return std::uint64_t{max_digits} * array_line * (task.value_bytes == 8 ? 16 : 12);
}

runtime::Defines record_defines(const SortTask& task, const CpuTuning& tuning) {
  return key_defines(task).set("VALUE_BYTES", task.value_bytes).set("OFFSET", tuning.wide ? "ulong" : "uint");
}

runtime::Defines pass_defines(const SortTask& task, const CpuTuning& tuning) {
  return record_defines(task, tuning)
      .set("MAX_DIGITS", max_digits)
      .set("ARRAY_LINE", array_line)
      .set("GATHER_BYTES", gather_bytes(task));
}

runtime::Defines bucket_defines(const SortTask& task, const CpuTuning& tuning, unsigned passes) {
  return record_defines(task, tuning).set("LOCAL_PASSES", passes).set("LOCAL_DIGITS", 1u << local_digit_bits);
}

// The width of `count` digits of equal width over `bits` bits.
unsigned digit_width(unsigned bits, unsigned count) { return static_cast<unsigned>(ceil_div(bits, count)); }

// Inside a bucket: 256 write positions stay in the first-level cache, 2,048 do not. Three passes of 8 bits take less
// time than two of 11.
unsigned local_passes(unsigned bits) { return static_cast<unsigned>(ceil_div(bits, local_digit_bits)); }

// Over the whole array an even number of passes returns the items to the original arrays.
unsigned passes_over_all(unsigned bits) {
  if (bits <= 2 * max_digit_bits) return static_cast<unsigned>(ceil_div(bits, max_digit_bits));
  return static_cast<unsigned>(ceil_div(bits, 2 * local_digit_bits)) * 2;
}

// A sort in several launches. Owns the scratch memory and both forms of the array, separate arrays and records.
class CpuSort {
 public:
  CpuSort(const Device& device, const SortTask& task, const CpuTuning& tuning, const SortBuffers& items,
          const SortBuffers& from)
      : device_(device),
        task_(task),
        tuning_(tuning),
        items_(items),
        from_(&from),
        counts_(device, std::uint64_t{tuning.ranges} * max_digits * offset_bytes()),
        starts_(device, (max_digits + 1) * offset_bytes()),
        survey_(device, (std::uint64_t{tuning.ranges} + 1) * 8),
        records_(device, task.count * record_bytes(task)),
        gather_(device, tuning.workers * gather_bytes(task)),
        taken_(device, max_launches * 4) {
    const cl_uint zero = 0;
    runtime::fill(device_, taken_.buffer(), &zero, sizeof zero, max_launches * 4);
  }

  void run() {
    const bool buckets_wanted = task_.bits() > tuning_.bucket_bits;
    // The first count also finds the bits in which the keys differ. Usually the next pass needs the same count.
    const Digit guess = buckets_wanted ? top_digit(task_.last_bit) : low_digit(task_.first_bit, task_.last_bit);
    count_keys(guess);
    read_survey();
    if (varying_ == 0) return copy_items();
    const unsigned lowest = static_cast<unsigned>(std::countr_zero(varying_));
    const unsigned last = static_cast<unsigned>(std::bit_width(varying_));
    if (buckets_wanted && last - lowest > tuning_.bucket_bits) {
      const Digit top = top_digit(last);
      if (top != guess) {
        count_keys(top);
        read_survey();
      }
      if (largest_ <= tuning_.bucket_capacity) {
        sort_buckets(top, lowest);
        return;
      }
    }
    sort_by_digits(last);
  }

 private:
  std::uint64_t offset_bytes() const noexcept { return tuning_.wide ? 8 : 4; }

  // Workers take ranges through a counter, one per launch.
  template <class... Args>
  void launch(std::string_view name, std::uint64_t bytes, const Args&... args) {
    const std::uint64_t counter = launches_++;
    const auto start = [&](auto count) {
      runtime::Kernel(device_, "primitives/radix_sort_cpu.cl", name, pass_defines(task_, tuning_))
          .args(taken_, static_cast<cl_uint>(counter), tuning_.ranges, count, args...)
          .run(tuning_.workers, 1, bytes);
    };
    if (tuning_.wide)
      start(static_cast<cl_ulong>(task_.count));
    else
      start(static_cast<cl_uint>(task_.count));
  }

  Digit top_digit(unsigned last) const { return {last - tuning_.bucket_bits, tuning_.bucket_bits}; }
  static Digit low_digit(unsigned first, unsigned last) {
    const unsigned bits = last - first;
    return {first, std::min(bits, digit_width(bits, passes_over_all(bits)))};
  }

  // counts_ becomes the first position of each range and digit.
  void count_keys(const Digit& digit) {
    launch("radix_count_keys", task_.key_array_bytes(), digit.first_bit, digit.mask(), from_->keys, counts_, survey_);
    find_starts(digit);
    counted_ = digit;
  }
  void count_records(const Digit& digit) {
    launch("radix_count_records", task_.count * record_bytes(task_), digit.first_bit, digit.mask(), records_, counts_);
    find_starts(digit);
  }
  void find_starts(const Digit& digit) {
    runtime::Kernel(device_, "primitives/radix_sort_cpu.cl", "radix_starts", pass_defines(task_, tuning_))
        .args(counts_, tuning_.ranges, digit.mask(), starts_, survey_)
        .run(1, 1);
  }
  void to_records(const Digit& digit) {
    launch("radix_scatter_to_records", moved_bytes(), digit.first_bit, digit.mask(), from_->keys, from_->values,
           counts_, gather_, records_);
  }
  void to_arrays(const Digit& digit) {
    launch("radix_scatter_to_arrays", moved_bytes(), digit.first_bit, digit.mask(), records_, counts_, gather_,
           items_.keys, items_.values);
    from_ = &items_;
  }
  // All keys are equal: the order is that of the input.
  void copy_items() {
    if (from_->keys() == items_.keys()) return;
    runtime::copy(device_, from_->keys, 0, items_.keys, 0, task_.key_array_bytes());
    if (task_.has_values()) runtime::copy(device_, from_->values, 0, items_.values, 0, task_.value_array_bytes());
  }
  std::uint64_t moved_bytes() const { return task_.count * (task_.item_bytes() + record_bytes(task_)); }

  // survey_: the count of the largest digit, then the varying bits of each range.
  void read_survey() {
    std::vector<std::uint64_t> words(tuning_.ranges + 1);
    runtime::download(device_, survey_.buffer(), 0, words.data(), words.size() * 8);
    largest_ = words[0];
    varying_ = 0;
    for (std::size_t i = 1; i < words.size(); ++i) varying_ |= words[i];
    const std::uint64_t all = ~std::uint64_t{0};
    varying_ &= (task_.last_bit == 64 ? all : ~(all << task_.last_bit)) & (all << task_.first_bit);
  }

  void sort_buckets(const Digit& top, unsigned lowest) {
    to_records(top);
    const unsigned bits = top.first_bit - lowest;
    const unsigned passes = local_passes(bits);
    const runtime::Scratch bucket_records(device_, tuning_.workers * tuning_.bucket_capacity * record_bytes(task_));
    runtime::Kernel(device_, "primitives/radix_sort_buckets.cl", "radix_sort_buckets",
                    bucket_defines(task_, tuning_, passes))
        .args(taken_, static_cast<cl_uint>(launches_++), 1u << top.bits, records_, starts_, bucket_records,
              static_cast<cl_ulong>(tuning_.bucket_capacity), lowest, digit_width(bits, passes), top.first_bit,
              items_.keys, items_.values)
        .run(tuning_.workers, 1, moved_bytes() * passes);
  }

  // Least significant digit first over the whole array, with all workers. Skips bits in which all keys agree.
  void sort_by_digits(unsigned last) {
    bool in_records = false, moved = false;
    unsigned first = static_cast<unsigned>(std::countr_zero(varying_));
    while (first < last) {
      const Digit digit = low_digit(first, last);
      if (in_records) {
        count_records(digit);
        to_arrays(digit);
      } else {
        if (moved || digit != counted_) count_keys(digit);
        to_records(digit);
      }
      moved = true;
      in_records = !in_records;
      first += digit.bits;
      while (first < last && (varying_ >> first & 1) == 0) ++first;
    }
    if (in_records) launch("radix_unpack", moved_bytes(), records_, items_.keys, items_.values);
  }

  const Device& device_;
  const SortTask& task_;
  const CpuTuning& tuning_;
  const SortBuffers& items_;
  const SortBuffers* from_;  // the arrays that have the items: the source, after the first two passes items_
  runtime::Scratch counts_, starts_, survey_, records_, gather_, taken_;
  std::uint64_t launches_ = 0;
  Digit counted_{};  // the digit that counts_ describes
  std::uint64_t varying_ = 0, largest_ = 0;
};

void sort_small(const Device& device, const SortTask& task, const CpuTuning& tuning, const SortBuffers& items,
                const SortBuffers& from) {
  const runtime::Scratch scratch(device, 2 * task.count * record_bytes(task));
  const unsigned passes = local_passes(task.bits());
  runtime::Kernel(device, "primitives/radix_sort_buckets.cl", "radix_sort_small", bucket_defines(task, tuning, passes))
      .args(from.keys, from.values, items.keys, items.values, static_cast<cl_uint>(task.count), scratch, task.first_bit,
            digit_width(task.bits(), passes), task.last_bit)
      .run(1, 1, 2 * task.count * task.item_bytes());
}

}  // namespace

CpuTuning cpu_tuning(const Device& device, const SortTask& task) {
  CpuTuning tuning;
  const unsigned threads = std::max(1u, device.info().compute_units);
  tuning.workers = 2 * threads;
  tuning.ranges =
      static_cast<unsigned>(std::clamp<std::uint64_t>(task.count >> 18, threads, std::uint64_t{4} * threads));
  tuning.small_count = std::uint64_t{1} << 15;
  tuning.wide = task.count >= std::uint64_t{1} << 30;
  // Buckets of about 2^14 records fit a second-level cache with their scratch memory.
  const unsigned magnitude = static_cast<unsigned>(std::bit_width(task.count));
  tuning.bucket_bits = std::clamp(magnitude > 15 ? magnitude - 15 : 0u, 8u, max_digit_bits);
  const std::uint64_t average = std::max<std::uint64_t>(1, task.count >> tuning.bucket_bits);
  // Real keys are skewed, but a bucket much larger than a cache would be sorted slowly by one worker. The workers'
  // bucket space together need not exceed the array.
  tuning.bucket_capacity =
      std::min(task.count, std::clamp<std::uint64_t>(task.count / tuning.workers, 4 * average, 16 * average));
  return tuning;
}

runtime::ScratchSize cpu_scratch(const Device& device, const SortTask& task, const CpuTuning& tuning) {
  runtime::ScratchSize scratch(device);
  if (task.count <= tuning.small_count) {
    scratch.add(2 * task.count * record_bytes(task));
    return scratch;
  }
  scratch.add(task.count * record_bytes(task));
  scratch.add(std::uint64_t{tuning.ranges} * max_digits * 8);
  scratch.add(std::uint64_t{max_digits + 1} * 8);
  scratch.add((std::uint64_t{tuning.ranges} + 1) * 8);
  scratch.add(tuning.workers * gather_bytes(task));
  scratch.add(max_launches * 4);
  scratch.add(tuning.workers * tuning.bucket_capacity * record_bytes(task));
  return scratch;
}

void sort_on_cpu(const Device& device, const SortTask& task, const CpuTuning& tuning, const SortBuffers& items,
                 const SortBuffers* from) {
  const SortBuffers& source = from != nullptr ? *from : items;
  if (task.count <= tuning.small_count)
    sort_small(device, task, tuning, items, source);
  else
    CpuSort(device, task, tuning, items, source).run();
}

}  // namespace genocl::primitives
