// Any bytes as a file of motifs of each format: motifs that scores can be made of, or an InputError.
#include <cmath>

#include "fuzz.hpp"
#include "genocl/pwm/motif.hpp"
#include "genocl/pwm/score_matrix.hpp"

using fuzz::reads, fuzz::require;
using namespace genocl::pwm;

namespace {

void check_motif(const Motif& motif) {
  require(motif.length() > 0, "a motif has columns");
  require(std::isfinite(motif.sites) && motif.sites >= 0, "sites are a number");
  for (const auto& column : motif.counts) {
    double sum = 0;
    for (const double count : column) {
      require(std::isfinite(count) && count >= 0, "counts are numbers");
      sum += count;
    }
    require(sum > 0, "no column is of zeros");
  }
  for (const double pseudocount : {0.0, 1.0})
    reads({}, [&] {
      const ScoreMatrix matrix = log_odds(motif, {.pseudocount = pseudocount});
      require(matrix.length() == motif.length(), "scores for every column");
      require(!std::isnan(matrix.highest()) && !std::isnan(matrix.lowest()), "scores are numbers");
      require(matrix.reverse_complement().reverse_complement() == matrix, "two reverse complements are none");
    });
}

}  // namespace

void fuzz::check(std::string_view bytes) {
  const std::string file = "motifs.txt";
  for (const MotifFormat format : {MotifFormat::automatic, MotifFormat::jaspar, MotifFormat::meme,
                                   MotifFormat::transfac, MotifFormat::homer, MotifFormat::sites})
    reads(file, [&] {
      const std::vector<Motif> motifs = parse_motifs(bytes, file, {.format = format});
      require(!motifs.empty(), "motifs or an error");
      for (const Motif& motif : motifs) check_motif(motif);
    });
  reads(file, [&] { (void)parse_motif_background(bytes, file); });
}
