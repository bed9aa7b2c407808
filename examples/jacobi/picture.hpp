// Pictures: a plane of a grid as a heat map, and masks.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace program {

/// A plane of values to draw.
struct Plane {
  std::uint64_t width = 0, height = 0;
  std::function<double(std::uint64_t x, std::uint64_t y)> value;
  std::vector<std::uint64_t> cuts;  ///< rows above which a line is drawn
};

/// The values of the first and the last colour.
struct Range {
  double least = std::numeric_limits<double>::infinity(), greatest = -std::numeric_limits<double>::infinity();
};

/// Writes a heat map of the smallest to the largest value, with a legend. Small planes are enlarged, each cell a
/// square; in large ones each pixel is the mean of its cells. `range`: of the earlier pictures of a series, so that
/// they share their colours; it is extended if the plane exceeds it. Throws InputError if the file cannot be written.
void write_png(const std::string& path, const Plane& plane, Range& range);

struct Mask {
  std::uint64_t width = 0, height = 0;
  std::vector<std::uint8_t> cells;  ///< 1 for pixels that are not black
};
/// Reads any PNG. Throws InputError for another file.
Mask read_mask(const std::string& path);

}  // namespace program
