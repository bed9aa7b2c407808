#include "genocl/io/alignment_writer.hpp"

#include <doctest/doctest.h>
#include <htslib/sam.h>

#include <cmath>
#include <thread>

#include "genocl/error.hpp"
#include "io/files.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Code;
using genocl::InputError;
using namespace genocl::io;
using genocl_test::read_file;
using genocl_test::TemporaryFolder;

namespace {

AlignmentHeader small_header() {
  return {.references = {{"chr1", 1000}, {"gi|2|x", 0x7fffffff}},
          .read_groups = {"ID:a\tSM:one"},
          .program = "prog",
          .program_version = "1.2",
          .command_line = "prog 'a\tb'",
          .comments = {"one", "a\nb"}};
}

/// What a record is made of, kept alive.
struct Made {
  std::string name;
  std::vector<Code> codes;
  std::vector<std::uint8_t> quality;
  std::vector<std::uint32_t> cigar;
  std::string md;
  std::vector<AlignmentTag> tags;
  AlignmentRecord record;

  explicit Made(AlignmentRecord fields, std::string_view letters = "", std::string tag = "") : md(std::move(tag)) {
    name = fields.name;
    codes = genocl::encode(genocl::Alphabet::dna, letters);
    record = fields;
    record.name = name;
    record.codes = codes;
  }
  Made(const Made&) = delete;
  Made(Made&&) = delete;

