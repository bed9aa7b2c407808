// Scans against the oracle: every hit, whatever the method, the pieces, the devices and the batches.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/pwm/scan.hpp"
#include "pwm/scan.hpp"
#include "pwm/scan_cases.hpp"
#include "random.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;

using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::methods;
using pwm_test::no_number;
using pwm_test::random_text;

struct Case : pwm_test::Collection {
  SequenceSet text;
};

Case random_case(Random& random, std::size_t matrices, std::size_t records, std::size_t longest) {
  SequenceSet text = random_text(random, records, longest);
  return {pwm_test::random_collection(random, matrices), std::move(text)};
}

std::vector<Hit> expected_hits(const Case& c, Strands strands = Strands::both) { return c.expected(c.text, strands); }

std::vector<std::uint64_t> counts_of(const std::vector<Hit>& hits, std::size_t matrices) {
  std::vector<std::uint64_t> counts(2 * matrices);
  for (const Hit& hit : hits) ++counts[2 * hit.matrix + (hit.reverse ? 1 : 0)];
  return counts;
}

void check(const Case& c, const std::vector<Device>& devices, const ScanOptions& options) {
  CAPTURE(to_string(options.method));
  CAPTURE(options.chunk_residues);
  const std::vector<Hit> expected = expected_hits(c, options.strands);
  const Scanner scanner(devices, c.matrices, c.thresholds, options);
  const std::vector<Hit> hits = scanner.scan(c.text);
  CHECK(scanner.counts() == counts_of(expected, c.matrices.size()));
  if (options.counts_only) {
    CHECK(hits.empty());
    return;
  }
  REQUIRE(hits.size() == expected.size());
  const auto first_wrong = std::mismatch(hits.begin(), hits.end(), expected.begin()).first - hits.begin();
  CHECK(static_cast<std::size_t>(first_wrong) == hits.size());
}

}  // namespace

TEST_CASE("pwm scanner: a few letters") {
  Random random(21);
  Case c{{}, random_text(random, 3, 40)};
  for (const std::size_t length : {3, 5}) {
    c.matrices.push_back(pwm_test::random_matrix(random, length));
    c.thresholds.push_back((c.matrices.back().lowest() + c.matrices.back().highest()) / 2);
  }
  CHECK(!expected_hits(c).empty());
  for (const auto& variant : pwm_test::drawn_variants()) {
    CAPTURE(variant.name);
    check(c, {variant.device}, {});
    check(c, {variant.device}, {.counts_only = true});
  }
}

TEST_CASE("pwm scanner: every method, random texts") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& variant : pwm_test::drawn_variants()) {
    CAPTURE(variant.name);
    for (const Method method : methods) {
      const Case c = random_case(random, 12, 9, 900);
      check(c, {variant.device}, {.method = method});
      check(c, {variant.device}, {.method = method, .chunk_residues = 70 + random() % 200});
      check(c, {variant.device}, {.method = method, .counts_only = true, .chunk_residues = 500});
    }
    const Case c = random_case(random, 70, 4, 3000);
    check(c, {variant.device}, {});
    check(c, {variant.device}, {.strands = Strands::forward});
    check(c, {variant.device}, {.strands = Strands::reverse, .chunk_residues = 1000});
  }
}

TEST_CASE("pwm scanner: kmp skips no hit behind an ambiguous letter") {
  Random random(6);
  // Such a letter in every word or so: a wrong sum at it would be a wrong shift.
  for (int repeat = 0; repeat < 40; ++repeat) {
    const Case c = random_case(random, 12, 12, 400);
    for (const auto& variant : pwm_test::drawn_variants()) {
      CAPTURE(variant.name);
      check(c, {variant.device}, {.method = Method::kmp});
    }
  }
}

