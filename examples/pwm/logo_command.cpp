// genocl-pwm logo: sequence logos (Schneider and Stephens 1990). The height of a letter is its frequency times the
// information of the column.
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

/// Outlines of the letters in a square of 100 by 100, which do not depend on the fonts of a viewer.
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

/// Information of a column in bits: 2 - entropy; with `correct` minus the small-sample correction. At least 0.
double information(const std::array<double, 4>& counts, bool correct) {
  double sum = 0, entropy = 0;
  for (const double count : counts) sum += count;
  for (const double count : counts)
    if (count > 0) entropy -= count / sum * std::log2(count / sum);
  const double few = correct ? 3 / (2 * std::numbers::ln2 * sum) : 0;
  return std::max(0.0, 2 - entropy - few);
}

/// Calls use(letter, y, height) for the letters of a column that are at least 0.01 high, the rarest first, from the
/// bottom. `bits`: height of the column; `base`: its lower end.
template <class Use>
void for_each_letter(const std::array<double, 4>& counts, double bits, double bit_size, double base, Use&& use) {
  std::array<std::size_t, 4> order = {0, 1, 2, 3};
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return counts[a] < counts[b]; });
  double sum = 0;
  for (const double count : counts) sum += count;
  double y = base;
  for (const std::size_t letter : order) {
    const double height = counts[letter] / sum * bits * bit_size;
    if (height < 0.01) continue;
    y -= height;
    use(letter, y, height);
  }
}

void draw_column(Svg& svg, const std::array<double, 4>& counts, double bits, double x, double base) {
  for_each_letter(counts, bits, bit_height, base, [&](std::size_t letter, double y, double height) {
    const std::string scale = svg_number((column_width - 2) / 100) + " " + std::to_string(height / 100);
    svg.raw("<path class=\"" + std::string(1, "ACGT"[letter]) + "\" fill=\"" + colour[letter] +
            "\" fill-rule=\"evenodd\" transform=\"translate(" + svg_number(x + 1) + " " + svg_number(y) + ") scale(" +
            scale + ")\" d=\"" + outline[letter] + "\"/>");
  });
}

/// `max_width` is that of the whole picture.
void draw(Svg& svg, const pwm::Motif& motif, bool correct, double y, double max_width) {
  const double base = y + logo_top + 2 * bit_height;
  const double width = column_width * static_cast<double>(motif.length());
  const std::string title = motif.alt_id.empty() ? motif.id : motif.id + " " + motif.alt_id;
  svg.text(logo_left, y + 20, svg_shortened(title, max_width, 14), 14);
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
  const double max_width = column_width * static_cast<double>(longest) + logo_right;
  Svg svg(logo_left + max_width, height);
  for (std::size_t i = 0; i < motifs.size(); ++i)
    draw(svg, motifs[i], correct, panel_height() * static_cast<double>(i), max_width);
  svg.text(logo_left, height - 6, correct ? "small-sample correction" : "no small-sample correction", 10, "start",
           "fill=\"#666\"");
  return svg.finish();
}

std::string logo_letters() {
  std::string text = "<svg width=\"0\" height=\"0\" style=\"position:absolute\"><defs>\n";
  for (std::size_t letter = 0; letter < 4; ++letter)
    text += "<path id=\"logo-" + std::string(1, "ACGT"[letter]) + "\" fill=\"" + colour[letter] +
            "\" fill-rule=\"evenodd\" d=\"" + outline[letter] + "\"/>\n";
  return text + "</defs></svg>\n";
}

std::string small_logo(const pwm::Motif& motif) {
  constexpr double width = 12, height = 40;
  const std::string w = svg_number(width * static_cast<double>(motif.length())), h = svg_number(height);
  std::string text = "<svg width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h + "\">";
  for (std::size_t i = 0; i < motif.length(); ++i) {
    const double x = width * static_cast<double>(i);
    for_each_letter(motif.counts[i], information(motif.counts[i], false), height / 2, height,
                    [&](std::size_t letter, double y, double size) {
                      text += "<use href=\"#logo-" + std::string(1, "ACGT"[letter]) + "\" transform=\"translate(" +
                              svg_number(x) + " " + svg_number(y) + ") scale(" + svg_number(width / 100) + " " +
                              std::to_string(size / 100) + ")\"/>";
                    });
  }
  return text + "</svg>";
}

void draw_logos(const LogoSettings& settings) {
  check_files({settings.motifs}, {settings.svg});
  const std::vector<pwm::Motif> motifs =
      read_motifs(settings.motifs, settings.reading, settings.quiet, std::numeric_limits<std::size_t>::max());
  if (motifs.size() > max_logos)
    throw genocl::InputError(settings.motifs, {}, std::to_string(motifs.size()) + " motifs in one picture",
                             std::to_string(max_logos) + " at most");
  genocl::io::OutputFile out(settings.svg);
  out.write(logos_of(motifs, settings.correct));
  out.commit();
}

}  // namespace program
