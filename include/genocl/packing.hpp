// Serialisation of numbers and text for another process or run, of the same version on a machine of the same kind.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/export.hpp"

namespace genocl {

/// Appends values in their memory representation. Unpack them in the same order with the same types.
/// Not thread-safe: one thread at a time.
class Packer {
 public:
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  /// The bytes of all values including `value`.
  template <class T>
  std::string with(const T& value) && {
    add(value);
    return take();
  }
  void add_text(std::string_view text) {
    add(text.size());
    bytes_ += text;
  }
  template <class T>
  void add_list(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_text({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  const std::string& bytes() const noexcept { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads the result of a Packer; the bytes must outlive it. Every call throws Error if the bytes end early or a list
/// ends within a value.
/// Not thread-safe: one thread at a time.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : left_(bytes) {}

  template <class T>
  T next() {
    T value{};
    const std::string_view bytes = cut(sizeof value);
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string_view next_text() { return cut(next<std::size_t>()); }
  template <class T>
  std::vector<T> next_list() {
    const std::string_view bytes = next_text();
    if (bytes.size() % sizeof(T) != 0) fail("packed bytes that are no whole list");
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  bool empty() const noexcept { return left_.empty(); }

 private:
  [[noreturn]] GENOCL_EXPORT static void fail(const char* why);
  std::string_view cut(std::size_t count) {
    if (count > left_.size()) fail("packed bytes that are cut off");
    const std::string_view bytes = left_.substr(0, count);
    left_.remove_prefix(count);
    return bytes;
  }

  std::string_view left_;
};

/// Views of the same memory as text and as bytes.
inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::span<const std::byte> as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace genocl
