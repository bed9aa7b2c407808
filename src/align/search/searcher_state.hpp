// The state of a Searcher, and of one search.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <utility>
#include <vector>

#include "align/composition/adjusted_scores.hpp"
#include "align/database/resident.hpp"
#include "align/pipeline.hpp"
#include "align/search/hits.hpp"
#include "align/search/search_plan.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/progress.hpp"
#include "pairwise/host_pair.hpp"
#include "runtime/access.hpp"
#include "runtime/chunks.hpp"
#include "runtime/scratch.hpp"

namespace genocl::align {

/// Throws Cancelled where `progress` says so.
void tell(const Progress& progress, const ProgressState& state);

/// A part of a longer operation: its fractions 0 to 1 are those from `begin` to `end` of the whole, and so are its
/// items. `progress` outlives it.
Progress part_of(const Progress& progress, double begin, double end, std::uint64_t items_total);

/// Hands out the progress of one batch of queries after the other. It stays where it is as long as they are used.
class SearchProgress {
 public:
  /// `cells` of all batches; `aligns`: alignments follow the scores of each.
  SearchProgress(const Progress& progress, std::uint64_t cells, bool aligns)
      : progress_(progress), cells_(cells), share_(aligns ? 0.9 : 1.0) {}

  /// Of the scores of the next batch, which counts cells.
  Progress scores(std::uint64_t cells);
  /// Of the alignments of that batch, of which only the fraction is looked at.
  Progress alignments() const;

 private:
  /// Where the whole is, when that much of this batch is done.
  ProgressState at(double of_batch, std::uint64_t cells) const;

  const Progress& progress_;
  std::uint64_t cells_;
  double share_;  ///< of the scores, in a batch
  std::uint64_t before_ = 0, batch_ = 0;
};

/// What one call does, counted by its own threads: calls beside it have theirs.
struct SearchTally {
  std::mutex mutex;  ///< guards what follows
  SearchCounts counts;
  /// While kernels run on a device, whatever the number of its queues.
  struct Busy {
    double seconds = 0, until = 0;
  };
  std::map<const void*, Busy> busy;  ///< by context
};

/// Which alignments of a pair are computed.
struct HspLimits {
  std::size_t max_hsps = 1;
  std::int32_t min_score = 1;
  double max_evalue = 0;  ///< does not count where no statistics are known
};

/// By place among the queries whose hits are aligned, and strand.
using QueryCodes = std::map<std::pair<std::size_t, bool>, StrandQuery>;

struct Searcher::State {
  std::vector<Device> devices;
  Database database;
  SearchOptions options;
  ScoringTable table;
  std::optional<KarlinAltschul> statistics;
  std::unique_ptr<LengthBounds> bounds;  ///< null where E-values do not depend on the subjects' lengths
  std::optional<PairAdjuster> adjuster;  ///< where the letters of a pair count
  std::vector<ChunkRange> chunks;
  std::uint64_t split = 0;                                ///< letters of a sequence that are in a chunk at most; 0: all
  std::uint64_t wanted_pieces = 0;                        ///< of a chunk: so many fill the devices
  std::vector<std::unique_ptr<ResidentChunks>> resident;  ///< [device]
  mutable std::atomic<bool> compiled = false;             ///< compile_ahead() was called

  State(Devices d, const Database& db, const SearchOptions& o);

