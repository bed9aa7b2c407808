// SAM without htslib: headers, lines, errors. tests/io compares the same records with htslib.
#include "genocl/sequence/sam.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/sequence/cigar.hpp"
#include "random.hpp"

using namespace genocl;

namespace {

sam::Header small_header() {
  sam::Header header;
  header.references = {{"chr1", 1000}, {"chr2", 50}};
  return header;
}

}  // namespace

TEST_CASE("sam: header lines") {
  sam::Header header = small_header();
  header.read_groups = {"ID:a\tSM:one"};
  header.program = "prog";
  header.program_version = "1.2";
  header.command_line = "prog 'a\tb'";
  header.comments = {"a\nb"};
  CHECK_NOTHROW(sam::check_header(header));
  CHECK(sam::header_text(header, true) ==
        "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:1000\n@SQ\tSN:chr2\tLN:50\n@RG\tID:a\tSM:one\n"
        "@PG\tID:prog\tPN:prog\tVN:1.2\tCL:prog 'a b'\n@CO\ta b\n");
  CHECK(sam::header_text(small_header()).starts_with("@HD\tVN:1.6\tSO:unsorted\tGO:query\n"));
  header.read_groups.push_back("SM:two\tID:a");
  CHECK_THROWS_AS(sam::check_header(header), InputError);
  header = small_header();
  header.references.push_back({"chr1", 3});
  CHECK_THROWS_AS(sam::check_header(header), InputError);
}

TEST_CASE("sam: lines in the direction of the reference") {
  const sam::Header header = small_header();
  sam::LineFormatter formatter(header);
  const std::vector<Code> codes = encode(Alphabet::dna, "ACGNT");
  const std::vector<std::uint8_t> quality = {0, 1, 2, 3, 40};
  const std::uint32_t cigar[] = {CigarRun(2, 'S').encoded, CigarRun(3, 'M').encoded};
  const sam::Tag tags[] = {{"NM", std::int64_t{-3}}, {"MD", "3"}, {"EV", 2.5e-30}};
  sam::Record record{.name = "r1", .flag = sam::Record::reverse, .reference = 1, .position = 4, .mapping_quality = 60};
  record.cigar = cigar;
  record.codes = codes;
  record.quality = quality;
  record.tags = tags;
  record.tag_text = "BC:Z:ACGT";
  std::string lines = "@CO\tx\n";
  formatter.append(record, lines);
  CHECK(lines ==
        "@CO\tx\nr1\t16\tchr2\t5\t60\t2S3M\t*\t0\t0\tANCGT\tI$#\"!\tNM:i:-3\tMD:Z:3\tEV:f:2.5e-30\tBC:Z:ACGT\n");
  record.mate_reference = 1;
  record.mate_position = 9;
  record.template_length = -12;
  record.quality = {};
  record.tags = {};
  record.tag_text = {};
  lines.clear();
  formatter.append(record, lines);
  CHECK(lines == "r1\t16\tchr2\t5\t60\t2S3M\t=\t10\t-12\tANCGT\t*\n");
}

TEST_CASE("sam: letters and qualities of all lengths and codes in both directions") {
  const sam::Header header = small_header();
  sam::LineFormatter formatter(header);
  genocl_test::Random random(5);
  for (std::size_t length = 0; length < 70; ++length)
    for (const std::size_t codes_of : {4, 5, 15}) {
      std::vector<Code> codes(length);
      std::vector<std::uint8_t> quality(length);
      std::string letters, scores;
      for (std::size_t i = 0; i < length; ++i) {
        codes[i] = static_cast<Code>(random() % codes_of);
        quality[i] = static_cast<std::uint8_t>(random() % 94);
        letters += dna::decode(codes[i]);
        scores += static_cast<char>(quality[i] + '!');
      }
      const std::string turned_scores(scores.rbegin(), scores.rend());
      std::string turned;
      for (std::size_t i = length; i-- > 0;) turned += dna::decode(dna::complement(codes[i]));
      sam::Record record{.name = "r"};
      record.codes = codes;
      record.quality = quality;
      std::string lines;
      formatter.append(record, lines);
      record.flag |= sam::Record::reverse;
      formatter.append(record, lines);
      const auto or_star = [](const std::string& text) { return text.empty() ? "*" : text; };
      CHECK(lines == "r\t4\t*\t0\t0\t*\t*\t0\t0\t" + or_star(letters) + "\t" + or_star(scores) +
                         "\nr\t20\t*\t0\t0\t*\t*\t0\t0\t" + or_star(turned) + "\t" + or_star(turned_scores) + "\n");
    }
}

TEST_CASE("sam: a record that does not fit leaves the lines unchanged") {
  const sam::Header header = small_header();
  sam::LineFormatter formatter(header);
  const std::vector<Code> codes = encode(Alphabet::dna, "ACGT");
  const std::uint32_t longer[] = {CigarRun(5, 'M').encoded};
  const sam::Tag twice[] = {{"NM", std::int64_t{1}}}, not_finite[] = {{"EV", std::numeric_limits<double>::infinity()}};
  const std::string long_name(255, 'x');
  sam::Record good{.name = "r"};
  good.codes = codes;
  std::vector<sam::Record> bad(8, good);
  bad[0].name = "@r";
  bad[1].name = long_name;
  bad[2].reference = 2;
  bad[3].cigar = longer;
  bad[4].flag = 0;  // mapped, without a CIGAR
  bad[5].tags = twice;
  bad[5].tag_text = "NM:i:2";
  bad[6].tags = not_finite;
  bad[7].position = 0x7fffffff;
  std::string lines = "kept\n";
  for (const sam::Record& record : bad) CHECK_THROWS_AS(formatter.append(record, lines), InputError);
  CHECK(lines == "kept\n");
  formatter.append(good, lines);
  CHECK(lines == "kept\nr\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\t*\n");
}
