// genocl-pwm pvalue and threshold go from scores to P-values and back.
#include <cmath>
#include <iostream>

#include "common/check_files.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "pwm/commands.hpp"
#include "pwm/inputs.hpp"
#include "pwm/numbers.hpp"

namespace program {
namespace {

constexpr std::string_view columns = "motif_id\tlength\tp\tscore\tp_low\tp_high\texact\twords\n";

std::string line_begin(const pwm::ScoreMatrix& matrix, const std::string& p, const std::string& score) {
  return matrix.id() + '\t' + std::to_string(matrix.length()) + '\t' + p + '\t' + score + '\t';
}

const ScoreSettings& checked(const ScoreSettings& settings) {
  check_files({settings.motifs, settings.matrix.background_file()}, {settings.output});
  return settings;
}

/// What both commands begin with.
struct Collection {
  MotifCollection motifs;
  pwm::Background background;
  std::vector<pwm::ScoreMatrix> matrices;
  std::vector<genocl::Device> devices;

  explicit Collection(const ScoreSettings& settings)
      : motifs(read_collection(checked(settings).motifs, settings.reading, settings.common.quiet)),
        background(read_background(settings.matrix, motifs)),
        matrices(matrices_of(motifs.motifs, settings.matrix, background)),
        devices(settings.common.open_devices(settings.common.profile)) {}
};

void finish(const ScoreSettings& settings, const Collection& all, const std::string& text) {
  genocl::io::OutputFile out(settings.output);
  out.write(text);
  out.commit();
  if (settings.common.profile)
    for (const genocl::Device& device : all.devices) write_profile(std::cerr, device);
}

}  // namespace

void write_p_values(const ScoreSettings& settings) {
  if (!std::isfinite(settings.score))
    throw genocl::InputError("--score", {}, formatted("%g", settings.score), "a number");
  const Collection all(settings);
  const std::vector<std::vector<double>> scores(all.matrices.size(), {settings.score});
  const auto found = pwm::p_values(all.devices, all.matrices, scores, settings.p_values.options(all.background));
  std::string text(columns);
  for (std::size_t i = 0; i < all.matrices.size(); ++i) {
    const pwm::PValue& p = found[i].front();
    text += line_begin(all.matrices[i], whole_p_text(one_of(p)), score_text(settings.score)) + bounds_text(p) + '\n';
  }
  finish(settings, all, text);
}

void write_thresholds(const ScoreSettings& settings) {
  if (!(settings.p > 0 && settings.p <= 1))
    throw genocl::InputError("-p", {}, formatted("%g", settings.p), "a probability above 0, up to 1");
  const Collection all(settings);
  const std::vector<double> ps = {settings.p};
  const auto found = pwm::thresholds(all.devices, all.matrices, ps, settings.p_values.options(all.background));
  std::string text(columns);
  const std::string p = formatted("%.9g", settings.p);
  for (std::size_t i = 0; i < all.matrices.size(); ++i) {
    const pwm::Threshold& threshold = found[i].front();
    // These are as many digits as bring back the very score, since scan --thresholds reads the table too.
    if (threshold.none)
      text += line_begin(all.matrices[i], p, "none") + "\t\t\t\n";
    else
      text += line_begin(all.matrices[i], p, formatted("%.17g", threshold.score)) + bounds_text(threshold.p) + '\n';
  }
  finish(settings, all, text);
}

}  // namespace program
