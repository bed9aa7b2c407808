// What the kernels for CPUs share: how wide their vectors are.
#pragma once

#include "genocl/device.hpp"

namespace genocl::jacobi {

/// Tiles and blocks begin at multiples of this many columns: whole vectors, aligned.
constexpr unsigned column_alignment = 64;

/// Cells in a vector: 64 bytes, which CPUs with shorter registers take in parts. GPUs (on which these kernels are
/// right, but no more) read vectors only where they are aligned: single cells there.
template <class T>
unsigned vector_lanes(const Device& device) {
  return device.info().type == DeviceType::cpu ? static_cast<unsigned>(64 / sizeof(T)) : 1;
}

}  // namespace genocl::jacobi
