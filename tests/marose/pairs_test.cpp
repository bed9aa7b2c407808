#include "genocl/marose/pairs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

#include "genocl/error.hpp"
#include "genocl/marose/alignment.hpp"
#include "marose/edit_script.hpp"
#include "reference/marose/marose_alignment.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Code;
using namespace genocl::marose;

namespace {

std::vector<Hit> random_hits(genocl_test::RandomSequences& random, std::size_t most, std::uint64_t positions) {
  std::vector<Hit> hits(random.below(most + 1));
  for (Hit& hit : hits)
    hit = {.position = random.below(positions),
           .reference = static_cast<std::uint32_t>(random.below(3)),
           .length = static_cast<std::uint32_t>(38 + random.below(5)),
           .errors = static_cast<std::uint16_t>(random.below(4)),
           .strand = random.below(2) == 0 ? Strand::forward : Strand::reverse};
  std::ranges::sort(hits, {}, [](const Hit& hit) {
    return std::tuple(hit.errors, hit.reference, hit.position, hit.strand, hit.length);
  });
  return hits;
}

void check_best(std::span<const Hit> first, std::span<const Hit> second, const InsertRange& range,
                const std::vector<PairHit>& pairs, std::uint64_t limit) {
  const auto best = best_pairs(first, second, range, limit);
  REQUIRE(best.has_value() == !pairs.empty());
  if (!best) return;
  CHECK(best->best == pairs.front());
  const auto count = [&](std::uint32_t errors) {
    return static_cast<std::uint64_t>(std::ranges::count(pairs, errors, &PairHit::errors));
  };
  CHECK(best->count == std::min(limit, count(pairs.front().errors)));
  const auto next = std::ranges::find_if(pairs, [&](const PairHit& p) { return p.errors > pairs.front().errors; });
  CHECK(best->second == (next == pairs.end() ? 0 : next->errors));
  CHECK(best->second_count == (next == pairs.end() ? 0 : std::min(limit, count(next->errors))));
}

}  // namespace

TEST_CASE("proper pairs by hand") {
  const Hit left{.position = 100, .reference = 1, .length = 40, .errors = 1, .strand = Strand::forward};
  const Hit right{.position = 300, .reference = 1, .length = 41, .errors = 2, .strand = Strand::reverse};
  const auto one = [](const Hit& hit) { return std::vector<Hit>{hit}; };
  CHECK(proper_pairs(one(left), one(right), {0, 241}) == std::vector<PairHit>{{0, 0, 3, 241}});
  CHECK(proper_pairs(one(right), one(left), {241, 300}) == std::vector<PairHit>{{0, 0, 3, -241}});
  CHECK(proper_pairs(one(left), one(right), {0, 240}).empty());
  CHECK(proper_pairs(one(left), one(right), {242, 300}).empty());
  Hit other = right;
  other.reference = 0;
  CHECK(proper_pairs(one(left), one(other), {}).empty());
  other = right;
  other.strand = Strand::forward;
  CHECK(proper_pairs(one(left), one(other), {}).empty());
  other = right;
  other.position = 99;
  CHECK(proper_pairs(one(left), one(other), {}).empty());
  other.position = 100;
  CHECK(proper_pairs(one(left), one(other), {}) == std::vector<PairHit>{{0, 0, 3, 41}});
  // One within the other.
  other.length = 20;
  other.position = 110;
  CHECK(proper_pairs(one(left), one(other), {}) == std::vector<PairHit>{{0, 0, 3, 40}});
  CHECK(proper_pairs({}, one(other), {}).empty());
  CHECK_FALSE(best_pairs({}, one(other), {}).has_value());
}

