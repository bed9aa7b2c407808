// Caches compiled programs: in memory per device, and on disk.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/kernel_source.hpp"

namespace genocl::runtime {

/// Program binaries in files. Any problem with a file or the folder is a cache miss, never an error.
class BinaryCache {
 public:
  /// Uses the folders in GENOCL_CACHE_DIR, separated by `:` (`;` on Windows), else genocl in XDG_CACHE_HOME or in
  /// ~/.cache.
  BinaryCache();

  /// `key`: everything that the binary depends on. It is stored in full and compared. Reads the first folder that has
  /// it.
  std::optional<std::vector<unsigned char>> load(const std::string& key) const;
  /// Writes to the first folder that can be written: a temporary file, which is renamed, so that a reader sees a
  /// complete file or none.
  void store(const std::string& key, const std::vector<unsigned char>& binary) const;

 private:
  std::vector<std::filesystem::path> folders_;
};

class ProgramCache {
  using Clock = std::chrono::steady_clock;

 public:
  /// GENOCL_CACHE: "on" reads and writes binaries on disk, "off" does neither. "auto" (default) reads them, and writes
  /// them unless the driver is known to cache programs (PoCL, NVIDIA). PoCL preprocesses a source before it looks into
  /// its cache (with its header 0.1 s a program); a stored binary saves that, but to get one, PoCL compiles each kernel
  /// once more.
  ProgramCache(const cl::Context& context, const cl::Device& device, const DeviceInfo& info);

  /// Compiles at the first request for this file, these options and this text in front of the file. Concurrent requests
  /// for one program compile it once. Throws BuildError.
  cl::Program get(std::string_view file, const std::string& options, const std::string& front = {});

  /// The number of programs requested so far.
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

  /// See Device::on_compiling().
  void on_compiling(std::function<void()> call, double seconds);
  /// See Device::compile_seconds().
  double compile_seconds() const;
  /// Calls `work` and measures its time. `compiles`: it compiles unless a cache has the kernel; otherwise it is
  /// measured only while a callback is set.
  template <class Work>
  void count(bool compiles, Work&& work) {
    if (!compiles && !counts_.load(std::memory_order_relaxed)) return work();
    const Clock::time_point begin = Clock::now();
    {
      const Timer timer(*this, begin);
      work();
    }
    if (counts_.load(std::memory_order_relaxed))
      count_seconds(std::chrono::duration<double>(Clock::now() - begin).count());
  }

 private:
  struct Entry {
    std::mutex mutex;
    cl::Program program;
  };
  /// Counts its lifetime, which starts at `begin`, as compilation.
  class Timer {
   public:
    Timer(ProgramCache& cache, Clock::time_point begin);
    ~Timer();

   private:
    ProgramCache& cache_;
  };

  cl::Program build(std::string_view file, const std::string& options, const std::string& front) const;
  void count_seconds(double seconds);
  /// `has_front`: the source has a caller's text in front of the file.
  cl::Program build_source(std::string_view file, const std::string& source, const std::string& options,
                           bool has_front) const;
  /// A program and the result of building it.
  std::pair<cl::Program, cl_int> compile(const std::string& source, const std::string& options) const;
  cl::Program build_binary(const std::vector<unsigned char>& binary, const std::string& options) const;

  cl::Context context_;
  cl::Device device_;
  std::string device_name_, device_key_;
  bool is_pocl_ = false;
  // PoCL: cl/common/builtins.clh, used instead of the driver's declarations until a program needs those.
  std::string declarations_;
  mutable std::atomic<bool> own_declarations_ = true;
  std::optional<BinaryCache> disk_;  // empty: neither read nor written
  bool stores_ = false;
  mutable std::mutex mutex_;
  std::optional<KernelSources> sources_;
  std::atomic<bool> counts_ = false;  // while on_compiling_ is not empty
  std::function<void()> on_compiling_;
  double seconds_left_ = 0;  // until the callback
  mutable std::mutex timing_mutex_;
  unsigned compiling_ = 0;             // threads
  Clock::time_point compiling_since_;  // of the first of them
  double compile_seconds_ = 0;         // before that
  std::map<std::string, std::shared_ptr<Entry>, std::less<>> entries_;
};

}  // namespace genocl::runtime
