#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "align/cases.hpp"
#include "align/search/search_cases.hpp"
#include "align/search/search_plan.hpp"
#include "genocl/align.hpp"
#include "genocl/error.hpp"
#include "reference/align.hpp"

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

namespace {

const std::vector<Kernel> every_kernel = {Kernel::automatic, Kernel::published, Kernel::inter,
                                          Kernel::intra,     Kernel::cpu,       Kernel::gpu};

}  // namespace

TEST_CASE("align search: the best hits with alignments, on every kernel and family, chunk by chunk") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet queries = random_queries(random, Alphabet::protein, 20);
  const SequenceSet subjects = random_set(random, 150, 120, Alphabet::protein, 20, queries[2]);
  const Database database = Database::build(subjects);
  SearchOptions options;
  options.align = true;
  options.max_evalue = 1000;
  options.threshold = 60;
  const auto expected = expected_hits(queries, subjects, options);
  REQUIRE(expected[2].size() == options.top);
  for (const Variant& variant : drawn_variants())
    for (const Kernel kernel : every_kernel)
      for (const std::uint64_t residues : {0u, 2000u}) {
        CAPTURE(variant.name);
        CAPTURE(to_string(kernel));
        CAPTURE(residues);
        options.kernel = kernel;
        options.chunk_residues = residues;
        const Searcher searcher(variant.device, database, options);
        const SearchResult found = searcher.search(queries);
        check(found.hits, expected);
        CHECK(found.counts.cells == queries.residues() * subjects.residues());
        CHECK(found.counts.seconds >= found.counts.kernel_seconds);
      }
}

TEST_CASE("align search: many ties come in database order") {
  Random random(7);
  const std::vector<Code> query = random_codes(random, 30);
  SequenceSet subjects(Alphabet::protein);
  for (std::size_t i = 0; i < 200;
       ++i) {  // the same letters, in sequences of different lengths: ranks in another order
    std::vector<Code> codes = query;
    codes.resize(30 + (i * 37) % 50, protein::encode('*'));
    subjects.append("s" + std::to_string(i), codes);
  }
  const Database database = Database::build(subjects);
  for (const Variant& variant : drawn_variants())
    for (const std::size_t top : {1u, 7u, 200u, 1000u}) {
      CAPTURE(variant.name);
      CAPTURE(top);
      const Searcher searcher(
          variant.device, database,
          {.top = top, .edge_correction = EdgeCorrection::length_adjustment, .chunk_residues = 1500, .progress = {}});
      const std::vector<Hit> hits = searcher.search(query);
      REQUIRE(hits.size() == std::min<std::size_t>(top, 200));
      for (std::size_t i = 0; i < hits.size(); ++i) CHECK(hits[i].subject == i);
    }
}

TEST_CASE("align search: the lowest E-values come first, though scores of longer subjects are higher") {
  // One that has such hits.
  Random random(20);
  const SequenceSet queries = random_queries(random, Alphabet::protein, 20);
  SequenceSet subjects(Alphabet::protein);
  for (std::size_t i = 0; i < 300; ++i)  // few of them short
    subjects.append("s" + std::to_string(i), random_codes(random, 1 + random() % (i % 3 == 0 ? 40 : 900)));
  const Database database = Database::build(subjects);
  SearchOptions options;
  for (const std::size_t top : {1u, 3u, 20u})
    for (const double evalue : {1.0, 1e5}) {
      CAPTURE(top);
      CAPTURE(evalue);
      options.top = top;
      options.max_evalue = evalue;
      const auto expected = expected_hits(queries, subjects, options);
      bool by_score = true;
      for (const auto& hits : expected)
        by_score = by_score && std::ranges::is_sorted(hits, std::ranges::greater{}, &Hit::score);
      CHECK((!by_score || top < 20 || evalue < 10));
      for (const Variant& variant : drawn_variants())
        for (const std::uint64_t residues : {0u, 20'000u}) {
          CAPTURE(variant.name);
          options.chunk_residues = residues;
          check(Searcher(variant.device, database, options).search(queries).hits, expected);
        }
    }
}

TEST_CASE("align search: DNA on both strands, either strand, and with a least score") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  SequenceSet queries = random_queries(random, Alphabet::dna, 4);
  SequenceSet subjects = random_set(random, 90, 200, Alphabet::dna, 5, queries[2]);
  for (int i = 0; i < 10; ++i)
    subjects.append("r" + std::to_string(i), reverse_complement_of(mutated(random, queries[2], 12, 4)));
  const Database database = Database::build(subjects);
  SearchOptions options;
  options.matrix = Matrix::dna();
  options.gap = {.open = 5, .extend = 2};
  options.align = true;
  for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
    options.strands = strands;
    options.min_score = strands == Strands::both ? 25 : 1;
    const auto expected = expected_hits(queries, subjects, options);
    for (const Variant& variant : drawn_variants()) {
      CAPTURE(variant.name);
      check(Searcher(variant.device, database, options).search(queries).hits, expected);
    }
  }
}

