// What the structures for range minima take.
#pragma once

#include <cstdint>

#include "genocl/overlap/rmq.hpp"

namespace genocl::overlap {

/// What a structure over `size` values takes besides them: what it keeps, the most while it is made, and its largest
/// buffer.
struct RmqMemory {
  std::uint64_t kept = 0, peak = 0, largest = 0;
};
RmqMemory rmq_memory(RmqStructure structure, std::uint64_t size);

}  // namespace genocl::overlap
