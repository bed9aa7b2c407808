#include "genocl/align/searcher.hpp"
#include "runtime/names.hpp"

namespace genocl::align {
namespace {

constexpr runtime::Names<Kernel, 6> names = {{{Kernel::automatic, "auto"},
                                              {Kernel::published, "published"},
                                              {Kernel::inter, "inter"},
                                              {Kernel::intra, "intra"},
                                              {Kernel::lanes, "lanes"},
                                              {Kernel::group, "group"}}};

}  // namespace

std::string_view to_string(Kernel kernel) noexcept { return runtime::name_of(names, kernel); }

Kernel kernel_named(std::string_view name) { return runtime::value_named(names, "kernel", name); }

}  // namespace genocl::align
