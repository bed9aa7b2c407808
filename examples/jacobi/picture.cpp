#include "jacobi/picture.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <string_view>

#include "common/png.hpp"
#include "genocl/error.hpp"

namespace program {
namespace {

using genocl::InputError;

// A perceptually uniform colour map.

struct Linear {
  double red = 0, green = 0, blue = 0;
  bool shown() const {
    const auto inside = [](double x) { return x >= -1e-6 && x <= 1 + 1e-6; };
    return inside(red) && inside(green) && inside(blue);
  }
};

/// Converts lightness and two opponent colours (OKLab) to linear sRGB.
Linear from_oklab(double lightness, double a, double b) {
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

std::uint8_t encoded(double x) {
  x = std::clamp(x, 0.0, 1.0);
  const double value = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * value));
}

/// From dark violet (0) through blue and green to light yellow (1). Lightness rises linearly in OKLab (Ottosson 2020),
/// so that equal differences look equal, also in grey and to colour-blind readers. Values are clamped to [0, 1].
Colour colour_of(double value) {
  value = std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0);
  const double lightness = 0.22 + 0.70 * value;
  const double hue = (300 - 195 * value) * std::numbers::pi / 180;
  // The most saturated colour that a screen can show, up to a common bound.
  double chroma = 0.13;
  Linear colour = from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
  while (!colour.shown() && chroma > 0) {
    chroma -= 0.002;
    colour = from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
  }
  return {encoded(colour.red), encoded(colour.green), encoded(colour.blue)};
}

constexpr std::uint64_t max_pixels = 2000, wanted_pixels = 400;  // of the map's longer side
constexpr std::uint64_t margin = 12, bar_width = 18;

/// The scale: one pixel for `cells` cells, or `pixels` pixels for one cell; one of the two is 1.
struct Scale {
  std::uint64_t cells = 1, pixels = 1;

  explicit Scale(std::uint64_t longest)
      : cells((longest + max_pixels - 1) / max_pixels), pixels(std::max<std::uint64_t>(1, wanted_pixels / longest)) {}
  std::uint64_t size(std::uint64_t count) const { return cells > 1 ? (count + cells - 1) / cells : count * pixels; }
};

/// The mean of the cells of a pixel.
double mean(const Plane& plane, const Scale& scale, std::uint64_t px, std::uint64_t py) {
  if (scale.cells == 1) return plane.value(px / scale.pixels, py / scale.pixels);
  double sum = 0;
  std::uint64_t count = 0;
  for (std::uint64_t y = py * scale.cells; y < std::min((py + 1) * scale.cells, plane.height); ++y)
    for (std::uint64_t x = px * scale.cells; x < std::min((px + 1) * scale.cells, plane.width); ++x, ++count)
      sum += plane.value(x, y);
  return sum / static_cast<double>(count);
}

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// Alternating white and black, visible on every colour.
void draw_cut(Canvas& canvas, std::uint64_t left, std::uint64_t right, std::uint64_t y) {
  for (std::uint64_t x = left; x < right; ++x)
    for (const std::uint64_t row : {y - 1, y}) canvas.set(x, row, (x / 6) % 2 == 0 ? white : black);
}

Canvas draw(const Plane& plane, Range& all) {
  double &least = all.least, &greatest = all.greatest;
  for (std::uint64_t y = 0; y < plane.height; ++y)
    for (std::uint64_t x = 0; x < plane.width; ++x) {
      least = std::min(least, plane.value(x, y));
      greatest = std::max(greatest, plane.value(x, y));
    }
  const double range = greatest > least ? greatest - least : 1;

  const Scale scale(std::max(plane.width, plane.height));
  const std::uint64_t width = scale.size(plane.width), height = scale.size(plane.height);
  const std::string high = text_of(greatest), low = text_of(least);
  const std::uint64_t legend = std::max(height, 5 * letter_height);
  const std::uint64_t text = letter_width * std::max(high.size(), low.size());
  Canvas canvas(margin + width + margin + bar_width + margin / 2 + text + margin, margin + legend + margin);
  for (std::uint64_t y = 0; y < height; ++y)
    for (std::uint64_t x = 0; x < width; ++x)
      canvas.set(margin + x, margin + y, colour_of((mean(plane, scale, x, y) - least) / range));
  for (const std::uint64_t cut : plane.cuts) draw_cut(canvas, margin, margin + width, margin + scale.size(cut));

  const std::uint64_t bar = margin + width + margin, labels = bar + bar_width + margin / 2;
  for (std::uint64_t y = 0; y < legend; ++y)
    for (std::uint64_t x = 0; x < bar_width; ++x)
      canvas.set(bar + x, margin + y, colour_of(1 - static_cast<double>(y) / static_cast<double>(legend - 1)));
  canvas.write(labels, margin, high);
  canvas.write(labels, margin + legend - letter_height, low);
  return canvas;
}

}  // namespace

void write_png(const std::string& path, const Plane& plane, Range& range) { write_png(path, draw(plane, range)); }

Mask read_mask(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0)
    throw InputError(path, {}, std::string("cannot be read: ") + image.message, "a PNG");
  image.format = PNG_FORMAT_GRAY;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
  constexpr png_color background = {0, 0, 0};  // behind transparent pixels
  if (png_image_finish_read(&image, &background, pixels.data(), 0, nullptr) == 0) {
    const std::string message = image.message;
    png_image_free(&image);
    throw InputError(path, {}, "cannot be read: " + message, "a PNG");
  }
  for (std::uint8_t& pixel : pixels) pixel = pixel != 0 ? 1 : 0;
  return {image.width, image.height, std::move(pixels)};
}

}  // namespace program
