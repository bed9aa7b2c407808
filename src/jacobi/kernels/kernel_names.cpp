#include "genocl/jacobi/solve.hpp"
#include "runtime/names.hpp"

namespace genocl::jacobi {
namespace {

constexpr runtime::Names<Kernel, 7> names = {{{Kernel::automatic, "auto"},
                                              {Kernel::naive, "naive"},
                                              {Kernel::local, "local"},
                                              {Kernel::blocked, "blocked"},
                                              {Kernel::strip, "strip"},
                                              {Kernel::stream, "stream"},
                                              {Kernel::rolling, "rolling"}}};

}  // namespace

std::string_view to_string(Kernel kernel) noexcept { return runtime::name_of(names, kernel); }

Kernel kernel_named(std::string_view name) { return runtime::value_named(names, "kernel", name); }

}  // namespace genocl::jacobi
