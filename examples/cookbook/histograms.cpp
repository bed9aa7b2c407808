// Histograms in bins of equal width, between given levels, and of the channels of pixels; differences of neighbours.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  const genocl::Device device = genocl::Device::pick();
  const genocl::Array<float> lengths(device, std::vector<float>{1.5f, 2, 2.5f, 7, 9.9f, 12});
  genocl::Array<std::uint32_t> counts(device, 5);
  primitives::histogram_even(device, lengths, counts, 0, 10);  // [0, 2), [2, 4), ... [8, 10)

  const genocl::Array<float> levels(device, std::vector<float>{0, 2, 5, 100});
  genocl::Array<std::uint32_t> counts_between(device, 3);
  primitives::histogram_range(device, lengths, levels, counts_between);

  // The colours of two pixels of red, green, blue and alpha, in two bins each; alpha is not counted.
  const genocl::Array<std::uint8_t> pixels(device, std::vector<std::uint8_t>{255, 0, 3, 128, 200, 1, 254, 128});
  genocl::Array<std::uint32_t> colours(device, 6);
  primitives::histogram_even(device, pixels, colours, 0, 256, {.interleaved = 4, .counted = 3});

  genocl::Array<float> steps(device, 6);
  primitives::adjacent_difference(device, lengths, steps);

  std::cout << "lengths of 2 to 4: " << counts.download()[1] << ", last step " << steps.download()[5] << "\n";
  const bool right = counts.download() == std::vector<std::uint32_t>{1, 2, 0, 1, 1} &&
                     counts_between.download() == std::vector<std::uint32_t>{1, 2, 3} &&
                     colours.download() == std::vector<std::uint32_t>{0, 2, 2, 0, 1, 1} && steps.download()[1] == 0.5f;
  return right ? 0 : 1;
}
