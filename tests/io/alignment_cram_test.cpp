#include <doctest/doctest.h>
#include <htslib/sam.h>
#include <unistd.h>

#include <algorithm>

#include "genocl/error.hpp"
#include "genocl/io/alignment_writer.hpp"
#include "io/files.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Code;
using genocl::InputError;
using namespace genocl::io;
using genocl_test::read_file;
using genocl_test::TemporaryFolder;
using genocl_test::write_file;

namespace {

struct Reference {
  std::vector<std::string> names = {"chr1", "chr2"}, letters;

  explicit Reference(genocl_test::RandomSequences& random)
      : letters{random.text(20'000, "ACGT"), random.text(5'000, "ACGT")} {}
  AlignmentHeader header() const {
    return {.references = {{names[0], letters[0].size()}, {names[1], letters[1].size()}},
            .read_groups = {"ID:a\tSM:b"},
            .program = "prog"};
  }
  std::string fasta() const {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += ">" + names[i] + " of a test\n";
      for (std::size_t at = 0; at < letters[i].size(); at += 60) text += letters[i].substr(at, 60) + "\n";
    }
    return text;
  }
};

/// A mapped read of matches except its middle, which is another letter or N, and now and then an unmapped one.
struct Read {
  std::string name, letters, difference;
  std::int32_t reference = -1;
  std::int64_t position = -1;
  std::uint16_t flag = AlignmentRecord::unmapped;
};

std::vector<Read> random_reads(const Reference& reference, genocl_test::RandomSequences& random, std::size_t count) {
  std::vector<Read> reads;
  for (std::size_t i = 0; i < count; ++i) {
    Read read{.name = "r" + std::to_string(i), .letters = random.text(100, "ACGTN")};
    if (i % 10 != 0) {
      read.reference = static_cast<std::int32_t>(random.below(2));
      const std::string& contig = reference.letters[static_cast<std::size_t>(read.reference)];
      read.position = static_cast<std::int64_t>(random.below(contig.size() - 100));
      read.letters = contig.substr(static_cast<std::size_t>(read.position), 100);
      read.difference = std::string("50") + read.letters[50] + "49";
      read.letters[50] = random.below(2) == 0 || read.letters[50] == 'A' ? 'N' : 'A';
      read.flag = random.below(2) == 0 ? AlignmentRecord::reverse : 0;
    }
    reads.push_back(read);
  }
  return reads;
}

