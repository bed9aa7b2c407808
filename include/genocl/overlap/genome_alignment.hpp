// Alignment of genomes: chains of exact matches, with gapped alignments between the matches and at the ends.
//
//   overlap::GenomeAligner aligner(device, reference);
//   aligner.align(queries, [&](std::uint64_t query, std::span<const overlap::GenomeAlignment> alignments) { ... });
//
// The method is that of nucmer (Kurtz et al. 2004, Genome Biology 5, R12): anchors are matches that are unique in the
// reference. Anchors are chained as in the assembly presets of minimap2 (Li 2018, Bioinformatics 34, 3094-3100; Li and
// others 2020, Genome Biology 21, 265): a range maximum query selects the predecessor over long distances, and the
// predecessors nearby are compared with a concave gap cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "genocl/device.hpp"
#include "genocl/overlap/matches.hpp"
#include "genocl/pairwise/scoring.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/cigar.hpp"
#include "genocl/sequence/interval.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "genocl/sequence/strands.hpp"

namespace genocl::overlap {

/// Scores of the alignments. A gap of k bases costs gap_open + k * gap_extend.
struct GenomeScoring {
  int match = 1;     ///< 1 to 127
  int mismatch = 4;  ///< cost, 0 to 127
  int gap_open = 6;  ///< cost, 0 or more
  int gap_extend = 1;

  friend bool operator==(const GenomeScoring&, const GenomeScoring&) = default;
};

struct GenomeAlignOptions {
  std::uint64_t min_length = 20;  ///< minimum length of an anchor, 1 or more
  MatchKind anchors = MatchKind::unique_in_reference;
  Strands strands = Strands::both;  ///< strands of the queries
  std::uint64_t min_cluster = 65;   ///< minimum number of equal bases of an alignment, 1 or more
  std::uint64_t max_gap = 5000;     ///< maximum distance of neighbouring anchors, 0 to 2^20
  /// An alignment ends where its score falls by more than this below its maximum. For this test, bases of a gap between
  /// anchors that are longer in one genome than in the other cost no gap_extend. 0 to 10^6.
  std::int32_t max_drop = 200;
  GenomeScoring scoring = {};
  Progress progress = {};  ///< counts suffixes of the reference, then bases of queries

  /// Throws InputError for a value out of range.
  GENOCL_EXPORT void check() const;
};

/// Bases [reference.begin, reference.end) of a reference record aligned with bases of a query record.
struct GenomeAlignment {
  SequenceInterval reference;       ///< record and bases of the reference, forward strand
  SequenceInterval query;           ///< record and bases of the query, counted on its forward strand
  Strand strand = Strand::forward;  ///< strand of the query that is aligned with the forward strand of the reference
  std::int64_t score = 0;
  std::uint64_t matches = 0;     ///< columns with equal letters
  std::uint64_t mismatches = 0;  ///< columns with different letters
  std::uint64_t gaps = 0;        ///< letters in gaps
  /// Runs of =, X, I (query only) and D (reference only), in the direction of the reference. Begins and ends with =.
  Cigar cigar;
  /// False if a better primary alignment pairs half of the bases of the query that the shorter of the two has.
  bool primary = true;
  std::uint8_t mapq = 60;  ///< Phred-scaled probability that the position is wrong, 0 to 60; 0 if not primary

  /// Columns of the alignment.
  std::uint64_t columns() const noexcept { return matches + mismatches + gaps; }

  friend bool operator==(const GenomeAlignment&, const GenomeAlignment&) = default;
};

/// Aligns genomes with a reference. The alignments do not depend on the devices or their number.
///
/// A chain's anchors are in the same order in both genomes, on one strand. Bases between two anchors are aligned
/// globally. The chain is then cut into maximal scoring segments without a drop above max_drop. The ends of primary
/// alignments are extended until the score drops by max_drop, and by at most max_gap bases. A secondary alignment is
/// dropped if the primary one contains both intervals, on the same strand.
///
/// Const members may be called concurrently.
class GENOCL_EXPORT GenomeAligner {
 public:
  /// Receives the alignments of a query by reference record, begin in the reference, begin in the query, and strand.
  /// Called once for each query, in order, on the thread that called align().
  using Sink = std::function<void(std::uint64_t query, std::span<const GenomeAlignment> alignments)>;

  /// Makes the index of the reference (MatchIndex). Keeps a view of `reference`, which must outlive this object.
  ///
  /// Throws InputError unless the alphabet is DNA, and for options out of range; CapacityError; Cancelled.
  GenomeAligner(Devices devices, const SequenceSet& reference, const GenomeAlignOptions& options = {});
  GenomeAligner(GenomeAligner&&) noexcept;
  GenomeAligner& operator=(GenomeAligner&&) noexcept;
  ~GenomeAligner();

  const GenomeAlignOptions& options() const noexcept;

  /// Aligns all queries. O(n (log n + 64)) time for the chains of n anchors, and O(product of lengths) for each gap
  /// between them. Memory: the anchors and alignments of some queries of together 2^26 bases, or of one longer query.
  ///
  /// Throws InputError unless the alphabet is DNA; CapacityError; Cancelled; and what the sink throws.
  void align(const SequenceSet& queries, const Sink& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Computes the score of an alignment from its letters, to verify it. O(columns).
///
/// Throws InputError if the CIGAR does not consume exactly both intervals, or its letters are not those of the records.
GENOCL_EXPORT std::int64_t score_of(const GenomeAlignment& alignment, std::span<const Code> reference,
                                    std::span<const Code> query, const GenomeScoring& scoring = {});

}  // namespace genocl::overlap
