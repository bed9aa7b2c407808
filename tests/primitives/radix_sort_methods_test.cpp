// The parts of the radix sort that the public call chooses only for large arrays or on some devices, at small sizes.
#include "callers_memory.hpp"
#include "genocl/opencl.hpp"
#include "primitives/radix_sort_cases.hpp"
#include "runtime/transfer.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using primitives::CpuTuning;
using primitives::GpuSortMethod;
using primitives::GpuTuning;
using primitives::SortTask;

template <class Key>
SortTask make_task(const Array<Key>& keys, bool with_values, unsigned first_bit, unsigned last_bit) {
  SortTask task;
  task.count = keys.size();
  task.key_bytes = sizeof(Key);
  task.value_bytes = with_values ? 4 : 0;
  task.first_bit = first_bit;
  task.last_bit = last_bit;
  return task;
}

template <class Key>
Sorter<Key> group_sorter(const GpuTuning& tuning) {
  return [tuning](const genocl::Device& device, Array<Key>& keys, Array<std::uint32_t>* values, unsigned first_bit,
                  unsigned last_bit) {
    const SortTask task = make_task(keys, values != nullptr, first_bit, last_bit);
    const genocl::runtime::Scratch spare_keys(device, keys.bytes()), spare_values(device, 4 * keys.size());
    const cl::Buffer& value_buffer = values != nullptr ? values->buffer() : keys.buffer();
    if (!primitives::sort_on_gpu(device, task, tuning, {keys.buffer(), value_buffer},
                                 {spare_keys.buffer(), spare_values.buffer()}))
      return;
    genocl::runtime::copy(device, spare_keys.buffer(), 0, keys.buffer(), 0, keys.bytes());
    if (values != nullptr)
      genocl::runtime::copy(device, spare_values.buffer(), 0, values->buffer(), 0, values->bytes());
  };
}

template <class Key>
Sorter<Key> cpu_sorter(const std::function<void(CpuTuning&)>& change) {
  return [change](const genocl::Device& device, Array<Key>& keys, Array<std::uint32_t>* values, unsigned first_bit,
                  unsigned last_bit) {
    const SortTask task = make_task(keys, values != nullptr, first_bit, last_bit);
    CpuTuning tuning = primitives::cpu_tuning(device, task);
    change(tuning);
    primitives::sort_on_cpu(device, task, tuning,
                            {keys.buffer(), values != nullptr ? values->buffer() : keys.buffer()});
  };
}

// Groups that wait for earlier ones make progress wherever groups start in the order of their numbers and run to their
// end: on GPUs by NVIDIA, in PoCL's threads, in Oclgrind.
bool runs_onesweep(const genocl::Device& device) {
  return device.has_ptx() || device.info().type == genocl::DeviceType::cpu ||
         device.info().name.find("Oclgrind") != std::string::npos;
}

// With the small tile; the public call takes the large one where the device has room.
std::vector<GpuTuning> group_tunings(const genocl::Device& device, unsigned key_bytes) {
  const primitives::TileShape shape{256, key_bytes == 4 ? 20u : 10u};
  std::vector<GpuTuning> all = {{GpuSortMethod::count_scan_scatter, shape, false},
                                {GpuSortMethod::count_scan_scatter, shape, true}};
  if (runs_onesweep(device)) all.push_back({GpuSortMethod::onesweep, shape, false});
  return all;
}

TEST_CASE_TEMPLATE("tiny: sort, every method of groups", Key, std::uint32_t, std::uint64_t) {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 31);
  const genocl::Device device = device_under_test().with_family(genocl::KernelFamily::gpu);
  for (const GpuTuning& tuning : group_tunings(device, sizeof(Key))) {
    CAPTURE(static_cast<int>(tuning.method));
    CAPTURE(tuning.wide);
    check_sort<Key>(device, random.values<Key>(5300), true, 3, 17, group_sorter<Key>(tuning));
  }
}

