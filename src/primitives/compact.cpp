#include "genocl/primitives/compact.hpp"

#include <algorithm>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
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

void compact_on_cpu(const Device& device, const runtime::Defines& defines, const Job& job, const Tuning& tuning) {
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

void compact_in_three_launches(const Device& device, runtime::Defines& defines, const Job& job, const Tuning& tuning) {
  const unsigned size = group_size(device, tuning);
  const std::uint64_t tile = std::uint64_t{size} * tile_rows * 4;
  const std::uint64_t most_chunks = 4096;
  const std::uint64_t chunk = round_up(std::max<std::uint64_t>(1, ceil_div(job.flag_count, most_chunks)), tile);
  if (chunk >> 32 != 0) throw InputError("compaction of more than 2^44 flags");
  const std::size_t chunks = static_cast<std::size_t>(std::max<std::uint64_t>(1, ceil_div(job.flag_count, chunk)));
  const runtime::Scratch counts(device, (chunks + 1) * sizeof(std::uint64_t));
  defines.set("GROUP_SIZE", size).set("TILE_ROWS", tile_rows);
  runtime::Kernel(device, "primitives/compact.cl", "compact_count", defines)
      .args(job.flags, job.flag_count, chunk, counts)
      .run(chunks, size, job.flag_bytes);
  runtime::Defines scan = combine_defines<std::uint64_t, std::uint64_t>(Combine::sum);
  scan.set("INCLUSIVE", 0).set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("TILE_ROWS", tile_rows);
  runtime::Kernel(device, "primitives/scan.cl", "scan_totals", scan)
      .args(counts, static_cast<std::uint32_t>(chunks + 1))
      .run(1, size);
  runtime::Kernel(device, "primitives/compact.cl", "compact_write", defines)
      .args(job.values, job.flags, job.flag_count, chunk, counts, job.results, job.capacity, job.count)
      .run(chunks, size, job.flag_bytes);
}

void compact_in_one_pass(const Device& device, runtime::Defines& defines, const Job& job, const Tuning&) {
  const unsigned size = 128;
  constexpr unsigned rows = 16;  // quads of flags per item; 64 flags fit a word
  const std::uint64_t tiles = std::max<std::uint64_t>(1, ceil_div(job.flag_count, std::uint64_t{size} * rows * 4));
  const runtime::Scratch control = tile_states(device, tiles, true);
  defines.set("GROUP_SIZE", size).set("ROWS", rows);
  runtime::Kernel(device, "primitives/compact_one_pass.cl", "compact_one_pass", defines)
      .args(job.values, job.flags, job.flag_count, control, job.results, job.capacity, job.count)
      .run(static_cast<std::size_t>(tiles), size, job.flag_bytes);
}

}  // namespace

Compaction::Compaction(const char* called, const cl::Buffer* from, std::uint64_t from_size, std::size_t bytes,
                       const cl::Buffer& all_flags, std::uint64_t all_flags_size, std::size_t bytes_of_flag,
                       const cl::Buffer& to, std::uint64_t to_size)
    : name(called),
      values(from),
      value_count(from_size),
      element_bytes(bytes),
      flags(all_flags),
      flag_count(all_flags_size),
      flag_bytes(bytes_of_flag),
      results(to),
      capacity(to_size) {
  if (value_count != flag_count)
    throw InputError(std::string(name) + ": " + std::to_string(value_count) + " values but " +
                     std::to_string(flag_count) + " flags");
  if (values != nullptr)
    check_apart(name, "values and results", {*values, 0, value_count * element_bytes},
                {results, 0, capacity * element_bytes});
  check_apart(name, "flags and results", {flags, 0, flag_count * flag_bytes}, {results, 0, capacity * element_bytes});
  if (values == nullptr && element_bytes == 4 && flag_count > std::uint64_t{1} << 32)
    throw InputError(std::string(name) + ": " + std::to_string(flag_count) + " flags need 64-bit indices");
}

void Compaction::launch(const Device& device, const cl::Buffer& count, const Tuning& tuning) const {
  runtime::Defines defines;
  defines.set("FLAG", flag_bytes == 1 ? "uchar" : "uint").set("ELEMENT", type_of_size(element_bytes));
  defines.set("INDICES", values == nullptr ? 1 : 0);
  const Job job{
      values != nullptr ? *values : flags, flags, flag_count, results, capacity, count, flag_count * flag_bytes};
  if (uses_cpu_kernels(device))
    compact_on_cpu(device, defines, job, tuning);
  else if (device.has_ptx() && tuning.group_size == 0)
    compact_in_one_pass(device, defines, job, tuning);
  else
    compact_in_three_launches(device, defines, job, tuning);
}

void Compaction::run(const Device& device, const cl::Buffer& count, std::uint64_t count_size,
                     const Tuning& tuning) const {
  if (count_size == 0) throw InputError(std::string(name) + ": the count array is empty; it needs one element");
  const runtime::BufferRange counted{count, 0, sizeof(std::uint64_t)};
  if (values != nullptr) check_apart(name, "values and count", {*values, 0, value_count * element_bytes}, counted);
  check_apart(name, "flags and count", {flags, 0, flag_count * flag_bytes}, counted);
  check_apart(name, "results and count", {results, 0, capacity * element_bytes}, counted);
  launch(device, count, tuning);
}

std::uint64_t Compaction::run(const Device& device, const Tuning& tuning) const {
  const runtime::Scratch count(device, sizeof(std::uint64_t));
  launch(device, count.buffer(), tuning);
  std::uint64_t host = 0;
  runtime::download(device, count.buffer(), 0, &host, sizeof host);
  return host;
}

}  // namespace genocl::primitives
