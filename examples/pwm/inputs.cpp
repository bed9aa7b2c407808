#include "pwm/inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <unordered_map>

#include "common/numbers.hpp"
#include "common/program.hpp"
#include "common/reading_threads.hpp"
#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/io/text_file.hpp"
#include "genocl/packing.hpp"
#include "pwm/output.hpp"

namespace program {
namespace {

using genocl::InputError;
namespace io = genocl::io;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Parses a finite number.
std::optional<double> value_of(std::string_view text) {
  const std::optional<double> value = number_of<double>(text);
  return value && std::isnan(*value) ? std::nullopt : value;
}

/// Parses four frequencies such as "0.3,0.2,0.2,0.3". No value for a file name.
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

pwm::Background background_of(const std::vector<std::string>& texts, unsigned order, bool replace_letters) {
  if (texts.empty()) throw InputError("--background input without a text");
  pwm::BackgroundCounter counter(order);
  for (const std::string& text : texts) {
    if (text == "-") throw InputError("--background input needs files: standard input can be read once only");
    io::SequenceReader reader(
        text,
        {.bad_letters = genocl::bad_letters(replace_letters), .keep_qualities = false, .threads = reading_threads()});
    genocl::SequenceSet batch;
    while (reader.read(batch, {.residues = std::uint64_t{64} << 20})) counter.add(batch);
  }
  try {
    return counter.background();
  } catch (const InputError& error) {
    throw InputError("--background", {}, "input, " + error.wrong(), error.expected());
  }
}

/// One line for each kind of repair: the first motif, and the number of the others.
class MotifNotes {
 public:
  MotifNotes(std::string file, bool quiet) : file_(std::move(file)), quiet_(quiet) {}
  void add(const pwm::MotifNote& note) {
    auto& [first, count] = kinds_[static_cast<std::size_t>(note.kind)];
    if (count++ == 0) first = note;
  }
  void write() const {
    if (!team().is_root()) return;
    write(pwm::MotifNote::Kind::left_out, "warning", "left out");
    write(pwm::MotifNote::Kind::rescaled, "warning", "scaled to a sum of 1");
    if (quiet_) return;
    write(pwm::MotifNote::Kind::frequencies, "note", "taken for frequencies at 20 sites");
    write(pwm::MotifNote::Kind::log_odds, "note",
          "taken for probabilities at 20 sites (--log-base e --pseudocount 0 keeps natural scores)");
    write(pwm::MotifNote::Kind::sites, "note", "counted");
  }

 private:
  void write(pwm::MotifNote::Kind kind, const char* level, const char* action) const {
    const auto& [first, count] = kinds_[static_cast<std::size_t>(kind)];
    if (count == 0) return;
    std::cerr << called_name() << ": " << level << ": " << file_ << ':' << first.line << ": motif "
              << genocl::shown(first.motif) << ' ' << action << ": " << first.what;
    if (count > 1) std::cerr << "; " << count << " motifs in all";
    std::cerr << '\n';
  }

  std::string file_;
  bool quiet_;
  std::array<std::pair<pwm::MotifNote, std::size_t>, 5> kinds_{};
};

pwm::MotifOptions options_of(const MotifReading& reading, MotifNotes& notes) {
  pwm::MotifOptions options;
  options.strict = reading.strict;
  options.rows = reading.motif_rows == "letters"     ? pwm::MotifRows::letters
                 : reading.motif_rows == "positions" ? pwm::MotifRows::positions
                                                     : pwm::MotifRows::automatic;
  options.note = [&notes](const pwm::MotifNote& note) { notes.add(note); };
  return options;
}

std::vector<pwm::Motif> parsed(const std::string& text, const std::string& file, const MotifReading& reading,
                               bool quiet, std::size_t longest) {
  MotifNotes notes(file, quiet);
  std::vector<pwm::Motif> motifs = pwm::parse_motifs(text, file, options_of(reading, notes));
  notes.write();
  for (const pwm::Motif& motif : motifs)
    if (motif.length() > longest)
      throw InputError(file, {},
                       "motif " + genocl::shown(motif.id) + " has " + std::to_string(motif.length()) + " columns",
                       std::to_string(longest) + " at most");
  return motifs;
}

}  // namespace

std::vector<pwm::Motif> read_motifs(const std::string& path, const MotifReading& reading, bool quiet,
                                    std::size_t longest) {
  const std::string file = path == "-" ? "standard input" : path;
  return parsed(io::read_text_file(path), file, reading, quiet, longest);
}

MotifCollection read_collection(const std::string& path, const MotifReading& reading, bool quiet) {
  const std::string file = path == "-" ? "standard input" : path;
  const std::string text = io::read_text_file(path);
  MotifCollection collection{parsed(text, file, reading, quiet, pwm::ScoreMatrix::longest),
                             pwm::parse_motif_background(text, file)};
  std::size_t renamed = 0;
  std::unordered_map<std::string, std::size_t> seen;
  for (pwm::Motif& motif : collection.motifs) {
    const std::size_t times = ++seen[motif.id];
    if (times == 1) continue;
    std::size_t number = times;
    while (seen.contains(motif.id + "_" + std::to_string(number))) ++number;
    motif.id += "_" + std::to_string(number);
    ++seen[motif.id];
    ++renamed;
  }
  if (renamed > 0 && !quiet && team().is_root())
    std::cerr << called_name() << ": warning: " << file << ": " << renamed
              << (renamed == 1 ? " motif has" : " motifs have")
              << " the name of another one, and a number behind it in the output\n";
  return collection;
}

void choose(std::vector<pwm::Motif>& motifs, const std::vector<std::string>& names, const std::string& file) {
  if (names.empty()) return;
  const auto has = [](const pwm::Motif& motif, const std::string& name) {
    return motif.id == name || motif.alt_id == name;
  };
  for (const std::string& name : names)
    if (std::ranges::none_of(motifs, [&](const pwm::Motif& motif) { return has(motif, name); }))
      throw InputError("--motif", {}, genocl::in_quotes(name), "the id or the second name of a motif in " + file);
  std::erase_if(motifs, [&](const pwm::Motif& motif) {
    return std::ranges::none_of(names, [&](const std::string& name) { return has(motif, name); });
  });
}

pwm::Background read_background(const MatrixSettings& settings, const MotifCollection& collection,
                                const std::vector<std::string>& texts, bool replace_letters) {
  const std::string& what = settings.background;
  if (settings.background_order != 0 && what != "input")
    throw InputError("--background-order is that of " + settings.option + " input");
  if (what == "uniform") return {};
  if (what == "input") return background_of(texts, settings.background_order, replace_letters);
  if (what == "motifs") {
    if (!collection.background)
      throw InputError(settings.option, {}, "motifs, but the motif file has no background",
                       "a file of MEME's with \"Background letter frequencies\"");
    return *collection.background;
  }
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
    // If tabs separate the fields, names may contain blanks.
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
                                   double p, const pwm::PValueOptions& options) {
  const std::vector<double> ps = {p};
  std::vector<double> scores;
  for (const std::vector<pwm::Threshold>& found : pwm::thresholds(devices, matrices, ps, options))
    scores.push_back(found.front().none ? not_a_number : found.front().score);
  return scores;
}

std::vector<double> thresholds_by_team(std::span<const genocl::Device> devices,
                                       std::span<const pwm::ScoreMatrix> matrices, double p,
                                       const pwm::PValueOptions& options) {
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
