// The plain way to the candidates of `canonical`; map_canonical_gpu.cpp and map_canonical_cpu.cpp are the fast
// ones.
#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/canonical/canonical.hpp"
#include "marose/steps.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {

Candidates find_candidates_canonical(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                     const PlanTable& plans, StrandBits strands) {
  constexpr const char* file = "marose/canonical/seed_canonical.cl";
  const std::uint64_t items = std::uint64_t{batch.count} * plans.most_places;
  Candidates candidates;
  if (items == 0) return candidates;
  runtime::Defines defines = canonical_defines(segment.mask);
  set_read_defines(defines, batch);
  defines.set("LEVENSHTEIN", plans.model == Model::levenshtein ? 1 : 0).set("DIAGONAL_BIAS", diagonal_bias);
  const auto common = std::tuple_cat(
      reference_arguments(segment.reference), read_arguments(batch), plan_arguments(batch, plans),
      std::forward_as_tuple(segment.tables.find("first")->second, segment.tables.find("positions")->second,
                            segment.tables.find("contexts")->second, strands, plans.most_places, items));
  Array<std::uint32_t> counts(device, items);
  runtime::launch_items(device, file, "count_candidates", defines, {.items = items, .least = 64}, common, counts);
  Array<std::uint64_t> offsets(device, items);
  primitives::exclusive_scan(device, counts, offsets);
  std::uint64_t before = 0;
  std::uint32_t last = 0;
  offsets.download(std::span(&before, 1), items - 1);
  counts.download(std::span(&last, 1), items - 1);
  candidates.count = before + last;
  if (candidates.count == 0) return candidates;
  candidates.keys = Array<std::uint64_t>(device, candidates.count);
  runtime::launch_items(device, file, "write_candidates", defines, {.items = items, .least = 64}, common, offsets,
                        candidates.keys);
  return candidates;
}

}  // namespace genocl::marose
