// Berkman and Vishkin's structure: the Euler tour of the Cartesian tree, in blocks in which neighbours differ by one.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "overlap/rmq/rmq.hpp"

namespace genocl::overlap {

struct Bv1 {
  static constexpr std::uint64_t most_values = std::uint64_t{1} << 31;  ///< places in the tour are 32 bits

  unsigned log_block = 4;
  Array<std::uint32_t> firsts;        ///< [value]: where it stands in the tour first
  Array<std::uint32_t> tour, depths;  ///< 2 n - 1 of them
  Array<std::uint16_t> steps;         ///< [block]: the way through it
  Array<std::uint8_t> in_block;       ///< [steps][i][j]: where the minimum of places i..j is
  ArgminTable blocks;                 ///< of depths

  std::uint64_t bytes() const {
    return firsts.bytes() + tour.bytes() + depths.bytes() + steps.bytes() + in_block.bytes() + blocks.bytes();
  }
};

/// `size` is 1 or more.
RmqMemory bv1_memory(std::uint64_t size);

/// Nothing is waited for. `size`: 1 to most_values.
Bv1 make_bv1(const Device& device, const cl::Buffer& values, std::uint64_t size);

}  // namespace genocl::overlap
