// Launch parameters of a primitive, for benchmarks and tests. The defaults suit every device.
#pragma once

#include <cstddef>

namespace genocl::primitives {

/// Last argument of most primitives. segmented_sort() has it in its options; sort() has none. 0: chosen for the device.
/// No result depends on it, including floating-point sums.
struct Tuning {
  /// `gpu` kernels: work-group size, a power of two of at least 64; reduced to the device's limit.
  unsigned group_size = 0;
  /// `cpu` kernels: number of workers; reduced if there is too little work.
  std::size_t workers = 0;
};

}  // namespace genocl::primitives
