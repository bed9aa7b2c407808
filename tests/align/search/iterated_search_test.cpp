// Iterated searches against a loop of searches and profiles of alignments, query by query.
#include "genocl/align/iterated_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "align/cases.hpp"
#include "genocl/align.hpp"
#include "genocl/error.hpp"

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

namespace {

/// The hit as a row below the query: gaps where the subject has none, and at both ends.
AlignedSequence row_of(const Hit& hit, std::size_t query_length, std::span<const Code> subject) {
  AlignedSequence row{"s" + std::to_string(hit.subject), std::string(query_length, '-')};
  std::size_t column = hit.alignment->query_begin, letter = hit.alignment->subject_begin;
  for (const auto& run : hit.alignment->runs)
    for (std::uint32_t i = 0; i < run.length; ++i) {
      if (run.operation == 'D') ++letter;
      if (run.operation == 'I') ++column;
      if (run.operation == '=' || run.operation == 'X') row.letters[column++] = protein::decode(subject[letter++]);
    }
  return row;
}

/// A family: relatives of relatives, so that later searches find more, and random sequences.
SequenceSet family(Random& random, const std::vector<Code>& query) {
  SequenceSet subjects(Alphabet::protein);
  std::vector<Code> relative = query;
  for (int i = 0; i < 12; ++i) {
    relative = mutated(random, relative, 5);
    subjects.append("r" + std::to_string(i), relative);
    subjects.append("x" + std::to_string(i), random_codes(random, 60 + random.below(100)));
  }
  return subjects;
}

/// iterate_profiles() of one query by its definition. Rows express subjects with one alignment each; the next test has
/// the others.
IteratedProfile expected_profile(const Database& database, const SequenceSet& queries, std::size_t q,
                                 unsigned iterations, double inclusion, CompositionStatistics composition) {
  SearchOptions options;
  options.composition = composition;
  options.align = options.by_subject = true;
  options.max_evalue = inclusion;
  options.top = 500;
  options.max_hsps = 1000;
  const Searcher searcher(test_device(), database, options);
  IteratedProfile result;
  std::set<std::uint64_t> before;
  for (unsigned i = 1; i < iterations; ++i) {
    std::vector<Hit> hits = result.profile
                                ? searcher.search(std::span<const Profile>(&result.profile->profile, 1)).hits[0]
                                : searcher.search(queries[q]);
    std::vector<AlignedSequence> rows = {{std::string(queries.name(q)), queries.letters(q)}};
    std::set<std::uint64_t> included;
    std::erase_if(hits, [inclusion](const Hit& hit) { return !(hit.evalue < inclusion); });
    for (const Hit& hit : hits) {
      included.insert(hit.subject);
      rows.push_back(row_of(hit, queries.length(q), database.sequence(hit.subject)));
    }
    std::size_t added = 0;
    for (const std::uint64_t subject : included) added += before.contains(subject) ? 0 : 1;
    result.searches.push_back({included.size(), added});
    result.converged = i > 1 && added == 0;
    if (included.empty() || result.converged) break;
    const std::string name(queries.name(q));
    result.profile =
        hits.size() == included.size() ? make_profile(name, rows) : make_profile(name, queries[q], hits, database);
    ++result.iterations;
    before = included;
  }
  return result;
}

}  // namespace

TEST_CASE("align iterated: profiles, counts and convergence of each query") {
  Random random(11);
  SequenceSet queries(Alphabet::protein);
  queries.append("first", random_codes(random, 150));
  queries.append("none", random_codes(random, 6));  // too short for the E-value
  queries.append("third", random_codes(random, 90));
  SequenceSet subjects = family(random, {queries[0].begin(), queries[0].end()});
  const SequenceSet others = family(random, {queries[2].begin(), queries[2].end()});
  for (std::size_t i = 0; i < others.size(); ++i) subjects.append("o", others[i]);
  const Database database = Database::build(subjects);
  const auto check_iterations = [&](unsigned iterations, CompositionStatistics composition) {
    CAPTURE(iterations);
    SearchOptions search;
    search.composition = composition;
    const std::vector<IteratedProfile> found =
        iterate_profiles(test_device(), database, queries, search, {.iterations = iterations});
    REQUIRE(found.size() == queries.size());
    for (std::size_t q = 0; q < queries.size(); ++q) {
      CAPTURE(q);
      const IteratedProfile expected = expected_profile(database, queries, q, iterations, 0.002, composition);
      CHECK(found[q].iterations == expected.iterations);
      CHECK(found[q].converged == expected.converged);
      CHECK(found[q].stopped.empty());
      REQUIRE(found[q].searches.size() == expected.searches.size());
      for (std::size_t i = 0; i < expected.searches.size(); ++i) {
        CHECK(found[q].searches[i].included == expected.searches[i].included);
        CHECK(found[q].searches[i].added == expected.searches[i].added);
      }
      REQUIRE(found[q].profile.has_value() == expected.profile.has_value());
      if (expected.profile) CHECK(found[q].profile->ascii() == expected.profile->ascii());
    }
    if (iterations > 2) CHECK(found[0].searches[1].included > found[0].searches[0].included);
  };
  for (const unsigned iterations : {1u, 2u, 3u, 6u}) check_iterations(iterations, CompositionStatistics::none);
  for (const auto composition : {CompositionStatistics::scaled, CompositionStatistics::conditional})
    check_iterations(3, composition);
  // Until convergence.
  const std::vector<IteratedProfile> all = iterate_profiles(test_device(), database, queries, {});
  CHECK(all[0].converged);
  CHECK(all[1].iterations == 1);
  CHECK(!all[1].profile);
}

