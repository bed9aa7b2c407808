// Counts and sums the values of equal keys, and numbers the elements of each run.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  using primitives::Operator;
  using Words = std::vector<std::uint32_t>;
  const genocl::Device device = genocl::Device::pick();
  genocl::Array<std::uint32_t> keys(device, Words{7, 2, 7, 5, 2, 7}), values(device, Words{1, 20, 3, 40, 50, 6});
  primitives::sort(device, keys, values);  // 2 2 5 7 7 7, 20 50 40 1 3 6

  genocl::Array<std::uint32_t> distinct(device, 6), lengths(device, 6), totals(device, 6), firsts(device, 6);
  const std::uint64_t runs = primitives::run_length_encode(device, keys, distinct, lengths);
  primitives::reduce_by_key(device, keys, values, distinct, totals, Operator::sum());
  primitives::unique_by_key(device, keys, values, distinct, firsts);

  genocl::Array<std::uint32_t> ones(device, Words(6, 1)), numbers(device, 6);
  primitives::exclusive_scan_by_key(device, keys, ones, numbers, Operator::sum());

  const Words key = distinct.download(), length = lengths.download(), total = totals.download(),
              first = firsts.download();
  for (std::size_t run = 0; run < runs; ++run)
    std::cout << "key " << key[run] << ": " << length[run] << " values, sum " << total[run] << ", first " << first[run]
              << "\n";
  return runs == 3 && length[2] == 3 && total[0] == 70 && first[2] == 1 && numbers.download() == Words{0, 1, 0, 0, 1, 2}
             ? 0
             : 1;
}