TEST_CASE_TEMPLATE("sort: every method of groups, all shapes of input", Key, std::uint32_t, std::uint64_t) {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 32);
  const genocl::Device group = device_under_test().with_family(genocl::KernelFamily::gpu);
  std::vector<genocl::Device> devices = {group};
  if (group.has_ptx()) devices.push_back(group.without_vendor_paths());
  for (const genocl::Device& device : devices)
    for (const GpuTuning& tuning : group_tunings(device, sizeof(Key))) {
      CAPTURE(device.has_ptx());
      CAPTURE(static_cast<int>(tuning.method));
      CAPTURE(tuning.wide);
      const Sorter<Key> sorter = group_sorter<Key>(tuning);
      for (const std::string shape : {"random", "all equal", "few distinct", "one far away"}) {
        CAPTURE(shape);
        check_sort_all_bits(device, make_input<Key>(shape, 4 * tuning.shape.tile() + 77, random), true, sorter);
      }
      check_sort<Key>(device, random.values<Key>(2 * tuning.shape.tile()), true, 5, 14, sorter);
    }
}

// Small limits lead small arrays down the ways of large ones.
void large_array(CpuTuning& tuning) {
  tuning.small_count = 0;
  tuning.ranges = 5;
}
void many_buckets(CpuTuning& tuning) {
  tuning.small_count = 0;
  tuning.ranges = 3;
  tuning.bucket_bits = 11;
}
void no_room(CpuTuning& tuning) {
  large_array(tuning);
  tuning.bucket_capacity = 1;
}
void wide_offsets(CpuTuning& tuning) {
  large_array(tuning);
  tuning.wide = true;
}
void wide_by_digits(CpuTuning& tuning) {
  no_room(tuning);
  tuning.wide = true;
}

TEST_CASE_TEMPLATE("tiny: sort, every way of lanes", Key, std::uint32_t, std::uint64_t) {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 33);
  const genocl::Device device = device_under_test().with_family(genocl::KernelFamily::cpu);
  for (const auto& change : {large_array, many_buckets, no_room})
    for (const bool with_values : {false, true})
      check_sort_all_bits(device, random.values<Key>(2000), with_values, cpu_sorter<Key>(change));
  // One digit in all: what it leaves as records is put back.
  check_sort_all_bits(device, random.values_below<Key>(2000, 200), true, cpu_sorter<Key>(no_room));
}

TEST_CASE_TEMPLATE("sort: every way of lanes, all shapes of input", Key, std::uint32_t, std::uint64_t) {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 34);
  const genocl::Device device = device_under_test().with_family(genocl::KernelFamily::cpu);
  constexpr unsigned width = sizeof(Key) * 8;
  int way = 0;
  for (const auto& change : {large_array, many_buckets, no_room, wide_offsets, wide_by_digits}) {
    CAPTURE(way++);
    for (const std::string& shape : input_shapes()) {
      CAPTURE(shape);
      for (const bool with_values : {false, true})
        check_sort_all_bits(device, make_input<Key>(shape, 20011, random), with_values, cpu_sorter<Key>(change));
    }
    for (const auto& [first, last] : {std::pair{0u, 1u}, {width - 1, width}, {5u, 12u}, {3u, width - 2}})
      check_sort<Key>(device, random.values<Key>(20011), true, first, last, cpu_sorter<Key>(change));
  }
}

TEST_CASE("sort: lanes with a buffer of the caller's that is not aligned to lines") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 35);
  const genocl::Device device = device_under_test().with_family(genocl::KernelFamily::cpu);
  if (!device.info().host_unified_memory) return;  // nothing to take an address of
  const std::vector<std::uint32_t> host = random.values<std::uint32_t>(20000);
  CallersMemory<std::uint32_t> keys(device, host, 4);
  Array<std::uint32_t> values(device, std::span<const std::uint32_t>(host));
  cpu_sorter<std::uint32_t>(no_room)(device, *keys, &values, 0, 22);
  const std::vector<std::uint32_t> order = genocl_reference::stable_order(std::span<const std::uint32_t>(host), 0, 22);
  std::vector<std::uint32_t> expected(host.size());
  for (std::size_t i = 0; i < order.size(); i++) expected[i] = host[order[i]];
  CHECK((keys->download() == expected));
  CHECK((values.download() == expected));
}

}  // namespace
