#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "genocl/array.hpp"
#include "genocl/opencl.hpp"
#include "primitives/launch.hpp"
#include "primitives/radix_sort.hpp"
#include "runtime/access.hpp"
#include "runtime/defines.hpp"
#include "runtime/device_core.hpp"
#include "runtime/kernel.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

constexpr unsigned digit_bits = 8;
constexpr unsigned digits = 1u << digit_bits;
constexpr unsigned count_group = 256;
// Number of neighbouring tiles whose counts are summed before the global sum; fewer for small arrays, so that each
// compute unit has work.
constexpr std::uint64_t max_tiles_per_chunk = 16;
// A one-sweep state has 30 bits of count.
constexpr std::uint64_t onesweep_limit = std::uint64_t{1} << 30;
constexpr std::uint64_t wide_from = std::uint64_t{1} << 30;
// The one-sweep's control words: a counter for each of up to eight passes, the histograms, the states.
constexpr std::uint64_t control_histograms = 64;
constexpr std::uint64_t control_states = control_histograms + std::uint64_t{8} * digits;

struct Pass {
  unsigned number, shift, mask;
};

Pass pass_at(const SortTask& task, unsigned number) {
  const unsigned shift = task.first_bit + number * digit_bits;
  return {number, shift, (1u << std::min(digit_bits, task.last_bit - shift)) - 1};
}

// Local memory of radix_sort_tile.clh, rounded up: the tile and slightly more than 4 KiB of tables. `bytes`: the
// larger of a key and a value in registers.
std::uint64_t local_bytes(const TileShape& shape, unsigned bytes) {
  const std::uint64_t ranking = std::uint64_t{shape.group_size} / 32 * digits * (2 + 2 * 4);
  return std::max<std::uint64_t>(ranking, std::uint64_t{shape.tile()} * bytes) + 272 * 8 + 256 * 8 + 64;
}

runtime::Defines tile_defines(const SortTask& task, const GpuTuning& tuning, const Pass& pass) {
  // In the upper word of a 64-bit key; a digit that straddles the middle uses both words.
  const bool high_word = task.key_bytes == 8 && pass.shift >= 32;
  // Keys are encoded between the first and the last pass.
  const bool encodes = task.encodes() && pass.number == 0;
  const bool decodes = task.encodes() && pass.number + 1 == gpu_passes(task);
  runtime::Defines defines = key_defines(task, encodes || decodes);
  defines.set("ENCODES", encodes ? 1 : 0)
      .set("DECODES", decodes ? 1 : 0)
      .set("DIGITS", digits)
      .set("VALUE_BYTES", task.value_bytes)
      .set("GROUP_SIZE", tuning.shape.group_size)
      .set("ITEMS", tuning.shape.items)
      .set("OFFSET", tuning.wide ? "ulong" : "uint")
      .set("HIGH_WORD", high_word ? 1 : 0)
      .set("FIXED_GROUP", tuning.shape.registers == 0 ? 1 : 0);
  if (tuning.shape.registers != 0) defines.limit_registers(tuning.shape.registers);
  return defines;
}

// The buffers of the passes: each reads what the one before wrote.
class Sides {
 public:
  Sides(const SortBuffers& items, const SortBuffers& other, const SortBuffers* from, unsigned passes)
      : buffers_{&items, &other}, from_(from != nullptr ? from : &items), first_(from == nullptr || passes % 2 == 0) {}

  const SortBuffers& from(unsigned pass) const { return pass == 0 ? *from_ : to(pass - 1); }
  const SortBuffers& to(unsigned pass) const { return *buffers_[(first_ + pass) % 2]; }

 private:
  std::array<const SortBuffers*, 2> buffers_;
  const SortBuffers* from_;
  unsigned first_;  // the buffers that the first pass writes
};

std::uint64_t tile_count(const SortTask& task, const GpuTuning& tuning) {
  return ceil_div(task.count, tuning.shape.tile());
}

std::uint64_t tiles_per_chunk(const Device& device, std::uint64_t tiles) {
  const std::uint64_t groups = std::max<std::uint64_t>(1, device.info().compute_units) * 2;
  return std::clamp<std::uint64_t>(tiles / groups, 1, max_tiles_per_chunk);
}

