// Computes a profile from a multiple alignment or from hits, by the method of PSI-BLAST.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/align/database.hpp"
#include "genocl/align/pairwise.hpp"
#include "genocl/align/profile.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/align/statistics.hpp"
#include "genocl/export.hpp"

namespace genocl::align {

/// A row of an alignment: letters of either case, and '-' or '.' for gaps.
struct AlignedSequence {
  std::string name = {}, letters = {};
};

/// The rows of a file, recognised by its first line:
/// - FASTA, with rows of one length (A2M), or A3M: lower-case letters and '.' are insertions, which the rows do not
///   share, and are left out. Of A3M, rows of HH-suite that are no sequences ("ss_pred", "x_consensus") are left out.
/// - Stockholm ("# STOCKHOLM 1.0"), also in several blocks, up to "//".
/// - Clustal, also of MUSCLE and other programs ("CLUSTAL W (1.83) multiple sequence alignment").
///
/// Throws InputError, with the line, for another text, for no rows, for rows of different lengths, and for a second
/// alignment in a file.
///
/// @param file  for messages
GENOCL_EXPORT std::vector<AlignedSequence> parse_alignment(std::string_view text, const std::string& file);

/// Statistics of one row of a computed profile.
struct ProfileColumn {
  std::array<double, 20> observed{};  ///< frequency of each amino acid among the weighted sequences, 0 if absent
  double information = 0;  ///< relative entropy of the row's frequencies to the background frequencies, in bits
  double weight = 0;       ///< of real matches to pseudocounts, without gaps
};

struct MadeProfile {
  Profile profile;
  std::vector<ProfileColumn> columns;
  /// Parameters without and with gaps: of the query's letters scored by the matrix, and of the profile.
  KarlinAltschul standard, standard_gapped, own, own_gapped;
  std::string matrix = {};  ///< NCBI's name: "BLOSUM62"
  GapPenalty gap = {};

  /// Returns the profile in the format of psiblast -out_ascii_pssm.
  GENOCL_EXPORT std::string ascii() const;
  /// Returns the profile in the format of psiblast -out_pssm and -in_pssm: PssmWithParameters in ASN.1 text, about 2 KB
  /// a row.
  GENOCL_EXPORT std::string asn1() const;
};

/// Computes the profile of a multiple alignment by the rules of psiblast -in_msa. Its rows are the letters of the first
/// sequence, the query.
/// - Sequences identical to the query are removed. Of sequences that are 94% identical to one another, one stays.
/// - The other sequences have position-based weights (Henikoff and Henikoff 1994), within the columns that each run of
///   aligned letters spans.
/// - The number of pseudocounts of a column depends on its entropy (Altschul, Gertz and others 2009). The frequencies
///   of the matrix determine their distribution (Altschul and others 1997).
/// - The scores are scaled so that lambda without gaps equals that of the matrix.
/// - Letters other than the twenty amino acids count as X.
///
/// Throws InputError without a query or a second sequence, for sequences of different lengths, an invalid letter (with
/// the sequence's name), a query without letters, a matrix that is not one of NCBI's protein matrices, and gap
/// penalties without known statistics.
GENOCL_EXPORT MadeProfile make_profile(std::string name, std::span<const AlignedSequence> alignment,
                                       const Matrix& matrix = blosum62(), const GapPenalty& gap = {});
/// The same of a query and its hits, as psiblast computes it between iterations. Each subject is a row. Letters of a
/// subject that are aligned with no letter of the query do not count. Of several alignments of a subject, which are
/// adjacent in `hits`, the first one decides where they overlap.
///
/// @param query     protein codes
/// @param hits      with alignments, of a search of `database` by `query` or by a profile with its letters; may be
///                  empty
/// @throws InputError as above, except for too few sequences; for a hit without an alignment, or with one beyond the
///   query
GENOCL_EXPORT MadeProfile make_profile(std::string name, std::span<const Code> query, std::span<const Hit> hits,
                                       const Database& database, const Matrix& matrix = blosum62(),
                                       const GapPenalty& gap = {});

}  // namespace genocl::align
