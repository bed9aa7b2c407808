#include <array>
#include <utility>

#include "genocl/align/searcher.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

constexpr std::array<std::pair<Kernel, std::string_view>, 6> names = {{{Kernel::automatic, "auto"},
                                                                       {Kernel::published, "published"},
                                                                       {Kernel::inter, "inter"},
                                                                       {Kernel::intra, "intra"},
                                                                       {Kernel::lanes, "lanes"},
                                                                       {Kernel::group, "group"}}};

}  // namespace

std::string_view to_string(Kernel kernel) noexcept {
  for (const auto& [one, name] : names)
    if (one == kernel) return name;
  return "?";
}

Kernel kernel_named(std::string_view name) {
  std::string known;
  for (const auto& [kernel, one] : names) {
    if (one == name) return kernel;
    known += (known.empty() ? "" : ", ") + std::string(one);
  }
  throw InputError("no kernel named " + in_quotes(name) + "; expected one of " + known);
}

}  // namespace genocl::align
