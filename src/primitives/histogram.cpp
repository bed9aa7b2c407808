#include "genocl/primitives/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/expression.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

// BINS_OF_FIELD and the others of histogram.cl.
constexpr int bins_of_field = 0, bins_of_equal_width = 1, bins_between_levels = 2;

/// The bins, and the kernel arguments that map samples to them.
struct Binning {
  std::uint32_t bins;      ///< of a channel
  std::uint32_t all_bins;  ///< of all counted channels
  std::function<void(runtime::Kernel&)> append;
};

/// The samples in groups of interleaved channels.
struct Samples {
  const cl::Buffer& buffer;
  std::uint64_t count;  ///< of groups
  std::uint64_t bytes;
};

/// The tables of the `cpu` kernels.
struct HistogramTables {
  Shares shares;
  std::uint32_t copies, stride, count;

  std::uint64_t bytes() const { return std::uint64_t{count} * stride * sizeof(std::uint32_t); }
};

HistogramTables tables_of(const Device& device, std::uint64_t keys, std::uint64_t bins, const LaunchTuning& tuning) {
  // Each worker clears and merges a table: large tables get fewer workers.
  const unsigned part = bins <= 4096 ? 1 : 4;
  Shares shares = share_out(device, tuning, keys, 64, 16384, part);
  const std::uint64_t max_share = std::uint64_t{1} << 31;  // maximum number of keys whose counts fit 32 bits
  if (shares.share > max_share) shares = {max_share, static_cast<std::size_t>(ceil_div(keys, max_share))};
  const std::uint32_t copies = bins <= 2048 ? 4 : 1;
  return {shares, copies, static_cast<std::uint32_t>(round_up(bins + 1, 16)),
          static_cast<std::uint32_t>(shares.workers * copies)};
}

void histogram_on_cpu(const Device& device, runtime::Defines& defines, const Samples& keys, const Binning& binning,
                      const cl::Buffer& counts, const LaunchTuning& tuning) {
  const HistogramTables tables = tables_of(device, keys.count, binning.all_bins, tuning);
  const runtime::Scratch memory(device, tables.bytes());
  defines.set("ONLY_CPU", 1).set("COPIES", tables.copies).set("ALONE", tables.shares.workers == 1 ? 1 : 0);
  const char* file = "primitives/histogram.cl";
  runtime::Kernel kernel(device, file, "histogram_cpu", defines);
  kernel.args(keys.buffer, keys.count, tables.shares.share);
  binning.append(kernel);
  kernel.append(binning.bins, binning.all_bins, tables.stride, memory, counts)
      .run(tables.shares.workers, 1, keys.bytes);
  if (tables.shares.workers == 1) return;
  const Shares bin_shares = share_out(device, tuning, binning.all_bins, 16, 1024);
  runtime::Kernel(device, file, "histogram_merge_cpu", defines)
      .args(memory, tables.count, binning.all_bins, tables.stride, static_cast<std::uint32_t>(bin_shares.share), counts)
      .run(bin_shares.workers, 1);
}

void histogram_on_gpu(const Device& device, runtime::Defines& defines, const Samples& keys, const Binning& binning,
                      const cl::Buffer& counts, std::size_t count_bytes, const LaunchTuning& tuning) {
  // Leaves 1 KiB of local memory for the driver. Beyond 48 KiB too few groups share a compute unit.
  const std::uint64_t local_bytes = std::min<std::uint64_t>(device.info().local_memory, std::uint64_t{48} << 10) - 1024;
  const std::uint64_t parts = ceil_div(binning.all_bins, local_bytes / sizeof(std::uint32_t));
  const auto part_bins = static_cast<std::uint32_t>(ceil_div(binning.all_bins, parts));
  // Large tables allow few groups per unit, so these are larger.
  const unsigned size = part_bins > 4096 ? group_size(device, tuning, 512) : group_size(device, tuning);
  // Fills the device, but keeps the merge of the tables cheap.
  const std::uint64_t max_chunks = ceil_div(groups_that_fill(device), parts);
  std::uint64_t chunk = round_up(ceil_div(keys.count, max_chunks), std::uint64_t{size} * 4);
  chunk = std::min(std::max<std::uint64_t>(chunk, 16384), std::uint64_t{1} << 31);
  const std::uint64_t chunks = ceil_div(keys.count, chunk);
  const bool alone = chunks * parts == 1;
  const std::uint32_t zero = 0;
  if (!alone) runtime::fill(device, counts, &zero, sizeof zero, binning.all_bins * count_bytes);
  if (keys.count == 0) return;
  runtime::Kernel kernel(device, "primitives/histogram.cl", "histogram_gpu",
                         defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("ALONE", alone ? 1 : 0));
  kernel.args(keys.buffer, keys.count, chunk);
  binning.append(kernel);
  kernel
      .append(binning.bins, binning.all_bins, static_cast<std::uint32_t>(parts), part_bins,
              runtime::LocalBytes{part_bins * sizeof(std::uint32_t)}, counts)
      .run(static_cast<std::size_t>(chunks * parts), size, keys.bytes);
}