TEST_CASE("proper pairs are those of each with each") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t most = round % 3 == 0 ? 4 : 60;
    const std::uint64_t positions = round % 2 == 0 ? 300 : 3000;
    const std::vector<Hit> first = random_hits(random, most, positions), second = random_hits(random, most, positions);
    const std::uint64_t least = random.below(120);
    const InsertRange range{least, least + random.below(400)};
    const std::vector<PairHit> expected = genocl_reference::proper_pairs(first, second, range);
    CHECK(proper_pairs(first, second, range) == expected);
    for (const std::uint64_t limit : {std::uint64_t{1}, std::uint64_t{5}, std::uint64_t{100'000}})
      check_best(first, second, range, expected, limit);
  }
}

TEST_CASE("the best pair among a million hits on each strand") {
  // Were it each with each, or every pair of the 250 in reach, this would not end.
  std::vector<Hit> first(1'000'000), second(1'000'000);
  for (std::uint32_t i = 0; i < first.size(); ++i) {
    first[i] = {.position = i, .length = 40, .errors = 2, .strand = Strand::forward};
    second[i] = {.position = i, .length = 40, .errors = 1, .strand = Strand::reverse};
  }
  const auto best = best_pairs(first, second, {100, 350}, 1000);
  REQUIRE(best.has_value());
  CHECK(best->best == PairHit{0, 60, 3, 100});
  CHECK(best->count == 1000);
  CHECK(best->second_count == 0);
}

TEST_CASE("a read in a text, as the whole table finds it") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  std::size_t found = 0;
  for (int round = 0; round < 400; ++round) {
    const std::string_view letters = round % 3 == 0 ? "AC" : round % 3 == 1 ? "ACGT" : "ACGTN";
    const std::string text = random.text(1 + random.below(round % 20 == 0 ? 500 : 90), letters);
    const std::size_t begin = random.below(text.size());
    std::string read = text.substr(begin, 1 + random.below(round % 20 == 0 ? 200 : 40));
    for (std::uint64_t i = random.below(4); i > 0 && !read.empty(); --i) {
      const std::size_t at = random.below(read.size());
      if (random.below(3) == 0)
        read.erase(at, 1);
      else
        read.insert(at, random.text(1, letters));
    }
    const auto read_codes = genocl::encode(genocl::Alphabet::dna, read);
    const auto text_codes = genocl::encode(genocl::Alphabet::dna, text);
    const auto bound = static_cast<unsigned>(random.below(6));
    CAPTURE(read);
    CAPTURE(text);
    CAPTURE(bound);
    for (const Model model : {Model::hamming, Model::levenshtein}) {
      const auto expected = genocl_reference::find_all(read_codes, text_codes, bound, model);
      std::vector<std::tuple<std::uint64_t, std::uint32_t, std::uint16_t>> got;
      for (const TextHit& hit : find_in_text(read_codes, text_codes, bound, model))
        got.emplace_back(hit.position, hit.length, hit.errors);
      CHECK(got == expected);
      found += got.size();
    }
  }
  CHECK(found > 100);
}

