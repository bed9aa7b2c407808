// Selects the largest scores with their numbers, and the median.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  const genocl::Device device = genocl::Device::pick();
  const genocl::Array<float> scores(device, std::vector<float>{31, 7.5f, 99, -4, 60, 12, 88});
  genocl::Array<std::uint32_t> numbers(device, 7), best_numbers(device, 3);
  primitives::iota(device, numbers);
  genocl::Array<float> best(device, 3);
  primitives::top_k(device, scores, numbers, best, best_numbers);  // not sorted
  primitives::sort(device, best, best_numbers, {.descending = true});

  genocl::Array<float> rearranged(device, scores.download());
  primitives::nth_element(device, rearranged, 3);
  const float median = rearranged.download()[3];

  std::cout << "best score of number " << best_numbers.download()[0] << ", median " << median << "\n";
  const bool right = best.download() == std::vector<float>{99, 88, 60} &&
                     best_numbers.download() == std::vector<std::uint32_t>{2, 6, 4} && median == 31;
  return right ? 0 : 1;
}
