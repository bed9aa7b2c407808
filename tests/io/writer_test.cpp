#include "genocl/io/sequence_writer.hpp"

#include <doctest/doctest.h>

#include "genocl/error.hpp"
#include "io/files.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Alphabet;
using genocl::InputError;
using genocl::SequenceSet;
using genocl::io::OutputFile;
using genocl_test::read_file;
using genocl_test::TemporaryFolder;

namespace {

SequenceSet one(std::string_view name, std::string_view letters, std::string_view description = {}) {
  SequenceSet set(Alphabet::bytes);
  set.append_letters(name, letters, description);
  return set;
}

}  // namespace

TEST_CASE("FASTA as it is written") {
  const TemporaryFolder folder;
  SequenceSet set;
  set.append_letters("one", "ACGTACGTAC", "the first");
  set.append_letters("two", "");
  set.append_letters("", "ACGT");
  const auto text = [&](std::uint64_t width) {
    OutputFile file(folder / "out");
    genocl::io::write_fasta(file, set, width);
    file.commit();
    return read_file(folder / "out");
  };
  CHECK(text(4) == ">one the first\nACGT\nACGT\nAC\n>two\n>\nACGT\n");
  CHECK(text(5) == ">one the first\nACGTA\nCGTAC\n>two\n>\nACGT\n");
  CHECK(text(70) == ">one the first\nACGTACGTAC\n>two\n>\nACGT\n");
  CHECK(text(0) == text(70));
  CHECK(text(UINT64_MAX) == text(70));
}

TEST_CASE("FASTQ as it is written") {
  const TemporaryFolder folder;
  SequenceSet set(Alphabet::dna, true);
  const std::vector<std::uint8_t> quality = {0, 40, 93};
  set.append_letters("one", "ACN", "d", quality);
  set.append_letters("two", "T", "", std::vector<std::uint8_t>{1});
  OutputFile file(folder / "out");
  genocl::io::write_fastq(file, set);
  CHECK_THROWS_AS(genocl::io::write_fastq(file, SequenceSet()), InputError);
  SequenceSet empty(Alphabet::dna, true);
  empty.append_letters("empty", "", "", {});
  genocl::io::write_fastq(file, empty);
  file.commit();
  CHECK(read_file(folder / "out") == "@one d\nACN\n+\n!I~\n@two\nT\n+\n\"\n@empty\n\n+\n\n");
}

TEST_CASE("what is written reads back the same") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const TemporaryFolder folder;
  for (int round = 0; round < 60; ++round) {
    const Alphabet alphabet = std::array{Alphabet::dna, Alphabet::protein, Alphabet::bytes}[random.below(3)];
    const bool fastq = random.below(2) == 0;
    const SequenceSet set = random.set(alphabet, fastq, 1 + random.below(40), 300);
    const std::string path = folder / (random.below(2) == 0 ? "out" : "out.gz");
    {
      OutputFile file(path);
      if (fastq)
        genocl::io::write_fastq(file, set);
      else
        genocl::io::write_fasta(file, set, random.below(100));
      file.commit();
    }
    REQUIRE(genocl::io::read_sequences(path, {.alphabet = alphabet}) == set);
  }
}

TEST_CASE("what would not read back the same is not written") {
  const TemporaryFolder folder;
  OutputFile file(folder / "out");
  const auto refused = [&](const SequenceSet& set) { CHECK_THROWS_AS(genocl::io::write_fasta(file, set), InputError); };
  refused(one("two words", "A"));
  refused(one("tab\t", "A"));
  refused(one("line\n", "A"));
  refused(one("a", "A", " d"));
  refused(one("a", "A", "d "));
  refused(one("a", "A", "d\r"));
  refused(one("a", "A", "d\n>b"));
  refused(one("", "A", "d"));
  refused(one("a", "A C"));
  refused(one("a", std::string_view("A\0", 2)));
  refused(one("a", "A\n"));
  refused(one("a", ">b"));
  refused(one("a", "+b"));
  refused(one("a", std::string(70, 'A') + "@"));
  CHECK_NOTHROW(genocl::io::write_fasta(file, one("a", std::string(69, 'A') + "@")));
}
