// Control sequences: what shuffling keeps, the probability of each order, and pieces of genomes.
#include "genocl/pwm/controls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "pwm/cases.hpp"

using namespace genocl::pwm;
using namespace pwm_test;
using genocl::Code;
using genocl::InputError;
using genocl::SequenceSet;

namespace {

std::map<std::string, unsigned> words(const std::string& letters, std::size_t length) {
  std::map<std::string, unsigned> counts;
  for (std::size_t i = 0; i + length <= letters.size(); ++i) {
    const std::string word = letters.substr(i, length);
    if (word.find_first_not_of("ACGT") == std::string::npos) ++counts[word];
  }
  return counts;
}

double gc(std::span<const Code> letters) {
  std::size_t bases = 0, gc = 0;
  for (const Code code : letters) {
    bases += code < 4 ? 1 : 0;
    gc += code == 1 || code == 2 ? 1 : 0;
  }
  return 100 * static_cast<double>(gc) / static_cast<double>(std::max<std::size_t>(bases, 1));
}

/// Random letters, about `percent` of them G or C.
std::vector<Code> letters_with_gc(Random& random, std::size_t length, unsigned percent) {
  std::vector<Code> codes(length);
  for (Code& code : codes)
    code = static_cast<Code>(random.below(100) < percent ? 1 + random.below(2) : 3 * random.below(2));
  return codes;
}

}  // namespace

TEST_CASE("pwm controls: shuffling keeps the counts of words, both ends, and other letters") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  SequenceSet set;
  for (std::size_t i = 0; i < 40; ++i) {
    std::vector<Code> codes = random_codes(random, random.below(300));
    if (i % 3 == 0)
      for (Code& code : codes)
        if (random.below(30) == 0) code = static_cast<Code>(4 + random.below(11));
    set.append("s" + std::to_string(i), codes);
  }
  for (unsigned kmer = 1; kmer <= 6; ++kmer) {
    CAPTURE(kmer);
    const SequenceSet result = shuffled(set, {.kmer = kmer, .copies = 3, .seed = test_seed()});
    REQUIRE(result.size() == 3 * set.size());
    std::size_t changed = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      const std::string from = set.letters(i / 3), to = result.letters(i);
      CHECK(result.name(i) == "s" + std::to_string(i / 3) + "_shuf_" + std::to_string(i % 3 + 1));
      REQUIRE(from.size() == to.size());
      for (std::size_t length = 1; length <= kmer; ++length) CHECK(words(from, length) == words(to, length));
      for (std::size_t at = 0; at < from.size(); ++at) {
        // Ends of stretches of bases stay, and all that is no base.
        const bool base = std::string("ACGT").find(from[at]) != std::string::npos;
        const bool end = kmer > 1 && base &&
                         (at == 0 || at + 1 == from.size() || words(from.substr(at - 1, 1), 1).empty() ||
                          words(from.substr(at + 1, 1), 1).empty());
        if (!base || end) CHECK(from[at] == to[at]);
      }
      changed += from != to ? 1 : 0;
    }
    CHECK(changed > (kmer <= 3 ? 90 : 5));
  }
}

TEST_CASE("pwm controls: every sequence with the same words is drawn equally often") {
  SequenceSet set;
  set.append_letters("s", "AACAGATACCATG");
  constexpr std::uint64_t copies = 60000;
  std::map<std::string, std::uint64_t> drawn;
  const SequenceSet result = shuffled(set, {.copies = copies});
  for (std::size_t i = 0; i < result.size(); ++i) ++drawn[result.letters(i)];
  // All sequences with these words, by enumeration of the orders of the inner letters.
  std::string inner = "ACAGATACCAT";
  std::ranges::sort(inner);
  std::set<std::string> all;
  do {
    if (const std::string letters = "A" + inner + "G"; words(letters, 2) == words("AACAGATACCATG", 2))
      all.insert(letters);
  } while (std::ranges::next_permutation(inner).found);
  REQUIRE(drawn.size() == all.size());
  // The sum of squares is that of a chi-squared distribution, whose mean is the number of degrees of freedom.
  const double expected = static_cast<double>(copies) / static_cast<double>(all.size());
  double chi_squared = 0;
  for (const auto& [letters, count] : drawn) {
    CHECK(all.contains(letters));
    const double difference = static_cast<double>(count) - expected;
    chi_squared += difference * difference / expected;
  }
  const double freedom = static_cast<double>(all.size()) - 1;
  CHECK(chi_squared < freedom + 5 * std::sqrt(2 * freedom));
}

