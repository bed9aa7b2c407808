// Parts of a file that are looked through apart tell together where its records are.
#include "genocl/io/record_places.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "io/files.hpp"
#include "sequence/random_sequences.hpp"

namespace {

using genocl::SequenceSet;
using genocl::io::RecordPlaces;
using genocl::io::RecordText;
using genocl_test::TemporaryFolder;

struct Found {
  bool usable = true, four_lines = true;
  std::uint64_t lines = 0, text = 0, end = 0;
  std::vector<std::uint64_t> places, texts;
};

Found find(const std::string& path, std::uint64_t parts, std::uint64_t records) {
  Found found;
  for (std::uint64_t part = 0; part < parts; ++part) {
    const RecordPlaces places(path, part, parts);
    found.usable = found.usable && places.usable();
    if (!found.usable) return found;
    CHECK(places.file_size() == genocl_test::fs::file_size(path));
    found.four_lines = found.four_lines && places.is_four_lines(found.lines);
    for (const RecordPlaces::Begin& begin : places.begins(found.lines, records)) {
      found.places.push_back(begin.place);
      found.texts.push_back(found.text + begin.text);
    }
    found.lines += places.lines();
    found.text += places.text_size();
    found.end = places.end();
  }
  found.places.push_back(found.end);
  found.texts.push_back(found.text);
  return found;
}

std::string fastq(genocl_test::RandomSequences& random, std::uint64_t records, std::uint64_t longest,
                  const std::string& line_end) {
  std::string text;
  for (std::uint64_t i = 0; i < records; ++i) {
    const std::string letters = random.text(1 + random.below(longest), "ACGT");
    // Qualities that look like the begin of a record, or like a third line.
    text += "@" + std::to_string(i) + line_end + letters + line_end + "+" + line_end +
            random.text(letters.size(), "@+I") + line_end;
  }
  return text;
}

/// Each block as text is what stands there, and as records.
void check_blocks(const std::string& path, const std::string& text, const Found& found, std::uint64_t records) {
  const SequenceSet all = genocl::io::read_sequences(path);
  REQUIRE(found.lines == 4 * all.size());
  REQUIRE(found.text == text.size());
  REQUIRE(found.places.size() == (all.size() + records - 1) / records + 1);
  std::size_t at = 0;
  for (std::size_t block = 0; block + 1 < found.places.size(); ++block) {
    REQUIRE(found.texts[block] < found.texts[block + 1]);
    const std::uint64_t count = std::min<std::uint64_t>(records, all.size() - at);
    SequenceSet batch;
    const RecordText block_text(path, found.places[block], found.places[block + 1], count, at);
    genocl::io::SequenceReader reader(block_text);
    REQUIRE(reader.read(batch));
    REQUIRE(batch.size() == count);
    REQUIRE(batch.name(0) == all.name(at));
    REQUIRE(batch.name(count - 1) == all.name(at + count - 1));
    REQUIRE(batch.length(count - 1) == all.length(at + count - 1));
    at += count;
  }
  CHECK(at == all.size());
}

TEST_CASE("parts of plain files and of bgzip find the records that reading finds") {
  const TemporaryFolder folder;
  genocl_test::RandomSequences random;
  for (int round = 0; round < 24; ++round) {
    const bool many = round % 3 == 0;
    std::string text =
        fastq(random, many ? 6000 : 1 + random.below(40), many ? 200 : 60, round % 4 >= 2 ? "\r\n" : "\n");
    // A last line that lacks its end.
    if (round % 5 == 0 && text[text.size() - 2] != '\r') text.pop_back();
    std::string path = folder / "in";
    if (round % 2 == 0) {
      genocl_test::write_file(path, text);
    } else if (round % 4 == 1) {
      genocl_test::write_bgzip(path, text);
    } else {
      // Files of bgzip one after the other, each with its empty last block.
      std::string bytes;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t count = std::min<std::size_t>(text.size() - at, 1 + random.below(many ? 50'000 : 200));
        bytes += genocl_test::read_file(genocl_test::write_bgzip(folder / "piece", text.substr(at, count)));
        at += count;
      }
      genocl_test::write_file(path, bytes);
    }
    for (const std::uint64_t parts : {1, 2, 3, 7, 40}) {
      const std::uint64_t records = 1 + random.below(many ? 3000 : 12);
      const Found found = find(path, parts, records);
      CAPTURE(round);
      CAPTURE(parts);
      REQUIRE(found.usable);
      CHECK(found.four_lines);
      check_blocks(path, text, found, records);
    }
  }
}

TEST_CASE("large bgzip, where parts begin in the middle of blocks") {
  const TemporaryFolder folder;
  genocl_test::RandomSequences random;
  const std::string text = fastq(random, 20'000, 300, "\n");
  const std::string path = genocl_test::write_bgzip(folder / "in.gz", text);
  for (const std::uint64_t parts : {2, 5, 64}) {
    const Found found = find(path, parts, 999);
    REQUIRE(found.usable);
    CHECK(found.four_lines);
    check_blocks(path, text, found, 999);
  }
}

TEST_CASE("records of other shapes are noticed by the part they are in") {
  const TemporaryFolder folder;
  const std::string record = "@a\nACGT\n+\nIIII\n";
  std::string many;
  for (int i = 0; i < 50; ++i) many += record;
  for (const std::string& wrong :
       {std::string("@b\nAC\nGT\n+\nII\nII\n"), std::string("@b\nACG\n+\nIIII\n"), std::string("@b\n\n+\n\n"),
        std::string("\n"), std::string("b\nACGT\n+\nIIII\n"), std::string("@b\nACGT\nIIII\nIIII\n")})
    for (const std::uint64_t parts : {1, 2, 5, 31}) {
      const Found found = find(genocl_test::write_file(folder / "in", many + wrong + many), parts, 10);
      CAPTURE(wrong);
      CAPTURE(parts);
      REQUIRE(found.usable);
      CHECK_FALSE((found.four_lines && found.lines % 4 == 0));
    }
  // A record that is cut off shows in the number of lines.
  const Found cut = find(genocl_test::write_file(folder / "in", many + "@b\nACGT\n+\n"), 3, 10);
  CHECK(cut.lines % 4 != 0);
}

TEST_CASE("files without places") {
  const TemporaryFolder folder;
  const std::string text = "@a\nACGT\n+\nIIII\n";
  CHECK_FALSE(RecordPlaces(folder / "none", 0, 1).usable());
  CHECK_FALSE(RecordPlaces("-", 0, 1).usable());
  CHECK_FALSE(RecordPlaces(folder.path().string(), 0, 1).usable());
  CHECK_FALSE(RecordPlaces(genocl_test::write_file(folder / "empty", ""), 0, 1).usable());
  CHECK_FALSE(RecordPlaces(genocl_test::write_file(folder / "x.fa", ">a\nACGT\n"), 0, 1).usable());
  CHECK_FALSE(RecordPlaces(genocl_test::write_gzip(folder / "x.gz", text), 0, 1).usable());
  std::string bgzip = genocl_test::read_file(genocl_test::write_bgzip(folder / "x.bgz", text));
  CHECK(RecordPlaces(genocl_test::write_file(folder / "whole", bgzip), 0, 1).usable());
  CHECK_FALSE(RecordPlaces(genocl_test::write_file(folder / "cut", bgzip.substr(0, bgzip.size() - 28)), 0, 1).usable());
  bgzip[25] = static_cast<char>(bgzip[25] ^ 0x55);
  CHECK_FALSE(RecordPlaces(genocl_test::write_file(folder / "bad", bgzip), 0, 1).usable());
  CHECK_THROWS_AS(RecordPlaces(folder / "whole", 1, 1), genocl::InputError);
  CHECK_THROWS_AS(RecordPlaces(folder / "whole", 0, 0), genocl::InputError);
}

}  // namespace
