// A file of sections with bytes of it changed, with and without checksums that belong to them: what is open lies inside
// the file, anything else is an InputError. An input is the number of changes, a byte that says which checksums are
// made anew, for each change a byte for where it is (the head or anywhere), two for the place and one for the value;
// the rest is the sections (sections.hpp).
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include "files/checksum.hpp"
#include "files/section_file.hpp"
#include "files/section_file_layout.hpp"
#include "fuzz.hpp"
#include "genocl/error.hpp"

using namespace genocl::runtime;
using section_file::Entry, section_file::Header;

namespace {

constexpr FileKind kind = {{'F', 'U', 'Z'}, 1, "a file", "genocl"};

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string a_file(std::string_view input) {
  std::vector<std::string> names, contents;
  while (input.size() >= 2) {
    const std::size_t name = static_cast<unsigned char>(input[0]) % 32, size = static_cast<unsigned char>(input[1]);
    input.remove_prefix(2);
    names.emplace_back(input.substr(0, name));
    input.remove_prefix(std::min(name, input.size()));
    contents.emplace_back(input.substr(0, size));
    input.remove_prefix(std::min(size, input.size()));
  }
  std::vector<Section> sections;
  for (std::size_t i = 0; i < names.size(); ++i) sections.push_back(section(names[i], std::string_view(contents[i])));
  const std::string path = fuzz::scratch();
  write_section_file(path, kind, sections);
  return bytes_of(path);
}

void seal(std::string& file, unsigned which) {
  if (file.size() < sizeof(Header)) return;
  Header header;
  std::memcpy(&header, file.data(), sizeof header);
  const std::size_t room = (file.size() - sizeof header) / sizeof(Entry);
  const auto all = std::as_bytes(std::span(file));
  if ((which & 1) != 0)
    header.table_checksum =
        checksum(all.subspan(sizeof header, std::min<std::size_t>(header.section_count, room) * sizeof(Entry)));
  if ((which & 2) != 0) header.file_size = file.size();
  if ((which & 3) != 0)
    header.header_checksum =
        checksum(std::as_bytes(std::span(&header, 1)).first(sizeof header - sizeof header.header_checksum));
  std::memcpy(file.data(), &header, sizeof header);
}

void use(const std::string& path) {
  const auto file = SectionFile::open(path, kind);
  std::uint64_t sum = 0;
  for (const std::string& name : file->names())
    for (const std::byte byte : file->section(name)) sum += static_cast<unsigned>(byte);
  fuzz::require(sum <= std::filesystem::file_size(path) * 255, "sections are parts of the file");
  if (!file->has("fields")) return;
  const Fields fields = file->fields();
  (void)Fields(fields.text(), path);
  (void)fields.number("size");
  (void)file->array<std::uint64_t>("fields");
}

}  // namespace

void fuzz::check(std::string_view bytes) {
  if (bytes.size() < 2) return;
  const std::size_t changes = std::min<std::size_t>(static_cast<unsigned char>(bytes[0]), (bytes.size() - 2) / 4);
  const auto which = static_cast<unsigned char>(bytes[1]);
  const std::string_view changed = bytes.substr(2, 4 * changes);
  std::string file;
  try {
    file = a_file(bytes.substr(2 + 4 * changes));
  } catch (const genocl::InputError&) {
    return;  // names that no file can have
  }
  for (std::size_t i = 0; i < changes; ++i) {
    const auto at = [&](std::size_t k) { return static_cast<unsigned char>(changed[4 * i + k]); };
    const std::size_t place = at(1) + 256u * at(2);
    file[at(0) < 192 ? place % std::min<std::size_t>(file.size(), 256) : place % file.size()] =
        static_cast<char>(at(3));
  }
  if ((which & 4) != 0) file.resize(file.size() - which / 8);
  seal(file, which);
  const std::string path = written(file);
  reads(path, [&] { use(path); });
}
