// Saves a grid to a checkpoint and resumes from it. The result has the bits of an uninterrupted run.
#include <algorithm>
#include <iostream>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  const Device device = Device::pick();
  jacobi::Grid<double> start(64, 64), whole(64, 64), resumed(64, 64);
  start.fill({.top = 100}, 0);

  jacobi::Relaxation<double> first(device, start.shape());
  first.load(start);
  first.advance(150);
  first.checkpoint("cookbook.gjr");
  first.advance(350);
  first.store(whole);

  jacobi::Relaxation<double> second(device, start.shape());
  second.resume("cookbook.gjr");
  second.advance(350);
  second.store(resumed);

  const bool equal = std::ranges::equal(whole.cells(), resumed.cells());
  std::cout << second.iterations() << " iterations, " << (equal ? "equal" : "different") << " results\n";
  return second.iterations() == 500 && equal ? 0 : 1;
}
