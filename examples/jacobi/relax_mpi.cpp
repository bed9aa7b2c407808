#include "common/mpi_team.hpp"
#include "jacobi/relax.hpp"

namespace program {

template <class T>
jacobi::Report relax(std::span<const genocl::Device> devices, jacobi::Grid<T>* grid,
                     const jacobi::SolveOptions& options, const Pauses& pauses) {
  // A single process supports pauses, and grids larger than its devices.
  if (team().size() == 1) return relax_with_pauses<T>(devices, *grid, options, pauses);
  return genocl::cluster::solve<T>(mpi_team().ranks(), devices, grid, options);
}

template jacobi::Report relax(std::span<const genocl::Device>, jacobi::Grid<float>*, const jacobi::SolveOptions&,
                              const Pauses&);
template jacobi::Report relax(std::span<const genocl::Device>, jacobi::Grid<double>*, const jacobi::SolveOptions&,
                              const Pauses&);

}  // namespace program
