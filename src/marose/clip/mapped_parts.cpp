#include "marose/clip/mapped_parts.hpp"

#include <algorithm>
#include <utility>

#include "marose/map/report.hpp"

namespace genocl::marose {
namespace {

/// A part of a read that is tried.
struct Try {
  std::size_t read = 0;
  ReadPart part;
};

/// The hits of a set of tries that stand for a read in the end.
struct Chosen {
  std::size_t round = 0;  ///< 0: those of what is kept
  std::size_t number = 0;
};

bool has_no_hit(const ReadSummary& summary) { return summary.hits == 0 && !summary.too_short && !summary.capped; }

}  // namespace

Hits map_parts(const SequenceSet& reads, RecordRange range, const Trimmer& trimmer, bool ends,
               const MapWhole& map_whole) {
  std::vector<ReadPart> kept(range.count);
  SequenceSet set;
  for (std::size_t i = 0; i < range.count; ++i) {
    const std::size_t read = range.first + i;
    kept[i] = trimmer.kept(reads[read], reads.quality(read));
    set.append(reads.name(read), kept[i].of(reads[read]));
  }
  std::vector<Hits> rounds;
  rounds.push_back(map_whole(set));
  std::vector<Chosen> chosen(range.count);
  std::vector<ReadPart> mapped = kept;
  std::vector<std::size_t> unmapped;
  for (std::size_t i = 0; i < range.count; ++i) {
    chosen[i].number = i;
    if (ends && has_no_hit(rounds[0].reads[i])) unmapped.push_back(i);
  }

  std::vector<Try> tries;
  std::vector<ReadPart> parts;
  for (unsigned round = 1; !unmapped.empty(); ++round) {
    set.clear();
    tries.clear();
    for (const std::size_t i : unmapped) {
      parts_to_try(kept[i], round, parts);
      for (const ReadPart& part : parts) {
        tries.push_back({i, part});
        set.append({}, part.of(reads[range.first + i]));
      }
    }
    if (tries.empty()) break;
    const Hits& hits = rounds.emplace_back(map_whole(set));
    for (std::size_t t = 0; t < tries.size(); ++t) {
      const ReadSummary& summary = hits.reads[t];
      Chosen& best = chosen[tries[t].read];
      if (summary.hits == 0 || (best.round == round && hits.reads[best.number].best <= summary.best)) continue;
      best = {round, t};
      mapped[tries[t].read] = tries[t].part;
    }
    std::erase_if(unmapped, [&](std::size_t i) { return chosen[i].round != 0; });
  }

  Hits result = std::move(rounds[0]);
  if (rounds.size() > 1) {
    const Hits whole = std::exchange(result, Hits());
    for (std::size_t i = 0; i < range.count; ++i) {
      const Hits& from = chosen[i].round == 0 ? whole : rounds[chosen[i].round];
      const std::span<const Hit> hits = from.of(chosen[i].number);
      result.hits.insert(result.hits.end(), hits.begin(), hits.end());
      result.offsets.push_back(result.hits.size());
      result.reads.push_back(from.reads[chosen[i].number]);
    }
  }
  for (std::size_t i = 0; i < range.count; ++i) {
    result.reads[i].kept = kept[i];
    result.reads[i].mapped = mapped[i];
  }
  return result;
}

}  // namespace genocl::marose
