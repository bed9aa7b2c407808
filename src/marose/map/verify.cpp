#include <bit>

#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/map/band.hpp"
#include "marose/steps.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {

Array<std::uint8_t> flag_first(const Device& device, Span<const std::uint64_t> keys, std::uint64_t count) {
  Array<std::uint8_t> flags(device, count);
  runtime::launch_items(device, "marose/map/flag_first.cl", "flag_first", {}, {.items = count, .least = 4096}, keys,
                        count, flags);
  return flags;
}

Verified verify(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                Candidates&& candidates) {
  Verified verified;
  std::uint64_t count = candidates.count;
  if (count == 0) return verified;
  primitives::sort_replacing(device, candidates.keys,
                             {.last_bit = 33 + static_cast<unsigned>(std::bit_width(std::uint64_t{batch.count}))});
  Array<std::uint64_t> unlike;
  if (runtime::uses_cpu_kernels(device)) {
    // Every window without an error brings the same diagonal, and a lane takes as long for one like another. On GPUs,
    // which this makes wait once more, it has not been shown to pay.
    unlike = Array<std::uint64_t>(device, count);
    count = primitives::select(device, candidates.keys, flag_first(device, candidates.keys, count), unlike);
    candidates.keys = runtime::MemoryAccess::reuse(device, std::move(unlike), count);
  }
  Array<std::uint8_t> passes(device, count);
  runtime::Defines defines;
  set_read_defines(defines, batch);
  defines.set("DIAGONAL_BIAS", diagonal_bias);
  const bool hamming = plans.model == Model::hamming;
  Array<std::uint32_t> values(device, count);
  if (hamming) {
    runtime::launch_items(device, "marose/map/verify_hamming.cl", "verify_hamming", defines,
                          {.items = count, .least = 64}, reference_arguments(segment.reference), read_arguments(batch),
                          plan_arguments(batch, plans), candidates.keys, count, passes, values);
  } else {
    const BandShape band = band_shape(device, 2 * plans.most_errors + 1);
    band.set_defines(defines);
    runtime::launch_items(device, "marose/map/verify_levenshtein.cl", "verify_levenshtein", defines,
                          {.items = band.blocks(count), .least = 4}, segment.reference.words, segment.reference.length,
                          read_arguments(batch), plan_arguments(batch, plans), candidates.keys, count, passes, values);
  }
  verified.keys = Array<std::uint64_t>(device, count);
  verified.count = primitives::select(device, candidates.keys, passes, verified.keys);
  verified.values = Array<std::uint32_t>(device, count);
  primitives::select(device, values, passes, verified.values);
  return verified;
}

}  // namespace genocl::marose
