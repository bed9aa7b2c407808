// Command compare: similarity of hits, or of columns as in Tomtom.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <ranges>

#include "common/check_files.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "pwm/inputs.hpp"
#include "pwm/options.hpp"
#include "pwm/output.hpp"

namespace program {

/// Writes the matches of each motif of the first file with those of the second, by P-value.
void write_tomtom_table(const CompareSettings& settings);

namespace {

/// The most frequent letter of each column, the first in the alphabet among equals. `reverse`: of the reverse
/// complement.
std::string consensus(const pwm::Motif& motif, bool reverse) {
  std::string letters;
  const auto add = [&](const auto& counts) { letters += "ACGT"[std::ranges::max_element(counts) - counts.begin()]; };
  if (!reverse) {
    for (const auto& counts : motif.counts) add(counts);
  } else {
    for (auto counts : motif.counts | std::views::reverse) {
      std::ranges::reverse(counts);
      add(counts);
    }
  }
  return letters;
}

/// Returns the q-value of each match: the minimum of p * matches / rank over it and all less significant ones
/// (Benjamini and Hochberg).
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
  options.progress = bar.progress();
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

namespace {

/// Motifs with a threshold; the others have no hits that could be compared.
struct Side {
  std::vector<pwm::ScoreMatrix> matrices;
  std::vector<double> thresholds;

  Side(const MotifCollection& collection, const CompareSettings& settings, const pwm::Background& background,
       std::span<const genocl::Device> devices) {
    const std::vector<pwm::ScoreMatrix> all = matrices_of(collection.motifs, settings.matrix, background);
    pwm::PValueOptions options;
    options.background = background;
    const std::vector<double> found = settings.thresholds.empty()
                                          ? thresholds_for(devices, all, settings.p.value_or(usual_p), options)
                                          : read_thresholds(settings.thresholds, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (std::isnan(found[i])) continue;
      matrices.push_back(all[i]);
      thresholds.push_back(found[i]);
    }
    skipped = all.size() - matrices.size();
  }
  std::size_t skipped = 0;
};

double middle(const pwm::PValue& p) { return (p.low + p.high) / 2; }

std::string line(const pwm::ScoreMatrix& a, const pwm::ScoreMatrix& b, const pwm::Overlap& overlap) {
  return a.id() + '\t' + b.id() + (overlap.reverse ? "\t-\t" : "\t+\t") + std::to_string(overlap.shift) + '\t' +
         std::to_string(overlap.union_length) + '\t' + formatted("%.9g", middle(overlap.both)) + '\t' +
         formatted("%.9g", middle(overlap.only_first)) + '\t' + formatted("%.9g", middle(overlap.only_second)) + '\t' +
         formatted("%.9f", overlap.similarity) + '\n';
}

}  // namespace

void CompareSettings::check(bool own_method) const {
  const bool tomtom = format == "tomtom";
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw genocl::InputError(std::string(option) + " " + why);
  };
  const char* const no_hits = "with --format tomtom, which compares columns and no hits";
  refuse(tomtom && p, "-p", no_hits);
  refuse(tomtom && !thresholds.empty(), "--thresholds", no_hits);
  refuse(tomtom && all_shifts, "--all-shifts", no_hits);
  refuse(tomtom && own_method, "--method", no_hits);
  refuse(!tomtom && q_threshold, "--q-threshold", "without --format tomtom");
  refuse(!tomtom && !column_score.empty(), "--column-score", "without --format tomtom");
  if (q_threshold && !(*q_threshold >= 0))
    throw genocl::InputError("--q-threshold", {}, formatted("%g", *q_threshold), "0 or more");
  if (p && !thresholds.empty()) throw genocl::InputError("only one of -p and --thresholds can be given");
  if (p && !(*p > 0 && *p <= 1))
    throw genocl::InputError("-p", {}, formatted("%g", *p), "a probability above 0, up to 1");
  if (first == "-" && second == "-") throw genocl::InputError("standard input can be read once only");
}

void compare_motifs(const CompareSettings& settings) {
  if (settings.format == "tomtom") return write_tomtom_table(settings);
  check_files({settings.first, settings.second, settings.thresholds, settings.matrix.background_file()},
              {settings.output});
  const MotifCollection first = read_collection(settings.first, settings.reading, settings.common.quiet),
                        second = read_collection(settings.second, settings.reading, settings.common.quiet);
  const pwm::Background background = read_background(settings.matrix, first);
  const std::vector<genocl::Device> devices = settings.common.open_devices(settings.common.profile);
  const Side a(first, settings, background, devices), b(second, settings, background, devices);
  genocl::io::OutputFile out(settings.output);
  out.write("motif_a\tmotif_b\torientation\tshift\tunion_length\ttrue_positives\tonly_a\tonly_b\tsimilarity\n");

  ProgressBar bar("compare", settings.common.quiet, "k pairs", 1e3);
  pwm::CompareOptions options;
  options.background = background;
  options.slices = settings.slices;
  options.buckets = settings.buckets;
  if (settings.method == "bucket") options.method = pwm::PValueMethod::bucket;
  if (settings.all_shifts) {
    for (std::size_t i = 0; i < a.matrices.size(); ++i)
      for (std::size_t j = 0; j < b.matrices.size(); ++j) {
        std::string text;
        for (const pwm::Overlap& overlap :
             pwm::compare(devices.front(), a.matrices[i], a.thresholds[i], b.matrices[j], b.thresholds[j], options))
          text += line(a.matrices[i], b.matrices[j], overlap);
        out.write(text);
        const std::size_t done = i * b.matrices.size() + j + 1;
        bar.show(static_cast<double>(done) / static_cast<double>(a.matrices.size() * b.matrices.size()), done);
      }
  } else {
    options.progress = bar.progress();
    const std::vector<pwm::Overlap> best =
        pwm::best_overlaps(devices, a.matrices, a.thresholds, b.matrices, b.thresholds, options);
    std::string text;
    for (std::size_t k = 0; k < best.size(); ++k)
      text += line(a.matrices[k / b.matrices.size()], b.matrices[k % b.matrices.size()], best[k]);
    out.write(text);
  }
  out.commit();
  bar.clear();
  if (!settings.common.quiet && a.skipped + b.skipped > 0)
    std::cerr << a.skipped + b.skipped << " motifs without a threshold: not compared\n";
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
}

}  // namespace program