// Table sizes of count / scan / scatter in bytes.
struct Tables {
  std::uint64_t tile_before, chunk_counts, chunk_before, totals;
};

Tables tables_bytes(std::uint64_t tiles, std::uint64_t chunks, bool wide) {
  const std::uint64_t offset_bytes = wide ? 8 : 4;
  return {tiles * digits * 4, chunks * digits * 4, chunks * digits * offset_bytes, digits * offset_bytes};
}

void count_scan_scatter(const Device& device, const SortTask& task, const GpuTuning& tuning, const Sides& sides) {
  const std::uint64_t tiles = tile_count(task, tuning);
  const std::uint64_t per_chunk = tiles_per_chunk(device, tiles), chunks = ceil_div(tiles, per_chunk);
  const Tables bytes = tables_bytes(tiles, chunks, tuning.wide);
  const runtime::Scratch tile_before(device, bytes.tile_before), chunk_counts(device, bytes.chunk_counts);
  const runtime::Scratch chunk_before(device, bytes.chunk_before), totals(device, bytes.totals);
  for (unsigned number = 0; number < gpu_passes(task); ++number) {
    const Pass pass = pass_at(task, number);
    const SortBuffers &from = sides.from(number), &to = sides.to(number);
    const runtime::Defines defines = tile_defines(task, tuning, pass).set("COUNT_GROUP", count_group);
    const auto chunk_tiles = static_cast<std::uint32_t>(per_chunk), chunk_total = static_cast<std::uint32_t>(chunks);
    const std::string_view file = "primitives/radix_sort_gpu.cl";
    runtime::Kernel(device, file, "radix_count", defines)
        .args(from.keys, task.count, pass.shift, pass.mask, chunk_tiles, chunk_total, tile_before, chunk_counts)
        .run(chunks, count_group, task.key_array_bytes());
    runtime::Kernel(device, file, "radix_scan", defines)
        .args(chunk_counts, chunk_total, chunk_before, totals)
        .run(digits, count_group, bytes.chunk_counts + bytes.chunk_before);
    runtime::Kernel(device, file, "radix_scatter", defines)
        .args(from.keys, from.values, to.keys, to.values, task.count, pass.shift, pass.shift, pass.mask, chunk_tiles,
              tile_before, chunk_before, totals)
        .run(tiles, tuning.shape.group_size, 2 * task.count * task.item_bytes());
  }
}

void onesweep(const Device& device, const SortTask& task, const GpuTuning& tuning, const Sides& sides) {
  const std::uint64_t tiles = tile_count(task, tuning);
  const std::uint64_t states = tiles * digits;
  const runtime::Scratch control(device, (control_states + states) * 4);
  const auto count = static_cast<std::uint32_t>(task.count);
  const unsigned passes = gpu_passes(task);
  const cl_uint zero = 0;
  runtime::fill(device, control.buffer(), &zero, sizeof zero, control_states * 4);

  // Fills the device, but keeps the merge of the histograms cheap.
  const std::uint64_t histogram_groups =
      std::clamp<std::uint64_t>(ceil_div(task.count, 8192), 1, groups_that_fill(device));
  runtime::Kernel(device, "primitives/radix_sort_histogram.cl", "onesweep_histogram",
                  key_defines(task).set("PASSES", passes).set("DIGITS", digits).set("HISTOGRAM_GROUP", count_group))
      .args(sides.from(0).keys, count, task.first_bit, pass_at(task, passes - 1).mask, control,
            static_cast<std::uint32_t>(control_histograms), static_cast<std::uint32_t>(control_states),
            static_cast<std::uint32_t>(states))
      .run(histogram_groups, count_group, task.key_array_bytes());
  for (unsigned number = 0; number < passes; ++number) {
    const Pass pass = pass_at(task, number);
    const SortBuffers &from = sides.from(number), &to = sides.to(number);
    runtime::Kernel(
        device, "primitives/radix_sort_onesweep.cl", "onesweep_scatter",
        tile_defines(task, tuning, pass).set("CONTROL_STATES", control_states).set("WINDOW", tuning.shape.window))
        .args(from.keys, from.values, to.keys, to.values, count, pass.shift, pass.shift, pass.mask, number, control,
              static_cast<std::uint32_t>(control_histograms + std::uint64_t{number} * digits))
        .run(tiles, tuning.shape.group_size, 2 * task.count * task.item_bytes());
  }
}

