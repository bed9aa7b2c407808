// Command cluster: average linkage of motifs, groups with their alignments, and the mean motif of each group.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <sstream>

#include "common/check_files.hpp"
#include "common/lists.hpp"
#include "common/progress_bar.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/text_file.hpp"
#include "pwm/inputs.hpp"
#include "pwm/options.hpp"
#include "pwm/output.hpp"

namespace program {
namespace {

/// The best alignment of a motif with another one: its first column is `shift` columns after that of the other.
struct PairAlignment {
  double distance = 0;
  int shift = 0;
  bool reverse = false;
};

/// [first * count + second]: of the second motif with the first one; the distances are symmetric.
using PairAlignments = std::vector<PairAlignment>;

/// Replaces the distances of both orders by their mean.
void symmetrize(PairAlignments& pairs, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      PairAlignment &a = pairs[i * count + j], &b = pairs[j * count + i];
      a.distance = b.distance = (a.distance + b.distance) / 2;
    }
}

/// By COMPARE: 1 - the probability that a word of either motif's hits is one of both.
PairAlignments pairs_by_hits(const ClusterSettings& settings, std::vector<pwm::Motif>& motifs,
                             const pwm::Background& background, ProgressBar& bar) {
  const std::vector<genocl::Device> devices = settings.common.open_devices(settings.common.profile);
  const std::vector<pwm::ScoreMatrix> all = matrices_of(motifs, settings.matrix, background);
  pwm::PValueOptions of_thresholds;
  of_thresholds.background = background;
  const std::vector<double> found = thresholds_for(devices, all, settings.p.value_or(usual_p), of_thresholds);
  std::vector<pwm::ScoreMatrix> matrices;
  std::vector<double> thresholds;
  std::vector<pwm::Motif> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::isnan(found[i])) continue;
    matrices.push_back(all[i]);
    thresholds.push_back(found[i]);
    kept.push_back(std::move(motifs[i]));
  }
  if (const std::size_t short_ones = all.size() - kept.size(); !settings.common.quiet && short_ones > 0)
    std::cerr << short_ones << (short_ones == 1 ? " motif is" : " motifs are")
              << " too short to reach P <= " << settings.p.value_or(usual_p) << ": left out\n";
  motifs = std::move(kept);
  pwm::CompareOptions options;
  options.background = background;
  options.progress = bar.progress();
  PairAlignments pairs;
  if (motifs.empty()) return pairs;
  for (const pwm::Overlap& best : pwm::best_overlaps(devices, matrices, thresholds, matrices, thresholds, options))
    pairs.push_back({1 - best.similarity, best.shift, best.reverse});
  return pairs;
}

/// By Tomtom's P-values of columns: 1 + log10(P) / 6, and 0 for P up to 1e-6. Logarithms give groups that are nearer to
/// JASPAR's families than the P-values themselves (docs/methods/pwm.md).
PairAlignments pairs_by_columns(const ClusterSettings& settings, const std::vector<pwm::Motif>& motifs,
                                const pwm::Background& background, ProgressBar& bar) {
  pwm::MatchOptions options;
  options.background = background;
  options.pseudocount = settings.matrix.pseudocount;
  options.progress = bar.progress();
  PairAlignments pairs;
  pwm::match_motifs(motifs, motifs, options, [&](std::size_t, std::span<const pwm::MotifMatch> matches) {
    for (const pwm::MotifMatch& match : matches) {
      const double distance = 1 + std::log10(std::clamp(match.p, 1e-6, 1.0)) / 6;
      pairs.push_back({distance, -match.offset, match.reverse});
    }
  });
  return pairs;
}

/// A group of motifs, aligned with its central one: that with the smallest sum of distances.
struct Group {
  std::vector<std::size_t> members;
  std::size_t central = 0;
};

std::vector<Group> groups_with(const std::vector<std::uint32_t>& numbers, const PairAlignments& pairs) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == groups.size()) groups.emplace_back();
    groups[numbers[i]].members.push_back(i);
  }
  for (Group& group : groups) {
    double least = INFINITY;
    for (const std::size_t i : group.members) {
      double sum = 0;
      for (const std::size_t j : group.members) sum += i == j ? 0 : pairs[i * numbers.size() + j].distance;
      if (sum >= least) continue;
      least = sum;
      group.central = i;
    }
  }
  return groups;
}

PairAlignment alignment_of(const Group& group, std::size_t member, const PairAlignments& pairs, std::size_t count) {
  return member == group.central ? PairAlignment{} : pairs[group.central * count + member];
}

