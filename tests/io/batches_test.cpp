// Reading in batches, from standard input and pipes, with progress.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <thread>

#include "genocl/error.hpp"
#include "io/files.hpp"
#include "sequence/random_sequences.hpp"

using genocl::SequenceSet;
using genocl::io::read_sequences;
using genocl::io::SequenceReader;
using genocl_test::TemporaryFolder;

namespace {

const char* const some_reads =
    "@a\nACGT\n+\nIIII\n@b\nAC\n+\nII\n@c\nACGTACGT\n+\nIIIIIIII\n@d\nA\n+\nI\n@e\nA\n+\nI\n";

}  // namespace

TEST_CASE("batches by residues and by records") {
  const TemporaryFolder folder;
  const std::string path = genocl_test::write_file(folder / "in", some_reads);
  const auto sizes = [&](const genocl::BatchLimits& limits) {
    SequenceReader reader(path);
    SequenceSet batch;
    std::vector<std::size_t> all;
    while (reader.read(batch, limits)) all.push_back(batch.size());
    CHECK(batch.empty());
    CHECK_FALSE(reader.read(batch, limits));
    CHECK(reader.records() == 5);
    return all;
  };
  using Sizes = std::vector<std::size_t>;
  CHECK(sizes({}) == Sizes{5});
  CHECK(sizes({.residues = 6}) == Sizes{2, 1, 2});
  CHECK(sizes({.residues = 5}) == Sizes{1, 1, 1, 2});
  CHECK(sizes({.records = 2}) == Sizes{2, 2, 1});
  CHECK(sizes({.residues = 0, .records = 0}) == Sizes{1, 1, 1, 1, 1});
}

TEST_CASE("batches of the reader are those of the set") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 300; ++i) text += ">" + std::to_string(i) + "\n" + random.text(random.below(100), "ACGT") + "\n";
  const std::string path = genocl_test::write_gzip(folder / "in", text);
  const SequenceSet whole = read_sequences(path);
  for (int round = 0; round < 10; ++round) {
    const genocl::BatchLimits limits{.residues = random.below(1000), .records = 1 + random.below(20)};
    SequenceReader reader(path);
    SequenceSet batch;
    for (const auto& range : whole.batches(limits)) {
      REQUIRE(reader.read(batch, limits));
      CHECK(batch == whole.slice(range.first, range.count));
    }
    CHECK_FALSE(reader.read(batch, limits));
  }
}

TEST_CASE("append adds to a set of the same kind") {
  const TemporaryFolder folder;
  const std::string reads = genocl_test::write_file(folder / "reads", some_reads);
  const SequenceSet whole = read_sequences(reads);
  SequenceSet set;
  SequenceReader reader(reads);
  while (reader.append(set, {.records = 2})) CHECK(set.size() == reader.records());
  CHECK(set == whole);
  SequenceReader again(reads);
  CHECK(again.append(set));
  CHECK(set.size() == 10);
  SequenceReader fasta(genocl_test::write_file(folder / "fasta", ">a\nA\n"));
  CHECK_THROWS_AS(fasta.append(set), genocl::InputError);
  SequenceSet protein(genocl::Alphabet::protein);
  protein.append_letters("p", "MK");
  CHECK_THROWS_AS(fasta.append(protein), genocl::InputError);
  CHECK(fasta.read(protein));
  CHECK(protein.alphabet() == genocl::Alphabet::dna);
}

TEST_CASE("a reader knows its file and format and can be moved") {
  const TemporaryFolder folder;
  SequenceReader first(genocl_test::write_file(folder / "reads", some_reads));
  CHECK(first.format() == genocl::io::SequenceFormat::fastq);
  CHECK(first.file() == folder / "reads");
  SequenceReader second = std::move(first);
  SequenceSet batch;
  CHECK(second.read(batch));
  CHECK(second.fraction() == 1);
  first = SequenceReader(genocl_test::write_file(folder / "fasta", ">a\nA\n"));
  CHECK(first.format() == genocl::io::SequenceFormat::fasta);
  CHECK(to_string(first.format()) == "FASTA");
}

