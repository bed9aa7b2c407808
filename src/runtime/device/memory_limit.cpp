#include "runtime/device/memory_limit.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>

#include "genocl/error.hpp"

namespace genocl::runtime {

std::uint64_t parse_bytes(std::string_view what, std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  unsigned shift = 0;
  if (rest != end) {
    const std::size_t unit = std::string_view("KMGT").find(static_cast<char>(*rest & ~0x20));
    shift = unit == std::string_view::npos || rest + 1 != end ? 64 : 10 * static_cast<unsigned>(unit + 1);
  }
  if (error != std::errc() || number == 0 || shift == 64 || number > UINT64_MAX >> shift)
    throw InputError(std::string(what), std::string(text), "is no number of bytes", "one like 800M or 24G");
  return number << shift;
}

void limit_memory(DeviceInfo& info) {
  if (info.platform.find("NVIDIA") != std::string::npos) info.max_allocation = info.global_memory;
  if (const char* const limit = std::getenv("GENOCL_DEVICE_MEMORY"); limit != nullptr && *limit != '\0')
    info.global_memory = std::min(info.global_memory, parse_bytes("GENOCL_DEVICE_MEMORY", limit));
  info.max_allocation = std::min(info.max_allocation, info.global_memory);
}

}  // namespace genocl::runtime
