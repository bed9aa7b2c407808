// What the structures for range minima take.
#pragma once

#include <cstdint>

#include "genocl/overlap/rmq.hpp"

namespace genocl::overlap {

/// Of `size` values, those not included: what is kept, the most while it is made, the largest buffer.
struct RmqMemory {
  std::uint64_t kept = 0, peak = 0, largest = 0;
};
RmqMemory rmq_memory(RmqStructure structure, std::uint64_t size);

}  // namespace genocl::overlap
