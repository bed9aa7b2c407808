// jacobi::solve() with hooks.
#pragma once

#include "jacobi/solver.hpp"
#include "jacobi/validate.hpp"

namespace genocl_test {

template <class T>
genocl::jacobi::Report solve_with(genocl::Devices devices, genocl::jacobi::Grid<T>& grid,
                                  const genocl::jacobi::SolveOptions& options, const genocl::jacobi::Hooks& hooks) {
  using namespace genocl::jacobi;
  check_solve<T>(devices, grid, options);
  const RunSettings settings = run_settings<T>(grid.shape(), options, hooks);
  return Solver<T>(nullptr, devices, settings, options, hooks).solve({grid.cells(), {}, {}});
}

}  // namespace genocl_test
