// Bytes that are appended and may come to more than the memory holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "genocl/files.hpp"
#include "runtime/platform.hpp"

namespace genocl::align {

/// A file without a name, mapped; it is gone with the map.
class TemporaryMap {
 public:
  /// `size` zero bytes (not 0) in `folder`. Throws InputError with the system's reason (a full disk).
  TemporaryMap(const std::string& folder, std::uint64_t size);
  /// All bytes of the file, of which there is at least one.
  explicit TemporaryMap(files::SpillFile file);
  TemporaryMap(const TemporaryMap&) = delete;
  TemporaryMap& operator=(const TemporaryMap&) = delete;

  std::span<std::byte> bytes() const noexcept { return map_.bytes(); }

 private:
  platform::Mapping map_;
};

/// Holds `most` bytes in memory, and what is beyond in a temporary file.
class Spill {
 public:
  /// `folder`: of the temporary file, as SpillFile takes it.
  Spill(std::uint64_t most, std::string folder);

  /// Room in memory for so many bytes in all, or for `most`.
  void reserve(std::uint64_t bytes) {
    memory_.reserve(std::min(bytes, most_));
    platform::use_large_pages(memory_.data() + memory_.size(), memory_.capacity() - memory_.size());
  }
  /// Throws InputError with the system's reason (a full disk).
  void append(std::span<const std::byte> bytes);
  std::uint64_t size() const noexcept { return (file_ ? file_->size() : 0) + memory_.size(); }
  bool in_memory() const noexcept { return !file_ || file_->size() == 0; }
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
  std::optional<files::SpillFile> file_;
};

}  // namespace genocl::align
