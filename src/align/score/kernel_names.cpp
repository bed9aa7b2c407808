#include "genocl/align/searcher.hpp"
#include "runtime/names.hpp"

namespace genocl::align {
namespace {

constexpr runtime::Names<Kernel, 6> names = {{{Kernel::automatic, "auto"},
                                              {Kernel::published, "published"},
                                              {Kernel::inter, "inter"},
                                              {Kernel::intra, "intra"},
                                              {Kernel::cpu, "cpu"},
                                              {Kernel::gpu, "gpu"}}};

}  // namespace

std::string_view to_string(Kernel kernel) noexcept { return runtime::name_of(names, kernel); }

Kernel kernel_named(std::string_view name) {
  // "lanes" and "group" are the names of 0.1.
  if (name == "lanes") return Kernel::cpu;
  if (name == "group") return Kernel::gpu;
  return runtime::value_named(names, "kernel", name);
}

}  // namespace genocl::align
