#include <algorithm>
#include <bit>

#include "marose/arguments.hpp"
#include "marose/canonical/canonical.hpp"
#include "marose/kmers/kmers.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {

runtime::Defines kmer_defines(const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                              std::uint32_t parts) {
  runtime::Defines defines = seed_defines(segment.mask);
  set_read_defines(defines, batch);
  defines.set("SIDE", 0).set("PARTS", parts).set("LEVENSHTEIN", plans.model == Model::levenshtein ? 1 : 0);
  return defines;
}

WindowCosts window_costs(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                         const PlanTable& plans) {
  constexpr std::uint32_t group = 64;
  WindowCosts result;
  std::uint32_t longest = 0, most = std::max(1u, plans.min_parts);
  for (const Plan& plan : plans.plans) {
    longest = std::max(longest, plan.length);
    most = std::max(most, std::min(plan.errors + 1, plan.length / segment.mask.span()));
  }
  result.parts = static_cast<std::uint32_t>(runtime::round_up(most, 8));
  result.costs = Array<std::uint32_t>(device, std::uint64_t{batch.count} * result.parts);
  result.taken = Array<std::uint32_t>(device, std::uint64_t{batch.count} * batch.words * result.parts);
  runtime::Defines defines = kmer_defines(segment, batch, plans, result.parts);
  const auto arguments = std::tuple_cat(
      read_arguments(batch), plan_arguments(batch, plans),
      std::forward_as_tuple(segment.tables.at("first"), batch.count, longest, result.costs, result.taken));
  std::uint64_t share = 0;
  std::size_t groups = 0;
  unsigned size = 1;
  const bool lanes = runtime::uses_cpu_kernels(device);
  if (lanes) {
    const runtime::Shares shares = runtime::share_out(device, {}, batch.count, 1, 64);
    share = shares.share;
    groups = shares.workers;
    defines.set("ONLY_CPU", 1);
  } else {
    // As many items for a read as it has parts, but not more reads in a group than local memory holds with ease.
    const std::uint32_t team =
        std::min(group, std::max(std::bit_ceil(result.parts), std::bit_ceil(group * batch.words / 128)));
    size = group;
    groups = std::min<std::uint64_t>(runtime::ceil_div(batch.count, group / team), std::uint64_t{1} << 20);
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", group).set("TEAM", team);
  }
  runtime::Kernel kernel(device, lanes ? "marose/kmers/window_costs_cpu.cl" : "marose/kmers/window_costs_gpu.cl",
                         "window_costs", defines);
  std::apply([&](const auto&... all) { kernel.args(all..., share); }, arguments);
  kernel.run(groups, size);
  return result;
}

}  // namespace genocl::marose