void run(const Device& device, runtime::Defines& defines, const Samples& samples, const Binning& binning,
         const cl::Buffer& counts, std::size_t count_bytes, const LaunchTuning& tuning) {
  defines.set("COUNT_WORDS", static_cast<int>(count_bytes / 4));
  if (uses_cpu_kernels(device))
    histogram_on_cpu(device, defines, samples, binning, counts, tuning);
  else
    histogram_on_gpu(device, defines, samples, binning, counts, count_bytes, tuning);
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) { throw InputError(name + ": " + what); }

void check_bins(const char* name, std::uint64_t bins, std::uint64_t samples, std::size_t count_bytes) {
  if (bins == 0 || bins > max_histogram_bins)
    refuse(name, std::to_string(bins) + " bins; 1 to " + std::to_string(max_histogram_bins) + " are possible");
  if (count_bytes == 4 && samples >> 32 != 0) refuse(name, std::to_string(samples) + " keys need 64-bit counts");
}

// ---- Samples in bins of equal width, or between levels

using detail::SampleHistogram;

const char* name_of(const SampleHistogram& job) { return job.levels.bytes != 0 ? "histogram_range" : "histogram_even"; }

/// Throws InputError for a job that histogram.cl cannot do.
void check_job(const Device& device, const SampleHistogram& job) {
  const char* const name = name_of(job);
  check_type(device, name, job.sample_type);
  check_type(device, name, job.level_type);
  const auto [interleaved, counted] = job.channels;
  if (counted == 0 || counted > interleaved || interleaved > 8)
    refuse(name, std::to_string(counted) + " of " + std::to_string(interleaved) + " channels; expected 1 to 8");
  const std::uint64_t samples = job.samples.bytes / element_bytes(job.sample_type);
  if (samples % interleaved != 0)
    refuse(name, std::to_string(samples) + " samples are no multiple of " + std::to_string(interleaved) + " channels");
  const std::uint64_t counts = job.counts.bytes / job.count_bytes;
  check_bins(name, counts, samples, job.count_bytes);
  if (counts % counted != 0)
    refuse(name, std::to_string(counts) + " counts are no multiple of " + std::to_string(counted) + " channels");
}

/// The binary logarithm of the width of a bin of integers, if that is a power of 2.
std::optional<std::uint32_t> width_bits(const SampleHistogram& job, std::uint64_t bins) {
  const std::uint64_t range = job.integers.upper - job.integers.lower;
  if (is_real(job.level_type) || range % bins != 0 || !std::has_single_bit(range / bins)) return std::nullopt;
  return static_cast<std::uint32_t>(std::countr_zero(range / bins));
}

/// Whether 32 bits hold what histogram.cl computes of a sample: its type has `lower` and `upper` - 1, and the range is
/// at most 2^30, or its bins have a width of 2^shift.
bool is_narrow(const SampleHistogram& job, std::uint64_t bins) {
  if (is_real(job.sample_type) || element_bytes(job.sample_type) > 4) return false;
  const auto lower = static_cast<std::int64_t>(job.integers.lower),
             upper = static_cast<std::int64_t>(job.integers.upper);
  bool fits = false;
  with_type(job.sample_type, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T> && sizeof(T) <= 4)
      fits = lower >= std::int64_t{std::numeric_limits<T>::min()} &&
             upper - 1 <= std::int64_t{std::numeric_limits<T>::max()};
  });
  const std::optional<std::uint32_t> width = width_bits(job, bins);
  return fits && (width ? *width < 32 : upper - lower <= std::int64_t{1} << 30);
}

template <class Limit>
std::function<void(runtime::Kernel&)> equal_width(const SampleHistogram& job, std::uint32_t bins) {
  const char* const name = name_of(job);
  if constexpr (std::is_floating_point_v<Limit>) {
    const auto lower = static_cast<Limit>(job.reals.lower), upper = static_cast<Limit>(job.reals.upper);
    const Limit factor = static_cast<Limit>(bins) / (upper - lower);
    if (!(lower < upper) || !std::isfinite(factor) || factor == 0)
      refuse(name, "bins from " + std::to_string(lower) + " to " + std::to_string(upper));
    return [=](runtime::Kernel& kernel) { kernel.append(lower, upper, factor, std::uint32_t{0}); };
  } else {
    const auto lower = static_cast<Limit>(job.integers.lower), upper = static_cast<Limit>(job.integers.upper);
    if (lower >= upper) refuse(name, "bins from " + std::to_string(lower) + " to " + std::to_string(upper));
    const std::uint64_t range = job.integers.upper - job.integers.lower;
    if (range > (std::uint64_t{1} << 48) / bins)
      refuse(name, std::to_string(bins) + " bins from " + std::to_string(lower) + " to " + std::to_string(upper) +
                       "; the range times the bins must not exceed 2^48");
    const std::uint32_t shift = width_bits(job, bins).value_or(0);
    const float factor = static_cast<float>(bins) / static_cast<float>(range);
    if (is_narrow(job, bins))
      return [=](runtime::Kernel& kernel) {
        kernel.append(static_cast<std::uint32_t>(lower), static_cast<std::uint32_t>(range), factor, shift);
      };
    return [=](runtime::Kernel& kernel) { kernel.append(lower, upper, factor, shift); };
  }
}

