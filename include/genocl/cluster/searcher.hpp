// A Smith-Waterman search by all ranks: each has the whole database and searches a part of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "genocl/align/searcher.hpp"
#include "genocl/cluster/communicator.hpp"

namespace genocl::cluster {

/// The distribution of the database to the ranks.
/// - `shared`: pieces with similar numbers of residues. A rank begins with the same pieces in each search, which stay
///   on its devices, then takes pieces that other ranks have not begun. Ranks of unequal speed end together.
/// - `published`: consecutive parts of the file with equal numbers of residues, each sorted by length, in advance
///   (swGPUCluster, Pham et al., section III), without the paper's locks, since each rank has the whole file.
enum class Schedule : std::uint8_t { shared, published };

/// Throws InputError for any name except "shared" and "published".
GENOCL_EXPORT Schedule schedule_named(std::string_view name);

/// The results are those of an align::Searcher, for any number of ranks and devices: the same hits with the same
/// scores, E-values (of the whole database) and alignments.
/// Every rank makes each call on one thread.
class GENOCL_EXPORT Searcher {
 public:
  /// Collective, as are the other functions. Every rank passes its devices, and the same database and options, except
  /// `progress`, which reports the work of its rank, and `chunk_queue`, which must not be set. Throws as
  /// align::Searcher does.
  Searcher(const Communicator& ranks, Devices devices, const align::Database& database,
           const align::SearchOptions& options = {}, Schedule schedule = Schedule::shared);
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;
  ~Searcher();

  /// Returns the result of align::Searcher::search() on rank 0, and the counts without hits on other ranks. Cells and
  /// recomputed pairs are sums over the ranks; seconds and held hits are maxima over the ranks. Every rank passes the
  /// same queries. A rank sends its best hits of each query once: O(queries * top) bytes. With SearchOptions::filter it
  /// sends all hits within max_evalue, since filters apply to the hits of all ranks.
  align::SearchResult search(const SequenceSet& queries) const;
  /// As align::Searcher::search() with a sink on rank 0; sinks of other ranks are not called. The batches are those of
  /// align::Searcher::batches() for the whole database.
  align::SearchCounts search(const SequenceSet& queries, const align::Searcher::HitSink& sink) const;

  /// As align::Searcher::all_scores() on rank 0; sinks of other ranks are not called. O(queries * sequences) bytes.
  align::SearchCounts all_scores(const SequenceSet& queries, const align::Searcher::ScoreSink& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::cluster
