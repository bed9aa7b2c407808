// What the tests of solve() share: devices that live as long as the program's tests, grids with random cells, and the
// comparison with the oracle.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/jacobi/solve.hpp"
#include "jacobi/solve_with.hpp"
#include "jacobi/solver.hpp"
#include "random.hpp"
#include "reference/jacobi.hpp"

namespace genocl_test {

/// `count` contexts: the default device's first, then those of other devices, then more of the default device. Both
/// kernel families are among several, so that they meet at a border.
inline std::vector<genocl::Device> some_devices(std::size_t count) {
  std::vector<genocl::Device> devices{genocl::Device::pick()};
  for (const genocl::Device& device : genocl::Device::list("all"))
    if (device.info().index != devices[0].info().index) devices.push_back(device);
  while (devices.size() < count) devices.push_back(genocl::Device::pick());
  devices.erase(devices.begin() + static_cast<std::ptrdiff_t>(count), devices.end());
  if (count > 1) devices[1] = devices[1].with_family(genocl::KernelFamily::gpu);
  return devices;
}

/// Whether all devices support the precision. Tests skip the other one.
template <class T>
bool have(std::span<const genocl::Device> devices) {
  for (const genocl::Device& device : devices)
    if (sizeof(T) == sizeof(double) && !device.info().fp64) return false;
  return true;
}

template <class T>
genocl::jacobi::Grid<T> random_grid(const genocl::jacobi::Shape& shape, std::uint32_t seed) {
  genocl::jacobi::Grid<T> grid(shape);
  Random random(seed);
  for (T& cell : grid.cells()) cell = static_cast<T>(random.between(-1, 1));
  return grid;
}

inline std::vector<std::uint8_t> random_mask(const genocl::jacobi::Shape& shape, std::uint32_t seed) {
  std::vector<std::uint8_t> mask(shape.cells());
  Random random(seed);
  for (auto& one : mask) one = random() % 5 == 0 ? static_cast<std::uint8_t>(1 + random() % 255) : 0;
  return mask;
}

template <class T>
std::vector<T> copy_of(const genocl::jacobi::Grid<T>& grid) {
  return {grid.cells().begin(), grid.cells().end()};
}

/// The change of the last of `iterations` iterations, and the grid after them.
template <class T>
struct Expected {
  std::vector<T> cells;
  double max = 0, squares = 0;
};
template <class T>
Expected<T> expected(const genocl::jacobi::Grid<T>& grid, std::uint64_t iterations,
                     std::span<const std::uint8_t> fixed = {}) {
  const std::vector<T> before = genocl_reference::relax<T>(grid.shape(), grid.cells(), iterations - 1, fixed);
  Expected<T> result;
  result.cells = genocl_reference::relax<T>(grid.shape(), before, 1, fixed);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const T change = result.cells[i] - before[i];
    result.max = std::max(result.max, std::abs(static_cast<double>(change)));
    result.squares += static_cast<double>(change) * static_cast<double>(change);
  }
  return result;
}

}  // namespace genocl_test
