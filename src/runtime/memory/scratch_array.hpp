// An array in memory that the device keeps for the next one: allocating anew costs a GPU as much as several launches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "genocl/array.hpp"
#include "runtime/device/access.hpp"
#include "runtime/memory/scratch.hpp"

namespace genocl::runtime {

/// All work on it must be in the device's queue.
template <class T>
class ScratchArray : public Array<T> {
 public:
  ScratchArray() = default;
  ScratchArray(const Device& device, std::size_t size) : scratch_(device, std::max<std::size_t>(size, 1) * sizeof(T)) {
    // No view of the memory stays behind: it would keep sorts from exchanging buffers.
    array() = unchecked_array<T>(device, Array<T>().buffer(), size);
    scratch_.swap_memory(array());
  }
  ScratchArray(ScratchArray&& other) noexcept { *this = std::move(other); }
  ScratchArray& operator=(ScratchArray&& other) noexcept {
    std::swap(array(), other.array());
    std::swap(scratch_, other.scratch_);
    return *this;
  }
  ~ScratchArray() { scratch_.swap_memory(array()); }

 private:
  Array<T>& array() noexcept { return *this; }

  Scratch scratch_;
};

}  // namespace genocl::runtime