  void finish() {
    record.quality = quality;
    record.cigar = cigar;
    record.tags = tags;
  }
};

std::string write_all(const std::string& path, const std::vector<std::unique_ptr<Made>>& records,
                      std::size_t portion = 7) {
  AlignmentWriter writer(path, small_header());
  AlignmentFormatter formatter = writer.formatter();
  std::string text;
  for (std::size_t i = 0; i < records.size(); ++i) {
    formatter.add(records[i]->record);
    if (i % portion != portion - 1) continue;
    text = formatter.take(std::move(text));
    writer.append(text);
  }
  writer.append(formatter.take());
  writer.commit();
  return path;
}

/// Every record of a file as a line of SAM made by htslib, header first.
std::vector<std::string> lines_by_htslib(const std::string& path) {
  std::vector<std::string> lines;
  samFile* const file = sam_open(path.c_str(), "r");
  REQUIRE(file != nullptr);
  sam_hdr_t* const header = sam_hdr_read(file);
  REQUIRE(header != nullptr);
  lines.emplace_back(sam_hdr_str(header));
  bam1_t* const record = bam_init1();
  kstring_t line = KS_INITIALIZE;
  int result = 0;
  while ((result = sam_read1(file, header, record)) >= 0) {
    REQUIRE(sam_format1(header, record, &line) >= 0);
    lines.emplace_back(line.s, line.l);
  }
  CHECK(result == -1);
  ks_free(&line);
  bam_destroy1(record);
  sam_hdr_destroy(header);
  CHECK(sam_close(file) == 0);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text = lines[0];
  for (std::size_t i = 1; i < lines.size(); ++i) text += lines[i] + "\n";
  return text;
}

std::vector<std::unique_ptr<Made>> random_records(std::size_t count) {
  static genocl_test::RandomSequences random;
  std::vector<std::unique_ptr<Made>> records;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = random.below(10) == 0 ? 0 : 1 + random.below(i % 50 == 0 ? 1000 : 120);
    AlignmentRecord fields;
    const std::string name =
        i % 100 == 99 ? "" : "r" + random.text(random.below(i % 40 == 0 ? 254 : 12), "abc:/.-09@*");
    fields.name = name;
    fields.flag = static_cast<std::uint16_t>(random.below(512));
    fields.reference = static_cast<std::int32_t>(random.below(3)) - 1;
    if (fields.reference >= 0)
      fields.position = static_cast<std::int64_t>(random.below(fields.reference == 0 ? 900 : 0x7ffffff0));
    fields.mate_reference = static_cast<std::int32_t>(random.below(3)) - 1;
    if (fields.mate_reference >= 0) fields.mate_position = static_cast<std::int64_t>(random.below(900));
    fields.template_length = static_cast<std::int64_t>(random.below(2001)) - 1000;
    fields.mapping_quality = static_cast<std::uint8_t>(random.below(61));
    auto made = std::make_unique<Made>(fields, random.text(length, "ACGTNRYSWKMBDHV"),
                                       random.text(random.below(20), "0123ACGT^"));
    // Not a single quality of 9: as text that is the sign for none at all.
    for (std::size_t j = 0; j < length && random.below(4) + length > 1; ++j)
      made->quality.push_back(static_cast<std::uint8_t>(random.below(94)));
    if (made->quality.size() != length || (length == 1 && made->quality[0] == 9)) made->quality.clear();
    if (length > 3 && fields.reference >= 0 && (fields.flag & AlignmentRecord::unmapped) == 0)
      made->cigar = {cigar_run(static_cast<std::uint32_t>(length) - 3, '='), cigar_run(1, 'X'), cigar_run(2, 'D'),
                     cigar_run(2, 'I')};
    if (made->cigar.empty()) made->record.flag |= AlignmentRecord::unmapped;
    if (random.below(3) != 0) {
      made->tags.emplace_back("NM", static_cast<std::int64_t>(random.below(i % 3 == 0 ? 10 : 70'000)));
      made->tags.emplace_back("MD", std::string_view(made->md));
      made->tags.emplace_back("EV", static_cast<double>(1 + random.below(1'000'000'000)) * 1.37e-7);
      made->tags.emplace_back("XX", static_cast<std::int64_t>(random.below(1'000'000'000)) - 500'000'000);
    }
    made->finish();
    records.push_back(std::move(made));
  }
  return records;
}

std::string complaint(const AlignmentRecord& record) {
  const TemporaryFolder folder;
  std::string said;
  for (const char* name : {"out.sam", "out.bam"}) {
    AlignmentWriter writer(folder / name, small_header());
    AlignmentFormatter formatter = writer.formatter();
    std::string message = "nothing";
    try {
      formatter.add(record);
    } catch (const InputError& error) {
      message = error.what();
    }
    if (said.empty()) said = message;
    CHECK(said == message);
  }
  return said;
}

}  // namespace

TEST_CASE("SAM as written by hand") {
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<Made>> records;
  records.push_back(std::make_unique<Made>(
      AlignmentRecord{.name = "q1", .flag = 16, .reference = 0, .position = 9, .mapping_quality = 37}, "AACGTN",
      "5C0"));
  records.back()->quality = {0, 1, 2, 3, 4, 40};
  records.back()->cigar = {cigar_run(6, 'M')};
  records.back()->tags = {{"NM", 1}, {"MD", std::string_view(records.back()->md)}, {"EV", 1.25e-30}, {"BS", 512.3}};
  records.back()->finish();
  records.push_back(std::make_unique<Made>(AlignmentRecord{.name = "q2",
                                                           .flag = 1 | 4 | 8 | 64,
                                                           .reference = 1,
                                                           .position = 0,
                                                           .mate_reference = 1,
                                                           .mate_position = 0,
                                                           .template_length = -5}));
  records.push_back(std::make_unique<Made>(
      AlignmentRecord{.flag = 4, .mate_reference = 0, .mate_position = 4, .template_length = 5}, "R"));
  const std::string expected =
      "@HD\tVN:1.6\tSO:unsorted\tGO:query\n@SQ\tSN:chr1\tLN:1000\n@SQ\tSN:gi|2|x\tLN:2147483647\n@RG\tID:a\tSM:one\n"
      "@PG\tID:prog\tPN:prog\tVN:1.2\tCL:prog 'a b'\n@CO\tone\n@CO\ta b\n"
      "q1\t16\tchr1\t10\t37\t6M\t*\t0\t0\tNACGTT\tI%$#\"!\tNM:i:1\tMD:Z:5C0\tEV:f:1.25e-30\tBS:f:512.3\n"
      "q2\t77\tgi|2|x\t1\t0\t*\t=\t1\t-5\t*\t*\n"
      "*\t4\t*\t0\t0\t*\tchr1\t5\t5\tR\t*\n";
  CHECK(read_file(write_all(folder / "out.sam", records)) == expected);
  CHECK(joined(lines_by_htslib(folder / "out.sam")) == expected);
  CHECK(joined(lines_by_htslib(write_all(folder / "out.bam", records))) == expected);
  CHECK(genocl_test::contents(write_all(folder / "out.sam.gz", records)) == expected);
  CHECK(read_file(folder / "out.sam.gz").starts_with("\x1f\x8b"));
}

TEST_CASE("SAM and BAM as htslib reads them") {
  GENOCL_SHOW_SEED();
  const TemporaryFolder folder;
  const auto records = random_records(3000);
  const std::string sam = write_all(folder / "out.sam", records), bam = write_all(folder / "out.bam", records, 1000);
  const std::vector<std::string> lines = lines_by_htslib(bam);
  REQUIRE(lines.size() == records.size() + 1);
  CHECK(joined(lines) == read_file(sam));
  CHECK((lines_by_htslib(sam) == lines));
  CHECK(folder.count() == 2);
  BGZF* const file = bgzf_open(bam.c_str(), "r");
  REQUIRE(file != nullptr);
  CHECK(bgzf_check_EOF(file) == 1);
  bgzf_close(file);
}

TEST_CASE("threads format, one writes") {
  GENOCL_SHOW_SEED();
  const TemporaryFolder folder;
  const auto records = random_records(2000);
  for (const char* ending : {".sam", ".bam"}) {
    const std::string alone = write_all(folder / ("alone" + std::string(ending)), records);
    AlignmentWriter writer(folder / ("many" + std::string(ending)), small_header());
    std::vector<std::string> parts(4);
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < parts.size(); ++t)
        threads.emplace_back([&, t] {
          AlignmentFormatter formatter = writer.formatter();
          for (std::size_t i = t * 500; i < (t + 1) * 500; ++i) formatter.add(records[i]->record);
          parts[t] = formatter.take();
        });
    }
    for (const std::string& part : parts) writer.append(part);
    writer.commit();
    CHECK((lines_by_htslib(folder / ("many" + std::string(ending))) == lines_by_htslib(alone)));
  }
}

TEST_CASE("files of alignments without records, by format and not by name") {
  const TemporaryFolder folder;
  for (const AlignmentFormat format : {AlignmentFormat::sam, AlignmentFormat::bam}) {
    const std::string path = folder / (format == AlignmentFormat::sam ? "sam" : "bam");
    AlignmentWriter writer(path, {}, {.format = format});
    CHECK(writer.format() == format);
    CHECK_FALSE(std::filesystem::exists(path));
    writer.commit();
    CHECK(lines_by_htslib(path) == std::vector<std::string>{"@HD\tVN:1.6\tSO:unsorted\tGO:query\n"});
    CHECK(read_file(path).starts_with("@") == (format == AlignmentFormat::sam));
  }
}

TEST_CASE("a file of alignments that is given up leaves nothing") {
  const TemporaryFolder folder;
  for (const char* name : {"out.sam", "out.bam"}) {
    AlignmentWriter writer(folder / name, small_header());
    AlignmentFormatter formatter = writer.formatter();
    formatter.add({.name = "x"});
    writer.append(formatter.take());
  }
  CHECK(folder.count() == 0);
  CHECK_THROWS_WITH_AS(
      [] {
        AlignmentWriter writer("/dev/full", small_header());
        writer.append(std::string(1'000'000, 'x'));
        writer.commit();
      }(),
      "/dev/full: cannot be written: No space left on device", InputError);
}

TEST_CASE("headers that SAM does not allow") {
  const TemporaryFolder folder;
  const auto complaint_about = [&](const AlignmentHeader& header) -> std::string {
    try {
      AlignmentWriter(folder / "out.sam", header);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing";
  };
  CHECK(complaint_about({.references = {{"a", 1}, {"b", 2}}}) == "nothing");
  CHECK(complaint_about({.references = {{"a", 1}, {"a", 2}}}) == "contig 2 (a): a name that comes twice");
  for (const char* name : {"", "*", "=x", "a b", "a,b", "a<b", "a\nb", "\xc3\xa4"})
    CHECK(complaint_about({.references = {{name, 1}}}).ends_with("a name that SAM does not allow"));
  CHECK(complaint_about({.references = {{"a", 0x80000000}}}) ==
        "contig 1 (a): 2147483648 bases; expected at most 2147483647 in SAM");
  for (const char* group : {"", "x", "ID:", "SM:x\tLB:y", "ID:x\t", "ID:x\tSM", "ID:x\nSM:y", "ID:a\tID:b",
                            "ID:a\tSM:x\tSM:y", "\tID:a", "ID:a\t3M:x"})
    CHECK(complaint_about({.read_groups = {group}}).starts_with("read group: "));
  CHECK(complaint_about({.read_groups = {"SM:x\tID:y", "PL:ILLUMINA\tID:x y\tSM:z"}}) == "nothing");
  CHECK(complaint_about({.read_groups = {"SM:x\tID:y", "ID:y"}}).ends_with("has an ID that comes twice"));
}

TEST_CASE("records that SAM has no place for") {
  const std::vector<Code> codes(5, 1);
  const std::vector<std::uint8_t> quality(4, 1);
  const std::vector<std::uint32_t> cigar = {cigar_run(4, 'M'), cigar_run(3, 'D')}, strange = {11};
  const std::string name(255, 'n');
  CHECK(complaint({.name = "fine", .codes = codes}) == "nothing");
  CHECK(complaint({.name = name}).find("a name of 255 bytes; expected at most 254") != std::string::npos);
  for (const char* bad : {"@a", "a b", "a\tb", "\x7f"})
    CHECK(complaint({.name = bad}).find("a name that SAM does not allow") != std::string::npos);
  CHECK(complaint({.name = "a", .codes = codes, .quality = quality}) == "record a: 4 qualities; expected 5");
  CHECK(complaint({.name = "a", .cigar = cigar, .codes = codes}) == "record a: a CIGAR of 4 bases; expected 5");
  CHECK(complaint({.name = "a", .cigar = strange, .codes = codes}).find("does not exist") != std::string::npos);
  CHECK(complaint({.name = "a", .flag = 0, .codes = codes}) == "record a: a mapped read without a CIGAR");
  CHECK(complaint({.name = "a", .reference = 2}) == "record a: a contig that is not in the header");
  CHECK(complaint({.name = "a", .mate_reference = -2}) == "record a: a contig that is not in the header");
  CHECK(complaint({.name = "a", .reference = 0, .position = 0x7fffffff}).find("a position") != std::string::npos);
}

TEST_CASE("a field that is no number has no place in SAM") {
  const AlignmentTag tags[] = {{"EV", std::nan("")}};
  CHECK(complaint({.name = "q", .tags = tags}) == "record q: a field EV that is no number");
}

TEST_CASE("fields that come as text") {
  const TemporaryFolder folder;
  const std::string fields =
      "BC:Z:ACGT-TT\tQX:A:!\tzi:i:-7\tzj:i:4294967295\tzf:f:-1.5\tzh:H:1AE3\tze:Z:\tB0:B:c,-128,127\tB1:B:S,65535\tB2:"
      "B:f,0.5";
  std::vector<std::unique_ptr<Made>> records;
  records.push_back(std::make_unique<Made>(AlignmentRecord{.name = "q1", .tag_text = fields}, "ACGT"));
  records.back()->tags = {{"NM", 1}};
  records.push_back(std::make_unique<Made>(AlignmentRecord{.name = "q2", .tag_text = "RX:Z:a b"}, "A"));
  records.push_back(std::make_unique<Made>(AlignmentRecord{.name = "q3"}, "A"));
  for (const auto& record : records) record->finish();
  const auto lines = lines_by_htslib(write_all(folder / "out.bam", records));
  REQUIRE(lines.size() == 4);
  CHECK(lines[1] == "q1\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\t*\tNM:i:1\t" + fields);
  CHECK(lines[2] == "q2\t4\t*\t0\t0\t*\t*\t0\t0\tA\t*\tRX:Z:a b");
  CHECK((lines_by_htslib(write_all(folder / "out.sam", records)) == lines));
  CHECK(joined(lines) == read_file(folder / "out.sam"));

  const AlignmentTag tags[] = {{"NM", 1}};
  CHECK(complaint({.name = "q", .tags = tags, .tag_text = "BC:Z:x\tNM:i:2"}) == "record q: a tag NM that comes twice");
  CHECK(complaint({.name = "q", .tag_text = "BC:Z:x\tBC:Z:y"}) == "record q: a tag BC that comes twice");
  for (const char* bad :
       {"BC:Z", "1:N:0", "BC:Z:x\t", "\tBC:Z:x", "BC:Z:\x7f", "BC:i:x", "BC:f:inf", "BC:B:c,200", "BC:H:abc"})
    CHECK(complaint({.name = "q", .tag_text = bad}).find("is no tag of SAM") != std::string::npos);
  const std::string_view taken[] = {"MD", "NM"};
  CHECK_THROWS_WITH_AS(check_tags("BC:Z:x\tNM:i:2", taken),
                       "a tag NM, which the record has already; expected another tag", InputError);
  CHECK_NOTHROW(check_tags("BC:Z:x\tNH:i:2", taken));
  CHECK_NOTHROW(check_tags({}, taken));
}

TEST_CASE("a format under the name of another") {
  const TemporaryFolder folder;
  const auto made = [&](const char* name, AlignmentFormat format) {
    try {
      genocl::io::AlignmentWriter writer(folder / name, {}, {.format = format});
    } catch (const genocl::InputError& error) {
      return error.wrong();
    }
    return std::string();
  };
  CHECK(made("x.bam", AlignmentFormat::sam) == "SAM under a name of BAM");
  CHECK(made("x.sam", AlignmentFormat::bam) == "BAM under a name of SAM");
  CHECK(made("x.sam.gz", AlignmentFormat::bam) == "BAM under a name of SAM");
  CHECK(made("x.cram", AlignmentFormat::sam) == "SAM under a name of CRAM");
  CHECK(made("x.cram", AlignmentFormat::bam) == "BAM under a name of CRAM");
  CHECK(made("x.bam", AlignmentFormat::cram) == "CRAM under a name of BAM");
  CHECK(made("x.sam", AlignmentFormat::cram) == "CRAM under a name of SAM");
  CHECK(made("x.cram", AlignmentFormat::by_name).empty());
  CHECK(made("x.cram", AlignmentFormat::cram).empty());
  CHECK(made("x.bam", AlignmentFormat::bam).empty());
  CHECK(made("x.sam", AlignmentFormat::sam).empty());
  CHECK(made("x", AlignmentFormat::bam).empty());
  CHECK(folder.count() == 0);
}
