// Relaxes the heat in two plates that touch: copper above, and steel with a heater in it below. Each plate has its own
// equation and devices. Writes a picture, heat_two_materials.ppm.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

namespace {

using Grid = genocl::jacobi::Grid<double>;

/// Blue is cold, red is hot.
void write_row(std::ofstream& picture, const Grid& grid, std::uint64_t y) {
  for (std::uint64_t x = 0; x < grid.shape().width; ++x) {
    const double heat = std::clamp(grid(x, y) / 100, 0.0, 1.0);
    for (const double colour : {heat, 4 * heat * (1 - heat), 1 - heat})
      picture.put(static_cast<char>(static_cast<unsigned char>(255 * colour)));
  }
}

}  // namespace

int main() {
  using namespace genocl;
  constexpr std::uint64_t width = 160;
  Grid copper(width, 62), steel(width, 82);
  copper.fill({.top = 0}, 20);
  steel.fill({.bottom = 20}, 20);
  // An iteration is a time step of the heat equation; the damping is the diffusivity times 4 dt / h^2. The plates have
  // two rows in common, one owned by each.
  std::vector<double> heater(steel.shape().cells());
  for (std::uint64_t y = 30; y < 36; ++y) std::fill_n(heater.begin() + static_cast<int>(y * width + 60), 40, 0.7);
  jacobi::SolveOptions above, below;
  const jacobi::Weights neighbours{.top = 0.25, .bottom = 0.25, .left = 0.25, .right = 0.25};
  above.equation = {.weights = neighbours, .damping = 0.9};
  below.equation = {.weights = neighbours, .source = heater, .damping = 0.2};

  const std::vector<Device> devices = Device::list("all");
  jacobi::Relaxation<double> a(devices.front(), copper.shape(), above), b(devices.back(), steel.shape(), below);
  a.load(copper);
  b.load(steel);
  auto plates = jacobi::couple(a, jacobi::Side::bottom, b, jacobi::Side::top);
  plates.advance(2000);
  a.store(copper);
  b.store(steel);

  std::ofstream picture("heat_two_materials.ppm", std::ios::binary);
  picture << "P6\n" << width << " 142\n255\n";
  for (std::uint64_t y = 0; y < 61; ++y) write_row(picture, copper, y);
  for (std::uint64_t y = 1; y < 82; ++y) write_row(picture, steel, y);
  picture.close();
  std::cout << "copper " << copper(80, 40) << ", heater " << steel(80, 33) << ", " << plates.exchanges()
            << " exchanges\n";
  return picture && copper(80, 61) == steel(80, 1) && steel(80, 33) > steel(10, 33) && copper(80, 40) > 1 ? 0 : 1;
}
