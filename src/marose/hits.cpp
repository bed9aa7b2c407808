// From candidates to hits: filter by errors, ends and starts on the device; contigs, order and selection on the host.
#include "marose/hits.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/edit_script.hpp"
#include "marose/pipeline.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

/// The shape of the bands of cl/marose/band.clh.
struct BandShape {
  unsigned bits = 32;  ///< of a word
  unsigned lanes = 1;  ///< words side by side

  /// The items of a kernel whose work-items take `lanes` of them at a time.
  std::uint64_t blocks(std::uint64_t items) const { return runtime::ceil_div(items, lanes); }
  void set_defines(runtime::Defines& defines) const { defines.set("BAND_BITS", bits).set("LANES", lanes); }
};

/// For `diagonals` consecutive diagonals, if 64 bits hold them; the rest of the work takes another path.
BandShape band_shape(const Device& device, std::uint64_t diagonals) {
  BandShape shape;
  shape.bits = diagonals <= 32 ? 32 : 64;
  if (runtime::uses_cpu_kernels(device)) shape.lanes = 256 / shape.bits;  // one register of AVX2
  return shape;
}

}  // namespace

namespace {

/// Sorts the first `count` keys and removes duplicates.
Array<std::uint64_t> sort_unique_on_host(const Device& device, Array<std::uint64_t>&& keys, std::uint64_t count) {
  std::vector<std::uint64_t> all(count);
  keys.download(std::span(all));
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  keys.upload(all);
  return runtime::MemoryAccess::reuse(device, std::move(keys), all.size());
}

}  // namespace

Array<std::uint8_t> flag_first(const Device& device, Span<const std::uint64_t> keys, std::uint64_t count) {
  Array<std::uint8_t> flags(device, count);
  runtime::launch_items(device, "marose/flag_first.cl", "flag_first", {},
                        {.items = count, .bytes = 9 * count, .least = 4096}, keys, count, flags);
  return flags;
}

Verified verify(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                Candidates&& candidates) {
  Verified verified;
  std::uint64_t count = candidates.count;
  if (count == 0) return verified;
  const bool on_host = runtime::uses_cpu_kernels(device) && count <= few_elements;
  if (on_host) {
    candidates.keys = sort_unique_on_host(device, std::move(candidates.keys), count);
    count = candidates.keys.size();
  } else if (!candidates.sorted) {
    primitives::sort_replacing(device, candidates.keys,
                               {.last_bit = 33 + static_cast<unsigned>(std::bit_width(std::uint64_t{batch.count}))});
  }
  if (runtime::uses_cpu_kernels(device) && !on_host) {
    // Every error-free window yields the same diagonal, and a lane takes as long for each. On GPUs, where this adds a
    // wait, no gain was measured.
    Array<std::uint64_t> unlike(device, count);
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
    runtime::launch_items(device, "marose/verify_hamming.cl", "verify_hamming", defines, {.items = count, .least = 64},
                          reference_arguments(segment.reference), read_arguments(batch), plan_arguments(batch, plans),
                          candidates.keys, count, passes, values);
  } else {
    const BandShape band = band_shape(device, 2 * plans.max_errors + 1);
    band.set_defines(defines);
    runtime::launch_items(device, "marose/verify_levenshtein.cl", "verify_levenshtein", defines,
                          {.items = band.blocks(count), .least = 4}, segment.reference.words, segment.reference.length,
                          read_arguments(batch), plan_arguments(batch, plans), candidates.keys, count, passes, values);
  }
  verified.keys = Array<std::uint64_t>(device, count);
  verified.count = primitives::select(device, candidates.keys, passes, verified.keys);
  verified.values = Array<std::uint32_t>(device, count);
  primitives::select(device, values, passes, verified.values);
  return verified;
}

namespace {

constexpr const char* resolve_file = "marose/resolve.cl";
constexpr const char* ends_file = "marose/resolve_ends.cl";

// The sum of counts with exclusive scan `offsets`.
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
  // Steps that do not read bases have one program for reads of all lengths.
  runtime::Defines defines;
  set_reference_defines(defines);
  defines.set("DIAGONAL_BIAS", diagonal_bias);
  const auto reference = reference_arguments(segment.reference);
  const auto reads = read_arguments(batch);
  const auto plan = plan_arguments(batch, plans);

  if (plans.model == Model::hamming) {
    runtime::launch_items(device, resolve_file, "hamming_values", defines, {.items = verified.count, .least = 4096},
                          plan, verified.keys, verified.count, verified.values);
    return std::move(verified);
  }

