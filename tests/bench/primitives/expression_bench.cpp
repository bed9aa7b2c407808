// Primitives with expressions and operators, and sorts of other keys than unsigned integers, next to std::.
#include <algorithm>
#include <array>
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
using primitives::Operator;

struct Record {
  std::array<std::uint32_t, 5> words;
};

struct FloatData {
  std::unique_ptr<Array<float>> original, values, results;
  std::unique_ptr<Array<std::uint32_t>> keys, unique_keys;
  std::unique_ptr<Array<std::uint64_t>> count, wide;
  std::unique_ptr<Array<std::uint8_t>> bytes;
  std::unique_ptr<Array<Record>> records;
  std::unique_ptr<Array<primitives::IndexedElement<float>>> place;

  void make(const genocl::Device& device, std::uint64_t size) {
    if (values) return;
    const std::vector<float> host = random_floats(size);
    original = std::make_unique<Array<float>>(device, host);
    values = std::make_unique<Array<float>>(device, host);
    results = std::make_unique<Array<float>>(device, size);
    std::vector<std::uint32_t> runs(size);
    for (std::uint64_t i = 0; i < size; ++i) runs[i] = static_cast<std::uint32_t>(i / 4);
    keys = std::make_unique<Array<std::uint32_t>>(device, runs);
    unique_keys = std::make_unique<Array<std::uint32_t>>(device, size);
    count = std::make_unique<Array<std::uint64_t>>(device, 1);
    wide = std::make_unique<Array<std::uint64_t>>(device, size);
    bytes = std::make_unique<Array<std::uint8_t>>(device, size);
    records = std::make_unique<Array<Record>>(device, size);
    place = std::make_unique<Array<primitives::IndexedElement<float>>>(device, 1);
  }

  static std::vector<float> random_floats(std::uint64_t size) {
    std::vector<float> host(size);
    const auto words = random_words(size, 1);
    std::transform(words.begin(), words.end(), host.begin(),
                   [](std::uint32_t word) { return static_cast<float>(word); });
    return host;
  }
};

void add_device_calls(const Setting& setting, std::uint64_t size) {
  const auto data = std::make_shared<FloatData>();
  const auto n = static_cast<double>(size);
  for (const Variant& variant : setting.variants) {
    const genocl::Device& device = variant.device;
    const auto add = [&](const std::string& name, double bytes, const std::function<void()>& call) {
      add_benchmark(
          name + "/f32/" + size_name(size) + "/" + variant.name, setting, device, {.items = n, .bytes = bytes * n},
          call,
          [=] {
            data->make(device, size);
            if (name.starts_with("sort")) primitives::copy(device, *data->original, *data->values);
          },
          [=] {
            *data = {};
            device.release_scratch();
          });
    };
    add("transform x * 2 + 1", 8, [=] { primitives::transform(device, "x * 2 + 1", *data->values, *data->results); });
    add("reduce by max", 4, [=] { primitives::reduce(device, *data->values, Operator::maximum(), *data->results); });
    add("sum of squares", 4,
        [=] { primitives::transform_reduce(device, "x * x", *data->values, Operator::sum(), *data->results); });
    add("arg max", 4, [=] { primitives::arg_max(device, *data->values, *data->place); });
    add("inclusive scan by sum", 8,
        [=] { primitives::inclusive_scan(device, *data->values, *data->results, Operator::sum()); });
    add("inclusive scan by key", 12, [=] {
      primitives::inclusive_scan_by_key(device, *data->keys, *data->values, *data->results, Operator::sum());
    });
    add("reduce by key, runs of 4", 10, [=] {
      primitives::reduce_by_key(device, *data->keys, *data->values, *data->unique_keys, *data->results, Operator::sum(),
                                *data->count);
    });
    add("sort", 32, [=] { primitives::sort(device, *data->values); });
    add("sort descending", 32, [=] { primitives::sort(device, *data->values, {.descending = true}); });
    add("sort_copy", 32, [=] { primitives::sort_copy(device, *data->values, *data->results); });
    add("sort with values of 1 byte", 32, [=] { primitives::sort(device, *data->values, *data->bytes); });
    add("sort with values of 8 bytes", 32, [=] { primitives::sort(device, *data->values, *data->wide); });
    add("sort with values of 20 bytes", 32, [=] { primitives::sort(device, *data->values, *data->records); });
  }
}

template <class Value>
void add_sort_of_pairs(std::uint64_t size) {
  using Pairs = std::vector<std::pair<float, Value>>;
  const auto pairs = std::make_shared<Pairs>(), original = std::make_shared<Pairs>();
  add_peer(
      "std::sort with values of " + std::to_string(sizeof(Value)) + " bytes/f32/" + size_name(size),
      {.items = static_cast<double>(size)},
      [=] { std::sort(pairs->begin(), pairs->end(), [](const auto& a, const auto& b) { return a.first < b.first; }); },
      [=] {
        if (original->empty())
          for (const float key : FloatData::random_floats(size)) original->emplace_back(key, Value{});
        *pairs = *original;
      },
      [=] { *pairs = *original = {}; });
}

void add_host_peers(std::uint64_t size) {
  struct Host {
    std::vector<float> values, results, original;
    std::vector<std::uint32_t> keys;
  };
  const auto host = std::make_shared<Host>();
  const auto n = static_cast<double>(size);
  const auto add = [&](const std::string& name, double bytes, const std::function<void()>& call) {
    add_peer(
        "std::" + name + "/f32/" + size_name(size), {.items = n, .bytes = bytes * n}, call,
        [=] {
          if (host->original.empty()) {
            host->original = host->values = FloatData::random_floats(size);
            host->results.resize(size);
            for (std::uint64_t i = 0; i < size; ++i) host->keys.push_back(static_cast<std::uint32_t>(i / 4));
          }
          if (name == "sort") host->values = host->original;
        },
        [=] { *host = {}; });
  };
  add("transform x * 2 + 1", 8, [=] {
    std::transform(host->values.begin(), host->values.end(), host->results.begin(), [](float x) { return x * 2 + 1; });
  });
  add("max_element", 4, [=] { benchmark::DoNotOptimize(std::max_element(host->values.begin(), host->values.end())); });
  add("transform_reduce, squares", 4, [=] {
    benchmark::DoNotOptimize(std::transform_reduce(host->values.begin(), host->values.end(), 0.0f, std::plus<>(),
                                                   [](float x) { return x * x; }));
  });
  add("inclusive_scan", 8,
      [=] { std::inclusive_scan(host->values.begin(), host->values.end(), host->results.begin()); });
  add("inclusive scan by key, a loop", 12, [=] {
    float sum = 0;
    std::uint32_t key = host->keys.front();
    for (std::uint64_t i = 0; i < size; ++i) {
      sum = host->keys[i] == key ? sum + host->values[i] : host->values[i];
      key = host->keys[i];
      host->results[i] = sum;
    }
    benchmark::DoNotOptimize(host->results.data());
  });
  add("sort", 0, [=] { std::sort(host->values.begin(), host->values.end()); });
}

}  // namespace

void add_expressions(const Setting& setting) {
  for (const unsigned bits : {20u, 24u, 28u}) {
    const std::uint64_t size = std::uint64_t{1} << bits;
    if (!fits(setting.device(), 20 * size, 110 * size)) continue;
    add_device_calls(setting, size);
    if (bits > 24) continue;
    add_host_peers(size);
    add_sort_of_pairs<std::uint64_t>(size);
    add_sort_of_pairs<Record>(size);
  }
}

}  // namespace genocl_bench
