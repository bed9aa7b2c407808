// Alignments of genomes with planted differences, and their formats.
#include "genocl/overlap/genome_alignment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "genocl/error.hpp"
#include "genocl/overlap/genome_formats.hpp"
#include "genocl/overlap/match_index.hpp"
#include "overlap/cases.hpp"
#include "overlap/genomes/anchors.hpp"
#include "overlap/genomes/select.hpp"
#include "random_sequences.hpp"
#include "reference/align.hpp"

using namespace genocl;
using namespace genocl::overlap;
using namespace overlap_test;

namespace {

using Codes = std::vector<Code>;

void append(Codes& to, std::span<const Code> part) { to.insert(to.end(), part.begin(), part.end()); }

Codes reversed(std::span<const Code> codes) {
  Codes other(codes.size());
  dna::reverse_complement(codes, other);
  return other;
}

/// One base in `every` is another one, and one in 8 * `every` begins an insertion or a deletion of 1 to 6 bases.
Codes diverged(Random& random, std::span<const Code> codes, unsigned every) {
  Codes other;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (random.below(8 * every) == 0) {
      const std::size_t length = 1 + random.below(6);
      if (random.below(2) == 0)
        append(other, genocl_test::random_codes(random, length, 4));
      else
        i = std::min(i + length, codes.size() - 1);
    }
    other.push_back(random.below(every) == 0 ? static_cast<Code>((codes[i] + 1 + random.below(3)) % 4) : codes[i]);
  }
  return other;
}

std::vector<GenomeAlignment> aligned(const GenomeAligner& aligner, const SequenceSet& queries) {
  std::vector<GenomeAlignment> all;
  std::uint64_t next = 0;
  aligner.align(queries, [&](std::uint64_t query, std::span<const GenomeAlignment> alignments) {
    CHECK(query == next++);
    for (const GenomeAlignment& alignment : alignments) CHECK(alignment.query.sequence == query);
    all.insert(all.end(), alignments.begin(), alignments.end());
  });
  CHECK(next == queries.size());
  return all;
}

/// The CIGAR consumes both intervals, its letters are those of the records, and score and counts agree with it.
void check_alignment(const GenomeAlignment& alignment, const SequenceSet& reference, const SequenceSet& queries,
                     const GenomeScoring& scoring = {}) {
  CHECK(alignment.cigar.reference_length() == alignment.reference.length());
  CHECK(alignment.cigar.query_length() == alignment.query.length());
  const std::int64_t score =
      score_of(alignment, reference[alignment.reference.sequence], queries[alignment.query.sequence], scoring);
  CHECK(score == alignment.score);
  std::uint64_t matches = 0, mismatches = 0, gaps = 0;
  for (const CigarRun& run : alignment.cigar.runs())
    (run.letter() == '=' ? matches : run.letter() == 'X' ? mismatches : gaps) += run.length();
  CHECK(matches == alignment.matches);
  CHECK(mismatches == alignment.mismatches);
  CHECK(gaps == alignment.gaps);
  REQUIRE(!alignment.cigar.empty());
  CHECK(alignment.cigar.runs().front().letter() == '=');
  CHECK(alignment.cigar.runs().back().letter() == '=');
}

/// The query positions, on the forward strand, that alignments of a strand pair with bases of a record.
std::vector<std::int64_t> paired_positions(const std::vector<GenomeAlignment>& alignments, std::uint64_t record,
                                           std::uint64_t query, Strand strand, std::size_t length) {
  std::vector<std::int64_t> positions(length, -1);
  for (const GenomeAlignment& alignment : alignments) {
    if (alignment.reference.sequence != record || alignment.query.sequence != query || alignment.strand != strand)
      continue;
    std::uint64_t i = alignment.reference.begin, j = 0;
    for (const CigarRun& run : alignment.cigar.runs())
      for (std::uint32_t k = 0; k < run.length(); ++k) {
        const std::uint64_t base = strand == Strand::forward ? alignment.query.begin + j : alignment.query.end - 1 - j;
        if (run.uses_reference() && run.uses_query()) positions[i] = static_cast<std::int64_t>(base);
        if (run.uses_reference()) ++i;
        if (run.uses_query()) ++j;
      }
  }
  return positions;
}

}  // namespace

