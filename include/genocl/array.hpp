// Typed memory: Array<T> on a device, HostArray<T> on the host where the device copies at full speed.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "genocl/device.hpp"

namespace genocl {

namespace runtime {
/// A buffer and what counts it against its device's memory until the last copy goes.
struct Memory {
  cl::Buffer buffer;
  std::size_t bytes = 0;
  std::shared_ptr<const void> counted;  ///< Null for what the caller owns.
};
GENOCL_EXPORT Memory allocate(const Device& device, std::size_t bytes);
GENOCL_EXPORT void upload(const Device& device, const cl::Buffer& to, std::size_t offset, const void* from,
                          std::size_t bytes);
GENOCL_EXPORT void download(const Device& device, const cl::Buffer& from, std::size_t offset, void* to,
                            std::size_t bytes);
GENOCL_EXPORT void copy(const Device& device, const cl::Buffer& from, std::size_t from_offset, const cl::Buffer& to,
                        std::size_t to_offset, std::size_t bytes);
/// Fills the first `bytes` bytes with copies of a pattern of 1, 2, 4, 8, 16, ... 128 bytes.
GENOCL_EXPORT void fill(const Device& device, const cl::Buffer& buffer, const void* pattern, std::size_t pattern_bytes,
                        std::size_t bytes);
/// The caller's buffer, when it can stand for `size` elements on this device. Throws InputError for a null buffer, one
/// of another context or a smaller one.
GENOCL_EXPORT const cl::Buffer& check_adopted(const Device& device, const cl::Buffer& buffer, std::size_t size,
                                              std::size_t element_bytes);
struct UncheckedArray;
GENOCL_EXPORT void check_range(const char* what, std::size_t first, std::size_t count, std::size_t size);
/// Page-locked host memory.
GENOCL_EXPORT void* map_host(const Device& device, std::size_t bytes, Memory& memory);
GENOCL_EXPORT void unmap_host(const Device& device, const Memory& memory, void* pointer) noexcept;
}  // namespace runtime

/// `size` elements of T in the memory of a device. Owns an OpenCL buffer; moves, does not copy.
/// Transfers are ordered with everything else on the device's queue.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>, "an Array holds elements of a trivially copyable type");

 public:
  using value_type = T;

  Array() = default;

  /// Not initialised. Throws CapacityError when it is larger than one allocation of the device may be, or than is free.
  Array(const Device& device, std::size_t size)
      : device_(device), memory_(runtime::allocate(device, size * sizeof(T))), size_(size) {}

  /// A copy of host memory.
  Array(const Device& device, std::span<const T> host) : Array(device, host.size()) { upload(host); }

  /// A buffer of the caller's, of at least `size` elements, in the device's context; it stays the caller's. Throws
  /// InputError for a buffer of another context, and for a smaller one.
  static Array adopt(const Device& device, const cl::Buffer& buffer, std::size_t size) {
    return Array(device, runtime::check_adopted(device, buffer, size, sizeof(T)), size);
  }

  Array(Array&& other) noexcept
      : device_(std::move(other.device_)),
        memory_(std::exchange(other.memory_, {})),
        size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    device_ = std::move(other.device_);
    memory_ = std::exchange(other.memory_, {});
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  std::size_t size() const noexcept { return size_; }
  std::size_t bytes() const noexcept { return size_ * sizeof(T); }
  bool empty() const noexcept { return size_ == 0; }
  /// Never a null handle, even for an empty array (but for a default-constructed one).
  const cl::Buffer& buffer() const noexcept { return memory_.buffer; }

  /// Host to device, elements [first, first + host.size()). Returns when `host` may be changed again.
  /// Throws InputError past the end.
  void upload(std::span<const T> host, std::size_t first = 0) {
    runtime::check_range("upload", first, host.size(), size_);
    if (!host.empty()) runtime::upload(*device_, memory_.buffer, first * sizeof(T), host.data(), host.size_bytes());
  }
  /// Device to host; returns when `host` is filled.
  void download(std::span<T> host, std::size_t first = 0) const {
    runtime::check_range("download", first, host.size(), size_);
    if (!host.empty()) runtime::download(*device_, memory_.buffer, first * sizeof(T), host.data(), host.size_bytes());
  }
  std::vector<T> download() const {
    std::vector<T> host(size_);
    download(std::span<T>(host));
    return host;
  }
  /// Device to device.
  void copy_from(const Array& other, std::size_t count, std::size_t from = 0, std::size_t to = 0) {
    runtime::check_range("copy", from, count, other.size_);
    runtime::check_range("copy", to, count, size_);
    if (count != 0)
      runtime::copy(*device_, other.memory_.buffer, from * sizeof(T), memory_.buffer, to * sizeof(T),
                    count * sizeof(T));
  }
  void fill(const T& value) {
    if (size_ != 0) runtime::fill(*device_, memory_.buffer, &value, sizeof(T), bytes());
  }

  /// For the library's own use: whether the array may get another buffer, filled on this device's queue.
  bool may_swap_memory(const Device& device) const noexcept {
    return memory_.counted != nullptr && device_ && *device_ == device;
  }
  void swap_memory(runtime::Memory& other) noexcept { std::swap(memory_, other); }

 private:
  friend struct runtime::UncheckedArray;
  Array(const Device& device, const cl::Buffer& buffer, std::size_t size) : device_(device), size_(size) {
    memory_.buffer = buffer;
    memory_.bytes = size * sizeof(T);
  }

  std::optional<Device> device_;
  runtime::Memory memory_;
  std::size_t size_ = 0;
};

/// `size` elements of T in host memory that the device reads and writes at full speed (page-locked where the driver has
/// that: 6x faster transfers on an NVIDIA H200). Use it for what goes through upload() and download() again and again.
template <class T>
class HostArray {
  static_assert(std::is_trivially_copyable_v<T>, "a HostArray holds elements of a trivially copyable type");

 public:
  HostArray() = default;
  HostArray(const Device& device, std::size_t size)
      : device_(device), data_(static_cast<T*>(runtime::map_host(device, size * sizeof(T), memory_))), size_(size) {}
  HostArray(HostArray&& other) noexcept { *this = std::move(other); }
  HostArray& operator=(HostArray&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  ~HostArray() {
    if (data_ != nullptr) runtime::unmap_host(*device_, memory_, data_);
  }

  std::size_t size() const noexcept { return size_; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }

 private:
  std::optional<Device> device_;
  runtime::Memory memory_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace genocl
