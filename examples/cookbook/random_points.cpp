// Estimates pi: random points by the counter-based generator, and the number of those inside the circle by expressions.
#include <cmath>
#include <cstdint>
#include <iostream>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  const genocl::Device device = genocl::Device::pick();
  const std::size_t count = 1 << 18;
  genocl::Array<std::uint32_t> words(device, count);
  genocl::Array<float> x(device, count), y(device, count), half(device, count);
  for (genocl::Array<float>* const coordinates : {&x, &y}) {
    primitives::random_words(device, words, {.seed = 42, .stream = coordinates == &x ? 0u : 1u});
    primitives::transform(device, "(x >> 8) * 0x1p-24f", words, *coordinates);
  }
  const std::uint64_t inside =
      primitives::transform_reduce<std::uint64_t>(device, "x0 * x0 + x1 * x1 < 1", x, y, primitives::Operator::sum());
  const std::uint64_t right_half = primitives::select_if(device, "x >= 0.5f", x, half);
  const double pi = 4.0 * static_cast<double>(inside) / static_cast<double>(count);
  std::cout << "pi is about " << pi << "; " << right_half << " points have x of at least 0.5\n";
  return std::abs(pi - 3.1416) < 0.02 && right_half > count / 2 - 2000 && right_half < count / 2 + 2000 ? 0 : 1;
}
