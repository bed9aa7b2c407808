// Arrays of memory that is not asked about: that is exchanged for other memory at once, or, in tests of what is refused
// by size alone, smaller than is claimed.
#pragma once

#include <cstddef>

#include "genocl/array.hpp"

namespace genocl::runtime {

struct UncheckedArray {
  /// As Array<T>::adopt(), but nothing is asked of the buffer: no element may be touched that it does not have.
  template <class T>
  static Array<T> of(const Device& device, const cl::Buffer& buffer, std::size_t size) {
    return Array<T>(device, buffer, size);
  }
};

}  // namespace genocl::runtime