TEST_CASE("overlap genomes: an inversion, a translocation, an insertion and a deletion") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 311);
  const Codes first = genocl_test::random_codes(random, 9000, 4), second = genocl_test::random_codes(random, 5000, 4);
  SequenceSet reference, queries;
  reference.append("r1", first);
  reference.append("r2", second);
  const auto part = [](const Codes& codes, std::size_t begin, std::size_t end) {
    return std::span(codes).subspan(begin, end - begin);
  };
  // q1: bases 0 to 3000 of r1, an insertion, 4200 to 6000 (a deletion before), 6000 to 7500 reversed, 7500 to 9000.
  Codes q1;
  append(q1, part(first, 0, 3000));
  append(q1, genocl_test::random_codes(random, 700, 4));
  append(q1, part(first, 3000, 3300));
  append(q1, part(first, 4200, 6000));
  append(q1, reversed(part(first, 6000, 7500)));
  append(q1, part(first, 7500, 9000));
  // q2: the reverse complement of r2 with 1000 bases of r1 in its middle.
  Codes q2(second.begin(), second.begin() + 2500);
  append(q2, part(first, 1000, 2000));
  append(q2, part(second, 2500, 5000));
  queries.append("q1", q1);
  queries.append("q2", reversed(q2));
  queries.append("q3", genocl_test::random_codes(random, 2000, 4));
  queries.append("q4", {});

  std::vector<GenomeAlignment> before;
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    const std::vector<GenomeAlignment> found = aligned(GenomeAligner(variant.device, reference), queries);
    for (const GenomeAlignment& alignment : found) {
      check_alignment(alignment, reference, queries);
      CHECK(alignment.primary);
      CHECK(alignment.mapq == 60);
    }
    // One alignment contains the insertion and the deletion. The inversion makes two more. One of q2 contains the bases
    // of r1 as an insertion.
    REQUIRE(found.size() == 5);
    const auto forward = paired_positions(found, 0, 0, Strand::forward, first.size());
    const auto reverse = paired_positions(found, 0, 0, Strand::reverse, first.size());
    const auto moved = paired_positions(found, 0, 1, Strand::reverse, first.size());
    const auto other = paired_positions(found, 1, 1, Strand::reverse, second.size());
    // Bases at the breaks may fit on either side.
    constexpr std::size_t slack = 12;
    std::size_t wrong = 0;
    const auto expect = [&](const std::vector<std::int64_t>& pairs, std::size_t begin, std::size_t end, auto&& place) {
      for (std::size_t i = begin + slack; i + slack < end; ++i)
        wrong += pairs[i] != static_cast<std::int64_t>(place(i)) ? 1 : 0;
    };
    expect(forward, 0, 3000, [](std::size_t i) { return i; });
    expect(forward, 3000, 3300, [](std::size_t i) { return i + 700; });
    expect(forward, 4200, 6000, [](std::size_t i) { return i - 200; });
    expect(forward, 7500, 9000, [](std::size_t i) { return i - 200; });
    expect(reverse, 6000, 7500, [](std::size_t i) { return 5800 + 7499 - i; });
    expect(moved, 1000, 2000, [&](std::size_t i) { return q2.size() - 1 - (i + 1500); });
    expect(other, 0, 2500, [&](std::size_t i) { return q2.size() - 1 - i; });
    expect(other, 2500, 5000, [&](std::size_t i) { return q2.size() - 1 - (i + 1000); });
    CHECK(wrong == 0);
    if (!before.empty()) CHECK(found == before);
    before = found;
  }
}

TEST_CASE("overlap genomes: scores are next to those of Smith and Waterman") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 312);
  SequenceSet reference, queries;
  for (unsigned i = 0; i < genocl_test::rounds(24); ++i) {
    const Codes codes = genocl_test::random_codes(random, 300 + random.below(2200), 4);
    reference.append({}, codes);
    const Codes other = diverged(random, codes, 12 + static_cast<unsigned>(random.below(80)));
    queries.append({}, random.below(2) == 0 ? other : reversed(other));
  }
  GenomeAlignOptions options{.min_length = 14, .min_cluster = 30};
  if (random.below(2) == 0) options.scoring = {.match = 2, .mismatch = 3, .gap_open = 5, .gap_extend = 2};
  const GenomeScoring& scoring = options.scoring;
  const std::vector<GenomeAlignment> found =
      aligned(GenomeAligner(genocl_test::device_under_test(), reference, options), queries);
  std::vector<std::int64_t> best(reference.size(), 0);
  for (const GenomeAlignment& alignment : found) {
    check_alignment(alignment, reference, queries, scoring);
    if (alignment.reference.sequence == alignment.query.sequence)
      best[alignment.query.sequence] = std::max(best[alignment.query.sequence], alignment.score);
  }
  const pairwise::Matrix matrix = pairwise::Matrix::dna(scoring.match, -scoring.mismatch);
  const pairwise::GapPenalty gap{scoring.gap_open, scoring.gap_extend};
  const SequenceSet turned = queries.reverse_complement();
  for (std::size_t i = 0; i < reference.size(); ++i) {
    CAPTURE(i);
    const std::int64_t highest = std::max(genocl_reference::local_score(queries[i], reference[i], matrix, gap),
                                          genocl_reference::local_score(turned[i], reference[i], matrix, gap));
    CHECK(best[i] <= highest);
    CHECK(best[i] >= highest - highest / 20);
  }
}

