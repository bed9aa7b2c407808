// Files of named sections with checksums, written atomically and mapped into memory: indexes, databases.
//
// Small values are stored in Fields (a section "fields": mask, method, counts), names in one text section, and each
// table in its own section, in its memory layout:
//
//   const std::string text = fields.text();           // sections are views: their source must outlive the writing
//   write_section_file(path, kind, {section("fields", text), section("lengths", lengths), section("words", words)});
//
//   const auto file = SectionFile::open(path, kind);    // a shared_ptr: the State keeps it
//   const Fields fields = file->fields();               // of the section "fields"
//   std::span<const std::uint32_t> first = file->array<std::uint32_t>("first");   // lives as long as `file`
//
// A table that exceeds the memory is computed directly in the mapped file:
//
//   {made_section("residues", bytes, [&](std::span<std::byte> place) { ... })}
//
// A table in other memory, for example on a device, is streamed in pieces:
//
//   {streamed_section("positions", bytes, [&](const auto& sink) { sink(piece); ... })}
//
// Layout: a header of 64 bytes, the table of sections (64 bytes each), then the sections, each at a multiple of 4,096,
// with zeros between them. Numbers have the byte order of the machine that wrote the file, which the header records.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "genocl/files.hpp"
#include "runtime/platform.hpp"

namespace genocl::runtime {

/// The type of a file: its first bytes, and its name for messages.
struct FileKind {
  std::array<char, 3> letters;
  std::uint32_t version = 1;
  std::string_view name;     ///< "an index"
  std::string_view program;  ///< "genocl-marose"
};

/// Calls its argument with all bytes, in order, piece by piece.
using ByteStream = std::function<void(const std::function<void(std::span<const std::byte>)>&)>;

struct Section {
  std::string name;  ///< at most 31 bytes
  std::span<const std::byte> bytes;

  /// Replaces `bytes`: fills `made_size` bytes in any order. They are a mapping of the new file and initially zero. If
  /// it throws, no file remains.
  std::function<void(std::span<std::byte>)> make = {};
  std::uint64_t made_size = 0;
  /// Replaces `bytes` and `make`: provides `made_size` bytes. If it throws, no file remains.
  ByteStream stream = {};

  /// Returns whether the bytes are produced during the writing.
  bool is_made() const noexcept { return make || stream; }
  std::uint64_t size() const noexcept { return is_made() ? made_size : bytes.size(); }
};

template <class T>
Section section(std::string name, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {std::move(name), std::as_bytes(values)};
}
template <class T>
Section section(std::string name, const std::vector<T>& values) {
  return section(std::move(name), std::span<const T>(values));
}
inline Section section(std::string name, std::string_view text) {
  return section(std::move(name), std::span<const char>(text));
}
inline Section made_section(std::string name, std::uint64_t size, std::function<void(std::span<std::byte>)> make) {
  return {.name = std::move(name), .bytes = {}, .make = std::move(make), .made_size = size};
}
/// Writing throws InputError if `stream` provides more or fewer than `size` bytes.
inline Section streamed_section(std::string name, std::uint64_t size, ByteStream stream) {
  return {.name = std::move(name), .bytes = {}, .made_size = size, .stream = std::move(stream)};
}

/// Writes the file atomically: to a temporary file in the same folder, which is then renamed. `sync`: what a power
/// failure soon after may lose. Symbolic links are kept. Throws InputError with the system's reason (a full disk, a
/// missing folder), and for section names that are too long or duplicate. With a made or streamed section, throws also
/// for a path that is not a regular file (a pipe, a device).
void write_section_file(const std::string& path, const FileKind& kind, const std::vector<Section>& sections,
                        files::AtomicFile::Sync sync = files::AtomicFile::Sync::nothing);

/// Small values by name, one line `name=value` each.
class Fields {
 public:
  void set(const std::string& name, std::uint64_t value) { values_[name] = std::to_string(value); }
  /// Throws InputError for a value with a line break.
  void set(const std::string& name, std::string_view value);
  std::string text() const;

  Fields() = default;
  /// @param file Name for messages.
  Fields(std::string_view text, std::string file);
  /// These functions throw InputError for a missing value and an invalid number.
  std::uint64_t number(const std::string& name) const;
  const std::string& string(const std::string& name) const;

 private:
  std::map<std::string, std::string> values_;
  std::string file_;
};

/// A mapped file. After open(), only accessed parts use memory.
class SectionFile {
 public:
  /// Reads and checks the whole file once. Throws InputError, with the section if known, for a file that is of another
  /// kind, too long, truncated, damaged, or of another version or byte order. Sections in `unchecked` are not read;
  /// only their positions are checked.
  static std::shared_ptr<const SectionFile> open(const std::string& path, const FileKind& kind,
                                                 std::span<const std::string_view> unchecked = {});
  /// Returns whether the file begins with the signature of that kind; false for an unreadable file.
  static bool begins_as(const std::string& path, const FileKind& kind);
  ~SectionFile();
  SectionFile(const SectionFile&) = delete;
  SectionFile& operator=(const SectionFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  bool has(std::string_view name) const noexcept { return sections_.find(name) != sections_.end(); }
  /// The names of all sections, in alphabetical order.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, bytes] : sections_) all.push_back(name);
    return all;
  }
  /// Aligned to 4,096 bytes. Throws InputError if the section does not exist.
  std::span<const std::byte> section(std::string_view name) const;
  /// Throws InputError also if the size is not a multiple of T's.
  template <class T>
  std::span<const T> array(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::span<const std::byte> bytes = section(name);
    if (bytes.size() % sizeof(T) != 0) wrong_size(name, bytes.size(), sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  std::string_view text(std::string_view name) const {
    const std::span<const char> letters = array<char>(name);
    return {letters.data(), letters.size()};
  }
  Fields fields() const { return {text("fields"), path_}; }

 private:
  SectionFile(std::string path, const FileKind& kind) : path_(std::move(path)), kind_(kind) {}
  void map();
  void check(std::span<const std::string_view> unchecked);
  [[noreturn]] void wrong_size(std::string_view name, std::size_t bytes, std::size_t element) const;

  std::string path_;
  FileKind kind_;
  platform::Mapping map_;
  std::map<std::string, std::span<const std::byte>, std::less<>> sections_;
};

}  // namespace genocl::runtime
