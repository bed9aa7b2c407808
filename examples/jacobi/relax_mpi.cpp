#include "common/mpi_team.hpp"
#include "jacobi/relax.hpp"

namespace program {

template <class T>
jacobi::Report relax(std::span<const genocl::Device> devices, jacobi::Grid<T>* grid,
                     const jacobi::SolveOptions& options) {
  // One alone can do what a team cannot: a grid larger than its devices.
  if (team().size() == 1) return jacobi::solve<T>(devices, *grid, options);
  return genocl::cluster::solve<T>(mpi_team().ranks(), devices, grid, options);
}

template jacobi::Report relax(std::span<const genocl::Device>, jacobi::Grid<float>*, const jacobi::SolveOptions&);
template jacobi::Report relax(std::span<const genocl::Device>, jacobi::Grid<double>*, const jacobi::SolveOptions&);

}  // namespace program
