#include "marose/report.hpp"

#include <algorithm>
#include <utility>

namespace genocl::marose {
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
    if (!owned_only || (last >= segment.own_begin && last < segment.own_end)) hits.push_back(hit);
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
