#include "pwm/options.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

#include "genocl/error.hpp"
#include "pwm/numbers.hpp"

namespace program {

using genocl::InputError;

pwm::Strands strands_of(const std::string& name) {
  return name == "+" ? pwm::Strands::forward : name == "-" ? pwm::Strands::reverse : pwm::Strands::both;
}

double MatrixSettings::base() const {
  if (log_base == "e") return std::numbers::e;
  double base = 0;
  const auto [end, error] = std::from_chars(log_base.data(), log_base.data() + log_base.size(), base);
  if (error != std::errc() || end != log_base.data() + log_base.size() || !std::isfinite(base) || !(base > 1))
    throw InputError("--log-base", {}, genocl::in_quotes(log_base), "e, or a number above 1");
  return base;
}

pwm::POptions PSettings::options(const pwm::Background& background) const {
  pwm::POptions options;
  options.method = method == "bucket" ? pwm::PMethod::bucket : pwm::PMethod::certified;
  options.background = background;
  options.slices = slices;
  options.buckets = buckets;
  options.paper_convention = convention == "paper";
  options.strands = strands_of(strand);
  return options;
}

void ScanSettings::check() const {
  const int given = (p ? 1 : 0) + (score ? 1 : 0) + (thresholds.empty() ? 0 : 1);
  if (given > 1) throw InputError("only one of -p, --score and --thresholds can be given");
  if (p && !(*p > 0 && *p <= 1)) throw InputError("-p", {}, formatted("%g", *p), "a probability above 0, up to 1");
  if (score && !std::isfinite(*score)) throw InputError("--score", {}, formatted("%g", *score), "a number");
  if (max_hits == 0) throw InputError("--max-hits", {}, "0", "1 or more");
  if (q_values && (format == "counts" || format == "bed"))
    throw InputError("--q-values with --format " + format + ", which has no place for them");
  int from_input = motifs == "-" ? 1 : 0;
  for (const std::string& text : texts) from_input += text == "-" ? 1 : 0;
  if (from_input > 1) throw InputError("standard input can be read once only");
}

}  // namespace program
