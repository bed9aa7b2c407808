// Arrays as NumPy keeps them in files (format 1.0: numpy.lib.format).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "genocl/jacobi/grid.hpp"

namespace program {

template <class T>
struct NpyArray {
  genocl::jacobi::Shape shape;
  std::vector<T> cells;
};

/// Throws InputError for a file that is none, of another version, another type than T, Fortran order, one or more than
/// three dimensions, or cut off.
template <class T>
NpyArray<T> read_npy(const std::string& path);

/// C order: shape (height, width) or (depth, height, width).
template <class T>
void write_npy(const std::string& path, const genocl::jacobi::Shape& shape, std::span<const T> cells);

}  // namespace program
