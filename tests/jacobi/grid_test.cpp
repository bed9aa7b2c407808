#include <doctest/doctest.h>

#include <limits>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/jacobi.hpp"
#include "reference/jacobi.hpp"

using namespace genocl;
using namespace genocl::jacobi;

TEST_CASE("jacobi grids: who owns the edges") {
  Grid<float> flat(4, 3);
  flat.fill({.top = 1, .bottom = 2, .left = 3, .right = 4}, 5);
  CHECK(std::vector<float>(flat.cells().begin(), flat.cells().end()) ==
        std::vector<float>{1, 1, 1, 1, 3, 5, 5, 4, 2, 2, 2, 2});
  Grid<double> is_3d(Shape{3, 3, 3});
  is_3d.fill({.top = 1, .bottom = 2, .left = 3, .right = 4, .front = 6, .back = 7}, 5);
  CHECK(is_3d(0, 0, 0) == 6);
  CHECK(is_3d(2, 2, 2) == 7);
  CHECK(is_3d(0, 0, 1) == 1);
  CHECK(is_3d(2, 2, 1) == 2);
  CHECK(is_3d(0, 1, 1) == 3);
  CHECK(is_3d(2, 1, 1) == 4);
  CHECK(is_3d(1, 1, 1) == 5);
}

TEST_CASE("jacobi grids: wrong shapes, memory and values") {
  CHECK_THROWS_AS(Grid<float>(2, 3), InputError);
  CHECK_THROWS_AS(Grid<float>(Shape{3, 3, 2}), InputError);
  CHECK_THROWS_AS(Grid<float>(Shape{3, 3, 0}), InputError);
  CHECK_THROWS_AS(Grid<float>(Shape{std::uint64_t{1} << 40, std::uint64_t{1} << 40, 1}), InputError);
  std::vector<float> cells(11);
  CHECK_THROWS_AS(Grid<float>(cells, Shape{4, 3, 1}), InputError);
  Grid<double> grid(3, 3);
  CHECK_THROWS_AS(grid.fill({.top = std::numeric_limits<double>::quiet_NaN()}, 0), InputError);
  CHECK_THROWS_AS(grid.fill({}, std::numeric_limits<double>::infinity()), InputError);
  CHECK(Shape{5, 4, 1}.text() == "5x4");
  CHECK(Shape{5, 4, 3}.text() == "5x4x3");
  CHECK(Shape{5, 4, 3}.interior() == 6);
}

TEST_CASE("jacobi oracle: a case by hand") {
  Grid<double> grid(100, 80);
  grid.fill({.top = 100, .bottom = 0, .left = 25, .right = 75}, 0);
  const std::vector<double> cells = genocl_reference::relax<double>(grid.shape(), grid.cells(), 500);
  double sum = 0;
  for (const double cell : cells) sum += cell;
  CHECK(sum == doctest::Approx(184480.54556870461).epsilon(1e-13));
  CHECK(cells[1 * 100 + 1] == 62.301700762039786);
  CHECK(cells[40 * 100 + 50] == 0.51815846770539353);
}

TEST_CASE("jacobi grids: a grid that was moved from has no cells, and one that was moved to keeps its own") {
  Grid<float> first(40, 30, 1.0F), second(5, 4, 2.0F);
  Grid<float> taken = std::move(first);
  // NOLINTBEGIN(bugprone-use-after-move): the test is about it
  CHECK(first.cells().empty());
  CHECK(first.shape() == Shape());
  first.fill({.top = 9}, 9);
  CHECK(taken(39, 29) == 1);
  first = std::move(second);
  CHECK(second.cells().empty());
  CHECK(first(4, 3) == 2);
  taken = std::move(first);
  CHECK(first.cells().empty());
  CHECK(taken.shape().text() == "5x4");
  CHECK(taken(4, 3) == 2);
  Grid<float>& self = taken;
  taken = std::move(self);
  CHECK(taken(4, 3) == 2);
  std::vector<float> memory(12, 3);
  Grid<float> view(memory, Shape{4, 3, 1}), other = std::move(view);
  CHECK(view.cells().empty());
  other(3, 2) = 5;
  CHECK(memory[11] == 5);
  const Device device = Device::pick();
  CHECK_THROWS_AS(solve<float>(device, view), InputError);
  Relaxation<float> relaxation(device, other.shape());
  CHECK_THROWS_AS(relaxation.load(view), InputError);
  CHECK_NOTHROW(relaxation.load(other));
  CHECK_THROWS_AS(relaxation.store(view), InputError);
  // NOLINTEND(bugprone-use-after-move)
}
