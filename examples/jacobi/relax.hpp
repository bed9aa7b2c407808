// The relaxation itself, of a program that is alone or one of a team.
#pragma once

#include <span>

#include "jacobi/settings.hpp"

namespace program {

/// Relaxes the root's grid (null for the others) on the devices of the whole team. Every member calls it. The report is
/// the root's.
template <class T>
jacobi::Report relax(std::span<const genocl::Device> devices, jacobi::Grid<T>* grid,
                     const jacobi::SolveOptions& options);

extern template jacobi::Report relax(std::span<const genocl::Device>, jacobi::Grid<float>*,
                                     const jacobi::SolveOptions&);
extern template jacobi::Report relax(std::span<const genocl::Device>, jacobi::Grid<double>*,
                                     const jacobi::SolveOptions&);

}  // namespace program