TEST_CASE("align search: E-values, bits and scorings without them") {
  Random random(3);
  const std::vector<Code> query = random_codes(random, 200);
  const SequenceSet subjects = random_set(random, 50, 300, Alphabet::protein, 20, query);
  const Database database = Database::build(subjects);
  const Searcher known(test_device(), database, {.top = 50, .max_evalue = 0.001, .progress = {}});
  REQUIRE(known.statistics());
  const Significance significance(*known.statistics(), query.size(), database.whole());
  const std::vector<Hit> hits = known.search(query);
  REQUIRE(!hits.empty());
  for (const Hit& hit : hits) {
    CHECK(hit.evalue <= 0.001);
    CHECK(hit.evalue == significance.evalue(hit.score, database.length(hit.subject)));
    CHECK(hit.bits == significance.bits(hit.score));
  }
  const Searcher unknown(test_device(), database,
                         {.gap = {.open = 3, .extend = 7}, .max_evalue = 1e-300, .progress = {}});
  CHECK(!unknown.statistics());
  const std::vector<Hit> all = unknown.search(query);
  CHECK(all.size() == 10);
  for (const Hit& hit : all) CHECK(std::isnan(hit.evalue));
}

TEST_CASE("align search: every score, in database order") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet queries = random_queries(random, Alphabet::dna, 4);
  const SequenceSet subjects = random_set(random, 70, 150, Alphabet::dna, 4, queries[1]);
  const Database database = Database::build(subjects);
  SearchOptions options;
  options.matrix = Matrix::dna(1, -2);
  options.gap = {.open = 0, .extend = 3};
  options.chunk_residues = 3000;
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    std::size_t next = 0;
    Searcher(variant.device, database, options)
        .all_scores(queries, [&](std::size_t query, std::uint64_t first, std::span<const std::int32_t> scores) {
          CHECK(query == next++);
          CHECK(first == 0);
          REQUIRE(scores.size() == subjects.size());
          const std::vector<Code> minus = reverse_complement_of(queries[query]);
          for (std::size_t s = 0; s < subjects.size(); ++s)
            CHECK(scores[s] ==
                  std::max(genocl_reference::local_score(queries[query], subjects[s], options.matrix, options.gap),
                           genocl_reference::local_score(minus, subjects[s], options.matrix, options.gap)));
        });
    CHECK(next == queries.size());
  }
}

