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

/// Throws InputError for doubles on a device that has none. `element`: sizeof(T).
void check_precision(const DeviceInfo& device, std::size_t element);

/// Throws InputError when a share has fewer slices than iterations go by between exchanges.
void check_exchange_every(std::span<const Part> shares, unsigned exchange_every);

extern template void check_solve(std::span<const Device>, const Grid<float>&, const SolveOptions&);
extern template void check_solve(std::span<const Device>, const Grid<double>&, const SolveOptions&);

}  // namespace genocl::jacobi
