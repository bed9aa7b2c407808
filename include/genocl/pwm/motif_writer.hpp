// Motif files: the text of motifs in the formats that parse_motifs() reads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "genocl/export.hpp"
#include "genocl/pwm/background.hpp"
#include "genocl/pwm/motif.hpp"

namespace genocl::pwm {

/// - `jaspar`: a header and a row of counts for each letter.
/// - `meme`: the minimal format of MEME 5, of probabilities.
/// - `transfac`: records of AC, ID and P0, of counts, with an IUPAC letter for each position.
/// - `homer`: a header with consensus, name and threshold, and probabilities of at least 0.001, as HOMER writes them.
/// - `cisbp`, `uniprobe`: probabilities.
/// - `pcm`, `pfm`, `pwm`: HOCOMOCO's counts, frequencies and natural log-odds scores: a header and a row for each
///   position. `pcm` is also the format of Cluster-Buster.
/// - `consensus`: degenerate_consensus() and the name, one line for each motif.
enum class MotifFileFormat : std::uint8_t { jaspar, meme, transfac, homer, cisbp, uniprobe, pcm, pfm, pwm, consensus };

GENOCL_EXPORT std::string_view to_string(MotifFileFormat format) noexcept;
/// Throws InputError for another name.
GENOCL_EXPORT MotifFileFormat motif_file_format_named(std::string_view name);

struct MotifFileOptions {
  Background background = {};  ///< that a MEME file states; its frequencies of letters
  /// `pwm`: added to each column in total, in equal parts. Default: the logarithm of the column's sum, as HOCOMOCO,
  /// but at least 1e-3.
  std::optional<double> pseudocount = std::nullopt;
};

/// Returns the text of a motif file. O(length of the text).
///
/// Counts are written as they are; values that differ from integers by the rounding of a file's probabilities become
/// integers. Other counts that sum to 98 to 102 are rounded, since readers take such fractions for percentages.
/// Where counts of MEME are needed, `nsites` is the largest sum of a column, at least 1. A blank in a name
/// becomes '_' where it would end the name.
///
/// Throws InputError for a motif without columns or with a column that sums to 0; for `homer`, a motif without a
/// threshold; for `pwm`, a pseudocount of 0 or less; for `consensus`, a motif of fewer than 3 columns.
GENOCL_EXPORT std::string format_motifs(std::span<const Motif> motifs, MotifFileFormat format,
                                        const MotifFileOptions& options = {});

/// The IUPAC consensus of a motif by Cavener's rules (1987), which TRANSFAC uses: one base if it has more than half of
/// the column and more than twice the second; two if they have more than three quarters; three if the fourth does not
/// occur; otherwise N. O(length).
GENOCL_EXPORT std::string degenerate_consensus(const Motif& motif);

}  // namespace genocl::pwm
