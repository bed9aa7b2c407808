// Sorts the neighbours of each vertex of a graph by their distance, nearest first.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  using Words = std::vector<std::uint32_t>;
  const genocl::Device device = genocl::Device::pick();
  // Vertex v has the neighbours offsets[v] to offsets[v + 1] - 1. The second vertex has none.
  genocl::Array<float> distances(device, std::vector<float>{2.5f, 0.5f, 1.5f, 8, 4});
  genocl::Array<std::uint32_t> neighbours(device, Words{1, 2, 3, 0, 1});
  const genocl::Array<std::uint32_t> offsets(device, Words{0, 3, 3, 5});
  primitives::segmented_sort(device, distances, neighbours, offsets);

  const Words starts = offsets.download(), sorted = neighbours.download();
  for (std::size_t vertex = 0; vertex + 1 < starts.size(); ++vertex) {
    std::cout << "vertex " << vertex << ":";
    for (std::size_t i = starts[vertex]; i < starts[vertex + 1]; ++i) std::cout << " " << sorted[i];
    std::cout << "\n";
  }
  return sorted == Words{2, 3, 1, 1, 0} ? 0 : 1;
}