TEST_CASE("pwm controls: shuffled sequences are the same bytes for a seed") {
  SequenceSet set;
  set.append_letters("a", "ACGTTGCATGCAAGCTTAGCTAGGATCCATCG");
  set.append_letters("b", "ACGTTGCATGCAAGCTTAGCTAGGATCCATCG");
  // Fixed in November 2026: other machines and later versions draw the same.
  const SequenceSet result = shuffled(set, {.kmer = 2, .copies = 2, .seed = 7});
  CHECK(result.letters(0) == "AGTCGCAGGCAGCTAATGCTTACATTCCGATG");
  CHECK(result.letters(1) == "AGGAGCCACATTGCTCGTAATGCATCGCTTAG");
  CHECK(result.letters(2) == "ATAGCTTATGGCACAGAATCGTTGCTCCGCAG");
  CHECK(shuffled(set, {.kmer = 3, .seed = 7}).letters(1) == "ACGTTAGCTTGCATGCTAGGATCCAAGCATCG");
  CHECK(shuffled(set, {.kmer = 1, .seed = 7}).letters(1) == "CCGTCCTGGCTGTGCGGAATGACAAACATATT");
  CHECK(shuffled(set, {.copies = 2, .seed = 7}) == result);
  CHECK(shuffled(set, {.copies = 2, .seed = 8}).letters(0) != result.letters(0));
  // The copy of a sequence does not depend on the number of copies.
  CHECK(shuffled(set, {.copies = 1, .seed = 7}).letters(0) == result.letters(0));
  CHECK(shuffled(SequenceSet()).empty());
  CHECK_THROWS_AS(shuffled(set, {.kmer = 0}), InputError);
  CHECK_THROWS_AS(shuffled(set, {.kmer = 7}), InputError);
  CHECK_THROWS_AS(shuffled(SequenceSet(genocl::Alphabet::protein)), InputError);
}

TEST_CASE("pwm controls: matched pieces have the lengths and GC contents of the sequences") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  SequenceSet genome, peaks;
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<Code> codes;
    for (unsigned stretch = 0; stretch < 60; ++stretch) {
      const std::vector<Code> some = letters_with_gc(random, 2000, 30 + 10 * static_cast<unsigned>(random.below(5)));
      codes.insert(codes.end(), some.begin(), some.end());
    }
    std::fill_n(codes.begin() + 50000, 4000, genocl::dna::unknown);
    genome.append("chr" + std::to_string(i + 1), codes);
  }
  MatchedControls::Places places;
  for (std::size_t i = 0; i < 50; ++i) {
    const std::size_t record = random.below(3), length = i % 2 == 0 ? 200 : 320 + random.below(60);
    const std::size_t at = 2000 * random.below(20) + random.below(1000);
    peaks.append("p", genome[record].subspan(at, length));
    places["chr" + std::to_string(record + 1)].push_back({at, at + length});
  }
  const auto draw = [&](std::uint64_t seed, bool in_parts = false) {
    MatchedControls controls(peaks, places, {.copies = 2, .seed = seed});
    controls.survey(genome);
    for (std::size_t i = 0; in_parts && i < genome.size(); ++i) controls.draw(genome.slice(i, 1));
    if (!in_parts) controls.draw(genome);
    return controls.take();
  };
  const SequenceSet pieces = draw(1);
  CHECK(draw(1, true) == pieces);
  CHECK_FALSE(draw(2) == pieces);
  REQUIRE(pieces.size() == 2 * peaks.size());
  std::multiset<std::uint64_t> lengths, expected;
  double of_pieces = 0, of_peaks = 0;
  std::set<std::string> names;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    lengths.insert(pieces.length(i));
    expected.insert(peaks.length(i / 2));
    of_pieces += gc(pieces[i]);
    of_peaks += gc(peaks[i / 2]);
    CHECK(std::ranges::count(pieces[i], genocl::dna::unknown) <= 38);
    // The name is the place, and that overlaps no peak.
    const std::string name(pieces.name(i));
    CHECK(names.insert(name).second);
    const std::size_t colon = name.find(':'), dash = name.find('-');
    const std::uint64_t begin = std::stoull(name.substr(colon + 1)), end = std::stoull(name.substr(dash + 1));
    const std::size_t record = static_cast<std::size_t>(name[3] - '1');
    CHECK(std::ranges::equal(pieces[i], genome[record].subspan(begin, end - begin)));
    for (const genocl::Interval& peak : places[name.substr(0, colon)])
      CHECK(genocl::intersection(peak, {begin, end}).empty());
  }
  CHECK(lengths == expected);
  CHECK(std::abs(of_pieces - of_peaks) / static_cast<double>(pieces.size()) < 1.5);
}

TEST_CASE("pwm controls: a GC content that the genome does not have, and too small genomes") {
  Random random(3);
  SequenceSet genome, peaks;
  genome.append("g", letters_with_gc(random, 3000, 50));
  for (int i = 0; i < 20; ++i) peaks.append_letters("rich", std::string(100, 'G'));
  MatchedControls controls(peaks, {}, {});
  controls.survey(genome);
  controls.draw(genome);
  const SequenceSet pieces = controls.take();
  REQUIRE(pieces.size() == 20);
  // 20 of 30 tiles: those with the highest GC content.
  double least = 100;
  for (std::size_t i = 0; i < 20; ++i) least = std::min(least, gc(pieces[i]));
  std::size_t above = 0;
  for (std::size_t at = 0; at < 3000; at += 100) above += gc(genome[0].subspan(at, 100)) > least + 1 ? 1 : 0;
  CHECK(above <= 20);

  MatchedControls too_many(peaks, {}, {.copies = 2});
  too_many.survey(genome);
  CHECK_THROWS_WITH_AS(too_many.draw(genome),
                       "the genome has 30 pieces of 100 letters outside the sequences; expected at least 40",
                       InputError);
  MatchedControls other(peaks, {}, {});
  other.survey(genome);
  other.draw(genome.slice(0, 0));
  CHECK_THROWS_AS(other.take(), InputError);
  CHECK_THROWS_AS(MatchedControls(peaks, {}, {.max_unknown = -1}), InputError);
  CHECK_THROWS_AS(MatchedControls(SequenceSet(genocl::Alphabet::protein), {}, {}), InputError);
}