TEST_CASE("standard input from a file") {
  const TemporaryFolder folder;
  const SequenceSet whole = read_sequences(genocl_test::write_file(folder / "in", some_reads));
  for (const bool gzip : {false, true}) {
    if (gzip) genocl_test::write_gzip(folder / "in", some_reads);
    const int descriptor = open((folder / "in").c_str(), O_RDONLY);
    REQUIRE(descriptor >= 0);
    const genocl_test::Redirected standard_input(STDIN_FILENO, descriptor);
    close(descriptor);
    CHECK(read_sequences("-") == whole);
    CHECK(fcntl(STDIN_FILENO, F_GETFD) >= 0);  // still open
  }
}

TEST_CASE("standard input from a pipe that is slow") {
  const TemporaryFolder folder;
  const SequenceSet whole = read_sequences(genocl_test::write_file(folder / "in", some_reads));
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const genocl_test::Redirected standard_input(STDIN_FILENO, ends[0]);
  close(ends[0]);
  std::thread writer([&] {
    for (const char c : std::string_view(some_reads))
      if (write(ends[1], &c, 1) != 1) break;
    close(ends[1]);
  });
  SequenceReader reader("-");
  SequenceSet set;
  CHECK(reader.fraction() == 0);
  CHECK(reader.read(set));
  writer.join();
  CHECK(set == whole);
}

TEST_CASE("errors on standard input name it") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const genocl_test::Redirected standard_input(STDIN_FILENO, ends[0]);
  close(ends[0]);
  REQUIRE(write(ends[1], ">a\nJ\n", 5) == 5);
  close(ends[1]);
  CHECK(genocl_test::complaint_about("-").starts_with(":record 1 (a), letter 1: 'J'"));
}

TEST_CASE("progress is told and can stop") {
  const TemporaryFolder folder;
  // 40 MB of letters: several steps.
  std::string text;
  for (int i = 0; i < 40; ++i) text += ">" + std::to_string(i) + "\n" + std::string(1'000'000, 'A') + "\n";
  const std::string path = genocl_test::write_file(folder / "in", text);
  std::vector<double> fractions;
  std::uint64_t items = 0;
  const SequenceSet set = read_sequences(path, {}, [&](const genocl::ProgressState& state) {
    CHECK(state.items_done > items);
    items = state.items_done;
    fractions.push_back(state.fraction);
    return true;
  });
  CHECK(set.size() == 40);
  CHECK(items == 40'000'000);
  REQUIRE(fractions.size() >= 3);
  CHECK(std::ranges::is_sorted(fractions));
  CHECK(fractions.front() < 0.6);
  CHECK(fractions.back() == 1);
  CHECK_THROWS_AS(read_sequences(path, {}, [](const genocl::ProgressState&) { return false; }), genocl::Cancelled);
}

TEST_CASE("readers in several threads at once") {
  const TemporaryFolder folder;
  const std::string path = genocl_test::write_bgzip(folder / "in", some_reads);
  const SequenceSet whole = read_sequences(path);
  std::vector<int> good(8, 0);
  std::vector<std::thread> threads;
  threads.reserve(good.size());
  for (int& mine : good)
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) mine += read_sequences(path, {.threads = 1}) == whole ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(good == std::vector<int>(8, 50));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they reserve more than all memory
TEST_CASE("a line that the memory does not hold is an error that names the record") {
  const TemporaryFolder folder;
  const std::string letters(100'000'000, 'A');
  for (const std::string& text : {">a\nAC\n>long x\n" + letters + "\n", "@a\nAC\n+\nII\n@long x\n" + letters + "\n+\n",
                                  ">a\nAC\n>" + letters + "\nAC\n"}) {
    const std::string path = genocl_test::write_file(folder / "in", text);
    // In a process of its own, which has 40 MB more than it has now.
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::ifstream statm("/proc/self/statm");
      rlim_t pages = 0;
      statm >> pages;
      const rlim_t limit = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + 40'000'000;
      const rlimit memory{.rlim_cur = limit, .rlim_max = limit};
      if (!statm || setrlimit(RLIMIT_AS, &memory) != 0) _exit(3);
      try {
        SequenceReader reader(path);
        SequenceSet batch;
        while (reader.read(batch, {.residues = 1, .records = 1})) {
        }
      } catch (const genocl::InputError& error) {
        const bool named = error.where().starts_with("record 2") && error.file() == path;
        _exit(named && error.wrong().find("the memory holds") != std::string::npos ? 0 : 1);
      }
      _exit(2);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
}
#endif

TEST_CASE("records as text, and readers of them, give what one reader does") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const TemporaryFolder folder;
  for (int round = 0; round < 40; ++round) {
    std::string text;
    const bool fastq = round % 2 != 0;
    const std::string line_end = round % 3 == 0 ? "\r\n" : "\n";
    for (int i = 0; i < 200; ++i) {
      const std::string letters = random.text(1 + random.below(100), "ACGT");
      const std::string name = std::to_string(i) + (random.below(3) == 0 ? " a comment" : "");
      // Now and then a record of several lines, an empty line, a '+' line with the name.
      const std::string split = random.below(50) == 0 && letters.size() > 1 ? line_end : "";
      if (fastq) {
        const std::size_t at = letters.size() / 2;
        const std::string quality = random.text(letters.size(), "IJ5");
        text += "@" + name + line_end + letters.substr(0, at) + split + letters.substr(at) + line_end + "+" +
                (random.below(4) == 0 ? std::to_string(i) : "") + line_end + quality.substr(0, at) + split +
                quality.substr(at) + line_end + (random.below(100) == 0 ? line_end : "");
      } else {
        text += ">" + name + line_end + letters + line_end + split;
      }
    }
    if (round % 5 == 0) text.resize(text.size() - line_end.size());
    const std::string path =
        round % 4 == 0 ? genocl_test::write_gzip(folder / "in", text) : genocl_test::write_file(folder / "in", text);
    const genocl::BatchLimits limits{.residues = 1 + random.below(5000), .records = 1 + random.below(40)};
    CHECK(genocl_test::read_through_texts(path, {}, limits) == read_sequences(path));
  }
}

