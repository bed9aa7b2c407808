// Files that are read, however they came to look like that.
#include <doctest/doctest.h>

#include <functional>

#include "io/files.hpp"
#include "reference/sequence.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Alphabet;
using genocl::SequenceSet;
using genocl::io::ReadOptions;
using genocl_reference::TextRecord;
using genocl_test::TemporaryFolder;

namespace {

std::vector<TextRecord> records_of(const SequenceSet& set) {
  std::vector<TextRecord> records;
  for (std::size_t i = 0; i < set.size(); ++i) {
    std::string quality;
    for (const std::uint8_t score : set.quality(i)) quality += static_cast<char>(score + 33);
    records.push_back({std::string(set.name(i)), std::string(set.description(i)), set.letters(i), quality});
  }
  return records;
}

std::vector<TextRecord> read(std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  const std::string path = genocl_test::write_file(folder / "in", text);
  const std::vector<TextRecord> records = records_of(genocl::io::read_sequences(path, options));
  for (const std::uint64_t at_once : {1, 2, 1000})
    CHECK(records_of(genocl_test::read_through_texts(path, options, {.records = at_once})) == records);
  CHECK(records_of(genocl_test::read_through_texts(path, options, {.residues = 10})) == records);
  return records;
}

/// From {name, description, letters, quality}.
using Records = std::vector<TextRecord>;

}  // namespace

TEST_CASE("a FASTA file") {
  CHECK(read(">one the first\nACGT\nAC\n>two\nNNRYTU\n") ==
        Records{{"one", "the first", "ACGTAC", ""}, {"two", "", "NNRYTT", ""}});
}

TEST_CASE("a FASTQ file") {
  CHECK(read("@one the first\nACGT\n+\nIIII\n@two\nN\n+two\n!\n") ==
        Records{{"one", "the first", "ACGT", "IIII"}, {"two", "", "N", "!"}});
}

TEST_CASE("Windows line ends") {
  const Records fasta = {{"one", "d", "ACGT", ""}, {"two", "", "A", ""}, {"three", "", "", ""}, {"four", "", "C", ""}};
  CHECK(read(">one d\r\nAC\r\nG\r\nT\r\n>two\r\nA\r\n>three \r\n\r\n>four\r\n\r\n\r\nC\r\n\r\n") == fasta);
  CHECK(read(">one d\r\nAC\r\nG\r\nT\r\n>two\r\nA\r\n>three \r\n>four\r\nC\r") == fasta);
  const Records fastq = {{"one", "d", "ACGT", "IJKL"}, {"two", "", "A", "+"}, {"four", "", "CC", "@@"}};
  CHECK(read("@one "
             "d\r\nACGT\r\n+\r\nIJKL\r\n@two\r\nA\r\n+\r\n+\r\n@four\r\nCC\r\n+four\r\n@@\r\n") == fastq);
  CHECK(read("@one "
             "d\r\nACGT\r\n+\r\nIJKL\r\n@two\r\nA\r\n+\r\n+\r\n@four\r\n\r\nCC\r\n+four\r\n@@") == fastq);
}

TEST_CASE("no newline at the end") {
  CHECK(read(">a\nACGT") == Records{{"a", "", "ACGT", ""}});
  CHECK(read(">a\nACGT\n>b") == Records{{"a", "", "ACGT", ""}, {"b", "", "", ""}});
  CHECK(read("@a\nACGT\n+\nIIII") == Records{{"a", "", "ACGT", "IIII"}});
}

TEST_CASE("lower case and U") {
  CHECK(read(">a\nacgtuACGTUnryswkmbdhv\n") == Records{{"a", "", "ACGTTACGTTNRYSWKMBDHV", ""}});
  CHECK(read(">a\nmkv*x\n", {.alphabet = Alphabet::protein}) == Records{{"a", "", "MKV*X", ""}});
  CHECK(read(">a\nMixed_Case-1.\n", {.alphabet = Alphabet::bytes}) == Records{{"a", "", "Mixed_Case-1.", ""}});
}

TEST_CASE("empty records and records without a name") {
  CHECK(read(">a\n>b\n\n>\nAC\n>") ==
        Records{{"a", "", "", ""}, {"b", "", "", ""}, {"", "", "AC", ""}, {"", "", "", ""}});
}

TEST_CASE("a blank before the name") {
  CHECK(read("> chr1 5000:55000\nAC\n>\tb\nG\n>  \nT\n") ==
        Records{{"chr1", "5000:55000", "AC", ""}, {"b", "", "G", ""}, {"", "", "T", ""}});
}

TEST_CASE("empty lines and blanks among the letters") {
  CHECK(read("\n\n>a\n\nAC GT\t\n\n  AC\n\n\n>b\n \n") == Records{{"a", "", "ACGTAC", ""}, {"b", "", "", ""}});
  CHECK(read("\n@a\nAC\n+\nII\n\n\n@b\nGT\n+\nJJ\n \n") == Records{{"a", "", "AC", "II"}, {"b", "", "GT", "JJ"}});
}

