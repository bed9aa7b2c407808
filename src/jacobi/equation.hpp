// The equation of a run: its formula, and its source and weights in device memory.
#pragma once

#include <span>

#include "jacobi/layout.hpp"

namespace genocl::jacobi {

/// The formula of a valid equation. `source`, `coefficients`: whether the fields exist.
Formula formula_of(const Equation& equation, const Shape& shape, bool source, bool coefficients);

/// A reader for an array of the whole grid.
template <class T>
ReadCells<T> reader_of(std::span<const T> values, const Shape& shape);

/// Allocates the fields of held.formula for `max_slices` slices (at least held.count) unless they are allocated, and
/// fills in those of held. Returns after the transfer. Throws InputError for a value that is not finite, or a
/// conductivity that is not above 0 or differs too much from its neighbours.
template <class T>
void load_fields(const Device& device, HeldSlices& held, std::uint64_t max_slices, const FieldReaders<T>& readers);

/// Bytes of the fields of one cell. `element`: sizeof(T).
std::uint64_t field_bytes(const Formula& formula, const Shape& shape, std::size_t element);

/// The weights of the neighbours of one cell, with damping, rounded to T. `k`: its conductivity; `neighbours`: theirs.
/// Returns false if all weights would be 0, because the conductivities differ by too many orders of magnitude.
template <class T>
bool weights_by_conductivity(double k, std::span<const double> neighbours, double damping, std::span<T> weights);

/// The values as a span of T, possibly empty. Requires check_equation(), which compares the types.
template <class T>
std::span<const T> values_in(const CellValues& values) {
  const auto* const own = std::get_if<std::span<const T>>(&values);
  return own == nullptr ? std::span<const T>() : *own;
}

}  // namespace genocl::jacobi