  /// What belongs to this context and shape: a device may be there in both.
  ResidentChunks& resident_on(const Device& device) const;
  /// Throws InputError for queries of another alphabet than the database's.
  void check_alphabet(const SequenceSet& queries) const;
  /// Throws InputError for a query whose alignments can span more of a subject than a piece may hold. `profiles`: of
  /// the queries, or none.
  void check_pieces(const SequenceSet& queries, std::span<const Profile> profiles) const;
  /// Letters that an alignment of a query of so many with a score above 0 can span: rounded up, so that few ways to cut
  /// are enough for many queries. 0 where it has no bound.
  std::uint64_t overlap_for(const StrandQuery& query) const;
  /// Where a letter of the query scores `highest` at most.
  std::uint64_t overlap_for(std::uint64_t query_length, int highest) const;
  Cut cut_of(const ChunkRange& chunk, std::uint64_t overlap) const;
  /// What E-values of a query's hits are made from; `statistics` has to be known.
  KarlinAltschul statistics_of(const StrandQuery& query) const;
  StrandQueries strands_of(const SequenceSet& queries) const;
  void add_statistics(std::span<StrandQuery> queries) const;
  /// Of profiles, whose letters the queries are; without profiles the above.
  StrandQueries strands_of(const SequenceSet& queries, std::span<const Profile> profiles) const;
  /// Throws InputError where profiles cannot be searched with; gives their letters.
  SequenceSet letters_of(std::span<const Profile> profiles) const;
  std::uint64_t score(const Device& device, const DeviceChunk& chunk, std::span<const Query> queries,
                      DeviceScores& scores) const;
  /// Units of these queries, sorted by length, and these chunks; unit.chunk counts within them.
  std::vector<Unit> units_of(std::span<const ChunkRange> some, std::span<const StrandQuery> queries,
                             const UnitLimits& limits) const;
  /// Compiles for GPUs what the first of these units launch, on several threads, once for a searcher: while the first
  /// chunk is brought, and what the driver has not compiled before comes side by side. What fails there fails again
  /// where it is launched.
  void compile_ahead(std::span<const StrandQuery> queries, std::span<const Unit> units) const noexcept;
  template <class Work>
  auto with_room(const Device& device, Work&& work) const;
  template <class Result, class Take, class Sink>
  void run(std::span<const StrandQuery> queries, Take&& take, Sink&& sink, const Progress& progress, SearchTally& tally,
           bool shares = true) const;
  std::uint64_t cells_of(std::span<const StrandQuery> queries) const;
  /// The same of all strands of these that are looked for.
  std::uint64_t cells_with(const SequenceSet& queries) const;
  /// How many hits one query can have, before alignments are added.
  std::uint64_t most_hits() const;
  /// The hits of `some` of the queries, in their order: sink(number among `some`, hits).
  void search(const SequenceSet& some, std::span<const Profile> profiles, const Searcher::HitSink& sink,
              SearchProgress& progress, SearchTally& tally) const;
  SearchResult search_at_once(const SequenceSet& queries, std::span<const Profile> profiles) const;
  SearchCounts search_all(const SequenceSet& queries, std::span<const Profile> profiles,
                          const Searcher::HitSink& sink) const;
  SearchCounts all_scores(const SequenceSet& queries, std::span<const Profile> profiles,
                          const Searcher::ScoreSink& sink) const;
  /// Which queries a search with a sink takes together.
  std::vector<RecordRange> batches(const SequenceSet& queries) const;
  std::vector<std::vector<Hit>> best_hits(const SequenceSet& queries, std::span<const StrandQuery> strands,
                                          const Progress& progress, SearchTally& tally) const;
  /// The best of these hits, in their order, by adjusted scores.
  std::vector<Hit> adjusted(std::span<const Code> query, std::span<const FoundHit> hits,
                            const Significance& significance, const Progress& progress) const;
  /// hits[q]: of the q-th query of these strands, which are those of consecutive ones. `progress` counts cells of the
  /// hits' pairs.
  void add_alignments(std::span<const StrandQuery> strands, std::span<std::vector<Hit>> hits, const Progress& progress,
                      SearchTally& tally) const;
  /// How a subject is cut that is aligned with a query.
  Cut cut_of_pair(std::uint64_t query_length, std::uint64_t subject_length) const;
  /// The score of the best alignment with the hit's subject; the hit's part becomes where it is.
  std::int32_t best_score(const StrandQuery& query, Hit& hit) const;
  /// Finds out where the best alignments are of hits that do not tell.
  void find_parts(const QueryCodes& codes, std::span<std::vector<Hit>> hits) const;
  using NextOfLong = std::map<const Hit*, std::vector<Alignment>>;
  /// The alignments behind the first one of those hits whose subjects are looked at in pieces.
  NextOfLong next_of_long(const QueryCodes& codes, std::span<const std::vector<Hit>> hits,
                          const pairwise::HostScoring& scoring, const HspLimits& limits,
                          const Progress& progress) const;
  std::uint64_t cells_of_hit(const QueryCodes& codes, std::size_t query, const Hit& hit) const;
  void add_device_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits, const Progress& progress) const;
  void add_adjusted_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits,
                               const Progress& progress) const;
  template <class Of>
  void spread(const QueryCodes& codes, std::span<std::vector<Hit>> hits, const Progress& progress, Of&& of) const;
  void add_profile_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits,
                              const Progress& progress) const;
  /// Of the best `top` subjects, with the best hit of each strand (SearchOptions::by_subject).
  void choose_subjects(const QueryCodes& codes, std::span<std::vector<Hit>> hits, bool both_strands) const;
  /// A hit on the strand that a search has not reported.
  struct OtherStrand {
    std::size_t query = 0;
    Hit hit;
  };
  /// Fills in their scores and parts. `all_letters`: with masked letters, for subjects that are scored as a whole.
  void score_others(const QueryCodes& codes, std::span<OtherStrand> others, bool all_letters = false) const;
  /// The least score of an alignment within the limits.
  std::int32_t least_score(const StrandQuery& query, std::uint64_t subject_length, const HspLimits& limits) const;
  void add_next_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits, const HspLimits& limits,
                           const Progress& progress) const;
  HspLimits limits_of_hits() const noexcept { return {options.max_hsps, options.min_score, options.max_evalue}; }

  /// Soft masks (soft_masks.cpp). Whether masked letters of this query only start no hits.
  bool is_soft(const StrandQuery& query) const noexcept {
    return options.masking == Masking::soft && query.profile == nullptr && query.codes.data() != query.letters.data();
  }
  /// Which alignments of a query with masked letters are extended.
  HspLimits limits_of_anchors() const noexcept;
  /// At most `most` alignments of each hit's sequences, best first, from anchors; hits without one are removed. A hit
  /// whose part is known has the score of masked letters. All queries are soft-masked.
  void add_soft_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits, std::size_t most,
                           const Progress& progress) const;
  /// Leaves out anchors of pairs whose score of all letters, which bounds every extension, is that of no hit.
  void leave_out_hopeless(const QueryCodes& codes, std::span<std::vector<Hit>> best) const;
  /// Hits from the `most` best anchors of each pair, of which the best one is known.
  std::vector<std::vector<Hit>> extended(const QueryCodes& codes, std::span<const std::vector<Hit>> best,
                                         std::size_t most, const Progress& progress) const;
  std::vector<Hit> extended(const StrandQuery& query, const Hit& hit, std::span<const Alignment> anchors) const;
  /// The best of these hits, in their order, by the scores of all letters.
  std::vector<Hit> soft_hits(const QueryCodes& codes, std::size_t query, std::span<const FoundHit> found,
                             const Progress& progress) const;
};

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What work() gives. Where the memory that was planned with is not there, since others have it, scratch memory that
/// nobody uses makes way, then the chunks that are kept on the device, and the work waits until it is alone there.
template <class Work>
auto Searcher::State::with_room(const Device& device, Work&& work) const {
  ResidentChunks& kept = resident_on(device);
  std::shared_lock beside_others(kept.at_work());
  std::unique_lock alone(kept.at_work(), std::defer_lock);
  while (true) {
    try {
      return work();
    } catch (const CapacityError&) {
      if (alone && !kept.give_up()) throw;
    } catch (const DeviceError& error) {
      // Drivers that give a buffer its memory when it is first used say so then.
      if (error.code() != CL_MEM_OBJECT_ALLOCATION_FAILURE || (alone && !kept.give_up())) throw;
    }
    if (!alone) {
      beside_others.unlock();
      alone.lock();
    }
    runtime::release_unused_scratch(device);
    runtime::release_unused_scratch(kept.device());
  }
}

