#include "genocl/align/searcher.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "align/database/resident.hpp"
#include "align/search/hits.hpp"
#include "align/search/search_plan.hpp"
#include "align/steps.hpp"
#include "genocl/error.hpp"
#include "runtime/chunks.hpp"
#include "runtime/device/access.hpp"
#include "runtime/memory/scratch.hpp"

namespace genocl::align {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The shape that a kernel asks for.
Device with_kernel(const Device& device, Kernel kernel) {
  if (kernel == Kernel::lanes) return device.with_family(KernelFamily::lanes);
  if (kernel == Kernel::group) return device.with_family(KernelFamily::group);
  return device;
}

bool is_published(Kernel kernel) {
  return kernel == Kernel::published || kernel == Kernel::inter || kernel == Kernel::intra;
}

DeviceChunk::Layout layout_for(const Device& device, Kernel kernel) {
  return !is_published(kernel) && device.family() == KernelFamily::lanes ? DeviceChunk::Layout::interleaved
                                                                         : DeviceChunk::Layout::plain;
}

/// Pairs of a hit's query and subject that are aligned at a time: enough to fill a device, few enough for several.
std::size_t pairs_at_a_time(std::size_t pairs, std::size_t devices) {
  return std::clamp<std::size_t>(pairs / (2 * devices), 32, 512);
}

/// The progress of one of several runs: `before` cells of `total` were done by the others.
Progress part_of(const Progress& progress, std::uint64_t before, std::uint64_t total) {
  if (!progress) return {};
  return [&progress, before, total](const ProgressState& state) {
    const std::uint64_t done = before + state.items_done;
    return progress({total != 0 ? static_cast<double>(done) / static_cast<double>(total) : 0, done, total});
  };
}

}  // namespace

/// What one call does, counted by its own threads: calls beside it have theirs.
struct SearchTally {
  std::mutex mutex;  ///< guards what follows
  SearchCounts counts;
  std::map<const void*, double> kernel_seconds;  ///< by context
};

struct Searcher::State {
  std::vector<Device> devices;
  Database database;
  SearchOptions options;
  ScoringTable table;
  std::optional<KarlinAltschul> statistics;
  std::vector<ChunkRange> chunks;
  std::vector<std::unique_ptr<ResidentChunks>> resident;  ///< [device]

  State(std::span<const Device> d, const Database& db, const SearchOptions& o) : database(db), options(o) {
    if (d.empty()) throw InputError("no device given");
    if (options.matrix.alphabet() != database.alphabet())
      throw InputError("a matrix for " + std::string(to_string(options.matrix.alphabet())) + " and a database of " +
                       std::string(to_string(database.alphabet())));
    if (options.top == 0) throw InputError("top 0: no hit would be left; expected 1 or more");
    if (std::isnan(options.max_evalue) || options.max_evalue < 0)
      throw InputError("an E-value of " + std::to_string(options.max_evalue) + "; expected 0 or more");
    if (options.share && options.chunk_residues == 0)
      throw InputError("a search that is shared needs chunks of a size that is given");
    table = make_scoring_table(options.matrix, options.gap, database.letter_counts());
    statistics = KarlinAltschul::find(options.matrix, options.gap);
    for (const Device& device : d) devices.push_back(with_kernel(device, options.kernel));
    chunks = cut_into_chunks(
        database, options.chunk_residues != 0 ? options.chunk_residues : chunk_residues(devices, database.residues()));
    for (const Device& device : devices)
      resident.push_back(
          std::make_unique<ResidentChunks>(device, layout_for(device, options.kernel), database, chunks, table));
  }

  /// What belongs to this context and shape: a device may be there in both.
  ResidentChunks& resident_on(const Device& device) const {
    for (const auto& one : resident)
      if (&runtime::core_of(one->device()) == &runtime::core_of(device) && one->device().family() == device.family())
        return *one;
    throw InputError("a device that the searcher was not made for");
  }

