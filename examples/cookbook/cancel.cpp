// Reports the progress of a long call and cancels it.
#include <iostream>

#include "genocl/genocl.hpp"

int main() {
  genocl::jacobi::Grid<double> grid(256, 256);
  grid.fill({.top = 100}, 0);
  genocl::jacobi::SolveOptions options{.iterations = 1'000'000'000};
  options.progress = [](const genocl::ProgressState& state) {
    std::cout << state.items_done << " of " << state.items_total << " iterations\n";
    return state.items_done < 100;  // false cancels the call
  };
  try {
    genocl::jacobi::solve(genocl::Device::pick(), grid, options);
  } catch (const genocl::Cancelled& cancelled) {
    std::cout << cancelled.what() << "\n";
    return 0;
  }
  return 1;
}
