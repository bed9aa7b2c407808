#include <doctest/doctest.h>
#include <htslib/sam.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "io/files.hpp"
#include "sequence/random_sequences.hpp"

using genocl::InputError;
using namespace genocl::io;
using genocl_test::read_file;
using genocl_test::TemporaryFolder;

namespace {

constexpr std::uint64_t small = 100'000, large = 0x7fffffff;

AlignmentHeader header_with(std::uint64_t length) {
  return {.references = {{"chr1", small}, {"chr2", length}}, .program = "prog"};
}

/// A record of one match, as much of it as the order and an index look at.
struct Plain {
  std::string name;
  std::uint16_t flag;
  std::int32_t reference;
  std::int64_t position;
  std::uint32_t length;
};

std::vector<Plain> random_plain(std::size_t count, std::uint64_t length_of_second) {
  static genocl_test::RandomSequences random;
  std::vector<Plain> records;
  for (std::size_t i = 0; i < count; ++i) {
    Plain one{.name = "r" + std::to_string(i), .flag = 0, .reference = static_cast<std::int32_t>(random.below(2))};
    one.flag = random.below(2) == 0 ? AlignmentRecord::reverse : 0;
    one.length = static_cast<std::uint32_t>(1 + random.below(300));
    // Many at the same place.
    one.position = static_cast<std::int64_t>(
        random.below(4) == 0 ? 500 + random.below(3)
                             : random.below(one.reference == 0 ? small - 400 : length_of_second - 400));
    if (i % 20 == 0) one.flag = AlignmentRecord::unmapped;  // beside its mate
    if (i % 30 == 0) one.reference = -1, one.position = -1, one.flag = AlignmentRecord::unmapped;
    records.push_back(one);
  }
  return records;
}

void write(const std::string& path, const AlignmentHeader& header, const std::vector<Plain>& records,
           const AlignmentWriterOptions& options) {
  AlignmentWriter writer(path, header, options);
  AlignmentFormatter formatter = writer.formatter();
  const std::vector<genocl::Code> codes(300, 2);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Plain& plain = records[i];
    const std::uint32_t cigar[] = {cigar_run(plain.length, 'M')};
    AlignmentRecord record{
        .name = plain.name, .flag = plain.flag, .reference = plain.reference, .position = plain.position};
    record.codes = std::span(codes).first(plain.length);
    if ((plain.flag & AlignmentRecord::unmapped) == 0) record.cigar = cigar;
    formatter.add(record);
    if (i % 97 == 0) writer.append(formatter.take());
  }
  writer.append(formatter.take());
  writer.append(formatter.take());
  writer.commit();
}

std::vector<std::string> names_in_order(std::vector<Plain> records) {
  std::ranges::stable_sort(records, [](const Plain& a, const Plain& b) {
    const auto key = [](const Plain& one) {
      return std::tuple(static_cast<std::uint32_t>(one.reference), one.position,
                        (one.flag & AlignmentRecord::reverse) != 0);
    };
    return key(a) < key(b);
  });
  std::vector<std::string> names;
  for (const Plain& one : records) names.push_back(one.name);
  return names;
}

struct Opened {
  explicit Opened(const std::string& path) : file(sam_open(path.c_str(), "r")), record(bam_init1()) {
    REQUIRE(file != nullptr);
    header = sam_hdr_read(file);
    REQUIRE(header != nullptr);
  }
  ~Opened() {
    bam_destroy1(record);
    sam_hdr_destroy(header);
    sam_close(file);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  std::vector<std::string> names() {
    std::vector<std::string> all;
    while (sam_read1(file, header, record) >= 0) all.emplace_back(bam_get_qname(record));
    return all;
  }

  samFile* file;
  sam_hdr_t* header = nullptr;
  bam1_t* record;
};

/// The names that the index finds in a region, in order.
std::vector<std::string> found(Opened& opened, hts_idx_t* index, int reference, hts_pos_t begin, hts_pos_t end) {
  std::vector<std::string> names;
  hts_itr_t* const region = sam_itr_queryi(index, reference, begin, end);
  REQUIRE(region != nullptr);
  while (sam_itr_next(opened.file, region, opened.record) >= 0) names.emplace_back(bam_get_qname(opened.record));
  hts_itr_destroy(region);
  return names;
}

}  // namespace

TEST_CASE("records by coordinate") {
  GENOCL_SHOW_SEED();
  const TemporaryFolder folder;
  const auto records = random_plain(5000, small);
  const auto wanted = names_in_order(records);
  for (const char* name : {"out.bam", "out.sam", "out.sam.gz"})
    for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{100'000'000}})
      for (const unsigned threads : {0u, 2u}) {
        const std::string path = folder / name;
        write(path, header_with(small), records, {.sort = true, .sort_memory = memory, .threads = threads});
        Opened opened(path);
        CHECK(std::string(sam_hdr_str(opened.header))
                  .starts_with("@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:100000\n"));
        CHECK((opened.names() == wanted));
      }
  CHECK(folder.count() == 4);  // with the one index
  // The lines are those of the file that is not sorted.
  write(folder / "unsorted.sam", header_with(small), records, {});
  const auto lines = [](const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      if (text[begin] != '@') all.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    std::ranges::sort(all);
    return all;
  };
  CHECK((lines(read_file(folder / "out.sam")) == lines(read_file(folder / "unsorted.sam"))));
}

