// What a Searcher has, and the parts of a search.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "align/composition/pair_adjuster.hpp"
#include "align/database/resident.hpp"
#include "align/search/cutoffs.hpp"
#include "align/search/hits.hpp"
#include "align/search/search_plan.hpp"
#include "align/search/search_progress.hpp"
#include "align/steps.hpp"
#include "genocl/align/searcher.hpp"
#include "pairwise/host_pair.hpp"

namespace genocl::align {

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

}  // namespace genocl::align
