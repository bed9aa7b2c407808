// Motifs as they are kept in files: how often each letter was seen at each position.
#pragma once

#include <array>
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

enum class MotifFormat { automatic, jaspar, meme, transfac, homer };

/// All motifs of a text: JASPAR (a header and four lines, with or without letters and brackets; or bare four lines),
/// MEME minimal (also several files one after the other), TRANSFAC, HOMER. `file` is for messages. Throws InputError,
/// with the line, for a text that is none of these, a motif without columns, negative or non-finite counts, a column of
/// zeros, rows of unequal length, no motif at all.
GENOCL_EXPORT std::vector<Motif> parse_motifs(std::string_view text, const std::string& file,
                                              MotifFormat format = MotifFormat::automatic);

/// What a file of MEME's says of letters where there is no motif ("Background letter frequencies"); no value where it,
/// or a file of another format, says nothing. Throws InputError, with the line, for what is no background, and where
/// files one after the other say different things.
GENOCL_EXPORT std::optional<Background> parse_motif_background(std::string_view text, const std::string& file);

}  // namespace genocl::pwm
