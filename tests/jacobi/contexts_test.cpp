// Devices of two contexts of the same OpenCL device. Grids stay on the host; halos between the contexts go through it.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/jacobi.hpp"
#include "genocl/opencl.hpp"
#include "jacobi/solver_cases.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

TEST_CASE("jacobi contexts: a grid goes from a solver of one context to those of another one and of both") {
  const Device here = device_under_test(), there = device_of_other_context();
  REQUIRE(here.context()() != there.context()());
  const std::vector<std::vector<Device>> lists = {{here}, {there}, {here, there}, {there, here, there}};
  for (const Shape& shape : {Shape{67, 45, 1}, Shape{33, 20, 18}}) {
    CAPTURE(shape.text());
    const Grid<float> given = random_grid<float>(shape, 77);
    Grid<float> grid(shape);
    std::ranges::copy(given.cells(), grid.cells().begin());
    std::uint64_t done = 0;
    for (const KernelFamily family : genocl_test::families_under_test())
      for (std::vector<Device> devices : lists) {
        for (Device& device : devices) device = device.with_family(family);
        solve<float>(devices, grid, {.iterations = 9, .halo_depth = 3});
        done += 9;
        CHECK(copy_of(grid) == genocl_reference::relax<float>(shape, given.cells(), done));
      }
  }
}
