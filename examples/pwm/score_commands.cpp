// Commands pvalue, threshold and distribution.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "common/check_files.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "pwm/inputs.hpp"
#include "pwm/options.hpp"
#include "pwm/output.hpp"

namespace program {
namespace {

constexpr std::string_view columns = "motif_id\tlength\tp\tscore\tp_low\tp_high\texact\twords\trelative_score\n";

std::string line_begin(const pwm::ScoreMatrix& matrix, const std::string& p, const std::string& score) {
  return matrix.id() + '\t' + std::to_string(matrix.length()) + '\t' + p + '\t' + score + '\t';
}

std::string line_end(const pwm::ScoreMatrix& matrix, double score) {
  const std::optional<double> relative = relative_score(matrix, score);
  return '\t' + (relative ? formatted("%.6f", *relative) : std::string()) + '\n';
}

const ScoreSettings& checked(const ScoreSettings& settings) {
  check_files({settings.motifs, settings.matrix.background_file()}, {settings.output});
  return settings;
}

/// Motifs, background, matrices and devices of pvalue and threshold.
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
  const ScoreLimit limit = ScoreLimit::parse(settings.score);
  const Collection all(settings);
  std::vector<std::vector<double>> scores;
  for (const pwm::ScoreMatrix& matrix : all.matrices) scores.push_back({limit.of(matrix)});
  const auto found = pwm::p_values(all.devices, all.matrices, scores, settings.p_values.options(all.background));
  std::string text(columns);
  for (std::size_t i = 0; i < all.matrices.size(); ++i) {
    const pwm::PValue& p = found[i].front();
    const double score = scores[i].front();
    // scan --thresholds reads the table: the percentage is written as a score that reads back exactly.
    text += line_begin(all.matrices[i], whole_p_text(one_of(p)),
                       limit.percent ? formatted("%.17g", score) : score_text(score)) +
            bounds_text(p) + line_end(all.matrices[i], score);
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
    // scan --thresholds reads the table: all digits of the score are written.
    if (threshold.none)
      text += line_begin(all.matrices[i], p, "none") + "\t\t\t\t\n";
    else
      text += line_begin(all.matrices[i], p, formatted("%.17g", threshold.score)) + bounds_text(threshold.p) +
              line_end(all.matrices[i], threshold.score);
  }
  finish(settings, all, text);
}

namespace {

constexpr double width = 560, height = 260, left = 66, right = 16, top = 34, bottom = 44;
constexpr std::size_t max_points = 600;

struct Plot {
  double min_score = 0, max_score = 1;
  int decades = 1;  ///< from 1 down to 10^-decades

