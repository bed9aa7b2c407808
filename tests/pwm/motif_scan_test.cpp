// Hits by position, as bytes, and with their P-values by one call, against the oracle.
#include "genocl/pwm/motif_scan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "genocl/error.hpp"
#include "pwm/scan.hpp"
#include "pwm/scan_cases.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;

auto place_of(const Hit& hit) { return std::tuple(hit.record, hit.position, hit.matrix, hit.reverse); }

std::vector<Hit> by_position(std::vector<Hit> hits) {
  std::ranges::sort(hits, {}, place_of);
  return hits;
}

std::function<bool(SequenceSet&)> batches_of(const SequenceSet& text, std::size_t records, std::size_t& next) {
  return [&text, records, &next](SequenceSet& batch) {
    if (next == text.size()) return false;
    const std::size_t count = std::min(records, text.size() - next);
    batch = text.slice(next, count);
    next += count;
    return true;
  };
}

TEST_CASE("hits of a piece are sorted by letter, matrix and strand") {
  Random random(test_seed());
  for (const std::size_t count : {0u, 1u, 1000u, 100'000u}) {
    std::vector<PieceHit> hits;
    const std::uint32_t letters = 1 + static_cast<std::uint32_t>(random.below(1u << 20));
    for (std::size_t i = 0; i < count; ++i) hits.push_back({random.below(letters) << 32 | i, static_cast<double>(i)});
    std::vector<PieceHit> sorted = hits;
    sort_by_letter(sorted, letters);
    std::ranges::sort(hits, {}, &PieceHit::key);
    REQUIRE(sorted.size() == hits.size());
    bool same = true;
    for (std::size_t i = 0; i < hits.size(); ++i)
      same = same && sorted[i].key == hits[i].key && sorted[i].score == hits[i].score;
    CHECK(same);
  }
}

TEST_CASE(
    "scans by position find what scans by matrix do, of whole texts, texts on devices and batches, and as bytes") {
  Random random(test_seed());
  for (int round = 0; round < 4; ++round) {
    const pwm_test::Collection c = pwm_test::random_collection(random, 1 + random.below(30));
    const SequenceSet text = pwm_test::random_text(random, 9, 400);
    const std::vector<Hit> expected = by_position(c.expected(text));
    for (const auto& variant : pwm_test::drawn_variants()) {
      CAPTURE(variant.name);
      const std::vector<Device> devices = {variant.device, variant.device.with_own_queue()};
      ScanOptions options;
      options.order = HitOrder::by_position;
      options.chunk_residues = 130;
      const Scanner scanner(devices, c.matrices, c.thresholds, options);
      CHECK(scanner.scan(text) == expected);
      CHECK(scanner.scan(Text(variant.device, text)) == expected);
      std::vector<Hit> all;
      std::size_t next = 0;
      scanner.scan(batches_of(text, 2, next), [&](const SequenceSet&, std::span<const Hit> hits) {
        all.insert(all.end(), hits.begin(), hits.end());
      });
      CHECK(all == expected);
      // As bytes, with the record's name: a batch's records are counted from 0.
      std::string bytes, wanted;
      std::size_t lasts = 0;
      const auto line = [](const SequenceSet& of, const Hit& hit) {
        return std::string(of.name(hit.record)) + " " + std::to_string(hit.position) + " " +
               std::to_string(hit.matrix) + (hit.reverse ? "-" : "+") + "\n";
      };
      for (const Hit& hit : expected) wanted += line(text, hit);
      next = 0;
      scanner.scan(
          batches_of(text, 2, next),
          [&](const SequenceSet& batch, std::span<const Hit> hits) {
            std::string made;
            for (const Hit& hit : hits) made += line(batch, hit);
            return made;
          },
          [&](std::string&& piece, bool last) {
            bytes += piece;
            lasts += last ? 1 : 0;
          });
      CHECK(bytes == wanted);
      CHECK(lasts == 5);
      std::uint64_t counted = 0;
      for (const std::uint64_t count : scanner.counts()) counted += count;
      CHECK(counted == expected.size());
      if (!expected.empty()) {
        options.max_hits = expected.size() - 1;
        const Scanner few(devices, c.matrices, c.thresholds, options);
        next = 0;
        const auto none = [](const SequenceSet&, std::span<const Hit>) { return std::string(); };
        CHECK_THROWS_AS(few.scan(batches_of(text, 2, next), none, [](std::string&&, bool) {}), InputError);
        next = 0;
        const auto fails = [](const SequenceSet&, std::span<const Hit>) -> std::string { throw InputError("no"); };
        CHECK_THROWS_WITH_AS(scanner.scan(batches_of(text, 2, next), fails, [](std::string&&, bool) {}), "no",
                             InputError);
      }
    }
  }
}

/// P of every score of a matrix on a strand's words, from all words.
std::map<double, double, std::greater<>> truth_of(const ScoreMatrix& matrix, const Background& background) {
  std::map<double, double, std::greater<>> truth;
  genocl_reference::every_word(matrix, background,
                               [&](std::span<const Code>, double score, double p) { truth[score] += p; });
  double sum = 0;
  for (auto& [score, p] : truth) p = sum += p;
  return truth;
}

TEST_CASE("one call has the hits and P-values that all words say, on both strands, under all backgrounds") {
  Random random(test_seed());
  const Device& device = pwm_test::test_device();
  const SequenceSet text = pwm_test::random_text(random, 12, 600);
  for (int round = 0; round < 12; ++round) {
    std::vector<Motif> motifs;
    for (int i = 0; i < 3; ++i) {
      Motif& motif = motifs.emplace_back();
      motif.id = "m" + std::to_string(i);
      motif.counts.resize(2 + random.below(5));
      for (auto& column : motif.counts)
        for (double& count : column) count = static_cast<double>(random.below(12)) + (round % 3 == 0 ? 0.5 : 0);
      for (auto& column : motif.counts) column[random.below(4)] += 5;
    }
    MotifScanOptions options;
    options.p_value = std::vector<double>{0.2, 0.03, 0.004}[random.below(3)];
    options.average_strands = round % 4 == 3;
    options.strands =
        std::vector<Strands>{Strands::both, Strands::both, Strands::forward, Strands::reverse}[random.below(4)];
    if (round % 4 != 0) {
      const auto order = static_cast<unsigned>(round % 3);
      SequenceSet skewed;
      std::vector<Code> codes = pwm_test::random_codes(random, 2000);
      for (std::size_t i = 0; i + 3 < codes.size(); i += 5) codes[i + 1] = codes[i];
      for (std::size_t i = 0; i < codes.size(); i += 4) codes[i] = 2;
      skewed.append("skewed", codes);
      options.scores.background = Background::of(skewed, order, round % 2 == 0);
    }
    const Background& forward = options.scores.background;
    const Background reverse = forward.reverse_complement();
    std::vector<MotifHit> found;
    scan(std::span(&device, 1), motifs, text, options,
         [&](std::span<const MotifHit> hits) { found.insert(found.end(), hits.begin(), hits.end()); });
    std::vector<MotifHit> streamed;
    std::size_t next = 0;
    scan(std::span(&device, 1), motifs, batches_of(text, 5, next), options,
         [&](const SequenceSet&, std::span<const MotifHit> hits) {
           streamed.insert(streamed.end(), hits.begin(), hits.end());
         });
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, bool>, std::pair<double, double>> expected;
    for (std::uint32_t m = 0; m < motifs.size(); ++m) {
      const ScoreMatrix matrix = log_odds(motifs[m], options.scores);
      std::array<std::map<double, double, std::greater<>>, 2> p = {truth_of(matrix, forward),
                                                                   truth_of(matrix, reverse)};
      if (options.average_strands)
        for (auto& [score, one] : p[0]) p[1][score] = one = (one + p[1].at(score)) / 2;
      for (std::size_t r = 0; r < text.size(); ++r)
        for (const auto& hit : genocl_reference::scan(matrix, -1e300, text[r])) {
          if (options.strands != Strands::both && hit.reverse != (options.strands == Strands::reverse)) continue;
          const double of_hit = p[hit.reverse ? 1 : 0].at(hit.score);
          if (of_hit <= options.p_value * (1 + 1e-12))
            expected[{r, hit.position, m, hit.reverse}] = {hit.score, of_hit};
        }
    }
    CAPTURE(round);
    REQUIRE(found.size() == expected.size());
    REQUIRE(streamed.size() == expected.size());
    auto wanted = expected.begin();
    for (std::size_t i = 0; i < found.size(); ++i, ++wanted) {
      const auto& [hit, p] = found[i];
      REQUIRE(place_of(hit) == wanted->first);
      REQUIRE(hit == streamed[i].hit);
      CHECK(hit.score == wanted->second.first);
      CHECK(p.exact);
      CHECK(std::abs(p.high - wanted->second.second) <= 1e-9 * wanted->second.second);
      CHECK(std::abs(p.low - wanted->second.second) <= 1e-9 * wanted->second.second);
    }
  }
}

TEST_CASE("one call: motifs without a threshold have no hits; errors") {
  const Device& device = pwm_test::test_device();
  SequenceSet text;
  text.append_letters("t", "ACGTACGTACGT");
  std::vector<Motif> motifs(1);
  motifs[0].id = "m";
  motifs[0].counts = {{9, 0, 0, 0}, {0, 9, 0, 0}};
  std::size_t hits = 0;
  const auto count = [&](std::span<const MotifHit> some) { hits += some.size(); };
  scan(std::span(&device, 1), motifs, text, {.p_value = 0.05}, count);
  CHECK(hits == 0);
  scan(std::span(&device, 1), motifs, text, {.p_value = 0.0625}, count);
  CHECK(hits == 6);  // AC, and GT on the other strand
  scan(std::span(&device, 1), {}, text, {}, count);
  CHECK(hits == 6);
  CHECK_THROWS_AS(scan(std::span(&device, 1), motifs, text, {.p_value = 0}, count), InputError);
  CHECK_THROWS_AS(scan({}, motifs, text, {}, count), InputError);
  MotifScanOptions few;
  few.p_value = 0.0625;
  few.max_hits = 5;
  CHECK_THROWS_AS(scan(std::span(&device, 1), motifs, text, few, count), InputError);
}

TEST_CASE("tables of hits' P-values tell how many hits a random text has") {
  const Device& device = pwm_test::test_device();
  Random random(test_seed());
  std::vector<ScoreMatrix> matrices;
  for (int i = 0; i < 5; ++i) matrices.push_back(pwm_test::random_matrix(random, 6 + random.below(8)));
  const StrandOptions options{.background = Background({0.3, 0.2, 0.1, 0.4})};
  const auto thresholds = strand_thresholds(std::span(&device, 1), matrices, 1e-2, options);
  const HitPValues p_values(matrices, thresholds, options);
  CHECK(p_values.hits_per_letter() <= 10 * 1e-2 * (1 + 1e-3));  // the high ends of intervals
  CHECK(p_values.hits_per_letter() > 5 * 1e-2);
  CHECK(p_values.bytes() > 0);
  // Those of many hits are those of each.
  std::vector<Hit> hits(300);
  for (Hit& hit : hits) {
    hit.matrix = static_cast<std::uint32_t>(random.below(matrices.size()));
    hit.reverse = random.below(2) == 0;
    const double threshold = thresholds[hit.matrix].forward;
    hit.score = threshold + random.between(-0.1, 1) * (matrices[hit.matrix].highest() - threshold);
  }
  const std::vector<PValue> of_hits = p_values(hits);
  REQUIRE(of_hits.size() == hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    CHECK(of_hits[i].low == p_values(hits[i]).low);
    CHECK(of_hits[i].high == p_values(hits[i]).high);
  }
  CHECK(p_values(std::span<const Hit>()).empty());
  CHECK_THROWS_AS(HitPValues(matrices, std::span(thresholds).first(2), options), InputError);
  const auto forward = strand_thresholds(std::span(&device, 1), matrices, 1e-2,
                                         {.background = options.background, .strands = Strands::forward});
  CHECK(std::isnan(forward[0].reverse));
  CHECK(forward[0].forward == thresholds[0].forward);
}

}  // namespace
