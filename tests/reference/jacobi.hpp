// Jacobi relaxation as plainly as it can be written.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "genocl/jacobi/grid.hpp"

namespace genocl_reference {

/// One iteration from `old` to `next`; `fixed` may be empty. The file is compiled without contraction: a product and a
/// sum are rounded apart.
template <class T>
void relax_once(const genocl::jacobi::Shape& shape, std::span<const T> old, std::span<T> next,
                std::span<const std::uint8_t> fixed) {
  const std::size_t w = shape.width, plane = shape.width * shape.height;
  const bool solid = shape.three_dimensional();
  const T share = solid ? T(1.0 / 7) : T(0.2);
  for (std::size_t z = 0; z < shape.depth; ++z)
    for (std::size_t y = 0; y < shape.height; ++y)
      for (std::size_t x = 0; x < w; ++x) {
        const std::size_t i = z * plane + y * w + x;
        const bool outermost =
            x == 0 || x == w - 1 || y == 0 || y == shape.height - 1 || (solid && (z == 0 || z == shape.depth - 1));
        if (outermost || (!fixed.empty() && fixed[i] != 0)) {
          next[i] = old[i];
          continue;
        }
        T sum = solid ? old[i - plane] + old[i - w] : old[i - w];
        sum = sum + old[i - 1];
        sum = sum + old[i];
        sum = sum + old[i + 1];
        sum = sum + old[i + w];
        if (solid) sum = sum + old[i + plane];
        next[i] = sum * share;
      }
}

template <class T>
std::vector<T> relax(const genocl::jacobi::Shape& shape, std::span<const T> cells, std::uint64_t iterations,
                     std::span<const std::uint8_t> fixed = {}) {
  std::vector<T> old(cells.begin(), cells.end()), next(old.size());
  for (std::uint64_t i = 0; i < iterations; ++i) {
    relax_once<T>(shape, old, next, fixed);
    old.swap(next);
  }
  return old;
}

/// A value that two grids share only if their bits are equal (except one chance in 2^64).
template <class T>
std::uint64_t hash_of(std::span<const T> cells) {
  std::uint64_t hash = 1469598103934665603u;
  for (const T& cell : cells) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &cell, sizeof cell);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace genocl_reference