  double x(double score) const { return left + (score - min_score) / (max_score - min_score) * (width - left - right); }
  double y(double p) const {
    const double depth = p > 0 ? std::min(static_cast<double>(decades), -std::log10(p)) : decades;
    return top + depth / decades * (height - top - bottom);
  }
};

Plot plot_of(const pwm::Distribution& tail) {
  Plot plot;
  if (tail.edge.empty()) return plot;
  plot.min_score = tail.edge.front();
  plot.max_score = std::max(tail.edge.back(), plot.min_score + 1e-9);
  double least = 1;
  for (const double p : tail.high)
    if (p > 0) least = std::min(least, p);
  plot.decades = std::max(1, static_cast<int>(std::ceil(-std::log10(least) - 1e-9)));
  return plot;
}

/// Chooses the step between marks of an axis: 1, 2 or 5 times a power of ten.
double mark_step(double range) {
  const double rough = range / 8, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (power * factor >= rough) return power * factor;
  return power * 10;
}

std::string curve(const Plot& plot, const std::vector<double>& edge, const std::vector<double>& p, double y) {
  std::string points;
  const std::size_t step = std::max<std::size_t>(1, edge.size() / max_points);
  for (std::size_t i = 0; i < edge.size(); i += step) {
    if (p[i] <= 0) break;
    points += svg_number(plot.x(edge[i])) + "," + svg_number(y + plot.y(p[i])) + " ";
  }
  return points;
}

void draw(Svg& svg, const pwm::ScoreMatrix& matrix, const pwm::Distribution& tail, double y) {
  const Plot plot = plot_of(tail);
  const double floor = y + height - bottom;
  const std::string title = matrix.alt_id().empty() ? matrix.id() : matrix.id() + " " + matrix.alt_id();
  svg.text(left, y + 20, svg_shortened(title, width - left - right - 160, 14), 14);
  const int decade_step = 1 + (plot.decades - 1) / 8;
  for (int decade = 0; decade <= plot.decades; decade += decade_step) {
    const double at = y + plot.y(std::pow(10.0, -decade));
    svg.line(left, at, width - right, at, "#dddddd");
    svg.text(left - 6, at + 4, decade == 0 ? "1" : "1e-" + std::to_string(decade), 11, "end");
  }
  const double step = mark_step(plot.max_score - plot.min_score);
  for (double score = std::ceil(plot.min_score / step) * step; score <= plot.max_score + step * 1e-6; score += step) {
    svg.line(plot.x(score), floor, plot.x(score), floor + 4, "black");
    svg.text(plot.x(score), floor + 17, formatted("%.4g", std::abs(score) < step / 2 ? 0.0 : score), 11, "middle");
  }
  svg.line(left, floor, width - right, floor, "black");
  svg.line(left, floor, left, y + top, "black");
  svg.text((left + width - right) / 2, floor + 34, "score", 12, "middle");
  const double middle = y + (top + height - bottom) / 2;
  svg.text(14, middle, "P-value", 11, "middle", "transform=\"rotate(-90 14 " + svg_number(middle) + ")\"");
  // If both curves are equal, the second one covers the first.
  svg.line(width - right - 184, y + 16, width - right - 164, y + 16, "#d7191c", 1.2);
  svg.text(width - right - 160, y + 20, "upper bound", 11);
  svg.line(width - right - 88, y + 16, width - right - 68, y + 16, "#2c5fb3", 1.2);
  svg.text(width - right - 64, y + 20, "lower bound", 11);
  svg.polyline(curve(plot, tail.edge, tail.high, y), "#d7191c", 1.2, "class=\"high\"");
  svg.polyline(curve(plot, tail.edge, tail.low, y), "#2c5fb3", 1.2, "class=\"low\"");
}

}  // namespace

void write_distributions(const ScoreSettings& settings) {
  check_files({settings.motifs, settings.matrix.background_file()}, {settings.output, settings.svg});
  const MotifCollection collection = read_collection(settings.motifs, settings.reading, settings.common.quiet);
  const pwm::Background background = read_background(settings.matrix, collection);
  const std::vector<pwm::ScoreMatrix> matrices = matrices_of(collection.motifs, settings.matrix, background);
  if (!settings.svg.empty() && matrices.size() > 1000)
    throw genocl::InputError(settings.motifs, {}, std::to_string(matrices.size()) + " motifs in one picture",
                             "1000 at most");
  const std::vector<genocl::Device> devices = settings.common.open_devices(settings.common.profile);
  const pwm::PValueOptions options = settings.p_values.options(background);
  genocl::io::OutputFile out(settings.output);
  Svg svg(width, height * static_cast<double>(matrices.size()));
  out.write("motif_id\tscore\tp_low\tp_high\n");
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const pwm::Distribution tail = pwm::distribution(devices.front(), matrices[i], options);
    std::string text;
    for (std::size_t k = 0; k < tail.edge.size(); ++k)
      text += matrices[i].id() + '\t' + score_text(tail.edge[k]) + '\t' + formatted("%.9g", tail.low[k]) + '\t' +
              formatted("%.9g", tail.high[k]) + '\n';
    out.write(text);
    if (!settings.svg.empty()) draw(svg, matrices[i], tail, height * static_cast<double>(i));
  }
  if (!settings.svg.empty()) {
    genocl::io::OutputFile picture(settings.svg);
    picture.write(svg.finish());
    picture.commit();
  }
  out.commit();
  if (settings.common.profile)
    for (const genocl::Device& device : devices) write_profile(std::cerr, device);
}

}  // namespace program
