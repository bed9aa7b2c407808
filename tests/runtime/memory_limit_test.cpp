#include "runtime/device_query.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/reduce.hpp"
#include "runtime/helpers.hpp"
#include "runtime/kernel.hpp"

namespace {

using genocl::Device;
using genocl::runtime::parse_bytes;
using genocl_test::Environment;

TEST_CASE("numbers of bytes as users write them") {
  CHECK(parse_bytes("x", "1") == 1);
  CHECK(parse_bytes("x", "800m") == std::uint64_t{800} << 20);
  CHECK(parse_bytes("x", "24G") == std::uint64_t{24} << 30);
  CHECK(parse_bytes("x", "3K") == 3072);
  CHECK(parse_bytes("x", "2T") == std::uint64_t{2} << 40);
  for (const char* const wrong : {"", "G", "0", "-1", "1GB", "1.5G", " 1", "1P", "18446744073709551616", "99999999T"})
    CHECK_THROWS_AS(parse_bytes("x", wrong), genocl::InputError);
  CHECK_THROWS_WITH_AS(parse_bytes("GENOCL_DEVICE_MEMORY", "much"),
                       "GENOCL_DEVICE_MEMORY:much: is no number of bytes; expected one like 800M or 24G",
                       genocl::InputError);
}

TEST_CASE("a device takes no more than GENOCL_DEVICE_MEMORY") {
  const std::string spec = std::to_string(Device::pick().info().index);
  const Environment limit("GENOCL_DEVICE_MEMORY", "1M");
  const Device device = Device::pick(spec);
  CHECK(device.info().global_memory == std::uint64_t{1} << 20);
  CHECK(device.info().max_allocation <= std::uint64_t{1} << 20);
  const genocl::Array<std::uint8_t> half(device, std::size_t{1} << 19);
  CHECK_THROWS_AS(genocl::Array<std::uint8_t>(device, (std::size_t{1} << 20) + 1), genocl::CapacityError);
  CHECK_THROWS_AS(genocl::Array<std::uint8_t>(device, (std::size_t{1} << 19) + 1), genocl::CapacityError);
}

TEST_CASE("a limit that is no number of bytes is an error of its own") {
  const std::string spec = std::to_string(Device::pick().info().index);
  const Environment limit("GENOCL_DEVICE_MEMORY", "a lot");
  CHECK_THROWS_AS(Device::pick(spec), genocl::InputError);
}

TEST_CASE("launches keep simulated limits of work-groups and local memory") {
  const std::string spec = std::to_string(Device::pick().info().index);
  std::vector<std::uint32_t> values(5'000, 1);
  {
    const Environment limits("GENOCL_DEVICE_LIMITS", "64:16K");
    const Device device = Device::pick(spec).with_family(genocl::KernelFamily::gpu);
    CHECK(device.info().max_work_group_size == 64);
    CHECK(device.info().local_memory == 16384);
    const genocl::Array<std::uint32_t> array(device, std::span<const std::uint32_t>(values));
    CHECK(genocl::primitives::sum(device, array) == 5'000);
  }
  {
    // Launches that ignore them.
    const Environment limits("GENOCL_DEVICE_LIMITS", "64:16K");
    const Environment kernels("GENOCL_KERNEL_DIR", genocl_test::test_kernels().string());
    const Device device = Device::pick(spec);
    const genocl::Array<std::uint32_t> cells(device, 128);
    genocl::runtime::Kernel coordinates(device, "map.cl", "coordinates");
    CHECK(coordinates.max_group_size() <= 64);
    coordinates.args(cells).run(2, 64);
    CHECK_THROWS_WITH_AS(coordinates.args(cells).run(1, 128),
                         doctest::Contains("128 items in a work-group, at most 64"), genocl::DeviceError);
    genocl::runtime::Kernel group_sums(device, "map.cl", "group_sums");
    group_sums.args(genocl::runtime::LocalBytes{8192}, cells).run(3, 16);
    CHECK_THROWS_WITH_AS(group_sums.args(genocl::runtime::LocalBytes{16384 + 64}, cells).run(3, 16),
                         doctest::Contains("bytes of local memory, at most 16384"), genocl::DeviceError);
  }
  for (const char* const wrong : {"64", "64:", ":16K", "64:16K:", "many:16K"}) {
    const Environment limits("GENOCL_DEVICE_LIMITS", wrong);
    CHECK_THROWS_AS(Device::pick(spec), genocl::InputError);
  }
}

}  // namespace
