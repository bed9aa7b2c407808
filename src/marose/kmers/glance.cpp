#include <algorithm>

#include "marose/arguments.hpp"
#include "marose/kmers/kmers.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {

Candidates glance(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                  StrandBits strands, const WindowCosts& costs, const LookUpLists& lists, std::uint64_t first,
                  std::uint64_t last) {
  const std::uint64_t entries = last - first;
  runtime::Defines defines = kmer_defines(segment, batch, plans, costs.parts);
  defines.set("DIAGONAL_BIAS", diagonal_bias);
  const bool lanes = runtime::uses_cpu_kernels(device);
  std::uint64_t share = 0;
  std::size_t groups = 0;
  unsigned size = 1;
  if (lanes) {
    const runtime::Shares shares = runtime::share_out(device, {}, entries, 1, 4096);
    share = shares.share;
    groups = shares.workers;
    defines.set("ONLY_CPU", 1);
  } else {
    size = runtime::group_size(device);
    groups =
        static_cast<std::size_t>(std::min<std::uint64_t>(runtime::ceil_div(entries, size), std::uint64_t{1} << 20));
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  }
  const char* file = lanes ? "marose/kmers/glance_cpu.cl" : "marose/kmers/glance_gpu.cl";
  Array<std::uint32_t> filled(device, 1);
  Candidates candidates;
  // Most entries of most texts are no candidates, and few are two.
  for (std::uint64_t room = entries + 64;;) {
    candidates.keys = Array<std::uint64_t>(device, room);
    filled.fill(0);
    runtime::Kernel kernel(device, file, "glance_entries", defines);
    const auto arguments =
        std::tuple_cat(std::forward_as_tuple(segment.reference.words, segment.reference.length), read_arguments(batch),
                       plan_arguments(batch, plans),
                       std::forward_as_tuple(segment.tables.at("positions"), lists.windows, lists.words, lists.offsets,
                                             lists.count, first, last, strands, candidates.keys));
    const auto limit = static_cast<std::uint32_t>(room);
    std::apply([&](const auto&... all) { kernel.args(all..., limit, filled, share); }, arguments);
    kernel.run(groups, size);
    std::uint32_t count = 0;
    filled.download(std::span(&count, 1));
    candidates.count = count;
    if (count <= room) break;
    room = count;
  }
  if (candidates.count == 0) return {};
  Array<std::uint64_t> kept(device, candidates.count);
  kept.copy_from(candidates.keys, candidates.count);
  candidates.keys = std::move(kept);
  return candidates;
}

}  // namespace genocl::marose
