// What a message is made of, byte for byte: ranks of one job run the same program on the same kind of machine.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "genocl/error.hpp"

namespace genocl::cluster {

template <class T>
concept Plain = std::is_trivially_copyable_v<T>;

class MessageWriter {
 public:
  template <Plain T>
  void add(const T& value) {
    add_bytes(std::as_bytes(std::span(&value, 1)));
  }
  template <Plain T>
  void add_list(std::span<const T> values) {
    add(values.size());
    add_bytes(std::as_bytes(values));
  }
  const std::vector<std::byte>& bytes() const noexcept { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void add_bytes(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  std::vector<std::byte> bytes_;
};

class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <Plain T>
  T next() {
    T value{};
    copy(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  template <Plain T>
  std::vector<T> next_list() {
    std::vector<T> values(next<std::size_t>());
    copy(std::as_writable_bytes(std::span(values)));
    return values;
  }
  bool empty() const noexcept { return left_.empty(); }

 private:
  void copy(std::span<std::byte> to) {
    if (to.size() > left_.size()) throw Error("a message between ranks is cut off: please report this");
    if (!to.empty()) std::memcpy(to.data(), left_.data(), to.size());
    left_ = left_.subspan(to.size());
  }

  std::span<const std::byte> left_;
};

}  // namespace genocl::cluster
