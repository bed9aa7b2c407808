// Kernels of compiled programs. Each is looked up once; a later launch builds no text, takes no lock and creates no
// OpenCL object.
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

/// One kernel of one program, and its idle kernel objects. A cl_kernel holds arguments, so one thread uses it at a
/// time.
class KernelEntry {
 public:
  KernelEntry(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines, bool ptx,
              cl::Program program);
  ~KernelEntry();
  KernelEntry(const KernelEntry&) = delete;
  KernelEntry& operator=(const KernelEntry&) = delete;

  /// A kernel object for exclusive use until give(). `device`: the device's name, for the error. Throws DeviceError.
  cl_kernel take(const std::string& device);
  void give(cl_kernel kernel) noexcept;

  const std::string& name() const noexcept { return name_; }
  /// True at the first call.
  bool is_first_launch() noexcept {
    return !launched_.load(std::memory_order_relaxed) && !launched_.exchange(true, std::memory_order_relaxed);
  }
  /// Hash of the file, the name and the defines.
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
  std::atomic<bool> launched_ = false;
  KernelEntry* next_ = nullptr;  // in the table's list
};

/// The kernels of a device. Entries are never removed.
class KernelTable {
 public:
  KernelTable() = default;
  ~KernelTable();
  KernelTable(const KernelTable&) = delete;
  KernelTable& operator=(const KernelTable&) = delete;

  /// The entry, or null. Lock-free.
  KernelEntry* find(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines,
                    bool ptx) const noexcept;
  /// The entry, created from `program` if absent.
  KernelEntry& add(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines, bool ptx,
                   const cl::Program& program);

  static std::uint64_t hash_of(std::string_view file, std::string_view name, const Defines& defines, bool ptx) noexcept;

 private:
  static constexpr std::size_t lists = 512;

  std::array<std::atomic<KernelEntry*>, lists> heads_{};
  std::mutex adding_;
};

}  // namespace genocl::runtime

// OpenCL's handle types.
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
  /// `file`: path inside cl/. Compiles at the first use. Throws BuildError.
  Kernel(const Device& device, std::string_view file, std::string_view name, const Defines& defines = {});
  Kernel(Kernel&& other) noexcept;
  Kernel& operator=(Kernel&&) = delete;
  ~Kernel();

  /// Sets all arguments in order: Array<T>, Span<T>, cl::Buffer, Scratch, LocalBytes, or a scalar of exactly the
  /// kernel's type.
  template <class... Args>
  Kernel& args(const Args&... args) {
    start_arguments();
    (set(args), ...);
    return *this;
  }

  /// Sets further arguments, after those of args().
  template <class... Args>
  Kernel& append(const Args&... args) {
    (set(args), ...);
    return *this;
  }

  /// Enqueues `groups` one-dimensional work-groups of `group_size` items and returns at once. 0 groups: no launch.
  /// `bytes`: bytes read and written, for the profile.
  void run(std::size_t groups, std::size_t group_size, std::uint64_t bytes = 0);

  /// Enqueues a range of up to three dimensions.
  struct Range {
    std::size_t x = 1, y = 1, z = 1;
  };
  void run(Range groups, Range group_size, std::uint64_t bytes = 0);

  /// The maximum work-group size of this kernel on the device.
  std::size_t max_group_size() const;

 private:
  template <class T>
  void set(const T& value) {
    if constexpr (std::is_same_v<T, LocalBytes>) {
      set_argument(value.bytes, nullptr);
    } else if constexpr (std::is_same_v<T, cl::Buffer>) {
      set_buffer(value);
    } else if constexpr (requires { value.view(); }) {
      set_view(value.view());
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
  /// Throws InputError for memory of another context.
  void set_memory(const DeviceMemory& memory);
  void set_buffer(const cl::Buffer& buffer);
  /// Throws InputError for memory of another context, and for an offset that the device cannot address.
  void set_view(const MemoryView& view);
  void set_handle(_cl_mem* memory);
  /// Throws DeviceError for a launch that exceeds simulated limits.
  void check_limits(Range group_size) const;

  Device device_;
  KernelEntry* entry_ = nullptr;
  _cl_kernel* kernel_ = nullptr;  // returned to the entry by the destructor
  // PoCL aborts if a buffer that is an argument is released before the launch.
  std::array<_cl_mem*, 40> held_;
  std::uint32_t held_count_ = 0;
  std::uint32_t next_ = 0;
};

}  // namespace genocl::runtime
