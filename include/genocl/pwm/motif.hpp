// Motifs as in motif files: counts of each letter at each position.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/pwm/background.hpp"

namespace genocl::pwm {

struct Motif {
  std::string id = {}, alt_id = {};  ///< "MA0106.3", "TP53"; alt_id may be empty
  /// [position][A, C, G, T]: counts, or probabilities times `sites`. Columns may have unequal sums.
  std::vector<std::array<double, 4>> counts = {};
  /// Factor by which probabilities of a file were multiplied (MEME's nsites, 20 if not given); 0 for counts.
  double sites = 0;
  /// Minimum score of a hit from a HOMER file: a sum of natural logarithms of probability / 0.25, without a
  /// pseudocount.
  std::optional<double> threshold = std::nullopt;

  std::size_t length() const noexcept { return counts.size(); }
};

/// `jaspar`: rows of numbers after headers, of one letter or one position each, including HOMER, HOCOMOCO,
/// Cluster-Buster, CIS-BP and UniPROBE. `homer`: a header and one position in each row. `sites`: aligned sites, or an
/// IUPAC consensus.
enum class MotifFormat { automatic, jaspar, meme, transfac, homer, sites };

/// Content of a row of a matrix without letters: the values of one letter (JASPAR) or of one position (HOMER).
enum class MotifRows { automatic, letters, positions };

/// A repair or an assumption that parse_motifs() made about one motif.
struct MotifNote {
  enum class Kind {
    left_out,     ///< unusable motif: a column of zeros, no matrix, probabilities far from a sum of 1
    rescaled,     ///< probabilities that sum to 0.9 to 1.1 were scaled to 1
    frequencies,  ///< JASPAR or TRANSFAC rows contain frequencies, which count as 20 sites
    log_odds,     ///< rows contain log-odds scores; their probabilities count as 20 sites
    sites,        ///< aligned sites were counted, or a consensus counts as 20 sites
  };
  Kind kind;
  std::size_t line;   ///< from 1: the header of an omitted motif, otherwise the row or the header
  std::string motif;  ///< id
  std::string what;   ///< "column 2 holds zeros only"
};

struct MotifOptions {
  MotifFormat format = MotifFormat::automatic;
  /// Automatic: from the number of rows and columns, and from the equality of sums.
  MotifRows rows = MotifRows::automatic;
  /// Throw InputError for the first motif that would be omitted or rescaled.
  bool strict = false;
  /// Called for each repair and assumption, in the order of the file.
  std::function<void(const MotifNote&)> note = {};
};

/// All motifs of a text. `file` is for messages, and names motifs without a name. Formats:
/// - JASPAR: a header and four rows, with or without letters and brackets; or four bare rows. Blanks, commas or
///   semicolons separate numbers.
/// - MEME: minimal and text output, DNA and RNA; also several concatenated files. XML output of MEME, DREME, STREME.
/// - TRANSFAC.
/// - A header or a name, and one position in each row: HOMER, HOCOMOCO, Cluster-Buster, ENCODE (a consensus letter
///   first), FlyFactorSurvey, CIS-BP ("Pos A C G T").
/// - UniPROBE, also files with matrices of enrichment and energy, which are skipped.
/// - Log-odds scores of HOCOMOCO (.pwm): recognised by a negative number, if the probabilities to the base e, 2 or 10
///   sum to 1 +- 0.02 in every column against a uniform background.
/// - Aligned sites: FASTA or A3M of at least two records, which give one motif named after the file; or one site in
///   each line, with an empty line between motifs. In FASTA with letters of both cases, lower case is no part of a
///   site. Ambiguity codes and gaps count for each of their bases in equal parts.
/// - An IUPAC consensus, alone between empty lines or followed by a name: 20 sites.
///
/// JASPAR and TRANSFAC matrices that are not all integers contain frequencies if every column sums to 1 +- 0.02, or
/// to 100 +- 2. Integers are always counts, except in HOMER, CIS-BP and UniPROBE.
///
/// Throws InputError, with the line, for a text in none of these formats, negative numbers that are no log-odds
/// scores, non-finite numbers, rows or sites of unequal length, a matrix whose rows may be letters or positions, or a
/// text without a usable motif.
GENOCL_EXPORT std::vector<Motif> parse_motifs(std::string_view text, const std::string& file,
                                              const MotifOptions& options = {});

/// The background of a MEME file ("Background letter frequencies", on one line or several); no value if the file
/// contains none or has another format. Throws InputError, with the line, for an invalid background, and if
/// concatenated files differ.
GENOCL_EXPORT std::optional<Background> parse_motif_background(std::string_view text, const std::string& file);

}  // namespace genocl::pwm
