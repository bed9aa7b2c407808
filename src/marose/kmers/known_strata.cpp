#include "marose/kmers/known_strata.hpp"

#include <algorithm>
#include <limits>

namespace genocl::marose {

KnownStrata::KnownStrata(std::span<const std::uint32_t> which, std::size_t first, std::span<ReadSummary> summaries)
    : which_(which),
      first_(first),
      summaries_(summaries),
      strata_(which.size()),
      capped_(which.size()),
      best_(which.size(), no_hit) {
  for (std::size_t i = 0; i < which.size(); ++i)
    strata_[i] = static_cast<std::uint16_t>(summaries[which[i] - first].bound + 1);
}

void KnownStrata::add(const Knowledge& segment, std::span<const std::uint32_t> reads) {
  for (const std::uint32_t i : reads) {
    strata_[i] = std::min(strata_[i], segment.strata[i]);
    capped_[i] |= segment.capped[i];
  }
}

std::vector<std::uint32_t> KnownStrata::settle(std::vector<RawHit>& hits, std::size_t from,
                                               std::span<const std::uint32_t> reads, std::uint32_t gap, bool ahead) {
  constexpr std::uint16_t none = std::numeric_limits<std::uint16_t>::max();
  const std::uint32_t begin = which_.front() - static_cast<std::uint32_t>(first_);
  // By place in the set: hits of reads that are not asked for here are kept.
  std::vector<std::uint16_t> best(which_.back() - which_.front() + 1, none), kept(best.size(), none);
  for (std::size_t h = from; h < hits.size(); ++h)
    best[hits[h].read - begin] = std::min(best[hits[h].read - begin], hits[h].errors);
  std::vector<std::uint32_t> again;
  for (const std::uint32_t i : reads) {
    const std::size_t place = which_[i] - which_.front();
    ReadSummary& summary = summaries_[which_[i] - first_];
    summary.known = strata_[i];
    const bool found = best[place] < strata_[i];
    summary.capped = capped_[i] != 0;
    if (summary.heuristic && !ahead) continue;  // all is kept
    kept[place] =
        summary.capped && !found && best[place] != none ? static_cast<std::uint16_t>(best[place] + 1) : strata_[i];
    best_[i] = best[place];
    if ((summary.capped && !ahead) || strata_[i] > summary.bound || (found && best[place] + gap < strata_[i])) continue;
    again.push_back(i);
    capped_[i] = 0;
    kept[place] = 0;
    strata_[i] = static_cast<std::uint16_t>(summary.bound + 1);
  }
  const auto unknown = [&](const RawHit& hit) { return hit.errors >= kept[hit.read - begin]; };
  hits.erase(std::remove_if(hits.begin() + static_cast<std::ptrdiff_t>(from), hits.end(), unknown), hits.end());
  return again;
}

}  // namespace genocl::marose
