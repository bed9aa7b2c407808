// A checkpoint of a relaxation with any bytes in its sections: one that a relaxation goes on from, or an InputError.
#include <cmath>
#include <cstdint>

#include "genocl/jacobi/relaxation.hpp"
#include "sections.hpp"

using namespace genocl;
using namespace genocl::jacobi;

namespace {

constexpr Shape shape = {5, 4, 1};

const Device& device() {
  static const Device one = Device::pick("cpu");
  return one;
}

/// One for all inputs: what it holds, each of them leaves or replaces whole.
template <class T>
Relaxation<T>& relaxation() {
  static Relaxation<T> one = [] {
    Relaxation<T> made(device(), shape);
    Grid<T> grid(shape, T(1));
    made.load(grid);
    return made;
  }();
  return one;
}

template <class T>
void resume(const std::string& path) {
  fuzz::reads(path, [&] {
    relaxation<T>().resume(path);
    relaxation<T>().advance(1);
    Grid<T> grid(shape);
    relaxation<T>().store(grid);
  });
}

}  // namespace

const unsigned fuzz::examples = 2;

void fuzz::save_example(unsigned number, const std::string& path) {
  if (number == 0)
    relaxation<float>().checkpoint(path);
  else
    relaxation<double>().checkpoint(path);
}

void fuzz::open_and_use(const std::string& path) {
  const CheckpointInfo info = checkpoint_info(path);
  require(info.shape.cells() > 0, "a grid has cells");
  resume<float>(path);
  resume<double>(path);
}