  std::uint64_t score(const Device& device, const DeviceChunk& chunk, std::span<const Query> queries,
                      DeviceScores& scores) const;
  template <class Result, class Take, class Sink>
  void run(std::span<const StrandQuery> queries, Take&& take, Sink&& sink, const Progress& progress,
           SearchTally& tally) const;
  std::vector<std::vector<Hit>> best_hits(const SequenceSet& queries, std::span<const StrandQuery> strands,
                                          SearchTally& tally) const;
  void add_alignments(std::span<const StrandQuery> strands, std::span<std::vector<Hit>> hits, SearchTally& tally) const;
  StrandQueries strands_of(const SequenceSet& queries) const;
};

StrandQueries Searcher::State::strands_of(const SequenceSet& queries) const {
  if (queries.alphabet() != database.alphabet())
    throw InputError("queries of " + std::string(to_string(queries.alphabet())) + " and a database of " +
                     std::string(to_string(database.alphabet())));
  return {queries, options.strands};
}

std::uint64_t Searcher::State::score(const Device& device, const DeviceChunk& chunk, std::span<const Query> queries,
                                     DeviceScores& scores) const {
  switch (options.kernel) {
    case Kernel::published:
      score_published(device, table, chunk, queries, options.threshold, scores);
      return 0;
    case Kernel::inter:
      score_published(device, table, chunk, queries, std::numeric_limits<std::uint64_t>::max(), scores);
      return 0;
    case Kernel::intra:
      score_published(device, table, chunk, queries, 0, scores);
      return 0;
    case Kernel::automatic:
    case Kernel::lanes:
    case Kernel::group:
      break;
  }
  return chunk.layout == DeviceChunk::Layout::interleaved ? score_lanes(device, table, chunk, queries, scores)
                                                          : score_group(device, table, chunk, queries, scores);
}

/// Every unit of these queries on the devices: take(device, unit, chunk, scores) -> Result on the workers' threads,
/// sink(unit, Result) on the calling one.
template <class Result, class Take, class Sink>
void Searcher::State::run(std::span<const StrandQuery> queries, Take&& take, Sink&& sink, const Progress& progress,
                          SearchTally& tally) const {
  std::uint64_t cells = 0;
  for (const StrandQuery& query : queries) cells += query.codes.size() * database.residues();
  const bool all_held = std::all_of(resident.begin(), resident.end(), [](const auto& one) { return one->holds_all(); });
  const UnitLimits limits = unit_limits(devices, cells);
  const ChunkQueue queue = options.share ? options.share(chunks.size()) : ChunkQueue();
  std::vector<Unit> units;
  if (!queue) units = plan_units(chunks, queries, limits);
  if (all_held && devices.size() > 1) largest_first(units);
  const double begin = now();
  std::size_t next = 0;
  const auto source = [&]() -> std::optional<Unit> {
    while (next == units.size()) {
      const std::optional<std::size_t> chunk = queue ? queue() : std::nullopt;
      if (!chunk) return std::nullopt;
      if (*chunk >= chunks.size()) throw InputError("a shared search was given a chunk that there is not");
      units = plan_units(std::span(chunks).subspan(*chunk, 1), queries, limits);
      for (Unit& unit : units) unit.chunk = *chunk;
      next = 0;
    }
    return units[next++];
  };
  struct Done {
    Unit unit;
    Result result;
  };
  const auto work = [&](const Device& device, Unit&& unit) {
    const auto chunk = resident_on(device).get(device, unit.chunk);
    std::vector<Query> batch;
    for (const StrandQuery& query : queries.subspan(unit.first_query, unit.query_count)) batch.push_back({query.codes});
    const std::size_t pairs = batch.size() * chunk->range.count;
    const runtime::Scratch memory(device, pairs * sizeof(DeviceScores::value_type));
    DeviceScores scores = DeviceScores::adopt(device, memory.buffer(), pairs);
    const double start = now();
    const std::uint64_t again = score(device, *chunk, batch, scores);
    device.finish();
    const double end = now();
    {
      const std::lock_guard lock(tally.mutex);
      tally.counts.computed_again += again;
      tally.kernel_seconds[&runtime::core_of(device)] += end - start;
    }
    return Done{unit, take(device, unit, *chunk, scores)};
  };
  runtime::ChunkOptions chunk_options;
  // With everything in place there is nothing to overlap: two queues would only take turns.
  for (const auto& one : resident) chunk_options.workers_of.push_back(one->holds_all() ? 1 : 2);
  chunk_options.items_total = cells;
  chunk_options.progress = progress;
  runtime::for_each_chunk(
      std::span<const Device>(devices), source, work,
      [&](Done&& done) {
        sink(done.unit, std::move(done.result));
        tally.counts.cells += done.unit.cells;
        return done.unit.cells;
      },
      chunk_options);
  // Every worker has ended.
  tally.counts.seconds += now() - begin;
  for (const auto& [context, seconds] : tally.kernel_seconds)
    tally.counts.kernel_seconds = std::max(tally.counts.kernel_seconds, seconds);
}

