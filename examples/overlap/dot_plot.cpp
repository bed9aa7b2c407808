#include "overlap/dot_plot.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace program {
namespace {

constexpr Colour forward_colour = {47, 107, 143}, reverse_colour = {217, 83, 58}, grid_colour = {187, 187, 187};
constexpr double left_margin = 130, bottom_margin = 60, other_margin = 20;

/// The picture as both formats draw it, in pixels from the top left.
class PlotLayout {
 public:
  PlotLayout(const PlotData& data, std::uint32_t size) : data_(data) {
    const auto across = static_cast<double>(std::max<std::uint64_t>(1, data.reference.total())),
               up = static_cast<double>(std::max<std::uint64_t>(1, data.query.total()));
    // The shorter side has at least a quarter of the pixels of the longer one.
    const double longest = std::max(across, up);
    across_ = size * std::max(0.25, across / longest) / across;
    up_ = size * std::max(0.25, up / longest) / up;
    width = across * across_;
    height = up * up_;
    references_ = begins(data.reference);
    queries_ = begins(data.query);
  }

  double x(std::size_t record, std::uint64_t position) const {
    return left_margin + across_ * static_cast<double>(references_[record] + position);
  }
  double y(std::size_t record, std::uint64_t position) const {
    return other_margin + height - up_ * static_cast<double>(queries_[record] + position);
  }
  double full_width() const { return left_margin + width + other_margin; }
  double full_height() const { return other_margin + height + bottom_margin; }

  /// Calls visit(x, y, to_x, to_y, reverse) for each line, in tenths of pixels, once for lines of the same ends.
  template <class Visit>
  void for_lines(Visit&& visit) const {
    std::set<std::tuple<long, long, long, long, bool>> drawn;
    for (const PlotLine& line : data_.lines) {
      const auto tenths = [](double pixels) { return std::lround(10 * pixels); };
      const std::uint64_t from = line.reverse ? line.query_end : line.query_begin,
                          to = line.reverse ? line.query_begin : line.query_end;
      const std::tuple ends(tenths(x(line.reference, line.reference_begin)), tenths(y(line.query, from)),
                            tenths(x(line.reference, line.reference_end)), tenths(y(line.query, to)), line.reverse);
      if (drawn.insert(ends).second) std::apply(visit, ends);
    }
  }

  double width = 0, height = 0;

 private:
  static std::vector<std::uint64_t> begins(const PlotAxis& axis) {
    std::vector<std::uint64_t> begins(axis.lengths.size());
    std::exclusive_scan(axis.lengths.begin(), axis.lengths.end(), begins.begin(), std::uint64_t{0});
    return begins;
  }

  const PlotData& data_;
  double across_ = 1, up_ = 1;  ///< pixels for a base
  std::vector<std::uint64_t> references_, queries_;
};

/// The end of an axis: "4.64 Mb".
std::string length_text(std::uint64_t bases) {
  const auto [unit, name] = bases >= 1'000'000 ? std::pair(1e6, "Mb")
                            : bases >= 1000    ? std::pair(1e3, "kb")
                                               : std::pair(1.0, "bp");
  char text[40];
  std::snprintf(text, sizeof text, "%.3g %s", static_cast<double>(bases) / unit, name);
  return text;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (static_cast<unsigned char>(c) < ' ')
      safe += '?';
    else
      safe += c;
  }
  return safe;
}

/// A name, cut to the letters that fit into `pixels`; empty if those are fewer than three.
std::string fitting(const std::string& name, double pixels, double letter) {
  const auto letters = static_cast<std::size_t>(std::max(0.0, pixels / letter));
  if (letters >= name.size()) return name;
  return letters < 3 ? "" : name.substr(0, letters - 2) + "..";
}

std::string web_colour(const Colour& colour) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", colour[0], colour[1], colour[2]);
  return text;
}

/// snprintf() to the end of a text.
template <class... Values>
void append(std::string& text, const char* format, Values... values) {
  char line[400];
  const int length = std::snprintf(line, sizeof line, format, values...);
  text.append(line, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof line) - 1)));
}

}  // namespace

std::uint64_t PlotAxis::total() const { return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}); }