  Array<std::uint8_t> head_flags(device, verified.count);
  runtime::launch_items(device, resolve_file, "region_heads", defines, {.items = verified.count, .least = 1024}, plan,
                        verified.keys, verified.count, head_flags);
  Array<std::uint64_t> heads(device, verified.count);  // as wide as hit_ends, for the same program
  const std::uint64_t head_count = primitives::select_indices(device, head_flags, heads);

  Array<std::uint32_t> counts(device, head_count);
  Array<std::uint64_t> offsets(device, head_count);
  runtime::launch_items(device, resolve_file, "count_regions", defines, {.items = head_count, .least = 1024}, reference,
                        plan, verified.keys, verified.count, heads, head_count, counts);
  primitives::exclusive_scan(device, counts, offsets);
  const std::uint64_t region_count = total_of(counts, offsets, head_count);
  if (region_count == 0) return {};
  Array<std::uint32_t> regions(device, 8 * region_count), sizes(device, region_count);
  runtime::launch_items(device, resolve_file, "write_regions", defines, {.items = head_count, .least = 1024}, reference,
                        plan, verified.keys, verified.count, heads, head_count, offsets, regions, sizes);

  // A region of one diagonal is 6 * errors + 1 diagonals wide, including the diagonals that its definition and its
  // paths use; a region of an alignment with gaps is slightly wider.
  const BandShape ends_band = band_shape(device, 7 * std::uint64_t{plans.max_errors} + 1);
  runtime::Defines ends_defines = defines;
  set_read_defines(ends_defines, batch);
  ends_band.set_defines(ends_defines);
  ends_defines.set("FINDS_STARTS", 0);
  Array<std::uint64_t> distance_offsets(device, region_count);
  primitives::exclusive_scan(device, sizes, distance_offsets);
  const std::uint64_t ends = total_of(sizes, distance_offsets, region_count);
  Array<std::uint8_t> distances(device, ends), flags(device, ends);
  runtime::launch_items(device, ends_file, "region_distances", ends_defines,
                        {.items = ends_band.blocks(region_count), .least = 4}, reference, reads, plan, regions,
                        region_count, distance_offsets, distances);
  runtime::launch_items(device, resolve_file, "flag_hits", defines, {.items = region_count, .least = 64}, plan, regions,
                        region_count, distance_offsets, distances, flags);
  Array<std::uint64_t> hit_ends(device, ends);
  DeviceHits hits;
  hits.count = primitives::select_indices(device, flags, hit_ends);
  if (hits.count == 0) return hits;
  hits.keys = Array<std::uint64_t>(device, hits.count);
  hits.values = Array<std::uint32_t>(device, hits.count);
  // A start is within `errors` diagonals of the diagonal of its end.
  const BandShape starts_band = band_shape(device, 2 * std::uint64_t{plans.max_errors} + 1);
  runtime::Defines starts_defines = defines;
  set_read_defines(starts_defines, batch);
  starts_band.set_defines(starts_defines);
  starts_defines.set("FINDS_STARTS", 1);
  runtime::launch_items(device, ends_file, "find_starts", starts_defines,
                        {.items = starts_band.blocks(hits.count), .least = 4}, reference, reads, plan, regions,
                        region_count, distance_offsets, distances, hit_ends, hits.count, hits.keys, hits.values);
  return hits;
}

Verified find(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
              StrandBits strands) {
  if (segment.method != Method::canonical)
    return verify(device, segment, batch, plans, find_candidates_published(device, segment, batch, plans, strands));
  return runtime::uses_cpu_kernels(device) ? map_canonical_cpu(device, segment, batch, plans, strands)
                                           : map_canonical_gpu(device, segment, batch, plans, strands);
}

namespace {

std::size_t contig_at(std::span<const std::uint64_t> contigs, std::uint64_t position) {
  return static_cast<std::size_t>(std::upper_bound(contigs.begin(), contigs.end(), position) - contigs.begin()) - 1;
}

std::size_t kept(const Report& report, std::span<const Hit> hits, const ReadSummary& summary) {
  if (summary.hits == 0) return 0;
  // Hits beyond the bound serve MAPQ only.
  if (!summary.heuristic)
    hits = hits.first(static_cast<std::size_t>(
        std::partition_point(hits.begin(), hits.end(), [&](const Hit& hit) { return hit.errors <= summary.bound; }) -
        hits.begin()));
  switch (report.kind) {
    case Report::Kind::all:
    case Report::Kind::explored:
      return hits.size();
    case Report::Kind::best:
      return static_cast<std::size_t>(summary.best_hits);
    case Report::Kind::most:
      return static_cast<std::size_t>(std::min<std::uint64_t>(report.count, hits.size()));
    case Report::Kind::strata:
      break;
  }
  const std::uint64_t most = std::uint64_t{summary.best} + report.strata;
  return static_cast<std::size_t>(
      std::partition_point(hits.begin(), hits.end(), [&](const Hit& hit) { return hit.errors <= most; }) -
      hits.begin());
}

void summarise(ReadSummary& summary, std::span<const Hit> hits) {
  summary.hits = hits.size();
  if (hits.empty()) return;
  const auto stratum = [&](std::size_t from) {
    std::size_t end = from;
    while (end < hits.size() && hits[end].errors == hits[from].errors) ++end;
    return end;
  };
  // Hits beyond the bound were searched for MAPQ only.
  if (hits.front().errors > summary.bound && !summary.heuristic && !summary.capped) {
    summary.hits = 0;
    return;
  }
  const std::size_t second = stratum(0);
  summary.best = hits.front().errors;
  summary.best_hits = second;
  if (second < hits.size()) {
    summary.second = hits[second].errors;
    summary.second_hits = stratum(second) - second;
  }
}

}  // namespace

