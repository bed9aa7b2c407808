// Searches with further alignments, masked queries and statistics by composition.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "align/composition/adjusted_scores.hpp"
#include "align/composition/scaled_profile.hpp"
#include "align/search/search_cases.hpp"
#include "genocl/align/masking.hpp"
#include "genocl/align/profile_making.hpp"
#include "genocl/error.hpp"

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

TEST_CASE("align search: every alignment of a hit's sequences that shares no pair of letters with a better one") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Alphabet alphabet : {Alphabet::protein, Alphabet::dna}) {
    const bool dna = alphabet == Alphabet::dna;
    const unsigned letters = dna ? 4 : 20;
    const SequenceSet queries = random_queries(random, alphabet, letters);
    SequenceSet subjects = random_set(random, 30, 200, alphabet, letters, queries[2]);
    for (int i = 0; i < 5; ++i)
      subjects.append("r" + std::to_string(i), repeated(mutated(random, queries[1], 9, letters), 4));
    const Database database = Database::build(subjects);
    SearchOptions options;
    options.align = true;
    options.min_score = 20;
    options.max_evalue = 5;
    if (dna) {
      options.matrix = Matrix::dna();
      options.gap = {.open = 5, .extend = 2};
    }
    const auto best = expected_hits(queries, subjects, options);
    options.max_hsps = 4;
    const Searcher searcher(test_device(), database, options);
    const auto found = searcher.search(queries).hits;
    std::size_t more = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      std::size_t next = 0;
      const std::vector<Code> minus = reverse_complement_of(dna ? queries[q] : std::span<const Code>());
      const Significance significance(*searcher.statistics(), queries.length(q), database.whole());
      for (const Hit& hit : best[q]) {
        const auto expected = genocl_reference::local_alignments(hit.minus ? std::span<const Code>(minus) : queries[q],
                                                                 subjects[hit.subject], options.matrix, options.gap, 4,
                                                                 options.min_score);
        std::uint32_t hsp = 0;
        for (const Alignment& alignment : expected) {
          const double evalue = significance.evalue(alignment.score, subjects.length(hit.subject));
          if (evalue > options.max_evalue) continue;
          REQUIRE(next < found[q].size());
          const Hit& one = found[q][next++];
          CHECK(one.subject == hit.subject);
          CHECK(one.minus == hit.minus);
          CHECK(one.hsp == hsp++);
          CHECK(one.score == alignment.score);
          CHECK(one.evalue == evalue);
          CHECK(one.bits == significance.bits(alignment.score));
          CHECK(*one.alignment == alignment);
          more += one.hsp > 0 ? 1 : 0;
        }
      }
      CHECK(next == found[q].size());
    }
    CHECK(more > 10);
    // Through bytes, and from hits without alignments.
    const auto unpacked = unpack_hits(pack_hits(found));
    SearchOptions plain = options;
    plain.align = false;
    auto later = Searcher(test_device(), database, plain).search(queries).hits;
    searcher.align(queries, later);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      CHECK(to_text(unpacked[q]) == to_text(found[q]));
      CHECK(to_text(later[q]) == to_text(found[q]));
      for (std::size_t i = 0; i < found[q].size(); ++i) CHECK(unpacked[q][i].hsp == found[q][i].hsp);
    }
  }
}

