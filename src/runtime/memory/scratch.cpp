#include "runtime/memory/scratch.hpp"

#include <utility>

#include "genocl/error.hpp"
#include "runtime/device/access.hpp"

#include "runtime/check.hpp"
#include "runtime/device/device_core.hpp"

namespace genocl::runtime {

Scratch::Scratch(const Device& device, std::size_t bytes)
    : queue_(DeviceAccess::shared_queue(device)), memory_(queue_->take_scratch(bytes)) {}

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
  release_unused_scratch(device);
  const std::uint64_t free = core_of(device).free_memory();
  if (total > free) throw CapacityError(std::string(what_for) + " on " + info.name, total, free);
}

std::uint64_t usable_memory(const Device& device) {
  DeviceCore& core = core_of(device);
  return core.free_memory() + core.idle_scratch() + queue_of(device).kept_scratch();
}

void release_unused_scratch(const Device& device) {
  queue_of(device).finish();
  queue_of(device).release_scratch();
  core_of(device).release_idle_scratch();
}

}  // namespace genocl::runtime