TEST_CASE("pwm scanner: short motifs at the ends of records and next to ambiguous bases") {
  Case c;
  for (const char* const letters :
       {"ACGT", "NACGTN", "ACGTNACGTA", "ACG", "", "N", "CACGTACGTNNTACGTA", "RACGTY", "acgt"})
    c.text.append_letters("r", letters);
  for (std::size_t length = 4; length <= 6; ++length) {
    std::vector<std::array<double, 4>> columns;
    for (std::size_t i = 0; i < length; ++i) {
      columns.push_back({-2, -2, -2, -2});
      columns.back()[i % 4] = 1;
    }
    c.matrices.emplace_back("short", "", columns);
    c.thresholds.push_back(static_cast<double>(length));
  }
  CHECK(expected_hits(c).size() >= 20);
  for (const auto& variant : pwm_test::drawn_variants())
    for (const Method method : methods) {
      CAPTURE(variant.name);
      check(c, {variant.device}, {.method = method});
      check(c, {variant.device}, {.method = method, .chunk_residues = 7});
    }
}

TEST_CASE("pwm scanner: several devices give the same") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Device& device = pwm_test::test_device();
  const Device lanes = device.with_family(KernelFamily::cpu), group = device.with_family(KernelFamily::gpu);
  const Case c = random_case(random, 25, 12, 2000);
  check(c, {lanes, group}, {.chunk_residues = 300});
  check(c, {group, group, lanes}, {.chunk_residues = 1111});
  check(c, {lanes, group}, {.counts_only = true, .chunk_residues = 300});
  check(c, Device::list("all"), {.chunk_residues = 400});  // a context each
  // Pieces of the sizes that are chosen, of a text that is many of them for a CPU: in either order the same.
  Case long_text;
  long_text.matrices.push_back(pwm_test::random_matrix(random, 10));
  for (int i = 0; i < 3; ++i) long_text.text.append("long", pwm_test::random_codes(random, 3'000'000, 4));
  long_text.thresholds = {long_text.matrices[0].highest() * 0.7};
  check(long_text, {lanes, group}, {});
  check(long_text, {group, lanes}, {});
}

TEST_CASE("pwm scanner: a threshold for each strand") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& variant : pwm_test::drawn_variants())
    for (const Method method : methods) {
      CAPTURE(variant.name);
      CAPTURE(to_string(method));
      Case forward = random_case(random, 10, 6, 600);
      Case reverse = forward;
      std::vector<StrandThresholds> thresholds;
      for (std::size_t i = 0; i < forward.matrices.size(); ++i) {
        reverse.thresholds[i] = pwm_test::random_threshold(random, forward.matrices[i]);
        if (i == 3) reverse.thresholds[i] = no_number;
        if (i == 4) forward.thresholds[i] = no_number;
        thresholds.push_back({forward.thresholds[i], reverse.thresholds[i]});
      }
      std::vector<Hit> expected = expected_hits(forward, Strands::forward);
      const std::vector<Hit> others = expected_hits(reverse, Strands::reverse);
      expected.insert(expected.end(), others.begin(), others.end());
      std::ranges::sort(expected, {},
                        [](const Hit& hit) { return std::tuple(hit.matrix, hit.record, hit.position, hit.reverse); });
      const std::span<const Device> devices(&variant.device, 1);
      const Scanner scanner =
          Scanner::by_strand(devices, forward.matrices, thresholds, {.method = method, .chunk_residues = 250});
      CHECK(scanner.scan(forward.text) == expected);
      CHECK(scanner.counts() == counts_of(expected, thresholds.size()));
      const Scanner one =
          Scanner::by_strand(devices, forward.matrices, thresholds, {.strands = Strands::reverse, .method = method});
      CHECK(one.scan(forward.text) == others);
    }
}

