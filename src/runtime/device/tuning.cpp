#include "genocl/tuning.hpp"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/version.hpp"
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
  return {.family = device.type == DeviceType::cpu ? KernelFamily::lanes : KernelFamily::group};
}

std::optional<Tuning> stored_tuning(const DeviceInfo& device) {
  if (is_off()) return std::nullopt;
  // Files of the cache have a checksum, and the key with it.
  const auto bytes = runtime::BinaryCache().load(key_of(device));
  if (!bytes) return std::nullopt;
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  for (const KernelFamily family : {KernelFamily::lanes, KernelFamily::group})
    if (text == to_string(family)) return Tuning{family};
  return std::nullopt;
}

bool store_tuning(const DeviceInfo& device, const Tuning& tuning) {
  const std::string_view text = to_string(tuning.family);
  const runtime::BinaryCache cache;
  const std::vector<unsigned char> bytes(text.begin(), text.end());
  cache.store(key_of(device), bytes);
  return cache.load(key_of(device)) == bytes;
}

}  // namespace genocl
