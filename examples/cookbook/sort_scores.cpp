// Sorts records of 20 bytes by a floating-point key, best first, and leaves the input as it is.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

struct Hit {
  std::uint32_t sequence, begin, end, matches, gaps;
};

int main() {
  const genocl::Device device = genocl::Device::pick();
  const std::vector<float> scores{12.5f, 80.25f, -3.0f, 41.0f};
  const std::vector<Hit> hits{{0, 10, 20, 9, 0}, {1, 5, 90, 80, 2}, {2, 0, 4, 4, 0}, {3, 7, 50, 41, 1}};
  const genocl::Array<float> device_scores(device, scores);
  const genocl::Array<Hit> device_hits(device, hits);
  genocl::Array<float> sorted_scores(device, scores.size());
  genocl::Array<Hit> sorted_hits(device, hits.size());

  genocl::primitives::sort_copy(device, device_scores, device_hits, sorted_scores, sorted_hits, {.descending = true});

  for (const Hit& hit : sorted_hits.download()) std::cout << "sequence " << hit.sequence << "\n";
  return sorted_hits.download().front().sequence == 1 && sorted_scores.download().back() == -3.0f ? 0 : 1;
}
