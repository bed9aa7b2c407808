// What the kernels for CPUs share: how wide their vectors are, and where results go.
#pragma once

#include <cstdint>

#include "genocl/device.hpp"
#include "jacobi/kernels/held_slices.hpp"

namespace genocl::jacobi {

/// Tiles and blocks begin at multiples of this many columns: whole vectors, aligned.
constexpr unsigned column_alignment = 64;

/// Cells in a vector: 64 bytes, which CPUs with shorter registers take in parts. GPUs (on which these kernels are
/// right, but no more) read vectors only where they are aligned: single cells there.
template <class T>
unsigned vector_lanes(const Device& device) {
  return device.info().type == DeviceType::cpu ? static_cast<unsigned>(64 / sizeof(T)) : 1;
}

/// Whether results leave the cache alone (PAST_CACHE): of a large grid they would be gone before the next pass reads
/// them, and a line that is not written whole is read first.
template <class T>
bool goes_past_cache(const Device& device, const HeldSlices& held) {
  // On a Xeon (260 MB of cache) 84 MB lost a third by it, 131 MB gained as much.
  constexpr std::uint64_t cached_bytes = std::uint64_t{96} << 20;
  return vector_lanes<T>(device) > 1 && held.elements() * sizeof(T) > cached_bytes;
}

}  // namespace genocl::jacobi
