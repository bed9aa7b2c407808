#include "sections.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <span>

#include "files/section_file.hpp"
#include "files/section_file_layout.hpp"
#include "genocl/error.hpp"

namespace fuzz {
namespace {

namespace runtime = genocl::runtime;

/// What the library writes, and the kind of its files.
struct Examples {
  runtime::FileKind kind{};
  std::vector<Sections> all;

  Examples() {
    for (unsigned number = 0; number < examples; ++number) {
      const std::string path = scratch(".example");
      save_example(number, path);
      std::ifstream in(path, std::ios::binary);
      runtime::section_file::Header header;
      in.read(reinterpret_cast<char*>(&header), sizeof header);
      require(in.good(), "an example is written");
      kind = {
          {header.magic_bytes[1], header.magic_bytes[2], header.magic_bytes[3]}, header.format_version, "a", "genocl"};
      const auto file = runtime::SectionFile::open(path, kind);
      Sections& sections = all.emplace_back();
      for (const std::string& name : file->names()) sections.emplace_back(name, file->text(name));
      require(reads(path, [&] { open_and_use(path); }), "what was written is opened");
    }
  }
};

const Examples& written_examples() {
  static const Examples all;
  return all;
}

}  // namespace

std::string packed(const Sections& sections) {
  std::string all;
  for (const auto& [name, bytes] : sections) {
    all += static_cast<char>(name.size());
    all += name;
    all += static_cast<char>(bytes.size() & 0xff);
    all += static_cast<char>(bytes.size() >> 8 & 0xff);
    all += bytes;
  }
  return all;
}

Sections unpacked(std::string_view bytes) {
  Sections sections;
  const auto cut = [&](std::size_t size) {
    const std::string_view part = bytes.substr(0, size);
    bytes.remove_prefix(part.size());
    return part;
  };
  const auto number = [&](std::size_t size) {
    std::size_t value = 0, place = 1;
    for (const char byte : cut(size)) {
      value += place * static_cast<unsigned char>(byte);
      place *= 256;
    }
    return value;
  };
  while (!bytes.empty()) {
    std::string name(cut(number(1)));
    sections.emplace_back(std::move(name), cut(number(2)));
  }
  return sections;
}

void check(std::string_view bytes) {
  const Examples& known = written_examples();
  const Sections sections = unpacked(bytes);
  std::vector<runtime::Section> views;
  for (const auto& [name, content] : sections) views.push_back(runtime::section(name, std::string_view(content)));
  const std::string path = scratch();
  try {
    runtime::write_section_file(path, known.kind, views);
  } catch (const genocl::InputError&) {
    return;  // names that no file can have
  }
  reads(path, [&] { open_and_use(path); });
}

}  // namespace fuzz

#ifdef GENOCL_LIBFUZZER
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t most);  // NOLINT: libFuzzer\'s
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed);  // NOLINT: libFuzzer\'s

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {  // NOLINT: libFuzzer\'s
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t end) { return random() % end; };
  const std::vector<fuzz::Sections>& known = fuzz::written_examples().all;
  fuzz::Sections sections = fuzz::unpacked({reinterpret_cast<const char*>(data), size});
  if (sections.empty() || below(64) == 0) sections = known[below(known.size())];
  const fuzz::Sections& other = known[below(known.size())];
  auto& [name, bytes] = sections[below(sections.size())];
  switch (below(16)) {
    case 0:  // away with it
      std::swap(sections[below(sections.size())], sections.back());
      sections.pop_back();
      break;
    case 1:  // one of another file
      sections[below(sections.size())] = other[below(other.size())];
      break;
    case 2:
      if (!bytes.empty()) bytes.resize(below(bytes.size()));
      break;
    case 3:
    case 4:
    case 5:
    case 6: {  // a number among numbers
      const std::size_t width = below(2) == 0 ? 8 : 4;
      if (bytes.size() < width) break;
      constexpr std::uint64_t values[] = {0,
                                          1,
                                          2,
                                          7,
                                          255,
                                          4096,
                                          0x7fffffff,
                                          0xffffffff,
                                          std::uint64_t{1} << 32,
                                          std::uint64_t{1} << 62,
                                          ~std::uint64_t{0},
                                          ~std::uint64_t{0} - 31};
      const std::uint64_t value = below(2) == 0 ? values[below(std::size(values))] : below(64);
      const std::size_t place = below(bytes.size() / width) * width;
      for (std::size_t i = 0; i < width; ++i) bytes[place + i] = static_cast<char>(value >> 8 * i & 0xff);
      break;
    }
    default: {
      std::string changed = bytes;
      const std::size_t room = std::min<std::size_t>(bytes.size() + 64, 0xffff);
      changed.resize(room);
      changed.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(changed.data()), bytes.size(), room));
      bytes = changed;
    }
  }
  const std::string all = fuzz::packed(sections);
  if (all.size() > most) return size;
  std::copy(all.begin(), all.end(), data);
  return all.size();
}
#endif
