// Bytes that are appended and may come to more than the memory holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace genocl::align {

/// A file without a name, mapped; it is gone with the map.
class TemporaryMap {
 public:
  /// `size` zero bytes (not 0) in `folder`. Throws InputError with the system's reason (a full disk).
  TemporaryMap(const std::string& folder, std::uint64_t size);
  /// Takes the file over. `folder` is for messages.
  TemporaryMap(int descriptor, const std::string& folder, std::uint64_t size);
  ~TemporaryMap();
  TemporaryMap(const TemporaryMap&) = delete;
  TemporaryMap& operator=(const TemporaryMap&) = delete;

  std::span<std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

/// Holds `most` bytes in memory, and what is beyond in a temporary file.
class Spill {
 public:
  /// `folder`: of the temporary file; empty: TMPDIR, /var/tmp or /tmp.
  Spill(std::uint64_t most, std::string folder);
  Spill(Spill&&) noexcept;
  Spill& operator=(Spill&&) noexcept;
  ~Spill();

  /// Throws InputError with the system's reason (a full disk).
  void append(std::span<const std::byte> bytes);
  std::uint64_t size() const noexcept { return spilled_ + memory_.size(); }
  bool in_memory() const noexcept { return spilled_ == 0; }
  const std::string& folder() const noexcept { return folder_; }

  /// What was appended, in order; nothing can be appended any more.
  struct Content {
    std::vector<std::byte> memory;
    std::unique_ptr<TemporaryMap> map;

    std::span<const std::byte> bytes() const noexcept {
      return map ? std::span<const std::byte>(map->bytes()) : std::span<const std::byte>(memory);
    }
  };
  Content finish();

 private:
  void write_out();

  std::uint64_t most_;
  std::string folder_;
  std::vector<std::byte> memory_;
  std::uint64_t spilled_ = 0;
  int descriptor_ = -1;
};

}  // namespace genocl::align