void append_hits(const DeviceHits& found, const Segment& segment, bool owned_only, std::span<const std::uint32_t> which,
                 std::size_t first, std::vector<RawHit>& hits) {
  if (found.count == 0) return;
  std::vector<std::uint64_t> keys(found.count);
  std::vector<std::uint32_t> values(found.count);
  found.keys.download(std::span(keys));
  found.values.download(std::span(values));
  hits.reserve(hits.size() + keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    RawHit hit;
    hit.read = static_cast<std::uint32_t>(which[static_cast<std::size_t>(keys[i] >> 33)] - first);
    hit.strand = (keys[i] >> 32 & 1) != 0 ? Strand::reverse : Strand::forward;
    hit.position = segment.begin + static_cast<std::uint32_t>(keys[i]) - diagonal_bias;
    hit.errors = static_cast<std::uint16_t>(values[i]);
    hit.length = static_cast<std::uint16_t>(values[i] >> 16);
    const std::uint64_t last = hit.position + hit.length - 1;
    if (!owned_only || (last >= segment.own.begin && last < segment.own.end)) hits.push_back(hit);
  }
}

namespace {

// The steps of cl/marose/resolve.cl and resolve_ends.cl, with find_in_text() for the ends and starts of a region.
class HostResolver {
 public:
  HostResolver(const ReferenceView& reference, const Segment& segment, bool owned_only, const HostReads& reads,
               std::vector<RawHit>& hits)
      : reference_(reference), segment_(segment), owned_only_(owned_only), reads_(reads), hits_(hits) {}

  /// Finds the hits of the diagonals [first, last] of a strand of a read: neighbours are so close that alignments on
  /// them may share an end.
  void resolve(std::uint64_t first, std::uint64_t last, const Plan& plan) {
    const auto read = static_cast<std::uint32_t>(first >> 33);
    const Strand strand = (first >> 32 & 1) != 0 ? Strand::reverse : Strand::forward;
    const auto bound = static_cast<std::int64_t>(plan.errors), length = static_cast<std::int64_t>(plan.length);
    const auto end_on = [&](std::uint64_t key) {
      return std::int64_t{static_cast<std::uint32_t>(key)} - diagonal_bias + length;
    };
    const std::int64_t first_end = std::max<std::int64_t>(end_on(first) - bound, 1);
    const std::int64_t last_end = std::min(end_on(last) + bound, static_cast<std::int64_t>(segment_.length));
    if (first_end > last_end) return;
    codes_ = reads_.set[reads_.which[read]];
    if (strand == Strand::reverse) {
      turned_.resize(codes_.size());
      dna::reverse_complement(codes_, turned_);
      codes_ = turned_;
    }
    // Positions are those in the segment.
    const std::span<const std::uint64_t> contigs = reference_.offsets;
    const auto in_segment = [&](std::uint64_t position) {
      return static_cast<std::int64_t>(std::clamp(position, segment_.begin, segment_.begin + segment_.length) -
                                       segment_.begin);
    };
    const auto at = segment_.begin + static_cast<std::uint64_t>(first_end) - 1;
    auto contig = std::upper_bound(contigs.begin(), contigs.end(), at) - 1;
    for (; contig + 1 != contigs.end() && in_segment(*contig) < last_end; ++contig) {
      const std::int64_t begin = in_segment(contig[0]), end = in_segment(contig[1]);
      const std::int64_t from = std::max(first_end, begin + 1), to = std::min(last_end, end);
      if (from > to) continue;
      // Neighbouring ends with fewer errors, or as many, decide whether an end is a hit.
      const std::int64_t first_base = std::max(begin, from - 2 * bound - length);
      text_.resize(static_cast<std::size_t>(std::min(to + bound, end) - first_base));
      copy_bases(reference_, segment_.begin + static_cast<std::uint64_t>(first_base), text_);
      for (const TextHit& hit : find_in_text(codes_, text_, plan.errors, Model::levenshtein)) {
        const std::int64_t hit_end = first_base + static_cast<std::int64_t>(hit.position + hit.length);
        if (hit_end >= from && hit_end <= to)
          add(read, strand, segment_.begin + static_cast<std::uint64_t>(first_base) + hit.position, hit);
      }
    }
  }

