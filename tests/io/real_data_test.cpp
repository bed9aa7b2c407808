// Real files, as a user has them, against a reader of lines and against what is known of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "genocl/io/sequence_writer.hpp"
#include "io/files.hpp"
#include "reference/sequence.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Alphabet;
using genocl::SequenceSet;
using genocl::io::read_sequences;
using genocl_test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// Empty where it is not there, which is said.
std::string real(const std::string& name) {
  const char* folder = std::getenv("GENOCL_TEST_DATA");
  const fs::path path = fs::path(folder == nullptr ? "../shared/data" : folder) / name;
  if (fs::exists(path)) return path.string();
  MESSAGE("left out: no " << name << " in GENOCL_TEST_DATA");
  return {};
}

struct Known {
  const char* file;
  Alphabet alphabet;
  std::size_t records;
  std::uint64_t residues;
};

// Records and residues from the records' own descriptions and the data's own list.
constexpr std::array known = {
    Known{"dna/lambda_virus.fa", Alphabet::dna, 1, 48'502},
    Known{"dna/ecoli_k12.fa.gz", Alphabet::dna, 1, 4'641'652},
    Known{"dna/ecoli_536.fa.gz", Alphabet::dna, 1, 4'938'920},
    Known{"dna/MT-human.fa", Alphabet::dna, 1, 16'569},
    Known{"dna/sarscov2_418.fa.gz", Alphabet::dna, 418, 0},
    Known{"dna/mers_all.fa.gz", Alphabet::dna, 46, 0},
    Known{"dna/human_chr1_5k-55k.fa.gz", Alphabet::dna, 1, 0},
    Known{"dna/mouse_regions_3m.fa.gz", Alphabet::dna, 1, 3'000'000},
    Known{"proteins/proteins_2m.fasta.gz", Alphabet::protein, 4'567, 2'000'086},
    Known{"proteins/db_small.fasta.gz", Alphabet::protein, 482, 0},
    Known{"proteins/queries14.fasta", Alphabet::protein, 14, 0},
    Known{"proteins/queries20.fasta", Alphabet::protein, 20, 0},
    Known{"proteins/queries_edge.fasta", Alphabet::protein, 8, 0},
    Known{"reads/e_coli_1000.fq", Alphabet::dna, 1'000, 35'000},
    Known{"reads/reads_100bp_28160.fq.gz", Alphabet::dna, 28'160, 0},
    Known{"reads/lambda_reads_1.fq.gz", Alphabet::dna, 10'000, 0},
};

bool same(const SequenceSet& set, const std::vector<genocl_reference::TextRecord>& records) {
  if (set.size() != records.size()) return false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto& record = records[i];
    std::string quality;
    for (const std::uint8_t score : set.quality(i)) quality += static_cast<char>(score + 33);
    // "> name": a reader of lines sees no name there.
    const bool shifted = record.name.empty();
    const std::string header =
        std::string(set.name(i)) + (set.description(i).empty() ? "" : " ") + std::string(set.description(i));
    if (shifted ? header != record.description : set.name(i) != record.name || set.description(i) != record.description)
      return false;
    if (set.letters(i) != record.letters || quality != record.quality) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("real files are read as they are") {
  for (const Known& file : known) {
    CAPTURE(std::string(file.file));
    const std::string path = real(file.file);
    if (path.empty()) continue;
    const SequenceSet set = read_sequences(path, {.alphabet = file.alphabet});
    CHECK(set.size() == file.records);
    if (file.residues != 0) CHECK(set.residues() == file.residues);
    CHECK(same(set, genocl_reference::parse_lines(genocl_test::contents(path))));
  }
}

TEST_CASE("real files with Windows line ends and compressed in other ways") {
  const TemporaryFolder folder;
  for (const Known& file : known) {
    CAPTURE(std::string(file.file));
    const std::string path = real(file.file);
    if (path.empty()) continue;
    const genocl::io::ReadOptions options{.alphabet = file.alphabet};
    const SequenceSet set = read_sequences(path, options);
    const std::string text = genocl_test::contents(path);
    std::string windows;
    for (const char c : text) {
      if (c == '\n') windows += '\r';
      windows += c;
    }
    CHECK(read_sequences(genocl_test::write_file(folder / "plain", text), options) == set);
    CHECK(read_sequences(genocl_test::write_file(folder / "windows", windows), options) == set);
    CHECK(read_sequences(genocl_test::write_gzip(folder / "gzip", windows), options) == set);
    genocl_test::write_bgzip(folder / "bgzip", text);
    CHECK(read_sequences(folder / "bgzip", options) == set);
    CHECK(read_sequences(folder / "bgzip", {.alphabet = file.alphabet, .threads = 2}) == set);
  }
}

TEST_CASE("real files written and read back") {
  const TemporaryFolder folder;
  for (const Known& file : known) {
    CAPTURE(std::string(file.file));
    const std::string path = real(file.file);
    if (path.empty()) continue;
    const SequenceSet set = read_sequences(path, {.alphabet = file.alphabet});
    {
      genocl::io::OutputFile out(folder / "out.gz", {.level = 1});
      set.has_qualities() ? genocl::io::write_fastq(out, set) : genocl::io::write_fasta(out, set);
      out.commit();
    }
    CHECK(read_sequences(folder / "out.gz", {.alphabet = file.alphabet}) == set);
    if (file.alphabet != Alphabet::dna) continue;
    const genocl::PackedDna packed(set);
    CHECK(std::ranges::equal(packed.unpack(), set.codes()));
    CHECK(packed.reverse_complement().reverse_complement() == packed);
  }
}

TEST_CASE("real files cut off anywhere") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const TemporaryFolder folder;
  for (const char* name : {"dna/ecoli_k12.fa.gz", "reads/lambda_reads_1.fq.gz", "proteins/proteins_2m.fasta.gz"}) {
    const std::string path = real(name);
    if (path.empty()) continue;
    const std::string whole = genocl_test::read_file(path);
    for (int round = 0; round < 10; ++round) {
      const std::size_t left = random.below(whole.size());
      CAPTURE(left);
      const std::string said = genocl_test::complaint_about(
          genocl_test::write_file(folder / "cut", whole.substr(0, left)), {.alphabet = Alphabet::bytes});
      CHECK_FALSE(said.empty());
    }
  }
}

TEST_CASE("real files of other kinds are refused in words that help") {
  if (const std::string xz = real("proteins/proteins_51m.fasta.xz"); !xz.empty())
    CHECK(genocl_test::complaint_about(xz, {.alphabet = Alphabet::protein}).find("XZ-compressed") != std::string::npos);
  if (const std::string proteins = real("proteins/queries14.fasta"); !proteins.empty())
    CHECK(genocl_test::complaint_about(proteins).find("is not a DNA letter") != std::string::npos);
  if (const std::string meme = real("motifs/jaspar2018_core.meme.gz"); !meme.empty())
    CHECK(genocl_test::complaint_about(meme).starts_with(":record 1: text before the first record"));
  if (const std::string matrix = real("matrices/BLOSUM62"); !matrix.empty())
    CHECK_FALSE(genocl_test::complaint_about(matrix, {.alphabet = Alphabet::protein}).empty());
  if (const std::string jaspar = real("motifs/jaspar2018_vertebrates.jaspar"); !jaspar.empty())
    CHECK(genocl_test::complaint_about(jaspar).find("is not a DNA letter") != std::string::npos);
}
