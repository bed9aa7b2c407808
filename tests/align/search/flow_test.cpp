// Results that come as they are found, in memory that is bounded; stopping while hits are aligned.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "align/cases.hpp"
#include "align/search/search_cases.hpp"
#include "genocl/align.hpp"
#include "genocl/error.hpp"

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

namespace {

/// Queries, many of them similar, and subjects that are similar to them.
struct Case {
  explicit Case(std::uint64_t seed, Alphabet alphabet = Alphabet::protein, std::size_t count = 200)
      : random(seed),
        letters(alphabet == Alphabet::dna ? 4 : 20),
        like(random_codes(random, 60, letters)),
        queries(random_set(random, count, 60, alphabet, letters, like)),
        subjects(random_set(random, 80, 90, alphabet, letters, like)),
        database(Database::build(subjects)) {
    options.max_evalue = 1e9;
    options.align = true;
    if (alphabet == Alphabet::dna) {
      options.matrix = Matrix::dna();
      options.gap = {.open = 5, .extend = 2};
    }
  }

  Random random;
  unsigned letters;
  std::vector<Code> like;
  SequenceSet queries, subjects;
  Database database;
  SearchOptions options;
};

std::vector<std::vector<Hit>> sunk(const Searcher& searcher, const SequenceSet& queries, SearchCounts& counts) {
  std::vector<std::vector<Hit>> hits;
  counts = searcher.search(queries, [&](std::size_t query, std::vector<Hit>&& of_query) {
    CHECK(query == hits.size());
    hits.push_back(std::move(of_query));
  });
  return hits;
}

/// All that a hit has.
bool equal(const Hit& a, const Hit& b) {
  return a.subject == b.subject && a.score == b.score && a.minus == b.minus && a.bits == b.bits &&
         a.evalue == b.evalue && a.alignment == b.alignment && a.hsp == b.hsp;
}

void check_equal(const std::vector<std::vector<Hit>>& found, const std::vector<std::vector<Hit>>& expected) {
  check(found, expected);
  for (std::size_t q = 0; q < found.size(); ++q) CHECK(std::ranges::equal(found[q], expected[q], equal));
}

}  // namespace

TEST_CASE("align flow: a sink has the hits of search(), in the queries' order, from any number of batches") {
  GENOCL_SHOW_SEED();
  for (const Alphabet alphabet : {Alphabet::protein, Alphabet::dna}) {
    Case given(test_seed(), alphabet, 40);
    for (const std::size_t max_hsps : {1u, 3u}) {
      given.options.max_hsps = max_hsps;
      for (const Variant& variant : drawn_variants()) {
        CAPTURE(variant.name);
        const SearchResult whole = Searcher(variant.device, given.database, given.options).search(given.queries);
        for (const std::uint64_t held : {1u, 45u, 1u << 17}) {
          CAPTURE(held);
          given.options.held_hits = held;
          const Searcher searcher(variant.device, given.database, given.options);
          SearchCounts counts;
          check_equal(sunk(searcher, given.queries, counts), whole.hits);
          CHECK(counts.cells == whole.counts.cells);
          CHECK(searcher.batches(given.queries).size() == (held == 1 ? 40 : held == 45 ? 10 : 1));
        }
      }
    }
  }
}

TEST_CASE("align flow: hits are held in bounded number, whatever the number of queries") {
  GENOCL_SHOW_SEED();
  for (const std::size_t count : {300u, 3000u}) {
    Case given(test_seed(), Alphabet::protein, count);
    given.options.held_hits = 500;
    std::uint64_t cells_when_first = 0, cells = 0;
    given.options.progress = [&](const ProgressState& state) {
      cells = state.items_done;
      return true;
    };
    const Searcher searcher(test_device(), given.database, given.options);
    std::uint64_t hits = 0;
    const SearchCounts counts = searcher.search(given.queries, [&](std::size_t query, std::vector<Hit>&& of_query) {
      if (query == 0) cells_when_first = cells;
      hits += of_query.size();
    });
    CHECK(hits > 2000);
    CHECK(counts.held_hits <= 500);
    CHECK(counts.held_hits > 100);
    // The hits of the first 50 queries were passed on before the search continued.
    CHECK(cells_when_first <= given.queries.slice(0, 50).residues() * given.subjects.residues());
    CHECK(cells == given.queries.residues() * given.subjects.residues());
  }
}

TEST_CASE("align flow: batches respect the maximum number of queries and of letters") {
  Random random(5);
  const Database database = Database::build(random_set(random, 30, 20));
  SequenceSet queries(Alphabet::protein);
  for (std::size_t i = 0; i < 40'000; ++i) queries.append("q", std::vector<Code>(i == 20'000 ? 3 << 20 : 100, Code{1}));
  const Searcher searcher(test_device(), database, {.top = 1, .progress = {}});
  std::size_t next = 0;
  for (const RecordRange& range : searcher.batches(queries)) {
    CHECK(range.first == next);
    CHECK(range.count <= 1u << 14);
    CHECK((range.residues <= 4u << 20));
    next += range.count;
  }
  CHECK(next == queries.size());
  CHECK(searcher.batches(queries).size() > 2);
  // 30 hits of a query at most: there are no more sequences.
  const Searcher all(test_device(), database, {.top = 1'000'000, .held_hits = 3000, .progress = {}});
  CHECK(all.batches(queries).front().count == 100);
  // Before scores are adjusted, each of 300 sequences may be a hit.
  const Database larger = Database::build(random_set(random, 300, 20));
  SearchOptions adjusted{.top = 1, .held_hits = 30, .progress = {}};
  CHECK(Searcher(test_device(), larger, adjusted).batches(queries).front().count == 30);
  adjusted.composition = CompositionStatistics::conditional;
  CHECK(Searcher(test_device(), larger, adjusted).batches(queries).front().count == 12);
}

