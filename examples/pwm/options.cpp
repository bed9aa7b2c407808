#include "pwm/options.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

#include "common/numbers.hpp"
#include "genocl/error.hpp"
#include "pwm/output.hpp"

namespace program {

using genocl::InputError;

double MatrixSettings::base() const {
  if (log_base == "e") return std::numbers::e;
  double base = 0;
  const auto [end, error] = std::from_chars(log_base.data(), log_base.data() + log_base.size(), base);
  if (error != std::errc() || end != log_base.data() + log_base.size() || !std::isfinite(base) || !(base > 1))
    throw InputError("--log-base", {}, genocl::in_quotes(log_base), "e, or a number above 1");
  return base;
}

pwm::PValueOptions PValueSettings::options(const pwm::Background& background) const {
  pwm::PValueOptions options;
  options.method = method == "bucket" ? pwm::PValueMethod::bucket : pwm::PValueMethod::certified;
  options.background = background;
  options.slices = slices;
  options.buckets = buckets;
  options.paper_convention = convention == "paper";
  options.strands = strands;
  return options;
}

ScoreLimit ScoreLimit::parse(const std::string& text) {
  ScoreLimit limit{.percent = text.ends_with('%')};
  const std::optional<double> value =
      number_of<double>(std::string_view(text).substr(0, text.size() - (limit.percent ? 1 : 0)));
  if (!value || !std::isfinite(*value) || (limit.percent && !(*value >= 0 && *value <= 100)))
    throw InputError("--score", {}, genocl::in_quotes(text), "a number, or a percentage from 0% to 100%");
  limit.value = *value;
  return limit;
}

double ScoreLimit::of(const pwm::ScoreMatrix& matrix) const {
  if (!percent) return value;
  const double lowest = matrix.lowest(), highest = matrix.highest();
  if (!std::isfinite(highest - lowest))
    throw InputError("--score", {}, "a percentage, but scores of motif " + genocl::shown(matrix.id()) + " are infinite",
                     "--pseudocount above 0");
  // The ends are those of words, to the last bit.
  return value == 100 ? highest : lowest + value / 100 * (highest - lowest);
}

std::optional<double> relative_score(const pwm::ScoreMatrix& matrix, double score) {
  const double lowest = matrix.lowest(), range = matrix.highest() - lowest;
  if (!std::isfinite(range) || !std::isfinite(score) || range == 0) return std::nullopt;
  return (score - lowest) / range;
}

void ScanSettings::check() const {
  const int given = (p ? 1 : 0) + (score ? 1 : 0) + (thresholds.empty() ? 0 : 1) + (own_thresholds ? 1 : 0);
  if (given > 1) throw InputError("only one of -p, --score, --thresholds and --own-thresholds can be given");
  if (own_thresholds && (matrix.log_base != "e" || matrix.pseudocount != 0 || matrix.background != "uniform"))
    throw InputError(
        "--own-thresholds are HOMER's, which are sums of natural logarithms; expected --log-base e "
        "--pseudocount 0 and a uniform background");
  if (p && !(*p > 0 && *p <= 1)) throw InputError("-p", {}, formatted("%g", *p), "a probability above 0, up to 1");
  if (score) ScoreLimit::parse(*score);
  if (slice_columns && method != "slices") throw InputError("--slice-columns is an option of --method slices");
  if (max_hits && format == "counts") throw InputError("--max-hits with --format counts, which has no hits");
  if (max_hits == 0) throw InputError("--max-hits", {}, "0", "1 or more");
  if (q_values && (format == "counts" || format == "bed"))
    throw InputError("--q-values with --format " + format + ", which has no place for them");
  if (q_threshold && !(*q_threshold > 0 && *q_threshold <= 1))
    throw InputError("--q-threshold", {}, formatted("%g", *q_threshold), "a rate above 0, up to 1");
  for (const auto& [set, name] :
       {std::pair(q_threshold.has_value(), "--q-threshold"), std::pair(exact, "--exact"), std::pair(best, "--best")})
    if (set && format == "counts") throw InputError(std::string(name) + " with --format counts");
  if (best && with_q_values()) throw InputError("--best with q-values, which are of all hits");
  if (genomic_coordinates && !regions.empty())
    throw InputError("--genomic-coordinates with --regions, whose sequences are whole");
  if (!vcf.empty()) {
    if (format != "tsv") throw InputError("--vcf with --format " + format + ", whose rows have one allele");
    for (const auto& [set, name] :
         {std::pair(!regions.empty(), "--regions"), std::pair(best, "--best"), std::pair(with_q_values(), "q-values"),
          std::pair(max_hits.has_value(), "--max-hits"), std::pair(genomic_coordinates, "--genomic-coordinates")})
      if (set) throw InputError("--vcf with " + std::string(name));
    if (exact) throw InputError("--vcf with --exact; P-values of variants are exact");
  }
  int from_input = (motifs == "-" ? 1 : 0) + (vcf == "-" ? 1 : 0);
  for (const std::string& text : texts) from_input += text == "-" ? 1 : 0;
  if (from_input > 1) throw InputError("standard input can be read once only");
}

void EnrichSettings::check() const {
  if (p && !(*p > 0 && *p <= 1)) throw InputError("-p", {}, formatted("%g", *p), "a probability above 0, up to 1");
  if (!(evalue >= 0)) throw InputError("--evalue", {}, formatted("%g", evalue), "0 or more");
  if (q_threshold && !(*q_threshold > 0 && *q_threshold <= 1))
    throw InputError("--q-threshold", {}, formatted("%g", *q_threshold), "a rate above 0, up to 1");
  if (max_n && !(*max_n >= 0 && *max_n <= 1))
    throw InputError("--max-n", {}, formatted("%g", *max_n), "a fraction, 0 to 1");
  const bool matched = background == "matched";
  if (matched && genome.empty()) throw InputError("--background matched without --genome");
  for (const auto& [set, name] : {std::pair(!genome.empty(), "--genome"), std::pair(max_n.has_value(), "--max-n")})
    if (set && !matched) throw InputError(std::string(name) + " is an option of --background matched");
  if (genome == "-") throw InputError("--genome", {}, "standard input, which can be read once only", "a file");
  if (kmer && background != "shuffled") throw InputError("--kmer is an option of --background shuffled");
  for (const auto& [set, name] : {std::pair(controls.has_value(), "--controls"), std::pair(seed.has_value(), "--seed")})
    if (set && has_file_of_controls())
      throw InputError(std::string(name) + " does not apply to controls from a file, which are all used");
  if (keep_lengths && !has_file_of_controls()) throw InputError("--notrim is an option of --background FILE");
  int from_input = 0;
  for (const std::string* const file : {&motifs, &sequences, &background}) from_input += *file == "-" ? 1 : 0;
  if (from_input > 1) throw InputError("standard input can be read once only");
}

}  // namespace program
