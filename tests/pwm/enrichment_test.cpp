// Statistics against values of scipy and of exact integers; enrichment against counts of scalar scans.
#include "genocl/pwm/enrichment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/pwm/controls.hpp"
#include "genocl/pwm/p_value.hpp"
#include "pwm/cases.hpp"
#include "reference/pwm/pwm.hpp"

using namespace genocl::pwm;
using namespace pwm_test;
using genocl::InputError;
using genocl::SequenceSet;

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

void check_near(double found, double expected, double error = 1e-12) {
  CHECK_MESSAGE(std::abs(found - expected) <= error * std::max(1.0, std::abs(expected)), found, " for ", expected);
}

long double choose(unsigned n, unsigned k) {
  long double result = 1;
  for (unsigned i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// P by its definition, for small counts.
double plain_fisher(unsigned true_positives, unsigned sequences, unsigned false_positives, unsigned controls) {
  const unsigned hits = true_positives + false_positives;
  long double sum = 0;
  for (unsigned x = true_positives; x <= std::min(hits, sequences); ++x)
    if (hits - x <= controls) sum += choose(sequences, x) * choose(controls, hits - x);
  return static_cast<double>(std::log(sum / choose(sequences + controls, hits)));
}

Motif random_motif(Random& random, std::size_t length, const std::string& id) {
  Motif motif{.id = id};
  for (std::size_t i = 0; i < length; ++i) {
    std::array<double, 4> counts{};
    for (double& count : counts) count = static_cast<double>(random.below(6));
    counts[random.below(4)] += 20;
    motif.counts.push_back(counts);
  }
  return motif;
}

std::vector<genocl::Code> best_word(const Motif& motif) {
  std::vector<genocl::Code> word;
  for (const auto& counts : motif.counts)
    word.push_back(static_cast<genocl::Code>(std::ranges::max_element(counts) - counts.begin()));
  return word;
}

SequenceSet random_peaks(Random& random, std::size_t count, std::size_t longest) {
  SequenceSet set;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<genocl::Code> codes = random_codes(random, random.below(longest + 1));
    for (genocl::Code& code : codes)
      if (random.below(40) == 0) code = genocl::dna::unknown;
    set.append("p" + std::to_string(i), codes);
  }
  return set;
}

/// [sequence]: the best score, minus infinity without a hit.
std::vector<double> plain_scores(const ScoreMatrix& matrix, double threshold, Strands strands, const SequenceSet& set) {
  std::vector<double> scores(set.size(), minus_infinity);
  for (std::size_t i = 0; i < set.size(); ++i)
    for (const auto& hit : genocl_reference::scan(matrix, threshold, set[i]))
      if (strands == Strands::both || !hit.reverse) scores[i] = std::max(scores[i], hit.score);
  return scores;
}

std::uint64_t hits_of(const std::vector<double>& scores) {
  return static_cast<std::uint64_t>(std::ranges::count_if(scores, [](double score) { return score > minus_infinity; }));
}

}  // namespace

TEST_CASE("pwm enrichment: Fisher's exact test") {
  // Logarithms of sums of binomial coefficients in Python's integers, with 60 digits.
  check_near(log_fisher_exact(3, 4, 1, 4), -1.415281897993143);
  check_near(log_fisher_exact(8, 10, 1, 12), -6.807271740403815);
  check_near(log_fisher_exact(5, 5, 0, 5), -5.529429087511423);
  check_near(log_fisher_exact(10, 1000, 12, 1000), -0.30187441730223136);
  check_near(log_fisher_exact(500, 1000, 480, 1000), -1.6210053629332943);
  check_near(log_fisher_exact(900, 1000, 100, 1000), -738.4290273129117);
  check_near(log_fisher_exact(2000, 5000, 100, 5000), -1287.3320674288168);
  check_near(log_fisher_exact(30, 100, 3000, 10000), -0.6199655990770272);
  CHECK(std::abs(log_fisher_exact(99, 100, 9999, 10000) / -9.706362920686379e-05 - 1) < 1e-10);
  // Rows of the example of SEA 5.5.6, whose P-values are 3.95e-10 and 2.10e-8.
  check_near(log_fisher_exact(80, 450, 22, 450), -21.65128776486214);
  check_near(log_fisher_exact(32, 450, 2, 450), -17.6808317449631);
  // One hit among equal numbers of sequences: exactly a half; all of them: 1.
  check_near(log_fisher_exact(1, 1000000000, 0, 1000000000), std::log(0.5));
  for (const auto& [some, all] : {std::pair(0, 5), std::pair(7, 7), std::pair(0, 0)})
    CHECK(log_fisher_exact(some, all, some, all) == 0);
  CHECK(log_fisher_exact(0, 0, 3, 9) == 0);
  CHECK_THROWS_AS(log_fisher_exact(2, 1, 0, 1), InputError);
  CHECK_THROWS_AS(log_fisher_exact(0, 1, 2, 1), InputError);
}