TEST_CASE("align search: shards and several devices give what one device gives") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet queries = random_queries(random, Alphabet::protein, 20);
  const SequenceSet subjects = random_set(random, 300, 200, Alphabet::protein, 6, queries[1]);
  const Database database = Database::build(subjects);
  SearchOptions options;
  options.align = true;
  options.max_evalue = 1e6;
  const auto whole = Searcher(test_device(), database, options).search(queries).hits;
  // The same device in both shapes, as two devices; and every one there is.
  const Device& device = test_device();
  const std::vector<Device> two = {device.with_own_queue().with_family(KernelFamily::cpu),
                                   device.with_own_queue().with_family(KernelFamily::gpu)};
  options.chunk_residues = 2000;
  options.kernel = Kernel::automatic;
  check(Searcher(std::vector<Device>{device, device.with_own_queue()}, database, options).search(queries).hits, whole);
  check(Searcher(two, database, options).search(queries).hits, whole);
  if (Device::available().size() > 1) check(Searcher(Device::list(), database, options).search(queries).hits, whole);
  for (const std::size_t n : {2u, 3u})
    for (const bool consecutive : {false, true}) {
      CAPTURE(consecutive);
      std::vector<std::vector<std::vector<Hit>>> shards;
      for (std::size_t i = 0; i < n; ++i) {
        const Database shard = consecutive ? database.consecutive_shard(i, n) : database.shard(i, n);
        shards.push_back(Searcher(device, shard, options).search(queries).hits);
      }
      for (std::size_t q = 0; q < queries.size(); ++q) {
        std::vector<std::vector<Hit>> parts;
        for (auto& shard : shards) parts.push_back(shard[q]);
        const std::vector<Hit> merged = merge_hits(parts, options.top);
        CHECK(to_text(merged) == to_text(whole[q]));
        for (std::size_t i = 0; i < merged.size(); ++i) CHECK(merged[i].evalue == whole[q][i].evalue);
      }
    }
}

TEST_CASE("align search: a shard without sequences has no hits and no scores") {
  Random random(7);
  const SequenceSet queries = random_queries(random, Alphabet::protein, 20);
  const Database database = Database::build(random_set(random, 2, 30));
  const Database none = database.shard(3, 4);
  REQUIRE(none.size() == 0);
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    SearchOptions options;
    options.align = true;
    const Searcher searcher(variant.device, none, options);
    const SearchResult found = searcher.search(queries);
    CHECK(found.hits.size() == queries.size());
    for (const std::vector<Hit>& hits : found.hits) CHECK(hits.empty());
    CHECK(found.counts.cells == 0);
    std::size_t next = 0;
    const SearchCounts counts =
        searcher.all_scores(queries, [&](std::size_t query, std::uint64_t, std::span<const std::int32_t> scores) {
          CHECK(query == next++);
          CHECK(scores.empty());
        });
    CHECK(next == queries.size());
    CHECK(counts.cells == 0);
  }
}

TEST_CASE("align search: searches of several threads at once each count their own cells") {
  Random random(8);
  const Database database = Database::build(random_set(random, 50, 60));
  const Searcher searcher(test_device(), database);
  constexpr std::size_t threads = 4;
  std::vector<SequenceSet> queries;
  for (std::size_t t = 0; t < threads; ++t) {
    queries.emplace_back(Alphabet::protein);
    for (std::size_t q = 0; q <= t; ++q) queries.back().append("query", std::vector<Code>(10 + q, Code{3}));
  }
  std::vector<std::uint64_t> searched(threads, 0), scored(threads, 0);
  std::vector<std::thread> running;
  for (std::size_t t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      for (unsigned turn = 0; turn < 5; ++turn) {
        searched[t] += searcher.search(queries[t]).counts.cells;
        scored[t] += searcher.all_scores(queries[t], [](auto...) {}).cells;
      }
    });
  for (std::thread& thread : running) thread.join();
  for (std::size_t t = 0; t < threads; ++t) {
    CHECK(searched[t] == 5 * queries[t].residues() * database.residues());
    CHECK(scored[t] == searched[t]);
  }
}

TEST_CASE("align search: progress, and stopping") {
  Random random(5);
  const SequenceSet queries = random_queries(random, Alphabet::protein, 20);
  const SequenceSet subjects = random_set(random, 200, 100);
  const Database database = Database::build(subjects);
  SearchOptions options;
  options.chunk_residues = 1000;
  double last = 0;
  std::size_t calls = 0;
  options.progress = [&](const ProgressState& state) {
    CHECK(state.fraction >= last);
    last = state.fraction;
    CHECK(state.items_total == queries.residues() * subjects.residues());
    ++calls;
    return true;
  };
  Searcher(test_device(), database, options).search(queries);
  CHECK(last == 1.0);
  CHECK(calls > 3);
  last = 0;
  Searcher(test_device(), database, options).all_scores(queries, [](auto...) {});
  CHECK(last == 1.0);
  options.progress = [](const ProgressState&) { return false; };
  CHECK_THROWS_AS(Searcher(test_device(), database, options).search(queries), Cancelled);
}