/// Every unit of these queries, sorted by length, on the devices: take(device, unit, chunk, scores) -> Result on the
/// workers' threads, sink(unit, Result) on the calling one. Scores are those of pieces where the chunk has some.
/// `shares`: other processes do some of it (SearchOptions::share).
template <class Result, class Take, class Sink>
void Searcher::State::run(std::span<const StrandQuery> queries, Take&& take, Sink&& sink, const Progress& progress,
                          SearchTally& tally, bool shares) const {
  const std::uint64_t cells = cells_of(queries);
  const bool all_held = std::all_of(resident.begin(), resident.end(), [](const auto& one) { return one->holds_all(); });
  const UnitLimits limits = unit_limits(devices, cells);
  const ChunkQueue queue = shares && options.share ? options.share(chunks.size()) : ChunkQueue();
  std::vector<Unit> units;
  if (!queue) units = units_of(chunks, queries, limits);
  if (all_held && devices.size() > 1) largest_first(units);
  const double begin = now();
  // Ends before what it refers to goes, whatever is thrown.
  std::future<void> ahead;
  if (!compiled) ahead = std::async([this, queries, first = units] { compile_ahead(queries, first); });
  std::size_t next = 0;
  const auto source = [&]() -> std::optional<Unit> {
    while (next == units.size()) {
      const std::optional<std::size_t> chunk = queue ? queue() : std::nullopt;
      if (!chunk) return std::nullopt;
      if (*chunk >= chunks.size()) throw InputError("a shared search was given a chunk that there is not");
      units = units_of(std::span(chunks).subspan(*chunk, 1), queries, limits);
      for (Unit& unit : units) unit.chunk = *chunk;
      next = 0;
    }
    return units[next++];
  };
  struct Done {
    Unit unit;
    Result result;
  };
  const auto score_unit = [&](const Device& device, const Unit& unit) {
    const auto chunk = resident_on(device).get(device, unit.chunk, cut_of(chunks[unit.chunk], unit.overlap));
    std::vector<Query> batch;
    for (const StrandQuery& query : queries.subspan(unit.first_query, unit.query_count))
      batch.push_back({query.codes, query.profile});
    const std::size_t pairs = batch.size() * chunk->count();
    runtime::ScratchArray<DeviceScores::value_type> scores(device, pairs);
    const double start = now();
    const std::uint64_t again = score(device, *chunk, batch, scores);
    device.finish();
    const double end = now();
    Done done{unit, take(device, unit, *chunk, scores)};
    const std::lock_guard lock(tally.mutex);
    tally.counts.computed_again += again;
    SearchTally::Busy& busy = tally.busy[&runtime::core_of(device)];
    busy.seconds += std::max(0.0, end - std::max(start, busy.until));
    busy.until = std::max(busy.until, end);
    return done;
  };
  const auto work = [&](const Device& device, Unit&& unit) {
    return with_room(device, [&] { return score_unit(device, unit); });
  };
  runtime::ChunkOptions chunk_options;
  // With everything in place there is nothing to overlap: two queues would only take turns.
  for (const auto& one : resident) chunk_options.workers_of.push_back(one->holds_all() ? 1 : 2);
  chunk_options.items_total = cells;
  chunk_options.progress = progress;
  runtime::for_each_chunk(
      Devices(devices), source, work,
      [&](Done&& done) {
        sink(done.unit, std::move(done.result));
        tally.counts.cells += done.unit.cells;
        return done.unit.cells;
      },
      chunk_options);
  // Every worker has ended.
  tally.counts.seconds += now() - begin;
  for (const auto& [context, busy] : tally.busy)
    tally.counts.kernel_seconds = std::max(tally.counts.kernel_seconds, busy.seconds);
}

}  // namespace genocl::align
