// genocl-pwm logo: sequence logos (Schneider and Stephens): a letter is as high as its share of the column's
// information.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "common/check_files.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "pwm/inputs.hpp"
#include "pwm/options.hpp"
#include "pwm/output.hpp"

namespace program {
namespace {

/// Letters as outlines in a square of 100 by 100, so that they look alike everywhere and fill their place.
constexpr std::array<const char*, 4> outline = {
    "M0 100L38 0L62 0L100 100L78 100L71 78L29 78L22 100ZM35 61L65 61L50 22Z",
    "M100 36C96 12 78 0 52 0C20 0 0 20 0 50C0 80 20 100 52 100C79 100 97 87 100 63L78 60C75 75 66 82 52 82C34 82 22 70 "
    "22 50C22 30 34 18 52 18C66 18 75 25 78 39Z",
    "M100 34C95 12 78 0 52 0C20 0 0 20 0 50C0 80 20 100 52 100C72 100 88 93 100 80L100 46L54 46L54 64L79 64L79 72C72 "
    "79 "
    "63 82 52 82C34 82 22 70 22 50C22 30 34 18 52 18C66 18 74 24 77 36Z",
    "M0 0L100 0L100 18L61 18L61 100L39 100L39 18L0 18Z"};
constexpr std::array<const char*, 4> colour = {"#1a9641", "#2c5fb3", "#e6a100", "#d7191c"};

constexpr double column_width = 28, bit_height = 60, logo_left = 52, logo_top = 34, logo_bottom = 30, logo_right = 16;

double panel_height() { return logo_top + 2 * bit_height + logo_bottom; }

/// Bits of a column: 2 - its entropy - what so few sites make it look better, if asked; not below 0.
double information(const std::array<double, 4>& counts, bool correct) {
  double sum = 0, entropy = 0;
  for (const double count : counts) sum += count;
  for (const double count : counts)
    if (count > 0) entropy -= count / sum * std::log2(count / sum);
  const double few = correct ? 3 / (2 * std::numbers::ln2 * sum) : 0;
  return std::max(0.0, 2 - entropy - few);
}

void draw_column(Svg& svg, const std::array<double, 4>& counts, double bits, double x, double base) {
  std::array<std::size_t, 4> order = {0, 1, 2, 3};
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return counts[a] < counts[b]; });
  double sum = 0;
  for (const double count : counts) sum += count;
  double y = base;
  for (const std::size_t letter : order) {  // the rarest at the bottom
    const double height = counts[letter] / sum * bits * bit_height;
    if (height < 0.01) continue;
    y -= height;
    const std::string scale = svg_number((column_width - 2) / 100) + " " + std::to_string(height / 100);
    svg.raw("<path class=\"" + std::string(1, "ACGT"[letter]) + "\" fill=\"" + colour[letter] +
            "\" fill-rule=\"evenodd\" transform=\"translate(" + svg_number(x + 1) + " " + svg_number(y) + ") scale(" +
            scale + ")\" d=\"" + outline[letter] + "\"/>");
  }
}

/// `most_width` is that of the whole picture.
void draw(Svg& svg, const pwm::Motif& motif, bool correct, double y, double most_width) {
  const double base = y + logo_top + 2 * bit_height;
  const double width = column_width * static_cast<double>(motif.length());
  const std::string title = motif.alt_id.empty() ? motif.id : motif.id + " " + motif.alt_id;
  svg.text(logo_left, y + 20, svg_shortened(title, most_width, 14), 14);
  svg.line(logo_left, base, logo_left, base - 2 * bit_height, "black");
  svg.line(logo_left, base, logo_left + width, base, "black");
  for (int bits = 0; bits <= 2; ++bits) {
    svg.line(logo_left - 5, base - bits * bit_height, logo_left, base - bits * bit_height, "black");
    svg.text(logo_left - 8, base - bits * bit_height + 4, std::to_string(bits), 12, "end");
  }
  const std::string turn = "transform=\"rotate(-90 16 " + svg_number(base - bit_height) + ")\"";
  svg.text(16, base - bit_height, "bits", 12, "middle", turn);
  for (std::size_t i = 0; i < motif.length(); ++i) {
    const double x = logo_left + column_width * static_cast<double>(i);
    draw_column(svg, motif.counts[i], information(motif.counts[i], correct), x, base);
    svg.text(x + column_width / 2, base + 15, std::to_string(i + 1), 11, "middle");
  }
}

}  // namespace

std::string logos_of(std::span<const pwm::Motif> motifs, bool correct) {
  std::size_t longest = 8;
  for (const pwm::Motif& motif : motifs) longest = std::max(longest, motif.length());
  const double height = panel_height() * static_cast<double>(motifs.size()) + 18;
  const double most_width = column_width * static_cast<double>(longest) + logo_right;
  Svg svg(logo_left + most_width, height);
  for (std::size_t i = 0; i < motifs.size(); ++i)
    draw(svg, motifs[i], correct, panel_height() * static_cast<double>(i), most_width);
  svg.text(logo_left, height - 6, correct ? "small-sample correction" : "no small-sample correction", 10, "start",
           "fill=\"#666\"");
  return svg.finish();
}

void draw_logos(const LogoSettings& settings) {
  check_files({settings.motifs}, {settings.svg});
  const std::vector<pwm::Motif> motifs =
      read_motifs(settings.motifs, settings.reading, false, std::numeric_limits<std::size_t>::max());
  if (motifs.size() > most_logos)
    throw genocl::InputError(settings.motifs, {}, std::to_string(motifs.size()) + " motifs in one picture",
                             std::to_string(most_logos) + " at most");
  genocl::io::OutputFile out(settings.svg);
  out.write(logos_of(motifs, settings.correct));
  out.commit();
}

}  // namespace program
