// Works around an error of PoCL before 6.0, which aborts programs with several queues.
//
// PoCL caches a compiled kernel for each launch width, uses the widest that suffices, and at the end of a launch
// decrements the reference count of the first entry that it finds (lib/CL/devices/common.c,
// pocl_release_dlhandle_cache). If a launch wider than all previous ones runs concurrently with a narrower one of the
// same kernel, the counts go wrong and an assertion fails. Therefore a kernel's first launch and every wider one run
// alone: after all work of the process's PoCL queues, and the caller waits for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "genocl/device.hpp"

namespace genocl::runtime {

class DeviceQueue;

/// True if the driver has the error. `platform_version`: as OpenCL reports it ("OpenCL 3.0 PoCL 5.0 ...").
bool needs_launch_guard(std::string_view platform_version);

class PoclLaunchGuard {
 public:
  /// One per process, since all contexts share the kernels and their counts.
  static PoclLaunchGuard& instance();

  void add(const DeviceQueue* queue);
  void remove(const DeviceQueue* queue);

  /// Calls `launch`, which enqueues `width` work-items of the kernel `key` on `queue`; alone if necessary.
  template <class Launch>
  void run(std::uint64_t key, std::size_t width, const DeviceQueue& queue, Launch&& launch) {
    {
      const std::shared_lock lock(order_);
      if (known(key, width)) return launch();
    }
    const std::lock_guard lock(order_);
    if (known(key, width)) return launch();
    finish_all();
    launch();
    finish(queue);
    remember(key, width);
  }

 private:
  // PoCL caches 128 compiled kernels, each in possibly several widths, and evicts the least recently used.
  static constexpr std::size_t max_known = 32;

  bool known(std::uint64_t key, std::size_t width);
  void remember(std::uint64_t key, std::size_t width);
  void finish_all();
  static void finish(const DeviceQueue& queue);

  struct Widest {
    std::uint64_t key;
    std::size_t width;
  };

  std::shared_mutex order_;   // exclusive during a launch that runs alone
  std::mutex known_mutex_;    // guards recent_ and places_
  std::list<Widest> recent_;  // most recently used first
  std::unordered_map<std::uint64_t, std::list<Widest>::iterator> places_;
  std::mutex queues_mutex_;
  std::vector<const DeviceQueue*> queues_;
};

}  // namespace genocl::runtime
