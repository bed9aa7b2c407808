#include "jacobi/colours.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace program {
namespace {

struct Linear {
  double red = 0, green = 0, blue = 0;
  bool shown() const {
    const auto inside = [](double x) { return x >= -1e-6 && x <= 1 + 1e-6; };
    return inside(red) && inside(green) && inside(blue);
  }
};

/// Goes from lightness and two opponent colours to linear sRGB, by OKLab's definition.
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

}  // namespace

Colour colour_of(double value) {
  value = std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0);
  const double lightness = 0.22 + 0.70 * value;
  const double hue = (300 - 195 * value) * std::numbers::pi / 180;
  // The colour is as strong as a screen can show it, up to a bound that is the same everywhere.
  double chroma = 0.13;
  Linear colour = from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
  while (!colour.shown() && chroma > 0) {
    chroma -= 0.002;
    colour = from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
  }
  return {encoded(colour.red), encoded(colour.green), encoded(colour.blue)};
}

}  // namespace program
