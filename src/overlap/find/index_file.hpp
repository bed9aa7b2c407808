// A file of a suffix index, mapped into memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "files/section_file.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/host_text.hpp"
#include "genocl/overlap/suffix_index.hpp"

namespace genocl::overlap {

struct IndexFile {
  std::shared_ptr<const runtime::SectionFile> file;
  std::uint64_t size = 0;
  unsigned bits = 2;
  bool has_breaks = false;
  std::vector<std::uint8_t> alphabet;
  std::vector<std::uint64_t> begins;
  std::vector<std::string> names;
  // As in Text::State, of `file`.
  std::span<const std::uint64_t> words;
  std::span<const std::uint32_t> breaks, positions;

  /// Throws what SuffixIndex::open() throws, but where a device has too little memory.
  explicit IndexFile(const std::string& path);

  std::uint64_t text_bytes() const { return words.size_bytes() + breaks.size_bytes(); }
};

/// Writes the file of a text's index, whose positions are of 32 bits. Throws InputError for other names than
/// SuffixIndex takes, and for a text that is too long.
void save_index(const std::string& path, const HostText& text, const std::vector<std::string>& names,
                runtime::Section positions);

/// The index on a device. Throws CapacityError.
SuffixIndex bring_to(const Device& device, const IndexFile& file);

/// Throws InputError: positions of the index at `path` are in another order.
[[noreturn]] void wrong_order(const std::string& path);

}  // namespace genocl::overlap