void write(const std::string& path, const Reference& reference, const std::vector<Read>& reads,
           const AlignmentWriterOptions& options) {
  AlignmentWriter writer(path, reference.header(), options);
  AlignmentFormatter formatter = writer.formatter();
  const std::uint32_t cigar[] = {cigar_run(100, 'M')};
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const Read& read = reads[i];
    const bool mapped = read.flag != AlignmentRecord::unmapped;
    std::vector<AlignmentTag> tags = {{"RG", std::string_view("a")}, {"XX", std::int64_t{100'000}}};
    if (mapped) tags.insert(tags.begin(), {{"NM", 1}, {"MD", std::string_view(read.difference)}});
    auto codes = genocl::encode(genocl::Alphabet::dna, read.letters);
    // Records have reads as they were read.
    if (read.flag == AlignmentRecord::reverse) {
      std::ranges::reverse(codes);
      for (Code& code : codes) code = genocl::dna::complement(code);
    }
    const std::vector<std::uint8_t> quality(codes.size(), static_cast<std::uint8_t>(i % 40));
    AlignmentRecord record{.name = read.name,
                           .flag = read.flag,
                           .reference = read.reference,
                           .position = read.position,
                           .codes = codes,
                           .quality = quality,
                           .tags = tags,
                           .tag_text = i % 3 == 0 ? "BC:Z:ACGT" : ""};
    if (mapped) record.cigar = cigar;
    formatter.add(record);
    if (i % 300 == 0) writer.append(formatter.take());
  }
  writer.append(formatter.take());
  writer.commit();
}

/// The lines of SAM, the optional fields of each in the order of their names. `fasta`: what CRAM was written against.
std::vector<std::string> lines_of(const std::string& path, const std::string& fasta) {
  samFile* const file = sam_open(path.c_str(), "r");
  REQUIRE(file != nullptr);
  // So that what htslib's codecs keep for a thread goes.
  REQUIRE(hts_set_threads(file, 1) == 0);
  if (!fasta.empty()) REQUIRE(hts_set_fai_filename(file, fasta.c_str()) == 0);
  sam_hdr_t* const header = sam_hdr_read(file);
  REQUIRE(header != nullptr);
  bam1_t* const record = bam_init1();
  kstring_t line = KS_INITIALIZE;
  std::vector<std::string> lines;
  int result = 0;
  while ((result = sam_read1(file, header, record)) >= 0) {
    REQUIRE(sam_format1(header, record, &line) >= 0);
    std::vector<std::string> fields;
    const std::string text(line.s, line.l);
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\t', begin), text.size());
      fields.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    std::sort(fields.begin() + 11, fields.end());
    lines.emplace_back();
    for (const std::string& field : fields) lines.back() += field + "\t";
  }
  CHECK(result == -1);
  ks_free(&line);
  bam_destroy1(record);
  sam_hdr_destroy(header);
  CHECK(sam_close(file) == 0);
  return lines;
}

}  // namespace

TEST_CASE("CRAM holds what SAM does") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const TemporaryFolder folder;
  const Reference reference(random);
  const std::string plain = write_file(folder / "ref.fa", reference.fasta());
  const std::string bgzip = genocl_test::write_bgzip(folder / "ref.fa.gz", reference.fasta());
  const auto reads = random_reads(reference, random, 25'000);  // more than a slice, or two
  for (const bool sort : {false, true}) {
    write(folder / "out.sam", reference, reads, {.sort = sort});
    const auto wanted = lines_of(folder / "out.sam", "");
    REQUIRE(wanted.size() == reads.size());
    std::uintmax_t size_without = 0;
    for (const std::string& fasta : {std::string(), plain, bgzip})
      for (const unsigned threads : {0u, 2u}) {
        const std::string path = folder / "out.cram";
        write(path, reference, reads,
              {.sort = sort, .sort_memory = 2'000'000, .threads = threads, .cram_reference = fasta});
        CHECK(read_file(path).starts_with("CRAM"));
        CHECK((lines_of(path, fasta) == wanted));
        CHECK(std::filesystem::exists(path + ".crai") == sort);
        if (fasta.empty()) size_without = std::filesystem::file_size(path);
        if (!fasta.empty()) CHECK(std::filesystem::file_size(path) < size_without);
      }
  }
  // With out.sam, out.cram, its index and the FASTA of both kinds: the indexes that were made.
  for (const char* made : {"ref.fa.fai", "ref.fa.gz.fai", "ref.fa.gz.gzi"})
    CHECK(std::filesystem::exists(folder / made));
  CHECK(folder.count() == 8);

  // The index finds what lies in a region.
  samFile* const file = sam_open((folder / "out.cram").c_str(), "r");
  REQUIRE(file != nullptr);
  REQUIRE(hts_set_threads(file, 1) == 0);
  REQUIRE(hts_set_fai_filename(file, bgzip.c_str()) == 0);
  sam_hdr_t* const header = sam_hdr_read(file);
  hts_idx_t* const index = sam_index_load(file, (folder / "out.cram").c_str());
  REQUIRE(index != nullptr);
  bam1_t* const record = bam_init1();
  for (const auto& [begin, end] : {std::pair(0, 100), std::pair(4000, 9000), std::pair(19'000, 20'000)}) {
    hts_itr_t* const region = sam_itr_queryi(index, 0, begin, end);
    REQUIRE(region != nullptr);
    std::ptrdiff_t found = 0;
    while (sam_itr_next(file, region, record) >= 0) ++found;
    hts_itr_destroy(region);
    CHECK(found == std::ranges::count_if(reads, [begin = begin, end = end](const Read& read) {
            return read.reference == 0 && read.position < end && read.position + 100 > begin;
          }));
  }
  bam_destroy1(record);
  hts_idx_destroy(index);
  sam_hdr_destroy(header);
  CHECK(sam_close(file) == 0);
}

TEST_CASE("a FASTA that CRAM cannot be written against") {
  genocl_test::RandomSequences random;
  const TemporaryFolder folder;
  const Reference reference(random);
  const auto complaint = [&](const std::string& fasta) -> std::string {
    try {
      write(folder / "out.cram", reference, {}, {.sort = true, .cram_reference = fasta});
    } catch (const InputError& error) {
      CHECK(error.file() == fasta);
      return std::string(error.what()).substr(fasta.size() + 2);
    }
    return "nothing";
  };
  CHECK(complaint(folder / "none.fa").starts_with("cannot be opened as the reference of CRAM"));
  CHECK(complaint("https://example.org/ref.fa").starts_with("cannot be opened as the reference of CRAM"));
  CHECK(complaint(genocl_test::write_gzip(folder / "gzip.fa.gz", reference.fasta()))
            .starts_with("cannot be looked into as the reference of CRAM"));
  CHECK(complaint(write_file(folder / "text.fa", "no FASTA\n"))
            .starts_with("cannot be looked into as the reference of CRAM"));
  CHECK(complaint(write_file(folder / "uneven.fa", ">chr1\nAC\nACGT\nACGT\n"))
            .ends_with("with lines of one length in each contig"));
  CHECK(complaint(write_file(folder / "one.fa", ">chr1\n" + reference.letters[0] + "\n")) ==
        "no contig chr2 in it; expected the reference that was mapped to");
  CHECK(complaint(write_file(folder / "short.fa", ">chr1\n" + reference.letters[0] + "\n>chr2\nACGT\n")) ==
        "contig chr2 has 4 bases; expected 5000, as in the reference that was mapped to");
  CHECK(complaint(write_file(folder / "good.fa", reference.fasta())) == "nothing");
  // Six of FASTA, an index of those three that are FASTA, and the one CRAM with its index.
  CHECK(folder.count() == 11);
}

TEST_CASE("CRAM that is given up, or goes to a place that fails") {
  genocl_test::RandomSequences random;
  const TemporaryFolder folder;
  const Reference reference(random);
  const auto reads = random_reads(reference, random, 30'000);
  for (const bool sort : {false, true}) {
    AlignmentWriter writer(folder / "x.cram", reference.header(), {.sort = sort});
    AlignmentFormatter formatter = writer.formatter();
    for (int i = 0; i < 30'000; ++i) formatter.add({.name = "x"});
    writer.append(formatter.take());
  }
  CHECK(folder.count() == 0);
  for (const std::size_t count : {std::size_t{10}, reads.size()}) {
    const std::vector<Read> some(reads.begin(), reads.begin() + static_cast<std::ptrdiff_t>(count));
    CHECK_THROWS_WITH_AS(write("/dev/full", reference, some, {.format = AlignmentFormat::cram}),
                         "/dev/full: cannot be written: No space left on device", InputError);
  }
  // A pipe that nobody reads is an error, not the end of the process.
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  {
    const genocl_test::Redirected output(STDOUT_FILENO, ends[1]);
    CHECK_THROWS_WITH_AS(write("-", reference, reads, {.format = AlignmentFormat::cram}),
                         "standard output: cannot be written: Broken pipe", InputError);
  }
  close(ends[1]);
  CHECK_THROWS_AS(write(folder / "x.cram", reference, {}, {.level = 10}), InputError);
  CHECK(folder.count() == 0);
}
