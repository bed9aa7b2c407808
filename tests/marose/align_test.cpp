// Affine alignments of reads: diagonals of mates, reads and pairs.

#include <doctest/doctest.h>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/error.hpp"
#include "genocl/marose.hpp"
#include "marose/align.hpp"
#include "marose/clip.hpp"
#include "marose/extend.hpp"
#include "marose/texts.hpp"
#include "random.hpp"

namespace {

using namespace genocl;
using namespace genocl::marose;
using genocl_test::Random;
using genocl_test::test_seed;

using Sequence = std::vector<Code>;

/// K-mers that both have, on each diagonal.
std::map<std::int64_t, std::uint32_t> counts(const Sequence& query, const Sequence& text) {
  std::map<std::int64_t, std::uint32_t> all;
  for (std::size_t i = 0; i + DiagonalSearch::k <= query.size(); ++i)
    for (std::size_t j = 0; j + DiagonalSearch::k <= text.size(); ++j)
      if (std::equal(query.begin() + static_cast<std::ptrdiff_t>(i),
                     query.begin() + static_cast<std::ptrdiff_t>(i + DiagonalSearch::k),
                     text.begin() + static_cast<std::ptrdiff_t>(j)) &&
          std::all_of(text.begin() + static_cast<std::ptrdiff_t>(j),
                      text.begin() + static_cast<std::ptrdiff_t>(j + DiagonalSearch::k), dna::is_base))
        ++all[static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i)];
  return all;
}

Sequence turned(const Sequence& codes) {
  Sequence result(codes.size());
  dna::reverse_complement(codes, result);
  return result;
}

}  // namespace

TEST_CASE("marose: the diagonal of a read in a text is found") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  DiagonalSearch search;
  for (int round = 0; round < 100; ++round) {
    Sequence text = random.values_below<Code>(300 + random.below(700), 4);
    const std::size_t length = 40 + random.below(110), at = random.below(text.size() - length);
    Sequence query(text.begin() + static_cast<std::ptrdiff_t>(at),
                   text.begin() + static_cast<std::ptrdiff_t>(at + length));
    for (std::size_t i = 20; i < length; i += 30) query[i] = static_cast<Code>((query[i] + 1) % 4);
    if (round % 5 == 0) text[random.below(text.size())] = query[random.below(length)] = dna::unknown;
    search.set_query(query);
    const auto found = search.find(text, 4, 2);
    REQUIRE(!found.empty());
    CHECK(std::abs(found[0].shift - static_cast<std::int64_t>(at)) <= DiagonalSearch::bin);
    std::uint32_t nearby = 0;
    for (const auto& [diagonal, kmers] : counts(query, text))
      if (std::abs(diagonal - found[0].shift) < DiagonalSearch::bin || diagonal == found[0].shift - DiagonalSearch::bin)
        nearby += kmers;
    CHECK(found[0].kmers == nearby);
    for (std::size_t i = 1; i < found.size(); ++i) CHECK(found[i].kmers <= found[i - 1].kmers);
  }
  search.set_query(random.values_below<Code>(100, 4));
  CHECK(search.find(random.values_below<Code>(500, 4), 6, 2).empty());
  search.set_query({});
  CHECK(search.find(random.values_below<Code>(50, 4), 1, 2).empty());
  search.set_query(random.values_below<Code>(100, 4));
  CHECK(search.find({}, 1, 2).empty());
}

