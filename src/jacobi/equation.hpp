// An equation's source and weights on their way to a device.
#pragma once

#include <span>

#include "jacobi/layout.hpp"

namespace genocl::jacobi {

/// The formula of an equation that was checked. `source`, `coefficients`: whether there are any.
Formula formula_of(const Equation& equation, const Shape& shape, bool source, bool coefficients);

/// Reads those of an array of the whole grid.
template <class T>
ReadCells<T> reader_of(std::span<const T> values, const Shape& shape);

/// Takes memory for the fields that held.formula has, of `room` slices (at least held.count), where they are not there
/// yet; then fills in those of held's slices. Returns when they are there. Throws InputError for a value that is not
/// finite, or a conductivity that is not above 0 or too far from those beside.
template <class T>
void load_fields(const Device& device, HeldSlices& held, std::uint64_t room, const FieldReaders<T>& readers);

/// Bytes of a cell's fields. `element`: sizeof(T).
std::uint64_t field_bytes(const Formula& formula, const Shape& shape, std::size_t element);

/// Weights of the neighbours of one cell, with the damping, rounded to T. `k`: its conductivity; `beside`: those of its
/// neighbours, which get the weights. False where all weights would be 0: the conductivities differ by more than can be
/// told.
template <class T>
bool weights_by_conductivity(double k, std::span<const double> beside, double damping, std::span<T> weights);

/// The values in their own type; empty where there are none. check_equation() has seen that it is the grid's.
template <class T>
std::span<const T> values_in(const CellValues& values) {
  const auto* const own = std::get_if<std::span<const T>>(&values);
  return own == nullptr ? std::span<const T>() : *own;
}

#define GENOCL_DECLARE(T)                                                                              \
  extern template ReadCells<T> reader_of(std::span<const T>, const Shape&);                            \
  extern template void load_fields(const Device&, HeldSlices&, std::uint64_t, const FieldReaders<T>&); \
  extern template bool weights_by_conductivity(double, std::span<const double>, double, std::span<T>);
GENOCL_DECLARE(float)
GENOCL_DECLARE(double)
#undef GENOCL_DECLARE

}  // namespace genocl::jacobi
