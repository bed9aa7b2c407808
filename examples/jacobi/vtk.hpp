// Grids as ParaView and VTK read them.
#pragma once

#include <array>
#include <span>
#include <string>

#include "genocl/jacobi/grid.hpp"

namespace program {

/// Where the points of an image are: cell (x, y, z) at origin + (x, y, z) * spacing.
struct VtkFrame {
  std::array<double, 3> origin{0, 0, 0}, spacing{1, 1, 1};
};

/// An image of points (.vti: XML, the values behind it as they are in memory), its one array named "u". Point (x, y, z)
/// is cell (x, y, z): y counts rows from the top. Throws InputError when the file cannot be written.
template <class T>
void write_vti(const std::string& path, const genocl::jacobi::Shape& shape, std::span<const T> cells,
               const VtkFrame& frame);

}  // namespace program