TEST_CASE("records whose place in a file is known") {
  const TemporaryFolder folder;
  const std::string first_text = "@a\nACGT\n+\nIIII\n", second_text = "@b x\nGG\n+\nII\n";
  const std::string path = genocl_test::write_file(folder / "in", first_text + second_text + "@c\nTTT\n+\nIII\n");
  const std::uint64_t second = first_text.size(), third = second + second_text.size();
  using genocl::io::RecordText;
  const RecordText text(path, second, third, 1, 1);
  CHECK(text.records() == 1);
  SequenceSet batch;
  SequenceReader reader(text);
  REQUIRE(reader.read(batch));
  REQUIRE(batch.size() == 1);
  CHECK(batch.name(0) == "b");
  CHECK(batch.description(0) == "x");
  CHECK(reader.records() == 2);
  CHECK_FALSE(reader.read(batch));
  CHECK_THROWS_WITH_AS(RecordText(path, third, 1000, 1, 2), doctest::Contains("has changed"), genocl::InputError);
  CHECK_THROWS_WITH_AS(RecordText("/nowhere/x.fq", 0, 1, 1, 0), doctest::Contains("/nowhere/x.fq"), genocl::InputError);
}

TEST_CASE("as many records as are asked for are taken, though the last has no line end or others are not plain") {
  const TemporaryFolder folder;
  const std::string plain = "@a\nACGT\n+\nIIII\n@b\nGG\n+\nII\n";
  for (const std::string& rest :
       {std::string("@c\nTTT\n+\nIII"), std::string("@c\nT\nTT\n+\nI\nII\n"), std::string("@c\nT\nTT\n+\nI\nII")}) {
    SequenceReader reader(genocl_test::write_file(folder / "in", plain + rest));
    genocl::io::RecordText text;
    REQUIRE(reader.take(text, {.residues = 1000, .records = 3}));
    CHECK(text.records() == 3);
    SequenceSet batch;
    REQUIRE(SequenceReader(text).read(batch));
    REQUIRE(batch.size() == 3);
    CHECK(batch.name(2) == "c");
    CHECK(batch.length(2) == 3);
    CHECK_FALSE(reader.take(text));
  }
  // What is wrong is said behind the records before it.
  SequenceReader reader(genocl_test::write_file(folder / "in", plain + "@c\nTTT\n+\nII\n"));
  genocl::io::RecordText text;
  REQUIRE(reader.take(text, {.residues = 1000, .records = 3}));
  CHECK(text.records() == 2);
  CHECK_THROWS_WITH_AS(reader.take(text), doctest::Contains("record 3"), genocl::InputError);
}