std::string svg_of(const PlotData& data, std::uint32_t size) {
  const PlotLayout layout(data, size);
  const double width = layout.full_width(), height = layout.full_height();
  const double right = left_margin + layout.width, bottom = other_margin + layout.height;
  std::string text;
  append(text,
         "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
         "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n",
         width, height, width, height, width, height);
  const std::string grid = web_colour(grid_colour);
  for (std::size_t i = 0; i < data.reference.names.size(); ++i) {
    const double begin = layout.x(i, 0), end = layout.x(i, data.reference.lengths[i]);
    append(text, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\"/>", begin, other_margin, bottom, grid.c_str());
    append(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (begin + end) / 2, bottom + 18);
    text += escaped(fitting(data.reference.names[i], end - begin, 7)) + "</text>\n";
  }
  for (std::size_t i = 0; i < data.query.names.size(); ++i) {
    const double begin = layout.y(i, 0), end = layout.y(i, data.query.lengths[i]);
    append(text, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"%s\"/>", left_margin, begin, right, grid.c_str());
    if (begin - end < 12) continue;
    append(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", left_margin - 8, (begin + end) / 2 + 4);
    text += escaped(fitting(data.query.names[i], left_margin - 16, 7)) + "</text>\n";
  }
  append(text, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"%s\"/>\n",
         left_margin, other_margin, layout.width, layout.height, grid.c_str());
  for (const bool reverse : {false, true}) {
    text += "<g stroke=\"" + web_colour(reverse ? reverse_colour : forward_colour) +
            "\" stroke-width=\"1.6\" stroke-linecap=\"round\">\n";
    layout.for_lines([&](long x, long y, long to_x, long to_y, bool is_reverse) {
      if (is_reverse == reverse)
        append(text, "<path d=\"M%.1f %.1fL%.1f %.1f\"/>\n", static_cast<double>(x) / 10, static_cast<double>(y) / 10,
               static_cast<double>(to_x) / 10, static_cast<double>(to_y) / 10);
    });
    text += "</g>\n";
  }
  append(text, "<text x=\"%.1f\" y=\"%.1f\">reference, %s; query, %s; ", left_margin, bottom + 40,
         length_text(data.reference.total()).c_str(), length_text(data.query.total()).c_str());
  return text + "blue: forward, red: reverse</text>\n</svg>\n";
}

Canvas canvas_of(const PlotData& data, std::uint32_t size) {
  const PlotLayout layout(data, size);
  Canvas canvas(static_cast<std::uint64_t>(std::ceil(layout.full_width())),
                static_cast<std::uint64_t>(std::ceil(layout.full_height())));
  const auto pixel = [](double value) { return static_cast<std::int64_t>(std::lround(value)); };
  const double right = left_margin + layout.width, bottom = other_margin + layout.height;
  const auto grid_line = [&](double x, double y, double to_x, double to_y) {
    canvas.line(pixel(x), pixel(y), pixel(to_x), pixel(to_y), grid_colour);
  };
  const auto write = [&](double x, double y, std::string_view text) {
    canvas.write(static_cast<std::uint64_t>(std::max(0.0, x)), static_cast<std::uint64_t>(std::max(0.0, y)), text);
  };
  for (std::size_t i = 0; i < data.reference.names.size(); ++i) {
    const double begin = layout.x(i, 0), end = layout.x(i, data.reference.lengths[i]);
    grid_line(begin, other_margin, begin, bottom);
    const std::string name = fitting(data.reference.names[i], end - begin, letter_width);
    write((begin + end - static_cast<double>(name.size() * letter_width)) / 2, bottom + 8, name);
  }
  for (std::size_t i = 0; i < data.query.names.size(); ++i) {
    const double begin = layout.y(i, 0), end = layout.y(i, data.query.lengths[i]);
    grid_line(left_margin, begin, right, begin);
    if (begin - end < static_cast<double>(letter_height)) continue;
    const std::string name = fitting(data.query.names[i], left_margin - 10, letter_width);
    write(left_margin - 6 - static_cast<double>(name.size() * letter_width),
          (begin + end - static_cast<double>(letter_height)) / 2, name);
  }
  grid_line(left_margin, other_margin, right, other_margin);
  grid_line(right, other_margin, right, bottom);
  for (const bool reverse : {false, true})
    layout.for_lines([&](long x, long y, long to_x, long to_y, bool is_reverse) {
      if (is_reverse == reverse)
        canvas.line(x / 10, y / 10, to_x / 10, to_y / 10, reverse ? reverse_colour : forward_colour);
    });
  write(left_margin, bottom + 34,
        "reference " + length_text(data.reference.total()) + ", query " + length_text(data.query.total()));
  return canvas;
}

}  // namespace program