TEST_CASE("pwm scanner: batches") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Case c = random_case(random, 6, 11, 400);
  const std::vector<Hit> expected = expected_hits(c);
  for (const auto& variant : pwm_test::drawn_variants()) {
    const Scanner scanner(std::span(&variant.device, 1), c.matrices, c.thresholds, {.chunk_residues = 150});
    std::size_t next = 0, batches = 0, records = 0;
    std::vector<Hit> all;
    scanner.scan(
        [&](SequenceSet& batch) {
          if (next == c.text.size()) return false;
          CHECK(batch.empty());
          const std::size_t count = std::min<std::size_t>(4, c.text.size() - next);
          batch = c.text.slice(next, count);
          next += count;
          return true;
        },
        [&](const SequenceSet& batch, std::span<const Hit> hits) {
          ++batches;
          CHECK(
              std::is_sorted(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.matrix < b.matrix; }));
          for (const Hit& hit : hits) {
            REQUIRE(hit.record >= records);
            REQUIRE(hit.record < records + batch.size());
          }
          records += batch.size();
          all.insert(all.end(), hits.begin(), hits.end());
        });
    CHECK(batches == 3);
    CHECK(records == c.text.size());
    std::stable_sort(all.begin(), all.end(), [](const Hit& a, const Hit& b) { return a.matrix < b.matrix; });
    CHECK(all == expected);
    CHECK(scanner.counts() == counts_of(expected, c.matrices.size()));
  }
}

TEST_CASE("pwm scanner: parts of sequences have each hit once") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Case c = random_case(random, 6, 11, 400);
  std::size_t longest = 0;
  for (const ScoreMatrix& matrix : c.matrices) longest = std::max(longest, matrix.length());
  std::vector<TextBatch> batches(1);
  for (std::uint64_t record = 0; record < c.text.size(); ++record) {
    const std::span<const Code> letters = c.text[record];
    for (std::uint64_t begin = 0, own = 0; begin < letters.size(); begin += own) {
      own = 1 + random.below(120);
      const std::uint64_t end = std::min<std::uint64_t>(letters.size(), begin + own + longest - 1);
      if (batches.back().size() == 5) batches.emplace_back();
      batches.back().append("part", letters.subspan(begin, end - begin));
      batches.back().intervals.push_back({.sequence = record, .begin = begin, .own = {0, begin + own}});
    }
  }
  for (const auto& variant : pwm_test::drawn_variants()) {
    CAPTURE(variant.name);
    // Smaller pieces than most batches: the library cuts those again.
    const Scanner scanner(std::span(&variant.device, 1), c.matrices, c.thresholds, {.chunk_residues = 150});
    std::size_t next = 0, ended = 0;
    std::vector<Hit> all;
    scanner.scan_parts(
        [&](TextBatch& batch) {
          if (next == batches.size()) return false;
          batch = batches[next++];
          return true;
        },
        [&](const TextBatch& batch, std::span<const Hit> hits) {
          std::string bytes;
          for (Hit hit : hits) {
            const SourceInterval& place = batch.intervals[hit.record];
            if (!place.owns(hit, c.matrices[hit.matrix].length())) continue;
            hit.record = place.sequence;
            hit.position += place.begin;
            bytes.append(reinterpret_cast<const char*>(&hit), sizeof hit);
          }
          return bytes;
        },
        [&](std::string&& bytes, bool last) {
          ended += last ? 1 : 0;
          const std::size_t before = all.size();
          all.resize(before + bytes.size() / sizeof(Hit));
          std::memcpy(all.data() + before, bytes.data(), bytes.size());
        });
    CHECK(ended == batches.size());
    std::ranges::sort(all, {},
                      [](const Hit& hit) { return std::tuple(hit.matrix, hit.record, hit.position, hit.reverse); });
    CHECK(all == expected_hits(c));
  }
}

