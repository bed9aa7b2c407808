#include "genocl/primitives/compact.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/compact.hpp"
#include "primitives/launch.hpp"
#include "primitives/look_back.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

struct Job {
  const cl::Buffer& values;  // not read if indices are written
  const cl::Buffer& flags;
  std::uint64_t flag_count;
  const cl::Buffer& results;
  std::uint64_t capacity;
  const cl::Buffer& count;
  std::uint64_t flag_bytes;  // total size
};

void compact_on_cpu(const Device& device, const runtime::Defines& defines, const Job& job, const LaunchTuning& tuning) {
  const Shares shares = share_out(device, tuning, job.flag_count, 64, 8192);
  const runtime::Scratch counts(device, shares.workers * sizeof(std::uint64_t));
  const char* file = "primitives/compact_cpu.cl";
  runtime::Kernel(device, file, "compact_count_cpu", defines)
      .args(job.flags, job.flag_count, shares.share, counts)
      .run(shares.workers, 1, job.flag_bytes);
  runtime::Kernel(device, file, "compact_write_cpu", defines)
      .args(job.values, job.flags, job.flag_count, shares.share, counts, job.results, job.capacity, job.count)
      .run(shares.workers, 1, job.flag_bytes);
}

struct Chunks {
  std::uint64_t size, count;
};

Chunks three_launch_chunks(const Device& device, std::uint64_t flags, const LaunchTuning& tuning) {
  const std::uint64_t tile = std::uint64_t{group_size(device, tuning)} * tile_rows * 4;
  constexpr std::uint64_t max_chunks = 4096;
  const std::uint64_t size = round_up(std::max<std::uint64_t>(1, ceil_div(flags, max_chunks)), tile);
  return {size, std::max<std::uint64_t>(1, ceil_div(flags, size))};
}

void compact_in_three_launches(const Device& device, runtime::Defines& defines, const Job& job,
                               const LaunchTuning& tuning) {
  const unsigned size = group_size(device, tuning);
  const auto [chunk, chunks] = three_launch_chunks(device, job.flag_count, tuning);
  if (chunk >> 32 != 0) throw InputError("compaction of more than 2^44 flags");
  const runtime::Scratch counts(device, (chunks + 1) * sizeof(std::uint64_t));
  defines.set("GROUP_SIZE", size).set("TILE_ROWS", tile_rows);
  runtime::Kernel(device, "primitives/compact.cl", "compact_count", defines)
      .args(job.flags, job.flag_count, chunk, counts)
      .run(chunks, size, job.flag_bytes);
  runtime::Defines scan = combine_defines<std::uint64_t, std::uint64_t>(Combine::sum);
  scan.set("INCLUSIVE", 0).set("ONE_CHUNK", 0).set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("TILE_ROWS", tile_rows);
  runtime::Kernel(device, "primitives/scan.cl", "scan_totals", scan)
      .args(counts, static_cast<std::uint32_t>(chunks + 1))
      .run(1, size);
  runtime::Kernel(device, "primitives/compact.cl", "compact_write", defines)
      .args(job.values, job.flags, job.flag_count, chunk, counts, job.results, job.capacity, job.count)
      .run(chunks, size, job.flag_bytes);
}

constexpr unsigned one_pass_size = 128, one_pass_rows = 16;  // rows of quads of flags; 64 flags fit a word

std::uint64_t one_pass_tiles(std::uint64_t flags) {
  return std::max<std::uint64_t>(1, ceil_div(flags, std::uint64_t{one_pass_size} * one_pass_rows * 4));
}

void compact_in_one_pass(const Device& device, runtime::Defines& defines, const Job& job) {
  const std::uint64_t tiles = one_pass_tiles(job.flag_count);
  const TileStates states = tile_states(device, tile_states_bytes(tiles, true));
  defines.set("GROUP_SIZE", one_pass_size).set("ROWS", one_pass_rows);
  runtime::Kernel(device, "primitives/compact_one_pass.cl", "compact_one_pass", defines)
      .args(job.values, job.flags, job.flag_count, states.memory, states.cleared_words, job.results, job.capacity,
            job.count)
      .run(static_cast<std::size_t>(tiles), one_pass_size, job.flag_bytes);
}

