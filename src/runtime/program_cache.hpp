// Compiled programs, kept in memory for a device and on disk where the driver does not do that itself.
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
#include <vector>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/kernel_source.hpp"

namespace genocl::runtime {

/// Program binaries as files. Whatever is wrong with a file, or with the folder, means a miss: never an error.
class BinaryCache {
 public:
  /// The folder is GENOCL_CACHE_DIR, else genocl in XDG_CACHE_HOME or in ~/.cache.
  BinaryCache();

  /// `key`: all that the binary depends on; it is stored in full and compared.
  std::optional<std::vector<unsigned char>> load(const std::string& key) const;
  /// Written beside and renamed, so that a reader sees a whole file or none.
  void store(const std::string& key, const std::vector<unsigned char>& binary) const;

 private:
  std::filesystem::path file_of(const std::string& key) const;

  std::filesystem::path folder_;
};

class ProgramCache {
 public:
  /// GENOCL_CACHE: "on", "off" or (default) "auto": on disk unless the driver is known to do it itself (PoCL, NVIDIA).
  ProgramCache(const cl::Context& context, const cl::Device& device, const DeviceInfo& info);

  /// Builds at the first request for this file and these options; requests for the same program from several threads
  /// build it once. Throws BuildError.
  cl::Program get(std::string_view file, const std::string& options);

  /// Counts the programs that were asked for.
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

  /// Does what Device::on_compiling says.
  void on_compiling(std::function<void()> call, double seconds);
  /// Does `work`, which may compile, and counts how long it takes while somebody wants to know.
  template <class Work>
  void count(Work&& work) {
    if (!counts_.load(std::memory_order_relaxed)) return work();
    const auto begin = std::chrono::steady_clock::now();
    work();
    count_seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }

 private:
  struct Entry {
    std::mutex mutex;
    cl::Program program;
  };
  cl::Program build(std::string_view file, const std::string& options) const;
  void count_seconds(double seconds);
  cl::Program build_source(std::string_view file, const std::string& source, const std::string& options) const;
  cl::Program build_binary(const std::vector<unsigned char>& binary, const std::string& options) const;

  cl::Context context_;
  cl::Device device_;
  std::string device_name_, device_key_;
  std::optional<BinaryCache> disk_;
  mutable std::mutex mutex_;
  std::optional<KernelSources> sources_;
  std::atomic<bool> counts_ = false;  // while on_compiling_ is not empty
  std::function<void()> on_compiling_;
  double seconds_left_ = 0;  // until it is called
  std::map<std::string, std::shared_ptr<Entry>, std::less<>> entries_;
};

}  // namespace genocl::runtime