std::vector<std::vector<Hit>> Searcher::State::best_hits(const SequenceSet& queries,
                                                         std::span<const StrandQuery> strands,
                                                         SearchTally& tally) const {
  std::vector<std::optional<Significance>> significance(queries.size());
  std::vector<std::unique_ptr<BestHits>> best;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::int64_t least = std::max<std::int64_t>(1, options.min_score);
    if (statistics) {
      significance[q].emplace(*statistics, queries.length(q), database.whole());
      least = std::max(least, significance[q]->least_score(options.max_evalue));
    }
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    best.push_back(std::make_unique<BestHits>(options.top, static_cast<std::int32_t>(std::min(least, most))));
  }
  // Queries of like length side by side: kernels take several at a time.
  std::vector<StrandQuery> sorted(strands.begin(), strands.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const StrandQuery& a, const StrandQuery& b) { return a.codes.size() > b.codes.size(); });

  using Selected = std::vector<std::vector<Candidate>>;
  const auto take = [&](const Device& device, const Unit& unit, const DeviceChunk& chunk, const DeviceScores& scores) {
    std::vector<std::int32_t> cutoffs;
    for (std::size_t q = 0; q < unit.query_count; ++q)
      cutoffs.push_back(best[sorted[unit.first_query + q].query]->cutoff());
    return select_top(device, scores, chunk.count(), cutoffs, options.top);
  };
  const auto sink = [&](const Unit& unit, Selected&& selected) {
    for (std::size_t q = 0; q < unit.query_count; ++q) {
      const StrandQuery& query = sorted[unit.first_query + q];
      std::vector<FoundHit> hits;
      for (const Candidate& candidate : selected[q])
        hits.push_back({.subject = database.number(chunks[unit.chunk].first + candidate.subject),
                        .score = candidate.score,
                        .minus = query.minus});
      best[query.query]->add(std::move(hits));
    }
  };
  run<Selected>(sorted, take, sink, options.progress, tally);

  std::vector<std::vector<Hit>> hits;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::vector<Hit>& of_query = hits.emplace_back();
    for (const FoundHit& found : best[q]->take()) {
      const double nothing = std::numeric_limits<double>::quiet_NaN();
      Hit& hit = of_query.emplace_back();
      hit.subject = found.subject;
      hit.score = found.score;
      hit.minus = found.minus;
      hit.bits = significance[q] ? significance[q]->bits(hit.score) : nothing;
      hit.evalue = significance[q] ? significance[q]->evalue(hit.score) : nothing;
    }
  }
  return hits;
}

