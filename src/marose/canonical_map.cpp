// Mapping by the canonical index.

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/canonical.hpp"
#include "marose/pipeline.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::marose {

Candidates find_candidates_canonical(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                     const PlanTable& plans, StrandBits strands) {
  constexpr const char* file = "marose/seed_canonical.cl";
  const std::uint64_t items = std::uint64_t{batch.count} * plans.max_places;
  Candidates candidates;
  if (items == 0) return candidates;
  runtime::Defines defines = canonical_defines(segment.mask);
  set_read_defines(defines, batch);
  defines.set("LEVENSHTEIN", plans.model == Model::levenshtein ? 1 : 0).set("DIAGONAL_BIAS", diagonal_bias);
  const auto common = std::tuple_cat(
      reference_arguments(segment.reference), read_arguments(batch), plan_arguments(batch, plans),
      std::forward_as_tuple(segment.tables.find("first")->second, segment.tables.find("positions")->second,
                            segment.tables.find("contexts")->second, strands, plans.max_places, items));
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

namespace {

/// Maximum number of reads that a worker takes at a time: MAX_BATCH of cl/marose/map_cpu.clh.
constexpr std::uint32_t max_batch = 256;

// Output of the workers.
struct HitBuffer {
  runtime::Scratch hits;
  std::uint32_t capacity = 0;
  runtime::Scratch begin, count;  // [read]
};

void allocate_hits(const Device& device, HitBuffer& buffer, std::uint64_t wanted) {
  constexpr std::uint64_t most = 0xfffffffe;
  const std::uint64_t bytes = std::max<std::uint64_t>(wanted, 1) * sizeof(std::uint64_t);
  if (wanted > most) throw CapacityError("hits of a batch of reads", bytes, most * sizeof(std::uint64_t));
  buffer.hits = runtime::Scratch();  // free the old memory first
  buffer.hits = runtime::Scratch(device, bytes);
  buffer.capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(buffer.hits.bytes() / 8, most));
}

// Bits of a lane of cl/marose/map_levenshtein_cpu.cl: the band of 2 * errors + 1 diagonals, and enough rows to be
// worth a step.
unsigned lane_bits(std::uint32_t errors) { return errors <= 5 ? 16 : errors <= 12 ? 32 : 64; }

runtime::Defines map_defines(const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans) {
  runtime::Defines defines = canonical_defines(segment.mask);
  set_read_defines(defines, batch);
  defines.set("ONLY_CPU", 1).set("DIAGONAL_BIAS", diagonal_bias).set("MAX_BATCH", max_batch);
  if (plans.model == Model::levenshtein)
    defines.set("LANE_BITS", lane_bits(plans.max_errors)).set("ONE_PLAN", batch.one_plan ? 1 : 0);
  return defines;
}

// Maps all reads. Returns the number of hits, including those that did not fit and duplicates.
std::uint64_t map_reads(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                        const PlanTable& plans, StrandBits strands, HitBuffer& buffer) {
  const bool hamming = plans.model == Model::hamming;
  const std::size_t units = std::max<std::size_t>(1, device.info().compute_units);
  // Small batches if there are few reads, so that every core has some.
  const std::uint32_t reads =
      std::clamp<std::uint32_t>(static_cast<std::uint32_t>(runtime::ceil_div(batch.count, 8 * units)), 1, max_batch);
  const std::size_t workers = std::min<std::size_t>(4 * units, runtime::ceil_div(batch.count, reads));
  Array<std::uint32_t> taken(device, 2);
  taken.fill(0);
  Array<std::uint64_t> needed(device, workers);
  runtime::Kernel kernel(device, hamming ? "marose/map_hamming_cpu.cl" : "marose/map_levenshtein_cpu.cl",
                         hamming ? "map_hamming_cpu" : "map_levenshtein_cpu", map_defines(segment, batch, plans));
  const auto arguments = std::tuple_cat(
      reference_arguments(segment.reference), read_arguments(batch), plan_arguments(batch, plans),
      std::forward_as_tuple(segment.tables.at("first"), segment.tables.at("positions"), segment.tables.at("contexts")));
  std::apply(
      [&](const auto&... all) {
        kernel.args(all..., batch.count, strands, plans.max_errors, reads, taken, buffer.hits, buffer.capacity,
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
  runtime::launch_items(device, "marose/order_hits.cl", "order_hits", defines,
                        {.items = batch.count, .bytes = 20 * verified.count, .least = 4096}, buffer.hits, buffer.begin,
                        buffer.count, offsets, batch.count, verified.keys, verified.values);
  return verified;
}

// `canonical` on GPUs: look-ups and verification in one kernel, then the hits of every group are sorted.
//
// A read of 40 bases with 3 substitutions needs 8 to 12 look-ups, each of one to four sectors of 32 bytes at a random
// place, and a few survivors with two or three sectors each. An H200 reads 42 G random sectors/s, which is the limit.
// The rest (hits are written twice, 8 and 12 bytes) is a few percent.

namespace {

constexpr std::uint32_t max_reads_of_group = 4096;
// Chunks have 32-bit offsets. The limit leaves more than the number of headers, so that an overflow of the counter is
// detected by the number of hits.
constexpr std::uint64_t largest_capacity = 0xf0000000;

std::uint64_t max_capacity(const Device& device) {
  return std::min<std::uint64_t>(device.info().max_allocation / 8, largest_capacity);
}

// Parameters and results of a run of the mapping kernel.
struct GpuRun {
  unsigned group_size = 0, lanes = 0, items_per_lane = 0, bucket_words = 0;
  std::uint32_t reads_per_group = 0, groups = 0, order_capacity = 0;
  std::uint64_t chunk_capacity = 0;
  runtime::Scratch chunks;
  runtime::ScratchArray<std::uint32_t> counters;  // words of claimed chunks; groups with more hits than order_capacity
  runtime::ScratchArray<std::uint32_t> hits, chunk;  // of each group: number of hits, last chunk
  runtime::ScratchArray<std::uint64_t> offsets;      // of each group's hits, and their total
};

const Array<std::uint32_t>& table(const DeviceSegment& segment, std::string_view name) {
  const auto found = segment.tables.find(name);
  if (found == segment.tables.end()) throw InputError("canonical index without the table " + std::string(name));
  return found->second;
}

unsigned words_of_buckets(const DeviceSegment& segment, const PlanTable& plans, const GpuTuning& tuning) {
  // With insertions and deletions, bases on both sides of the seed are compared: this needs the whole context.
  if (!tuning.use_buckets || plans.model != Model::hamming || segment.buckets.empty()) return 0;
  return static_cast<unsigned>(segment.buckets.size() / (canonical_keys(segment.mask.weight()) + 1));
}

// Work-items that share a look-up, and look-ups that they do at a time. Measured on an H200: records of 128 bytes:
// 1,200 M reads/s with 4 lanes, 960 with 8; records of 32 bytes: 2,290 M with 2. Two look-ups at a time pay for lists
// only (860 instead of 730 M reads/s at 3.1 Gb): otherwise their local memory is lost to the cache.
struct Lanes {
  unsigned lanes = 0, items_per_lane = 0;
};

Lanes lanes_for(const DeviceSegment& segment, unsigned words) {
  if (words != 0) return {words == 8 ? 2u : 4u, 1};
  const std::uint64_t mean = table(segment, "contexts").size() / canonical_keys(segment.mask.weight());
  return mean >= 12 ? Lanes{8, 2} : Lanes{4, 1};
}

GpuRun lay_out(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
               const GpuTuning& tuning) {
  GpuRun run;
  run.group_size = runtime::group_size(device, {.group_size = tuning.group_size}, 64);
  run.bucket_words = words_of_buckets(segment, plans, tuning);
  const Lanes lanes = lanes_for(segment, run.bucket_words);
  run.lanes = tuning.lanes != 0 ? tuning.lanes : lanes.lanes;
  if (run.bucket_words != 0) run.lanes = std::min(run.lanes, run.bucket_words / 4);
  run.items_per_lane = std::min(tuning.items_per_lane != 0 ? tuning.items_per_lane : lanes.items_per_lane, run.lanes);
  // At one hit for each read, slightly less than a power of two, so that order_hits does not sort twice as many. In a
  // small batch a group gets fewer reads: a group with reads of repeats takes many times as long as others.
  const std::uint64_t share = runtime::ceil_div(batch.count, 32 * std::uint64_t{device.info().compute_units});
  const std::uint32_t items = tuning.items != 0 ? tuning.items : 960;
  const std::uint32_t fair =
      tuning.items != 0 ? max_reads_of_group : static_cast<std::uint32_t>(std::max<std::uint64_t>(share, 8));
  run.reads_per_group = std::clamp(std::min(items / plans.max_places, fair), 1u, max_reads_of_group);
  run.groups = static_cast<std::uint32_t>(runtime::ceil_div(batch.count, run.reads_per_group));
  run.order_capacity = tuning.order_capacity != 0 ? tuning.order_capacity : 2048;
  run.chunk_capacity =
      tuning.chunk_capacity != 0
          ? tuning.chunk_capacity
          : std::min(max_capacity(device), std::min<std::uint64_t>(8 * std::uint64_t{batch.count} + run.groups + 65536,
                                                                   device.info().global_memory / 128));
  run.counters = {device, 2};
  run.hits = {device, run.groups};
  run.chunk = {device, run.groups};
  run.offsets = {device, run.groups + std::size_t{1}};
  return run;
}

runtime::Defines mapping_defines(const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                                 const GpuRun& run) {
  runtime::Defines defines = canonical_defines(segment.mask);
  set_read_defines(defines, batch);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", run.group_size).set("DIAGONAL_BIAS", diagonal_bias);
  defines.set("LANES", run.lanes)
      .set("ITEMS_PER_LANE", run.items_per_lane)
      .set("BUCKET_WORDS", run.bucket_words)
      .set("ONE_PLAN", batch.one_plan ? 1 : 0);
  if (plans.model == Model::levenshtein) defines.set("BAND_BITS", plans.max_errors <= 15 ? 32 : 64);
  return defines;
}

// The number of hits, and the claimed memory; if that exceeds the capacity, hits are missing.
struct Counted {
  std::uint64_t hits = 0;
  std::uint32_t claimed = 0, large_groups = 0;
};

Counted map_reads(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                  StrandBits strands, GpuRun& run) {
  run.chunks = runtime::Scratch(device, run.chunk_capacity * sizeof(std::uint64_t));
  run.counters.fill(0);
  const bool hamming = plans.model == Model::hamming;
  runtime::Kernel kernel(device, hamming ? "marose/map_canonical_gpu.cl" : "marose/map_levenshtein_gpu.cl",
                         hamming ? "map_hamming" : "map_levenshtein", mapping_defines(segment, batch, plans, run));
  const Array<std::uint32_t>& contexts = table(segment, "contexts");
  const auto launch = [&](const auto&... reference) {
    std::apply(
        [&](const auto&... common) {
          kernel.args(reference..., common..., run.bucket_words != 0 ? segment.buckets : table(segment, "first"),
                      contexts, static_cast<std::uint32_t>(contexts.size()), table(segment, "positions"), batch.count,
                      run.reads_per_group, plans.max_places, strands, run.chunks,
                      static_cast<std::uint32_t>(run.chunk_capacity), run.counters, run.order_capacity, run.hits,
                      run.chunk);
        },
        std::tuple_cat(read_arguments(batch), plan_arguments(batch, plans)));
  };
  if (hamming)
    std::apply(launch, reference_arguments(segment.reference));
  else
    launch(segment.reference.words, segment.reference.length);
  kernel.run(run.groups, run.group_size);
  primitives::exclusive_scan(device, run.hits, run.offsets);
  Counted counted;
  std::uint32_t claimed_and_large[2] = {};
  run.counters.download(std::span(claimed_and_large, 2));
  run.offsets.download(std::span(&counted.hits, 1), run.groups);
  counted.claimed = claimed_and_large[0];
  counted.large_groups = claimed_and_large[1];
  return counted;
}

Verified order_hits(const Device& device, const ReadBatch& batch, const GpuRun& run, const Counted& counted) {
  Verified verified;
  verified.count = counted.hits;
  verified.keys = Array<std::uint64_t>(device, std::max<std::uint64_t>(counted.hits, 1));
  verified.values = Array<std::uint32_t>(device, std::max<std::uint64_t>(counted.hits, 1));
  if (counted.hits == 0) return verified;
  const unsigned size = runtime::group_size(device, {}, 64);
  runtime::Defines defines;
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("ORDER_CAPACITY", run.order_capacity);
  runtime::Kernel kernel(device, "marose/map_canonical_gpu_order.cl", "order_hits", defines);
  kernel.args(run.chunks, run.chunk, run.offsets, run.reads_per_group, verified.keys, verified.values);
  kernel.run(run.groups, size, 20 * counted.hits);
  // Rare: a read of low complexity. One sort of all hits suffices.
  if (counted.large_groups != 0)
    primitives::sort_replacing(device, verified.keys, verified.values,
                               {.last_bit = 33 + static_cast<unsigned>(std::bit_width(batch.count))});
  return verified;
}

// Removes duplicate keys, which are sorted.
Verified each_once(const Device& device, Verified&& verified) {
  if (verified.count == 0) return std::move(verified);
  const Array<std::uint8_t> is_first = flag_first(device, verified.keys.first(verified.count), verified.count);
  Verified unique;
  unique.keys = Array<std::uint64_t>(device, verified.count);
  unique.count = primitives::select(device, verified.keys, is_first, unique.keys);
  unique.values = std::move(verified.values);
  return unique;
}

}  // namespace

Verified map_canonical_gpu(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                           const PlanTable& plans, StrandBits strands, const GpuTuning& tuning) {
  if (batch.count == 0 || plans.max_places == 0 || table(segment, "contexts").empty()) return {};
  GpuRun run = lay_out(device, segment, batch, plans, tuning);
  Counted counted = map_reads(device, segment, batch, plans, strands, run);
  // The number of chunks varies between runs: reserve slightly more than was needed.
  const auto needed = [&] { return counted.hits + counted.hits / 64 + 2 * std::uint64_t{run.groups} + 4096; };
  while (counted.claimed > run.chunk_capacity || counted.hits > run.chunk_capacity) {
    if (needed() > max_capacity(device))
      throw CapacityError("the hits of one batch of reads", 8 * needed(), device.info().max_allocation);
    run.chunk_capacity =
        std::min(std::max(needed(), run.chunk_capacity + run.chunk_capacity / 2), max_capacity(device));
    run.chunks = {};
    counted = map_reads(device, segment, batch, plans, strands, run);
  }
  Verified verified = order_hits(device, batch, run, counted);
  return plans.model == Model::hamming ? std::move(verified) : each_once(device, std::move(verified));
}

Verified map_canonical_gpu(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                           const PlanTable& plans, StrandBits strands) {
  return map_canonical_gpu(device, segment, batch, plans, strands, GpuTuning{});
}

}  // namespace genocl::marose