/// [motif]: the number of its family. Throws InputError for a motif that the table does not have.
std::vector<std::uint32_t> read_families(const std::string& path, std::span<const pwm::Motif> motifs) {
  std::map<std::string, std::string> family_of;
  std::istringstream lines(genocl::io::read_text_file(path));
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || tab + 1 == line.size())
      throw genocl::InputError(path, std::to_string(number), "no tab", "a motif, a tab and its family");
    family_of[line.substr(0, tab)] = line.substr(tab + 1);
  }
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> families;
  for (const pwm::Motif& motif : motifs) {
    const auto found = family_of.find(motif.id);
    if (found == family_of.end()) throw genocl::InputError(path, {}, "no family of motif " + motif.id, "one for each");
    families.push_back(numbers.emplace(found->second, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return families;
}

void write_file(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  genocl::io::OutputFile out(path);
  out.write(text);
  out.commit();
}

/// The table, and the mean motifs of the groups.
void write_groups(const ClusterSettings& settings, const std::vector<pwm::Motif>& motifs,
                  const std::vector<Group>& groups, const PairAlignments& pairs) {
  std::string table = "motif_id\talt_id\tgroup\tshift\torientation\tdistance\n", means;
  std::vector<pwm::Motif> families;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<pwm::AlignedMotif> aligned;
    for (const std::size_t member : groups[g].members) {
      const PairAlignment placed = alignment_of(groups[g], member, pairs, motifs.size());
      aligned.push_back({&motifs[member], placed.shift, placed.reverse});
      table += motifs[member].id + '\t' + motifs[member].alt_id + '\t' + std::to_string(g + 1) + '\t' +
               std::to_string(placed.shift) + (placed.reverse ? "\t-\t" : "\t+\t") +
               formatted("%.6g", placed.distance) + '\n';
    }
    pwm::Motif family = pwm::family_motif(aligned, "group_" + std::to_string(g + 1));
    const pwm::Motif& central = motifs[groups[g].central];
    family.alt_id = (central.alt_id.empty() ? central.id : central.alt_id) + "_" +
                    std::to_string(groups[g].members.size()) + (groups[g].members.size() == 1 ? "_motif" : "_motifs");
    means += pwm::format_motifs({&family, 1}, pwm::MotifFileFormat::jaspar);
    if (groups[g].members.size() > 1) families.push_back(std::move(family));
  }
  if (!settings.svg.empty() && families.size() > max_logos)
    throw genocl::InputError("--svg", {}, std::to_string(families.size()) + " groups in one picture",
                             std::to_string(max_logos) + " at most");
  write_file(settings.svg, settings.svg.empty() ? "" : logos_of(families, false));
  write_file(settings.family_motifs, means);
  write_file(settings.output, table);
}

}  // namespace

void cluster_motifs(const ClusterSettings& settings) {
  if (settings.cut && !(*settings.cut >= 0))
    throw genocl::InputError("--cut", {}, formatted("%g", *settings.cut), "0 or more");
  if (settings.p && settings.by == "columns") throw genocl::InputError("-p with --by columns, which has no thresholds");
  if (settings.p && !(*settings.p > 0 && *settings.p <= 1))
    throw genocl::InputError("-p", {}, formatted("%g", *settings.p), "a probability above 0, up to 1");
  check_files({settings.motifs, settings.families, settings.matrix.background_file()},
              {settings.output, settings.newick, settings.svg, settings.family_motifs});
  MotifCollection collection = read_collection(settings.motifs, settings.reading, settings.common.quiet);
  std::vector<pwm::Motif>& motifs = collection.motifs;
  const pwm::Background background = read_background(settings.matrix, collection);
  ProgressBar bar("cluster", settings.common.quiet, settings.by == "hits" ? "k pairs" : "motifs",
                  settings.by == "hits" ? 1e3 : 1);
  PairAlignments pairs = settings.by == "hits" ? pairs_by_hits(settings, motifs, background, bar)
                                               : pairs_by_columns(settings, motifs, background, bar);
  bar.clear();
  const std::size_t count = motifs.size();
  if (count == 0) throw genocl::InputError(settings.motifs, {}, "no motif with a threshold", "a larger P-value");
  symmetrize(pairs, count);
  std::vector<double> distances;
  for (const PairAlignment& pair : pairs) distances.push_back(std::max(0.0, pair.distance));
  const std::vector<pwm::ClusterMerge> tree = pwm::average_linkage(distances, count);
  const std::vector<std::uint32_t> numbers =
      pwm::cut_tree(tree, count, settings.cut.value_or(settings.by == "hits" ? 0.99 : 0.7));
  const std::vector<Group> groups = groups_with(numbers, pairs);
  std::optional<double> rand_index;
  if (!settings.families.empty())
    rand_index = pwm::adjusted_rand_index(numbers, read_families(settings.families, motifs));
  std::vector<std::string> names;
  for (const pwm::Motif& motif : motifs)
    names.push_back(motif.alt_id.empty() ? motif.id : motif.id + " " + motif.alt_id);
  write_file(settings.newick, settings.newick.empty() ? "" : pwm::newick(tree, names));
  write_groups(settings, motifs, groups, pairs);
  if (rand_index) std::cerr << "adjusted Rand index " << formatted("%.4f", *rand_index) << "\n";
  if (!settings.common.quiet) std::cerr << count << " motifs in " << groups.size() << " groups\n";
}

}  // namespace program
