// Grids in the format of VTK and ParaView.
#pragma once

#include <array>
#include <span>
#include <string>

#include "genocl/jacobi/grid.hpp"

namespace program {

/// The positions of the points: cell (x, y, z) is at origin + (x, y, z) * spacing.
struct VtkFrame {
  std::array<double, 3> origin{0, 0, 0}, spacing{1, 1, 1};
};

/// Writes an image of points (.vti: XML with appended raw data), whose array is named "u". Point (x, y, z) is cell (x,
/// y, z): y counts rows from the top. Throws InputError if the file cannot be written.
template <class T>
void write_vti(const std::string& path, const genocl::jacobi::Shape& shape, std::span<const T> cells,
               const VtkFrame& frame);

}  // namespace program
