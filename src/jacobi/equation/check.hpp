// What is refused of an equation, before anything is allocated.
#pragma once

#include <span>

#include "jacobi/kernels/held_slices.hpp"

namespace genocl::jacobi {

/// Throws InputError.
template <class T>
void check_equation(const Equation& equation, const Shape& shape);

/// Throws InputError for a source that is not finite, or a conductivity that is not finite and above 0. The cells are
/// of slices from number `first` on.
template <class T>
void check_source(std::span<const T> cells, const Layout& layout, std::uint64_t first);
template <class T>
void check_coefficients(std::span<const T> cells, const Layout& layout, std::uint64_t first);

/// The values in their own type; empty where there are none. check_equation() has seen that it is the grid's.
template <class T>
std::span<const T> values_in(const CellValues& values) {
  const auto* const own = std::get_if<std::span<const T>>(&values);
  return own == nullptr ? std::span<const T>() : *own;
}

#define GENOCL_DECLARE(T)                                                              \
  extern template void check_equation<T>(const Equation&, const Shape&);               \
  extern template void check_source(std::span<const T>, const Layout&, std::uint64_t); \
  extern template void check_coefficients(std::span<const T>, const Layout&, std::uint64_t);
GENOCL_DECLARE(float)
GENOCL_DECLARE(double)
#undef GENOCL_DECLARE

}  // namespace genocl::jacobi
