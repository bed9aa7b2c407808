
#include "pwm/output.hpp"

#include <algorithm>
#include <cstdio>

namespace program {

std::string svg_number(double value) {
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%.2f", value);
  return {text, static_cast<std::size_t>(size)};
}

std::string svg_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (static_cast<unsigned char>(c) >= 32)
      result += c;
  }
  return result;
}

std::string svg_shortened(std::string_view text, double width, double size) {
  constexpr double letter_width = 0.6;  // of its size, on average
  const auto most = static_cast<std::size_t>(std::max(4.0, width / (letter_width * size)));
  if (text.size() <= most) return std::string(text);
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a letter of UTF-8
  return std::string(text.substr(0, end)) + "...";
}

Svg::Svg(double width, double height) {
  const std::string w = svg_number(width), h = svg_number(height);
  text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w +
          "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h +
          "\" font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
}

void Svg::text(double x, double y, std::string_view text, double size, std::string_view anchor,
               std::string_view style) {
  raw("<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" font-size=\"" + svg_number(size) +
      "\" text-anchor=\"" + std::string(anchor) + "\"" + (style.empty() ? "" : " ") + std::string(style) + ">" +
      svg_escaped(text) + "</text>");
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view colour, double width) {
  raw("<line x1=\"" + svg_number(x1) + "\" y1=\"" + svg_number(y1) + "\" x2=\"" + svg_number(x2) + "\" y2=\"" +
      svg_number(y2) + "\" stroke=\"" + std::string(colour) + "\" stroke-width=\"" + svg_number(width) + "\"/>");
}

void Svg::polyline(std::string_view points, std::string_view colour, double width, std::string_view style) {
  raw("<polyline points=\"" + std::string(points) + "\" fill=\"none\" stroke=\"" + std::string(colour) +
      "\" stroke-width=\"" + svg_number(width) + "\"" + (style.empty() ? "" : " ") + std::string(style) + "/>");
}

}  // namespace program
