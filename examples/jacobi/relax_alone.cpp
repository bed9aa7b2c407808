#include "jacobi/relax.hpp"

namespace program {

template <class T>
jacobi::Report relax(std::span<const genocl::Device> devices, jacobi::Grid<T>* grid,
                     const jacobi::SolveOptions& options) {
  return jacobi::solve<T>(devices, *grid, options);
}

template jacobi::Report relax(std::span<const genocl::Device>, jacobi::Grid<float>*, const jacobi::SolveOptions&);
template jacobi::Report relax(std::span<const genocl::Device>, jacobi::Grid<double>*, const jacobi::SolveOptions&);

}  // namespace program
