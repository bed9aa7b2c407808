// Alignments of reads in SAM terms: affine gaps, clipped ends, supplementary parts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "genocl/marose/index.hpp"
#include "genocl/pairwise/dna_scoring.hpp"
#include "genocl/sequence/cigar.hpp"
#include "genocl/sequence/strands.hpp"

namespace genocl::marose {

using genocl::Strand;

/// How reported alignments are computed: affine gaps in a band of 60 bases to either side of each candidate place.
///
/// Candidate places are complete within the error bound of the mapper. The alignment is optimal in its band. The best
/// affine place is not proved: a place with more edits than the bound may score higher. NM may exceed the bound.
struct AlignOptions {
  pairwise::DnaScoring scoring = {};
  bool clip = true;  ///< soft-clip ends that do not align; false: only where the contig ends
  /// Lowest score of a reported alignment. Empty: 1.5 a base of the read with the default match score, at most 60.
  std::optional<std::int32_t> min_score = {};
  std::uint32_t min_supplementary = 20;  ///< minimum length of a clipped end that is mapped separately, 20 or more
  std::uint32_t max_secondary = 5;       ///< maximum size of AlignedRead::secondary

  std::int32_t min_score_of(std::uint64_t read_length) const noexcept {
    if (min_score) return *min_score;
    const std::int32_t most = 30 * scoring.match;
    const auto by_length = static_cast<std::int32_t>(3 * read_length * static_cast<unsigned>(scoring.match) / 4);
    return by_length < most ? by_length : most;
  }
};

/// An alignment of a read, or of a part of it, to a contig.
struct ReadAlignment {
  std::uint32_t contig = 0;
  Strand strand = Strand::forward;  ///< of the contig that the read matches
  std::uint8_t mapq = 0;            ///< Phred-scaled probability that the position is wrong, 0 to 60
  std::uint64_t position = 0;       ///< leftmost aligned base of the contig, 0-based
  std::int32_t score = 0;           ///< SAM's AS, without end bonuses
  /// Operations M, I, D and S on the forward strand of the contig; the query length is that of the read. It neither
  /// begins nor ends with a gap.
  Cigar cigar;

  std::uint64_t end() const noexcept { return position + cigar.reference_length(); }
  /// Clipped bases at the left and right end of the record.
  GENOCL_EXPORT std::uint32_t left_clip() const noexcept;
  GENOCL_EXPORT std::uint32_t right_clip() const noexcept;

  friend bool operator==(const ReadAlignment&, const ReadAlignment&) = default;
};

/// Report of one read.
struct AlignedRead {
  /// The primary alignment, then the supplementary ones by score: each aligns a part of the read that the previous
  /// ones leave out, and overlaps each of them by less than half of the shorter one. Empty: unmapped.
  std::vector<ReadAlignment> alignments;
  /// Other places for the bases of the primary alignment, best first. With Report::best those that score at least 80%
  /// of it, otherwise all that the report requires. Their MAPQ is 0.
  std::vector<ReadAlignment> secondary;
  std::int32_t second_score = 0;  ///< SAM's XS: the highest score of another place for those bases; 0: none is known
  std::uint64_t best_count = 0;   ///< X0: number of places of the best score
  std::uint64_t next_count = 0;   ///< X1: number of places with lower scores
  bool proper_pair = false;       ///< the primary alignments of the mates form a proper pair
  bool rescued = false;           ///< found only near the mate

  bool mapped() const noexcept { return !alignments.empty(); }
  friend bool operator==(const AlignedRead&, const AlignedRead&) = default;
};

/// NM and MD of an alignment, as `samtools calmd` computes them.
struct MismatchTags {
  std::uint32_t edit_distance = 0;  ///< NM
  std::string mismatches;           ///< MD
  std::vector<Code> text;           ///< reused memory
};

/// @param read  the whole read, as it was sequenced
/// @param tags  overwritten
/// @throws InputError for an alignment past the end of its contig or of the read
GENOCL_EXPORT void mismatch_tags(const Index& index, std::span<const Code> read, const ReadAlignment& alignment,
                                 MismatchTags& tags);

}  // namespace genocl::marose
