#include "genocl/primitives/top_k.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/launch.hpp"
#include "primitives/radix_sort.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

using detail::Selection;

constexpr const char* select_file = "primitives/radix_select.cl";
/// BINS of radix_select.cl.
constexpr unsigned select_digit_bits = 11, select_bins = 1u << select_digit_bits;

Shares select_shares(const Device& device, std::uint64_t count, const LaunchTuning& tuning) {
  const Shares shares = share_out(device, tuning, count, 64, 16384);
  const std::uint64_t max_share = std::uint64_t{1} << 31;  // maximum number of keys whose counts fit 32 bits
  return shares.share <= max_share ? shares : Shares{max_share, static_cast<std::size_t>(ceil_div(count, max_share))};
}

std::uint64_t select_chunk(const Device& device, std::uint64_t count, const LaunchTuning& tuning) {
  const std::uint64_t max_chunks = std::min<std::uint64_t>(groups_that_fill(device), 4096);
  const std::uint64_t tile = std::uint64_t{group_size(device, tuning)} * 8;
  return std::clamp<std::uint64_t>(round_up(ceil_div(count, max_chunks), tile), tile, std::uint64_t{1} << 31);
}

struct SelectMemory {
  std::uint64_t counts, totals;  ///< bytes
};

SelectMemory memory_of(const Device& device, std::uint64_t count, const LaunchTuning& tuning) {
  if (uses_cpu_kernels(device)) {
    const std::uint64_t workers = select_shares(device, count, tuning).workers;
    return {workers * select_bins * sizeof(std::uint32_t), workers * 16};
  }
  const std::uint64_t chunks = ceil_div(count, select_chunk(device, count, tuning));
  return {select_bins * sizeof(std::uint64_t), std::max<std::uint64_t>(chunks, 1) * 16};
}

/// Keys and values; without values: a null buffer.
struct Items {
  cl::Buffer keys, values;
};

/// The filter of top_k_cpu.cl: a buffer of keys and a table of each worker, and the first k keys of each.
struct TopKFilter {
  static constexpr std::uint64_t max_k = 2048;

  Shares shares;           ///< few workers, since each begins without a good limit
  std::uint32_t capacity;  ///< keys of a buffer

  TopKFilter(const Device& device, std::uint64_t count, std::uint64_t k, const LaunchTuning& tuning)
      : shares(share_out(device, tuning, count, 64, 65536, 8)),
        capacity(static_cast<std::uint32_t>(k + std::max<std::uint64_t>(k, 4096))) {}

  /// Whether the filter drops most keys.
  bool is_worth_it(std::uint64_t k) const { return k <= max_k && capacity * std::uint64_t{8} <= shares.share; }
  /// The keys that the filter keeps: k of each worker, of the last one perhaps fewer.
  std::uint64_t kept(std::uint64_t count, std::uint64_t k) const {
    const std::uint64_t others = shares.workers - 1;
    return others * k + std::min(k, count - others * shares.share);
  }
};

/// The launches of one selection.
class RadixSelector {
 public:
  RadixSelector(const Device& device, const Selection& job, std::uint64_t count, bool all, const LaunchTuning& tuning)
      : device_(device),
        job_(job),
        count_(count),
        all_(all),
        cpu_(uses_cpu_kernels(device)),
        size_(cpu_ ? 1 : group_size(device, tuning)),
        share_(cpu_ ? select_shares(device, count, tuning).share : select_chunk(device, count, tuning)),
        groups_(static_cast<std::size_t>(ceil_div(count, share_))),
        state_(device, 16),
        counts_(device, static_cast<std::size_t>(memory_of(device, count, tuning).counts)),
        totals_(device, static_cast<std::size_t>(memory_of(device, count, tuning).totals)) {}

  void run(const Items& from, const Items& to, std::uint64_t capacity) const {
    find_kth(from.keys);
    if (!cpu_)
      kernel_of("select_totals")
          .args(from.keys, count_, share_, state_, totals_)
          .run(groups_, size_, key_array_bytes());
    runtime::Kernel write = kernel_of("select_write");
    write.args(from.keys, count_, share_, job_.k, capacity, state_, totals_, to.keys);
    if (job_.operands.value_bytes != 0) write.append(from.values, to.values);
    write.run(groups_, size_, key_array_bytes());
  }

 private:
  /// Leaves the k-th key in the state.
  void find_kth(const cl::Buffer& keys) const {
    const std::array<std::uint64_t, 2> start{0, job_.k};
    runtime::fill(device_, state_.buffer(), start.data(), 16, 16);
    const std::uint64_t zero = 0;
    if (cpu_)
      runtime::fill(device_, totals_.buffer(), &zero, sizeof zero, groups_ * 16);
    else
      runtime::fill(device_, counts_.buffer(), &zero, sizeof zero, select_bins * sizeof zero);
    const auto width = static_cast<unsigned>(job_.operands.key_bytes) * 8;
    for (unsigned top = width; top > 0;) {
      const std::uint32_t shift = top > select_digit_bits ? top - select_digit_bits : 0;
      const std::uint32_t mask = (1u << (top - shift)) - 1;
      const std::uint64_t high = top == width ? 0 : ~std::uint64_t{0} << top;
      kernel_of("select_count")
          .args(keys, count_, share_, shift, mask, high, state_, counts_)
          .run(groups_, size_, key_array_bytes());
      runtime::Kernel digit = kernel_of("select_digit");
      if (cpu_)
        digit.args(counts_, static_cast<std::uint32_t>(groups_), shift, state_, totals_);
      else
        digit.args(counts_, shift, state_);
      digit.run(1, size_);
      top = shift;
    }
  }

