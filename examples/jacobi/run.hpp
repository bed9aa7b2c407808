// One run of genocl-jacobi.
#pragma once

#include "jacobi/settings.hpp"

namespace program {

void run(const Settings& settings);

}  // namespace program