// Measured on an H200, whose 48 KiB of local memory bound the tiles. The register limits let two groups share a
// multiprocessor. Large tiles write longer runs: from 24 to 30 items per work-item the rate at 2^28 pairs rises from 37
// to 41 G/s. Small arrays need tiles on all multiprocessors. There the latency of the states matters, which reading
// several at once hides; with many groups that only costs.
TileShape nvidia_shape(const SortTask& task, const GpuTuning& tuning) {
  if (tuning.method == GpuSortMethod::onesweep) {
    if (task.largest_bytes() == 8) return {256, 22, 96, 1};
    return task.count < std::uint64_t{1} << 23 ? TileShape{384, 22, 80, 4} : TileShape{384, 30, 80, 2};
  }
  // Tables with 64-bit offsets use the space of two more items.
  if (task.largest_bytes() == 8) return {256, tuning.wide ? 20u : 22u, 96};
  return {512, tuning.wide || task.count < std::uint64_t{1} << 24 ? 20u : 22u, 64};
}

// Work-group size 512 if the device and its local memory allow, else 256.
TileShape portable_shape(const DeviceInfo& info, unsigned bytes) {
  const TileShape large = bytes == 4 ? TileShape{512, 20, 0, 4} : TileShape{512, 10, 0, 4};
  if (info.max_work_group_size >= large.group_size && local_bytes(large, bytes) <= info.local_memory) return large;
  return bytes == 4 ? TileShape{256, 20, 0, 4} : TileShape{256, 10, 0, 4};
}

}  // namespace

bool can_sort_on_gpu(const Device& device) {
  const DeviceInfo& info = device.info();
  return info.max_work_group_size >= 256 && local_bytes({256, 20, 0, 4}, 4) <= info.local_memory;
}

GpuTuning gpu_tuning(const Device& device, const SortTask& task) {
  GpuTuning tuning;
  tuning.wide = task.count >= wide_from;
  if (device.has_ptx() && task.count < onesweep_limit) tuning.method = GpuSortMethod::onesweep;
  tuning.shape = runtime::core_of(device).is_nvidia() ? nvidia_shape(task, tuning)
                                                      : portable_shape(device.info(), task.largest_bytes());
  return tuning;
}

runtime::ScratchSize gpu_scratch(const Device& device, const SortTask& task, const GpuTuning& tuning) {
  runtime::ScratchSize scratch(device);
  const std::uint64_t tiles = tile_count(task, tuning);
  if (tuning.method == GpuSortMethod::onesweep) {
    scratch.add((control_states + tiles * digits) * 4);
  } else {
    const std::uint64_t chunks = ceil_div(tiles, tiles_per_chunk(device, tiles));
    const Tables bytes = tables_bytes(tiles, chunks, tuning.wide);
    for (const std::uint64_t table : {bytes.tile_before, bytes.chunk_counts, bytes.chunk_before, bytes.totals})
      scratch.add(table);
  }
  return scratch;
}

unsigned gpu_passes(const SortTask& task) { return static_cast<unsigned>(ceil_div(task.bits(), digit_bits)); }

bool sort_on_gpu(const Device& device, const SortTask& task, const GpuTuning& tuning, const SortBuffers& items,
                 const SortBuffers& other, const SortBuffers* from) {
  const unsigned passes = gpu_passes(task);
  const Sides sides(items, other, from, passes);
  if (tuning.method == GpuSortMethod::onesweep)
    onesweep(device, task, tuning, sides);
  else
    count_scan_scatter(device, task, tuning, sides);
  return from == nullptr && passes % 2 == 1;
}

}  // namespace genocl::primitives
