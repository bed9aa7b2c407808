// Every primitive but the sorts (sort_bench.cpp), with the least traffic it needs for the share of the copy ceiling.
#include <memory>
#include <numeric>
#include <utility>

#include "bench/bench.hpp"
#include "genocl/primitives.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
namespace primitives = genocl::primitives;
using Words = Array<std::uint32_t>;

// Made when a benchmark runs, and gone after it.
struct Data {
  std::unique_ptr<Words> values, results;

  void make(const genocl::Device& device, std::uint64_t size) {
    if (values) return;
    values = std::make_unique<Words>(device, random_words(size, 1));
    results = std::make_unique<Words>(device, size + 1);
  }
};

// Compaction of half the elements, histograms, and gather and scatter by a random permutation.
struct RandomAccessData {
  std::unique_ptr<Words> values, results, places;
  std::unique_ptr<Array<std::uint8_t>> flags;
  std::unique_ptr<Array<std::uint64_t>> count;

  void make(const genocl::Device& device, std::uint64_t size) {
    if (values) return;
    const auto words = random_words(size, 1);
    values = std::make_unique<Words>(device, words);
    results = std::make_unique<Words>(device, size);
    count = std::make_unique<Array<std::uint64_t>>(device, 1);
    std::vector<std::uint8_t> set(size);
    for (std::uint64_t i = 0; i < size; ++i) set[i] = words[i] & 1;
    flags = std::make_unique<Array<std::uint8_t>>(device, set);
    places = std::make_unique<Words>(device, size);
    // Sorting random keys with their places leaves a random permutation.
    Words keys(device, words);
    primitives::iota(device, *places);
    primitives::sort(device, keys, *places);
  }
};

void add_random_access(const Setting& setting, std::uint64_t size) {
  if (!fits(setting.device(), 4 * size, 22 * size)) return;
  const auto data = std::make_shared<RandomAccessData>();
  const auto n = static_cast<double>(size);
  for (const Variant& variant : setting.variants) {
    const genocl::Device& device = variant.device;
    const std::string suffix = "/" + size_name(size) + "/" + variant.name;
    const auto prepare = [=] { data->make(device, size); };
    const auto release = [=] {
      *data = {};
      device.release_scratch();
    };
    add_benchmark(
        "select half/u32" + suffix, setting, device, {.items = n, .bytes = 5 * n},
        [=] { primitives::select(device, *data->values, *data->flags, *data->results, *data->count); }, prepare,
        release);
    for (const unsigned bits : {8u, 12u, 16u}) {
      auto counts = std::make_shared<Words>(device, std::uint64_t{1} << bits);
      add_benchmark(
          "histogram of " + size_name(std::uint64_t{1} << bits) + suffix, setting, device, {.items = n, .bytes = 4 * n},
          [=] { primitives::histogram(device, *data->values, *counts, {.first = 16 - bits / 2, .count = bits}); },
          prepare, release);
    }
    if (&variant != &setting.variants.front()) continue;  // no vendor path in these
    add_benchmark(
        "gather/u32" + suffix, setting, device, {.items = n, .bytes = 12 * n},
        [=] { primitives::gather(device, *data->values, *data->places, *data->results); }, prepare, release);
    add_benchmark(
        "scatter/u32" + suffix, setting, device, {.items = n, .bytes = 12 * n},
        [=] { primitives::scatter(device, *data->values, *data->places, *data->results); }, prepare, release);
  }
}

void add_linear(const Setting& setting, std::uint64_t size) {
  if (!fits(setting.device(), 4 * size, 10 * size)) return;
  const auto data = std::make_shared<Data>();
  const std::string suffix = "/u32/" + size_name(size) + "/";
  const auto n = static_cast<double>(size);
  for (const Variant& variant : setting.variants) {
    const genocl::Device& device = variant.device;
    const auto prepare = [=] { data->make(device, size); };
    const auto release = [=] {
      *data = {};
      device.release_scratch();
    };
    add_benchmark(
        "sum" + suffix + variant.name, setting, device, {.items = n, .bytes = 4 * n},
        [=] { primitives::sum(device, *data->values, *data->results); }, prepare, release);
    add_benchmark(
        "exclusive scan" + suffix + variant.name, setting, device, {.items = n, .bytes = 8 * n},
        [=] { primitives::exclusive_scan(device, *data->values, data->results->first(size)); }, prepare, release);
    add_benchmark(
        "inclusive max scan" + suffix + variant.name, setting, device, {.items = n, .bytes = 8 * n},
        [=] { primitives::inclusive_max_scan(device, *data->values, data->results->first(size)); }, prepare, release);
  }
  add_random_access(setting, size);
  const auto host = std::make_shared<std::vector<std::uint32_t>>();
  const auto out = std::make_shared<std::vector<std::uint32_t>>();
  if (size <= std::uint64_t{1} << 26)
    add_peer(
        "std::exclusive_scan" + suffix.substr(0, suffix.size() - 1), {.items = n, .bytes = 8 * n},
        [=] { std::exclusive_scan(host->begin(), host->end(), out->begin(), 0u); },
        [=] {
          if (!host->empty()) return;
          *host = random_words(size, 1);
          out->resize(size);
        });
}

}  // namespace

void add_primitives(const Setting& setting) {
  for (const unsigned bits : {20u, 24u, 26u, 28u}) add_linear(setting, std::uint64_t{1} << bits);
}

}  // namespace genocl_bench
