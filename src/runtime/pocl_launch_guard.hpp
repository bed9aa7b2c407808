// A way around an error of PoCL before 6.0, which makes programs with several queues abort.
//
// PoCL keeps a compiled kernel for each width of the launches it was compiled for, uses the widest that it has, and on
// a launch's end counts down the uses of the first that it finds (lib/CL/devices/common.c,
// pocl_release_dlhandle_cache). When a launch that is wider than any before begins beside a narrower one of the same
// kernel, the counts go wrong and an assertion fails. So a kernel's first launch and every wider one go alone: after
// all work of the process's queues on such devices, and waited for.
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

/// Does this driver have the error? `platform_version` as OpenCL gives it ("OpenCL 3.0 PoCL 5.0 ...").
bool needs_launch_guard(std::string_view platform_version);

class PoclLaunchGuard {
 public:
  /// The process has one, since all contexts share kernels and their counts.
  static PoclLaunchGuard& instance();

  void add(const DeviceQueue* queue);
  void remove(const DeviceQueue* queue);

  /// Calls `launch`, which enqueues `width` work-items of the kernel that `key` names on `queue`; alone where needed.
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
  // PoCL keeps 128 compiled kernels, each perhaps in several widths, and lets the ones not used for longest go.
  static constexpr std::size_t most_known = 32;

  bool known(std::uint64_t key, std::size_t width);
  void remember(std::uint64_t key, std::size_t width);
  void finish_all();
  static void finish(const DeviceQueue& queue);

  struct Widest {
    std::uint64_t key;
    std::size_t width;
  };

  std::shared_mutex order_;   // held alone by a launch that goes alone
  std::mutex known_mutex_;    // of what follows
  std::list<Widest> recent_;  // from the last used
  std::unordered_map<std::uint64_t, std::list<Widest>::iterator> places_;
  std::mutex queues_mutex_;
  std::vector<const DeviceQueue*> queues_;
};

}  // namespace genocl::runtime
