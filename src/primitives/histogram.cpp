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

void histogram_on_cpu(const Device& device, runtime::Defines& defines, const Array<std::uint32_t>& keys,
                      const Binning& binning, const cl::Buffer& counts, const Tuning& tuning) {
  const std::uint64_t key_count = keys.size();
  // Each worker clears and merges a table: large tables get fewer workers.
  const unsigned part = binning.bins <= 4096 ? 1 : 4;
  Shares shares = share_out(device, tuning, key_count, 64, 16384, part);
  const std::uint64_t most = std::uint64_t{1} << 31;  // maximum number of keys whose counts fit 32 bits
  if (shares.share > most) shares = {most, static_cast<std::size_t>(ceil_div(key_count, most))};

  const std::uint32_t copies = binning.bins <= 2048 ? 4 : 1;
  const auto stride = static_cast<std::uint32_t>(round_up(binning.bins + 1, 16));
  const auto tables = static_cast<std::uint32_t>(shares.workers * copies);
  const runtime::Scratch table_memory(device, std::size_t{tables} * stride * sizeof(std::uint32_t));
  defines.set("ONLY_CPU", 1).set("COPIES", copies);
  const char* file = "primitives/histogram.cl";
  runtime::Kernel(device, file, "histogram_cpu", defines)
      .args(keys, key_count, shares.share, binning.shift, binning.mask, binning.bins, stride, table_memory)
      .run(shares.workers, 1, keys.bytes());
  const Shares bin_shares = share_out(device, tuning, binning.bins, 16, 1024);
  runtime::Kernel(device, file, "histogram_merge_cpu", defines)
      .args(table_memory, tables, binning.bins, stride, static_cast<std::uint32_t>(bin_shares.share), counts)
      .run(bin_shares.workers, 1);
}

void histogram_on_gpu(const Device& device, runtime::Defines& defines, const Array<std::uint32_t>& keys,
                      const Binning& binning, const cl::Buffer& counts, std::size_t count_bytes, const Tuning& tuning) {
  const std::uint32_t zero = 0;
  runtime::fill(device, counts, &zero, sizeof zero, binning.bins * count_bytes);
  if (keys.empty()) return;

  // Leaves 1 KiB of local memory for the driver. Beyond 48 KiB too few groups share a compute unit.
  const std::uint64_t local_bytes = std::min<std::uint64_t>(device.info().local_memory, std::uint64_t{48} << 10) - 1024;
  const std::uint64_t parts = ceil_div(binning.bins, local_bytes / sizeof(std::uint32_t));
  const auto part_bins = static_cast<std::uint32_t>(ceil_div(binning.bins, parts));
  // Large tables allow few groups per unit, so these are larger.
  const unsigned size = part_bins > 4096 ? group_size(device, tuning, 512) : group_size(device, tuning);
  // Fills the device, but keeps the merge of the tables cheap.
  const std::uint64_t most_chunks = ceil_div(groups_that_fill(device), parts);
  std::uint64_t chunk = round_up(ceil_div(keys.size(), most_chunks), std::uint64_t{size} * 4);
  chunk = std::min(std::max<std::uint64_t>(chunk, 16384), std::uint64_t{1} << 31);
  const std::uint64_t chunks = ceil_div(keys.size(), chunk);
  runtime::Kernel(device, "primitives/histogram.cl", "histogram_gpu",
                  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size))
      .args(keys, static_cast<std::uint64_t>(keys.size()), chunk, binning.shift, binning.mask, binning.bins,
            static_cast<std::uint32_t>(parts), part_bins, runtime::LocalBytes{part_bins * sizeof(std::uint32_t)},
            counts)
      .run(static_cast<std::size_t>(chunks * parts), size, keys.bytes());
}

}  // namespace

template <class Count>
requires(std::same_as<Count, std::uint32_t> ||
         std::same_as<Count, std::uint64_t>) void histogram(const Device& device, const Array<std::uint32_t>& keys,
                                                            Array<Count>& counts, BitField field,
                                                            const Tuning& tuning) {
  if (counts.empty() || counts.size() > most_histogram_bins)
    throw InputError("histogram: " + std::to_string(counts.size()) + " bins; 1 to " +
                     std::to_string(most_histogram_bins) + " are possible");
  if (field.first > 31 || field.count == 0 || field.count > 32 - field.first)
    throw InputError("histogram: bits from " + std::to_string(field.first) + ", " + std::to_string(field.count) +
                     " of them; a key has 32");
  if (sizeof(Count) == 4 && keys.size() >> 32 != 0)
    throw InputError("histogram: " + std::to_string(keys.size()) + " keys need 64-bit counts");
  check_apart("histogram", "keys and counts", range_of(keys), range_of(counts));
  const Binning binning{field.first, field.count == 32 ? 0xffffffffu : (1u << field.count) - 1,
                        static_cast<std::uint32_t>(counts.size())};
  runtime::Defines defines;
  defines.set("COUNT_WORDS", static_cast<int>(sizeof(Count) / 4));
  if (uses_cpu_kernels(device))
    histogram_on_cpu(device, defines, keys, binning, runtime::buffer_of(counts), tuning);
  else
    histogram_on_gpu(device, defines, keys, binning, runtime::buffer_of(counts), sizeof(Count), tuning);
}

template void histogram(const Device&, const Array<std::uint32_t>&, Array<std::uint32_t>&, BitField, const Tuning&);
template void histogram(const Device&, const Array<std::uint32_t>&, Array<std::uint64_t>&, BitField, const Tuning&);

}  // namespace genocl::primitives
