#include "files/section_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <system_error>

#include "files/checksum.hpp"
#include "files/section_file_layout.hpp"
#include "genocl/error.hpp"
#include "runtime/platform.hpp"

namespace genocl::runtime {
namespace {

using section_file::Entry;
using section_file::Header;

std::string reason(int error) { return std::generic_category().message(error); }

bool all_zero(std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes)
    if (byte != std::byte{0}) return false;
  return true;
}

// Returns the checksum of bytes of a mapped file. Page faults read small amounts and wait, so the system is advised to
// read ahead. Without this, 14.5 GB took 15 s on a disk that delivers them in 9 s.
std::uint64_t checksum_of_mapped(std::span<const std::byte> bytes) {
  constexpr std::size_t ahead = std::size_t{64} << 20;
  const auto want = [&](std::size_t begin, std::size_t size) {
    // Only a hint; without it the bytes are read on access.
    if (begin < bytes.size()) platform::Mapping::read_ahead(bytes.subspan(begin, std::min(size, bytes.size() - begin)));
  };
  want(0, ahead);
  Checksum sum;
  sum.add(bytes, [&](std::span<const std::byte> piece) {
    want(static_cast<std::size_t>(piece.data() - bytes.data()) + ahead, piece.size());
  });
  return sum.end();
}

}  // namespace

std::shared_ptr<const SectionFile> SectionFile::open(const std::string& path, const FileKind& kind,
                                                     std::span<const std::string_view> unchecked) {
  const std::shared_ptr<SectionFile> file(new SectionFile(path, kind));
  file->map();
  file->check(unchecked);
  return file;
}

bool SectionFile::begins_as(const std::string& path, const FileKind& kind) {
  // A pipe must not be opened: that would wait for a writer, or consume another reader's input.
  if (!platform::file_status(path).regular) return false;
  std::array<char, 8> magic{};
  std::ifstream in(path, std::ios::binary);
  return in.read(magic.data(), magic.size()) && magic == section_file::magic(kind);
}

SectionFile::~SectionFile() = default;

void SectionFile::map() {
  const int descriptor = platform::open_to_read(path_);
  if (descriptor < 0) throw InputError(path_, {}, "cannot be read: " + reason(errno));
  const platform::FileStatus status = platform::file_status(descriptor);
  int error = status.folder ? EISDIR : status.error;
  if (status.regular && status.size > 0) {
    map_ = platform::Mapping(descriptor, 0, static_cast<std::size_t>(status.size), platform::Access::read);
    if (!map_.is_mapped()) error = errno;
  }
  platform::close_file(descriptor);
  if (error != 0) throw InputError(path_, {}, "cannot be read: " + reason(error));
  if (!status.regular) throw InputError(path_, {}, "is no regular file", std::string(kind_.name));
}

void SectionFile::check(std::span<const std::string_view> unchecked) {
  const std::span<const std::byte> bytes = map_.bytes();
  const std::size_t size = bytes.size();
  const auto cut_off = [&](const std::string& expected) {
    throw InputError(path_, {}, "cut off after " + std::to_string(size) + " bytes", expected);
  };
  const std::array<char, 8> magic = section_file::magic(kind_);
  if (size < magic.size() || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
    throw InputError(path_, {}, "is not " + std::string(kind_.name) + " of " + std::string(kind_.program));
  Header header;
  if (size < sizeof header) cut_off("a header of " + std::to_string(sizeof header));
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.byte_order_mark != section_file::byte_order) {
    const bool swapped = header.byte_order_mark == 0x04030201u;
    throw InputError(path_, "header", swapped ? "written on a machine of the other byte order" : "damaged");
  }
  if (header.format_version != kind_.version)
    throw InputError(path_, {}, std::string(kind_.name) + " of version " + std::to_string(header.format_version),
                     "version " + std::to_string(kind_.version) + ": build it anew");
  if (checksum(bytes.first(sizeof header - sizeof header.header_checksum)) != header.header_checksum)
    throw InputError(path_, "header", "damaged: the checksum is wrong");
  if (header.file_size > size) cut_off(std::to_string(header.file_size));
  if (header.file_size < size)
    throw InputError(path_, {}, std::to_string(size) + " bytes", std::to_string(header.file_size));
  if (header.section_count > (size - sizeof header) / sizeof(Entry))
    throw InputError(path_, "header", "damaged: more sections than fit");

  std::vector<Entry> entries(header.section_count);
  const std::size_t table_size = entries.size() * sizeof(Entry);
  std::ranges::copy(bytes.subspan(sizeof header, table_size), std::as_writable_bytes(std::span(entries)).begin());
  if (checksum(std::as_bytes(std::span(entries))) != header.table_checksum)
    throw InputError(path_, "table of sections", "damaged: the checksum is wrong");
  std::uint64_t end = sizeof header + table_size;  // of the checked part
  for (const Entry& entry : entries) {
    const std::string name(section_file::name_of(entry));
    const std::string where = "section " + in_quotes(name);
    if (entry.begin != section_file::aligned(end) || entry.begin > size || entry.size > size - entry.begin)
      throw InputError(path_, where, "damaged: it lies outside the file");
    const auto content = bytes.subspan(entry.begin, entry.size);
    const bool whole =
        std::ranges::find(unchecked, name) != unchecked.end() || checksum_of_mapped(content) == entry.bytes_checksum;
    if (!whole || !all_zero(bytes.subspan(end, entry.begin - end)))
      throw InputError(path_, where, "damaged: the checksum is wrong");
    if (!sections_.emplace(name, content).second) throw InputError(path_, where, "damaged: it is there twice");
    end = entry.begin + entry.size;
  }
  if (!all_zero(bytes.subspan(end))) throw InputError(path_, {}, "damaged behind the last section");
}

std::span<const std::byte> SectionFile::section(std::string_view name) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) throw InputError(path_, {}, "no section " + in_quotes(name));
  return found->second;
}

void SectionFile::wrong_size(std::string_view name, std::size_t bytes, std::size_t element) const {
  throw InputError(path_, "section " + in_quotes(name), std::to_string(bytes) + " bytes",
                   "a multiple of " + std::to_string(element));
}

void Fields::set(const std::string& name, std::string_view value) {
  if (value.find('\n') != std::string_view::npos)
    throw InputError({}, name, "a value with a line break, which the file cannot hold");
  values_[name] = value;
}

std::string Fields::text() const {
  std::string text;
  for (const auto& [name, value] : values_) text.append(name).append("=").append(value).append("\n");
  return text;
}

Fields::Fields(std::string_view text, std::string file) : file_(std::move(file)) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t mark = line.find('=');
    if (mark == std::string_view::npos) throw InputError(file_, "section \"fields\"", "a line without '='");
    values_[std::string(line.substr(0, mark))] = line.substr(mark + 1);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
}

const std::string& Fields::string(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw InputError(file_, "section \"fields\"", "no " + in_quotes(name));
  return found->second;
}

std::uint64_t Fields::number(const std::string& name) const {
  const std::string& text = string(name);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw InputError(file_, "section \"fields\"", in_quotes(name) + " is " + in_quotes(text), "a number");
  return value;
}

}  // namespace genocl::runtime
