#include "marose/kmers/known_strata.hpp"

#include <algorithm>
#include <limits>

namespace genocl::marose {

KnownStrata::KnownStrata(std::vector<std::uint16_t> bounds)
    : bounds_(std::move(bounds)), strata_(bounds_.size()), capped_(bounds_.size()) {
  for (std::size_t i = 0; i < bounds_.size(); ++i) strata_[i] = static_cast<std::uint16_t>(bounds_[i] + 1);
}

void KnownStrata::add(const Knowledge& segment) {
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    strata_[i] = std::min(strata_[i], segment.strata[i]);
    capped_[i] |= segment.capped[i];
  }
}

std::vector<std::uint32_t> KnownStrata::settle(std::vector<RawHit>& hits, std::size_t from,
                                               std::span<const std::uint32_t> which, std::size_t first,
                                               std::span<ReadSummary> summaries) const {
  constexpr std::uint16_t none = std::numeric_limits<std::uint16_t>::max();
  const std::uint32_t begin = which.front() - static_cast<std::uint32_t>(first);
  std::vector<std::uint16_t> best(which.back() - which.front() + 1, none), strata(best.size(), none);
  const auto added = [&] { return std::span(hits).subspan(from); };
  for (const RawHit& hit : added()) best[hit.read - begin] = std::min(best[hit.read - begin], hit.errors);
  std::vector<std::uint32_t> again;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const std::size_t place = which[i] - which.front();
    ReadSummary& summary = summaries[which[i] - first];
    summary.known = strata_[i];
    const bool found = best[place] < strata_[i];
    summary.capped = !found && capped_[i] != 0;
    if (summary.heuristic) continue;  // all is kept
    strata[place] = summary.capped && best[place] != none ? static_cast<std::uint16_t>(best[place] + 1) : strata_[i];
    if (!found && !summary.capped && strata_[i] <= bounds_[i]) again.push_back(which[i]);
  }
  const auto unknown = [&](const RawHit& hit) { return hit.errors >= strata[hit.read - begin]; };
  hits.erase(std::remove_if(hits.begin() + static_cast<std::ptrdiff_t>(from), hits.end(), unknown), hits.end());
  return again;
}

}  // namespace genocl::marose