TEST_CASE("align search: hard-masked letters of queries score as unknown, and are written as they are") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Alphabet alphabet : {Alphabet::protein, Alphabet::dna}) {
    const bool dna = alphabet == Alphabet::dna;
    SequenceSet queries = random_queries(random, alphabet, dna ? 4 : 20), unknown(alphabet);
    const SequenceSet subjects = random_set(random, 60, 150, alphabet, dna ? 4 : 20, queries[2]);
    queries.mask(2, std::vector<Interval>{{10, 30}, {70, 71}});
    queries.mask(1, std::vector<Interval>{{0, 40}});
    for (std::size_t q = 0; q < queries.size(); ++q) {
      std::vector<Code> codes(queries[q].begin(), queries[q].end());
      for (const Interval& range : queries.masked(q))
        for (std::uint64_t i = range.begin; i < range.end; ++i) codes[i] = dna ? dna::unknown : protein::unknown;
      unknown.append(queries.name(q), codes);
    }
    const Database database = Database::build(subjects);
    SearchOptions options;
    options.align = true;
    options.masking = Masking::hard;
    options.max_hsps = 2;
    options.max_evalue = 1e5;
    if (dna) {
      options.matrix = Matrix::dna();
      options.gap = {.open = 5, .extend = 2};
    }
    const Searcher searcher(test_device(), database, options);
    const auto found = searcher.search(queries).hits, expected = searcher.search(unknown).hits;
    std::size_t more = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      REQUIRE(found[q].size() == expected[q].size());
      for (std::size_t i = 0; i < found[q].size(); ++i) {
        const Hit &one = found[q][i], &other = expected[q][i];
        CHECK(one.subject == other.subject);
        CHECK(one.score == other.score);
        CHECK(one.minus == other.minus);
        CHECK(one.evalue == other.evalue);
        CHECK(one.alignment->cigar(true) == other.alignment->cigar(true));
        CHECK(one.alignment->query_begin == other.alignment->query_begin);
        CHECK(one.alignment->identities >= other.alignment->identities);
        more += one.alignment->identities > other.alignment->identities ? 1 : 0;
        const std::vector<Code> query =
            one.minus ? reverse_complement_of(queries[q]) : std::vector<Code>(queries[q].begin(), queries[q].end());
        CHECK_NOTHROW(score_of(*one.alignment, query, subjects[one.subject], options.matrix, options.gap));
      }
    }
    CHECK(more > 0);
  }
}

TEST_CASE("align search: composition gives the same hits in shards, chunks and on several devices") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet queries = random_queries(random, Alphabet::protein, 20);
  const SequenceSet subjects = random_set(random, 200, 150, Alphabet::protein, 8, queries[2]);
  const Database database = Database::build(subjects);
  for (const CompositionStatistics composition : {CompositionStatistics::scaled, CompositionStatistics::conditional}) {
    SearchOptions options;
    options.composition = composition;
    options.align = true;
    options.max_evalue = 1e3;
    const Searcher searcher(test_device(), database, options);
    const auto whole = searcher.search(queries).hits;
    const Significance significance(*searcher.statistics(), queries.length(2), database.whole());
    REQUIRE(whole[2].size() == options.top);
    const PairAdjuster adjuster(options.matrix, options.gap, searcher.statistics(), composition);
    for (const Hit& hit : whole[2]) {
      const auto pair = adjuster.adjust(adjuster.query(queries[2]), subjects[hit.subject]);
      const double score = pairwise::score_on_host(queries[2], pair->subject, pair->scoring) / 32.0;
      CHECK(hit.score == std::lround(score));
      CHECK(hit.evalue == significance.evalue(score, subjects.length(hit.subject)));
      CHECK(hit.bits == significance.bits(hit.score));
      CHECK(hit.alignment->score == hit.score);
    }
    CHECK(std::ranges::is_sorted(whole[2], {}, &Hit::evalue));
    options.chunk_residues = 2000;
    const Device& device = test_device();
    check(Searcher(std::vector<Device>{device, device.with_own_queue()}, database, options).search(queries).hits,
          whole);
    options.align = false;
    auto later = Searcher(device, database, options).search(queries).hits;
    searcher.align(queries, later);
    check(later, whole);
    // The least score is that of adjusted scores.
    SearchOptions some = options;
    some.top = 1000;
    const auto all = Searcher(device, database, some).search(queries).hits[2];
    some.min_score = all[all.size() / 2].score;
    const auto bounded = Searcher(device, database, some).search(queries).hits[2];
    std::size_t next = 0;
    for (const Hit& hit : all) {
      if (hit.score < some.min_score) continue;
      REQUIRE(next < bounded.size());
      CHECK(bounded[next++].subject == hit.subject);
    }
    CHECK(next == bounded.size());
    std::vector<std::vector<std::vector<Hit>>> shards;
    for (std::size_t i = 0; i < 3; ++i)
      shards.push_back(Searcher(device, database.shard(i, 3), options).search(queries).hits);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      std::vector<std::vector<Hit>> parts;
      for (auto& shard : shards) parts.push_back(shard[q]);
      const std::vector<Hit> merged = merge_hits(parts, options.top);
      REQUIRE(merged.size() == whole[q].size());
      for (std::size_t i = 0; i < merged.size(); ++i) {
        CHECK(merged[i].subject == whole[q][i].subject);
        CHECK(merged[i].evalue == whole[q][i].evalue);
      }
    }
  }
  SearchOptions dna;
  dna.matrix = Matrix::dna();
  dna.composition = CompositionStatistics::scaled;
  SequenceSet one(Alphabet::dna);
  one.append_letters("a", "ACGT");
  CHECK_THROWS_AS(Searcher(test_device(), Database::build(one), dna), InputError);
}

