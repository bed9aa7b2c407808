#include <bit>

#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/map/band.hpp"
#include "marose/steps.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

constexpr const char* file = "marose/map/resolve.cl";
constexpr const char* ends_file = "marose/map/resolve_ends.cl";

// The sum of counts whose exclusive scan is `offsets`.
std::uint64_t total_of(const Array<std::uint32_t>& counts, const Array<std::uint64_t>& offsets, std::uint64_t size) {
  std::uint64_t before = 0;
  std::uint32_t last = 0;
  offsets.download(std::span(&before, 1), size - 1);
  counts.download(std::span(&last, 1), size - 1);
  return before + last;
}

}  // namespace

DeviceHits resolve(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                   Verified&& verified) {
  if (verified.count == 0) return {};
  // The steps that do not look into the reads have one program for reads of all lengths.
  runtime::Defines defines;
  set_reference_defines(defines);
  defines.set("DIAGONAL_BIAS", diagonal_bias);
  const auto reference = reference_arguments(segment.reference);
  const auto reads = read_arguments(batch);
  const auto plan = plan_arguments(batch, plans);

  if (plans.model == Model::hamming) {
    runtime::launch_items(device, file, "hamming_values", defines, {.items = verified.count, .least = 4096}, plan,
                          verified.keys, verified.count, verified.values);
    return std::move(verified);
  }

  Array<std::uint8_t> head_flags(device, verified.count);
  runtime::launch_items(device, file, "region_heads", defines, {.items = verified.count, .least = 1024}, plan,
                        verified.keys, verified.count, head_flags);
  Array<std::uint64_t> heads(device, verified.count);  // as wide as hit_ends, for the same program
  const std::uint64_t head_count = primitives::select_indices(device, head_flags, heads);

  Array<std::uint32_t> counts(device, head_count);
  Array<std::uint64_t> offsets(device, head_count);
  runtime::launch_items(device, file, "count_regions", defines, {.items = head_count, .least = 1024}, reference, plan,
                        verified.keys, verified.count, heads, head_count, counts);
  primitives::exclusive_scan(device, counts, offsets);
  const std::uint64_t region_count = total_of(counts, offsets, head_count);
  if (region_count == 0) return {};
  Array<std::uint32_t> regions(device, 8 * region_count), sizes(device, region_count);
  runtime::launch_items(device, file, "write_regions", defines, {.items = head_count, .least = 1024}, reference, plan,
                        verified.keys, verified.count, heads, head_count, offsets, regions, sizes);

  // A region of one diagonal is 6 * errors + 1 diagonals wide, with what its definition looks at and paths may use; one
  // of an alignment with gaps has a few more.
  const BandShape ends_band = band_shape(device, 7 * std::uint64_t{plans.most_errors} + 1);
  runtime::Defines ends_defines = defines;
  set_read_defines(ends_defines, batch);
  ends_band.set_defines(ends_defines);
  Array<std::uint64_t> distance_offsets(device, region_count);
  primitives::exclusive_scan(device, sizes, distance_offsets);
  const std::uint64_t ends = total_of(sizes, distance_offsets, region_count);
  Array<std::uint8_t> distances(device, ends), flags(device, ends);
  runtime::launch_items(device, ends_file, "region_distances", ends_defines,
                        {.items = ends_band.blocks(region_count), .least = 4}, reference, reads, plan, regions,
                        region_count, distance_offsets, distances);
  runtime::launch_items(device, file, "flag_hits", defines, {.items = region_count, .least = 64}, plan, regions,
                        region_count, distance_offsets, distances, flags);
  Array<std::uint64_t> hit_ends(device, ends);
  DeviceHits hits;
  hits.count = primitives::select_indices(device, flags, hit_ends);
  if (hits.count == 0) return hits;
  hits.keys = Array<std::uint64_t>(device, hits.count);
  hits.values = Array<std::uint32_t>(device, hits.count);
  // A start is within its errors of the end's diagonal.
  const BandShape starts_band = band_shape(device, 2 * std::uint64_t{plans.most_errors} + 1);
  runtime::Defines starts_defines = defines;
  set_read_defines(starts_defines, batch);
  starts_band.set_defines(starts_defines);
  runtime::launch_items(device, ends_file, "find_starts", starts_defines,
                        {.items = starts_band.blocks(hits.count), .least = 4}, reference, reads, plan, regions,
                        region_count, distance_offsets, distances, hit_ends, hits.count, hits.keys, hits.values);
  return hits;
}

}  // namespace genocl::marose