  runtime::Kernel kernel_of(std::string name) const {
    const auto& operands = job_.operands;
    runtime::Defines defines = key_defines(operands.key_bytes, operands.key_kind, job_.descending);
    defines.set("COUNT_WORDS", 2).set("ALL", all_ ? 1 : 0).set("HAS_VALUES", operands.value_bytes != 0 ? 1 : 0);
    if (operands.value_bytes != 0) defines.set("VALUE", type_of_size(operands.value_bytes));
    if (cpu_)
      defines.set("ONLY_CPU", 1);
    else
      defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size_);
    name += cpu_ ? "_cpu" : "_gpu";
    return runtime::Kernel(device_, select_file, name, defines);
  }

  std::uint64_t key_array_bytes() const { return count_ * job_.operands.key_bytes; }

  const Device& device_;
  const Selection& job_;
  const std::uint64_t count_;
  const bool all_, cpu_;
  const unsigned size_;
  const std::uint64_t share_;
  const std::size_t groups_;
  const runtime::Scratch state_, counts_, totals_;
};

/// The first k keys, with values, through the first k of each worker.
void filter_and_select(const Device& device, const Selection& job, std::uint64_t count, const TopKFilter& filter,
                       const Items& from, const Items& to, const LaunchTuning& tuning) {
  const auto& operands = job.operands;
  const std::size_t workers = filter.shares.workers, buffered = workers * filter.capacity,
                    kept = workers * static_cast<std::size_t>(job.k);
  const runtime::Scratch tables(device, workers * select_bins * sizeof(std::uint32_t)),
      buffers(device, buffered * operands.key_bytes), kept_keys(device, kept * operands.key_bytes),
      shared(device, sizeof(std::uint32_t));
  const std::uint32_t no_limit = 0xffffffffu;
  runtime::fill(device, shared.buffer(), &no_limit, sizeof no_limit, sizeof no_limit);
  const bool has_values = operands.value_bytes != 0;
  const auto for_values = [&](std::size_t number) {
    return has_values ? runtime::Scratch(device, number * operands.value_bytes) : runtime::Scratch();
  };
  const runtime::Scratch buffer_values = for_values(buffered), kept_values = for_values(kept);
  runtime::Defines defines = key_defines(operands.key_bytes, operands.key_kind, job.descending);
  defines.set("ONLY_CPU", 1).set("HAS_VALUES", has_values ? 1 : 0);
  if (has_values) defines.set("VALUE", type_of_size(operands.value_bytes));
  runtime::Kernel kernel(device, "primitives/top_k_cpu.cl", "top_k_filter_cpu", defines);
  kernel.args(from.keys, count, filter.shares.share, static_cast<std::uint32_t>(job.k), filter.capacity, buffers,
              tables, shared, kept_keys);
  if (has_values) kernel.append(from.values, buffer_values, kept_values);
  kernel.run(workers, 1, count * operands.key_bytes);
  RadixSelector(device, job, filter.kept(count, job.k), false, tuning)
      .run({kept_keys.buffer(), has_values ? kept_values.buffer() : cl::Buffer()}, to, job.k);
}

/// LIMIT of select_small.cl.
constexpr std::uint64_t small_selection = 2048;

/// True if select_at_once() takes this number of keys. Explicit launch parameters are those of the other kernels.
bool selects_at_once(std::uint64_t count, const LaunchTuning& tuning) {
  return count <= small_selection && tuning.group_size == 0 && tuning.workers == 0;
}

/// A selection in one launch. With `all`, `to` may be `from`.
void select_at_once(const Device& device, const Selection& job, std::uint64_t count, bool all, const Items& from,
                    const Items& to) {
  const auto& operands = job.operands;
  runtime::Defines defines = key_defines(operands.key_bytes, operands.key_kind, job.descending);
  defines.set("HAS_VALUES", operands.value_bytes != 0 ? 1 : 0).set("ALL", all ? 1 : 0).set("LIMIT", small_selection);
  if (operands.value_bytes != 0) defines.set("VALUE", type_of_size(operands.value_bytes));
  const bool cpu = uses_cpu_kernels(device);
  const unsigned size = cpu ? 1 : std::min(group_size(device), 256u);
  if (cpu)
    defines.set("ONLY_CPU", 1);
  else
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  runtime::Kernel kernel(device, "primitives/select_small.cl", cpu ? "select_small_cpu" : "select_small_gpu", defines);
  kernel.args(from.keys, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(job.k), to.keys);
  if (operands.value_bytes != 0) kernel.append(from.values, to.values);
  kernel.run(1, size, 2 * count * (operands.key_bytes + operands.value_bytes));
}

