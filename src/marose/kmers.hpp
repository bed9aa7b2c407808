// Method::kmers: all occurrences of every k-mer by canonical key, and for each read its rarest windows.
//
// The tables are "first" and "positions" of `canonical` (canonical.hpp) for a mask of k consecutive bases: 4 bytes
// for each base and each key. A read is mapped in rounds. A round looks up the p disjoint windows of the read with
// the fewest occurrences; it finds all alignments with up to p - 1 errors, since one window has no error. p grows
// until the requested strata are explored.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "marose/hits.hpp"
#include "marose/pipeline.hpp"
#include "runtime/defines.hpp"

namespace genocl::marose {

/// Larger than the number of strata of any read.
constexpr std::uint32_t all_strata = 255;

/// Larger than the errors of any hit.
constexpr std::uint32_t no_hit = 0xffff;

/// Strata of each read that are explored, and their maximum cost.
struct SearchDepth {
  /// Strata beyond the best one.
  std::uint32_t gap = 3;
  /// Number of these that are explored at any cost.
  std::uint32_t promised = 0;
  /// Strata of a read without a hit so far.
  std::uint32_t first_strata = all_strata;
  /// Maximum number of occurrences of a round for strata beyond the best.
  std::uint32_t budget = 0xffffffffu;
  /// A read is done when a second hit is found that is as good as the best, or is the next best.
  bool rivals_end = false;
  /// Maximum number of occurrences of a read in a round. A read that needs more for its best stratum is marked as
  /// capped.
  std::uint32_t cap = 1u << 20;
  /// Maximum number of occurrences that are filtered at once: their candidates need memory.
  std::uint64_t entries_at_once = ~std::uint64_t{0};
};

/// Explored strata of the reads of a batch in one segment.
struct SegmentStrata {
  std::vector<std::uint16_t> strata;  ///< [read]: all hits with fewer errors were found and are reported
  std::vector<std::uint8_t> capped;   ///< [read]: 1 if some list of occurrences was too long
};

/// Maps `reads` of the batch, ascending numbers. Returns the diagonals of the explored strata, up to `gap` beyond the
/// best, and for a capped read the best that were seen.
///
/// The errors of a diagonal do not count those due to an N of the text or the end of a contig, so a read may stop too
/// early. If its best stratum, or one within the gap, is not explored in the end, the caller maps it again with a gap
/// of all_strata.
///
/// @param before  [read of the batch]: errors of the best hit in other segments, no_hit if none; empty: no hit in any
/// @param strata  one element for each read of the batch; undefined for reads that are not in `reads`
Verified find_kmers(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                    StrandBits strands, const SearchDepth& depth, std::span<const std::uint32_t> reads,
                    std::span<const std::uint32_t> before, SegmentStrata& strata);

// Steps of find_kmers():

/// Costs of windows for each read, see cl/marose/kmer_windows.clh.
struct WindowCosts {
  std::uint32_t parts = 0;  ///< maximum number of windows of a read, a multiple of 8
  Array<std::uint32_t> costs, taken;
};

/// Counts the occurrences of every window of every read.
WindowCosts window_costs(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                         const PlanTable& plans);

/// Look-ups of a round: concatenated lists of occurrences. For GPU kernels no list is empty.
struct LookUpLists {
  using Window = std::array<std::uint32_t, 4>;
  std::uint64_t count = 0, entries = 0;
  Array<Window> windows;  ///< see write_look_ups in cl/marose/kmer_rounds.cl
  Array<std::uint32_t> words;
  Array<std::uint64_t> offsets;  ///< count + 1 elements
};

/// Candidates among the occurrences [first, last) of all lists.
Candidates filter_occurrences(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                              const PlanTable& plans, StrandBits strands, const WindowCosts& costs,
                              const LookUpLists& lists, std::uint64_t first, std::uint64_t last);

// Explored strata of reads over all segments.

class ExploredStrata {
 public:
  /// For reads which[i] of a set. which[i] - first is the index of the read in the summaries, which contain the
  /// bounds, and in the hits.
  ExploredStrata(std::span<const std::uint32_t> which, std::size_t first, std::span<ReadSummary> summaries);

  /// A stratum is explored if it is explored in every segment.
  ///
  /// @param reads  reads of the class that were mapped
  void add(const SegmentStrata& segment, std::span<const std::uint32_t> reads);

  /// Removes hits of unexplored strata from hits[from] on; a capped read without other hits keeps the best that were
  /// seen. Updates the summaries. Returns the reads whose best stratum, or one of the `gap` beyond it, is unexplored
  /// although it is within the bound; their hits are removed, since they are mapped again.
  ///
  /// @param ahead  not all strata were requested: the result includes capped reads and those of heuristic plans,
  ///               which are otherwise done
  std::vector<std::uint32_t> prune_hits(std::vector<RawHit>& hits, std::size_t from,
                                        std::span<const std::uint32_t> reads, std::uint32_t gap, bool ahead = false);

  /// [read of the class]: minimum errors of the hits that were seen, no_hit if none.
  std::span<const std::uint32_t> best() const noexcept { return best_; }

 private:
  std::span<const std::uint32_t> which_;
  std::size_t first_;
  std::span<ReadSummary> summaries_;
  std::vector<std::uint16_t> strata_;
  std::vector<std::uint8_t> capped_;
  std::vector<std::uint32_t> best_;
};

}  // namespace genocl::marose