TEST_CASE("align search: wrong arguments") {
  Random random(5);
  const Database database = Database::build(random_set(random, 3, 10));
  const Device& device = test_device();
  CHECK_THROWS_AS(Searcher(device, database, {.matrix = Matrix::dna(), .progress = {}}), InputError);
  CHECK_THROWS_AS(Searcher(device, database, {.top = 0, .progress = {}}), InputError);
  CHECK_THROWS_AS(Searcher(device, database, {.as_published = true, .progress = {}}), InputError);
  CHECK_THROWS_AS(Searcher(device, database, {.kernel = Kernel::gpu, .as_published = true, .progress = {}}),
                  InputError);
  CHECK_NOTHROW(Searcher(device, database, {.kernel = Kernel::intra, .as_published = true, .progress = {}}));
  CHECK_THROWS_AS(Searcher(device, database, {.max_hsps = 0, .progress = {}}), InputError);
  CHECK_THROWS_AS(Searcher(device, database, {.gap = {.open = 0, .extend = 0}, .progress = {}}), InputError);
  CHECK_THROWS_AS(Searcher(device, database, {.gap = {.open = -1, .extend = 2}, .progress = {}}), InputError);
  CHECK_THROWS_AS(Searcher(device, database, {.max_evalue = std::nan(""), .progress = {}}), InputError);
  CHECK_THROWS_AS(Searcher(std::span<const Device>(), database), InputError);
  const Searcher searcher(device, database);
  SequenceSet queries(Alphabet::protein);
  CHECK(searcher.search(queries).hits.empty());
  queries.append("full", std::vector<Code>{1, 2, 3});
  queries.append("nothing", std::vector<Code>{});
  CHECK_THROWS_WITH_AS(searcher.search(queries), "query 2 (nothing): no letters; expected at least one", InputError);
  CHECK_THROWS_AS(searcher.search(SequenceSet(Alphabet::dna)), InputError);
  CHECK(kernel_named("intra") == Kernel::intra);
  CHECK_THROWS_AS(kernel_named("fast"), InputError);
}

TEST_CASE("align search: units cover every pair once") {
  const std::vector<ChunkRange> chunks = {{0, 100, 5000, 70}, {100, 10, 20000, 3000}};
  const std::vector<std::vector<Code>> codes = {std::vector<Code>(10), std::vector<Code>(500), std::vector<Code>(20)};
  std::vector<StrandQuery> queries;
  for (std::size_t i = 0; i < codes.size(); ++i) queries.push_back({i, false, codes[i], codes[i]});
  for (const UnitLimits limits :
       {UnitLimits{1, 1}, UnitLimits{1'000'000, 1'000'000}, UnitLimits{1u << 30, 250}, UnitLimits{1, 1, 2},
        UnitLimits{3'000'000, 1'000'000, 2}, UnitLimits{1u << 30, 1u << 30, 2}}) {
    std::vector<Unit> units = plan_units(chunks, queries, limits);
    std::vector<int> seen(6, 0);
    std::uint64_t cells = 0;
    for (const Unit& unit : units) {
      for (std::size_t q = 0; q < unit.query_count; ++q) ++seen[unit.chunk * 3 + unit.first_query + q];
      cells += unit.cells;
      const bool fits = unit.cells <= limits.cells && unit.query_count * chunks[unit.chunk].count <= limits.scores;
      CHECK((fits || unit.query_count <= limits.together));
      const bool last = unit.first_query + unit.query_count == queries.size();
      CHECK((unit.query_count % limits.together == 0 || last));
    }
    largest_first(units);
    CHECK(std::ranges::is_sorted(units, std::ranges::greater{}, &Unit::cells));
    CHECK(std::ranges::all_of(seen, [](int count) { return count == 1; }));
    CHECK(cells == 530 * 25000);
  }
}