TEST_CASE("marose: mates are cut to their insert") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Sequence adapter = encode(Alphabet::dna, "AGATCGGAAGAGCACACGTCTGAACTCCAGTCACATCACGATCTCGTATGCCGTCTTCTGCTTG");
  const auto mates = [&](std::size_t insert, std::size_t length) {
    const Sequence fragment = random.values_below<Code>(insert, 4);
    const auto read = [&](Sequence codes) {
      codes.insert(codes.end(), adapter.begin(), adapter.end());
      while (codes.size() < length) codes.push_back(0);
      codes.resize(length);
      return codes;
    };
    return std::pair(read(fragment), read(turned(fragment)));
  };
  const auto kept = [](const Sequence& first, const Sequence& second) {
    ReadPart a{0, static_cast<std::uint16_t>(first.size())}, b{0, static_cast<std::uint16_t>(second.size())};
    OverlapTrimmer().trim(first, second, a, b);
    CHECK(a.first == 0);
    return std::pair<std::size_t, std::size_t>(a.length, b.length);
  };
  for (std::size_t insert = 20; insert < 150; insert += 1 + random.below(9)) {
    CAPTURE(insert);
    auto [first, second] = mates(insert, 150);
    CHECK(kept(first, second) == std::pair(insert, insert));
    // A tenth of the overlap may differ.
    for (std::size_t i = 0; i < insert / 10; ++i) first[i * 10] = static_cast<Code>((first[i * 10] + 1) % 4);
    CHECK(kept(first, second) == std::pair(insert, insert));
    first.resize(100);
    const std::size_t shorter = std::min<std::size_t>(insert, 100);
    if (insert <= 130) CHECK(kept(first, second) == std::pair(shorter, insert));
  }
  // Inserts of the reads' length and beyond, and too short overlaps, leave them whole.
  for (const std::size_t insert :
       {std::size_t{10}, std::size_t{19}, std::size_t{150}, std::size_t{151}, std::size_t{400}}) {
    CAPTURE(insert);
    const auto [first, second] = mates(insert, 150);
    CHECK(kept(first, second) == std::pair<std::size_t, std::size_t>(150, 150));
  }
  // Repeats overlap in several ways.
  Sequence repeat;
  for (std::size_t i = 0; i < 150; ++i) repeat.push_back(static_cast<Code>(i % 3));
  CHECK(kept(repeat, turned(repeat)) == std::pair<std::size_t, std::size_t>(150, 150));
  CHECK(kept({}, repeat) == std::pair<std::size_t, std::size_t>(0, 150));
}

