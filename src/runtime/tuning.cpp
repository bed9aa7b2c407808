#include "runtime/tuning.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/tuning.hpp"
#include "genocl/version.hpp"
#include "runtime/program_cache.hpp"

namespace genocl {
namespace runtime {
namespace {

/// Another version has other names or meanings.
constexpr std::string_view first_line = "genocl tuning 1";

struct Bounds {
  std::uint32_t least, most;
  bool power_of_two = false;

  bool allow(std::uint32_t value) const {
    return value >= least && value <= most && (!power_of_two || std::has_single_bit(value));
  }
};

/// Families and booleans have no bounds.
constexpr Bounds any = {0, 1};

/// Calls `field(name, value, bounds)` for each value in the order of the text. `T`: Tuning, const or not.
template <class T, class Field>
void for_each_field(T& tuning, const Field& field) {
  field("family", tuning.family, any);
  field("search_family", tuning.search_family, any);
  field("relaxation_family", tuning.relaxation_family, any);
  field("workers_per_unit", tuning.workers_per_unit, Bounds{1, 256});
  field("groups_per_unit", tuning.groups_per_unit, Bounds{1, 32});
  // Maximum 256: AMD's compiler supports no more by default, and elsewhere a kernel with many registers cannot be
  // launched with more.
  field("group_size", tuning.group_size, Bounds{64, 256, true});
  field("packed_scores", tuning.packed_scores, any);
  field("share", tuning.share, Bounds{1, 1000000});
}

std::string text_of(KernelFamily family) { return std::string(to_string(family)); }
std::string text_of(bool choice) { return choice ? "yes" : "no"; }
std::string text_of(std::uint32_t number) { return std::to_string(number); }

bool read(std::string_view text, KernelFamily& family) {
  family = text == to_string(KernelFamily::cpu) ? KernelFamily::cpu : KernelFamily::gpu;
  return text == to_string(family);
}
bool read(std::string_view text, bool& choice) {
  choice = text == "yes";
  return choice || text == "no";
}
bool read(std::string_view text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_allowed(std::uint32_t value, const Bounds& bounds) { return bounds.allow(value); }
template <class T>
bool is_allowed(T, const Bounds&) {
  return true;
}

}  // namespace

std::optional<Tuning> parse_tuning(std::string_view stored) {
  // Version 0.1 wrote the families as "lanes" and "group".
  std::string whole(stored);
  for (const auto& [old, family] : {std::pair("family=lanes\n", "family=cpu\n"), {"family=group\n", "family=gpu\n"}})
    for (std::size_t at; (at = whole.find(old)) != std::string::npos;)
      whole.replace(at, std::string_view(old).size(), family);
  std::string_view text = whole;
  const auto line = [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
  };
  if (line() != first_line) return std::nullopt;
  Tuning tuning;
  bool right = true;
  for_each_field(tuning, [&](std::string_view name, auto& value, const Bounds& bounds) {
    const std::string_view one = line();
    right = right && one.size() > name.size() && one.substr(0, name.size()) == name && one[name.size()] == '=' &&
            read(one.substr(name.size() + 1), value) && is_allowed(value, bounds);
  });
  // Rejects other spellings of the same values (07, no last line feed) and additional lines.
  return right && to_string(tuning) == whole ? std::optional(tuning) : std::nullopt;
}

void check_tuning(const Tuning& tuning) {
  for_each_field(tuning, [](std::string_view name, const auto& value, const Bounds& bounds) {
    if (is_allowed(value, bounds)) return;
    throw InputError({}, std::string(name) + " of a tuning", text_of(value),
                     (bounds.power_of_two ? "a power of two from " : "") + std::to_string(bounds.least) + " to " +
                         std::to_string(bounds.most));
  });
}

}  // namespace runtime

std::string to_string(const Tuning& tuning) {
  std::string text = std::string(runtime::first_line) + '\n';
  runtime::for_each_field(tuning, [&](std::string_view name, const auto& value, const runtime::Bounds&) {
    text += std::string(name) + '=' + runtime::text_of(value) + '\n';
  });
  return text;
}

namespace {

bool is_off() {
  const char* variable = std::getenv("GENOCL_TUNING");
  const std::string choice = variable != nullptr ? variable : "";
  if (!choice.empty() && choice != "on" && choice != "off")
    throw InputError("GENOCL_TUNING", choice, "is not a choice", "on or off");
  return choice == "off";
}

/// The key of a measurement: it is valid for one driver and one version of the library.
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
  return kind->tuning;  // the last row matches any device
}

std::optional<Tuning> stored_tuning(const DeviceInfo& device) {
  if (is_off()) return std::nullopt;
  // Cache files have a checksum over key and content.
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