 private:
  void add(std::uint32_t read, Strand strand, std::uint64_t position, const TextHit& hit) {
    const std::uint64_t last = position + hit.length - 1;
    if (owned_only_ && (last < segment_.own.begin || last >= segment_.own.end)) return;
    hits_.push_back({.read = static_cast<std::uint32_t>(reads_.which[read] - reads_.first),
                     .errors = hit.errors,
                     .length = static_cast<std::uint16_t>(hit.length),
                     .position = position,
                     .strand = strand});
  }

  const ReferenceView& reference_;
  const Segment& segment_;
  bool owned_only_;
  const HostReads& reads_;
  std::vector<RawHit>& hits_;
  std::span<const Code> codes_;
  std::vector<Code> turned_, text_;
};

}  // namespace

void append_hits_on_host(const Verified& verified, const ReferenceView& reference, const Segment& segment,
                         bool owned_only, const HostReads& reads, std::span<const Plan> plans,
                         std::vector<RawHit>& hits) {
  if (verified.count == 0) return;
  std::vector<std::uint64_t> keys(verified.count);
  verified.keys.download(std::span(keys));
  HostResolver resolver(reference, segment, owned_only, reads, hits);
  for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
    const Plan& plan = plans[reads.plan[static_cast<std::size_t>(keys[begin] >> 33)]];
    for (end = begin + 1; end < keys.size() && keys[end] - keys[end - 1] <= 2 * std::uint64_t{plan.errors} + 1;) ++end;
    resolver.resolve(keys[begin], keys[end - 1], plan);
  }
}

Hits report_hits(std::vector<RawHit>& raw, std::vector<ReadSummary>&& summaries, const Report& report,
                 std::span<const std::uint64_t> contigs) {
  // One class and one segment are in the order of the reads.
  const auto by_read = [](const RawHit& a, const RawHit& b) { return a.read < b.read; };
  if (!std::is_sorted(raw.begin(), raw.end(), by_read)) std::stable_sort(raw.begin(), raw.end(), by_read);
  Hits result;
  result.reads = std::move(summaries);
  result.offsets.reserve(result.reads.size() + 1);
  result.hits.reserve(raw.size());
  std::size_t next = 0;
  for (std::size_t read = 0; read < result.reads.size(); ++read) {
    const std::size_t begin = result.hits.size();
    for (; next < raw.size() && raw[next].read == read; ++next) {
      const RawHit& from = raw[next];
      const std::size_t contig = contigs.size() == 2 ? 0 : contig_at(contigs, from.position);
      result.hits.push_back({.position = from.position - contigs[contig],
                             .reference = static_cast<std::uint32_t>(contig),
                             .length = from.length,
                             .errors = from.errors,
                             .strand = from.strand});
    }
    const auto first = result.hits.begin() + static_cast<std::ptrdiff_t>(begin);
    if (result.hits.size() - begin > 1) std::ranges::sort(first, result.hits.end(), {}, hit_order);
    const std::span<const Hit> hits(result.hits.data() + begin, result.hits.size() - begin);
    summarise(result.reads[read], hits);
    result.hits.resize(begin + kept(report, hits, result.reads[read]));
    result.offsets.push_back(result.hits.size());
  }
  return result;
}

void append(Hits& all, Hits&& more, std::size_t reads) {
  if (all.reads.empty()) {
    all = std::move(more);
    return;
  }
  if (reads > all.reads.capacity()) {
    // One allocation, where the reads to come have as many hits as those before, and an eighth more.
    const double share = static_cast<double>(reads) / static_cast<double>(all.reads.size());
    all.reads.reserve(reads);
    all.offsets.reserve(reads + 1);
    all.hits.reserve(static_cast<std::size_t>(1.125 * share * static_cast<double>(all.hits.size())));
  }
  const std::uint64_t before = all.hits.size();
  all.hits.insert(all.hits.end(), more.hits.begin(), more.hits.end());
  for (std::size_t i = 1; i < more.offsets.size(); ++i) all.offsets.push_back(before + more.offsets[i]);
  all.reads.insert(all.reads.end(), more.reads.begin(), more.reads.end());
}

}  // namespace genocl::marose
