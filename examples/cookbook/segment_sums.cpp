// Statistics of reads that lie one behind another: the mean quality, the best base, and the sums up to each base.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  using primitives::Operator;
  const genocl::Device device = genocl::Device::pick();
  // Three reads of 3, 0 and 5 bases: read r has the qualities offsets[r] to offsets[r + 1] - 1.
  const genocl::Array<std::uint8_t> qualities(device, std::vector<std::uint8_t>{30, 20, 10, 40, 40, 2, 38, 30});
  const genocl::Array<std::uint32_t> offsets(device, std::vector<std::uint32_t>{0, 3, 3, 8});
  genocl::Array<std::uint32_t> sums(device, 3), good(device, 3);
  genocl::Array<primitives::IndexedElement<std::uint8_t>> best(device, 3);

  // The sums have the type of the results, so that 8 bits do not overflow.
  primitives::transform_segmented_reduce(device, "x", qualities, offsets, sums, Operator::sum());
  primitives::transform_segmented_reduce(device, "x >= 20", qualities, offsets, good, Operator::sum());
  primitives::segmented_arg_max(device, qualities, offsets, best);

  genocl::Array<std::uint8_t> lowest(device, qualities.size());  // from the first base of the read on
  primitives::segmented_inclusive_scan(device, qualities, offsets, lowest, Operator::minimum());

  const std::vector<std::uint32_t> starts = offsets.download(), sum = sums.download(), number = good.download();
  const auto places = best.download();
  for (std::size_t read = 0; read < sum.size(); ++read) {
    const std::uint32_t length = starts[read + 1] - starts[read];
    std::cout << "read " << read << ": " << length << " bases";
    if (length != 0)
      std::cout << ", mean quality " << double(sum[read]) / length << ", " << number[read] << " of at least 20, best "
                << int{places[read].value} << " at base " << places[read].index;
    std::cout << "\n";
  }
  return sum == std::vector<std::uint32_t>{60, 0, 150} && number == std::vector<std::uint32_t>{2, 0, 4} &&
                 places[2].index == 0 && lowest.download() == std::vector<std::uint8_t>{30, 20, 10, 40, 40, 2, 2, 2}
             ? 0
             : 1;
}