TEST_CASE("blank lines inside FASTQ records, empty ones, and any text behind '+'") {
  const Records wanted = {{"a", "d", "ACGT", "IJKL"}, {"b", "", "", ""}, {"c", "", "GG", "@+"}, {"d", "", "A", "I"}};
  std::string text = "@a d\n\nACGT\n\n\n+other\n\nIJKL\n\n@b\n\n+\n\n@c\nGG\n+a\n\n\n@+\n@d\nA\n+ 3\nI\n";
  CHECK(read(text) == wanted);
  CHECK(read(text.substr(0, text.size() - 1)) == wanted);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  CHECK(read(text) == wanted);
  CHECK(read("@a\n\n+\n\n@b\n\n+\n") == Records{{"a", "", "", ""}, {"b", "", "", ""}});
  CHECK(read("@a\nAC\nGT\n+\n\nII\nII\n") == Records{{"a", "", "ACGT", "IIII"}});
}

TEST_CASE("letters that are no bases become N, and each record is told once") {
  std::vector<std::string> told;
  ReadOptions options{.bad_letters = genocl::BadLetters::replace, .bases_only = true};
  options.repaired = [&](genocl::io::RecordFault fault, const genocl::InputError& why) {
    told.push_back((fault == genocl::io::RecordFault::letters ? "letters " : "plus ") + why.where() + " " +
                   why.wrong());
  };
  const TemporaryFolder folder;
  const std::string path =
      genocl_test::write_file(folder / "in", "@a\nAC.TR-\n+\nIIIIII\n@b\nNnACGTu\n+\nIIIIIII\n@c\nkA*\n+x\nIII\n");
  const Records wanted = {{"a", "", "ACNTNN", "IIIIII"}, {"b", "", "NNACGTT", "IIIIIII"}, {"c", "", "NAN", "III"}};
  const std::vector<std::string> all = {"letters record 1 (a), letter 3 '.' is read as N",
                                        "letters record 3 (c), letter 1 'k' is read as N",
                                        "plus record 3 (c) its '+' line names another record: 'x'"};
  CHECK(records_of(genocl::io::read_sequences(path, options)) == wanted);
  CHECK(told == all);
  told.clear();
  CHECK(records_of(genocl_test::read_through_texts(path, options, {.records = 2})) == wanted);
  CHECK(told == all);
  told.clear();
  genocl::io::read_sequences(
      genocl_test::write_file(folder / "p", ">p\nMK-.L\n"),
      {.alphabet = Alphabet::protein, .bad_letters = genocl::BadLetters::replace, .repaired = options.repaired});
  CHECK(told == std::vector<std::string>{"letters record 1 (p), letter 3 '-' is read as X"});
}

TEST_CASE("Phred+64") {
  CHECK(read("@a\nACGT\n+\n@AhB\n", {.quality_zero = '@'}) == Records{{"a", "", "ACGT", "!\"I#"}});
}

TEST_CASE("a byte-order mark") { CHECK(read("\xef\xbb\xbf>a\nACGT\n") == Records{{"a", "", "ACGT", ""}}); }

TEST_CASE("FASTQ of several lines a record") {
  CHECK(read("@a\nACGT\nAC\n+\n@III\n>I\n@b\nA\nC\nG\n+b\nI\nI\nI\n") ==
        Records{{"a", "", "ACGTAC", "@III>I"}, {"b", "", "ACG", "III"}});
}

TEST_CASE("qualities that look like other lines") {
  CHECK(read("@a\nACGT\n+\n@b12\n@b\nACGT\n+\n+b!~\n@c\nA\n+\n>\n") ==
        Records{{"a", "", "ACGT", "@b12"}, {"b", "", "ACGT", "+b!~"}, {"c", "", "A", ">"}});
}

TEST_CASE("headers with tabs, UTF-8 and NCBI's byte 1") {
  CHECK(read(">a\tb c\nA\n>\xc3\xa9 \xe2\x82\xac\nC\n>x p1\1y p2\nG\n") ==
        Records{{"a", "b c", "A", ""}, {"\xc3\xa9", "\xe2\x82\xac", "C", ""}, {"x", "p1\1y p2", "G", ""}});
}

TEST_CASE("one line of 3 MB and a name of 1 MB") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const std::string letters = random.dna(3'000'000);
  const std::string name = random.text(1'000'000, "abc");
  CHECK(read(">" + name + "\n" + letters + "\n>b\nA") == Records{{name, "", letters, ""}, {"b", "", "A", ""}});
  const std::string quality = random.text(3'000'000, "!I~@+>");
  CHECK(read("@" + name + "\n" + letters + "\n+" + name + "\n" + quality) == Records{{name, "", letters, quality}});
}

