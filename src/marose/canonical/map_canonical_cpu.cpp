#include <algorithm>
#include <numeric>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/canonical/canonical.hpp"
#include "marose/steps.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::marose {
namespace {

/// Reads that a worker takes at a time, at most: MOST_BATCH of cl/marose/canonical/map_cpu.clh.
constexpr std::uint32_t most_batch = 256;

// Where workers leave the hits.
struct HitBuffer {
  runtime::Scratch hits;
  std::uint32_t capacity = 0;
  runtime::Scratch begin, count;  // [read]
};

void allocate_hits(const Device& device, HitBuffer& buffer, std::uint64_t wanted) {
  constexpr std::uint64_t most = 0xfffffffe;
  const std::uint64_t bytes = std::max<std::uint64_t>(wanted, 1) * sizeof(std::uint64_t);
  if (wanted > most) throw CapacityError("hits of a batch of reads", bytes, most * sizeof(std::uint64_t));
  buffer.hits = runtime::Scratch();  // what there was goes first
  buffer.hits = runtime::Scratch(device, bytes);
  buffer.capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(buffer.hits.bytes() / 8, most));
}

// Bits of a lane of cl/marose/map/band_cpu.clh: the band of 2 errors + 1 diagonals and rows enough to be worth a
// turn.
unsigned lane_bits(std::uint32_t errors) { return errors <= 5 ? 16 : errors <= 12 ? 32 : 64; }

runtime::Defines map_defines(const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans) {
  runtime::Defines defines = canonical_defines(segment.mask);
  set_read_defines(defines, batch);
  defines.set("ONLY_CPU", 1).set("DIAGONAL_BIAS", diagonal_bias).set("MOST_BATCH", most_batch);
  if (plans.model == Model::levenshtein)
    defines.set("LANE_BITS", lane_bits(plans.most_errors)).set("ONE_PLAN", batch.one_plan ? 1 : 0);
  return defines;
}

// Maps all reads; returns how many hits, some of them more than once, were to be written.
std::uint64_t map_reads(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                        const PlanTable& plans, StrandBits strands, HitBuffer& buffer) {
  const bool hamming = plans.model == Model::hamming;
  const std::size_t units = std::max<std::size_t>(1, device.info().compute_units);
  // Small batches for few reads, so that every core has some.
  const std::uint32_t reads =
      std::clamp<std::uint32_t>(static_cast<std::uint32_t>(runtime::ceil_div(batch.count, 8 * units)), 1, most_batch);
  const std::size_t workers = std::min<std::size_t>(4 * units, runtime::ceil_div(batch.count, reads));
  Array<std::uint32_t> taken(device, 2);
  taken.fill(0);
  Array<std::uint64_t> needed(device, workers);
  runtime::Kernel kernel(device,
                         hamming ? "marose/canonical/map_hamming_cpu.cl" : "marose/canonical/map_levenshtein_cpu.cl",
                         hamming ? "map_hamming_cpu" : "map_levenshtein_cpu", map_defines(segment, batch, plans));
  const auto arguments = std::tuple_cat(
      reference_arguments(segment.reference), read_arguments(batch), plan_arguments(batch, plans),
      std::forward_as_tuple(segment.tables.at("first"), segment.tables.at("positions"), segment.tables.at("contexts")));
  std::apply(
      [&](const auto&... all) {
        kernel.args(all..., batch.count, strands, plans.most_errors, reads, taken, buffer.hits, buffer.capacity,
                    buffer.begin, buffer.count, needed);
      },
      arguments);
  kernel.run(workers, 1);
  const std::vector<std::uint64_t> all = needed.download();
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
}

}  // namespace

Verified map_canonical_cpu(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                           const PlanTable& plans, StrandBits strands) {
  Verified verified;
  if (batch.count == 0) return verified;
  HitBuffer buffer;
  buffer.begin = runtime::Scratch(device, sizeof(std::uint32_t) * batch.count);
  buffer.count = runtime::Scratch(device, sizeof(std::uint32_t) * batch.count);
  allocate_hits(device, buffer, 4 * std::uint64_t{batch.count} + 4096);
  const std::uint64_t needed = map_reads(device, segment, batch, plans, strands, buffer);
  if (needed > buffer.capacity) {
    allocate_hits(device, buffer, needed);
    map_reads(device, segment, batch, plans, strands, buffer);
  }

  const std::uint64_t offset_count = std::uint64_t{batch.count} + 1;
  runtime::ScratchArray<std::uint64_t> offsets(device, offset_count);
  primitives::exclusive_scan(device, buffer.count.span<std::uint32_t>(batch.count), offsets);
  offsets.download(std::span(&verified.count, 1), batch.count);
  if (verified.count == 0) return verified;
  const bool hamming = plans.model == Model::hamming;
  verified.keys = Array<std::uint64_t>(device, verified.count);
  verified.values = Array<std::uint32_t>(device, hamming ? verified.count : 1);
  runtime::Defines defines;
  defines.set("WITH_ERRORS", hamming ? 1 : 0).set("DIAGONAL_BIAS", diagonal_bias);
  runtime::launch_items(device, "marose/map/order_hits.cl", "order_hits", defines,
                        {.items = batch.count, .bytes = 20 * verified.count, .least = 4096}, buffer.hits, buffer.begin,
                        buffer.count, offsets, batch.count, verified.keys, verified.values);
  return verified;
}

}  // namespace genocl::marose
