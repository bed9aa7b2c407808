// The equation from the options of genocl-jacobi.
#pragma once

#include <string>
#include <vector>

#include "jacobi/settings.hpp"

namespace program {

/// The equation without its arrays. Throws InputError with the option's name.
jacobi::Equation equation_of(const Settings& settings);

/// The arrays of an equation, which must outlive it.
template <class T>
struct EquationArrays {
  std::vector<T> source, coefficients;
};

/// Reads the arrays named in the settings. Throws InputError as read_npy() does, and for an array of another size than
/// the grid.
template <class T>
EquationArrays<T> read_equation_arrays(const Settings& settings, const jacobi::Shape& shape);

extern template EquationArrays<float> read_equation_arrays(const Settings&, const jacobi::Shape&);
extern template EquationArrays<double> read_equation_arrays(const Settings&, const jacobi::Shape&);

}  // namespace program
