
#include "pwm/significance.hpp"

#include <algorithm>
#include <cmath>

#include "common/progress_bar.hpp"
#include "common/team.hpp"
#include "genocl/error.hpp"
#include "genocl/packing.hpp"
#include "pwm/inputs.hpp"
#include "pwm/output.hpp"

namespace program {
namespace {

std::vector<pwm::StrandThresholds> on_both(const std::vector<double>& thresholds) {
  std::vector<pwm::StrandThresholds> result;
  for (const double threshold : thresholds) result.push_back({threshold, threshold});
  return result;
}

std::vector<double> own_thresholds(std::span<const pwm::Motif> motifs, const std::string& file) {
  std::vector<double> thresholds;
  for (const pwm::Motif& motif : motifs) {
    if (!motif.threshold)
      throw genocl::InputError(file, {}, "no threshold for motif " + genocl::shown(motif.id),
                               "HOMER's \">consensus<tab>name<tab>threshold\"");
    thresholds.push_back(*motif.threshold);
  }
  return thresholds;
}

}  // namespace

StrandModel::StrandModel(const ScanSettings& settings, const pwm::Background& background) {
  forward.background = reverse.background = background;
  apart = !settings.average_strands && !(background.reverse_complement() == background);
  if (apart) reverse.strands = pwm::Strands::reverse;
  if (settings.average_strands) forward.strands = reverse.strands = pwm::Strands::both;
}

std::vector<pwm::StrandThresholds> thresholds_of(const ScanSettings& settings, std::span<const genocl::Device> devices,
                                                 std::span<const pwm::Motif> motifs,
                                                 std::span<const pwm::ScoreMatrix> matrices, const StrandModel& model) {
  if (!settings.thresholds.empty()) return on_both(read_thresholds(settings.thresholds, matrices));
  if (settings.own_thresholds) return on_both(own_thresholds(motifs, settings.motifs));
  if (settings.score) {
    const ScoreLimit limit = ScoreLimit::parse(*settings.score);
    std::vector<double> scores;
    for (const pwm::ScoreMatrix& matrix : matrices) scores.push_back(limit.of(matrix));
    return on_both(scores);
  }
  const double p = settings.p.value_or(usual_p);
  ProgressBar bar("thresholds", settings.common.quiet, "motifs", 1);
  const auto thresholds = [&](pwm::PValueOptions options) {
    options.progress = bar.progress();
    return thresholds_by_team(devices, matrices, p, options);
  };
  const bool reverse_alone = model.apart && settings.strands == pwm::Strands::reverse;
  std::vector<pwm::StrandThresholds> found = on_both(thresholds(reverse_alone ? model.reverse : model.forward));
  if (model.apart && settings.strands == pwm::Strands::both) {
    const std::vector<double> reverse = thresholds(model.reverse);
    for (std::size_t i = 0; i < found.size(); ++i) found[i].reverse = reverse[i];
  }
  return found;
}

std::string left_out(const ScanSettings& settings, std::span<const pwm::Motif> motifs,
                     std::span<const pwm::StrandThresholds> thresholds) {
  std::size_t none = 0, on_forward = 0, on_reverse = 0;
  std::string first;
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    const auto& [forward, reverse] = thresholds[i];
    const bool no_forward = settings.strands == pwm::Strands::reverse || std::isnan(forward);
    const bool no_reverse = settings.strands == pwm::Strands::forward || std::isnan(reverse);
    if (no_forward && no_reverse) {
      if (none++ == 0) first = motifs[i].id;
    } else if (settings.strands == pwm::Strands::both && (no_forward || no_reverse))
      ++(no_forward ? on_forward : on_reverse);
  }
  std::string text;
  const bool by_p_value = settings.thresholds.empty() && !settings.own_thresholds && !settings.score;
  const std::string limit = p_text(settings.p.value_or(usual_p));
  const auto cannot = [&](std::size_t count, const std::string& rest) {
    const std::string number = ", " + std::to_string(count);
    if (!by_p_value) return number + (count == 1 ? " has" : " have") + " no threshold" + rest;
    return number + (count == 1 ? " is" : " are") + " too short to reach P <= " + limit + rest;
  };
  if (none > 0) text += cannot(none, " (the first one: " + first + ")");
  if (on_forward > 0) text += cannot(on_forward, " on strand +");
  if (on_reverse > 0) text += cannot(on_reverse, " on strand -");
  return text;
}

