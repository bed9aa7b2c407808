// Arrays in NumPy's file format 1.0 (numpy.lib.format).
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

/// Whether the file starts like an array.
bool is_npy(const std::string& path);

/// Reads an array of either byte order, in C or Fortran order. Elements: T, float for double, and integers and booleans
/// that T represents exactly. Throws InputError for a file that is no array, of another version or type, with one or
/// more than three dimensions, or truncated.
template <class T>
NpyArray<T> read_npy(const std::string& path);

/// Reads a mask: 1 for each nonzero element, of any of these types.
NpyArray<std::uint8_t> read_npy_mask(const std::string& path);

/// Writes an array in C order, of shape (height, width) or (depth, height, width).
template <class T>
void write_npy(const std::string& path, const genocl::jacobi::Shape& shape, std::span<const T> cells);

}  // namespace program
