// Every score of every query.
#include "align/search/searcher_run.hpp"

namespace genocl::align {

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
  const std::size_t size = s.database.size();
  // place[rank]: in database order.
  std::vector<std::uint64_t> place(size);
  {
    std::vector<std::uint64_t> ranks(size);
    for (std::size_t rank = 0; rank < size; ++rank) ranks[rank] = rank;
    std::sort(ranks.begin(), ranks.end(),
              [&](std::uint64_t a, std::uint64_t b) { return s.database.number(a) < s.database.number(b); });
    for (std::size_t i = 0; i < size; ++i) place[ranks[i]] = i;
  }
  // A gigabyte of scores bounds how many queries are taken at a time.
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