namespace {

using namespace genocl;
using namespace genocl::marose;
using marose_test::below;
using marose_test::edit;
using marose_test::hard_reference;
using marose_test::Random;

using Sequence = std::vector<Code>;

Sequence turned(std::span<const Code> bases) {
  Sequence result(bases.size());
  dna::reverse_complement(bases, result);
  return result;
}

Sequence piece(const SequenceSet& text, Random& random, std::size_t length) {
  for (;;) {
    const std::span<const Code> contig = text[below(random, text.size())];
    if (contig.size() < length) continue;
    const std::size_t from = below(random, contig.size() - length + 1);
    return {contig.begin() + static_cast<std::ptrdiff_t>(from),
            contig.begin() + static_cast<std::ptrdiff_t>(from + length)};
  }
}

/// Reads with a few edits, a long gap, foreign ends, two parts from different places, or past a contig's end.
SequenceSet hard_reads(Random& random, const SequenceSet& text, std::size_t count, bool mates) {
  SequenceSet reads(Alphabet::dna, true);
  const auto add = [&](Sequence bases) {
    std::vector<std::uint8_t> quality(bases.size());
    for (std::uint8_t& score : quality) score = static_cast<std::uint8_t>(below(random, 42));
    reads.append("r" + std::to_string(reads.size()), bases, {}, quality);
  };
  const auto disturb = [&](Sequence bases) {
    const std::size_t length = bases.size();
    switch (below(random, 8)) {
      case 0: {  // a deletion of the read
        const std::size_t at = length / 4 + below(random, length / 2), gap = 1 + below(random, 30);
        bases.erase(bases.begin() + static_cast<std::ptrdiff_t>(at),
                    bases.begin() + static_cast<std::ptrdiff_t>(std::min(at + gap, length)));
        break;
      }
      case 1: {  // an insertion
        const Sequence more = marose_test::random_bases(random, 1 + below(random, 30));
        bases.insert(bases.begin() + static_cast<std::ptrdiff_t>(length / 4 + below(random, length / 2)), more.begin(),
                     more.end());
        break;
      }
      case 2: {  // another place from somewhere on
        const Sequence other = piece(text, random, length);
        std::copy(other.begin() + static_cast<std::ptrdiff_t>(length / 2), other.end(),
                  bases.begin() + static_cast<std::ptrdiff_t>(length / 2));
        break;
      }
      case 3: {  // foreign ends
        for (std::size_t i = 0; i < below(random, 30); ++i) bases[i] = static_cast<Code>(below(random, 4));
        for (std::size_t i = 0; i < below(random, 30); ++i) bases[length - 1 - i] = static_cast<Code>(below(random, 4));
        break;
      }
      case 4:
        bases = marose_test::random_bases(random, length);
        break;
      default:
        break;
    }
    edit(random, bases, below(random, 5), true);
    return below(random, 2) == 0 ? bases : turned(bases);
  };
  while (reads.size() < count) {
    const std::size_t length = 60 + below(random, 90);
    if (!mates) {
      add(disturb(piece(text, random, length)));
      continue;
    }
    const Sequence fragment = piece(text, random, 150 + below(random, 100));
    Sequence left(fragment.begin(), fragment.begin() + 100), right(fragment.end() - 100, fragment.end());
    right = turned(right);
    if (below(random, 3) == 0) edit(random, left, below(random, 20), true);
    if (below(random, 3) == 0) edit(random, right, below(random, 20), true);
    if (below(random, 10) == 0) right = disturb(right);
    if (below(random, 2) == 0) left.swap(right);
    add(left);
    add(right);
  }
  return reads;
}

/// The score of an alignment from its letters; checks its shape.
int score_of(const SequenceSet& text, std::span<const Code> read, const ReadAlignment& alignment,
             const pairwise::DnaScoring& s) {
  const Sequence query = alignment.strand == Strand::forward ? Sequence(read.begin(), read.end()) : turned(read);
  const std::span<const Code> contig = text[alignment.contig];
  CHECK(alignment.cigar.query_length() == read.size());
  REQUIRE(alignment.end() <= contig.size());
  int score = 0;
  std::size_t i = 0, j = alignment.position;
  char before = 'S';
  for (const CigarRun& run : alignment.cigar.runs()) {
    const char letter = run.letter();
    if (before == 'S') CHECK((letter == 'M' || letter == 'S'));
    if (letter == 'S') CHECK((before == 'S' || before == 'M'));
    if (letter == 'I' || letter == 'D') score -= s.gap_cost(run.length());
    for (std::uint32_t k = 0; letter == 'M' && k < run.length(); ++k) {
      const bool bases = dna::is_base(query[i + k]) && dna::is_base(contig[j + k]);
      score += !bases ? -s.ambiguous : query[i + k] == contig[j + k] ? s.match : -s.mismatch;
    }
    if (run.uses_query()) i += run.length();
    if (run.uses_reference()) j += run.length();
    before = letter;
  }
  CHECK((before == 'M' || before == 'S'));
  return score;
}

int with_bonuses(const ReadAlignment& alignment, const pairwise::DnaScoring& s) {
  return alignment.score + (alignment.left_clip() == 0 ? s.end_bonus : 0) +
         (alignment.right_clip() == 0 ? s.end_bonus : 0);
}

struct Mapped {
  std::vector<AlignedRead> reads;
  Hits hits;
};

template <class AnyMapper, class Batch>
Mapped map_stream(AnyMapper& mapper, const SequenceSet& reads, std::size_t batch) {
  Mapped mapped;
  std::size_t next = 0;
  mapper.map(
      [&](SequenceSet& to) {
        if (next == reads.size()) return false;
        const std::size_t count = std::min(batch, reads.size() - next);
        to = reads.slice(next, count);
        next += count;
        return true;
      },
      [](Batch&) {},
      [&](Batch& one) {
        mapped.reads.insert(mapped.reads.end(), one.alignments.begin(), one.alignments.end());
        const std::uint64_t before = mapped.hits.hits.size();
        mapped.hits.hits.insert(mapped.hits.hits.end(), one.hits.hits.begin(), one.hits.hits.end());
        for (std::size_t i = 1; i < one.hits.offsets.size(); ++i)
          mapped.hits.offsets.push_back(before + one.hits.offsets[i]);
        mapped.hits.reads.insert(mapped.hits.reads.end(), one.hits.reads.begin(), one.hits.reads.end());
      });
  REQUIRE(mapped.reads.size() == reads.size());
  return mapped;
}

Mapped map_singles(const Device& device, const Index& index, const SequenceSet& reads, const MapOptions& options,
                   std::size_t batch = 1000) {
  Mapper mapper(device, index, options);
  return map_stream<Mapper, Mapper::Batch>(mapper, reads, batch);
}

void check_sound(const SequenceSet& text, const SequenceSet& reads, const Mapped& mapped, const AlignOptions& align) {
  for (std::size_t read = 0; read < reads.size(); ++read) {
    CAPTURE(read);
    const AlignedRead& one = mapped.reads[read];
    std::vector<ReadAlignment> all = one.alignments;
    all.insert(all.end(), one.secondary.begin(), one.secondary.end());
    for (const ReadAlignment& alignment : all) {
      CHECK(score_of(text, reads[read], alignment, align.scoring) == alignment.score);
      CHECK(alignment.score >= align.min_score_of(reads.length(read)));
      CHECK(alignment.mapq <= 60);
    }
    if (one.mapped()) CHECK(one.best_count >= 1);
    for (std::size_t i = 1; i < one.alignments.size(); ++i) CHECK(one.alignments[i].mapq <= one.alignments[0].mapq);
  }
}

void compare(std::size_t bases, std::size_t count) {
  GENOCL_SHOW_SEED();
  Random random(genocl_test::test_seed());
  const SequenceSet text = hard_reference(random, bases);
  const SequenceSet reads = hard_reads(random, text, count, false);
  std::vector<AlignedRead> before;
  for (const genocl_test::DeviceVariant& variant : genocl_test::device_variants()) {
    CAPTURE(variant.name);
    const Index index = Index::build(variant.device, text, {.seed_mask = "########", .method = Method::kmers});
    const MapOptions options{.errors = {.share = 0.07}};
    const Mapped mapped = map_singles(variant.device, index, reads, options);
    check_sound(text, reads, mapped, *options.align);
    if (before.empty())
      before = mapped.reads;
    else
      CHECK(mapped.reads == before);
    CHECK(map_singles(variant.device, index, reads, options, 7).reads == before);
  }
}

}  // namespace

