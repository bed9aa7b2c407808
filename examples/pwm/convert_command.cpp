// genocl-pwm convert: motif files in other formats.
#include <iostream>

#include "common/check_files.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "pwm/inputs.hpp"
#include "pwm/options.hpp"
#include "pwm/output.hpp"

namespace program {
namespace {

void check(const ConvertSettings& settings) {
  const bool homer = settings.format == "homer";
  if (settings.p && !homer) throw genocl::InputError("-p is the P-value of thresholds, which only --format homer has");
  if (settings.p && !(*settings.p > 0 && *settings.p <= 1))
    throw genocl::InputError("-p", {}, formatted("%g", *settings.p), "a probability above 0, up to 1");
  if (settings.pseudocount && settings.format != "pwm")
    throw genocl::InputError("--pseudocount is an option of --format pwm");
  if (settings.pseudocount && !(*settings.pseudocount > 0))
    throw genocl::InputError("--pseudocount", {}, formatted("%g", *settings.pseudocount), "above 0");
  if (settings.background && settings.format != "meme")
    throw genocl::InputError("--background is an option of --format meme");
  check_files(
      {settings.motifs, MatrixSettings{.background = settings.background.value_or("uniform")}.background_file()},
      {settings.output});
}

/// Sets the threshold of motifs without one to that of a P-value, for HOMER files. A motif whose best word is more
/// probable gets the score of this word.
void add_thresholds(std::vector<pwm::Motif>& motifs, const ConvertSettings& settings) {
  std::vector<pwm::Motif> missing;
  for (const pwm::Motif& motif : motifs)
    if (!motif.threshold) missing.push_back(motif);
  if (missing.empty()) return;
  for (pwm::Motif& motif : missing) motif.threshold = 0;
  const std::vector<pwm::Motif> written = pwm::parse_motifs(pwm::format_motifs(missing, pwm::MotifFileFormat::homer),
                                                            "HOMER", {.format = pwm::MotifFormat::homer});
  const std::vector<pwm::ScoreMatrix> matrices =
      matrices_of(written, {.pseudocount = 0, .log_base = "e"}, pwm::Background());
  const std::vector<double> ps = {settings.p.value_or(usual_p)};
  const auto found = pwm::thresholds(settings.common.open_devices(settings.common.profile), matrices, ps);
  std::size_t next = 0;
  for (pwm::Motif& motif : motifs)
    if (!motif.threshold) motif.threshold = found[next++].front().score;
}

}  // namespace

void convert_motifs(const ConvertSettings& settings) {
  check(settings);
  MotifCollection collection = read_collection(settings.motifs, settings.reading, settings.common.quiet);
  choose(collection.motifs, settings.only, settings.motifs);
  pwm::MotifFileOptions options{.pseudocount = settings.pseudocount};
  if (settings.background)
    options.background = read_background({.background = *settings.background}, collection);
  else if (collection.background)
    options.background = *collection.background;
  const pwm::MotifFileFormat format = pwm::motif_file_format_named(settings.format);
  if (format == pwm::MotifFileFormat::homer) add_thresholds(collection.motifs, settings);
  genocl::io::OutputFile out(settings.output);
  out.write(pwm::format_motifs(collection.motifs, format, options));
  out.commit();
  const std::size_t count = collection.motifs.size();
  if (!settings.common.quiet) std::cerr << count << (count == 1 ? " motif\n" : " motifs\n");
}

}  // namespace program
