// How a primitive is laid out on the device. The defaults suit every device: this is for benchmarks and tests.
#pragma once

#include <cstddef>

namespace genocl::primitives {

/// The last argument of most primitives; of segmented_sort() it is in the options, and sort() has none. 0 means: chosen
/// for the device. No result depends on it, floating-point sums included.
struct Tuning {
  /// `gpu` kernels: work-items of a group, a power of two from 64 up; lowered to what the device allows.
  unsigned group_size = 0;
  /// `cpu` kernels: workers that share the elements; lowered when there is too little work for so many.
  std::size_t workers = 0;
};

}  // namespace genocl::primitives
