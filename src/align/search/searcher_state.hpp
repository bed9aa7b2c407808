// The state of a Searcher and of one search.
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

/// Calls `progress`. Throws Cancelled if it requests this.
void tell(const Progress& progress, const ProgressState& state);

/// Returns the progress function of a part of an operation. Its fractions 0 to 1 map to `begin` to `end` of the whole,
/// its items accordingly. `progress` must outlive the result.
Progress part_of(const Progress& progress, double begin, double end, std::uint64_t items_total);

/// Provides the progress functions of consecutive batches of queries. They refer to this object, which must not move.
class SearchProgress {
 public:
  /// @param cells Cells of all batches.
  /// @param aligns Alignments follow the scores of each batch.
  SearchProgress(const Progress& progress, std::uint64_t cells, bool aligns)
      : progress_(progress), cells_(cells), share_(aligns ? 0.9 : 1.0) {}

  /// Progress of the scores of the next batch, in cells.
  Progress scores(std::uint64_t cells);
  /// Progress of the alignments of that batch. Only the fraction is used.
  Progress alignments() const;

 private:
  /// Returns the overall state at fraction `of_batch` of this batch.
  ProgressState at(double of_batch, std::uint64_t cells) const;

  const Progress& progress_;
  std::uint64_t cells_;
  double share_;  ///< fraction of the scores in a batch
  std::uint64_t before_ = 0, batch_ = 0;
};

/// The counts of one call, updated by its threads. Concurrent calls have separate tallies.
struct SearchTally {
  std::mutex mutex;  ///< guards the following members
  SearchCounts counts;
  /// Time with kernels on a device, over all of its queues.
  struct Busy {
    double seconds = 0, until = 0;
  };
  std::map<const void*, Busy> busy;  ///< by context
};

/// Limits of the alignments of a pair.
struct HspLimits {
  std::size_t max_hsps = 1;
  std::int32_t min_score = 1;
  double max_evalue = 0;  ///< no effect without statistics
};

/// Throws InputError for a filter that is out of range or lacks by_subject.
void check_filter(const SearchOptions& options);
/// Returns whether an alignment of a hit passes the filters of identity and coverage.
bool passes(const HitFilter& filter, const Hit& hit, std::uint64_t query_length, std::uint64_t subject_length);

/// Throws InputError for an unknown genetic code and for options that do not combine with translation.
void check_translation(const SearchOptions& options);
/// Returns the database to search: `source`, or all of its frames (SearchOptions::translation), in the order of
/// `subject_numbers`, which are set.
Database translated_database(const Database& source, const SearchOptions& options,
                             std::vector<std::uint64_t>& subject_numbers);
/// Sizes for E-values: of a translated database a third of the nucleotides, as in BLAST.
DatabaseSize searched_size(const SearchOptions& options, DatabaseSize whole) noexcept;
EffectiveSizes searched_sizes(const SearchOptions& options) noexcept;
/// Returns the parameters of the E-values; empty if unknown or not requested.
std::optional<KarlinAltschul> search_statistics(const SearchOptions& options);
/// Returns the ungapped parameters of a translated query if its letters give a lower lambda than random ones, as BLAST.
std::optional<KarlinAltschul> frame_statistics(const KarlinAltschul& of_matrix, const Matrix& matrix,
                                               std::span<const Code> frame);

/// By index among the queries whose hits are aligned, and by StrandQuery::strand().
using QueryCodes = std::map<std::pair<std::size_t, int>, StrandQuery>;

struct Searcher::State {
  std::vector<Device> devices;
  Database given;                              ///< the one of the constructor
  std::vector<std::uint64_t> subject_numbers;  ///< of a translated database: in `given`, ascending
  /// The searched sequences: `given`, or its proteins. In this state, Hit::subject is a number in `database`.
  Database database;
  SearchOptions options;
  ScoringTable table;
  std::optional<KarlinAltschul> statistics;
  std::unique_ptr<LengthBounds> bounds;  ///< null if E-values do not depend on the subjects' lengths
  std::optional<PairAdjuster> adjuster;  ///< for composition-based statistics
  std::vector<ChunkRange> chunks;
  std::uint64_t split = 0;                                ///< maximum letters of a sequence in a chunk; 0: all
  std::uint64_t wanted_pieces = 0;                        ///< number of pieces of a chunk that fills the devices
  std::vector<std::unique_ptr<ResidentChunks>> resident;  ///< [device]
  mutable std::atomic<bool> compiled = false;             ///< compile_ahead() was called