void Searcher::State::add_alignments(std::span<const StrandQuery> strands, std::span<std::vector<Hit>> hits,
                                     SearchTally& tally) const {
  const double begin = now();
  struct Pair {
    std::span<const Code> query, subject;
    Hit* hit;
  };
  std::map<std::pair<std::size_t, bool>, std::span<const Code>> codes;
  for (const StrandQuery& query : strands) codes[{query.query, query.minus}] = query.codes;
  std::vector<Pair> pairs;
  for (std::size_t q = 0; q < hits.size(); ++q)
    for (Hit& hit : hits[q]) pairs.push_back({codes.at({q, hit.minus}), database.sequence(hit.subject), &hit});

  std::size_t next = 0;
  const std::size_t at_a_time = pairs_at_a_time(pairs.size(), devices.size());
  const auto source = [&]() -> std::optional<std::span<Pair>> {
    if (next == pairs.size()) return std::nullopt;
    const std::size_t count = std::min(at_a_time, pairs.size() - next);
    const std::span<Pair> batch = std::span(pairs).subspan(next, count);
    next += count;
    return batch;
  };
  const auto work = [&](const Device& device, std::span<Pair>&& batch) {
    std::vector<std::span<const Code>> queries, subjects;
    for (const Pair& pair : batch) {
      queries.push_back(pair.query);
      subjects.push_back(pair.subject);
    }
    std::vector<Alignment> alignments = align_on_device(device, table, queries, subjects, 0);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (alignments[i].score != batch[i].hit->score)
        throw Error("a score of " + std::to_string(batch[i].hit->score) + " and an alignment of score " +
                    std::to_string(alignments[i].score) + ": please report this");
      batch[i].hit->alignment = std::move(alignments[i]);
    }
    return batch.size();
  };
  if (!pairs.empty())
    runtime::for_each_chunk(
        std::span<const Device>(devices), source, work, [](std::size_t count) { return count; },
        runtime::ChunkOptions{.workers_per_device = 1, .progress = {}});
  tally.counts.alignment_seconds = now() - begin;
}

Searcher::Searcher(std::span<const Device> devices, const Database& database, const SearchOptions& options)
    : state_(std::make_unique<State>(devices, database, options)) {}
Searcher::Searcher(const Device& device, const Database& database, const SearchOptions& options)
    : Searcher(std::span(&device, 1), database, options) {}
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;
Searcher::~Searcher() = default;

SearchResult Searcher::search(const SequenceSet& queries) const {
  const State& s = *state_;
  const StrandQueries strands = s.strands_of(queries);
  SearchTally tally;
  SearchResult result;
  result.hits = s.best_hits(queries, strands.all(), tally);
  if (s.options.align) s.add_alignments(strands.all(), result.hits, tally);
  result.counts = tally.counts;
  return result;
}

void Searcher::align(const SequenceSet& queries, std::span<std::vector<Hit>> hits) const {
  if (hits.size() != queries.size()) throw InputError("hits of another number of queries");
  const StrandQueries strands = state_->strands_of(queries);
  SearchTally tally;
  state_->add_alignments(strands.all(), hits, tally);
}

std::vector<Hit> Searcher::search(std::span<const Code> query) const {
  SequenceSet set(state_->database.alphabet());
  set.append("query", query);
  return std::move(search(set).hits.front());
}

SearchCounts Searcher::all_scores(const SequenceSet& queries, const ScoreSink& sink) const {
  const State& s = *state_;
  const StrandQueries strands = s.strands_of(queries);
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
  std::uint64_t total = 0;
  for (const StrandQuery& query : all) total += query.codes.size() * s.database.residues();
  for (std::size_t first = 0; first < queries.size(); first += at_a_time) {
    const std::size_t count = std::min(at_a_time, queries.size() - first);
    const std::span<const StrandQuery> some = all.subspan(first * strand_count, count * strand_count);
    scores.assign(count * size, 0);
    s.run<std::vector<std::int32_t>>(
        some,
        [](const Device&, const Unit&, const DeviceChunk&, const DeviceScores& device_scores) {
          return device_scores.download();
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
        part_of(s.options.progress, tally.counts.cells, total), tally);
    for (std::size_t q = 0; q < count; ++q)
      sink(first + q, 0, std::span<const std::int32_t>(scores).subspan(q * size, size));
  }
  return tally.counts;
}

const Database& Searcher::database() const noexcept { return state_->database; }
std::size_t Searcher::chunks() const noexcept { return state_->chunks.size(); }
const SearchOptions& Searcher::options() const noexcept { return state_->options; }
const std::optional<KarlinAltschul>& Searcher::statistics() const noexcept { return state_->statistics; }

}  // namespace genocl::align
