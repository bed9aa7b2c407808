#include "pwm/tomtom_table.hpp"

#include <algorithm>
#include <numeric>

#include "common/check_files.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "pwm/inputs.hpp"
#include "pwm/numbers.hpp"

namespace program {
namespace {

/// The letter that is most often seen in each column.
std::string consensus(const pwm::Motif& motif, bool reverse) {
  std::string letters;
  for (const auto& counts : motif.counts) letters += "ACGT"[std::ranges::max_element(counts) - counts.begin()];
  if (!reverse) return letters;
  std::string turned;
  for (std::size_t i = letters.size(); i-- > 0;)
    turned += letters[i] == 'A' ? 'T' : letters[i] == 'C' ? 'G' : letters[i] == 'G' ? 'C' : 'A';
  return turned;
}

/// [match]: the least of p * matches / rank over it and all that are less significant (Benjamini and Hochberg).
std::vector<double> q_values(std::span<const pwm::MotifMatch> matches, std::span<const std::size_t> by_p) {
  std::vector<double> q(matches.size());
  double least = 1;
  for (std::size_t rank = by_p.size(); rank-- > 0;) {
    least =
        std::min(least, matches[by_p[rank]].p * static_cast<double>(matches.size()) / static_cast<double>(rank + 1));
    q[by_p[rank]] = least;
  }
  return q;
}

}  // namespace

void write_tomtom_table(const CompareSettings& settings) {
  check_files({settings.first, settings.second, settings.matrix.background_file()}, {settings.output});
  const MotifCollection queries = read_collection(settings.first, settings.reading, settings.common.quiet),
                        targets = read_collection(settings.second, settings.reading, settings.common.quiet);
  pwm::MatchOptions options;
  options.background = read_background(settings.matrix, queries);
  options.pseudocount = settings.matrix.pseudocount;
  options.score = settings.column_score == "pearson" ? pwm::ColumnScore::pearson : pwm::ColumnScore::euclidean;
  ProgressBar bar("compare", settings.common.quiet, "queries", 1);
  options.progress = [&](const genocl::ProgressState& state) {
    bar.show(state.fraction, state.items_done);
    return true;
  };
  const double most = settings.q_threshold.value_or(0.5);
  genocl::io::OutputFile out(settings.output);
  out.write(
      "Query_ID\tTarget_ID\tOptimal_offset\tp-value\tE-value\tq-value\tOverlap\tQuery_consensus\tTarget_consensus\t"
      "Orientation\n");
  pwm::match_motifs(
      queries.motifs, targets.motifs, options, [&](std::size_t query, std::span<const pwm::MotifMatch> matches) {
        std::vector<std::size_t> by_p(matches.size());
        std::iota(by_p.begin(), by_p.end(), std::size_t{0});
        std::ranges::stable_sort(by_p, {}, [&](std::size_t i) { return matches[i].p; });
        const std::vector<double> q = q_values(matches, by_p);
        const pwm::Motif& motif = queries.motifs[query];
        std::string text;
        for (const std::size_t i : by_p) {
          const pwm::MotifMatch& match = matches[i];
          if (!(q[i] <= most)) continue;
          const pwm::Motif& target = targets.motifs[match.target];
          text += motif.id + '\t' + target.id + '\t' + std::to_string(match.offset) + '\t' +
                  formatted("%.6g", match.p) + '\t' + formatted("%.6g", match.p * static_cast<double>(matches.size())) +
                  '\t' + formatted("%.6g", q[i]) + '\t' + std::to_string(match.overlap) + '\t' +
                  consensus(motif, false) + '\t' + consensus(target, match.reverse) + '\t' +
                  (match.reverse ? "-\n" : "+\n");
        }
        out.write(text);
      });
  out.commit();
  bar.clear();
}

}  // namespace program
