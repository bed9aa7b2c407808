// Relaxes a plate with heated edges on all devices. The bits do not depend on the devices or the partition.
#include <iostream>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  jacobi::Grid<double> grid(200, 100);
  grid.fill({.top = 100, .left = 25, .right = 75}, 0);
  const jacobi::Report report =
      jacobi::solve<double>(Device::list("all"), grid, {.iterations = 20'000, .tolerance = 1e-3, .check_every = 100});
  std::cout << report.iterations << " iterations, " << grid(100, 50) << " in the middle, " << report.updates_per_second
            << " updates a second\n";
  return report.converged && grid(100, 1) > 90 && grid(100, 98) < 10 ? 0 : 1;
}