TEST_CASE("letters outside the alphabet read as N or X") {
  const ReadOptions dna{.bad_letters = genocl::io::BadLetters::replace};
  CHECK(read(">a\nAC-GT.x E\n", dna) == Records{{"a", "", "ACNGTNNN", ""}});
  CHECK(read("@a\nA.C\n+\nIII\n", dna) == Records{{"a", "", "ANC", "III"}});
  const ReadOptions protein{.alphabet = Alphabet::protein, .bad_letters = genocl::io::BadLetters::replace};
  CHECK(read(">a\nMK-1V\n", protein) == Records{{"a", "", "MKXXV", ""}});
}

TEST_CASE("records with wrong letters or qualities can be skipped, and are told of") {
  const TemporaryFolder folder;
  std::string told, names;
  const ReadOptions options{.skip_record = [&](const genocl::InputError& why) { told += why.where() + "; "; }};
  const auto read_file = [&](const std::string& text) {
    told = names = "";
    const auto set = genocl::io::read_sequences(genocl_test::write_file(folder / "in", text), options);
    for (std::size_t i = 0; i < set.size(); ++i) names += std::string(set.name(i)) + set.letters(i) + " ";
  };
  read_file(">a\nAC1\n>b x\nACG\n>c\n-\n>d\nA C\n");
  CHECK(names == "bACG dAC ");
  CHECK(told == "record 1 (a), letter 3; record 3 (c), letter 1; ");
  read_file("@a\nAC\n+\nI\x1f\n@b\nA\n+\n!\n");
  CHECK(names == "bA ");
  CHECK(told == "record 1 (a), quality 2; ");
  read_file(">a\n1\n>b\n2\n");
  CHECK(names.empty());
  CHECK(told == "record 1 (a), letter 1; record 2 (b), letter 1; ");
  // What no other record can be found behind is an error all the same.
  CHECK_THROWS_AS(read_file("@a\nAC\n+\nI\n@b\nA\n+\n!\n"), genocl::InputError);
}

TEST_CASE("letters in lower case can be masked") {
  const TemporaryFolder folder;
  const std::string path = genocl_test::write_file(folder / "in", ">a\nACgtN\naaC\n>b\nACGT\n>c\nac gT\nrn\n>d\nA-c\n");
  const auto plain = genocl::io::read_sequences(path, {.bad_letters = genocl::io::BadLetters::replace});
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK(plain.masked(i).empty());
  const auto set =
      genocl::io::read_sequences(path, {.bad_letters = genocl::io::BadLetters::replace, .mask_lower_case = true});
  const auto masked = [&](std::size_t i) {
    std::string text;
    for (const genocl::Interval& range : set.masked(i))
      text += std::to_string(range.begin) + "-" + std::to_string(range.end) + " ";
    return text;
  };
  CHECK(set.letters(0) == "ACGTNAAC");
  CHECK(masked(0) == "2-4 5-7 ");
  CHECK(masked(1).empty());
  CHECK(masked(2) == "0-3 4-6 ");
  CHECK(masked(3) == "2-3 ");
}

TEST_CASE("qualities and descriptions can be left out") {
  const ReadOptions options{.keep_qualities = false, .keep_descriptions = false};
  CHECK(read("@a x y\nAC\n+\nII\n", options) == Records{{"a", "", "AC", ""}});
  const TemporaryFolder folder;
  const std::string path = genocl_test::write_file(folder / "in", "@a x y\nAC\n+\nII\n");
  CHECK_FALSE(genocl::io::read_sequences(path, options).has_qualities());
  CHECK(genocl::io::read_sequences(path).has_qualities());
  CHECK(read("@a x y\nAC\n+\nII\n").front().description == "x y");
}

TEST_CASE("a file with no record where that is allowed") {
  for (const char* text : {"", "\n", "\r\n \n", "\xef\xbb\xbf"}) CHECK(read(text, {.allow_no_records = true}).empty());
}

TEST_CASE("random files against a reader of lines") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (int round = 0; round < 60; ++round) {
    const bool fastq = random.below(2) == 0;
    const std::string end = random.below(2) == 0 ? "\n" : "\r\n";
    std::string text;
    for (std::uint64_t i = 0, count = 1 + random.below(30); i < count; ++i) {
      text += (fastq ? "@r" : ">r") + std::to_string(i) +
              (random.below(2) == 0 ? "" : " d" + random.text(5, "xyz ") + "e") + end;
      const std::size_t length = (random.below(3) == 0 ? random.below(4) : random.below(400)) + (fastq ? 1 : 0);
      const std::string letters = random.text(length, "ACGTacgtNnRy");
      if (fastq) {
        text += letters + end + "+" + end + random.text(length, "!\"#IJK~@+>") + end;
      } else {
        const std::size_t width = 1 + random.below(90);
        for (std::size_t begin = 0; begin < length; begin += width) text += letters.substr(begin, width) + end;
      }
    }
    if (random.below(3) == 0 && !fastq) text.resize(text.size() - end.size());
    CAPTURE(text);
    REQUIRE(read(text) == genocl_reference::parse_lines(text));
  }
}
