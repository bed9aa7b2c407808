#include "runtime/pocl_launch_guard.hpp"

#include <algorithm>
#include <charconv>

#include "runtime/device_core.hpp"

namespace genocl::runtime {

bool needs_launch_guard(std::string_view platform_version) {
  std::size_t at = platform_version.find("PoCL ");
  if (at == std::string_view::npos) at = platform_version.find("pocl ");
  if (at == std::string_view::npos) return false;
  at += 5;
  int major = 0;
  const char* const end = platform_version.data() + platform_version.size();
  const auto [rest, error] = std::from_chars(platform_version.data() + at, end, major);
  return error != std::errc{} || major < 6;
}

PoclLaunchGuard& PoclLaunchGuard::instance() {
  // Never destroyed: queues of static Devices may be destroyed later than the library's statics.
  static auto* const only = new PoclLaunchGuard;
  return *only;
}

void PoclLaunchGuard::add(const DeviceQueue* queue) {
  const std::lock_guard lock(queues_mutex_);
  queues_.push_back(queue);
}

void PoclLaunchGuard::remove(const DeviceQueue* queue) {
  const std::lock_guard lock(queues_mutex_);
  std::erase(queues_, queue);
}

bool PoclLaunchGuard::known(std::uint64_t key, std::size_t width) {
  const std::lock_guard lock(known_mutex_);
  const auto place = places_.find(key);
  if (place == places_.end() || place->second->width < width) return false;
  recent_.splice(recent_.begin(), recent_, place->second);
  return true;
}

void PoclLaunchGuard::remember(std::uint64_t key, std::size_t width) {
  const std::lock_guard lock(known_mutex_);
  if (const auto place = places_.find(key); place != places_.end()) {
    place->second->width = width;
    recent_.splice(recent_.begin(), recent_, place->second);
    return;
  }
  recent_.push_front({key, width});
  places_[key] = recent_.begin();
  if (recent_.size() <= max_known) return;
  places_.erase(recent_.back().key);
  recent_.pop_back();
}

void PoclLaunchGuard::finish_all() {
  const std::lock_guard lock(queues_mutex_);
  // The owner of a queue with failed work gets the error.
  for (const DeviceQueue* const queue : queues_) clFinish(queue->queue()());
}

void PoclLaunchGuard::finish(const DeviceQueue& queue) { queue.finish(); }

}  // namespace genocl::runtime
