// Differences, histograms, merges, set operations, selections and merge sorts, next to std::.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <random>

#include "bench/bench.hpp"
#include "genocl/primitives.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
namespace primitives = genocl::primitives;
using primitives::Comparison;
using Words = std::vector<std::uint32_t>;

constexpr std::size_t bins = 256, top = 1000;

Words sorted_words(std::uint64_t size, std::uint64_t seed) {
  Words words = random_words(size, seed);
  std::sort(words.begin(), words.end());
  return words;
}

/// 257 levels over all words.
Words levels() {
  Words all(bins + 1);
  for (std::size_t i = 0; i < bins; ++i) all[i] = static_cast<std::uint32_t>(i << 24);
  all[bins] = 0xffffffffu;
  return all;
}

struct DeviceData {
  std::unique_ptr<Array<std::uint32_t>> random, keys, results, sorted, more, counts, levels, best;
  std::unique_ptr<Array<std::uint64_t>> count;

  void make(const genocl::Device& device, std::uint64_t size) {
    if (random) return;
    const auto words = [&](const Words& host) { return std::make_unique<Array<std::uint32_t>>(device, host); };
    random = words(random_words(size, 1));
    keys = std::make_unique<Array<std::uint32_t>>(device, size);
    results = std::make_unique<Array<std::uint32_t>>(device, size);
    sorted = words(random_words(size / 2, 2));
    more = words(random_words(size / 2, 3));
    primitives::sort(device, *sorted);
    primitives::sort(device, *more);
    counts = std::make_unique<Array<std::uint32_t>>(device, bins);
    levels = words(genocl_bench::levels());
    best = std::make_unique<Array<std::uint32_t>>(device, top);
    count = std::make_unique<Array<std::uint64_t>>(device, 1);
  }
};

void add_device_calls(const Setting& setting, std::uint64_t size) {
  const auto data = std::make_shared<DeviceData>();
  const auto n = static_cast<double>(size);
  for (const Variant& variant : setting.variants) {
    const genocl::Device& device = variant.device;
    const auto add = [&](const std::string& name, double bytes, const std::function<void()>& call) {
      const bool in_place = name.starts_with("merge_sort") || name == "nth_element";
      add_benchmark(
          name + "/u32/" + size_name(size) + "/" + variant.name, setting, device, {.items = n, .bytes = bytes * n},
          call,
          [=] {
            data->make(device, size);
            if (in_place) primitives::copy(device, *data->random, *data->keys);
          },
          [=] {
            *data = {};
            device.release_scratch();
          });
    };
    add("adjacent_difference", 8, [=] { primitives::adjacent_difference(device, *data->random, *data->results); });
    add("select_if, half", 6,
        [=] { primitives::select_if(device, "x & 1", *data->random, *data->results, *data->count); });
    add("partition_copy, half", 8,
        [=] { primitives::partition_copy(device, "x & 1", *data->random, *data->results, *data->keys, *data->count); });
    add("random_words", 4, [=] { primitives::random_words(device, *data->results); });
    add("histogram_even, 256 bins", 4,
        [=] { primitives::histogram_even(device, *data->random, *data->counts, 0, std::int64_t{1} << 32); });
    add("histogram_range, 256 bins", 4,
        [=] { primitives::histogram_range(device, *data->random, *data->levels, *data->counts); });
    add("merge", 8, [=] { primitives::merge(device, *data->sorted, *data->more, *data->results); });
    add("set_union", 8,
        [=] { primitives::set_union(device, *data->sorted, *data->more, *data->results, *data->count); });
    add("set_intersection", 4,
        [=] { primitives::set_intersection(device, *data->sorted, *data->more, *data->results, *data->count); });
    add("top_k, k = 1000", 4, [=] { primitives::top_k(device, *data->random, *data->best); });
    add("nth_element", 8, [=] { primitives::nth_element(device, *data->keys, size / 2); });
    add("merge_sort", 0, [=] { primitives::merge_sort(device, *data->keys, Comparison::less()); });
    add("merge_sort by a comparison", 0,
        [=] { primitives::merge_sort(device, *data->keys, Comparison("(a & 0xffffff) < (b & 0xffffff)")); });
  }
}

void add_host_peers(std::uint64_t size) {
  struct Host {
    Words random, keys, results, sorted, more, levels;
  };
  const auto host = std::make_shared<Host>();
  const auto n = static_cast<double>(size);
  const auto add = [&](const std::string& name, double bytes, const std::function<void()>& call) {
    add_peer(
        "std::" + name + "/u32/" + size_name(size), {.items = n, .bytes = bytes * n}, call,
        [=] {
          if (host->random.empty())
            *host = {random_words(size, 1),     Words(size), Words(size), sorted_words(size / 2, 2),
                     sorted_words(size / 2, 3), levels()};
          if (name.starts_with("stable_sort") || name == "nth_element") host->keys = host->random;
        },
        [=] { *host = {}; });
  };
  const auto halves = [host](auto algorithm) {
    algorithm(host->sorted.begin(), host->sorted.end(), host->more.begin(), host->more.end(), host->results.begin());
  };
  add("adjacent_difference", 8,
      [=] { std::adjacent_difference(host->random.begin(), host->random.end(), host->results.begin()); });
  add("histogram by a loop, 256 bins", 4, [=] {
    std::vector<std::uint32_t> counts(bins);
    for (const std::uint32_t word : host->random) ++counts[static_cast<std::size_t>(std::uint64_t{word} * bins >> 32)];
    benchmark::DoNotOptimize(counts.data());
  });
  add("copy_if, half", 6, [=] {
    std::copy_if(host->random.begin(), host->random.end(), host->results.begin(),
                 [](std::uint32_t x) { return x & 1; });
  });
  add("mt19937", 4, [=] { std::generate(host->results.begin(), host->results.end(), std::mt19937(5)); });
  add("upper_bound, 256 bins", 4, [=] {
    std::vector<std::uint32_t> counts(bins + 2);
    for (const std::uint32_t word : host->random)
      ++counts[static_cast<std::size_t>(std::upper_bound(host->levels.begin(), host->levels.end(), word) -
                                        host->levels.begin())];
    benchmark::DoNotOptimize(counts.data());
  });
  add("merge", 8, [=] { halves([](auto... all) { std::merge(all...); }); });
  add("set_union", 8, [=] { halves([](auto... all) { std::set_union(all...); }); });
  add("set_intersection", 4, [=] { halves([](auto... all) { std::set_intersection(all...); }); });
  add("partial_sort_copy, k = 1000", 4, [=] {
    std::partial_sort_copy(host->random.begin(), host->random.end(), host->results.begin(),
                           host->results.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(top, size)),
                           std::greater<>());
  });
  add("nth_element", 8, [=] {
    std::nth_element(host->keys.begin(), host->keys.begin() + static_cast<std::ptrdiff_t>(size / 2), host->keys.end());
  });
  add("stable_sort", 0, [=] { std::stable_sort(host->keys.begin(), host->keys.end()); });
  add("stable_sort by a comparison", 0, [=] {
    std::stable_sort(host->keys.begin(), host->keys.end(),
                     [](std::uint32_t a, std::uint32_t b) { return (a & 0xffffff) < (b & 0xffffff); });
  });
}

}  // namespace

void add_algorithms(const Setting& setting) {
  for (const unsigned bits : {20u, 24u, 28u}) {
    const std::uint64_t size = std::uint64_t{1} << bits;
    if (!fits(setting.device(), 4 * size, 24 * size)) continue;
    add_device_calls(setting, size);
    if (bits <= 24) add_host_peers(size);
  }
}

}  // namespace genocl_bench
