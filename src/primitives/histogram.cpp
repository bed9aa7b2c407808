#include "genocl/primitives/histogram.hpp"

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

struct Binning {
  std::uint32_t shift, mask, bins;
};

struct Keys {
  const cl::Buffer& buffer;
  std::uint64_t count;

  std::uint64_t bytes() const { return count * sizeof(std::uint32_t); }
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

void histogram_on_cpu(const Device& device, runtime::Defines& defines, const Keys& keys, const Binning& binning,
                      const cl::Buffer& counts, const LaunchTuning& tuning) {
  const HistogramTables tables = tables_of(device, keys.count, binning.bins, tuning);
  const runtime::Scratch memory(device, tables.bytes());
  defines.set("ONLY_CPU", 1).set("COPIES", tables.copies);
  const char* file = "primitives/histogram.cl";
  runtime::Kernel(device, file, "histogram_cpu", defines)
      .args(keys.buffer, keys.count, tables.shares.share, binning.shift, binning.mask, binning.bins, tables.stride,
            memory)
      .run(tables.shares.workers, 1, keys.bytes());
  const Shares bin_shares = share_out(device, tuning, binning.bins, 16, 1024);
  runtime::Kernel(device, file, "histogram_merge_cpu", defines)
      .args(memory, tables.count, binning.bins, tables.stride, static_cast<std::uint32_t>(bin_shares.share), counts)
      .run(bin_shares.workers, 1);
}

void histogram_on_gpu(const Device& device, runtime::Defines& defines, const Keys& keys, const Binning& binning,
                      const cl::Buffer& counts, std::size_t count_bytes, const LaunchTuning& tuning) {
  const std::uint32_t zero = 0;
  runtime::fill(device, counts, &zero, sizeof zero, binning.bins * count_bytes);
  if (keys.count == 0) return;

  // Leaves 1 KiB of local memory for the driver. Beyond 48 KiB too few groups share a compute unit.
  const std::uint64_t local_bytes = std::min<std::uint64_t>(device.info().local_memory, std::uint64_t{48} << 10) - 1024;
  const std::uint64_t parts = ceil_div(binning.bins, local_bytes / sizeof(std::uint32_t));
  const auto part_bins = static_cast<std::uint32_t>(ceil_div(binning.bins, parts));
  // Large tables allow few groups per unit, so these are larger.
  const unsigned size = part_bins > 4096 ? group_size(device, tuning, 512) : group_size(device, tuning);
  // Fills the device, but keeps the merge of the tables cheap.
  const std::uint64_t max_chunks = ceil_div(groups_that_fill(device), parts);
  std::uint64_t chunk = round_up(ceil_div(keys.count, max_chunks), std::uint64_t{size} * 4);
  chunk = std::min(std::max<std::uint64_t>(chunk, 16384), std::uint64_t{1} << 31);
  const std::uint64_t chunks = ceil_div(keys.count, chunk);
  runtime::Kernel(device, "primitives/histogram.cl", "histogram_gpu",
                  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size))
      .args(keys.buffer, keys.count, chunk, binning.shift, binning.mask, binning.bins,
            static_cast<std::uint32_t>(parts), part_bins, runtime::LocalBytes{part_bins * sizeof(std::uint32_t)},
            counts)
      .run(static_cast<std::size_t>(chunks * parts), size, keys.bytes());
}

}  // namespace

void detail::histogram(const Device& device, const MemoryView& key_view, const MemoryView& counts,
                       std::size_t count_bytes, BitField field, const Call& call) {
  const std::uint64_t bins = counts.bytes / count_bytes, key_count = key_view.bytes / sizeof(std::uint32_t);
  if (bins == 0 || bins > max_histogram_bins)
    throw InputError("histogram: " + std::to_string(bins) + " bins; 1 to " + std::to_string(max_histogram_bins) +
                     " are possible");
  if (field.first > 31 || field.count == 0 || field.count > 32 - field.first)
    throw InputError("histogram: bits from " + std::to_string(field.first) + ", " + std::to_string(field.count) +
                     " of them; a key has 32");
  if (count_bytes == 4 && key_count >> 32 != 0)
    throw InputError("histogram: " + std::to_string(key_count) + " keys need 64-bit counts");
  CallFrame frame(device, call, "histogram", {{"keys", key_view, Access::read}, {"counts", counts, Access::write}});
  if (!call.scratch.empty()) frame.require_scratch(histogram_scratch_bytes(device, key_count, bins, call.tuning));
  const Binning binning{field.first, field.count == 32 ? 0xffffffffu : (1u << field.count) - 1,
                        static_cast<std::uint32_t>(bins)};
  const Keys keys{frame[0], key_count};
  runtime::Defines defines;
  defines.set("COUNT_WORDS", static_cast<int>(count_bytes / 4));
  if (uses_cpu_kernels(device))
    histogram_on_cpu(frame.device(), defines, keys, binning, frame[1], call.tuning);
  else
    histogram_on_gpu(frame.device(), defines, keys, binning, frame[1], count_bytes, call.tuning);
  frame.finish();
}

std::uint64_t histogram_scratch_bytes(const Device& device, std::uint64_t keys, std::uint64_t bins,
                                      const LaunchTuning& tuning) {
  if (!uses_cpu_kernels(device)) return 0;
  return runtime::ScratchSize(device).add(tables_of(device, keys, bins, tuning).bytes()).total();
}

}  // namespace genocl::primitives
