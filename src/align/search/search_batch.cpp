// Searches the database with one batch of queries.

#include <algorithm>

#include "align/search/searcher_state.hpp"
#include "genocl/error.hpp"

namespace genocl::align {

void tell(const Progress& progress, const ProgressState& state) {
  if (progress && !progress(state)) throw Cancelled();
}

Progress part_of(const Progress& progress, double begin, double end, std::uint64_t items_total) {
  if (!progress) return {};
  return [&progress, begin, end, items_total](const ProgressState& state) {
    const double fraction = begin + (end - begin) * state.fraction;
    return progress({fraction, static_cast<std::uint64_t>(fraction * static_cast<double>(items_total)), items_total});
  };
}

ProgressState SearchProgress::at(double of_batch, std::uint64_t cells) const {
  const double done = static_cast<double>(before_) + of_batch * static_cast<double>(batch_);
  return {cells_ != 0 ? std::min(1.0, done / static_cast<double>(cells_)) : 0, before_ + cells, cells_};
}

Progress SearchProgress::scores(std::uint64_t cells) {
  before_ += batch_;
  batch_ = cells;
  if (!progress_) return {};
  return [this](const ProgressState& state) { return progress_(at(share_ * state.fraction, state.items_done)); };
}

Progress SearchProgress::alignments() const {
  if (!progress_) return {};
  return [this](const ProgressState& state) { return progress_(at(share_ + (1 - share_) * state.fraction, batch_)); };
}

namespace {

/// Hits per device that are aligned before they are passed on: with this number, the idle time at the end of each round
/// is negligible.
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
  const std::uint64_t strands = queries.alphabet() == Alphabet::dna && options.strands == Strands::both ? 2 : 1;
  std::uint64_t letters = strands * queries.residues();
  if (options.translation.queries) {
    letters = 0;
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (const Frame frame : frames_of(options.strands))
        letters += std::max<std::uint64_t>(1, translated_length(queries.length(i), frame));
  }
  return letters * database.residues();
}

std::uint64_t Searcher::State::max_hits_of_query() const {
  const std::uint64_t pairs = options.strand_pairs(database.alphabet());
  return std::max<std::uint64_t>(
      1, std::min<std::uint64_t>(options.top_before_alignment(database.alphabet()), pairs * given.size()));
}

void Searcher::State::search(const SequenceSet& some, std::span<const Profile> profiles, const Searcher::HitSink& sink,
                             SearchProgress& progress, SearchTally& tally) const {
  const StrandQueries strands = strands_of(some, profiles);
  const std::span<const StrandQuery> all = strands.all();
  std::vector<std::vector<Hit>> hits = best_hits(some, all, progress.scores(cells_of(all)), tally);
  std::uint64_t held = 0, aligned = 0;
  for (const std::vector<Hit>& of_query : hits) held += of_query.size();
  const auto update_max_held = [&] { tally.counts.held_hits = std::max(tally.counts.held_hits, held); };
  update_max_held();
  const auto give = [&](std::size_t query) {
    held -= hits[query].size();
    to_source(hits[query]);
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
    update_max_held();
    for (std::size_t query = first; query < end; ++query) give(query);
  }
}

SearchCounts Searcher::all_scores(const SequenceSet& queries, const ScoreSink& sink) const {
  return state_->all_scores(queries, {}, sink);
}

SearchCounts Searcher::all_scores(std::span<const Profile> profiles, const ScoreSink& sink) const {
  return state_->all_scores(state_->letters_of(profiles), profiles, sink);
}

SearchCounts Searcher::State::all_scores(const SequenceSet& queries, std::span<const Profile> profiles,
                                         const ScoreSink& sink) const {
  const State& s = *this;
  const StrandQueries strands = strands_of(queries, profiles);
  SearchTally tally;
  const std::size_t size = s.given.size(), records = s.database.size();
  // place[rank]: position of the subject in database order.
  std::vector<std::uint64_t> place(records);
  {
    std::vector<std::uint64_t> ranks(records);
    for (std::size_t rank = 0; rank < records; ++rank) ranks[rank] = rank;
    std::sort(ranks.begin(), ranks.end(),
              [&](std::uint64_t a, std::uint64_t b) { return s.database.number(a) < s.database.number(b); });
    for (std::size_t i = 0; i < records; ++i) place[ranks[i]] = i / s.subject_frames();
  }
  // Limits the scores of a group of queries to 1 GiB.
  const std::size_t at_a_time = std::max<std::size_t>(1, (std::size_t{1} << 28) / std::max<std::size_t>(1, size));
  const std::span<const StrandQuery> all = strands.all();
  const std::size_t strand_count = queries.empty() ? 1 : all.size() / queries.size();
  std::vector<std::int32_t> scores;
  SearchProgress progress(s.options.progress, s.cells_of(all), false);
  for (std::size_t first = 0; first < queries.size(); first += at_a_time) {
    const std::size_t count = std::min(at_a_time, queries.size() - first);
    std::vector<StrandQuery> some = sorted_by_length(all.subspan(first * strand_count, count * strand_count));
    scores.assign(count * size, 0);
    s.run<std::vector<std::int32_t>>(
        some,
        [](const Device& device, const Unit& unit, const DeviceChunk& chunk, const DeviceScores& device_scores) {
          return chunk.pieces.empty()
                     ? device_scores.download()
                     : best_of_pieces(device, chunk, device_scores, unit.query_count).scores.download();
        },
        [&](const Unit& unit, std::vector<std::int32_t>&& found) {
          const ChunkRange& chunk = s.chunks[unit.chunk];
          for (std::size_t q = 0; q < unit.query_count; ++q) {
            std::int32_t* const to = scores.data() + (some[unit.first_query + q].query - first) * size;
            const std::int32_t* const from = found.data() + q * chunk.count;
            for (std::size_t i = 0; i < chunk.count; ++i) {
              std::int32_t& score = to[place[chunk.first + i]];
              score = std::max(score, from[i]);
            }
          }
        },
        progress.scores(s.cells_of(some)), tally);
    for (std::size_t q = 0; q < count; ++q)
      sink(first + q, 0, std::span<const std::int32_t>(scores).subspan(q * size, size));
  }
  return tally.counts;
}

}  // namespace genocl::align
