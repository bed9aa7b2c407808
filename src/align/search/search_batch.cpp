// One batch of queries, from its scores to its hits.
#include <algorithm>

#include "align/search/searcher_run.hpp"

namespace genocl::align {
namespace {

/// Hits of each device that are aligned before they are given away: enough that devices which wait for the last of them
/// do not matter.
constexpr std::size_t aligned_at_a_time = 4096;

}  // namespace

std::vector<Unit> Searcher::State::units_of(std::span<const ChunkRange> some, std::span<const StrandQuery> queries,
                                            const UnitLimits& limits) const {
  std::vector<Unit> units;
  for (std::size_t c = some.size(); c-- > 0;)
    for (std::size_t first = 0, end = 0; first < queries.size(); first = end) {
      const std::uint64_t overlap = overlap_for(queries[first]);
      const Cut cut = cut_of(some[c], overlap);
      while (end < queries.size() && cut_of(some[c], overlap_for(queries[end])) == cut) ++end;
      ChunkRange pieces = some[c];
      pieces.count = size_of(database, some[c], cut).count;
      for (Unit& unit : plan_units(std::span(&pieces, 1), queries.subspan(first, end - first), limits)) {
        unit.chunk = c;
        unit.first_query += first;
        unit.overlap = overlap;
        units.push_back(unit);
      }
    }
  return units;
}

std::uint64_t Searcher::State::cells_of(std::span<const StrandQuery> queries) const {
  std::uint64_t letters = 0;
  for (const StrandQuery& query : queries) letters += query.codes.size();
  return letters * database.residues();
}

std::uint64_t Searcher::State::cells_with(const SequenceSet& queries) const {
  const bool both = queries.alphabet() == Alphabet::dna && options.strands == Strands::both;
  return queries.residues() * (both ? 2 : 1) * database.residues();
}

std::uint64_t Searcher::State::most_hits() const {
  const std::uint64_t strands = database.alphabet() == Alphabet::dna && options.strands == Strands::both ? 2 : 1;
  return std::max<std::uint64_t>(
      1, std::min<std::uint64_t>(options.top_before_alignment(database.alphabet()), strands * database.size()));
}

void Searcher::State::search(const SequenceSet& some, std::span<const Profile> profiles, const Searcher::HitSink& sink,
                             SearchProgress& progress, SearchTally& tally) const {
  const StrandQueries strands = strands_of(some, profiles);
  const std::span<const StrandQuery> all = strands.all();
  std::vector<std::vector<Hit>> hits = best_hits(some, all, progress.scores(cells_of(all)), tally);
  std::uint64_t held = 0, aligned = 0;
  for (const std::vector<Hit>& of_query : hits) held += of_query.size();
  const auto most_held = [&] { tally.counts.held_hits = std::max(tally.counts.held_hits, held); };
  most_held();
  const auto give = [&](std::size_t query) {
    held -= hits[query].size();
    sink(query, std::exchange(hits[query], {}));
  };
  if (!options.align) {
    for (std::size_t query = 0; query < some.size(); ++query) give(query);
    return;
  }
  const Progress of_batch = progress.alignments();
  const auto total = static_cast<double>(std::max<std::uint64_t>(held, 1));
  const std::size_t strand_count = some.empty() ? 1 : all.size() / some.size();
  for (std::size_t first = 0, end = 0; first < some.size(); first = end) {
    std::uint64_t count = 0;
    while (end < some.size() &&
           (end == first || (count + hits[end].size()) * std::min<std::size_t>(options.max_hsps, 4) <=
                                aligned_at_a_time * devices.size()))
      count += hits[end++].size();
    const double begin = static_cast<double>(aligned) / total;
    aligned += count;
    const std::span<std::vector<Hit>> group = std::span(hits).subspan(first, end - first);
    add_alignments(all.subspan(first * strand_count, group.size() * strand_count), group,
                   part_of(of_batch, begin, end == some.size() ? 1 : static_cast<double>(aligned) / total, 0), tally);
    held -= count;
    for (const std::vector<Hit>& of_query : group) held += of_query.size();
    most_held();
    for (std::size_t query = first; query < end; ++query) give(query);
  }
}

}  // namespace genocl::align