TEST_CASE("tiny: marose alignments of reads") { compare(1000, 12); }

TEST_CASE("marose: alignments of reads are sound and the same on every device") { compare(8000, 300); }

TEST_CASE("marose: no record scores less than a full alignment at any of its read's hits") {
  GENOCL_SHOW_SEED();
  Random random(genocl_test::test_seed() + 1);
  const Device& device = genocl_test::device_under_test();
  const SequenceSet text = hard_reference(random, 20'000);
  const SequenceSet reads = hard_reads(random, text, 1500, false);
  const Index index = Index::build(device, text, {.seed_mask = "########", .method = Method::kmers});
  const MapOptions options{.errors = {.share = 0.07}};
  const pairwise::DnaScoring& scoring = options.align->scoring;
  const Mapped mapped = map_singles(device, index, reads, options);
  std::size_t compared = 0, gapped = 0;
  for (std::size_t read = 0; read < reads.size(); ++read) {
    const auto hits = mapped.hits.of(read);
    const AlignedRead& aligned = mapped.reads[read];
    if (hits.empty() || !aligned.mapped()) continue;
    const ReadAlignment& primary = aligned.alignments[0];
    int best = 0;
    std::string best_cigar;
    bool best_has_unknown = false;
    for (std::size_t h = 0; h < std::min<std::size_t>(hits.size(), 8); ++h) {
      const Hit& hit = hits[h];
      if (hit.errors > hits[0].errors + 2) break;
      const Sequence query =
          hit.strand == Strand::forward ? Sequence(reads[read].begin(), reads[read].end()) : turned(reads[read]);
      const pairwise::BandedAlignment full =
          pairwise::align_banded(query, text[hit.reference],
                                 static_cast<int>(hit.position) +
                                     (static_cast<int>(hit.length) - static_cast<int>(query.size())) / 2 - band_radius);
      int total = full.score;
      if (full.query_begin == 0) total += scoring.end_bonus;
      if (full.query_end == query.size()) total += scoring.end_bonus;
      if (!full.cigar.empty() && total > best) {
        best = total;
        const auto place = text[hit.reference].subspan(full.text_begin, full.text_end - full.text_begin);
        best_has_unknown = std::ranges::any_of(place, [](Code code) { return !dna::is_base(code); });
        best_cigar = full.cigar.str() + " at " + std::to_string(full.text_begin) + ", hit " +
                     std::to_string(hit.position) + " errors " + std::to_string(hit.errors);
      }
    }
    ++compared;
    const bool has_gap = primary.cigar.str().find_first_of("ID") != std::string::npos;
    gapped += has_gap;
    // A gap to an end that matches nearby may cost more than the end scores.
    CAPTURE(read);
    CAPTURE(primary.cigar.str());
    CAPTURE(primary.position);
    CAPTURE(with_bonuses(primary, scoring));
    CAPTURE(best);
    CAPTURE(best_cigar);
    // Of neighbouring places with as many edits one is a hit, though an N costs less than a mismatch.
    CHECK((with_bonuses(primary, scoring) >= best || has_gap || best_has_unknown));
  }
  CHECK(compared > 400);
  CHECK(gapped > 50);
}

TEST_CASE("marose: alignments of pairs are sound, proper where they can be, and the same on every device") {
  GENOCL_SHOW_SEED();
  Random random(genocl_test::test_seed() + 2);
  const SequenceSet text = hard_reference(random, 12'000);
  const SequenceSet reads = hard_reads(random, text, 600, true);
  std::vector<AlignedRead> before;
  for (const genocl_test::DeviceVariant& variant : genocl_test::device_variants()) {
    CAPTURE(variant.name);
    const Index index = Index::build(variant.device, text, {.seed_mask = "########", .method = Method::kmers});
    PairOptions options;
    options.map.errors = {.share = 0.07};
    options.insert = InsertRange{100, 300};
    PairMapper mapper(std::span(&variant.device, 1), index, options);
    const Mapped mapped = map_stream<PairMapper, PairMapper::Batch>(mapper, reads, 200);
    check_sound(text, reads, mapped, *options.map.align);
    std::size_t proper = 0, rescued = 0;
    for (std::size_t read = 0; read < reads.size(); ++read) {
      proper += mapped.reads[read].proper_pair;
      rescued += mapped.reads[read].rescued;
      CHECK(mapped.reads[read].proper_pair == mapped.reads[read ^ 1u].proper_pair);
      if (mapped.reads[read].proper_pair) {
        const ReadAlignment &a = mapped.reads[read].alignments[0], &b = mapped.reads[read ^ 1u].alignments[0];
        CHECK(a.contig == b.contig);
        CHECK(a.strand != b.strand);
      }
    }
    CHECK(10 * proper > 6 * reads.size());
    CHECK(rescued > 5);
    if (before.empty())
      before = mapped.reads;
    else
      CHECK(mapped.reads == before);
  }
}

TEST_CASE("marose: parts of a chimera, of a circle and next to a long deletion are supplementary alignments") {
  Random random(11);
  Sequence a = marose_test::random_bases(random, 5000), b = marose_test::random_bases(random, 5000);
  // No base beyond a break matches by chance.
  const auto differ = [](Code& base, Code from) {
    if (base == from) base = static_cast<Code>((base + 1) % 4);
  };
  differ(a[1090], b[3000]);
  differ(a[1090], dna::complement(b[3059]));
  differ(a[1090], b[3000]);
  differ(b[2999], a[1089]);
  differ(b[3060], dna::complement(a[1089]));
  differ(a[80], a[4999]);
  differ(b[174], b[224]);
  SequenceSet text;
  text.append("a", a);
  text.append("b", b);
  const auto part = [&](std::size_t contig, std::size_t begin, std::size_t end) {
    return Sequence(text[contig].begin() + static_cast<std::ptrdiff_t>(begin),
                    text[contig].begin() + static_cast<std::ptrdiff_t>(end));
  };
  const auto joined = [](Sequence left, const Sequence& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
  };
  SequenceSet reads;
  reads.append("chimera", joined(part(0, 1000, 1090), part(1, 3000, 3060)));
  reads.append("inverted", joined(part(0, 1000, 1090), turned(part(1, 3000, 3060))));
  reads.append("circle", joined(part(0, 4930, 5000), part(0, 0, 80)));
  reads.append("deletion", joined(part(1, 100, 175), part(1, 600, 675)));
  reads.append("gap", joined(part(1, 100, 175), part(1, 225, 300)));
  reads.append("past the end", joined(part(0, 4903, 5000), marose_test::random_bases(random, 3)));
  const Device& device = genocl_test::device_under_test();
  const Index index = Index::build(device, text);
  const Mapped mapped = map_singles(device, index, reads, {});
  const auto shown = [&](std::size_t read) {
    std::string all;
    for (const ReadAlignment& one : mapped.reads[read].alignments)
      all += std::string(text.name(one.contig)) + (one.strand == Strand::forward ? "+" : "-") +
             std::to_string(one.position) + ":" + one.cigar.str() + " ";
    return all;
  };
  CHECK(shown(0).starts_with("a+1000:90M60S b+3000:90S60M"));
  CHECK(shown(1).starts_with("a+1000:90M60S b-3000:60M90S"));
  CHECK(shown(2).starts_with("a+0:70S80M a+4930:70M80S"));
  CHECK(mapped.reads[3].alignments.size() == 2);
  CHECK(shown(4) == "b+100:75M50D75M ");
  CHECK(shown(5) == "a+4903:97M3S ");
}

TEST_CASE("marose: reads are aligned to their ends where clipping is off") {
  GENOCL_SHOW_SEED();
  Random random(genocl_test::test_seed() + 3);
  const SequenceSet text = hard_reference(random, 8000);
  const SequenceSet reads = hard_reads(random, text, 300, false);
  const Device& device = genocl_test::device_under_test();
  const Index index = Index::build(device, text, {.seed_mask = "########", .method = Method::kmers});
  MapOptions options{.errors = {.share = 0.07}};
  options.align->clip = false;
  const Mapped mapped = map_singles(device, index, reads, options);
  check_sound(text, reads, mapped, *options.align);
  std::size_t aligned = 0;
  for (std::size_t read = 0; read < reads.size(); ++read)
    for (const ReadAlignment& one : mapped.reads[read].alignments) {
      ++aligned;
      if (one.left_clip() > 0) CHECK(one.position == 0);
      if (one.right_clip() > 0) CHECK(one.end() == text.length(one.contig));
    }
  CHECK(aligned > 50);
}

TEST_CASE("marose: a read within a tandem repeat has several best places and a low MAPQ") {
  GENOCL_SHOW_SEED();
  Random random(genocl_test::test_seed() + 4);
  const std::size_t flank = 3000, array = 800;
  for (const Sequence& unit :
       {Sequence{0}, Sequence{0, 1}, Sequence{2, 0, 3, 0, 1}, Sequence{0, 0, 1, 3, 3, 2, 1, 0, 2, 3, 1, 1}}) {
    CAPTURE(unit.size());
    Sequence contig = marose_test::random_bases(random, flank);
    while (contig.size() < flank + array) contig.insert(contig.end(), unit.begin(), unit.end());
    const std::size_t end = contig.size();
    const Sequence after = marose_test::random_bases(random, flank);
    contig.insert(contig.end(), after.begin(), after.end());
    SequenceSet text, reads;
    text.append("a", contig);
    const auto add = [&](std::size_t begin, bool reverse, bool with_error) {
      Sequence bases(contig.begin() + static_cast<std::ptrdiff_t>(begin),
                     contig.begin() + static_cast<std::ptrdiff_t>(begin) + 100);
      if (with_error) bases[50] = static_cast<Code>((bases[50] + 1) % 4);
      reads.append("", reverse ? turned(bases) : bases);
    };
    for (const std::size_t begin : {flank + 100, flank + 301, flank + 500}) {
      add(begin, false, false);
      add(begin, true, false);
      add(begin, false, true);
    }
    const std::size_t within = reads.size();
    add(flank - 50, false, false);
    add(end - 50, true, false);
    add(1000, false, false);
    const Device& device = genocl_test::device_under_test();
    const Mapped mapped = map_singles(device, Index::build(device, text), reads, {});
    for (std::size_t read = 0; read < reads.size(); ++read) {
      CAPTURE(read);
      const AlignedRead& aligned = mapped.reads[read];
      // A homopolymer may have too many seeds to be mapped.
      if (!aligned.mapped() && read < within) continue;
      REQUIRE(aligned.mapped());
      if (read < within) {
        CHECK(aligned.best_count > 1);
        CHECK(aligned.alignments[0].mapq <= 3);
      } else {
        CHECK(aligned.best_count == 1);
        CHECK(aligned.alignments[0].mapq >= 30);
      }
    }
  }
}
