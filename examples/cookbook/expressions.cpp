// Computes with expressions in OpenCL C: elementwise, as the input of a reduction and a scan, and by key.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  using primitives::Operator;
  const genocl::Device device = genocl::Device::pick();
  const genocl::Array<float> lengths(device, std::vector<float>{3, 4, 5, 6});
  genocl::Array<float> scaled(device, 4);
  primitives::transform(device, "x * 0.5f + i", lengths, scaled);

  // The sum of squares, without an array of squares.
  const double squares = primitives::transform_reduce<double>(device, "(double)x * x", lengths, Operator::sum());
  const auto longest = primitives::arg_max(device, lengths);

  // The sum for each key of neighbours.
  const genocl::Array<std::uint32_t> groups(device, std::vector<std::uint32_t>{7, 7, 8, 8});
  genocl::Array<std::uint32_t> keys(device, 4);
  genocl::Array<float> sums(device, 4);
  const std::uint64_t count = primitives::reduce_by_key(device, groups, lengths, keys, sums, Operator::sum());

  // A caller's operator: the greatest common divisor.
  const genocl::Array<std::uint32_t> numbers(device, std::vector<std::uint32_t>{12, 18, 30});
  const Operator divisor("gcd(a, b)", "0",
                         "uint gcd(uint a, uint b) { while (b) { uint t = a % b; a = b; b = t; } return a; }");
  const std::uint32_t common = primitives::reduce(device, numbers, divisor);

  std::cout << "squares " << squares << ", longest at " << longest.index << ", " << count << " groups, gcd " << common
            << "\n";
  const bool right = scaled.download() == std::vector<float>{1.5f, 3, 4.5f, 6} && squares == 86 && longest.index == 3 &&
                     count == 2 && sums.download()[1] == 11 && common == 6;
  return right ? 0 : 1;
}
