// Compaction of a few elements in one launch, for select(), select_if(), partition_copy() and unique().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "primitives/expression.hpp"

namespace genocl::primitives {

/// True if compact_at_once() takes this number of elements. Explicit launch parameters are those of the other kernels.
inline bool compacts_at_once(std::uint64_t elements, const LaunchTuning& tuning) {
  return elements <= 2048 && tuning.group_size == 0 && tuning.workers == 0;
}

/// The elements to select from.
struct CompactedArray {
  cl::Buffer values, results;
  std::uint64_t capacity = 0;     ///< number of results; further ones are not written
  std::size_t element_bytes = 0;  ///< 0: no array
};

struct SmallCompaction {
  ExpressionSource source;  ///< with FLAG_PARAMETERS and FLAG_AT(i) of compact_small.cl
  std::uint64_t count = 0;
  bool indices = false;  ///< the results of `first` are the numbers of elements
  CompactedArray first, second;
  bool rejects = false;  ///< `second` takes the elements that are not selected
  cl::Buffer number;     ///< of selected elements, 64 bits
};

/// One launch. `flag_arguments`: those of FLAG_PARAMETERS.
void compact_at_once(const Device& device, const SmallCompaction& job, std::span<const cl::Buffer> flag_arguments);

}  // namespace genocl::primitives
