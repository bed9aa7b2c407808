// Method::kmers: all places of every k-mer, by canonical key, and for each read the windows that are rarest.
//
// The tables are "first" and "positions" of `canonical` (canonical.hpp) for a mask of k bases in a row: 4 bytes a base,
// and 4 bytes a key. A read is mapped in rounds: p disjoint windows of it that have the fewest places together are
// looked up, and all alignments with up to p - 1 errors are known then (one of the windows has none). p grows until the
// strata that are asked for are known.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "marose/pipeline.hpp"
#include "marose/report.hpp"
#include "runtime/defines.hpp"

namespace genocl::marose {

/// More strata than any read has.
constexpr std::uint32_t all_strata = 255;

/// More errors than any hit has.
constexpr std::uint32_t no_hit = 0xffff;

/// Which strata of each read are to be known, and at what price.
struct SearchDepth {
  /// Strata beyond the best one.
  std::uint32_t gap = 3;
  /// Of them those that are looked at whatever they cost.
  std::uint32_t promised = 0;
  /// Strata of a read while no hit of it is known.
  std::uint32_t first_strata = all_strata;
  /// Entries that a round for strata beyond the best may cost.
  std::uint32_t budget = 0xffffffffu;
  /// A read is done when another hit is known that is as good as the best, or the next best is.
  bool rivals_end = false;
  /// Entries of a read in a round. A read that needs more for its best stratum is given up and said to be capped.
  std::uint32_t cap = 1u << 20;
  /// The most entries that are filtered together, for their candidates take memory.
  std::uint64_t entries_at_once = ~std::uint64_t{0};
};

/// What is known of the reads of a batch in a segment.
struct SegmentStrata {
  std::vector<std::uint16_t> strata;  ///< [read]: all hits with fewer errors are known, and given out
  std::vector<std::uint8_t> capped;   ///< [read]: some list of it was too long to be gone through
};

/// Maps `reads` of the batch, which are ascending numbers. It gives the diagonals of the strata that are known, up to
/// `gap` beyond the best, and of a capped read the best that were seen. `knowledge` has an element for each read of the
/// batch; those of reads that were not asked for mean nothing.
/// The errors of a diagonal leave out those that an N of the text or the end of a contig brings. So a read may stop too
/// early: when in the end its best stratum, or one within the gap of it, is not known, it has to be mapped again with a
/// gap of all_strata.
/// `before`: of each read of the batch the errors of the best hit that is known from other segments, no_hit where none
/// is; empty: of none.
Verified find_kmers(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                    StrandBits strands, const SearchDepth& depth, std::span<const std::uint32_t> reads,
                    std::span<const std::uint32_t> before, SegmentStrata& strata);

// Steps of it

/// [read]: what windows cost, see cl/marose/kmer_windows.clh.
struct WindowCosts {
  std::uint32_t parts = 0;  ///< the most windows of a read, a multiple of 8
  Array<std::uint32_t> costs, taken;
};

/// Looks up every window of every read once.
WindowCosts window_costs(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                         const PlanTable& plans);

/// The look-ups of a round: lists of places, one after the other; for group kernels none of them is empty.
struct LookUpLists {
  using Window = std::array<std::uint32_t, 4>;
  std::uint64_t count = 0, entries = 0;
  Array<Window> windows;  ///< see write_look_ups in cl/marose/kmer_rounds.cl
  Array<std::uint32_t> words;
  Array<std::uint64_t> offsets;  ///< count + 1 of them
};

/// Gives the candidates of the entries [first, last) of all lists.
Candidates filter_occurrences(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                              const PlanTable& plans, StrandBits strands, const WindowCosts& costs,
                              const LookUpLists& lists, std::uint64_t first, std::uint64_t last);

/// Sets what cl/marose/kmer_windows.clh needs.
runtime::Defines kmer_defines(const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                              std::uint32_t parts);

// What all segments together tell of the reads that were mapped by k-mers.

class ExploredStrata {
 public:
  /// Of reads which[i] of a set; which[i] - first is their number among the summaries, which tell their bounds, and in
  /// the hits.
  ExploredStrata(std::span<const std::uint32_t> which, std::size_t first, std::span<ReadSummary> summaries);

  /// What is known of a read is what is known in every segment. `reads`: those of the class that were mapped.
  void add(const SegmentStrata& segment, std::span<const std::uint32_t> reads);

  /// Keeps of hits[from] and those behind it what is known, and of a capped read that has no such hit the best that
  /// were seen. Tells the summaries. Returns those of `reads` whose best stratum, or one of the `gap` beyond it, is
  /// not known though it is within the bound: their hits are forgotten, to be found again. `ahead`: not all strata were
  /// asked for, so that capped reads and those of heuristic plans are among them; else they are done.
  std::vector<std::uint32_t> prune_hits(std::vector<RawHit>& hits, std::size_t from,
                                        std::span<const std::uint32_t> reads, std::uint32_t gap, bool ahead = false);

  /// [read of the class]: the fewest errors of its hits that were seen, no_hit when there were none.
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