TEST_CASE("align flow: an invalid query is reported before results; an exception of a sink arrives") {
  Case given(4);
  given.options.held_hits = 1;
  const Searcher searcher(test_device(), given.database, given.options);
  SequenceSet queries = given.queries;
  queries.append("nothing", std::vector<Code>{});
  std::size_t calls = 0;
  const auto count = [&](std::size_t, std::vector<Hit>&&) { ++calls; };
  CHECK_THROWS_WITH_AS(searcher.search(queries, count), "query 201 (nothing): no letters; expected at least one",
                       InputError);
  CHECK_THROWS_AS(searcher.search(SequenceSet(Alphabet::dna), count), InputError);
  CHECK(calls == 0);
  searcher.search(SequenceSet(Alphabet::protein), count);
  CHECK(calls == 0);
  struct Full {};
  CHECK_THROWS_AS(searcher.search(given.queries,
                                  [&](std::size_t query, std::vector<Hit>&&) {
                                    if (query == 3) throw Full();
                                  }),
                  Full);
  CHECK_THROWS_AS(Searcher(test_device(), given.database, {.held_hits = 0, .progress = {}}), InputError);
}

TEST_CASE("align flow: the progress of scores and alignments, and stopping in either") {
  Case given(6);
  std::vector<ProgressState> states;
  constexpr double never = 2;
  double stop_from = never;
  const std::uint64_t cells = given.queries.residues() * given.subjects.residues();
  given.options.progress = [&](const ProgressState& state) {
    states.push_back(state);
    return state.fraction < stop_from;
  };
  // On the devices; also by the host; all of them by the host.
  for (const auto& [hsps, statistics] :
       {std::pair{1u, CompositionStatistics::none}, std::pair{3u, CompositionStatistics::none},
        std::pair{1u, CompositionStatistics::scaled}}) {
    const unsigned max_hsps = hsps;  // clang 14 captures no binding
    const CompositionStatistics composition = statistics;
    CAPTURE(max_hsps);
    given.options.max_hsps = max_hsps;
    given.options.composition = composition;
    const Searcher searcher(test_device(), given.database, given.options);
    states.clear();
    stop_from = never;
    std::vector<std::vector<Hit>> hits = searcher.search(given.queries).hits;
    double last = 0;
    std::size_t first_alignment = 0;
    for (const ProgressState& state : states) {
      CHECK(state.fraction >= last);
      last = state.fraction;
      CHECK(state.items_total == cells);
      if (state.fraction < 0.9 + 1e-9) ++first_alignment;
    }
    CHECK(last == doctest::Approx(1));
    CHECK(states.back().items_done == cells);
    // 2,000 pairs, of which a device has some hundred between two calls; those of the host are reported at the end at
    // least.
    const bool on_device = composition == CompositionStatistics::none;
    // While scores are adjusted, query by query; the more threads, the fewer calls.
    const auto adjusting = std::ranges::count_if(
        states, [](const ProgressState& state) { return state.fraction > 0.46 && state.fraction < 0.89; });
    if (!on_device) CHECK(adjusting > 5);
    CHECK(states.size() - first_alignment > (on_device ? 3 : 0));
    // How many calls there are is the threads' business: one is the first that is this far, and the last.
    const auto stopped = [&] {
      return std::ranges::count_if(states, [&](const ProgressState& state) { return state.fraction >= stop_from; }) ==
                 1 &&
             states.back().fraction >= stop_from;
    };
    for (const double stop : {0.0, 0.7, 0.95}) {
      CAPTURE(stop);
      states.clear();
      stop_from = stop;
      CHECK_THROWS_AS(searcher.search(given.queries), Cancelled);
      CHECK(stopped());
      // Hits that were not aligned are not passed on.
      states.clear();
      std::size_t calls = 0;
      CHECK_THROWS_AS(searcher.search(given.queries, [&](std::size_t, std::vector<Hit>&&) { ++calls; }), Cancelled);
      CHECK(calls == 0);
    }
    // The alignments alone.
    for (auto& of_query : hits) {
      std::erase_if(of_query, [](const Hit& hit) { return hit.hsp > 0; });
      for (Hit& hit : of_query) hit.alignment.reset();
    }
    auto again = hits;
    states.clear();
    stop_from = never;
    searcher.align(given.queries, again);
    CHECK(states.size() > (on_device ? 3 : 0));
    CHECK(states.back().fraction == 1);
    CHECK(states.back().items_done == states.back().items_total);
    states.clear();
    stop_from = 0;
    CHECK_THROWS_AS(searcher.align(given.queries, hits), Cancelled);
  }
}
