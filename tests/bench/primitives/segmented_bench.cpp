// Reductions and scans of segments, next to std::.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

#include "bench/bench.hpp"
#include "genocl/primitives.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
namespace primitives = genocl::primitives;
using primitives::Operator;
using Words = std::vector<std::uint32_t>;

/// `length`: of all segments; 0: one segment has half of the elements, the others have 10.
struct Shape {
  const char* name;
  std::uint32_t length;
};
constexpr Shape shapes[] = {{"segments of 10", 10}, {"segments of 1000", 1000}, {"skewed", 0}};

Words offsets_of(const Shape& shape, std::uint64_t size) {
  Words offsets{0};
  const std::uint64_t length = shape.length != 0 ? shape.length : 10;
  while (offsets.back() < size) {
    const bool huge = shape.length == 0 && offsets.back() <= size / 4 && offsets.back() + length > size / 4;
    offsets.push_back(static_cast<std::uint32_t>(std::min(size, offsets.back() + (huge ? size / 2 : length))));
  }
  return offsets;
}

std::vector<float> floats(std::uint64_t size) {
  const Words words = random_words(size, 1);
  return {words.begin(), words.end()};
}

struct SegmentData {
  std::unique_ptr<Array<float>> values, totals, scanned;
  std::unique_ptr<Array<std::uint32_t>> offsets;
  std::unique_ptr<Array<primitives::IndexedElement<float>>> places;

  void make(const genocl::Device& device, const Shape& shape, std::uint64_t size) {
    if (values) return;
    const Words host = offsets_of(shape, size);
    values = std::make_unique<Array<float>>(device, floats(size));
    offsets = std::make_unique<Array<std::uint32_t>>(device, host);
    totals = std::make_unique<Array<float>>(device, host.size() - 1);
    scanned = std::make_unique<Array<float>>(device, size);
    places = std::make_unique<Array<primitives::IndexedElement<float>>>(device, host.size() - 1);
  }
};

std::string name_of(const std::string& call, const Shape& shape, std::uint64_t size) {
  return call + ", " + shape.name + "/f32/" + size_name(size);
}

void add_device_calls(const Setting& setting, const Shape& shape, std::uint64_t size) {
  const auto data = std::make_shared<SegmentData>();
  const auto n = static_cast<double>(size);
  // Offsets and results of segments.
  const double per_segment = shape.length == 0 ? 0.05 : 1.0 / shape.length;
  for (const Variant& variant : setting.variants) {
    const genocl::Device& device = variant.device;
    const auto add = [&](const std::string& name, double bytes, const std::function<void()>& call) {
      add_benchmark(
          name_of(name, shape, size) + "/" + variant.name, setting, device, {.items = n, .bytes = bytes * n}, call,
          [=] { data->make(device, shape, size); },
          [=] {
            *data = {};
            device.release_scratch();
          });
    };
    add("segmented_reduce by sum", 4 + 8 * per_segment,
        [=] { primitives::segmented_reduce(device, *data->values, *data->offsets, *data->totals, Operator::sum()); });
    add("segmented_reduce by max", 4 + 8 * per_segment, [=] {
      primitives::segmented_reduce(device, *data->values, *data->offsets, *data->totals, Operator::maximum());
    });
    add("segmented_arg_max", 4 + 20 * per_segment,
        [=] { primitives::segmented_arg_max(device, *data->values, *data->offsets, *data->places); });
    add("segmented_inclusive_scan by sum", 8 + 4 * per_segment, [=] {
      primitives::segmented_inclusive_scan(device, *data->values, *data->offsets, *data->scanned, Operator::sum());
    });
  }
}

void add_host_peers(const Shape& shape, std::uint64_t size) {
  struct Host {
    std::vector<float> values, totals, scanned;
    Words offsets;
  };
  const auto host = std::make_shared<Host>();
  const auto n = static_cast<double>(size);
  const auto add = [&](const std::string& name, const std::function<void(Host&, std::size_t)>& segment_call) {
    add_peer(
        name_of("std::" + name, shape, size), {.items = n},
        [=] {
          for (std::size_t s = 0; s + 1 < host->offsets.size(); ++s) segment_call(*host, s);
          benchmark::DoNotOptimize(host->totals.data());
        },
        [=] {
          if (!host->values.empty()) return;
          *host = {floats(size), {}, std::vector<float>(size), offsets_of(shape, size)};
          host->totals.resize(host->offsets.size() - 1);
        },
        [=] { *host = {}; });
  };
  const auto first = [](const Host& h, std::size_t s) { return h.values.data() + h.offsets[s]; };
  add("reduce", [first](Host& h, std::size_t s) { h.totals[s] = std::reduce(first(h, s), first(h, s + 1), 0.0f); });
  add("max_element",
      [first](Host& h, std::size_t s) { h.totals[s] = *std::max_element(first(h, s), first(h, s + 1)); });
  add("inclusive_scan", [first](Host& h, std::size_t s) {
    std::inclusive_scan(first(h, s), first(h, s + 1), h.scanned.data() + h.offsets[s]);
  });
}

}  // namespace

void add_segmented(const Setting& setting) {
  for (const unsigned bits : {20u, 24u, 28u}) {
    const std::uint64_t size = std::uint64_t{1} << bits;
    if (!fits(setting.device(), 4 * size, 16 * size)) continue;
    for (const Shape& shape : shapes) {
      add_device_calls(setting, shape, size);
      if (bits <= 24) add_host_peers(shape, size);
    }
  }
}

}  // namespace genocl_bench