TEST_CASE("pwm scanner: candidates that do not fit are asked for in smaller batches") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Case c = random_case(random, 40, 1, 500);
  while (c.text.residues() == 0) c = random_case(random, 40, 1, 500);
  for (double& threshold : c.thresholds)
    if (random() % 4 == 0) threshold = -std::numeric_limits<double>::infinity();
  std::vector<Target> targets;
  for (std::uint32_t i = 0; i < c.matrices.size(); ++i) {
    if (std::isnan(c.thresholds[i])) c.thresholds[i] = 0;
    targets.push_back({i, false, &c.matrices[i], c.thresholds[i]});
  }
  std::vector<std::uint64_t> keys;
  for (const Hit& hit : expected_hits(c, Strands::forward))
    keys.push_back(std::uint64_t{hit.matrix} << 32 | hit.position);
  const TextPiece piece = cut_text(c.text, 1'000'000).at(0);
  for (const auto& variant : pwm_test::drawn_variants())
    for (const std::uint64_t capacity : {1, 100, 1000, 1'000'000}) {
      CAPTURE(capacity);
      const PreparedTargets prepared(variant.device, targets, Method::automatic);
      const std::uint64_t most = keys.size();
      const PieceHits found =
          scan_piece(variant.device, prepared, c.text, piece, {.capacity = capacity, .max_hits = most});
      CHECK(found.keys == keys);
      const PieceHits counted =
          scan_piece(variant.device, prepared, c.text, piece, {.counts_only = true, .capacity = capacity});
      CHECK(counted.counts == found.counts);
      if (most > 0)
        CHECK_THROWS_AS(
            scan_piece(variant.device, prepared, c.text, piece, {.capacity = capacity, .max_hits = most - 1}),
            InputError);
    }
}

TEST_CASE("pwm scanner: limits, progress and errors") {
  Random random(6);
  const Device& device = pwm_test::test_device();
  const std::span devices(&device, 1);
  Case c = random_case(random, 5, 6, 300);
  const std::uint64_t hits = expected_hits(c).size();
  REQUIRE(hits > 1);
  CHECK(Scanner(devices, c.matrices, c.thresholds, {.max_hits = hits}).scan(c.text).size() == hits);
  CHECK_THROWS_AS(Scanner(devices, c.matrices, c.thresholds, {.max_hits = hits - 1}).scan(c.text), InputError);
  const ScanOptions small{.chunk_residues = 100, .max_hits = hits - 1};
  CHECK_THROWS_AS(Scanner(devices, c.matrices, c.thresholds, small).scan(c.text), InputError);
  CHECK_THROWS_AS(Scanner(devices, c.matrices, std::span(c.thresholds).first(4)), InputError);
  CHECK_THROWS_AS(Scanner({}, c.matrices, c.thresholds), InputError);
  CHECK_THROWS_AS(Scanner(devices, c.matrices, c.thresholds).scan(SequenceSet(Alphabet::protein)), InputError);

  std::uint64_t done = 0, total = 0;
  const auto watch = [&](const ProgressState& state) {
    done = state.items_done;
    total = state.items_total;
    return true;
  };
  Scanner(devices, c.matrices, c.thresholds, {.chunk_residues = 90, .progress = watch}).scan(c.text);
  CHECK(done == c.text.residues());
  CHECK(total == c.text.residues());
  const auto stop = [](const ProgressState&) { return false; };
  CHECK_THROWS_AS(Scanner(devices, c.matrices, c.thresholds, {.progress = stop}).scan(c.text), Cancelled);

  // Nothing to look for, or in.
  CHECK(Scanner(devices, {}, {}).scan(c.text).empty());
  CHECK(Scanner(devices, c.matrices, c.thresholds).scan(SequenceSet()).empty());
  const std::vector<double> no_numbers(5, no_number);
  const Scanner left_out(devices, c.matrices, no_numbers);
  CHECK(left_out.scan(c.text).empty());
  CHECK(left_out.counts() == std::vector<std::uint64_t>(10));
  c.text = SequenceSet();
  c.text.append_letters("n", std::string(200, 'N'));
  c.text.append("empty", {});
  check(c, {device}, {});
  for (const Method method : methods) CHECK(method_named(to_string(method)) == method);
  CHECK_THROWS_AS(method_named("fast"), InputError);
}