TEST_CASE("pwm enrichment: Fisher's exact test of all small counts") {
  for (const unsigned sequences : {1, 2, 5, 9, 17})
    for (const unsigned controls : {1, 3, 8, 20})
      for (unsigned a = 0; a <= sequences; ++a)
        for (unsigned b = 0; b <= controls; ++b)
          check_near(log_fisher_exact(a, sequences, b, controls), plain_fisher(a, sequences, b, controls), 1e-13);
}

TEST_CASE("pwm enrichment: rank-sum test") {
  // scipy 1.17.1, mannwhitneyu(method='asymptotic', alternative='greater').
  const std::vector<double> a = {1.5, 2, 3, 4.25, 5, 7}, b = {0, 1, 2, 2.5, 3};
  check_near(log_rank_sum(a, b), std::log(0.059500196592451364));
  check_near(log_rank_sum(b, a), std::log(0.9592801338477486));
  const std::vector<double> many_ties = {1, 1, 1, 2, 2, 3, 3, 3, 3, 9}, others = {0, 0, 1, 1, 2, 2};
  check_near(log_rank_sum(many_ties, others), std::log(0.019227076681056977));
  const std::vector<double> some_none = {minus_infinity, minus_infinity, 3, 4, 5, 6},
                            many_none = {minus_infinity, minus_infinity, minus_infinity, minus_infinity, 1, 2};
  check_near(log_rank_sum(some_none, many_none), std::log(0.052207286187164754));
  // Far in the tail, where scipy's P-value is 0: the logarithm of the normal tail at z, norm.logsf().
  std::vector<double> high, low;
  for (int i = 0; i < 2000; ++i) {
    high.push_back(1000 + i);
    low.push_back(i);
  }
  check_near(log_rank_sum(high, low), -848.1735387826553);
  CHECK(log_rank_sum(std::vector<double>(5, 1.0), std::vector<double>(9, 1.0)) == 0);
  CHECK(log_rank_sum({}, a) == 0);
  CHECK(log_rank_sum(a, {}) == 0);
  CHECK_THROWS_AS(log_rank_sum(std::vector<double>{std::nan("")}, a), InputError);
}

TEST_CASE("pwm enrichment: Benjamini-Hochberg") {
  // By hand, and by scipy 1.17.1, false_discovery_control().
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005, 0.5, 1, 0.04},
                            q = {0.035, 0.056, 0.056, 0.035, 0.5 * 7 / 6, 1, 0.056};
  std::vector<double> log_p;
  for (const double one : p) log_p.push_back(std::log(one));
  const std::vector<double> found = benjamini_hochberg(log_p);
  REQUIRE(found.size() == q.size());
  for (std::size_t i = 0; i < q.size(); ++i) check_near(std::exp(found[i]), q[i]);
  CHECK(benjamini_hochberg({}).empty());
  check_near(benjamini_hochberg(std::vector<double>{-5000, -2})[0], -5000 + std::log(2));
}

TEST_CASE("pwm enrichment: consensus by the rule of 50%") {
  const Motif motif{
      .counts = {{10, 0, 0, 0}, {10, 5, 4.9, 0}, {1, 1, 1, 1}, {6, 6, 6, 2}, {0, 7, 0, 7}, {3, 0, 3, 3}, {0, 0, 2, 1}}};
  CHECK(consensus(motif) == "AMNVYDK");
}

