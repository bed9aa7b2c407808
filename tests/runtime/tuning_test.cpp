// What was measured once is used by every later Device; what is damaged, of another driver, or switched off is not.
#include "genocl/tuning.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "genocl/error.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl_test;

TEST_CASE("tuning: a stored one is used, and a wrong file is not") {
  const TemporaryFolder folder;
  const Environment cache("GENOCL_CACHE_DIR", folder.path().string()), variant("GENOCL_VARIANT", nullptr),
      tuning("GENOCL_TUNING", nullptr);
  const DeviceInfo info = Device::pick().info();
  const Tuning rule = default_tuning(info);
  const Tuning other{rule.family == KernelFamily::lanes ? KernelFamily::group : KernelFamily::lanes};
  CHECK_FALSE(stored_tuning(info));
  CHECK(Device::pick().family() == rule.family);

  REQUIRE(store_tuning(info, other));
  CHECK(stored_tuning(info) == other);
  CHECK(Device::pick().family() == other.family);
  {
    const Environment off("GENOCL_TUNING", "off");
    CHECK(Device::pick().family() == rule.family);
  }
  {
    const Environment wrong("GENOCL_TUNING", "maybe");
    CHECK_THROWS_AS(Device::pick(), InputError);
  }
  {
    const Environment first("GENOCL_VARIANT", std::string(to_string(rule.family)));
    CHECK(Device::pick().family() == rule.family);
  }
  DeviceInfo newer = info;
  newer.driver_version += ".1";
  CHECK_FALSE(stored_tuning(newer));

  // One file, whatever it is called; each of its bytes changed once, and then cut off.
  const std::filesystem::path file = std::filesystem::directory_iterator(folder.path())->path();
  std::string bytes;
  {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  REQUIRE(!bytes.empty());
  const auto put = [&](const std::string& changed) { std::ofstream(file, std::ios::binary) << changed; };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    put(changed);
    CHECK_FALSE(stored_tuning(info));
  }
  put(bytes.substr(0, bytes.size() - 1));
  CHECK_FALSE(stored_tuning(info));
  CHECK(Device::pick().family() == rule.family);
}

TEST_CASE("tuning: no folder to keep it in") {
  const Environment cache("GENOCL_CACHE_DIR", "/dev/null/none");
  const DeviceInfo info = Device::pick().info();
  CHECK_FALSE(store_tuning(info, default_tuning(info)));
  CHECK_FALSE(stored_tuning(info));
}
