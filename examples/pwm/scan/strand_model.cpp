#include "pwm/scan/strand_model.hpp"

#include <cmath>

#include "genocl/error.hpp"
#include "pwm/inputs.hpp"

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
  if (settings.score) return on_both(std::vector<double>(matrices.size(), *settings.score));
  const double p = settings.p.value_or(usual_p);
  const bool reverse_alone = model.apart && settings.strands == pwm::Strands::reverse;
  std::vector<pwm::StrandThresholds> found =
      on_both(thresholds_by_team(devices, matrices, p, reverse_alone ? model.reverse : model.forward));
  if (model.apart && settings.strands == pwm::Strands::both) {
    const std::vector<double> reverse = thresholds_by_team(devices, matrices, p, model.reverse);
    for (std::size_t i = 0; i < found.size(); ++i) found[i].reverse = reverse[i];
  }
  return found;
}

std::string left_out(const ScanSettings& settings, std::span<const pwm::StrandThresholds> thresholds) {
  std::size_t none = 0, on_forward = 0, on_reverse = 0;
  for (const auto& [forward, reverse] : thresholds) {
    const bool no_forward = settings.strands == pwm::Strands::reverse || std::isnan(forward);
    const bool no_reverse = settings.strands == pwm::Strands::forward || std::isnan(reverse);
    if (no_forward && no_reverse)
      ++none;
    else if (settings.strands == pwm::Strands::both && (no_forward || no_reverse))
      ++(no_forward ? on_forward : on_reverse);
  }
  std::string text;
  if (none > 0) text += ", " + std::to_string(none) + " of them without a threshold: not looked for";
  if (on_forward > 0) text += ", " + std::to_string(on_forward) + " without one on strand +: not looked for there";
  if (on_reverse > 0) text += ", " + std::to_string(on_reverse) + " without one on strand -: not looked for there";
  return text;
}

}  // namespace program