TEST_CASE("pwm enrichment: counts and tests are those of scalar scans") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Strands strands : {Strands::both, Strands::forward}) {
    std::vector<Motif> motifs;
    for (const std::size_t length : {4, 6, 7, 9, 12}) motifs.push_back(random_motif(random, length, "m"));
    SequenceSet peaks = random_peaks(random, 60, 120), controls = random_peaks(random, 90, 120);
    peaks.append("planted", best_word(motifs[4]));
    EnrichmentOptions options{.p_value = 0.0015, .strands = strands};
    options.scores.background = Background({0.3, 0.2, 0.25, 0.25});
    const auto found = enrichment(test_device(), motifs, peaks, controls, options);
    options.test = EnrichmentTest::rank_sum;
    auto ranks = enrichment(test_device(), motifs, peaks, controls, options);
    REQUIRE(found.size() == motifs.size());
    REQUIRE(ranks.size() == motifs.size());
    CHECK(std::ranges::is_sorted(found, {}, &MotifEnrichment::log_p));
    std::ranges::sort(ranks, {}, &MotifEnrichment::motif);
    std::vector<double> log_p;
    for (const MotifEnrichment& row : found) {
      CAPTURE(row.motif);
      const ScoreMatrix matrix = log_odds(motifs[row.motif], options.scores);
      const Threshold threshold = genocl::pwm::threshold(test_device(), matrix, 0.0015,
                                                         {.background = options.scores.background, .strands = strands});
      CHECK(row.threshold == threshold.score);
      CHECK(row.best_word == threshold.none);
      CHECK(row.best_word == (motifs[row.motif].length() == 4));
      const std::vector<double> of_peaks = plain_scores(matrix, row.threshold, strands, peaks),
                                of_controls = plain_scores(matrix, row.threshold, strands, controls);
      CHECK(row.true_positives == hits_of(of_peaks));
      CHECK(row.false_positives == hits_of(of_controls));
      CHECK(row.log_p == log_fisher_exact(row.true_positives, peaks.size(), row.false_positives, controls.size()));
      check_near(row.ratio, (static_cast<double>(row.true_positives) + 1) / 62 /
                                ((static_cast<double>(row.false_positives) + 1) / 91));
      check_near(row.log_e, row.log_p + std::log(5));
      CHECK(ranks[row.motif].log_p == log_rank_sum(of_peaks, of_controls));
      CHECK(ranks[row.motif].true_positives == row.true_positives);
      log_p.push_back(row.log_p);
    }
    const std::vector<double> log_q = benjamini_hochberg(log_p);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i].log_q == log_q[i]);
  }
}

TEST_CASE("pwm enrichment: a planted motif comes first") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<Motif> motifs;
  for (std::size_t i = 0; i < 12; ++i) motifs.push_back(random_motif(random, 8 + i % 5, "m" + std::to_string(i)));
  SequenceSet peaks;
  const std::vector<genocl::Code> word = best_word(motifs[7]);
  for (std::size_t i = 0; i < 100; ++i) {
    std::vector<genocl::Code> codes = random_codes(random, 200);
    if (i % 2 == 0) std::ranges::copy(i % 4 == 0 ? word : turned(word), codes.begin() + random.below(180));
    peaks.append("p", codes);
  }
  const SequenceSet controls = shuffled(peaks, {.seed = test_seed()});
  for (const EnrichmentTest test : {EnrichmentTest::fisher, EnrichmentTest::rank_sum}) {
    const auto rows = enrichment(test_device(), motifs, peaks, controls,
                                 {.test = test, .p_value = test == EnrichmentTest::fisher ? 1e-4 : 1e-3});
    CHECK(rows[0].motif == 7);
    CHECK(rows[0].log_q < std::log(1e-3));
    CHECK(rows[0].true_positives >= 50);
  }
}

TEST_CASE("pwm enrichment: a sequence that is scanned in pieces counts once") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<Motif> motifs;
  for (std::size_t i = 0; i < 128; ++i) motifs.push_back(random_motif(random, 5, "m" + std::to_string(i)));
  SequenceSet peaks, controls;
  peaks.append("long", random_codes(random, 70000));
  controls.append("short", random_codes(random, 5));
  std::uint64_t letters = 0;
  const auto rows = enrichment(test_device(), motifs, peaks, controls,
                               {.p_value = 0.25, .progress = [&](const genocl::ProgressState& state) {
                                  letters = std::max(letters, state.items_done);
                                  return true;
                                }});
  for (const MotifEnrichment& row : rows) CHECK(row.true_positives == 1);
  CHECK(letters == peaks.residues() + controls.residues());
}

TEST_CASE("pwm enrichment: errors") {
  Random random(1);
  const std::vector<Motif> motifs = {random_motif(random, 8, "long one")};
  const SequenceSet peaks = random_peaks(random, 5, 50), none;
  SequenceSet short_ones;
  short_ones.append("a", random_codes(random, 7));
  CHECK_THROWS_WITH_AS(enrichment(test_device(), {}, peaks, peaks), "no motif", InputError);
  CHECK_THROWS_AS(enrichment(test_device(), motifs, none, peaks), InputError);
  CHECK_THROWS_AS(enrichment(test_device(), motifs, peaks, none), InputError);
  CHECK_THROWS_AS(enrichment(test_device(), motifs, peaks, peaks, {.p_value = 0}), InputError);
  CHECK_THROWS_AS(enrichment(test_device(), motifs, peaks, SequenceSet(genocl::Alphabet::protein)), InputError);
  CHECK_THROWS_WITH_AS(enrichment(test_device(), motifs, peaks, short_ones),
                       "the controls have 7 letters at most, motif long one 8 columns; expected longer controls",
                       InputError);
  CHECK_THROWS_AS(
      enrichment(test_device(), motifs, peaks, peaks, {.progress = [](const genocl::ProgressState&) { return false; }}),
      genocl::Cancelled);
}
