// Makes a profile of a multiple alignment, as PSI-BLAST does.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/align/pairwise.hpp"
#include "genocl/align/profile.hpp"
#include "genocl/align/statistics.hpp"
#include "genocl/export.hpp"

namespace genocl::align {

/// A row of an alignment: letters of either case, and '-' or '.' for gaps.
struct AlignedSequence {
  std::string name = {}, letters = {};
};

/// What is known of a row of a profile that was made.
struct ProfileColumn {
  std::array<double, 20> observed{};  ///< the share of each amino acid among the weighted sequences, 0 where none is
  double information = 0;             ///< relative entropy of the row's frequencies to those of all proteins, in bits
  double weight = 0;                  ///< of real matches to pseudocounts, gaps left out
};

struct MadeProfile {
  Profile profile;
  std::vector<ProfileColumn> columns;
  /// Without and with gaps; of the query's letters scored by the matrix, and of the profile.
  KarlinAltschul standard, standard_gapped, own, own_gapped;

  /// The text that psiblast -out_ascii_pssm writes.
  GENOCL_EXPORT std::string ascii() const;
};

/// The profile of a multiple alignment, by the rules of psiblast -in_msa: its rows are the letters of the first
/// sequence, the query. Sequences that are identical to the query, and all but one of those that are 94% identical to
/// one another, do not count; others are weighted by position (Henikoff and Henikoff 1994), within the columns that
/// each run of aligned letters spans; the number of pseudocounts of a column follows its entropy (Altschul, Gertz and
/// others 2009), and they are distributed as the matrix's frequencies say (Altschul and others 1997); the scores are
/// scaled so that lambda without gaps is the matrix's. Letters that are none of the twenty amino acids count as X.
///
/// Throws InputError without a query or a sequence beside it, for sequences of different lengths, a letter that is none
/// (with the sequence's name), a query without letters, a matrix that is none of NCBI's for proteins, and gap penalties
/// whose statistics are not known.
GENOCL_EXPORT MadeProfile make_profile(std::string name, std::span<const AlignedSequence> alignment,
                                       const Matrix& matrix = blosum62(), const GapPenalty& gap = {});

}  // namespace genocl::align