namespace {

using Lists = std::vector<std::vector<double>>;

std::string packed(const Lists& lists) {
  genocl::Packer bytes;
  for (const std::vector<double>& list : lists) bytes.add_list(list);
  return bytes.take();
}

Lists unpacked(std::string_view bytes) {
  Lists lists;
  for (genocl::Unpacker left(bytes); !left.empty();) lists.push_back(left.next_list<double>());
  return lists;
}

/// Returns the P-values of the root's scores: [matrix][score]; empty on the other members.
Lists p_by_team(std::span<const genocl::Device> devices, std::span<const genocl::pwm::ScoreMatrix> matrices,
                const genocl::pwm::PValueOptions& options, const Lists& scores_of_root) {
  std::string bytes = packed(scores_of_root);
  team().broadcast(bytes);
  const Lists scores = unpacked(bytes);
  // The matrices of this member, of those with hits.
  std::vector<genocl::pwm::ScoreMatrix> asked;
  Lists asked_scores;
  std::size_t number = 0;
  std::vector<std::size_t> member_of(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].empty()) continue;
    member_of[i] = number++ % team().size();
    if (member_of[i] != team().rank()) continue;
    asked.push_back(matrices[i]);
    asked_scores.push_back(scores[i]);
  }
  Lists found;
  if (!asked.empty())
    for (const auto& of_matrix : genocl::pwm::p_values(devices, asked, asked_scores, options)) {
      found.emplace_back();
      for (const auto& one : of_matrix) found.back().push_back(one_of(one));
    }
  const std::vector<std::string> all = team().gather(packed(found));
  Lists result;
  if (!team().is_root()) return result;
  std::vector<Lists> parts;
  for (const std::string& part : all) parts.push_back(unpacked(part));
  std::vector<std::size_t> next(parts.size());
  for (std::size_t i = 0; i < scores.size(); ++i)
    result.push_back(scores[i].empty() ? std::vector<double>() : std::move(parts[member_of[i]][next[member_of[i]]++]));
  return result;
}

}  // namespace

void PlaceCount::add(std::span<const genocl::Code> record) { add(record, 1); }
void PlaceCount::remove(std::span<const genocl::Code> letters) { add(letters, -1); }

void PlaceCount::add(std::span<const genocl::Code> record, std::int64_t times) {
  std::uint64_t bases = 0;
  for (const genocl::Code code : record) {
    if (genocl::dna::is_base(code)) {
      ++bases;
    } else if (bases > 0) {
      stretches_[bases] += times;
      bases = 0;
    }
  }
  if (bases > 0) stretches_[bases] += times;
}

std::uint64_t PlaceCount::places(std::size_t length) const {
  std::int64_t places = 0;
  for (const auto& [bases, count] : stretches_)
    if (bases >= length) places += static_cast<std::int64_t>(bases - length + 1) * count;
  return static_cast<std::uint64_t>(places);
}

void fill_p(std::span<const genocl::Device> devices, std::span<const genocl::pwm::ScoreMatrix> matrices,
            const genocl::pwm::PValueOptions& options, std::vector<ScoreTable>& tables) {
  Lists scores(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (const auto& [score, unused] : tables[i]) scores[i].push_back(score);
  const Lists found = p_by_team(devices, matrices, options, scores);
  if (!team().is_root()) return;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    std::size_t j = 0;
    for (auto& [score, significance] : tables[i]) significance.p = found[i][j++];
  }
}

void fill_q(std::span<ScoreTable* const> tables, double tests) {
  std::vector<Significance*> all;
  for (ScoreTable* const table : tables)
    for (auto& [score, one] : *table) all.push_back(&one);
  std::ranges::stable_sort(all, {}, &Significance::p);
  std::uint64_t rank = 0;
  for (Significance* const one : all) {
    rank += one->hits;
    one->q = std::min(1.0, one->p * tests / static_cast<double>(rank));
  }
  double least = 1;
  for (auto one = all.rbegin(); one != all.rend(); ++one) (*one)->q = least = std::min(least, (*one)->q);
}

}  // namespace program
