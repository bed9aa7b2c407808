// The header and the table of a section file.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "files/section_file.hpp"

namespace genocl::runtime::section_file {

/// A byte above 127, both kinds of line end, and the DOS end-of-text byte: they reveal a transfer in text mode.
constexpr std::array<char, 8> magic(const FileKind& kind) {
  return {'\x8d', kind.letters[0], kind.letters[1], kind.letters[2], '\r', '\n', '\x1a', '\n'};
}
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint64_t alignment = 4096;

struct Header {
  std::array<char, 8> magic_bytes = {};
  std::uint32_t byte_order_mark = byte_order;
  std::uint32_t format_version = 0;
  std::uint64_t file_size = 0;
  std::uint64_t section_count = 0;
  std::uint64_t table_checksum = 0;
  std::array<std::uint64_t, 2> reserved = {};  // zeros
  std::uint64_t header_checksum = 0;           // of the preceding bytes
};
static_assert(sizeof(Header) == 64);

struct Entry {
  std::array<char, 32> name = {};  // padded with zeros
  std::uint64_t begin = 0, size = 0;
  std::uint64_t bytes_checksum = 0;
  std::uint64_t reserved = 0;
};
static_assert(sizeof(Entry) == 64);

inline std::string_view name_of(const Entry& entry) {
  const auto end = std::find(entry.name.begin(), entry.name.end(), '\0');
  return {entry.name.data(), static_cast<std::size_t>(end - entry.name.begin())};
}

constexpr std::uint64_t aligned(std::uint64_t position) { return (position + alignment - 1) / alignment * alignment; }

}  // namespace genocl::runtime::section_file
