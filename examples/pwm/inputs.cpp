#include "pwm/inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "common/numbers.hpp"
#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/io/text_file.hpp"
#include "genocl/packing.hpp"

namespace program {
namespace {

using genocl::InputError;
namespace io = genocl::io;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A number that is one.
std::optional<double> value_of(std::string_view text) {
  const std::optional<double> value = number_of<double>(text);
  return value && std::isnan(*value) ? std::nullopt : value;
}

std::vector<std::string> split(std::string_view line, std::string_view separators) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    fields.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

/// "0.3,0.2,0.2,0.3"; nothing for what is a file's name.
std::optional<pwm::Background> four_numbers(const std::string& text) {
  const std::vector<std::string> fields = split(text, ",");
  if (fields.size() != 4) return std::nullopt;
  std::array<double, 4> frequencies{};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::optional<double> value = value_of(fields[i]);
    if (!value) return std::nullopt;
    frequencies[i] = *value;
  }
  return pwm::Background(frequencies);
}

pwm::Background background_of(const std::vector<std::string>& texts, bool replace_letters) {
  if (texts.empty()) throw InputError("--background input without a text");
  std::array<double, 4> counts{};
  for (const std::string& text : texts) {
    if (text == "-") throw InputError("--background input needs files: standard input can be read once only");
    io::SequenceReader reader(text, {.bad_letters = genocl::bad_letters(replace_letters), .keep_qualities = false});
    genocl::SequenceSet batch;
    while (reader.read(batch, {.residues = std::uint64_t{64} << 20})) {
      const std::vector<std::uint64_t> found = batch.letter_counts();
      for (std::size_t base = 0; base < 4; ++base)
        counts[base] += static_cast<double>(found[base] + found[3 - base]) / 2;
    }
  }
  const double sum = counts[0] + counts[1] + counts[2] + counts[3];
  if (counts[0] == 0 || counts[1] == 0)
    throw InputError("--background", {}, "input, where no " + std::string(counts[0] == 0 ? "A or T" : "C or G") + " is",
                     "a text with every base in it");
  for (double& count : counts) count /= sum;
  return pwm::Background(counts);
}

}  // namespace

std::vector<pwm::Motif> read_motifs(const std::string& path, std::size_t longest) {
  const std::string file = path == "-" ? "standard input" : path;
  std::vector<pwm::Motif> motifs = pwm::parse_motifs(io::read_text_file(path), file);
  for (const pwm::Motif& motif : motifs)
    if (motif.length() > longest)
      throw InputError(file, {},
                       "motif " + genocl::shown(motif.id) + " has " + std::to_string(motif.length()) + " columns",
                       std::to_string(longest) + " at most");
  return motifs;
}

pwm::Background read_background(const std::string& what, const std::vector<std::string>& texts, bool replace_letters) {
  if (what == "uniform") return {};
  if (what == "input") return background_of(texts, replace_letters);
  if (std::optional<pwm::Background> numbers = four_numbers(what)) return *numbers;
  return pwm::Background::parse(io::read_text_file(what), what);
}

std::vector<pwm::ScoreMatrix> matrices_of(std::span<const pwm::Motif> motifs, const MatrixSettings& settings,
                                          const pwm::Background& background) {
  pwm::LogOddsOptions options;
  options.pseudocount = settings.pseudocount;
  options.base = settings.base();
  options.background = background;
  std::vector<pwm::ScoreMatrix> matrices;
  matrices.reserve(motifs.size());
  for (const pwm::Motif& motif : motifs) matrices.push_back(pwm::log_odds(motif, options));
  return matrices;
}

std::vector<double> read_thresholds(const std::string& path, std::span<const pwm::ScoreMatrix> matrices) {
  const std::string text = io::read_text_file(path);
  std::unordered_map<std::string, double> scores;
  std::size_t id_at = 0, score_at = 1, line_number = 0;
  for (std::string line : split(text, "\n")) {
    ++line_number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.find_first_not_of(" \t") == std::string::npos || line.starts_with('#')) continue;
    // Names may hold blanks where tabs separate.
    const std::vector<std::string> fields = split(line, line.find('\t') != std::string::npos ? "\t" : " ");
    if (fields[0] == "motif_id") {
      const auto score = std::ranges::find(fields, "score");
      if (score == fields.end())
        throw InputError(path, std::to_string(line_number), "no column \"score\"", "motif_id score");
      score_at = static_cast<std::size_t>(score - fields.begin());
      continue;
    }
    if (fields.size() <= score_at)
      throw InputError(path, std::to_string(line_number), genocl::in_quotes(line), "motif_id score");
    if (fields[score_at] == "none") continue;
    const std::optional<double> value = value_of(fields[score_at]);
    if (!value) throw InputError(path, std::to_string(line_number), genocl::in_quotes(fields[score_at]), "a score");
    if (!scores.emplace(fields[id_at], *value).second)
      throw InputError(path, std::to_string(line_number), "a second score for " + genocl::shown(fields[id_at]));
  }
  std::vector<double> thresholds;
  bool any = false;
  for (const pwm::ScoreMatrix& matrix : matrices) {
    const auto found = scores.find(matrix.id());
    any = any || found != scores.end();
    thresholds.push_back(found != scores.end() ? found->second : not_a_number);
  }
  if (!any) throw InputError(path, {}, "no score for any of the motifs", "lines of motif_id score");
  return thresholds;
}

std::vector<double> thresholds_for(std::span<const genocl::Device> devices, std::span<const pwm::ScoreMatrix> matrices,
                                   double p, const pwm::POptions& options) {
  const std::vector<double> ps = {p};
  std::vector<double> scores;
  for (const std::vector<pwm::Threshold>& found : pwm::thresholds(devices, matrices, ps, options))
    scores.push_back(found.front().none ? not_a_number : found.front().score);
  return scores;
}

std::vector<double> thresholds_by_team(std::span<const genocl::Device> devices,
                                       std::span<const pwm::ScoreMatrix> matrices, double p,
                                       const pwm::POptions& options) {
  const std::size_t members = team().size(), member = team().rank();
  if (members == 1) return thresholds_for(devices, matrices, p, options);
  std::vector<pwm::ScoreMatrix> mine;
  for (std::size_t i = member; i < matrices.size(); i += members) mine.push_back(matrices[i]);
  genocl::Packer packed;
  packed.add_list(mine.empty() ? std::vector<double>() : thresholds_for(devices, mine, p, options));
  std::vector<double> all(matrices.size());
  const std::vector<std::string> parts = team().gather(packed.take());
  for (std::size_t of = 0; of < parts.size(); ++of) {
    const std::vector<double> part = genocl::Unpacker(parts[of]).next_list<double>();
    for (std::size_t i = 0; i < part.size(); ++i) all[of + i * members] = part[i];
  }
  genocl::Packer result;
  result.add_list(all);
  std::string bytes = result.take();
  team().broadcast(bytes);
  return genocl::Unpacker(bytes).next_list<double>();
}

}  // namespace program
