// What the options of genocl-jacobi say of the equation.
#pragma once

#include <string>
#include <vector>

#include "jacobi/settings.hpp"

namespace program {

/// All but the arrays. Throws InputError with the option's name.
jacobi::Equation equation_of(const Settings& settings);

/// An equation's arrays, as long as it is looked at.
template <class T>
struct EquationArrays {
  std::vector<T> source, coefficients;
};

/// Reads those that the settings name. Throws InputError as read_npy() does, and for one that is not the grid's size.
template <class T>
EquationArrays<T> read_equation_arrays(const Settings& settings, const jacobi::Shape& shape);

extern template EquationArrays<float> read_equation_arrays(const Settings&, const jacobi::Shape&);
extern template EquationArrays<double> read_equation_arrays(const Settings&, const jacobi::Shape&);

}  // namespace program
