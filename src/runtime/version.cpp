#include "genocl/version.hpp"

namespace genocl {

std::string_view version() noexcept { return GENOCL_VERSION; }

}  // namespace genocl
