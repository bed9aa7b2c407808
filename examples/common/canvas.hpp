// A picture in memory: pixels, lines, and text in a bitmap font.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace program {

using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue
inline constexpr Colour white = {255, 255, 255}, black = {0, 0, 0};

/// Letters of the font are five by seven pixels. A Canvas draws them in twice the size.
inline constexpr std::uint64_t letter_width = 12, letter_height = 14;

/// Rows from the top; bit 4 is the leftmost pixel.
using Letter = std::array<std::uint8_t, 7>;

/// Returns the bitmap of an ASCII letter; a question mark for unknown ones, nothing for a blank.
constexpr Letter letter_of(char c) {
  constexpr std::string_view known = "0123456789.-+eABCDEFGHIJKLMNOPQRSTUVWXYZabcdfghijklmnopqrstuvwxyz_|:/#=()*,? ";
  constexpr std::array<Letter, known.size()> letters = {{
      {14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},      {14, 17, 1, 2, 4, 8, 31},
      {31, 2, 4, 2, 1, 17, 14},     {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14},
      {6, 8, 16, 30, 17, 17, 14},   {31, 1, 2, 4, 8, 8, 8},       {14, 17, 17, 14, 17, 17, 14},
      {14, 17, 17, 15, 1, 2, 12},   {0, 0, 0, 0, 0, 12, 12},      {0, 0, 0, 31, 0, 0, 0},
      {0, 4, 4, 31, 4, 4, 0},       {0, 0, 14, 17, 31, 16, 14},   {14, 17, 17, 31, 17, 17, 17},
      {30, 17, 17, 30, 17, 17, 30}, {14, 17, 16, 16, 16, 17, 14}, {30, 17, 17, 17, 17, 17, 30},
      {31, 16, 16, 30, 16, 16, 31}, {31, 16, 16, 30, 16, 16, 16}, {14, 17, 16, 23, 17, 17, 15},
      {17, 17, 17, 31, 17, 17, 17}, {14, 4, 4, 4, 4, 4, 14},      {7, 2, 2, 2, 2, 18, 12},
      {17, 18, 20, 24, 20, 18, 17}, {16, 16, 16, 16, 16, 16, 31}, {17, 27, 21, 21, 17, 17, 17},
      {17, 25, 21, 19, 17, 17, 17}, {14, 17, 17, 17, 17, 17, 14}, {30, 17, 17, 30, 16, 16, 16},
      {14, 17, 17, 17, 21, 18, 13}, {30, 17, 17, 30, 20, 18, 17}, {15, 16, 16, 14, 1, 1, 30},
      {31, 4, 4, 4, 4, 4, 4},       {17, 17, 17, 17, 17, 17, 14}, {17, 17, 17, 17, 17, 10, 4},
      {17, 17, 17, 21, 21, 21, 10}, {17, 17, 10, 4, 10, 17, 17},  {17, 17, 10, 4, 4, 4, 4},
      {31, 1, 2, 4, 8, 16, 31},     {0, 0, 14, 1, 15, 17, 15},    {16, 16, 30, 17, 17, 17, 30},
      {0, 0, 14, 17, 16, 17, 14},   {1, 1, 15, 17, 17, 17, 15},   {6, 9, 8, 28, 8, 8, 8},
      {0, 15, 17, 17, 15, 1, 14},   {16, 16, 30, 17, 17, 17, 17}, {4, 0, 12, 4, 4, 4, 14},
      {2, 0, 6, 2, 2, 18, 12},      {16, 16, 18, 20, 24, 20, 18}, {12, 4, 4, 4, 4, 4, 14},
      {0, 0, 26, 21, 21, 21, 21},   {0, 0, 30, 17, 17, 17, 17},   {0, 0, 14, 17, 17, 17, 14},
      {0, 0, 30, 17, 30, 16, 16},   {0, 0, 15, 17, 15, 1, 1},     {0, 0, 22, 25, 16, 16, 16},
      {0, 0, 15, 16, 14, 1, 30},    {8, 8, 28, 8, 8, 9, 6},       {0, 0, 17, 17, 17, 19, 13},
      {0, 0, 17, 17, 17, 10, 4},    {0, 0, 17, 17, 21, 21, 10},   {0, 0, 17, 10, 4, 10, 17},
      {0, 0, 17, 17, 15, 1, 14},    {0, 0, 31, 2, 4, 8, 31},      {0, 0, 0, 0, 0, 0, 31},
      {4, 4, 4, 4, 4, 4, 4},        {0, 12, 12, 0, 12, 12, 0},    {0, 1, 2, 4, 8, 16, 0},
      {10, 10, 31, 10, 31, 10, 10}, {0, 0, 31, 0, 31, 0, 0},      {2, 4, 8, 8, 8, 4, 2},
      {8, 4, 2, 2, 2, 4, 8},        {0, 4, 21, 14, 21, 4, 0},     {0, 0, 0, 0, 12, 4, 8},
      {14, 17, 1, 2, 4, 0, 4},      {0, 0, 0, 0, 0, 0, 0},
  }};
  const std::size_t place = known.find(c);
  return letters[place == std::string_view::npos ? letters.size() - 2 : place];
}

/// A picture, white at first. Pixels outside of it are ignored.
class Canvas {
 public:
  Canvas(std::uint64_t width, std::uint64_t height)
      : width_(width), height_(height), pixels_(3 * width * height, 255) {}

  std::uint64_t width() const { return width_; }
  std::uint64_t height() const { return height_; }
  /// Rows from the top, three bytes for a pixel.
  const std::vector<std::uint8_t>& pixels() const { return pixels_; }
  void set(std::uint64_t x, std::uint64_t y, const Colour& colour) {
    if (x < width_ && y < height_) std::ranges::copy(colour, pixels_.begin() + static_cast<long>(3 * (y * width_ + x)));
  }
  /// Writes text to the right of and below a pixel. Letters have twice the size of their bitmaps.
  void write(std::uint64_t x, std::uint64_t y, std::string_view text) {
    for (const char c : text) {
      const Letter letter = letter_of(c);
      for (std::uint64_t row = 0; row < letter_height; ++row)
        for (std::uint64_t column = 0; column < 10; ++column)
          if ((letter[row / 2] >> (4 - column / 2) & 1) != 0) set(x + column, y + row, black);
      x += letter_width;
    }
  }
  /// Draws a line of two pixels' width (Bresenham 1965). Negative coordinates are outside.
  void line(std::int64_t x, std::int64_t y, std::int64_t to_x, std::int64_t to_y, const Colour& colour) {
    const std::int64_t dx = std::abs(to_x - x), dy = -std::abs(to_y - y);
    const std::int64_t step_x = x < to_x ? 1 : -1, step_y = y < to_y ? 1 : -1;
    for (std::int64_t error = dx + dy;;) {
      for (const std::int64_t shift : {0, 1}) {
        const bool flat = dx >= -dy;
        set(static_cast<std::uint64_t>(x + (flat ? 0 : shift)), static_cast<std::uint64_t>(y + (flat ? shift : 0)),
            colour);
      }
      if (x == to_x && y == to_y) return;
      const std::int64_t twice = 2 * error;
      if (twice >= dy) error += dy, x += step_x;
      if (twice <= dx) error += dx, y += step_y;
    }
  }

 private:
  std::uint64_t width_, height_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace program