TEST_CASE("overlap genomes: letters other than A, C, G and T, strands, kinds of anchors, and wrong options") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 313);
  const Device& device = genocl_test::device_under_test();
  Codes codes = genocl_test::random_codes(random, 3000, 4), other = codes;
  for (const std::size_t i : {500, 501, 1500}) codes[i] = dna::unknown;
  for (const std::size_t i : {500, 1200, 1201}) other[i] = dna::unknown;
  // A part of the query occurs twice in the reference, and 400 bases twice in the query.
  SequenceSet reference, queries;
  Codes longer = codes;
  append(longer, std::span(codes).first(400));
  reference.append("r", longer);
  append(other, std::span(other).subspan(2000, 400));
  queries.append("q", other);
  for (const MatchKind kind : {MatchKind::unique_in_reference, MatchKind::unique, MatchKind::all})
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
      const GenomeAligner aligner(device, reference, {.anchors = kind, .strands = strands});
      const std::vector<GenomeAlignment> found = aligned(aligner, queries);
      for (const GenomeAlignment& alignment : found) check_alignment(alignment, reference, queries);
      CHECK(found.empty() == (strands == Strands::reverse));
      if (strands == Strands::reverse) continue;
      const auto longest = std::ranges::max_element(found, {}, &GenomeAlignment::score);
      CHECK(longest->primary);
      CHECK(longest->reference.end >= 3000);
      std::size_t mismatches = 0, wrong = 0;
      const auto pairs = paired_positions({*longest}, 0, 0, Strand::forward, longer.size());
      for (std::size_t i = 0; i < 2990; ++i) {
        wrong += pairs[i] != static_cast<std::int64_t>(i) ? 1 : 0;
        mismatches += longer[i] != other[i] ? 1 : 0;
      }
      CHECK(wrong == 0);
      CHECK(mismatches == 4);
      CHECK(longest->mismatches >= 4);
      // The first 400 bases of the query occur twice: all matches find both places.
      const auto again = std::ranges::count_if(found, [](const GenomeAlignment& alignment) {
        return !alignment.primary && alignment.mapq == 0 && alignment.reference.begin > 2900 &&
               alignment.reference.begin <= 3000;
      });
      CHECK(again == (kind == MatchKind::all ? 1 : 0));
    }
  CHECK_THROWS_AS(GenomeAligner(device, reference, {.min_length = 0}), InputError);
  CHECK_THROWS_AS(GenomeAligner(device, reference, {.max_drop = -1}), InputError);
  CHECK_THROWS_AS(GenomeAligner(device, reference, {.scoring = {.gap_open = -1}}), InputError);
  CHECK_THROWS_AS(GenomeAligner(device, SequenceSet(Alphabet::protein)), InputError);
  const GenomeAligner aligner(device, reference);
  CHECK_THROWS_AS(aligner.align(SequenceSet(Alphabet::bytes), [](auto&&...) {}), InputError);
  CHECK(aligned(aligner, SequenceSet()).empty());
}

TEST_CASE("overlap genomes: anchors unique in the reference, from all matches") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 314);
  for (unsigned round = 0; round < genocl_test::rounds(8); ++round) {
    SequenceSet reference, queries;
    const Codes word = genocl_test::random_codes(random, 60, 4);
    for (SequenceSet* set : {&reference, &queries})
      for (unsigned record = 0; record < 3; ++record) {
        Codes codes;
        while (codes.size() < 800) {
          append(codes, genocl_test::random_codes(random, random.below(40), 2));
          append(codes, std::span(word).subspan(random.below(20), random.below(40)));
        }
        set->append({}, codes);
      }
    const MatchIndex index(genocl_test::device_under_test(), reference);
    MatchOptions options{.min_length = 5 + random.below(10), .both_strands = true};
    std::vector<MaximalMatch> all = index.find(queries, options);
    options.kind = MatchKind::unique_in_reference;
    keep_unique_in_reference(all);
    CHECK(all == index.find(queries, options));
  }
}

