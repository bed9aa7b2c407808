// The device's own ceilings: copy bandwidth, random reads, additions and maxima; and a parallel memcpy of the host.
#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/copy.hpp"
#include "runtime/kernel.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
using genocl::Device;

// Made when its benchmark runs, and gone after it.
struct CopyData {
  std::unique_ptr<Array<std::uint8_t>> from, to;
  void make(const Device& device, std::uint64_t bytes) {
    if (from) return;
    from = std::make_unique<Array<std::uint8_t>>(device, bytes);
    to = std::make_unique<Array<std::uint8_t>>(device, bytes);
    from->fill(1);
    to->fill(2);
  }
};

double measure_copy(const Device& device, std::uint64_t bytes) {
  CopyData data;
  data.make(device, bytes);
  const auto copy = [&] { genocl::primitives::copy(device, *data.from, *data.to); };
  time_calls(device, 1, copy);
  double best = 0;
  for (int i = 0; i < 5; ++i)
    best = std::max(best, 4 * 2.0 * static_cast<double>(bytes) / time_calls(device, 4, copy).wall);
  return best;
}

void add_parallel_memcpy(std::uint64_t bytes, std::size_t threads) {
  struct Data {
    std::vector<char> source, target;
  };
  auto data = std::make_shared<Data>();
  const double moved = 2.0 * static_cast<double>(bytes);
  add_peer(
      "parallel memcpy/" + size_name(bytes), {.items = moved, .bytes = moved},
      [=] {
        std::vector<std::thread> workers;
        const std::size_t share = bytes / threads;
        for (std::size_t t = 0; t < threads; ++t)
          workers.emplace_back(
              [=] { std::memcpy(data->target.data() + t * share, data->source.data() + t * share, share); });
        for (auto& worker : workers) worker.join();
      },
      [=] {
        data->source.resize(bytes, 'a');
        data->target.resize(bytes, 'b');
      },
      [=] { *data = {}; });
}

void add_copies(Setting& setting) {
  const Device& device = setting.device();
  const std::uint64_t bytes = std::bit_floor(
      std::min({std::uint64_t{1} << 30, device.info().max_allocation / 2, device.info().global_memory / 8}));
  setting.ceilings.copy_bytes = measure_copy(device, bytes);
  auto data = std::make_shared<CopyData>();
  const double moved = 2.0 * static_cast<double>(bytes);
  const Work work{.items = moved, .bytes = moved};
  const auto prepare = [=] { data->make(device, bytes); };
  const auto release = [=] { *data = {}; };
  add_benchmark(
      "ceiling/copy/" + size_name(bytes), setting, device, work,
      [=] { genocl::primitives::copy(device, *data->from, *data->to); }, prepare, release);
  add_benchmark(
      "ceiling/copy_buffer/" + size_name(bytes), setting, device, work,
      [=] { data->to->copy_from(*data->from, bytes); }, prepare, release);
  // On a CPU the peer is what its cores can do together.
  if (device.info().type == genocl::DeviceType::cpu)
    add_parallel_memcpy(bytes, std::max(1u, device.info().compute_units));
}

void add_transfers(const Setting& setting) {
  const Device& device = setting.device();
  constexpr std::uint64_t bytes = std::uint64_t{256} << 20;
  if (!fits(device, bytes, 3 * bytes)) return;
  struct Data {
    std::unique_ptr<Array<std::uint8_t>> array;
    std::vector<std::uint8_t> pageable;
    std::unique_ptr<genocl::HostArray<std::uint8_t>> pinned;
    std::span<std::uint8_t> pinned_bytes() { return {pinned->data(), pinned->size()}; }
  };
  auto data = std::make_shared<Data>();
  const Work work{.items = static_cast<double>(bytes)};
  const auto prepare = [=] {
    if (data->array) return;
    data->array = std::make_unique<Array<std::uint8_t>>(device, bytes);
    data->pageable.assign(bytes, 1);
    data->pinned = std::make_unique<genocl::HostArray<std::uint8_t>>(device, bytes);
    std::fill(data->pinned->begin(), data->pinned->end(), std::uint8_t{1});
  };
  const auto release = [=] { *data = {}; };
  const auto add = [&](const std::string& name, std::function<void()> transfer) {
    add_benchmark("transfer/" + name + "/" + size_name(bytes), setting, device, work, std::move(transfer), prepare,
                  release);
  };
  add("upload/pageable", [=] { data->array->upload(data->pageable); });
  add("upload/host_array", [=] { data->array->upload(data->pinned_bytes()); });
  add("download/pageable", [=] { data->array->download(data->pageable); });
  add("download/host_array", [=] { data->array->download(data->pinned_bytes()); });
}

void add_random_reads(const Setting& setting) {
  const Device& device = setting.device();
  struct Data {
    std::unique_ptr<Array<std::uint32_t>> table, out;
  };
  for (const std::uint64_t bytes : {std::uint64_t{4} << 20, std::uint64_t{64} << 20, std::uint64_t{4} << 30}) {
    if (!fits(device, bytes, bytes + (64 << 20))) continue;
    constexpr std::size_t group = 256;
    const std::size_t groups = device.info().compute_units * std::size_t{64};
    const cl_uint rounds = device.info().type == genocl::DeviceType::cpu ? 64 : 256;
    constexpr double chains = 4;
    auto data = std::make_shared<Data>();
    const double reads = static_cast<double>(groups * group) * rounds * chains;
    add_benchmark(
        "ceiling/random reads of 4 bytes/" + size_name(bytes), setting, device, {.items = reads},
        [=] {
          genocl::runtime::Kernel(device, "common/ceilings.cl", "random_reads")
              .args(*data->table, static_cast<cl_ulong>(bytes / 32), rounds, *data->out)
              .run(groups, group);
        },
        [=] {
          if (data->table) return;
          data->table = std::make_unique<Array<std::uint32_t>>(device, bytes / 4);
          data->out = std::make_unique<Array<std::uint32_t>>(device, groups * group);
          data->table->fill(3);
        },
        [=] { *data = {}; });
  }
}

void add_arithmetic(const Setting& setting) {
  const Device& device = setting.device();
  constexpr std::size_t group = 256;
  constexpr double pairs = 32;
  const std::size_t groups = device.info().compute_units * std::size_t{32};
  const cl_uint rounds = device.info().type == genocl::DeviceType::cpu ? 2000 : 20000;
  auto out = std::make_shared<Array<std::int32_t>>(device, groups * group);
  add_benchmark("ceiling/add and max of int32", setting, device,
                {.items = static_cast<double>(groups * group) * rounds * pairs}, [=] {
                  genocl::runtime::Kernel(device, "common/ceilings.cl", "add_max")
                      .args(cl_int{3}, cl_int{-1000}, rounds, *out)
                      .run(groups, group);
                });
}

}  // namespace

void add_ceilings(Setting& setting) {
  add_copies(setting);
  add_transfers(setting);
  add_random_reads(setting);
  add_arithmetic(setting);
}

}  // namespace genocl_bench