TEST_CASE("align iterated: several alignments of a subject are one row") {
  Random random(5);
  const std::vector<Code> query = random_codes(random, 60);
  SequenceSet subjects(Alphabet::protein);
  subjects.append("s", query);
  subjects.append("t", mutated(random, query, 4));
  const Database database = Database::build(subjects);
  const auto hit = [](std::uint64_t subject, std::uint64_t begin, std::uint32_t length) {
    Hit one;
    one.subject = subject;
    one.alignment = Alignment{};
    one.alignment->query_begin = one.alignment->subject_begin = begin;
    one.alignment->query_end = one.alignment->subject_end = begin + length;
    one.alignment->runs = {{length, 'X'}};
    return one;
  };
  const auto ascii = [&](const std::vector<Hit>& hits) { return make_profile("q", query, hits, database).ascii(); };
  REQUIRE(subjects.length(1) >= 55);
  // The second alignment has nothing to add; one behind the first has.
  CHECK(ascii({hit(1, 0, 30)}) == ascii({hit(1, 0, 30), hit(1, 10, 15)}));
  CHECK(ascii({hit(1, 0, 30)}) != ascii({hit(1, 0, 30), hit(1, 35, 20)}));
  CHECK(ascii({hit(1, 0, 55)}) == ascii({hit(1, 0, 30), hit(1, 30, 25)}));
  // Copies of the query are left out.
  CHECK(ascii({hit(0, 0, 60)}) == ascii({}));
  CHECK_THROWS_AS((void)ascii({Hit{}}), InputError);
  CHECK_THROWS_AS((void)ascii({hit(1, 20, 50)}), InputError);
}

TEST_CASE("align iterated: the best alignments of a subject, at most max_hsps") {
  // The subject has the 40 domains of the query in reverse order: each is a separate alignment and the only one at
  // its columns.
  constexpr std::size_t domains = 40, default_alignments = 32;
  Random random(21);
  std::vector<Code> query, subject;
  for (std::size_t i = 0; i < domains; ++i) {
    const std::vector<Code> domain = random_codes(random, 36);
    query.insert(query.end(), domain.begin(), domain.end());
    std::vector<Code> relative = mutated(random, domain, 6);
    relative.insert(relative.end(), subject.begin(), subject.end());
    subject = std::move(relative);
  }
  SequenceSet queries(Alphabet::protein), subjects(Alphabet::protein);
  queries.append("q", query);
  subjects.append("s", subject);
  const Database database = Database::build(subjects);
  SearchOptions options;
  options.align = options.by_subject = true;
  options.max_evalue = 0.002;
  options.max_hsps = 1000;
  const std::vector<Hit> all = Searcher(test_device(), database, options).search(query);
  REQUIRE(all.size() > default_alignments);
  const auto expected = [&](std::size_t count) {
    return make_profile("q", query, std::span(all).first(std::min(count, all.size())), database).ascii();
  };
  const auto found = [&](const IterationOptions& iteration) {
    const std::vector<IteratedProfile> profiles = iterate_profiles(test_device(), database, queries, {}, iteration);
    REQUIRE(profiles[0].profile);
    CHECK(profiles[0].searches[0].included == 1);
    return profiles[0].profile->ascii();
  };
  const std::string one = found({.iterations = 2, .max_hsps = 1});
  const std::string usual = found({.iterations = 2});
  const std::string every = found({.iterations = 2, .max_hsps = 1000});
  CHECK(one == expected(1));
  CHECK(usual == expected(default_alignments));
  CHECK(every == expected(all.size()));
  CHECK(one != usual);
  CHECK(usual != every);
  CHECK(one != every);
}

TEST_CASE("align iterated: what cannot be iterated") {
  SequenceSet proteins(Alphabet::protein), dna(Alphabet::dna);
  proteins.append_letters("p", "MEVKPKLYYFQGRGRMESIRWLLA");
  dna.append_letters("d", "ACGTACGTACGT");
  const Database database = Database::build(proteins), of_dna = Database::build(dna);
  CHECK_THROWS_AS((void)iterate_profiles(test_device(), of_dna, dna, {}), InputError);
  SearchOptions options;
  options.gap = {3, 3};
  CHECK_THROWS_AS((void)iterate_profiles(test_device(), database, proteins, options), InputError);
  CHECK_THROWS_AS((void)iterate_profiles(test_device(), database, proteins, {}, {.inclusion_evalue = 0}), InputError);
  CHECK_THROWS_AS((void)iterate_profiles(test_device(), database, proteins, {}, {.max_hsps = 0}), InputError);
  const std::vector<Interval> range = {{0, 5}};
  proteins.mask(0, range);
  CHECK_THROWS_AS((void)iterate_profiles(test_device(), database, proteins, {}), InputError);
}
