// What solve() refuses, before anything is allocated.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/jacobi/solve.hpp"
#include "jacobi/exchange/share_cells.hpp"

namespace genocl::jacobi {

/// Checks what can be checked without knowing the shares. Throws InputError.
template <class T>
void check_solve(std::span<const Device> devices, const Grid<T>& grid, const SolveOptions& options);

/// The same without the grid's cells and the devices' precision, for so many devices.
void check_options(std::size_t devices, const Shape& shape, const SolveOptions& options);

/// Throws InputError for a cell that is no number or infinite. `cells`: of slices from `first_slice` on.
template <class T>
void check_finite(std::span<const T> cells, const Shape& shape, std::uint64_t first_slice = 0);

/// Throws InputError for doubles on a device that has none. `element`: sizeof(T).
void check_precision(const DeviceInfo& device, std::size_t element);

/// Throws InputError when a share has fewer slices than iterations go by between exchanges.
void check_exchange_every(std::span<const Part> shares, unsigned exchange_every);

extern template void check_solve(std::span<const Device>, const Grid<float>&, const SolveOptions&);
extern template void check_solve(std::span<const Device>, const Grid<double>&, const SolveOptions&);
extern template void check_finite(std::span<const float>, const Shape&, std::uint64_t);
extern template void check_finite(std::span<const double>, const Shape&, std::uint64_t);

}  // namespace genocl::jacobi
