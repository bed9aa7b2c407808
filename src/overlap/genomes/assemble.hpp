// From chains to alignments: gaps between anchors, parts without drops of the score, extension of the ends.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/genome_alignment.hpp"
#include "genocl/pairwise/pairs.hpp"
#include "overlap/genomes/chain.hpp"
#include "pairwise/host_pair.hpp"

namespace genocl::overlap {

/// A chain of disjoint anchors between a strand of a query and a record of the reference.
struct Draft {
  static constexpr std::uint32_t no_pair = std::numeric_limits<std::uint32_t>::max();

  std::uint64_t record = 0;
  Strand strand = Strand::forward;
  std::vector<Anchor> anchors;
  std::vector<std::uint32_t> pairs = {};  ///< [gap]: its pair in GapPairs, or no_pair
};

/// Letters between anchors that a device aligns.
class GapPairs {
 public:
  /// Returns the number of the pair.
  std::uint32_t add(std::span<const Code> query, std::span<const Code> reference);
  void clear();

  std::uint64_t letters() const noexcept { return queries_.residues() + references_.residues(); }
  const SequenceSet& queries() const noexcept { return queries_; }
  const SequenceSet& references() const noexcept { return references_; }

 private:
  SequenceSet queries_, references_;
};

using GapAlignments = std::vector<pairwise::Alignment>;  ///< [pair]

/// Elements [begin, end).
struct Segment {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// Computes the maximal scoring subsequences of `scores` in order (Ruzzo and Tompa 1999, ISMB 7, 234-241), after it is
/// cut wherever the sum falls by more than `max_drop` below an earlier value: no segment contains such a fall. Each
/// begins and ends with a positive score. O(n) time.
std::vector<Segment> maximal_segments(std::span<const std::int64_t> scores, std::int64_t max_drop);

/// Const members may be called concurrently.
class GenomeAssembler {
 public:
  explicit GenomeAssembler(const GenomeAlignOptions& options);

  /// Adds the gaps of a draft that need an alignment, and sets draft.pairs. `query`: the letters of the draft's strand.
  void collect(Draft& draft, std::span<const Code> reference, std::span<const Code> query, GapPairs& gaps) const;

  /// Aligns all pairs globally on the devices.
  GapAlignments align(Devices devices, const GapPairs& gaps) const;

  /// Returns the alignments of a draft: one, or several if it is cut.
  std::vector<GenomeAlignment> assemble(const Draft& draft, std::span<const Code> reference,
                                        std::span<const Code> query, std::uint64_t query_number,
                                        const GapAlignments& gaps) const;

  /// Extends both ends of an alignment. `query`: the letters of the alignment's strand.
  void extend(GenomeAlignment& alignment, std::span<const Code> reference, std::span<const Code> query) const;

 private:
  /// A part of a draft, with positions of both strands as they are aligned.
  struct Part {
    Interval reference, query;
    Cigar cigar = {};
  };

  /// Appends the columns of gap i of a draft, = or X for two letters.
  void append_gap(Cigar& cigar, const Draft& draft, std::size_t i, const GapAlignments& gaps,
                  std::span<const Code> reference, std::span<const Code> query) const;
  /// The score of each run. Of the runs [begin, end) of a gap between anchors, those of the letter with more bases have
  /// no cost of extension for what exceeds the other letter.
  std::vector<std::int64_t> scores_of(const Part& part, std::span<const Segment> gaps, std::span<const Code> reference,
                                      std::span<const Code> query) const;
  void extend_begin(Part& part, std::span<const Code> reference, std::span<const Code> query) const;
  void extend_end(Part& part, std::span<const Code> reference, std::span<const Code> query) const;
  /// Sets positions, CIGAR, counts and score of an alignment.
  void store(GenomeAlignment& alignment, Part&& part, std::span<const Code> reference,
             std::span<const Code> query) const;

  GenomeAlignOptions options_;
  pairwise::Matrix matrix_;
  pairwise::GapPenalty gap_;
  pairwise::HostScoring scoring_;
};

}  // namespace genocl::overlap
