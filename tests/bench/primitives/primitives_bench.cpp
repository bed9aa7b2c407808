// Every primitive but the sorts (sort_bench.cpp), with the least traffic it needs for the share of the copy ceiling.
#include <algorithm>
#include <functional>
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

/// Sorted words, each about four times; `equal`: one word.
std::vector<std::uint32_t> words_in_runs(std::uint64_t size, bool equal) {
  std::vector<std::uint32_t> words(size);
  if (equal) return words;
  words = random_words(size, 1);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(word % (size / 4));
  std::ranges::sort(words);
  return words;
}

struct UniqueData {
  std::unique_ptr<Words> keys, values, unique_keys, unique_values;
  std::unique_ptr<Array<std::uint64_t>> count;

  void make(const genocl::Device& device, std::uint64_t size, bool equal) {
    if (keys) return;
    keys = std::make_unique<Words>(device, words_in_runs(size, equal));
    values = std::make_unique<Words>(device, random_words(size, 2));
    unique_keys = std::make_unique<Words>(device, size);
    unique_values = std::make_unique<Words>(device, size);
    count = std::make_unique<Array<std::uint64_t>>(device, 1);
  }
};

void add_unique(const Setting& setting, std::uint64_t size) {
  if (!fits(setting.device(), 4 * size, 26 * size)) return;
  const auto n = static_cast<double>(size);
  for (const bool equal : {false, true}) {
    const auto data = std::make_shared<UniqueData>();
    const std::string runs = equal ? "all equal" : "runs of 4";
    // Each key is read once at least, and written if it begins a run; so is the value of such a key, or the length.
    const double keys_only = equal ? 4 * n : 5 * n, with_values = equal ? 4 * n : 7 * n,
                 lengths = equal ? 4 * n : 6 * n;
    for (const Variant& variant : setting.variants) {
      const genocl::Device& device = variant.device;
      const auto add = [&](const std::string& name, const std::string& type, double bytes,
                           const std::function<void()>& call) {
        add_benchmark(
            name + ", " + runs + type + "/" + size_name(size) + "/" + variant.name, setting, device,
            {.items = n, .bytes = bytes}, call, [=] { data->make(device, size, equal); },
            [=] {
              *data = {};
              device.release_scratch();
            });
      };
      add("unique", "/u32", keys_only,
          [=] { primitives::unique(device, *data->keys, *data->unique_keys, *data->count); });
      add("unique_by_key", "/u32+u32", with_values, [=] {
        primitives::unique_by_key(device, *data->keys, *data->values, *data->unique_keys, *data->unique_values,
                                  *data->count);
      });
      add("run_length_encode", "/u32", lengths, [=] {
        primitives::run_length_encode(device, *data->keys, *data->unique_keys, *data->unique_values, *data->count);
      });
    }
    if (size > std::uint64_t{1} << 26) continue;
    const auto host = std::make_shared<std::vector<std::uint32_t>>();
    const auto out = std::make_shared<std::vector<std::uint32_t>>();
    add_peer(
        "std::unique_copy, " + runs + "/u32/" + size_name(size), {.items = n, .bytes = 5 * n},
        [=] { std::unique_copy(host->begin(), host->end(), out->begin()); },
        [=] {
          if (!host->empty()) return;
          *host = words_in_runs(size, equal);
          out->resize(size);
        });
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
  add_unique(setting, size);
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
