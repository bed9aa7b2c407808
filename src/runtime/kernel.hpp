// Kernels of built programs, each found once and then at hand: a launch that works builds no text, takes no lock and
// makes no OpenCL object.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/defines.hpp"

namespace genocl::runtime {

/// One kernel of one program, and the objects of it that nobody has at the moment. A cl_kernel holds arguments, so one
/// thread at a time has it.
class KernelEntry {
 public:
  KernelEntry(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines, bool ptx,
              cl::Program program);
  ~KernelEntry();
  KernelEntry(const KernelEntry&) = delete;
  KernelEntry& operator=(const KernelEntry&) = delete;

  /// A kernel object that nobody else has, until give(). `device` is the device's name, for the error. Throws
  /// DeviceError.
  cl_kernel take(const std::string& device);
  void give(cl_kernel kernel) noexcept;

  const std::string& name() const noexcept { return name_; }
  /// Is made of the file, the name and the defines, and is nearly sure to be no other kernel's.
  std::uint64_t hash() const noexcept { return hash_; }
  bool is(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines, bool ptx) const;

 private:
  friend class KernelTable;

  const std::uint64_t hash_;
  const std::string file_, name_;
  const Defines defines_;
  const bool ptx_;
  const cl::Program program_;
  std::array<std::atomic<cl_kernel>, 8> idle_{};
  KernelEntry* next_ = nullptr;  // in the table's list
};

/// Grows and never shrinks, as the programs of a device do.
class KernelTable {
 public:
  KernelTable() = default;
  ~KernelTable();
  KernelTable(const KernelTable&) = delete;
  KernelTable& operator=(const KernelTable&) = delete;

  /// The entry, or null. Takes no lock.
  KernelEntry* find(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines,
                    bool ptx) const noexcept;
  /// The entry of these, made of `program` where it is not there yet.
  KernelEntry& add(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines, bool ptx,
                   const cl::Program& program);

  static std::uint64_t hash_of(std::string_view file, std::string_view name, const Defines& defines, bool ptx) noexcept;

 private:
  static constexpr std::size_t lists = 512;

  std::array<std::atomic<KernelEntry*>, lists> heads_{};
  std::mutex adding_;
};

}  // namespace genocl::runtime

// OpenCL names its handles so.
struct _cl_kernel;  // NOLINT(bugprone-reserved-identifier)
struct _cl_mem;     // NOLINT(bugprone-reserved-identifier)

namespace genocl::runtime {

class KernelEntry;

/// A __local argument.
struct LocalBytes {
  std::size_t bytes;
};

class Kernel {
 public:
  /// `file` is named inside cl/. Compiles at first use. Throws BuildError.
  Kernel(const Device& device, std::string_view file, std::string_view name, const Defines& defines = {});
  Kernel(Kernel&& other) noexcept;
  Kernel& operator=(Kernel&&) = delete;
  ~Kernel();

  /// All arguments in order: Array<T>, cl::Buffer, Scratch, LocalBytes, or a scalar of exactly the kernel's type.
  template <class... Args>
  Kernel& args(const Args&... args) {
    start_arguments();
    (set(args), ...);
    return *this;
  }

  /// Enqueues `groups` work-groups of `group_size` items, one-dimensional; returns at once. Nothing happens for 0
  /// groups. `bytes`: read and written as the algorithm counts it, for the profile.
  void run(std::size_t groups, std::size_t group_size, std::uint64_t bytes = 0);

  /// Enqueues a range of up to three dimensions, in groups.
  struct Range {
    std::size_t x = 1, y = 1, z = 1;
  };
  void run(Range groups, Range group_size, std::uint64_t bytes = 0);

  /// The largest group this kernel can have on the device.
  std::size_t max_group_size() const;

 private:
  template <class T>
  void set(const T& value) {
    if constexpr (std::is_same_v<T, LocalBytes>) {
      set_argument(value.bytes, nullptr);
    } else if constexpr (std::is_same_v<T, cl::Buffer>) {
      set_buffer(value);
    } else if constexpr (requires { MemoryAccess::base(value); }) {
      set_memory(MemoryAccess::base(value));
    } else if constexpr (requires { value.buffer(); }) {
      set_handle(value.buffer()());  // scratch: the device's own
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      set_argument(sizeof(T), &value);
    }
  }
  void start_arguments() noexcept;
  void set_argument(std::size_t bytes, const void* value);
  /// Of this device's context. Throws InputError for other memory.
  void set_memory(const DeviceMemory& memory);
  void set_buffer(const cl::Buffer& buffer);
  void set_handle(_cl_mem* memory);

  Device device_;
  KernelEntry* entry_ = nullptr;
  _cl_kernel* kernel_ = nullptr;  // ours until it goes back to the entry
  // PoCL aborts when a buffer that is an argument is released before the launch.
  std::array<_cl_mem*, 40> held_;
  std::uint32_t held_count_ = 0;
  std::uint32_t next_ = 0;
};

}  // namespace genocl::runtime