/// Throws InputError for other numbers of values, and unless 1 <= k <= keys. Returns the number of keys.
std::uint64_t check_selection(const char* name, const Selection& job) {
  const auto& operands = job.operands;
  const std::uint64_t count = operands.keys.bytes / operands.key_bytes;
  if (operands.value_bytes != 0 && operands.values.bytes / operands.value_bytes != count)
    throw InputError(std::string(name) + ": " + std::to_string(count) + " keys with " +
                     std::to_string(operands.values.bytes / operands.value_bytes) + " values");
  return count;
}

}  // namespace

void detail::top_k(const Device& device, const Selection& job, const Call& call) {
  const std::uint64_t count = check_selection("top_k", job);
  if (job.k > count) throw InputError("top_k: " + std::to_string(job.k) + " of " + std::to_string(count) + " keys");
  if (job.operands.value_bytes != 0 && job.result_values.bytes / job.operands.value_bytes != job.k)
    throw InputError("top_k: " + std::to_string(job.k) + " keys but " +
                     std::to_string(job.result_values.bytes / job.operands.value_bytes) + " values of results");
  CallFrame frame(device, call, "top_k",
                  {{"keys", job.operands.keys, Access::read},
                   {"values", job.operands.values, Access::read},
                   {"top keys", job.result_keys, Access::write},
                   {"top values", job.result_values, Access::write}});
  if (!call.scratch.empty()) frame.require_scratch(top_k_scratch_bytes(device, count, call.tuning));
  const Items from{frame[0], frame[1]}, to{frame[2], frame[3]};
  if (selects_at_once(count, call.tuning)) {
    if (job.k != 0) select_at_once(frame.device(), job, count, false, from, to);
    return frame.finish();
  }
  if (const TopKFilter filter(device, std::max<std::uint64_t>(count, 1), job.k, call.tuning);
      job.k != 0 && uses_cpu_kernels(device) && filter.is_worth_it(job.k))
    filter_and_select(frame.device(), job, count, filter, from, to, call.tuning);
  else if (job.k != 0)
    RadixSelector(frame.device(), job, count, false, call.tuning).run(from, to, job.k);
  frame.finish();
}

void detail::nth_element(const Device& device, const Selection& job, const Call& call) {
  const std::uint64_t count = check_selection("nth_element", job);
  if (job.k == 0 || job.k > count)
    throw InputError("nth_element: element " + std::to_string(job.k - 1) + " of " + std::to_string(count) + " keys");
  CallFrame frame(device, call, "nth_element",
                  {{"keys", job.operands.keys, Access::update}, {"values", job.operands.values, Access::update}});
  const std::size_t key_bytes = job.operands.keys.bytes, value_bytes = job.operands.values.bytes;
  if (!call.scratch.empty())
    frame.require_scratch(
        nth_element_scratch_bytes(device, count, job.operands.key_bytes, job.operands.value_bytes, call.tuning));
  if (selects_at_once(count, call.tuning)) {
    const Items items{frame[0], frame[1]};
    select_at_once(frame.device(), job, count, true, items, items);
    return frame.finish();
  }
  const Device& inner = frame.device();
  const bool has_values = job.operands.value_bytes != 0;
  const runtime::Scratch keys(inner, key_bytes);
  const runtime::Scratch values = has_values ? runtime::Scratch(inner, value_bytes) : runtime::Scratch();
  const Items to{keys.buffer(), has_values ? values.buffer() : cl::Buffer()};
  RadixSelector(inner, job, count, true, call.tuning).run({frame[0], frame[1]}, to, count);
  runtime::copy(inner, to.keys, 0, frame[0], 0, key_bytes);
  if (has_values) runtime::copy(inner, to.values, 0, frame[1], 0, value_bytes);
  frame.finish();
}

std::uint64_t top_k_scratch_bytes(const Device& device, std::uint64_t count, const LaunchTuning& tuning) {
  const SelectMemory memory = memory_of(device, std::max<std::uint64_t>(count, 1), tuning);
  runtime::ScratchSize size(device);
  size.add(16).add(memory.counts).add(memory.totals);
  // The largest k of a filter, keys of 8 and values of 16 bytes.
  if (const TopKFilter filter(device, std::max<std::uint64_t>(count, 1), 1, tuning);
      uses_cpu_kernels(device) && filter.is_worth_it(1)) {
    const std::uint64_t keys = filter.shares.workers * (TopKFilter::max_k + 4096), kept = keys / 3;
    size.add(filter.shares.workers * select_bins * sizeof(std::uint32_t)).add(sizeof(std::uint32_t));
    for (const std::uint64_t number : {keys, kept}) size.add(number * 8).add(number * 16);
  }
  return size.total();
}

std::uint64_t nth_element_scratch_bytes(const Device& device, std::uint64_t count, std::size_t key_bytes,
                                        std::size_t value_bytes, const LaunchTuning& tuning) {
  runtime::ScratchSize size(device);
  size.add(count * key_bytes);
  if (value_bytes != 0) size.add(count * value_bytes);
  return size.total() + top_k_scratch_bytes(device, count, tuning);
}

}  // namespace genocl::primitives
