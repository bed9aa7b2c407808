// Files of named pieces of bytes with checksums, written whole or not at all, and mapped into memory: indexes,
// databases.
//
// How it is used: what is small goes into Fields (a section "fields": mask, method, counts),
// names into one section of text, and every table into a section of its own, as it lies in memory:
//
//   const std::string text = fields.text();           // sections are views: what they show stays until they are
//   written write_section_file(path, kind, {section("fields", text), section("lengths", lengths), section("words",
//   words)});
//
//   const auto file = SectionFile::open(path, kind);    // a shared_ptr: the State keeps it
//   const Fields fields = file->fields();             // of the section "fields"
//   std::span<const std::uint32_t> first = file->array<std::uint32_t>("first");   // lives as long as `file`
//
// A table that does not fit the memory is made in its place in the file:
//
//   {made_section("residues", bytes, [&](std::span<std::byte> place) { ... })}
//
// One that lies elsewhere, on a device, comes in pieces:
//
//   {streamed_section("positions", bytes, [&](const auto& sink) { sink(piece); ... })}
//
// Layout: a header of 64 bytes, the table of sections (64 bytes each), then the sections, each from a multiple of 4,096
// on, with zeros between them. Numbers are in the byte order of the machine that wrote the file, which the header
// tells.
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

#include "runtime/platform.hpp"

namespace genocl::runtime {

/// What a file is: its first bytes, and how messages call it.
struct FileKind {
  std::array<char, 3> letters;
  std::uint32_t version = 1;
  std::string_view name;     ///< "an index"
  std::string_view program;  ///< "genocl-marose"
};

/// Calls what it is given with all bytes, in order, one piece after the other.
using ByteStream = std::function<void(const std::function<void(std::span<const std::byte>)>&)>;

struct Section {
  std::string name;  ///< at most 31 bytes
  std::span<const std::byte> bytes;

  /// In place of `bytes`: fills `made_size` bytes, in any order; they are a map of the new file and zeros before. What
  /// it throws leaves no file.
  std::function<void(std::span<std::byte>)> make = {};
  std::uint64_t made_size = 0;
  /// In place of `bytes` and `make`: gives the `made_size` bytes. What it throws leaves no file.
  ByteStream stream = {};

  /// Whether it has no bytes before it is written.
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
/// A `stream` that gives more or fewer than `size` bytes is an error of the caller's: InputError.
inline Section streamed_section(std::string name, std::uint64_t size, ByteStream stream) {
  return {.name = std::move(name), .bytes = {}, .made_size = size, .stream = std::move(stream)};
}

/// Appears whole or not at all: written beside its place, on the disk, then renamed. A symbolic link stays one.
/// Throws InputError with the system's reason (a full disk, a missing folder), and for names of sections that are too
/// long or come twice; with a section that is made or streamed also for a path that is no regular file (a pipe, a
/// device).
void write_section_file(const std::string& path, const FileKind& kind, const std::vector<Section>& sections);

/// Small values by name, one `name=value` a line.
class Fields {
 public:
  void set(const std::string& name, std::uint64_t value) { values_[name] = std::to_string(value); }
  /// Throws InputError for a value with a line break.
  void set(const std::string& name, std::string_view value);
  std::string text() const;

  Fields() = default;
  /// `file` is for messages.
  Fields(std::string_view text, std::string file);
  /// Throw InputError for one that is missing or no number.
  std::uint64_t number(const std::string& name) const;
  const std::string& string(const std::string& name) const;

 private:
  std::map<std::string, std::string> values_;
  std::string file_;
};

/// A file in memory (mapped: what is not looked at costs nothing after open).
class SectionFile {
 public:
  /// Reads all of it once, to check it. Throws InputError, with the section where that is known, for a file that is
  /// none of ours, cut off, too long, of another version or byte order, or damaged anywhere. Sections named in
  /// `unchecked` are not read: only that they are where they belong is looked at.
  static std::shared_ptr<const SectionFile> open(const std::string& path, const FileKind& kind,
                                                 std::span<const std::string_view> unchecked = {});
  /// Whether a file begins as one of that kind does; false for what cannot be read.
  static bool begins_as(const std::string& path, const FileKind& kind);
  ~SectionFile();
  SectionFile(const SectionFile&) = delete;
  SectionFile& operator=(const SectionFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  bool has(std::string_view name) const noexcept { return sections_.find(name) != sections_.end(); }
  /// All sections have a name; they stand in alphabetical order.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, bytes] : sections_) all.push_back(name);
    return all;
  }
  /// Aligned to 4,096 bytes. Throws InputError when there is none of that name.
  std::span<const std::byte> section(std::string_view name) const;
  /// Throws InputError also when the size is no multiple of T's.
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