void select_at_once(const Device& device, const detail::Compaction& operands, const Job& job) {
  SmallCompaction small;
  small.source.add("#define FLAG_PARAMETERS __global const " +
                   std::string(operands.flag_bytes == 1 ? "uchar" : "uint") +
                   "* given_flags,\n#define FLAG_AT(i) (given_flags[i] != 0)\n");
  small.count = job.flag_count;
  small.indices = operands.indices;
  small.first = {job.values, job.results, job.capacity, operands.element_bytes};
  small.number = job.count;
  compact_at_once(device, small, std::span(&job.flags, 1));
}

void check_sizes(const char* name, const detail::Compaction& operands, std::uint64_t flags) {
  const std::uint64_t values = operands.values.bytes / operands.element_bytes;
  if (!operands.indices && values != flags)
    throw InputError(std::string(name) + ": " + std::to_string(values) + " values but " + std::to_string(flags) +
                     " flags");
  if (operands.indices && operands.element_bytes == 4 && flags > std::uint64_t{1} << 32)
    throw InputError(std::string(name) + ": " + std::to_string(flags) + " flags need 64-bit indices");
}

/// Selects on the host. Returns the number of selected elements.
std::uint64_t select_on_host(CallFrame& frame, const detail::Compaction& operands) {
  const Device& device = frame.device();
  const std::uint64_t count = operands.flags.bytes / operands.flag_bytes;
  const std::uint64_t capacity = operands.results.bytes / operands.element_bytes;
  const std::size_t size = operands.element_bytes;
  std::vector<std::byte> flags(operands.flags.bytes), values(operands.indices ? 0 : operands.values.bytes);
  if (!flags.empty()) runtime::download(device, frame[1], 0, flags.data(), flags.size());
  if (!values.empty()) runtime::download(device, frame[0], 0, values.data(), values.size());
  std::vector<std::byte> results;
  std::uint64_t selected = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::byte* const flag = flags.data() + i * operands.flag_bytes;
    if (std::all_of(flag, flag + operands.flag_bytes, [](std::byte one) { return one == std::byte{0}; })) continue;
    if (selected++ >= capacity) continue;
    const std::byte* element = values.data() + i * size;
    const auto index32 = static_cast<std::uint32_t>(i);
    if (operands.indices)
      element = reinterpret_cast<const std::byte*>(size == 4 ? static_cast<const void*>(&index32) : &i);
    results.insert(results.end(), element, element + size);
  }
  if (!results.empty()) runtime::upload(device, frame[2], 0, results.data(), results.size());
  frame.finish();
  return selected;
}

void run(CallFrame& frame, const detail::Compaction& operands, const cl::Buffer& count, const LaunchTuning& tuning) {
  const Device& device = frame.device();
  runtime::Defines defines;
  defines.set("FLAG", operands.flag_bytes == 1 ? "uchar" : "uint").set("ELEMENT", type_of_size(operands.element_bytes));
  defines.set("INDICES", operands.indices ? 1 : 0);
  const Job job{operands.indices ? frame[1] : frame[0],
                frame[1],
                operands.flags.bytes / operands.flag_bytes,
                frame[2],
                operands.results.bytes / operands.element_bytes,
                count,
                operands.flags.bytes};
  if (compacts_at_once(job.flag_count, tuning))
    select_at_once(device, operands, job);
  else if (uses_cpu_kernels(device))
    compact_on_cpu(device, defines, job, tuning);
  else if (device.has_ptx() && tuning.group_size == 0)
    compact_in_one_pass(device, defines, job);
  else
    compact_in_three_launches(device, defines, job, tuning);
}