TEST_CASE("tiny: overlap genomes: alignments in better ones are dropped, others are secondary") {
  const auto alignment = [](std::uint64_t reference, std::uint64_t query, std::uint32_t length, std::int64_t score) {
    GenomeAlignment one;
    one.reference = {0, reference, reference + length};
    one.query = {0, query, query + length};
    one.score = score;
    one.matches = length;
    one.cigar.append(length, '=');
    return one;
  };
  std::vector<GenomeAlignment> all{alignment(0, 0, 1000, 1000), alignment(300, 310, 100, 100),
                                   alignment(5000, 400, 500, 500), alignment(2000, 1000, 300, 300),
                                   alignment(2280, 1280, 200, 200)};
  select_alignments(all);
  REQUIRE(all.size() == 4);
  CHECK(all[0].mapq == 60);
  CHECK(all[1].reference.begin == 2000);
  CHECK(all[2].primary);
  CHECK(all[3].reference.begin == 5000);
  CHECK(!all[3].primary);
  CHECK(all[3].mapq == 0);
  // Bases of an insertion are aligned nowhere else.
  GenomeAlignment outer = alignment(0, 0, 500, 900);
  outer.cigar.append(200, 'I');
  outer.cigar.append(500, '=');
  outer.query.end = 1200;
  outer.reference.end = 1000;
  all = {outer, alignment(100, 510, 150, 150)};
  select_alignments(all);
  CHECK(all.size() == 2);
}

TEST_CASE("tiny: overlap genomes: formats") {
  SequenceSet reference, queries;
  reference.append_letters("r", "ACGTACGTTTGCA");
  queries.append_letters("", "GGTGCTTAACGGACGTC");  // reverse complement of GACGTCCGTTAAGCACC
  GenomeAlignment alignment;
  alignment.reference = {0, 0, 13};
  alignment.query = {0, 2, 16};
  alignment.strand = Strand::reverse;
  alignment.matches = 11;
  alignment.mismatches = 1;
  alignment.gaps = 3;
  alignment.score = 3;
  for (const auto& [length, letter] :
       {std::pair(4u, '='), {1u, 'D'}, {1u, 'I'}, {4u, '='}, {1u, 'I'}, {1u, 'X'}, {3u, '='}})
    alignment.cigar.append(length, letter);
  const auto text = [&](GenomeFormat format, const GenomeFormatOptions& options = {}) {
    const GenomeFormatter formatter(format, reference, options);
    std::string lines = formatter.header();
    formatter.append(queries, 0, {&alignment, 1}, lines, 6);
    return lines;
  };
  CHECK(text(GenomeFormat::delta, {.reference_file = "a.fa", .query_file = "b.fa"}) ==
        "a.fa b.fa\nNUCMER\n>r 7 13 17\n1 13 16 3 4 4 0\n5\n-1\n-5\n0\n");
  CHECK(text(GenomeFormat::coords) ==
        "reference queries\nNUCMER\n\n[S1]\t[E1]\t[S2]\t[E2]\t[LEN 1]\t[LEN 2]\t[% IDY]\t[LEN R]\t[LEN Q]\t[TAGS]\n"
        "1\t13\t16\t3\t13\t14\t73.33\t13\t17\tr\t7\n");
  CHECK(text(GenomeFormat::paf, {.cs = true}) ==
        "7\t17\t2\t16\t-\tr\t13\t0\t13\t11\t15\t60\tNM:i:4\tAS:i:3\ttp:A:P\tde:f:0.2667\tcg:Z:4=1D1I4=1I1X3=\t"
        "cs:Z::4-a+c:4+a*ta:3\n");
  CHECK(text(GenomeFormat::paf, {.match_as_m = true}).ends_with("\tcg:Z:4M1D1I4M1I4M\n"));
  CHECK(text(GenomeFormat::snps) ==
        "reference queries\nNUCMER\n\n[P1]\t[SUB]\t[SUB]\t[P2]\t[BUFF]\t[DIST]\t[FRM]\t[TAGS]\n"
        "5\tA\t.\t12\t0\t5\t1\t-1\tr\t7\n5\t.\tC\t12\t0\t5\t1\t-1\tr\t7\n"
        "9\t.\tA\t7\t1\t5\t1\t-1\tr\t7\n10\tT\tA\t6\t1\t4\t1\t-1\tr\t7\n");
}
