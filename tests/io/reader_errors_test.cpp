// Files that are refused, and what the user is told.
#include <doctest/doctest.h>

#include "genocl/error.hpp"
#include "io/files.hpp"

using genocl::Alphabet;
using genocl::io::ReadOptions;
using genocl_test::complaint_about;
using genocl_test::TemporaryFolder;

namespace {

/// What is said after the file's name.
std::string complaint(std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  return complaint_about(genocl_test::write_file(folder / "in", text), options);
}

constexpr const char* expected_dna = "; expected A, C, G, T, U, N or another IUPAC nucleotide code";

}  // namespace

TEST_CASE("a letter outside the alphabet") {
  CHECK(complaint(">a\nACGT\n>b x\nAC\nGJ\n") ==
        ":record 2 (b), letter 4: 'J' is not a DNA letter" + std::string(expected_dna));
  CHECK(complaint("@a\nAC.T\n+\nIIII\n") ==
        ":record 1 (a), letter 3: '.' is not a DNA letter" + std::string(expected_dna));
  CHECK(complaint(">\nE\n") == ":record 1, letter 1: 'E' is not a DNA letter" + std::string(expected_dna));
  CHECK(complaint(">p\nMKV-L\n", {.alphabet = Alphabet::protein}) ==
        ":record 1 (p), letter 4: '-' is not a protein letter; expected an amino acid (A to Z or *)");
  // Blanks are no letters and are not counted.
  CHECK(complaint(">a\nAC GT\n A1\n") ==
        ":record 1 (a), letter 6: '1' is not a DNA letter" + std::string(expected_dna));
  CHECK(complaint("@a\nAC GT\n+\nIIIII\n").starts_with(":record 1 (a), letter 3: a blank is not a DNA letter"));
  CHECK(complaint(">a\n" + std::string(100'000, 'A') + "\n" + std::string(77, 'C') + "!")
            .starts_with(":record 1 (a), letter 100078: '!'"));
}

TEST_CASE("binary among the letters also where others are replaced") {
  const ReadOptions replace{.bad_letters = genocl::io::BadLetters::replace};
  CHECK(complaint(std::string_view(">a\nAC\0GT\n", 9)).starts_with(":record 1 (a), letter 3: binary: byte 0x00"));
  CHECK(complaint(std::string_view(">a\nAC\0GT\n", 9), replace)
            .starts_with(":record 1 (a), letter 3: binary: byte 0x00"));
  CHECK(complaint(">a\nAC-\xff\n", replace).starts_with(":record 1 (a), letter 4: binary: byte 0xff"));
  CHECK(complaint(">a\nAC\rGT\n").starts_with(":record 1 (a), letter 3: binary: byte 0x0d"));  // line ends of old Macs
  CHECK(complaint(">a\nab\x80\n", {.alphabet = Alphabet::bytes})
            .starts_with(":record 1 (a), letter 3: binary: byte 0x80"));
}

TEST_CASE("binary in a header") {
  CHECK(complaint(std::string_view(">a\nA\n>b\0c\nA\n", 12))
            .starts_with(":record 2 (b?c): binary: byte 0x00 in the header"));
  CHECK(complaint(">a x\x07y\nA\n").starts_with(":record 1 (a): binary: byte 0x07 in the header"));
}

TEST_CASE("binary files") {
  CHECK(complaint(std::string_view("\0\0\0\0", 4)) ==
        ":record 1: binary: the file begins with byte 0x00; expected '>' (FASTA) or '@' (FASTQ)");
  CHECK(complaint("\x7f"
                  "ELF\2\1\1")
            .starts_with(":record 1: binary: the file begins with byte 0x7f"));
  CHECK(complaint("\xff\xfe>\0a\0").starts_with(":record 1: binary: the file begins with byte 0xff"));  // UTF-16
  CHECK(complaint("\x89PNG\r\n\x1a\n").starts_with(":record 1: binary: the file begins with byte 0x89"));
}

TEST_CASE("text before the first record") {
  CHECK(complaint("ACGT\n>a\nACGT\n") ==
        ":record 1: text before the first record: the file begins with 'A'; expected '>' (FASTA) or '@' (FASTQ)");
  CHECK(complaint("; an old comment\n>a\nACGT\n").starts_with(":record 1: text before the first record"));
  CHECK(complaint("\n\n  x>a\nACGT\n").starts_with(":record 1: text before the first record"));
}

TEST_CASE("files of other formats") {
  const std::string sam = "@HD\tVN:1.6\tSO:unsorted\n@SQ\tSN:c\tLN:4\nr\t0\tc\t1\t60\t4M\t*\t0\t0\tACGT\tIIII\n";
  CHECK(complaint(sam).find("it looks like SAM version 1.6 sequence text") != std::string::npos);
  CHECK(complaint("##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n")
            .find("it looks like VCF version 4.2") != std::string::npos);
  CHECK(complaint("<!DOCTYPE html>\n<html></html>\n")
            .starts_with(":record 1: text before the first record: the file begins with '<'"));
}

TEST_CASE("a file with no record") {
  for (const char* text : {"", "\n\n", "\r\n", "\xef\xbb\xbf"})
    CHECK(complaint(text) == ": no records in it; expected FASTA or FASTQ");
}

TEST_CASE("qualities of another length") {
  CHECK(complaint("@a\nACGT\n+\nIIII\n@b\nACGT\n+\nIII\n@c\nA\n+\nI\n") ==
        ":record 2 (b): 3 quality characters for 4 letters");
  CHECK(complaint("@a\nACGT\n+\nIIIII\n@b\nA\n+\nI\n") == ":record 1 (a): 5 quality characters for 4 letters");
  CHECK(complaint("@a\nACGT\n+\nIII\n") == ":record 1 (a): 3 quality characters for 4 letters");
  CHECK(complaint("@a\nACGT\n+\n\n@b\nA\n+\nI\n") == ":record 1 (a): 0 quality characters for 4 letters");
  CHECK(complaint("@a\nACGT\n+\n") == ":record 1 (a): 0 quality characters for 4 letters");
  // Two characters and the header after them make four: joined they would pass.
  CHECK(complaint("@a\nACGT\n+\nII\n@b\nACGT\n+\nIIII\n") == ":record 1 (a): 2 quality characters for 4 letters");
  CHECK(complaint("@a\nAC\nGT\n+\nII\nI\n") ==
        ":record 1 (a): the lines of quality characters do not add up to 4 as the letters do");
  CHECK(complaint("@a\n\n+\nI\n").starts_with(":record 1 (a): 1 quality characters for 0 letters"));
}

TEST_CASE("strict: a FASTQ record of no letters, blank lines inside a record, the name on a '+' line") {
  const ReadOptions strict{.strict = true};
  CHECK(complaint("@a\n\n+\n\n", strict) == ":record 1 (a): an empty record; expected letters and qualities");
  CHECK(complaint("@a\nAC\n+\nII\n@b x\n\n+\n", strict) ==
        ":record 2 (b): an empty record; expected letters and qualities");
  CHECK(complaint("@a\r\n\r\n+\r\n\r\n@b\r\nA\r\n+\r\nI\r\n", strict).starts_with(":record 1 (a): an empty record"));
  CHECK(complaint("@a\n\nAC\n+\nII\n", strict) == ":record 1 (a): a blank line inside the record");
  CHECK(complaint("@b\nA\n+\nI\n@a\nAC\n\n+\nII\n", strict) == ":record 2 (a): a blank line inside the record");
  CHECK(complaint("@a\nAC\n+\n\nII\n", strict) == ":record 1 (a): a blank line inside the record");
  CHECK(complaint("@a\nACGT\n+b\nIIII\n", strict) == ":record 1 (a): its '+' line names another record: 'b'");
  CHECK(complaint("@a x\nACGT\n+a x\nIIII\n\n@b\nA\n+\nI\n", strict).empty());
}

TEST_CASE("ambiguity codes where bases are asked for") {
  CHECK(complaint(">a\nACN\n>b\nACRT\n", {.bases_only = true}) ==
        ":record 2 (b), letter 3: 'R' is not a base; expected A, C, G, T, U or N");
}

TEST_CASE("qualities from another zero") {
  const ReadOptions phred64{.quality_zero = '@'};
  CHECK(complaint("@a\nACG\n+\n@h~\n", phred64).empty());
  CHECK(complaint("@a\nACG\n+\nhh?\n", phred64) ==
        ":record 1 (a), quality 3: '?' is not a quality character; expected '@' to '~'");
}

TEST_CASE("characters that are no qualities") {
  CHECK(complaint("@a\nACGT\n+\nII I\n") ==
        ":record 1 (a), quality 3: a blank is not a quality character; expected '!' to '~'");
  CHECK(complaint("@a\nACGT\n+\nIII\x7f\n").starts_with(":record 1 (a), quality 4: byte 0x7f"));
  CHECK(complaint("@a\nACGT\n+\n\xe9III\n").starts_with(":record 1 (a), quality 1: byte 0xe9"));
  CHECK(
      complaint("@a\nACGT\n+\nI\tII\n", {.keep_qualities = false}).starts_with(":record 1 (a), quality 2: byte 0x09"));
}

TEST_CASE("a FASTQ file that ends in the middle") {
  CHECK(complaint("@a\nACGT\n+\nIIII\n@b\nACGT\n+") == ":record 2 (b): the file ends inside the record: no qualities");
  CHECK(complaint("@a\nACGT\n+\nIIII\n@b\nACG") ==
        ":record 2 (b): the file ends inside the record: no '+' line and no qualities");
  CHECK(complaint("@a\nACGT\n+\nIIII\n@b") ==
        ":record 2 (b): the file ends inside the record: no '+' line and no qualities");
  CHECK(complaint("@a\nACGT\n+\nIIII\n@") ==
        ":record 2: the file ends inside the record: no '+' line and no qualities");
}

TEST_CASE("FASTQ lines in disorder") {
  CHECK(complaint("@a\nACGT\n@b\nACGT\n+\nIIII\n") == ":record 1 (a): no '+' line");
  CHECK(complaint("@a x\nACGT\n+a x\nIIII\n").empty());
  CHECK(complaint("@a\nACGT\n+\nIIII\nACGT\n+\nIIII\n") ==
        ":after record 1 (a): 'A' where the next record should begin: letters and qualities do not go together; "
        "expected '@'");
}

TEST_CASE("FASTA and FASTQ in one file") {
  CHECK(complaint(">a\nACGT\n@b\nACGT\n+\nIIII\n") == ":record 2: begins with '@' in a FASTA file");
  CHECK(complaint("@b\nACGT\n+\nIIII\n>a\nACGT\n") == ":record 2: begins with '>' in a FASTQ file");
  CHECK(complaint(">a\nACGT\n+\nIIII\n") == ":record 1 (a): a line that begins with '+' in a FASTA file");
}

TEST_CASE("a long name does not make a long message") {
  const std::string said = complaint(">" + std::string(1000, 'x') + "\nJ\n");
  CHECK(said.starts_with(":record 1 (" + std::string(60, 'x') + "...), letter 1: 'J'"));
}

TEST_CASE("files that cannot be opened") {
  const TemporaryFolder folder;
  CHECK(complaint_about(folder / "none.fa") == ": cannot be opened: No such file or directory");
  CHECK(complaint_about(folder.path().string()) == ": is a directory");
  CHECK(complaint_about("") == "an input file without a name");
  // Not a URL, whatever it looks like.
  CHECK(complaint_about("http://localhost/x.fa") == ": cannot be opened: No such file or directory");
  CHECK(complaint_about("data:,>a%0AACGT") == ": cannot be opened: No such file or directory");
  const std::string closed = genocl_test::write_file(folder / "closed.fa", ">a\nA\n");
  REQUIRE(chmod(closed.c_str(), 0) == 0);
  if (geteuid() == 0)
    MESSAGE("left out: a file without permission to read, which root may read");
  else
    CHECK(complaint_about(closed) == ": cannot be opened: Permission denied");
}

TEST_CASE("after an error the records before it are there and reading on is not possible") {
  const TemporaryFolder folder;
  genocl::io::SequenceReader reader(genocl_test::write_file(folder / "in", ">a\nAC\n>b\nGT\n>c\nJ\n>d\nA\n"));
  genocl::SequenceSet batch;
  CHECK_THROWS_AS(reader.read(batch), genocl::InputError);
  REQUIRE(batch.size() == 2);
  CHECK(batch.letters(1) == "GT");
  CHECK(reader.records() == 2);
  CHECK_THROWS_WITH_AS(reader.read(batch),
                       (folder / "in" + ":record 3 (c), letter 1: 'J' is not a DNA letter" + expected_dna).c_str(),
                       genocl::InputError);
  CHECK(batch.empty());
}