  State(Devices d, const Database& db, const SearchOptions& o);

  /// Returns the chunks of this context and kernel family; a device may be present in both families.
  ResidentChunks& resident_on(const Device& device) const;
  /// Throws InputError if the alphabets of the queries and the database differ.
  void check_alphabet(const SequenceSet& queries) const;
  /// Throws InputError for a query whose alignments may span more letters of a subject than a piece can hold.
  /// `profiles`: those of the queries, or empty.
  void check_pieces(const SequenceSet& queries, std::span<const Profile> profiles) const;
  /// Returns the maximum subject letters that an alignment of the query with a score above 0 spans; 0 if unbounded. The
  /// value is rounded up, so that many queries share a few ways to cut.
  std::uint64_t overlap_for(const StrandQuery& query) const;
  /// `highest`: maximum score of a letter of the query.
  std::uint64_t overlap_for(std::uint64_t query_length, int highest) const;
  Cut cut_of(const ChunkRange& chunk, std::uint64_t overlap) const;
  /// Returns the parameters for E-values of a query's hits. Requires `statistics`.
  KarlinAltschul statistics_of(const StrandQuery& query) const;
  /// Returns the E-values of a query's scores. Requires `statistics`.
  Significance significance_of(const StrandQuery& query) const {
    return {statistics_of(query), query.codes.size(), searched_size(options, given.whole()), options.edge_correction,
            searched_sizes(options)};
  }
  /// The number of sequences in `database` of each subject.
  std::size_t subject_frames() const noexcept { return options.translation.database ? 6 : 1; }
  /// Converts Hit::subject to numbers in `given` and back.
  void to_source(std::span<Hit> hits) const;
  void from_source(std::span<Hit> hits) const;
  StrandQueries strands_of(const SequenceSet& queries) const;
  void add_statistics(std::span<StrandQuery> queries) const;
  /// For profiles, whose letters are `queries`; equivalent to the overload above if `profiles` is empty.
  StrandQueries strands_of(const SequenceSet& queries, std::span<const Profile> profiles) const;
  /// Returns the letters of profiles. Throws InputError if a search cannot use them.
  SequenceSet letters_of(std::span<const Profile> profiles) const;
  std::uint64_t score(const Device& device, const DeviceChunk& chunk, std::span<const Query> queries,
                      DeviceScores& scores) const;
  /// Returns the units of these chunks and queries (sorted by length). unit.chunk is an index in `some`.
  std::vector<Unit> units_of(std::span<const ChunkRange> some, std::span<const StrandQuery> queries,
                             const UnitLimits& limits) const;
  /// Compiles the GPU kernels of the first units on several threads, once for each searcher, during the upload of the
  /// first chunk. Kernels missing from the driver's cache are compiled in parallel. Errors are ignored here and recur
  /// at the launch.
  void compile_ahead(std::span<const StrandQuery> queries, std::span<const Unit> units) const noexcept;
  template <class Work>
  auto with_room(const Device& device, Work&& work) const;
  template <class Result, class Take, class Sink>
  void run(std::span<const StrandQuery> queries, Take&& take, Sink&& sink, const Progress& progress, SearchTally& tally,
           bool shares = true) const;
  std::uint64_t cells_of(std::span<const StrandQuery> queries) const;
  /// Returns the cells of these queries, with all searched strands.
  std::uint64_t cells_with(const SequenceSet& queries) const;
  /// The maximum number of hits of a query before alignments are added.
  std::uint64_t max_hits_of_query() const;
  /// Searches `some` of the queries and calls sink(index in `some`, hits) in order.
  void search(const SequenceSet& some, std::span<const Profile> profiles, const Searcher::HitSink& sink,
              SearchProgress& progress, SearchTally& tally) const;
  SearchResult search_at_once(const SequenceSet& queries, std::span<const Profile> profiles) const;
  SearchCounts search_all(const SequenceSet& queries, std::span<const Profile> profiles,
                          const Searcher::HitSink& sink) const;
  SearchCounts all_scores(const SequenceSet& queries, std::span<const Profile> profiles,
                          const Searcher::ScoreSink& sink) const;
  /// Returns the batches of a search with a sink.
  std::vector<RecordRange> batches(const SequenceSet& queries) const;
  std::vector<std::vector<Hit>> best_hits(const SequenceSet& queries, std::span<const StrandQuery> strands,
                                          const Progress& progress, SearchTally& tally) const;
  /// Composition-based statistics of translated searches (adjusted_frames.cpp). Returns the subject length of a hit's
  /// E-value. With adjusted scores, BLAST takes the nucleotides of a translated subject.
  std::uint64_t evalue_length(std::uint64_t record) const;
  /// Replaces the hits by the alignments of adjusted scores of their sequences, at most `most` of each pair, best
  /// first. Scores and parts of the hits are not used.
  void add_adjusted_frames(const QueryCodes& codes, std::span<std::vector<Hit>> hits, std::size_t most,
                           const Progress& progress) const;
  /// Returns the alignments of adjusted scores in a window of the translated sequence: one for each plain alignment,
  /// which come best first.
  std::vector<Hit> adjusted_in_window(const StrandQuery& query, std::span<const Hit* const> plain,
                                      const Interval& window) const;
  /// Returns the best hits by adjusted scores, in order, without alignments.
  std::vector<Hit> adjusted_frame_hits(const QueryCodes& codes, const StrandQuery& query, std::vector<Hit> plain,
                                       const Progress& progress) const;
  /// Returns the input of an adjustment. Requires `adjuster`.
  PairAdjuster::Query to_adjust(const StrandQuery& query) const {
    return query.scaled != nullptr ? adjuster->query(*query.scaled) : adjuster->query(query.codes);
  }
  /// Sorts hits, best first, and drops those that are not aligned.
  template <class AnyHit>
  void keep_best(std::vector<AnyHit>& hits) const {
    std::ranges::sort(hits, better<AnyHit>);
    const std::size_t top = options.top_before_alignment(database.alphabet());
    if (hits.size() > top) hits.erase(hits.begin() + static_cast<std::ptrdiff_t>(top), hits.end());
  }
  /// Returns the best of these hits by adjusted scores, in order.
  std::vector<Hit> adjusted(const StrandQuery& query, std::span<const FoundHit> hits, const Significance& significance,
                            const Progress& progress) const;
  /// Adds alignments to hits[q] of the q-th query, and applies the filters. `strands` are those of consecutive queries.
  /// `progress` counts cells of the hits' pairs.
  void add_alignments(std::span<const StrandQuery> strands, std::span<std::vector<Hit>> hits, const Progress& progress,
                      SearchTally& tally) const;
  /// Adds all alignments to these hits. With a filter, removes those that do not pass.
  void align_hits(std::span<const StrandQuery> strands, std::span<std::vector<Hit>> hits, const Progress& progress,
                  SearchTally& tally) const;
  /// Aligns candidates in rounds, best first, until the rest cannot be among the best `top` subjects.
  void add_filtered_alignments(std::span<const StrandQuery> strands, std::span<std::vector<Hit>> hits,
                               const Progress& progress, SearchTally& tally) const;
  /// Returns the cut of a subject that is aligned with a query.
  Cut cut_of_pair(std::uint64_t query_length, std::uint64_t subject_length) const;
  /// Returns the score of the best alignment with the hit's subject, and sets the hit's part to its range.
  std::int32_t best_score(const StrandQuery& query, Hit& hit) const;
  /// Determines the part of the best alignment of hits without it.
  void find_parts(const QueryCodes& codes, std::span<std::vector<Hit>> hits) const;
  using NextOfLong = std::map<const Hit*, std::vector<Alignment>>;
  /// Returns the further alignments of hits whose subjects are processed in pieces.
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
  /// Keeps the best `top` subjects with the best hit of each strand or pair of frames (SearchOptions::by_subject).
  void choose_subjects(const QueryCodes& codes, std::span<std::vector<Hit>> hits) const;
  /// A hit on a strand, or in a frame, that a search did not report.
  struct OtherStrand {
    std::size_t query = 0;
    Hit hit;
  };
  /// Computes their scores and parts. `all_letters`: include masked letters, for subjects that are scored as a whole.
  void score_others(const QueryCodes& codes, std::span<OtherStrand> others, bool all_letters = false) const;
  /// Returns the minimum score of an alignment within the limits.
  std::int32_t min_score(const StrandQuery& query, std::uint64_t subject_length, const HspLimits& limits) const;
  void add_next_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits, const HspLimits& limits,
                           const Progress& progress) const;
  HspLimits limits_of_hits() const noexcept { return {hsps_to_align(), options.min_score, options.max_evalue}; }
  /// The maximum number of alignments of a pair to compute. Filters may remove any of them.
  std::size_t hsps_to_align() const noexcept {
    return options.filter.any() && statistics ? std::numeric_limits<std::uint32_t>::max() : options.max_hsps;
  }

  /// Soft masks (soft_masks.cpp). Returns whether the query has masked letters and masking is soft.
  bool is_soft(const StrandQuery& query) const noexcept {
    return options.masking == Masking::soft && query.profile == nullptr && query.frame == 0 &&
           query.codes.data() != query.letters.data();
  }
  /// Returns the limits of the anchors that are extended.
  HspLimits limits_of_anchors() const noexcept;
  /// Computes at most `most` alignments of each hit's sequences from anchors, best first. Removes hits without one. A
  /// hit with a known part has the score of masked letters. All queries are soft-masked.
  void add_soft_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits, std::size_t most,
                           const Progress& progress) const;
  /// Removes pairs whose score of all letters is too low for a hit. This score bounds every extension.
  void leave_out_hopeless(const QueryCodes& codes, std::span<std::vector<Hit>> best) const;
  /// Returns hits from the `most` best anchors of each pair; the best anchor is known.
  std::vector<std::vector<Hit>> extended(const QueryCodes& codes, std::span<const std::vector<Hit>> best,
                                         std::size_t most, const Progress& progress) const;
  std::vector<Hit> extended(const StrandQuery& query, const Hit& hit, std::span<const Alignment> anchors) const;
  /// Returns the best of these hits by the scores of all letters, in order.
  std::vector<Hit> soft_hits(const QueryCodes& codes, std::size_t query, std::span<const FoundHit> found,
                             const Progress& progress) const;
};

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Returns the result of work(). If memory is insufficient because other programs use it, this function waits until the
/// work is alone on the device. It releases unused scratch memory, then the kept chunks, and repeats work().
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
      // Some drivers allocate a buffer on first use and report the failure then.
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

/// Processes every unit of these queries (sorted by length) on the devices. Workers call take(device, unit, chunk,
/// scores) -> Result, and the calling thread calls sink(unit, Result). Scores are those of pieces if the chunk has
/// pieces. `shares`: other processes take part (SearchOptions::chunk_queue).
template <class Result, class Take, class Sink>
void Searcher::State::run(std::span<const StrandQuery> queries, Take&& take, Sink&& sink, const Progress& progress,
                          SearchTally& tally, bool shares) const {
  const std::uint64_t cells = cells_of(queries);
  const bool all_held = std::all_of(resident.begin(), resident.end(), [](const auto& one) { return one->holds_all(); });
  const UnitLimits limits = unit_limits(devices, cells);
  const ChunkQueue queue = shares && options.chunk_queue ? options.chunk_queue(chunks.size()) : ChunkQueue();
  std::vector<Unit> units;
  if (!queue) units = units_of(chunks, queries, limits);
  if (all_held && devices.size() > 1) largest_first(units);
  const double begin = now();
  // The destructor waits, so that the referenced objects outlive the task.
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
  // With all chunks resident there is no copy to overlap, and a second queue has no benefit.
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
