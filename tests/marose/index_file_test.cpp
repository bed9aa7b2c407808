// Indexes in files, in little memory and in several pieces: they map as the one that was built.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/marose.hpp"
#include "marose/index.hpp"
#include "marose/mapper_cases.hpp"
#include "runtime/state_access.hpp"

using namespace genocl;
using namespace genocl::marose;
using namespace marose_test;

namespace {

std::string temporary_path() {
  return (std::filesystem::temp_directory_path() /
          ("genocl-index-file-test-" + std::to_string(std::random_device()()) + ".mrs"))
      .string();
}

}  // namespace

TEST_CASE("marose: an index written and opened again maps alike") {
  Random random(70);
  const SequenceSet text = hard_reference(random, 20'000);
  const SequenceSet reads = reads_from(random, text, 50, 40, 3, true);
  const Device& device = test_device();
  const std::string path = temporary_path();
  std::ptrdiff_t ambiguities = 0;
  for (const std::uint64_t segment : {0, 9000}) {
    const Index index = Index::build(device, text, {.seed_mask = "########", .segment_bases = segment});
    CHECK((index.segments() > 1) == (segment != 0));
    index.save(path);
    const Index opened = Index::open(path);
    std::filesystem::remove(path);
    CHECK(opened.mask() == index.mask());
    CHECK(opened.method() == index.method());
    CHECK(opened.segments() == index.segments());
    CHECK(opened.bytes() == index.bytes());
    REQUIRE(opened.contigs() == text.size());
    for (std::size_t contig = 0; contig < text.size(); ++contig) {
      CHECK(opened.name(contig) == text.name(contig));
      REQUIRE(opened.length(contig) == text.length(contig));
      std::vector<Code> codes(text.length(contig)), expected(text[contig].begin(), text[contig].end());
      for (Code& code : expected) code = std::min(code, dna::unknown);
      opened.reference(contig, 0, codes);
      CHECK(codes == expected);
      const std::vector<Code> letters(text[contig].begin(), text[contig].end());
      opened.reference_letters(contig, 0, codes);
      CHECK(codes == letters);
      ambiguities += std::ranges::count_if(codes, [](Code code) { return code > dna::unknown; });
      for (const std::size_t first : {std::size_t{1}, codes.size() / 2}) {
        if (first >= codes.size()) continue;
        std::vector<Code> middle((codes.size() - first + 1) / 2);
        index.reference_letters(contig, first, middle);
        CHECK(std::ranges::equal(middle, std::span(letters).subspan(first, middle.size())));
      }
      if (codes.size() > 10) {
        std::vector<Code> part(codes.size() - 7);
        index.reference(contig, 5, part);
        CHECK(std::equal(part.begin(), part.end(), expected.begin() + 5));
      }
    }
    const MapOptions options{.errors = {.count = 3}, .report = Report::all()};
    CHECK(Mapper(device, opened, options).map(reads).hits == Mapper(device, index, options).map(reads).hits);
  }
  CHECK(ambiguities > 0);
}

TEST_CASE("marose: an index built in little memory is the same, in less than it needs it has more segments") {
  Random random(71);
  const SequenceSet text = hard_reference(random, 60'000);
  const SequenceSet reads = reads_from(random, text, 30, 60, 3, true);
  const std::string path = temporary_path();
  const auto file_of = [&](const Index& index) {
    index.save(path);
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    return bytes;
  };
  for (const KernelFamily family : genocl_test::families_under_test()) {
    const Device device = test_device().with_family(family);
    for (const char* mask : {"######", "####--####"}) {
      IndexOptions options{.seed_mask = mask};
      options.method = options.seed_mask.size() == 6 ? Method::kmers : Method::canonical;
      const Index whole = Index::build(device, text, options);
      REQUIRE(whole.segments() == 1);
      options.memory = text.residues() * (options.method == Method::kmers ? 9 : 13) + 350'000;
      const Index ranges = Index::build(device, SequenceSet(text), options);
      CHECK(ranges.segments() == 1);
      CHECK((file_of(ranges) == file_of(whole)));
      options.memory = 300'000;
      const Index cut = Index::build(device, text, options);
      CHECK(cut.segments() > 1);
      const MapOptions map{.errors = {.count = 3}, .report = Report::all()};
      CHECK(Mapper(device, cut, map).map(reads).hits == Mapper(device, whole, map).map(reads).hits);
      options.memory = 1000;
      CHECK_THROWS_AS(Index::build(device, text, options), CapacityError);
    }
  }
}

TEST_CASE("marose: mappers of one index share its tables on a device") {
  Random random(72);
  const SequenceSet text = hard_reference(random, 20'000);
  const Device& device = test_device();
  const Index built = Index::build(device, text, {.segment_bases = 9000});
  REQUIRE(built.segments() > 1);
  const std::string path = temporary_path();
  built.save(path);
  const Index opened = Index::open(path);
  std::filesystem::remove(path);
  for (const Index* const index : {&built, &opened})
    for (std::size_t i = 0; i < index->segments(); ++i) {
      const auto one = genocl::runtime::state_of(*index).on_device(device, i),
                 other = genocl::runtime::state_of(*index).on_device(device, i);
      CHECK(one == other);
      CHECK(one != genocl::runtime::state_of(*index).on_device(device, (i + 1) % index->segments()));
    }
  // Memory without an owner is released.
  std::weak_ptr<const DeviceSegment> tables;
  {
    const Mapper first(device, opened), second(device, opened);
    tables = genocl::runtime::state_of(opened).on_device(device, 0);
    CHECK_FALSE(tables.expired());
  }
  CHECK(tables.expired());
}

TEST_CASE("marose: an index whose parts do not belong together is refused, whatever its checksums say") {
  Random random(71);
  const Index index = Index::build(test_device(), hard_reference(random, 3000), {.seed_mask = "########"});
  const std::string path = temporary_path(), changed = temporary_path();
  index.save(path);
  const auto file = runtime::SectionFile::open(path, index_kind);
  // The file with some numbers of a section changed.
  const auto write_with = [&](const std::string& name, std::size_t place, std::uint64_t value) {
    std::vector<runtime::Section> sections;
    const std::span<const std::byte> bytes = file->section(name);
    std::vector<std::byte> content(bytes.begin(), bytes.end());
    REQUIRE(content.size() >= (place + 1) * sizeof value);
    std::memcpy(content.data() + place * sizeof value, &value, sizeof value);
    for (const std::string& one : file->names())
      sections.push_back({one, one == name ? std::span<const std::byte>(content) : file->section(one)});
    runtime::write_section_file(changed, index_kind, sections);
  };
  constexpr std::uint64_t far = std::uint64_t{1} << 40;
  const std::vector<std::pair<std::string, std::size_t>> places = {{"name_ends", 0}, {"offsets", 0},  {"offsets", 1},
                                                                   {"runs", 0},      {"segments", 0}, {"segments", 1},
                                                                   {"segments", 2},  {"segments", 3}};
  for (const auto& where : places) {
    CAPTURE(where.first);
    CAPTURE(where.second);
    write_with(where.first, where.second, far);
    CHECK_THROWS_AS(Index::open(changed), InputError);
  }
  write_with("words", 0, 0);
  CHECK_NOTHROW(Index::open(changed));
  std::filesystem::remove(path);
  std::filesystem::remove(changed);
}
