// One run of genocl-jacobi.
#pragma once

#include "jacobi/settings.hpp"

namespace program {

void relax_grid(const Settings& settings);

}  // namespace program
