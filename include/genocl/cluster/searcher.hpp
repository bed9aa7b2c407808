// A Smith-Waterman search by all ranks: each has the whole database at hand and searches some of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "genocl/align/searcher.hpp"
#include "genocl/cluster/communicator.hpp"

namespace genocl::cluster {

/// Who searches what.
/// - `shared`: the database in pieces of like residues; a rank begins with its own share of them, always the same, so
///   that they stay on its devices, and then takes what the others have not begun. Unequal ranks end together.
/// - `published`: as in swGPUCluster (Pham et al., section III): the database, sorted by length, is divided equally
///   among the ranks in advance.
enum class Schedule : std::uint8_t { shared, published };

/// Throws InputError for another name than "shared" or "published".
GENOCL_EXPORT Schedule schedule_named(std::string_view name);

/// The answers are those of an align::Searcher, whatever the ranks, their devices and their number: the same hits with
/// the same scores, E-values (of the whole database) and alignments.
/// Every call is collective: all ranks make it, each on one thread.
class GENOCL_EXPORT Searcher {
 public:
  /// Collective, as all that follows. Every rank gives its own devices, and the same database and options, but for
  /// `progress`, which tells of its own work, and `share`, which may not be set. Throws what align::Searcher throws.
  Searcher(const Communicator& ranks, Devices devices, const align::Database& database,
           const align::SearchOptions& options = {}, Schedule schedule = Schedule::shared);
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;
  ~Searcher();

  /// On rank 0 what align::Searcher::search() returns; on the others no hits, and all counts as well. Cells and pairs
  /// computed again are summed over the ranks, seconds are those of the slowest rank, held hits those of the one that
  /// held most. Every rank gives the same queries. A rank sends its best hits of each query once: O(queries * top)
  /// bytes.
  align::SearchResult search(const SequenceSet& queries) const;
  /// On rank 0 what align::Searcher::search() with a sink does; the others' sinks are not called. The batches are those
  /// that align::Searcher::batches() tells of the whole database.
  align::SearchCounts search(const SequenceSet& queries, const align::Searcher::HitSink& sink) const;

  /// On rank 0 what align::Searcher::all_scores() does; the others' sinks are not called. O(queries * sequences) bytes.
  align::SearchCounts all_scores(const SequenceSet& queries, const align::Searcher::ScoreSink& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::cluster