void start(CallFrame& frame, const detail::Compaction& operands, const cl::Buffer& count, const Call& call) {
  if (!call.scratch.empty())
    frame.require_scratch(
        select_scratch_bytes(frame.device(), operands.flags.bytes / operands.flag_bytes, call.tuning));
  run(frame, operands, count, call.tuning);
  frame.finish();
}

}  // namespace

void compact_at_once(const Device& device, const SmallCompaction& job, std::span<const cl::Buffer> flag_arguments) {
  const bool has_second = job.second.element_bytes != 0;
  runtime::Defines defines;
  defines.set("ELEMENT", type_of_size(job.first.element_bytes)).set("INDICES", job.indices ? 1 : 0);
  defines.set("SECOND", !has_second ? 0 : job.rejects ? 2 : 1);
  defines.set("SECOND_ELEMENT", type_of_size(has_second ? job.second.element_bytes : 1));
  const bool cpu = uses_cpu_kernels(device);
  const unsigned size = cpu ? 1 : std::min(group_size(device), 256u);
  if (cpu)
    defines.set("ONLY_CPU", 1);
  else
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("ITEMS", ceil_div(2048, size));
  runtime::Kernel kernel = expression_kernel(device, "primitives/compact_small.cl",
                                             cpu ? "compact_small_cpu" : "compact_small_gpu", job.source, defines);
  kernel.args();
  for (const cl::Buffer& argument : flag_arguments) kernel.append(argument);
  kernel.append(static_cast<std::uint32_t>(job.count), job.first.values, job.first.results, job.first.capacity);
  if (has_second) kernel.append(job.second.values, job.second.results, job.second.capacity);
  kernel.append(job.number).run(1, size, job.count * (job.first.element_bytes + job.second.element_bytes) * 2);
}

void detail::select(const Device& device, const Compaction& operands, const MemoryView& count, const Call& call) {
  const char* const name = operands.indices ? "select_indices" : "select";
  check_sizes(name, operands, operands.flags.bytes / operands.flag_bytes);
  if (count.bytes == 0) throw InputError(std::string(name) + ": the count array is empty; it needs one element");
  CallFrame frame(device, call, name,
                  {{"values", operands.values, Access::read},
                   {"flags", operands.flags, Access::read},
                   {"results", operands.results, Access::update},
                   {"count", runtime::part_of(count, 0, sizeof(std::uint64_t)), Access::write}});
  start(frame, operands, frame[3], call);
}

std::uint64_t detail::select(const Device& device, const Compaction& operands, const Call& call) {
  const char* const name = operands.indices ? "select_indices" : "select";
  check_sizes(name, operands, operands.flags.bytes / operands.flag_bytes);
  CallFrame frame(device, call, name,
                  {{"values", operands.values, Access::read},
                   {"flags", operands.flags, Access::read},
                   {"results", operands.results, Access::update}});
  // The call waits anyway: the host selects from few elements faster than it launches a kernel.
  if (call.scratch.empty() && uses_cpu_kernels(device) &&
      compacts_at_once(operands.flags.bytes / operands.flag_bytes, call.tuning))
    return select_on_host(frame, operands);
  const runtime::Scratch count(device, sizeof(std::uint64_t));
  start(frame, operands, count.buffer(), call);
  std::uint64_t host = 0;
  runtime::download(device, count.buffer(), 0, &host, sizeof host);
  return host;
}

std::uint64_t select_scratch_bytes(const Device& device, std::uint64_t flags, const LaunchTuning& tuning) {
  runtime::ScratchSize size(device);
  if (uses_cpu_kernels(device)) return size.add(share_out(device, tuning, flags, 64, 8192).workers * 8).total();
  if (device.has_ptx() && tuning.group_size == 0)
    return size.add(tile_states_bytes(one_pass_tiles(flags), true)).total();
  return size.add((three_launch_chunks(device, flags, tuning).count + 1) * 8).total();
}

}  // namespace genocl::primitives
