// Typed memory: Array<T> on a device, HostArray<T> in page-locked host memory.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/span.hpp"

namespace genocl {

namespace runtime {
/// An OpenCL buffer or none. Owned buffers count against the memory of their device.
struct Memory {
  std::shared_ptr<const cl::Buffer> buffer;
  std::size_t bytes = 0;
  bool owned = false;  ///< false: memory of something else
};
struct MemoryAccess;
}  // namespace runtime

/// Type-independent base of Array.
class GENOCL_EXPORT DeviceMemory {
 public:
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

 protected:
  DeviceMemory() noexcept;
  DeviceMemory(DeviceMemory&&) noexcept;
  DeviceMemory& operator=(DeviceMemory&&) noexcept;
  ~DeviceMemory();

  DeviceMemory(const Device& device, std::size_t bytes);
  DeviceMemory(const Device& device, runtime::Memory memory);

  const cl::Buffer& buffer() const noexcept;
  /// The first `bytes` bytes.
  runtime::MemoryView view(std::size_t bytes) const noexcept;
  void upload(std::size_t offset, const void* from, std::size_t bytes);
  void download(std::size_t offset, void* to, std::size_t bytes) const;
  void copy_from(const DeviceMemory& other, std::size_t other_offset, std::size_t offset, std::size_t bytes);
  /// Fills the first `bytes` bytes with copies of a pattern of 1, 2, 4, 8, 16, 32, 64 or 128 bytes.
  void fill(const void* pattern, std::size_t pattern_bytes, std::size_t bytes);
  /// Throws InputError unless [first, first + count) is within [0, size).
  static void check_range(const char* what, std::size_t first, std::size_t count, std::size_t size);
  /// The size in bytes of `size` elements. Throws CapacityError on overflow.
  static std::size_t bytes_of(const Device& device, std::size_t size, std::size_t element_bytes);

 private:
  friend struct runtime::MemoryAccess;

  std::optional<Device> device_;
  runtime::Memory memory_;
};

/// Type-independent base of HostArray: page-locked host memory.
class GENOCL_EXPORT HostMemory {
 public:
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

 protected:
  HostMemory() noexcept;
  HostMemory(HostMemory&&) noexcept;
  HostMemory& operator=(HostMemory&&) noexcept;
  ~HostMemory();
  HostMemory(const Device& device, std::size_t size, std::size_t element_bytes);

  void* bytes() const noexcept { return data_; }

 private:
  std::optional<Device> device_;
  runtime::Memory memory_;
  void* data_ = nullptr;
};

/// `size` elements of T in device memory. Owns an OpenCL buffer; movable, not copyable. Converts to Span<T>. Transfers
/// are ordered with all other work on the device's queue. A moved-from array is empty. Not thread-safe.
template <class T>
class Array : private DeviceMemory {
  static_assert(std::is_trivially_copyable_v<T>, "an Array holds elements of a trivially copyable type");

 public:
  using value_type = T;

  Array() = default;

  /// Uninitialised. Throws CapacityError if the size exceeds the maximum allocation or the free memory.
  Array(const Device& device, std::size_t size)
      : DeviceMemory(device, bytes_of(device, size, sizeof(T))), size_(size) {}

  /// Copies host memory to the device.
  Array(const Device& device, std::span<const T> host) : Array(device, host.size()) { upload(host); }

  Array(Array&& other) noexcept : DeviceMemory(std::move(other)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    DeviceMemory::operator=(std::move(other));
    return *this;
  }

  std::size_t size() const noexcept { return size_; }
  std::size_t bytes() const noexcept { return size_ * sizeof(T); }
  bool empty() const noexcept { return size_ == 0; }
  /// Null only for a default-constructed or moved-from array. Include genocl/opencl.hpp to use it.
  using DeviceMemory::buffer;

  /// Views of the elements, valid while the array exists and is not moved from.
  Span<T> span() noexcept { return Span<T>(view(bytes())); }
  Span<const T> span() const noexcept { return Span<const T>(view(bytes())); }
  /// Elements [first, first + count). Throws InputError beyond the end.
  Span<T> subspan(std::size_t first, std::size_t count) { return span().subspan(first, count); }
  Span<const T> subspan(std::size_t first, std::size_t count) const { return span().subspan(first, count); }
  Span<T> first(std::size_t count) { return span().first(count); }
  Span<const T> first(std::size_t count) const { return span().first(count); }

  /// Copies host memory to elements [first, first + host.size()). Returns when `host` may be modified. Throws
  /// InputError beyond the end.
  void upload(std::span<const T> host, std::size_t first = 0) {
    check_range("upload", first, host.size(), size_);
    if (!host.empty()) DeviceMemory::upload(first * sizeof(T), host.data(), host.size_bytes());
  }
  /// Copies elements [first, first + host.size()) to host memory. Waits. Throws InputError beyond the end.
  void download(std::span<T> host, std::size_t first = 0) const {
    check_range("download", first, host.size(), size_);
    if (!host.empty()) DeviceMemory::download(first * sizeof(T), host.data(), host.size_bytes());
  }
  std::vector<T> download() const {
    std::vector<T> host(size_);
    download(std::span<T>(host));
    return host;
  }
  /// Copies elements [from, from + count) of `other` to [to, to + count) on the device. Does not wait. Throws
  /// InputError beyond the end, for an array of another context, and if the ranges overlap.
  void copy_from(const Array& other, std::size_t count, std::size_t from = 0, std::size_t to = 0) {
    check_range("copy", from, count, other.size_);
    check_range("copy", to, count, size_);
    if (count != 0) DeviceMemory::copy_from(other, from * sizeof(T), to * sizeof(T), count * sizeof(T));
  }
  /// Sets all elements. For element sizes of 1, 2, 4, 8, 16, 32, 64 or 128 bytes. Does not wait.
  void fill(const T& value) {
    static_assert(sizeof(T) <= 128 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                  "Array::fill() needs elements of 1, 2, 4, 8, 16, 32, 64 or 128 bytes");
    if (size_ != 0) DeviceMemory::fill(&value, sizeof(T), bytes());
  }

 private:
  friend struct runtime::MemoryAccess;
  Array(const Device& device, runtime::Memory memory, std::size_t size)
      : DeviceMemory(device, std::move(memory)), size_(size) {}

  std::size_t size_ = 0;
};

/// `size` elements of T in page-locked host memory (mapped buffers): transfers on an NVIDIA H200 are six times faster.
/// For memory that is repeatedly passed to upload() and download().
template <class T>
class HostArray : private HostMemory {
  static_assert(std::is_trivially_copyable_v<T>, "a HostArray holds elements of a trivially copyable type");

 public:
  HostArray() = default;
  HostArray(const Device& device, std::size_t size) : HostMemory(device, size, sizeof(T)), size_(size) {}
  HostArray(HostArray&& other) noexcept : HostMemory(std::move(other)), size_(std::exchange(other.size_, 0)) {}
  HostArray& operator=(HostArray&& other) noexcept {
    HostMemory::operator=(std::move(other));
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  std::size_t size() const noexcept { return size_; }
  T* data() noexcept { return static_cast<T*>(bytes()); }
  const T* data() const noexcept { return static_cast<const T*>(bytes()); }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size_; }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }

 private:
  std::size_t size_ = 0;
};

}  // namespace genocl
