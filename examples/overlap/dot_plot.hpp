// Dot plots: matches or alignments as lines, the reference from left to right and the queries upwards.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/canvas.hpp"
#include "overlap/options.hpp"

namespace program {

/// Records of one axis, side by side.
struct PlotAxis {
  std::vector<std::string> names;
  std::vector<std::uint64_t> lengths;

  std::uint64_t total() const;
};

/// A match or an alignment. Positions count from 0 on the forward strands, ends excluded.
struct PlotLine {
  std::uint32_t reference = 0, query = 0;  ///< records
  std::uint64_t reference_begin = 0, reference_end = 0, query_begin = 0, query_end = 0;
  bool reverse = false;
};

struct PlotData {
  PlotAxis reference, query;  ///< in the order in which the input names them
  std::vector<PlotLine> lines;
};

/// Parses PAF, delta of MUMmer, or the output of genocl mem or mummer. In the latter, the length of a record is that of
/// `Len =`, or the end of its last match. An alignment with a gap of 50 bases or more is several lines. Throws
/// InputError with file and line.
PlotData read_plot(const std::string& path, const PlotSettings& settings);

/// Returns the picture as SVG. Lines that are equal in the picture are drawn once.
std::string svg_of(const PlotData& data, std::uint32_t size);
/// Draws the picture in pixels.
Canvas canvas_of(const PlotData& data, std::uint32_t size);

}  // namespace program
