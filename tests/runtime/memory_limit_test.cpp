#include "runtime/device_query.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "genocl/array.hpp"
#include "genocl/error.hpp"

namespace {

using genocl::Device;
using genocl::runtime::parse_bytes;

// While it lives, the variable has that value.
class Limit {
 public:
  explicit Limit(const char* value) { setenv("GENOCL_DEVICE_MEMORY", value, 1); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() { unsetenv("GENOCL_DEVICE_MEMORY"); }
};

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
  const Limit limit("1M");
  const Device device = Device::pick(spec);
  CHECK(device.info().global_memory == std::uint64_t{1} << 20);
  CHECK(device.info().max_allocation <= std::uint64_t{1} << 20);
  const genocl::Array<std::uint8_t> half(device, std::size_t{1} << 19);
  CHECK_THROWS_AS(genocl::Array<std::uint8_t>(device, (std::size_t{1} << 20) + 1), genocl::CapacityError);
  CHECK_THROWS_AS(genocl::Array<std::uint8_t>(device, (std::size_t{1} << 19) + 1), genocl::CapacityError);
}

TEST_CASE("a limit that is no number of bytes is an error of its own") {
  const std::string spec = std::to_string(Device::pick().info().index);
  const Limit limit("a lot");
  CHECK_THROWS_AS(Device::pick(spec), genocl::InputError);
}

}  // namespace