TEST_CASE("the index of a sorted BAM") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const TemporaryFolder folder;
  for (const std::uint64_t length : {small, large}) {
    const std::string path = folder / (std::to_string(length) + ".bam");
    const auto records = random_plain(6000, length);
    // At the lowest level and at another: blocks of many sizes.
    write(path, header_with(length), records, {.level = length == small ? 0 : 6, .sort = true, .threads = 1});
    CHECK(std::filesystem::exists(path + ".bai") == (length == small));
    CHECK(std::filesystem::exists(path + ".csi") == (length == large));
    Opened opened(path);
    hts_idx_t* const index = sam_index_load(opened.file, path.c_str());
    REQUIRE(index != nullptr);
    for (int i = 0; i < 200; ++i) {
      const int reference = static_cast<int>(random.below(2));
      const auto begin = static_cast<hts_pos_t>(random.below(reference == 0 ? small : length));
      const hts_pos_t end = begin + 1 + static_cast<hts_pos_t>(random.below(i % 2 == 0 ? 100 : length / 3));
      std::vector<Plain> inside;
      for (const Plain& one : records)
        if (one.reference == reference && one.position < end &&
            one.position + ((one.flag & AlignmentRecord::unmapped) != 0 ? 1 : one.length) > begin)
          inside.push_back(one);
      CHECK((found(opened, index, reference, begin, end) == names_in_order(inside)));
    }
    std::uint64_t mapped = 0, unmapped = 0;
    REQUIRE(hts_idx_get_stat(index, 0, &mapped, &unmapped) == 0);
    CHECK(mapped == static_cast<std::uint64_t>(std::ranges::count_if(records, [](const Plain& one) {
            return one.reference == 0 && (one.flag & AlignmentRecord::unmapped) == 0;
          })));
    CHECK(hts_idx_get_n_no_coor(index) ==
          static_cast<std::uint64_t>(std::ranges::count(records, -1, &Plain::reference)));
    hts_idx_destroy(index);
    // The same bytes as an index made afterwards.
    std::filesystem::copy_file(path, folder / "copy.bam", std::filesystem::copy_options::overwrite_existing);
    REQUIRE(sam_index_build3((folder / "copy.bam").c_str(), (folder / "copy.index").c_str(), length == small ? 0 : 14,
                             0) == 0);
    CHECK((read_file(folder / "copy.index") == read_file(path + (length == small ? ".bai" : ".csi"))));
  }
}

TEST_CASE("sorted files without records, or given up") {
  const TemporaryFolder folder;
  for (const char* name : {"out.bam", "out.sam"}) {
    write(folder / name, header_with(small), {}, {.sort = true});
    Opened opened(folder / name);
    CHECK(opened.names().empty());
  }
  CHECK(folder.count() == 3);
  std::filesystem::remove_all(folder.path());
  std::filesystem::create_directory(folder.path());
  const auto records = random_plain(3000, small);
  {
    AlignmentWriter writer(folder / "x.bam", header_with(small), {.sort = true, .sort_memory = 1});
    AlignmentFormatter formatter = writer.formatter();
    for (const Plain& one : records) formatter.add({.name = one.name});
    writer.append(formatter.take());
  }
  CHECK(folder.count() == 0);
  // A place that fails, in the middle and at the end; after that the writer is of no use.
  CHECK_THROWS_WITH_AS(write("/dev/full", header_with(small), records, {.format = AlignmentFormat::bam, .sort = true}),
                       "/dev/full: cannot be written: No space left on device", InputError);
  CHECK_THROWS_WITH_AS(write("/dev/full", header_with(small), records, {.format = AlignmentFormat::sam, .sort = true}),
                       "/dev/full: cannot be written: No space left on device", InputError);
  // An index that cannot be written leaves no BAM either.
  std::filesystem::create_directory(folder / "y.bam.bai");
  CHECK_THROWS_WITH_AS(write(folder / "y.bam", header_with(small), records, {.sort = true}),
                       (folder / "y.bam.bai: cannot be written: Is a directory").c_str(), InputError);
  CHECK(folder.count() == 1);
  AlignmentWriter writer(folder / "z.sam", header_with(small), {.sort = true});
  writer.commit();
  CHECK_THROWS_AS(writer.append({}), InputError);
  CHECK_THROWS_AS(writer.commit(), InputError);
}
