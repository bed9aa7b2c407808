// What was measured once is used by every later Device; what is damaged, of another driver, or switched off is not.
#include "genocl/tuning.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/helpers.hpp"
#include "runtime/launch.hpp"
#include "runtime/tuning.hpp"

using namespace genocl;
using namespace genocl_test;

namespace {

KernelFamily other_than(KernelFamily family) {
  return family == KernelFamily::cpu ? KernelFamily::gpu : KernelFamily::cpu;
}

/// What no kind of device has in any field.
Tuning odd(const Tuning& rule) {
  return {.family = other_than(rule.family),
          .search_family = rule.search_family,
          .relaxation_family = other_than(rule.relaxation_family),
          .workers_per_unit = 7,
          .groups_per_unit = 3,
          .group_size = 64,
          .packed_scores = !rule.packed_scores,
          .share = 12'345};
}

/// `text` with the first `from` in it replaced.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("tuning: a stored one is used, and a wrong file is not") {
  const TemporaryFolder folder;
  const Environment cache("GENOCL_CACHE_DIR", folder.path().string()), variant("GENOCL_VARIANT", nullptr),
      tuning("GENOCL_TUNING", nullptr);
  const DeviceInfo info = Device::pick().info();
  const Tuning rule = default_tuning(info), other = odd(rule);
  CHECK_FALSE(stored_tuning(info));
  CHECK(Device::pick().tuning() == rule);

  REQUIRE(store_tuning(info, other));
  CHECK(stored_tuning(info) == other);
  CHECK(Device::pick().tuning() == other);
  CHECK(Device::list(std::to_string(info.index)).at(0).tuning() == other);
  CHECK(Device(Device::pick().queue()).tuning() == other);
  {
    const Environment off("GENOCL_TUNING", "off");
    CHECK(Device::pick().tuning() == rule);
  }
  {
    const Environment wrong("GENOCL_TUNING", "maybe");
    CHECK_THROWS_AS(Device::pick(), InputError);
  }
  for (const KernelFamily family : {KernelFamily::cpu, KernelFamily::gpu}) {
    const Environment first("GENOCL_VARIANT", std::string(to_string(family)));
    Tuning expected = other;
    expected.family = expected.search_family = expected.relaxation_family = family;
    CHECK(Device::pick().tuning() == expected);
  }
  DeviceInfo newer = info;
  newer.driver_version += ".1";
  CHECK_FALSE(stored_tuning(newer));

  // One file, whatever it is called, in which the text can be read; each of its bytes changed once, and then cut off.
  const std::filesystem::path file = std::filesystem::directory_iterator(folder.path())->path();
  std::string bytes;
  {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  CHECK(bytes.find(to_string(other)) != std::string::npos);
  const auto put = [&](const std::string& changed) { std::ofstream(file, std::ios::binary) << changed; };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    put(changed);
    CHECK_FALSE(stored_tuning(info));
  }
  put(bytes.substr(0, bytes.size() - 1));
  CHECK_FALSE(stored_tuning(info));
  CHECK(Device::pick().tuning() == rule);
}

TEST_CASE("tuning: the text, and what is not one") {
  using runtime::parse_tuning;
  const Tuning one = odd({});
  const std::string text = to_string(one);
  CHECK(text ==
        "genocl tuning 1\nfamily=cpu\nsearch_family=gpu\nrelaxation_family=cpu\nworkers_per_unit=7\n"
        "groups_per_unit=3\ngroup_size=64\npacked_scores=yes\nshare=12345\n");
  CHECK(parse_tuning(text) == one);
  const std::string of_0_1 =
      replaced(replaced(replaced(text, "\nfamily=cpu", "\nfamily=lanes"), "search_family=gpu", "search_family=group"),
               "relaxation_family=cpu", "relaxation_family=lanes");
  CHECK(parse_tuning(of_0_1) == one);
  for (const runtime::KindOfDevice& kind : runtime::kinds_of_device)
    CHECK(parse_tuning(to_string(kind.tuning)) == kind.tuning);

  for (std::size_t length = 0; length < text.size(); ++length) CHECK_FALSE(parse_tuning(text.substr(0, length)));
  CHECK_FALSE(parse_tuning(text + "\n"));
  CHECK_FALSE(parse_tuning(text + "share=12345\n"));
  CHECK_FALSE(parse_tuning(text + "colour=7\n"));
  CHECK_FALSE(parse_tuning(replaced(text, "tuning 1", "tuning 2")));
  CHECK_FALSE(parse_tuning(replaced(text, "family=cpu", "family=line")));
  CHECK_FALSE(parse_tuning(replaced(text, "share", "sharp")));
  CHECK_FALSE(parse_tuning(replaced(text, "yes", "1")));
  for (const char* number : {"0", "257", "07", "+7", " 7", "7 ", "-7", "", "7.0", "4294967303", "seven"}) {
    CAPTURE(number);
    CHECK_FALSE(parse_tuning(replaced(text, "unit=7", std::string("unit=") + number)));
  }
  for (const char* number : {"1", "32", "63", "96", "512"}) {
    CAPTURE(number);
    CHECK_FALSE(parse_tuning(replaced(text, "size=64", std::string("size=") + number)));
  }
  CHECK_FALSE(parse_tuning(replaced(text, "groups_per_unit=3", "groups_per_unit=33")));
  CHECK_FALSE(parse_tuning(replaced(text, "12345", "1000001")));
  CHECK(parse_tuning(replaced(text, "12345", "1000000"))->share == 1'000'000);
}

TEST_CASE("tuning: what is out of bounds is refused before it is kept or used") {
  const TemporaryFolder folder;
  const Environment cache("GENOCL_CACHE_DIR", folder.path().string());
  const Device device = Device::pick();
  const Tuning rule = default_tuning(device.info());
  Tuning size = rule, workers = rule, groups = rule, share = rule;
  size.group_size = 32;
  workers.workers_per_unit = 0;
  groups.groups_per_unit = 0;
  share.share = 0;
  for (const Tuning& wrong : {size, workers, groups, share}) {
    CHECK_THROWS_AS(device.with_tuning(wrong), InputError);
    CHECK_THROWS_AS(store_tuning(device.info(), wrong), InputError);
  }
  CHECK_THROWS_WITH_AS(device.with_tuning(size), "group_size of a tuning: 32; expected a power of two from 64 to 256",
                       InputError);
  CHECK_FALSE(stored_tuning(device.info()));
}

TEST_CASE("tuning: of a device that nobody has measured, by type and vendor") {
  DeviceInfo info;
  info.vendor = "anybody";
  info.type = DeviceType::cpu;
  const Tuning cpu = default_tuning(info);
  CHECK(cpu.family == KernelFamily::cpu);
  CHECK(cpu.search_family == KernelFamily::cpu);
  CHECK(cpu.relaxation_family == KernelFamily::cpu);
  info.vendor = "Advanced Micro Devices, Inc.";
  CHECK(default_tuning(info) == cpu);
  info.type = DeviceType::gpu;
  CHECK(default_tuning(info).packed_scores);
  info.vendor = "anybody";
  for (const DeviceType type : {DeviceType::gpu, DeviceType::accelerator, DeviceType::other}) {
    info.type = type;
    const Tuning other = default_tuning(info);
    CHECK(other.relaxation_family == (type == DeviceType::accelerator ? KernelFamily::cpu : KernelFamily::gpu));
    if (type != DeviceType::accelerator) CHECK(other == Tuning{});
    CHECK(other.family == KernelFamily::gpu);
    CHECK(other.share > cpu.share);
  }
}

TEST_CASE("tuning: a launch has the shape that it says") {
  const Device device = Device::pick();
  const std::uint64_t units = std::max(1u, device.info().compute_units), many = std::uint64_t{1} << 40;
  Tuning tuning = device.tuning();
  tuning.workers_per_unit = 7;
  tuning.groups_per_unit = 3;
  tuning.group_size = 64;
  const Device odd_one = device.with_tuning(tuning);
  CHECK(runtime::workers_that_fill(odd_one) == 7 * units);
  CHECK(runtime::workers_that_fill(odd_one, 4) == units);
  CHECK(runtime::workers_that_fill(odd_one, 8) == units);
  CHECK(runtime::groups_that_fill(odd_one) == 3 * units);
  CHECK(runtime::share_out(odd_one, {}, many, 1, 1).workers == 7 * units);
  CHECK(runtime::share_out(odd_one, {.workers = 5}, many, 1, 1).workers == 5);
  CHECK(runtime::group_size(odd_one) == 64);
  CHECK(runtime::group_size(odd_one, {.group_size = 128}) == 128);
  CHECK(runtime::group_size(odd_one, {}, 256) == 256);
  CHECK(odd_one.with_own_queue().tuning() == tuning);
  CHECK(odd_one.companion().tuning() == tuning);
  CHECK(odd_one.without_vendor_paths().tuning() == tuning);
}

TEST_CASE("tuning: no folder to keep it in") {
  const Environment cache("GENOCL_CACHE_DIR", "/dev/null/none");
  const DeviceInfo info = Device::pick().info();
  CHECK_FALSE(store_tuning(info, default_tuning(info)));
  CHECK_FALSE(stored_tuning(info));
}
