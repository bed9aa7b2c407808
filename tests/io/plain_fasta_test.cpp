// A plain file of FASTA read by several threads against the same file read by one.
#include "io/plain_fasta.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "genocl/error.hpp"
#include "io/files.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Alphabet;
using genocl::SequenceSet;
using genocl::io::PlainFasta;
using genocl::io::ReadOptions;
using genocl::io::SequenceReader;
using genocl_test::TemporaryFolder;

namespace {

/// Records of no to many letters on lines of any length, with empty lines, Windows line ends, and without a last one.
std::string some_fasta(genocl_test::RandomSequences& random, std::size_t records) {
  std::string text;
  for (std::size_t i = 0; i < records; ++i) {
    const std::string end = random.below(4) == 0 ? "\r\n" : "\n";
    text += ">";
    if (random.below(8) != 0) text += (random.below(5) == 0 ? " r" : "r") + std::to_string(i);
    if (random.below(2) == 0) text += random.below(2) == 0 ? " about it\t" : "\t >described  twice ";
    text += end;
    const std::size_t lines = random.below(6);
    for (std::size_t line = 0; line < lines; ++line) text += random.text(random.below(90), "ACGTacgtNU") + end;
    if (random.below(20) == 0) text += random.text(3000, "ACGT") + end;
  }
  if (random.below(2) == 0 && text.ends_with('\n')) text.pop_back();
  return text;
}

/// What a reader gives, batch by batch, and the error that it ends with.
struct Outcome {
  SequenceSet set;
  std::string error;
  std::vector<std::uint64_t> batches;
};

Outcome outcome(const std::string& path, const ReadOptions& options, const genocl::BatchLimits& limits) {
  Outcome all{.set = SequenceSet(options.alphabet), .error = {}, .batches = {}};
  try {
    SequenceReader reader(path, options);
    while (reader.append(all.set, limits)) all.batches.push_back(reader.records());
    all.batches.push_back(reader.records());
  } catch (const genocl::InputError& error) {
    all.error = error.what();
  }
  return all;
}

}  // namespace

TEST_CASE("plain FASTA by threads: windows and parts of any size") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const TemporaryFolder folder;
  for (int round = 0; round < 60; ++round) {
    const std::string path = genocl_test::write_file(folder / "in", some_fasta(random, 1 + random.below(40)));
    const SequenceSet whole = genocl::io::read_sequences(path);
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const auto size = static_cast<std::uint64_t>(lseek(file, 0, SEEK_END));
    const PlainFasta::Sizes sizes{.window = 1 + random.below(4000), .part = 1 + random.below(500)};
    CAPTURE(sizes.window);
    CAPTURE(sizes.part);
    PlainFasta fasta(file, size, path, static_cast<unsigned>(1 + random.below(3)), sizes);
    SequenceSet all;
    double fraction = 0;
    while (fasta.fetch()) {
      REQUIRE(fasta.ready() > 0);
      CHECK(fasta.letters(0) == whole.length(all.size()));
      CHECK(fasta.name() == whole.name(all.size()));
      const std::size_t count = 1 + random.below(fasta.ready());
      REQUIRE(fasta.take(all, count, true) == count);
      CHECK(fasta.fraction() >= fraction);
      fraction = fasta.fraction();
    }
    CHECK(fraction == 1);
    CHECK(all == whole);
    close(file);
  }
}

TEST_CASE("plain FASTA by threads: a reader gives what it gives alone, errors and batches as well") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const TemporaryFolder folder;
  const std::string good = some_fasta(random, 12000);
  REQUIRE(good.size() > std::size_t{1} << 20);
  const std::size_t middle = good.find("\n>", good.size() / 2);
  const auto with = [&](const std::string& what) {
    return good.substr(0, middle + 1) + what + good.substr(middle + 1);
  };
  const std::string texts[] = {good,
                               with(">blanks in it\nAC GT\tA\nC\n"),
                               with(">a bad letter\nACG!T\n"),
                               with("@reads\nACGT\n"),
                               with("+\nACGT\n"),
                               with(">a header with \x02 in it\nACGT\n"),
                               with(">protein\nMEEPQ*\n>dna\nACGT\n")};
  for (const std::string& text : texts) {
    const std::string path = genocl_test::write_file(folder / "in", text);
    for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein, Alphabet::bytes})
      for (const bool careless : {false, true}) {
        std::string skipped[2];
        Outcome both[2];
        const genocl::BatchLimits limits{.residues = 1 + random.below(200'000), .records = 1 + random.below(3000)};
        for (const unsigned threads : {0u, 2u}) {
          ReadOptions options{.alphabet = alphabet, .keep_descriptions = !careless, .threads = threads};
          std::string& left_out = skipped[threads == 0 ? 0 : 1];
          if (careless) options.skip_record = [&](const genocl::InputError& why) { left_out += why.what(); };
          if (alphabet == Alphabet::protein) options.bad_letters = genocl::BadLetters::replace;
          both[threads == 0 ? 0 : 1] = outcome(path, options, limits);
        }
        CAPTURE(alphabet);
        CAPTURE(careless);
        CAPTURE(limits.residues);
        CAPTURE(limits.records);
        CHECK(both[0].error == both[1].error);
        CHECK(both[0].batches == both[1].batches);
        CHECK(both[0].set == both[1].set);
        CHECK(skipped[0] == skipped[1]);
      }
  }
}

TEST_CASE("plain FASTA by threads: a file that becomes shorter is an error") {
  const TemporaryFolder folder;
  std::string text = ">a\n";
  text.append(std::size_t{3} << 20, 'A');
  const std::string path = genocl_test::write_file(folder / "in", text + "\n>b\nC\n");
  SequenceReader reader(path, {.threads = 1});
  REQUIRE(truncate(path.c_str(), 1 << 20) == 0);
  SequenceSet set;
  CHECK_THROWS_WITH_AS(reader.append(set), (path + ": has changed while it was read").c_str(), genocl::InputError);
  CHECK(set.empty());
}
