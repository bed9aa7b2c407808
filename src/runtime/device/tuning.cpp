#include "genocl/tuning.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/version.hpp"
#include "runtime/device/defaults.hpp"
#include "runtime/device/tuning_text.hpp"
#include "runtime/kernel/program_cache.hpp"

namespace genocl {
namespace {

bool is_off() {
  const char* variable = std::getenv("GENOCL_TUNING");
  const std::string choice = variable != nullptr ? variable : "";
  if (!choice.empty() && choice != "on" && choice != "off")
    throw InputError("GENOCL_TUNING", choice, "is not a choice", "on or off");
  return choice == "off";
}

/// A measurement is of these: another driver is another device, and another version of the library has other kernels.
std::string key_of(const DeviceInfo& device) {
  return "tuning " GENOCL_VERSION "\n" + device.platform + '\n' + device.platform_version + '\n' + device.name + '\n' +
         device.driver_version + '\n';
}

}  // namespace

Tuning default_tuning(const DeviceInfo& device) {
  const auto kind = std::find_if(
      runtime::kinds_of_device.begin(), runtime::kinds_of_device.end(), [&](const runtime::KindOfDevice& one) {
        return (!one.type || *one.type == device.type) && device.vendor.find(one.vendor) != std::string::npos;
      });
  return kind->tuning;  // the last is of any type and vendor
}

std::optional<Tuning> stored_tuning(const DeviceInfo& device) {
  if (is_off()) return std::nullopt;
  // Files of the cache have a checksum, and the key with it.
  const auto bytes = runtime::BinaryCache().load(key_of(device));
  if (!bytes) return std::nullopt;
  return runtime::parse_tuning({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

bool store_tuning(const DeviceInfo& device, const Tuning& tuning) {
  runtime::check_tuning(tuning);
  const std::string text = to_string(tuning);
  const runtime::BinaryCache cache;
  const std::vector<unsigned char> bytes(text.begin(), text.end());
  cache.store(key_of(device), bytes);
  return cache.load(key_of(device)) == bytes;
}

}  // namespace genocl
