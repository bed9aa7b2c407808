// Motifs with similar columns, against every alignment and every draw of columns.
#include "genocl/pwm/motif_matches.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "genocl/error.hpp"
#include "pwm/cases.hpp"
#include "reference/pwm/motif_matches.hpp"

using namespace genocl;
using namespace genocl::pwm;
using genocl_reference::Column;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

Motif random_motif(Random& random, std::size_t length) {
  Motif motif;
  for (std::size_t i = 0; i < length; ++i) {
    std::array<double, 4> counts{};
    for (double& count : counts) count = static_cast<double>(random() % 9);
    counts[random() % 4] += 5;
    motif.counts.push_back(counts);
  }
  return motif;
}

std::vector<Column> columns_of(const Motif& motif, double pseudocount) {
  std::vector<Column> columns;
  for (const auto& counts : motif.counts) {
    const double sum = counts[0] + counts[1] + counts[2] + counts[3];
    Column& column = columns.emplace_back();
    for (std::size_t l = 0; l < 4; ++l) column[l] = (counts[l] + pseudocount / 4) / (sum + pseudocount);
  }
  return columns;
}

std::vector<std::vector<MotifMatch>> all_matches(std::span<const Motif> queries, std::span<const Motif> targets,
                                                 const MatchOptions& options = {}) {
  std::vector<std::vector<MotifMatch>> all;
  match_motifs(queries, targets, options, [&](std::size_t query, std::span<const MotifMatch> matches) {
    CHECK(query == all.size());
    all.emplace_back(matches.begin(), matches.end());
  });
  return all;
}

}  // namespace

TEST_CASE("matches of motifs are the best alignments, with the probability that all draws say") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int round = 0; round < 10; ++round) {
    std::vector<Motif> queries, targets;
    for (int i = 0; i < 3; ++i) queries.push_back(random_motif(random, 1 + random() % 4));
    for (int i = 0; i < 4; ++i) targets.push_back(random_motif(random, 1 + random() % 4));
    std::vector<Column> all;
    std::vector<std::size_t> begins;
    for (const Motif& target : targets) {
      const std::vector<Column> columns = columns_of(target, 0.1);
      begins.push_back(all.size());
      all.insert(all.end(), columns.begin(), columns.end());
      const std::vector<Column> reverse = genocl_reference::turned_columns(columns);
      all.insert(all.end(), reverse.begin(), reverse.end());
    }
    const auto found = all_matches(queries, targets);
    REQUIRE(found.size() == queries.size());
    for (std::size_t q = 0; q < queries.size(); ++q)
      for (std::size_t t = 0; t < targets.size(); ++t) {
        CAPTURE(q);
        CAPTURE(t);
        const MotifMatch& match = found[q][t];
        const auto truth = genocl_reference::match(columns_of(queries[q], 0.1), all, begins[t], targets[t].length());
        CHECK(match.target == t);
        CHECK(match.offset == truth.offset);
        CHECK(match.reverse == truth.reverse);
        CHECK(match.overlap == truth.overlap);
        CHECK(match.p == doctest::Approx(truth.p).epsilon(1e-9));
      }
  }
}

TEST_CASE("a motif matches itself, and itself turned round, best of all") {
  Random random(2);
  std::vector<Motif> motifs;
  for (int i = 0; i < 30; ++i) motifs.push_back(random_motif(random, 6 + random() % 10));
  Motif turned = motifs[7];
  std::ranges::reverse(turned.counts);
  for (auto& counts : turned.counts) std::ranges::reverse(counts);
  motifs.push_back(turned);
  for (const ColumnScore score : {ColumnScore::euclidean, ColumnScore::pearson}) {
    const auto found = all_matches(motifs, motifs, {.score = score});
    for (std::size_t q = 0; q < 30; ++q) {
      const auto best = std::ranges::min_element(found[q], {}, &MotifMatch::p);
      CHECK(best->p == found[q][q].p);
      CHECK(found[q][q].offset == 0);
      CHECK_FALSE(found[q][q].reverse);
      CHECK(found[q][q].overlap == motifs[q].length());
    }
    CHECK(found[7][30].reverse);
    CHECK(found[7][30].offset == 0);
    CHECK(found[7][30].p == doctest::Approx(found[7][7].p));
    const auto forward = all_matches(motifs, motifs, {.score = score, .both_strands = false});
    CHECK_FALSE(forward[7][30].reverse);
    CHECK(forward[7][30].p > forward[7][7].p);
  }
}

TEST_CASE("flat columns, one target, one column") {
  Motif flat;
  flat.counts.assign(3, {1, 1, 1, 1});
  Motif one;
  one.counts = {{9, 0, 0, 1}};
  const std::vector<Motif> motifs = {flat, one};
  for (const ColumnScore score : {ColumnScore::euclidean, ColumnScore::pearson})
    for (const auto& matches : all_matches(motifs, motifs, {.score = score}))
      for (const MotifMatch& match : matches) {
        CHECK(match.p > 0);
        CHECK(match.p <= 1);
      }
  const std::vector<Motif> only = {flat};
  CHECK(all_matches(only, only)[0][0].p == 1);
}

TEST_CASE("what cannot be matched") {
  Random random(3);
  const std::vector<Motif> motifs = {random_motif(random, 3)}, none;
  CHECK_THROWS_AS(all_matches(motifs, none), InputError);
  CHECK_THROWS_AS(all_matches(motifs, motifs, {.pseudocount = -1}), InputError);
  SequenceSet text;
  text.append_letters("r", "ACGTTGCAAC");
  CHECK_THROWS_AS(all_matches(motifs, motifs, {.background = Background::of(text, 1)}), InputError);
  CHECK_THROWS_AS(all_matches(motifs, motifs, {.progress = [](const ProgressState&) { return false; }}), Cancelled);
  CHECK(all_matches(none, motifs).empty());
}
