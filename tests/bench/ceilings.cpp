// The device's own ceilings: copy bandwidth, random reads, additions and maxima; and a parallel memcpy of the host.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <thread>

#include "bench.hpp"
#include "genocl/primitives/copy.hpp"
#include "runtime/kernel.hpp"

namespace genocl_bench {
namespace {

using genocl::Array;
using genocl::Device;

void add_copies(Setting& setting) {
  const Device& device = setting.device();
  const std::uint64_t bytes = std::bit_floor(
      std::min({std::uint64_t{1} << 30, device.info().max_allocation / 2, device.info().global_memory / 8}));
  auto from = std::make_shared<Array<std::uint8_t>>(device, bytes);
  auto to = std::make_shared<Array<std::uint8_t>>(device, bytes);
  from->fill(1);
  to->fill(2);
  const auto copy = [=] { genocl::primitives::copy(device, *from, *to); };
  time_calls(device, 1, copy);
  for (int i = 0; i < 5; ++i)
    setting.ceilings.copy_bytes =
        std::max(setting.ceilings.copy_bytes, 4 * 2.0 * static_cast<double>(bytes) / time_calls(device, 4, copy).wall);
  const double moved = 2.0 * static_cast<double>(bytes);
  add_benchmark("ceiling/copy/" + size_name(bytes), setting, device, {.items = moved, .bytes = moved}, copy);
  add_benchmark("ceiling/copy_buffer/" + size_name(bytes), setting, device, {.items = moved, .bytes = moved},
                [=] { to->copy_from(*from, from->size()); });
  // On a CPU the peer is what its cores can do together.
  if (device.info().type != genocl::DeviceType::cpu) return;
  const std::size_t threads = std::max(1u, device.info().compute_units);
  auto source = std::make_shared<std::vector<char>>(bytes, 'a');
  auto target = std::make_shared<std::vector<char>>(bytes, 'b');
  add_peer("parallel memcpy/" + size_name(bytes), {.items = moved, .bytes = moved}, [=] {
    std::vector<std::thread> workers;
    const std::size_t share = bytes / threads;
    for (std::size_t t = 0; t < threads; ++t)
      workers.emplace_back([=] { std::memcpy(target->data() + t * share, source->data() + t * share, share); });
    for (auto& worker : workers) worker.join();
  });
}

void add_transfers(const Setting& setting) {
  const Device& device = setting.device();
  constexpr std::uint64_t bytes = std::uint64_t{256} << 20;
  if (!fits(device, bytes, 3 * bytes)) return;
  auto array = std::make_shared<Array<std::uint8_t>>(device, bytes);
  auto pageable = std::make_shared<std::vector<std::uint8_t>>(bytes, std::uint8_t{1});
  auto pinned = std::make_shared<genocl::HostArray<std::uint8_t>>(device, bytes);
  std::fill(pinned->begin(), pinned->end(), std::uint8_t{1});
  const Work work{.items = static_cast<double>(bytes)};
  add_benchmark("transfer/upload/pageable/" + size_name(bytes), setting, device, work,
                [=] { array->upload(*pageable); });
  add_benchmark("transfer/upload/host_array/" + size_name(bytes), setting, device, work,
                [=] { array->upload(std::span<const std::uint8_t>(pinned->data(), bytes)); });
  add_benchmark("transfer/download/pageable/" + size_name(bytes), setting, device, work,
                [=] { array->download(std::span<std::uint8_t>(*pageable)); });
  add_benchmark("transfer/download/host_array/" + size_name(bytes), setting, device, work,
                [=] { array->download(std::span<std::uint8_t>(pinned->data(), bytes)); });
}

void add_random_reads(const Setting& setting) {
  const Device& device = setting.device();
  for (const std::uint64_t bytes : {std::uint64_t{4} << 20, std::uint64_t{64} << 20, std::uint64_t{4} << 30}) {
    if (!fits(device, bytes, bytes + (64 << 20))) continue;
    constexpr std::size_t group = 256;
    const std::size_t groups = device.info().compute_units * std::size_t{64};
    const cl_uint rounds = device.info().type == genocl::DeviceType::cpu ? 64 : 256;
    constexpr double chains = 4;
    auto table = std::make_shared<Array<std::uint32_t>>(device, bytes / 4);
    auto out = std::make_shared<Array<std::uint32_t>>(device, groups * group);
    table->fill(3);
    const double reads = static_cast<double>(groups * group) * rounds * chains;
    add_benchmark("ceiling/random reads of 4 bytes/" + size_name(bytes), setting, device, {.items = reads}, [=] {
      genocl::runtime::Kernel(device, "common/ceilings.cl", "random_reads")
          .args(*table, static_cast<cl_ulong>(bytes / 32), rounds, *out)
          .run(groups, group);
    });
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
