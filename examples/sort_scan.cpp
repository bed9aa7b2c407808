// Sorts 16 million numbers on the best device (GENOCL_DEVICE selects another), adds them by a scan, and checks every
// result on the host.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"

namespace {

constexpr std::size_t count = std::size_t{1} << 24;

// Returns the seconds of `work`, including its commands on the device.
template <class Work>
double seconds(const genocl::Device& device, Work&& work) {
  device.finish();
  const auto start = std::chrono::steady_clock::now();
  work();
  device.finish();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(const std::string& what, double time) {
  std::cout << std::left << std::setw(44) << what << std::right << std::fixed << std::setprecision(1) << std::setw(8)
            << time * 1e3 << " ms  " << std::setw(8) << static_cast<double>(count) / time / 1e6 << " M/s\n";
}

bool check(const char* what, bool right) {
  if (!right) std::cerr << "sort_scan: error: " << what << '\n';
  return right;
}

}  // namespace

int main() try {
  const genocl::Device device = genocl::Device::pick();
  std::cout << count << " numbers on " << device.info().name << '\n';

  std::mt19937 random(1);
  std::vector<std::uint32_t> numbers(count), places(count);
  std::generate(numbers.begin(), numbers.end(), random);
  std::iota(places.begin(), places.end(), 0u);

  // Once to compile the kernels, once to measure.
  double sorting = 0, scanning = 0;
  genocl::Array<std::uint32_t> keys(device, count), values(device, count);
  genocl::Array<std::uint64_t> sums(device, count + 1);
  for (int round = 0; round < 2; ++round) {
    keys.upload(numbers);
    values.upload(places);
    sorting = seconds(device, [&] { genocl::primitives::sort(device, keys, values); });
    scanning = seconds(device, [&] { genocl::primitives::exclusive_scan(device, keys, sums); });
  }
  report("sort of 32-bit keys with 32-bit values", sorting);
  report("exclusive scan into 64-bit sums", scanning);

  // The order is ascending and stable, and every number has its position: so the positions are a permutation.
  const std::vector<std::uint32_t> sorted = keys.download(), from = values.download();
  const std::vector<std::uint64_t> before = sums.download();
  bool order = true, origin = true, scan = true;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) order &= sorted[i - 1] < sorted[i] || (sorted[i - 1] == sorted[i] && from[i - 1] < from[i]);
    origin &= from[i] < count && numbers[from[i]] == sorted[i];
    scan &= before[i] == sum;
    sum += sorted[i];
  }
  scan &= before[count] == sum;
  if (!check("the numbers are not in order", order) || !check("the values do not belong to the keys", origin) ||
      !check("the sums are wrong", scan))
    return 2;
  std::cout << "checked: every number, value and sum is right\n";
  return 0;
} catch (const genocl::Error& error) {
  std::cerr << "sort_scan: error: " << error.what() << '\n';
  return 2;
}
