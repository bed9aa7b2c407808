#include "runtime/scratch.hpp"

#include <utility>

#include "genocl/error.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"

namespace genocl::runtime {

Scratch::Scratch(const Device& device, std::size_t bytes)
    : queue_(queue_of(device).shared_from_this()), memory_(queue_->take_scratch(bytes)) {}

Scratch::~Scratch() {
  if (queue_) queue_->give_scratch(std::move(memory_));
}

void Scratch::swap(Scratch& other) noexcept {
  std::swap(queue_, other.queue_);
  std::swap(memory_, other.memory_);
}

void check_capacity(const Device& device, const char* what_for, std::uint64_t largest_buffer, std::uint64_t total) {
  const DeviceInfo& info = device.info();
  if (largest_buffer > info.max_allocation)
    throw CapacityError(std::string(what_for) + " on " + info.name, largest_buffer, info.max_allocation);
  if (total <= core_of(device).free_memory()) return;
  queue_of(device).finish();
  queue_of(device).release_scratch();
  const std::uint64_t free = core_of(device).free_memory();
  if (total > free) throw CapacityError(std::string(what_for) + " on " + info.name, total, free);
}

}  // namespace genocl::runtime
