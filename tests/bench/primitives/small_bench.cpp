// Calls on 1,000 elements beside the same OpenCL calls without the library: what a call costs besides OpenCL.
#include <memory>

#include "bare_calls.hpp"
#include "bench/bench.hpp"
#include "genocl/primitives.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
namespace primitives = genocl::primitives;

struct Data {
  std::unique_ptr<Array<std::uint32_t>> keys;
  BareCalls bare;
};

// `call` twice, by itself and as the OpenCL calls that it makes. Each is waited for, as who has few data does.
void add_pair(const std::string& name, const Variant& variant, const Setting& setting,
              const std::function<void(const genocl::Device&, Array<std::uint32_t>&)>& call) {
  constexpr std::size_t elements = 1000;
  const genocl::Device& device = variant.device;
  const auto data = std::make_shared<Data>();
  const auto make = [=] {
    if (data->keys) return;
    data->keys = std::make_unique<Array<std::uint32_t>>(device, random_words(elements, 1));
    call(device, *data->keys);  // what only a first call does
    call(device, *data->keys);
    device.finish();
    data->bare = note_calls([&] { call(device, *data->keys); });
  };
  const auto release = [=] {
    data->bare.clear();
    data->keys.reset();
    device.release_scratch();
  };
  const Work work{.items = elements};
  add_benchmark(
      "small/" + name + "/" + variant.name, setting, device, work, [=] { call(device, *data->keys); }, make);
  add_benchmark(
      "small/" + name + "/bare/" + variant.name, setting, device, work,
      [=] {
        for (const auto& one : data->bare) one();
      },
      make, release);
}

}  // namespace

void add_small(const Setting& setting) {
  for (const Variant& variant : setting.variants) {
    add_pair("reduce", variant, setting, [](const genocl::Device& device, Array<std::uint32_t>& keys) {
      benchmark::DoNotOptimize(primitives::sum(device, keys));
    });
    add_pair("sort", variant, setting, [](const genocl::Device& device, Array<std::uint32_t>& keys) {
      primitives::sort(device, keys);
      device.finish();
    });
  }
}

}  // namespace genocl_bench