TEST_CASE("align search: sequences are nearly identical also with a gap in few letters") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  constexpr std::size_t counted = 46, gap = 4;
  const KarlinAltschul gapped = *KarlinAltschul::find(Matrix::named("BLOSUM62"), GapPenalty{});
  const double per_letter = 1.74 * std::log(2) / gapped.lambda;
  SequenceSet queries(Alphabet::protein), subjects(Alphabet::protein);
  // The score is below that of 49 letters, and suffices for the 46 that count.
  while (queries.size() < 8) {
    std::vector<Code> query = random_codes(random, counted);
    const std::vector<Code> inserted = random_codes(random, gap);
    std::vector<Code> subject(60, protein::encode('L'));  // masked unless the two are nearly identical
    subject.insert(subject.end(), query.begin(), query.end());
    subject.insert(subject.begin() + 60 + counted / 2, inserted.begin(), inserted.end());
    query.insert(query.end(), 10, protein::encode('P'));
    const Alignment plain = genocl_reference::local_alignment(query, subject, Matrix::named("BLOSUM62"), GapPenalty{});
    if (plain.score < per_letter * counted || plain.score >= per_letter * 49) continue;
    if (plain.query_end - plain.query_begin != counted || plain.subject_end - plain.subject_begin != counted + gap)
      continue;
    queries.append("q" + std::to_string(queries.size()), query);
    subjects.append("s" + std::to_string(subjects.size()), subject);
  }
  const Database database = Database::build(subjects);
  SearchOptions options;
  options.max_evalue = 1e3;
  options.composition = CompositionStatistics::conditional;
  const auto scores = Searcher(test_device(), database, options).search(queries).hits;
  options.align = true;
  const auto aligned = Searcher(test_device(), database, options).search(queries).hits;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const auto hit = std::ranges::find(aligned[q], q, &Hit::subject);
    REQUIRE(hit != aligned[q].end());
    CHECK(hit->score == std::ranges::find(scores[q], q, &Hit::subject)->score);
    REQUIRE(hit->alignment);
    CHECK(hit->alignment->score == hit->score);
  }
}

namespace {

/// Gotoh's recurrence in 64 bits. score(row, letter): of a pair.
template <class Score>
std::int64_t local_score_of(std::size_t rows, std::span<const Code> subject, Score&& score, std::int64_t first,
                            std::int64_t extend) {
  std::vector<std::int64_t> h(rows + 1, 0), e(rows + 1, INT32_MIN);
  std::int64_t best = 0;
  for (const Code letter : subject) {
    std::int64_t diagonal = 0, f = INT32_MIN;
    for (std::size_t i = 1; i <= rows; ++i) {
      e[i] = std::max(e[i] - extend, h[i] - first);
      f = std::max(f - extend, h[i - 1] - first);
      const std::int64_t value = std::max({std::int64_t{0}, diagonal + score(i - 1, letter), e[i], f});
      diagonal = std::exchange(h[i], value);
      best = std::max(best, value);
    }
  }
  return best;
}

/// The score and the E-value of a subject by the definition of the statistics; empty if it is no hit.
std::optional<std::pair<std::int64_t, double>> expected_hit(const Profile& profile, std::span<const Code> subject,
                                                            const Database& database, const SearchOptions& options) {
  const KarlinAltschul gapped = *KarlinAltschul::find(options.matrix, options.gap);
  const ScaledProfile scaled(profile, options.matrix, options.gap);
  const Significance significance(scaled.statistics(gapped), profile.size(), database.whole());
  const Alignment plain = genocl_reference::local_alignment(profile, subject, options.gap);
  if (plain.score == 0 || significance.evalue(plain.score, subject.size()) > options.max_evalue) return {};
  std::vector<Code> letters(subject.begin(), subject.end());
  const auto span = std::min(plain.query_end - plain.query_begin, plain.subject_end - plain.subject_begin);
  const bool identical = plain.subject_end - plain.subject_begin + 1 >= 50 &&
                         plain.score * gapped.lambda >= 1.74 * std::log(2) * static_cast<double>(span) &&
                         static_cast<double>(plain.identities) > 0.95 * static_cast<double>(span);
  if (!identical)
    for (const Interval& range : seg(letters, {.window = 10, .low = 1.8, .high = 2.1}))
      for (std::uint64_t i = range.begin; i < range.end; ++i) letters[i] = protein::unknown;
  const Composition composition = composition_of(letters);
  if (composition.letters == 0) return {};
  const pairwise::HostScoring scoring = scaled.scoring(composition);
  const double score =
      static_cast<double>(local_score_of(
          profile.size(), letters,
          [&](std::size_t row, Code letter) { return scoring.of_row(row, profile.letters()[row], letter); },
          scoring.gap_first, scoring.gap_extend)) /
      32;
  const double evalue = significance.evalue(score, subject.size());
  if (std::lround(score) < 1 || evalue > options.max_evalue) return {};
  return std::pair{std::int64_t{std::lround(score)}, evalue};
}

}  // namespace

