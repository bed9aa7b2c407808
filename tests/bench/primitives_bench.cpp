// Every primitive but the sort (sort_bench.cpp), with the least traffic it needs for the share of the copy ceiling.
#include <memory>
#include <numeric>
#include <utility>

#include "bench.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
namespace primitives = genocl::primitives;
using Words = Array<std::uint32_t>;

// The same input for all, made when the first of them runs.
struct Data {
  std::unique_ptr<Words> values, results;

  void make(const genocl::Device& device, std::uint64_t size) {
    if (values) return;
    values = std::make_unique<Words>(device, random_words(size, 1));
    results = std::make_unique<Words>(device, size + 1);
  }
};

void add_linear(const Setting& setting, std::uint64_t size) {
  if (!fits(setting.device(), 4 * size, 10 * size)) return;
  const auto data = std::make_shared<Data>();
  const std::string suffix = "/u32/" + size_name(size) + "/";
  const auto n = static_cast<double>(size);
  for (const Variant& variant : setting.variants) {
    const genocl::Device& device = variant.device;
    const auto prepare = [=] { data->make(device, size); };
    add_benchmark(
        "sum" + suffix + variant.name, setting, device, {.items = n, .bytes = 4 * n},
        [=] { primitives::sum(device, *data->values, *data->results); }, prepare);
    add_benchmark(
        "exclusive scan" + suffix + variant.name, setting, device, {.items = n, .bytes = 8 * n},
        [=] {
          Words out = Words::adopt(device, data->results->buffer(), size);
          primitives::exclusive_scan(device, *data->values, out);
        },
        prepare);
    add_benchmark(
        "inclusive max scan" + suffix + variant.name, setting, device, {.items = n, .bytes = 8 * n},
        [=] {
          Words out = Words::adopt(device, data->results->buffer(), size);
          primitives::inclusive_max_scan(device, *data->values, out);
        },
        prepare);
  }
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
