// A grid that stays on its device, saved on the way: the run that goes on has the bits of one without a pause.
#include <algorithm>

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
  return second.iterations() == 500 && std::ranges::equal(whole.cells(), resumed.cells()) ? 0 : 1;
}
