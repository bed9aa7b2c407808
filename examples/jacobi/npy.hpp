// Arrays as NumPy keeps them in files (format 1.0: numpy.lib.format).
#pragma once

#include <cstdint>
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

/// Whether the file begins as one.
bool is_npy(const std::string& path);

/// Numbers of either byte order, in C or Fortran order: those of type T, float for double, and integers and booleans
/// that T holds exactly. Throws InputError for a file that is none, of another version or another type, with one or
/// more than three dimensions, or cut off.
template <class T>
NpyArray<T> read_npy(const std::string& path);

/// The same with 1 for each number that is not 0; of any such type.
NpyArray<std::uint8_t> read_npy_mask(const std::string& path);

/// C order: shape (height, width) or (depth, height, width).
template <class T>
void write_npy(const std::string& path, const genocl::jacobi::Shape& shape, std::span<const T> cells);

}  // namespace program