TEST_CASE("the mates found near their reads are all that exist") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  genocl::SequenceSet reference;
  // Few letters, so that there are many.
  reference.append_letters("one", random.text(1500, "AC") + "NNNN" + random.text(1500, "ACGT"));
  reference.append_letters("two", random.text(400, "ACG"));
  const Index index = Index::build(genocl::Device::pick(), reference, {.read_length = 30, .errors = {.count = 2}});
  std::size_t found = 0;
  for (int round = 0; round < 40; ++round) {
    const std::size_t contig = random.below(2);
    const auto text = reference[contig];
    const std::size_t length = 20 + random.below(round % 10 == 0 ? 80 : 20);
    const std::size_t begin = random.below(text.size() - length);
    std::vector<Code> mate(text.begin() + static_cast<std::ptrdiff_t>(begin),
                           text.begin() + static_cast<std::ptrdiff_t>(begin + length));
    mate[random.below(length)] = 2;
    if (round % 3 == 0) mate.erase(mate.begin() + static_cast<std::ptrdiff_t>(random.below(length)));
    if (round % 2 == 0) genocl::dna::reverse_complement(mate, mate);
    std::vector<Hit> anchors;
    for (int i = 0; i < 4; ++i) {
      const auto where = static_cast<std::uint32_t>(i == 0 ? random.below(2) : contig);
      const std::uint64_t from = i == 0 || begin < 150 ? 0 : begin - 150;
      const std::uint64_t range = std::min<std::uint64_t>(reference.length(where) - 30 - from, i == 0 ? 3000 : 300);
      anchors.push_back({.position = from + random.below(range),
                         .reference = where,
                         .length = 30,
                         .errors = static_cast<std::uint16_t>(i),
                         .strand = random.below(2) == 0 ? Strand::forward : Strand::reverse});
    }
    const auto errors = static_cast<unsigned>(1 + random.below(4));
    const std::uint64_t least = random.below(100);
    const InsertRange range{least, least + random.below(300)};
    for (const Model model : {Model::hamming, Model::levenshtein}) {
      std::vector<Hit> expected;
      std::vector<Code> turned(mate.size());
      genocl::dna::reverse_complement(mate, turned);
      for (std::uint32_t c = 0; c < 2; ++c)
        for (const Strand strand : {Strand::forward, Strand::reverse})
          for (const auto& [position, bases, count] :
               genocl_reference::find_all(strand == Strand::forward ? mate : turned, reference[c], errors, model)) {
            const Hit hit{.position = position, .reference = c, .length = bases, .errors = count, .strand = strand};
            if (!genocl_reference::proper_pairs(anchors, std::span(&hit, 1), range).empty()) expected.push_back(hit);
          }
      std::ranges::sort(expected, {},
                        [](const Hit& hit) { return std::tuple(hit.errors, hit.reference, hit.position, hit.strand); });
      CHECK(rescue_mate(index, anchors, mate, errors, model, range) == expected);
      found += expected.size();
    }
  }
  CHECK(found > 5);
}

TEST_CASE("alignments of hits on either strand of an index") {
  genocl::SequenceSet reference;
  reference.append_letters("one", "ACGTACGGTTCANNACCATTGGA");
  reference.append_letters("two", "GGGATTTACCCAGTACGATCAGG");
  const Index index = Index::build(genocl::Device::pick(), reference, {.seed_mask = "####"});
  const auto codes = [](std::string_view letters) { return genocl::encode(genocl::Alphabet::dna, letters); };
  // TTACCCAGTACG with one base less, and turned.
  const Hit forward{.position = 5, .reference = 1, .length = 12, .errors = 1, .strand = Strand::forward};
  Hit reverse = forward;
  reverse.strand = Strand::reverse;
  CHECK(align(index, codes("TTACCAGTACG"), forward).cigar(false) == "3=1D8=");
  CHECK(align(index, codes("CGTACTGGTAA"), reverse).cigar(true) == "3M1D8M");
  CHECK(mismatch_tag(index, align(index, codes("CGTACTGGTAA"), reverse), reverse) == "3^C8");
  // Over unknown bases.
  const Hit unknown{.position = 9, .reference = 0, .length = 8, .errors = 2, .strand = Strand::forward};
  Aligner aligner(index);
  CHECK(aligner.align(codes("TCANNACC"), unknown).cigar(false) == "3=2X3=");
  std::string tag = "MD:Z:";
  aligner.append_mismatch_tag(tag);
  CHECK(tag == "MD:Z:3N0N3");
  for (const Hit& outside : {Hit{.position = 20, .reference = 1, .length = 4}, Hit{.reference = 2, .length = 1},
                             Hit{.position = ~std::uint64_t{0}, .reference = 0, .length = 2}})
    CHECK_THROWS_AS(align(index, codes("ACGT"), outside), genocl::InputError);
  CHECK_THROWS_AS(align(index, codes("TTACCAGTAGG"), forward), genocl::InputError);
}