std::function<void(runtime::Kernel&)> binning_of(const SampleHistogram& job, std::uint32_t bins,
                                                 const cl::Buffer& levels) {
  if (job.levels.bytes != 0) {
    const std::uint64_t given = job.levels.bytes / element_bytes(job.level_type);
    if (given != std::uint64_t{bins} + 1)
      refuse(name_of(job), std::to_string(given) + " levels for " + std::to_string(bins) + " bins");
    return [&levels](runtime::Kernel& kernel) { kernel.append(levels); };
  }
  std::function<void(runtime::Kernel&)> append;
  with_type(job.level_type, [&]<class T>(T) { append = equal_width<T>(job, bins); });
  return append;
}

}  // namespace

void detail::histogram(const Device& device, const MemoryView& key_view, const MemoryView& counts,
                       std::size_t count_bytes, BitField field, const Call& call) {
  const std::uint64_t bins = counts.bytes / count_bytes, key_count = key_view.bytes / sizeof(std::uint32_t);
  check_bins("histogram", bins, key_count, count_bytes);
  if (field.first > 31 || field.count == 0 || field.count > 32 - field.first)
    refuse("histogram",
           "bits from " + std::to_string(field.first) + ", " + std::to_string(field.count) + " of them; a key has 32");
  CallFrame frame(device, call, "histogram", {{"keys", key_view, Access::read}, {"counts", counts, Access::write}});
  if (!call.scratch.empty()) frame.require_scratch(histogram_scratch_bytes(device, key_count, bins, call.tuning));
  const std::uint32_t mask = field.count == 32 ? 0xffffffffu : (1u << field.count) - 1;
  const Binning binning{static_cast<std::uint32_t>(bins), static_cast<std::uint32_t>(bins),
                        [=](runtime::Kernel& kernel) { kernel.append(std::uint32_t{field.first}, mask); }};
  runtime::Defines defines;
  defines.set("BINNING", bins_of_field).set("SAMPLE", "uint").set("CHANNELS", 1).set("COUNTED", 1);
  run(frame.device(), defines, {frame[0], key_count, key_view.bytes}, binning, frame[1], count_bytes, call.tuning);
  frame.finish();
}

void detail::histogram(const Device& device, const SampleHistogram& job, const Call& call) {
  check_job(device, job);
  const char* const name = name_of(job);
  CallFrame frame(device, call, name,
                  {{"samples", job.samples, Access::read},
                   {"levels", job.levels, Access::read},
                   {"counts", job.counts, Access::write}});
  const std::uint64_t all_bins = job.counts.bytes / job.count_bytes;
  const std::uint64_t groups = job.samples.bytes / element_bytes(job.sample_type) / job.channels.interleaved;
  if (!call.scratch.empty()) frame.require_scratch(histogram_scratch_bytes(device, groups, all_bins, call.tuning));
  const auto bins = static_cast<std::uint32_t>(all_bins / job.channels.counted);
  const Binning binning{bins, static_cast<std::uint32_t>(all_bins), binning_of(job, bins, frame[1])};
  runtime::Defines defines;
  defines.set("BINNING", job.levels.bytes != 0 ? bins_between_levels : bins_of_equal_width);
  defines.set("SAMPLE", type_name(job.sample_type)).set("LEVEL", type_name(job.level_type));
  defines.set("REAL", is_real(job.sample_type) ? 1 : 0).set("SHIFTS", width_bits(job, bins) ? 1 : 0);
  defines.set("NARROW", job.levels.bytes == 0 && is_narrow(job, bins) ? 1 : 0);
  defines.set("CHANNELS", job.channels.interleaved).set("COUNTED", job.channels.counted);
  run(frame.device(), defines, {frame[0], groups, job.samples.bytes}, binning, frame[2], job.count_bytes, call.tuning);
  frame.finish();
}

std::uint64_t histogram_scratch_bytes(const Device& device, std::uint64_t keys, std::uint64_t bins,
                                      const LaunchTuning& tuning) {
  if (!uses_cpu_kernels(device)) return 0;
  return runtime::ScratchSize(device).add(tables_of(device, keys, bins, tuning).bytes()).total();
}

}  // namespace genocl::primitives
