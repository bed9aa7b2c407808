// Writes section files.
#include <algorithm>
#include <cerrno>
#include <functional>
#include <set>

#include "files/checksum.hpp"
#include "files/section_file.hpp"
#include "files/section_file_layout.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "runtime/platform.hpp"

namespace genocl::runtime {
namespace {

using section_file::Entry;
using section_file::Header;

/// Maps the file's bytes [begin, begin + size), passes them to `make`, and returns their checksum.
std::uint64_t fill(const files::AtomicFile& file, std::uint64_t begin, std::uint64_t size,
                   const std::function<void(std::span<std::byte>)>& make) {
  const platform::Mapping map(file.descriptor(), begin, static_cast<std::size_t>(size), platform::Access::read_write);
  if (!map.is_mapped()) file.fail("cannot be written", errno);
  make(map.bytes());
  return checksum(map.bytes());
}

/// Sets the file position of the next write.
void go_to(const files::AtomicFile& file, std::uint64_t position) {
  if (!platform::seek(file.descriptor(), position)) file.fail("cannot be written", errno);
}

void write(files::AtomicFile& file, std::span<const std::byte> bytes) {
  file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Writes `section` at the file offset `begin`; returns the checksum.
std::uint64_t write_stream(files::AtomicFile& file, std::uint64_t begin, const Section& section) {
  go_to(file, begin);
  Checksum sum;
  std::uint64_t left = section.made_size;
  const auto wrong = [&] {
    return InputError(file.name(), "section " + in_quotes(section.name), "a stream of another size",
                      std::to_string(section.made_size) + " bytes");
  };
  section.stream([&](std::span<const std::byte> piece) {
    if (piece.size() > left) throw wrong();
    left -= piece.size();
    sum.add(piece);
    write(file, piece);
  });
  if (left != 0) throw wrong();
  return sum.end();
}

std::uint64_t make(files::AtomicFile& file, std::uint64_t begin, const Section& section) {
  if (file.special()) throw InputError(file.name(), {}, "is no regular file", "one, or the name of a new one");
  if (section.made_size == 0) return section.stream ? write_stream(file, begin, section) : checksum({});
  // Allocates the blocks first: a write to the mapping on a full disk would terminate the process.
  if (!platform::append_zeros(file.descriptor(), begin, section.made_size)) file.fail("cannot be written", errno);
  return section.stream ? write_stream(file, begin, section) : fill(file, begin, section.made_size, section.make);
}

/// Also writes the made and streamed sections.
std::vector<Entry> entries_of(const std::vector<Section>& sections, files::AtomicFile& file) {
  std::vector<Entry> entries(sections.size());
  std::set<std::string_view> names;
  std::uint64_t end = sizeof(Header) + sections.size() * sizeof(Entry);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& section = sections[i];
    Entry& entry = entries[i];
    if (section.name.empty() || section.name.size() >= entry.name.size() || !names.insert(section.name).second)
      throw InputError("a section named " + in_quotes(section.name));
    std::copy(section.name.begin(), section.name.end(), entry.name.begin());
    entry.begin = section_file::aligned(end);
    entry.size = section.size();
    entry.bytes_checksum = section.is_made() ? make(file, entry.begin, section) : checksum(section.bytes);
    end = entry.begin + entry.size;
  }
  return entries;
}

}  // namespace

void write_section_file(const std::string& path, const FileKind& kind, const std::vector<Section>& sections,
                        files::AtomicFile::Sync sync) {
  if (path.empty() || path == "-") throw InputError(std::string(kind.name) + " needs a named file");
  files::AtomicFile file(path);  // first, to detect an unwritable path before the checksums are computed
  const std::vector<Entry> entries = entries_of(sections, file);
  if (std::ranges::any_of(sections, [](const Section& section) { return section.is_made(); })) go_to(file, 0);
  const auto table = std::as_bytes(std::span(entries));
  Header header;
  header.magic_bytes = section_file::magic(kind);
  header.format_version = kind.version;
  header.section_count = entries.size();
  header.file_size = entries.empty() ? sizeof header : entries.back().begin + entries.back().size;
  header.table_checksum = checksum(table);
  const auto head = std::as_bytes(std::span(&header, 1));
  header.header_checksum = checksum(head.first(sizeof header - sizeof header.header_checksum));

  write(file, head);
  write(file, table);
  std::uint64_t end = head.size() + table.size();
  constexpr std::array<std::byte, section_file::alignment> zeros{};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    write(file, std::span(zeros).first(entries[i].begin - end));
    end = entries[i].begin + entries[i].size;
    if (sections[i].is_made())
      go_to(file, end);
    else
      write(file, sections[i].bytes);
  }
  file.commit(sync);
}

}  // namespace genocl::runtime