TEST_CASE("align search: profiles with statistics of composition") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<Code> query = random_codes(random, 130);
  SequenceSet subjects = random_set(random, 60, 200, Alphabet::protein, 6, query);
  for (int i = 0; i < 10; ++i) subjects.append("r" + std::to_string(i), mutated(random, query, 60, 20));
  std::vector<Code> low(200, protein::encode('L'));
  std::ranges::copy(query, low.begin() + 30);
  subjects.append("low", low);  // of low complexity around the query
  std::vector<AlignedSequence> rows = {{"q", decode(Alphabet::protein, query)}};
  for (int i = 0; i < 4; ++i) {
    std::vector<Code> other = query;
    for (Code& letter : other)
      if (random.below(4) == 0) letter = static_cast<Code>(random.below(20));
    rows.push_back({"s", decode(Alphabet::protein, other)});
  }
  const std::vector<Profile> profiles = {make_profile("made", rows).profile, Profile::of("plain", query)};
  const Database database = Database::build(subjects);
  SearchOptions options;
  options.align = true;
  options.top = 1000;
  options.max_evalue = 1e3;
  options.composition = CompositionStatistics::scaled;
  const KarlinAltschul gapped = *KarlinAltschul::find(options.matrix, options.gap);
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    const Searcher searcher(variant.device, database, options);
    const auto found = searcher.search(profiles).hits;
    for (std::size_t q = 0; q < profiles.size(); ++q) {
      const Profile& profile = profiles[q];
      const Significance significance(ScaledProfile(profile, options.matrix, options.gap).statistics(gapped),
                                      profile.size(), database.whole());
      std::size_t expected = 0;
      for (std::size_t s = 0; s < subjects.size(); ++s) {
        CAPTURE(s);
        const auto hit = std::ranges::find(found[q], s, &Hit::subject);
        const auto wanted = expected_hit(profile, subjects[s], database, options);
        REQUIRE((hit != found[q].end()) == wanted.has_value());
        if (!wanted) continue;
        ++expected;
        CHECK(hit->score == wanted->first);
        CHECK(hit->evalue == wanted->second);
        CHECK(hit->bits == significance.bits(hit->score));
        REQUIRE(hit->alignment);
        CHECK(hit->alignment->score == hit->score);
      }
      CHECK(found[q].size() == expected);
      CHECK(expected > 10);
    }
    // Both modes scale a profile, and alignments may be added later.
    SearchOptions other = options;
    other.composition = CompositionStatistics::conditional;
    other.align = false;
    const Searcher without(variant.device, database, other);
    auto later = without.search(profiles).hits;
    for (std::size_t q = 0; q < profiles.size(); ++q) {
      REQUIRE(later[q].size() == found[q].size());
      for (std::size_t i = 0; i < found[q].size(); ++i) {
        CHECK(later[q][i].subject == found[q][i].subject);
        CHECK(later[q][i].evalue == found[q][i].evalue);
      }
    }
    SearchOptions several = options;
    several.max_hsps = 3;
    const auto more = Searcher(variant.device, database, several).search(profiles).hits;
    CHECK(more[0].size() > found[0].size());
    CHECK(std::ranges::count(more[0], 0u, &Hit::hsp) == static_cast<std::ptrdiff_t>(found[0].size()));
  }
}
