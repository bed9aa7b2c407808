// Checks of indices and offsets that GENOCL_CHECK=1 in the environment enables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"

namespace genocl::primitives {

namespace detail {
struct SegmentOffsets;
}

/// `count` numbers of `bytes` bytes, 4 or 8, in device memory.
struct CheckedNumbers {
  const cl::Buffer& buffer;
  std::uint64_t count;
  std::size_t bytes;
};

/// With GENOCL_CHECK=1, waits for the device and throws InputError for the first index that is not below `bound`.
/// Otherwise does nothing. `function`: the name of the call. Uses the scratch memory of the device's queue.
void check_indices(const Device& device, const char* function, const CheckedNumbers& indices, std::uint64_t bound);
/// The same for the first offset that exceeds `bound` or is smaller than the offset before it.
void check_offsets(const Device& device, const char* function, const CheckedNumbers& offsets, std::uint64_t bound);

/// The number of segments of `offsets`. Throws InputError without offsets.
std::uint64_t segments_of(const char* function, const detail::SegmentOffsets& offsets);

}  // namespace genocl::primitives
