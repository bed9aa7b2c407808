// Motifs as they are kept in files: how often each letter was seen at each position.
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
  /// What probabilities of a file were multiplied by (MEME's nsites, 20 where it is not told); 0 for counts.
  double sites = 0;
  /// The score of a hit at least, as a file of HOMER's says it: a sum of natural logarithms of probability / 0.25,
  /// without a pseudocount.
  std::optional<double> threshold = std::nullopt;

  std::size_t length() const noexcept { return counts.size(); }
};

/// `jaspar`: rows of numbers below headers, of one letter or one position each; HOMER, HOCOMOCO, Cluster-Buster, CIS-BP
/// and UniPROBE included. `homer`: a header and a position per row. `sites`: aligned sites, or an IUPAC consensus.
enum class MotifFormat { automatic, jaspar, meme, transfac, homer, sites };

/// What a row of a matrix without letters holds: the values of one letter (JASPAR) or of one position (HOMER).
enum class MotifRows { automatic, letters, positions };

/// A repair or an assumption that parse_motifs() made about one motif.
struct MotifNote {
  enum class Kind {
    left_out,     ///< The motif cannot be used: a column of zeros, no matrix, probabilities far from a sum of 1.
    rescaled,     ///< Probabilities that sum to 0.9 to 1.1 were scaled to a sum of 1.
    frequencies,  ///< JASPAR or TRANSFAC rows hold frequencies, which count as 20 sites.
    log_odds,     ///< Rows hold log-odds scores; their probabilities count as 20 sites.
    sites,        ///< Aligned sites were counted, or a consensus counts as 20 sites.
  };
  Kind kind;
  std::size_t line;   ///< from 1: the header of a motif that is left out, the row or the header of others
  std::string motif;  ///< id
  std::string what;   ///< "column 2 holds zeros only"
};

struct MotifOptions {
  MotifFormat format = MotifFormat::automatic;
  /// Automatic: from the number of rows and columns, and from which of them have equal sums.
  MotifRows rows = MotifRows::automatic;
  /// The first motif that would be left out or rescaled is an InputError.
  bool strict = false;
  /// Called for each repair and assumption, in the order of the file.
  std::function<void(const MotifNote&)> note = {};
};

/// All motifs of a text. `file` is for messages, and names motifs that have no name. Formats:
/// - JASPAR: a header and four rows, with or without letters and brackets; or four bare rows. Blanks, commas or
///   semicolons separate numbers.
/// - MEME: minimal and text output, DNA and RNA; also several files one after the other.
/// - TRANSFAC.
/// - A header or a name, and a position per row: HOMER, HOCOMOCO, Cluster-Buster, ENCODE (a consensus letter in front),
///   FlyFactorSurvey, CIS-BP ("Pos A C G T").
/// - UniPROBE, also files with matrices of enrichment and energy, which are skipped.
/// - Log-odds scores of HOCOMOCO (.pwm): recognised by a negative number, where the probabilities to
///   the base e, 2 or 10 sum to 1 +- 0.02 in every column against a uniform background.
/// - Aligned sites: FASTA or A3M of two records or more, which give one motif named after the file; or one site per
///   line, with an empty line between motifs. In FASTA with letters of both cases, lower case is no part of a site.
///   Ambiguity codes and gaps count for each of their bases in equal parts.
/// - An IUPAC consensus, alone between empty lines or with a name behind it: 20 sites.
///
/// JASPAR and TRANSFAC matrices that are not all integers hold frequencies where every column sums to 1 +- 0.02, or to
/// 100 +- 2. Integers are always counts, except in HOMER, CIS-BP and UniPROBE.
///
/// Throws InputError, with the line, for a text that is none of these, negative numbers that are no log-odds scores,
/// non-finite numbers, rows or sites of unequal length, a matrix whose orientation is ambiguous, no usable motif at
/// all.
GENOCL_EXPORT std::vector<Motif> parse_motifs(std::string_view text, const std::string& file,
                                              const MotifOptions& options = {});

/// What a file of MEME's says of letters where there is no motif ("Background letter frequencies", on one line or
/// several); no value where it, or a file of another format, says nothing. Throws InputError, with the line, for what
/// is no background, and where files one after the other say different things.
GENOCL_EXPORT std::optional<Background> parse_motif_background(std::string_view text, const std::string& file);

}  // namespace genocl::pwm
