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

#include "genocl/opencl.hpp"
#include "runtime/kernel/defines.hpp"

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
