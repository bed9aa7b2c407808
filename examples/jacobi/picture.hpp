// Pictures: a plane of a grid as a heat map, and masks.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace program {

/// A plane of values is drawn as a picture.
struct Plane {
  std::uint64_t width = 0, height = 0;
  std::function<double(std::uint64_t x, std::uint64_t y)> value;
  std::vector<std::uint64_t> cuts;  ///< rows above which a line is drawn
};

/// The values that have the first and the last colour.
struct Range {
  double least = std::numeric_limits<double>::infinity(), greatest = -std::numeric_limits<double>::infinity();
};

/// The least to the greatest value as colours, with a legend that has both. Small planes are shown larger, each cell a
/// square; of large ones each pixel is the mean of its cells. `range`: of the pictures before in a series, which then
/// have like colours; it grows where the plane goes beyond. Throws InputError when the file cannot be written.
void write_png(const std::string& path, const Plane& plane, Range& range);

struct Mask {
  std::uint64_t width = 0, height = 0;
  std::vector<std::uint8_t> cells;  ///< 1 where the picture is not black
};
/// Any PNG. Throws InputError for a file that is none.
Mask read_mask(const std::string& path);

}  // namespace program
