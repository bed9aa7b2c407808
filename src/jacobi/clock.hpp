// Tells the time by which runs are measured.
#pragma once

#include <chrono>

namespace genocl::jacobi {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace genocl::jacobi
