// Validation of grids, options and equations, before anything is allocated.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/jacobi/solve.hpp"
#include "jacobi/layout.hpp"
#include "jacobi/partition.hpp"

namespace genocl::jacobi {

/// Checks everything that does not depend on the partitions. Throws InputError.
template <class T>
void check_solve(Devices devices, const Grid<T>& grid, const SolveOptions& options);

/// The same without the cells and the precision, for a number of devices.
void check_options(std::size_t devices, const Shape& shape, const SolveOptions& options);

/// Throws InputError for a cell that is infinite or not a number. `cells`: of slices from `first_slice` on.
template <class T>
void check_finite(std::span<const T> cells, const Shape& shape, std::uint64_t first_slice = 0);

/// Throws InputError for double on a device without it. `element`: sizeof(T).
void check_precision(const DeviceInfo& device, std::size_t element);

/// Throws InputError if a partition has fewer slices than the halo.
void check_halo_depth(std::span<const SliceRange> sizes, unsigned halo_depth);

/// Throws InputError.
template <class T>
void check_equation(const Equation& equation, const Shape& shape);

/// Throws InputError for a source that is not finite, or a conductivity that is not finite and above 0. The cells are
/// of slices from number `first` on.
template <class T>
void check_source(std::span<const T> cells, const Layout& layout, std::uint64_t first);
template <class T>
void check_coefficients(std::span<const T> cells, const Layout& layout, std::uint64_t first);

}  // namespace genocl::jacobi
