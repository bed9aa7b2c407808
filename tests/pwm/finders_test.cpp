// Every finder's candidates: no hit is missing, none is found twice, and other candidates miss the threshold by no more
// than the finder's rounding.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "pwm/cases.hpp"
#include "pwm/finders.hpp"
#include "pwm/pipeline.hpp"
#include "reference/pwm/pwm.hpp"

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::random_codes;
using pwm_test::random_matrix;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Way {
  std::string name;
  Device device;
  std::unique_ptr<Finder> (*make)(const Device&, std::span<const Target>);
  /// A candidate's score may be below the threshold by so many steps of what a word may lose; else only by what floats
  /// lose.
  bool loss = false;
  /// Letters that are no bases match any base.
  bool any_base = false;
  /// Steps of the budget of a `loss` finder; at least.
  double steps = 254;
  /// A candidate may pass the text's end: its exact score is computed later, and it is no hit.
  bool may_pass_end = false;
};

template <int byte_shuffle>
std::unique_ptr<Finder> make_loss_finder(const Device& device, std::span<const Target> targets) {
  runtime::Defines defines;
  defines.set("BYTE_SHUFFLE", byte_shuffle);
  return make_loss_finder_cpu(device, targets, defines);
}

template <unsigned columns>
std::unique_ptr<Finder> make_slices_of(const Device& device, std::span<const Target> targets) {
  return make_slices_finder_of(device, targets, columns);
}

std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const KernelFamily family : genocl_test::families_under_test()) {
    const Device device = pwm_test::test_device().with_family(family);
    const std::string in = " " + std::string(to_string(family));
    ways.push_back({"naive" + in, device, make_naive_finder});
    ways.push_back({"naive_matrix" + in, device, make_naive_matrix_finder});
    ways.push_back({"lookahead" + in, device, make_lookahead_finder});
    ways.push_back({"kmp" + in, device, make_kmp_finder});
    ways.push_back({"slices" + in, device, make_slices_finder, false, true});
    ways.push_back({"slices, 1 column" + in, device, make_slices_of<1>, false, true});
    ways.push_back({"slices, 3 columns" + in, device, make_slices_of<3>, false, true});
    ways.push_back({"slices, 7 columns" + in, device, make_slices_of<7>, false, true});
  }
  const Device lanes = pwm_test::test_device().with_family(KernelFamily::cpu);
  ways.push_back({"loss", lanes, make_loss_finder_cpu, true, true});
  ways.push_back({"loss, without vendor paths", lanes.without_vendor_paths(), make_loss_finder_cpu, true, true});
  ways.push_back({"loss, 32 bytes", lanes, make_loss_finder<32>, true, true});
  return ways;
}

struct Case {
  std::vector<ScoreMatrix> matrices;
  std::vector<double> thresholds;
  std::vector<std::vector<Code>> records;

  void add(ScoreMatrix matrix, double threshold) {
    matrices.push_back(std::move(matrix));
    thresholds.push_back(threshold);
  }
  SequenceSet text() const {
    SequenceSet set;
    for (const std::vector<Code>& record : records) set.append("", record);
    return set;
  }
};

/// Both strands' matrices, in one vector that the targets point into.
std::vector<ScoreMatrix> both_strands(const Case& of) {
  std::vector<ScoreMatrix> all;
  for (const ScoreMatrix& matrix : of.matrices) {
    all.push_back(matrix);
    all.push_back(matrix.reverse_complement());
  }
  return all;
}

std::vector<Target> targets_of(const Case& of, const std::vector<ScoreMatrix>& both) {
  std::vector<Target> targets;
  for (std::uint32_t i = 0; i < both.size(); ++i)
    targets.push_back({i / 2, i % 2 == 1, &both[i], of.thresholds[i / 2]});
  return targets;
}

/// How far below the threshold a candidate's score may be.
double tolerance(const Way& way, const Target& target) {
  double size = 1e-300;
  for (const auto& column : target.scores->columns())
    for (const double score : column)
      if (std::isfinite(score)) size = std::max(size, std::abs(score));
  const auto length = static_cast<double>(target.scores->length());
  const double floats = size * length * length * 0x1p-21;
  if (!way.loss || !std::isfinite(target.scores->highest())) return floats;
  return floats + (target.scores->highest() - target.threshold) / way.steps * std::ceil(length / 2);
}

/// With the best letter in place of an ambiguous base, or minus infinity.
double highest_score(const ScoreMatrix& matrix, std::span<const Code> word, bool any_base) {
  double sum = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto& column = matrix.columns()[i];
    sum += word[i] < 4 ? column[word[i]] : any_base ? *std::max_element(column.begin(), column.end()) : -infinity;
  }
  return sum;
}

/// Finds targets [first, first + count) in a piece and compares with the oracle's hits; returns how many hits.
std::size_t check_piece(const Way& way, const DeviceText& text, std::span<const Target> targets, const Finder& finder,
                        std::uint32_t first, std::uint32_t count) {
  std::vector<Code> letters(text.size);
  text.codes.download(std::span<std::uint8_t>(letters));

  const std::uint64_t capacity = std::uint64_t{text.size} * count + 1;
  const Candidates found = finder.find(way.device, text, first, count, capacity);
  std::vector<std::uint64_t> keys(found.count);
  REQUIRE(found.count <= found.keys.size());
  if (found.count > 0) found.keys.download(std::span<std::uint64_t>(keys));
  std::sort(keys.begin(), keys.end());
  CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());

  std::size_t odd = 0, hits = 0, missing = 0;
  for (const std::uint64_t key : keys) {
    const auto target = static_cast<std::uint32_t>(key >> 32), place = static_cast<std::uint32_t>(key);
    bool good = target >= first && target < first + count && place >= text.own.begin && place < text.own.end;
    if (good) {
      const ScoreMatrix& scores = *targets[target].scores;
      const bool is_inside = place + scores.length() <= text.size;
      good = is_inside || way.may_pass_end;
      if (is_inside && targets[target].threshold != -infinity)
        good = highest_score(scores, std::span<const Code>(letters).subspan(place, scores.length()), way.any_base) >=
               targets[target].threshold - tolerance(way, targets[target]);
    }
    if (!good) ++odd;
  }
  CHECK(odd == 0);
  for (std::uint32_t target = first; target < first + count; ++target) {
    const bool reverse = targets[target].reverse;
    const ScoreMatrix motif = reverse ? targets[target].scores->reverse_complement() : *targets[target].scores;
    for (const genocl_reference::PwmHit& hit : genocl_reference::scan(motif, targets[target].threshold, letters)) {
      if (hit.reverse != reverse || hit.position < text.own.begin || hit.position >= text.own.end) continue;
      ++hits;
      if (!std::binary_search(keys.begin(), keys.end(), std::uint64_t{target} << 32 | hit.position)) ++missing;
    }
  }
  CHECK(missing == 0);
  return hits;
}

std::size_t check_finders(const Case& of, std::uint64_t residues = 1 << 20) {
  const std::vector<ScoreMatrix> both = both_strands(of);
  const std::vector<Target> targets = targets_of(of, both);
  const auto count = static_cast<std::uint32_t>(targets.size());
  const SequenceSet set = of.text();
  std::size_t hits = 0;
  for (const Way& way : all_ways()) {
    CAPTURE(way.name);
    const std::unique_ptr<Finder> finder = way.make(way.device, targets);
    for (const TextPiece& piece : cut_text(set, residues)) {
      CAPTURE(piece.own.begin);
      const DeviceText text = upload_text(way.device, set, piece, finder->wants_packed());
      hits += check_piece(way, text, targets, *finder, 0, count);
      if (count > 2) check_piece(way, text, targets, *finder, 1, count - 2);
    }
  }
  return hits;
}

/// A threshold that about one of `words` random words reaches.
double threshold_of(Random& random, const ScoreMatrix& matrix, std::size_t words) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < 4 * words; ++i) scores.push_back(matrix.score(random_codes(random, matrix.length())));
  std::nth_element(scores.begin(), scores.begin() + 3, scores.end(), std::greater<>());
  return scores[3];
}

void spread_n(Random& random, std::vector<Code>& letters, std::size_t one_of) {
  for (Code& letter : letters)
    if (random() % one_of == 0) letter = 4;
}

}  // namespace

TEST_CASE("tiny: pwm finders") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Case of;
  for (const std::size_t length : {3u, 6u}) {
    ScoreMatrix matrix = random_matrix(random, length, 2);
    const double threshold = threshold_of(random, matrix, 8);
    of.add(std::move(matrix), threshold);
  }
  of.records = {random_codes(random, 40), random_codes(random, 2), random_codes(random, 20)};
  of.records[0][10] = 4;
  CHECK(check_finders(of) > 0);
}

TEST_CASE("pwm finders: all lengths, ties, letters that are no bases") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Case of;
  for (std::size_t length = 1; length <= ScoreMatrix::longest; ++length) {
    ScoreMatrix matrix = random_matrix(random, length, length % 3 == 0 ? 2 : 0);
    const double threshold = threshold_of(random, matrix, 200);
    of.add(std::move(matrix), threshold);
  }
  of.records = {random_codes(random, 9000), random_codes(random, 30), {}, random_codes(random, 3000)};
  spread_n(random, of.records[0], 300);
  CHECK(check_finders(of) > 1000);
}

TEST_CASE("pwm finders: the default on GPUs searches long matrices apart, if most of their columns are needed") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Case of;
  // `loss` evaluates at least 16 columns: the candidates of the first two are within its steps.
  for (const std::size_t length : {5u, 15u, 90u, 120u}) {
    ScoreMatrix matrix = random_matrix(random, length, 0);
    const double threshold = threshold_of(random, matrix, 500);
    of.add(std::move(matrix), threshold);
  }
  of.records = {random_codes(random, 20000), random_codes(random, 300)};
  spread_n(random, of.records[0], 300);
  const std::vector<ScoreMatrix> both = both_strands(of);
  std::vector<Target> targets = targets_of(of, both);
  std::ranges::stable_sort(targets, {}, [](const Target& target) { return target.scores->length(); });
  const SequenceSet set = of.text();
  const Way way{"auto", pwm_test::test_device().with_family(KernelFamily::gpu), nullptr, true, true, 8, true};
  const std::unique_ptr<Finder> finder = make_finder(way.device, targets, Method::automatic);
  // Both strands of 5 and 15 columns.
  CHECK(finder->count_at_once(0, 8) == 4);
  CHECK(finder->count_at_once(1, 2) == 2);
  CHECK(finder->count_at_once(4, 4) == 4);
  const DeviceText text = upload_text(way.device, set, cut_text(set, 1 << 20)[0], finder->wants_packed());
  CHECK(check_piece(way, text, targets, *finder, 0, 4) > 0);
  CHECK(check_piece(way, text, targets, *finder, 4, 4) > 0);
  CHECK(check_piece(way, text, targets, *finder, 5, 1) > 0);
}

TEST_CASE("pwm finders: pieces of one record, and workers that share the targets") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Case of;
  for (unsigned i = 0; i < 70; ++i) {
    ScoreMatrix matrix = random_matrix(random, 1 + random() % 20);
    const double threshold = threshold_of(random, matrix, 50);
    of.add(std::move(matrix), threshold);
  }
  of.records = {random_codes(random, 2500)};
  CHECK(check_finders(of, 700) > 1000);
}

TEST_CASE("pwm finders: tiles and blocks of every size") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : {1u, 255u, 256u, 257u, 511u, 512u, 513u, 8191u, 8192u, 8193u, 20000u}) {
    CAPTURE(length);
    Case of;
    of.add(random_matrix(random, 1), -infinity);
    of.add(random_matrix(random, 8), -1e30);
    of.records = {random_codes(random, length)};
    check_finders(of);
  }
}

TEST_CASE("pwm finders: a text of many tiles for each worker") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Case of;
  ScoreMatrix matrix = random_matrix(random, 9 + random() % 6);
  const double threshold = threshold_of(random, matrix, 2000);
  of.add(std::move(matrix), threshold);
  of.records = {random_codes(random, 1'200'000), random_codes(random, 100'000)};
  spread_n(random, of.records[0], 5000);
  CHECK(check_finders(of, 1 << 24) > 100);
}

TEST_CASE("pwm finders: scores and thresholds at the ends of the range") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Case of;
  for (const std::size_t length : {1u, 2u, 7u, 20u, 65u, 128u}) {
    const ScoreMatrix matrix = random_matrix(random, length);
    of.add(matrix, matrix.highest());
    of.add(matrix, std::nextafter(matrix.highest(), infinity));
    of.add(matrix, infinity);
    of.add(matrix, matrix.lowest());
    of.add(matrix, matrix.lowest() - 1);
    of.add(matrix, -1e300);
    of.add(matrix, -infinity);
    for (const double scale : {1e-315, 1e-200, 1e30, 1e300}) {
      std::vector<std::array<double, 4>> columns;
      for (std::array<double, 4> column : matrix.columns()) {
        for (double& score : column) score *= scale;
        columns.push_back(column);
      }
      ScoreMatrix scaled("", "", columns);
      const double threshold = threshold_of(random, scaled, 100);
      of.add(std::move(scaled), threshold);
    }
    std::vector<std::array<double, 4>> holes(matrix.columns().begin(), matrix.columns().end());
    for (std::array<double, 4>& column : holes) column[random() % 4] = -infinity;
    const ScoreMatrix with_holes("", "", holes);
    of.add(with_holes, with_holes.highest() - 3);
    of.add(with_holes, -1e6);
    of.add(with_holes, -infinity);
    of.add({"", "", std::vector<std::array<double, 4>>(length, std::array<double, 4>{0, 0, 0, 0})}, 0);
    of.add({"", "", std::vector<std::array<double, 4>>(length, std::array<double, 4>{0, 0, 0, 0})}, 5e-324);
    of.add({"", "", std::vector<std::array<double, 4>>(length, std::array<double, 4>{-infinity, 0, -infinity, 0})},
           -5e-324);
    of.add(
        {"", "",
         std::vector<std::array<double, 4>>(length, std::array<double, 4>{-infinity, -infinity, -infinity, -infinity})},
        0);
  }
  of.records = {random_codes(random, 1500), random_codes(random, 10), random_codes(random, 63)};
  spread_n(random, of.records[0], 100);
  CHECK(check_finders(of) > 1000);
}

TEST_CASE("pwm finders: a text of one letter, all ties") {
  Case of;
  std::vector<std::array<double, 4>> columns(18, std::array<double, 4>{0.1, -0.7, -1.3, -0.4});
  const ScoreMatrix matrix("", "", columns);
  of.add(matrix, matrix.highest());
  of.records = {std::vector<Code>(5000, 0)};
  CHECK(check_finders(of) == (5000 - 17) * all_ways().size());
}

TEST_CASE("pwm finders: a stretch of letters that are no bases is no stretch of any base") {
  for (unsigned letter = 0; letter < 4; ++letter) {
    std::array<double, 4> column = {-1, -1, -1, -1};
    column[letter] = 1;
    Case of;
    of.add({"", "", std::vector<std::array<double, 4>>(8, column)}, 8);
    of.records = {std::vector<Code>(20000, 4)};
    const std::vector<ScoreMatrix> both = both_strands(of);
    const std::vector<Target> targets = targets_of(of, both);
    const SequenceSet set = of.text();
    for (const Way& way : all_ways()) {
      CAPTURE(way.name);
      const std::unique_ptr<Finder> finder = way.make(way.device, targets);
      const DeviceText text = upload_text(way.device, set, cut_text(set, 1 << 20).at(0), finder->wants_packed());
      CHECK(finder->find(way.device, text, 0, 2, 40000).count < 400);
    }
  }
}

TEST_CASE("pwm finders: more candidates than the capacity") {
  Random random(1);
  Case of;
  of.add(random_matrix(random, 5), -infinity);
  of.records = {random_codes(random, 3000)};
  const std::vector<ScoreMatrix> both = both_strands(of);
  const std::vector<Target> targets = targets_of(of, both);
  const SequenceSet set = of.text();
  for (const Way& way : all_ways()) {
    CAPTURE(way.name);
    const std::unique_ptr<Finder> finder = way.make(way.device, targets);
    const DeviceText text = upload_text(way.device, set, cut_text(set, 1 << 20).at(0), finder->wants_packed());
    for (const std::uint64_t capacity : {0u, 1u, 100u}) {
      const Candidates found = finder->find(way.device, text, 0, 2, capacity);
      CHECK(found.count == 2 * (3000 - 4));
      REQUIRE(found.keys.size() == capacity);
      const std::vector<std::uint64_t> keys = found.keys.download();
      CHECK(std::set<std::uint64_t>(keys.begin(), keys.end()).size() == capacity);
      for (const std::uint64_t key : keys) CHECK(((key >> 32) < 2 && static_cast<std::uint32_t>(key) < 3000 - 4));
    }
    CHECK(finder->find(way.device, text, 1, 0, 10).count == 0);
  }
}

TEST_CASE("pwm finders: slices of every width, for groups of one, two and more matrices") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Case of;
  for (const std::size_t length : {11u, 8u, 24u, 1u, 40u}) {
    ScoreMatrix matrix = random_matrix(random, length);
    const double threshold = threshold_of(random, matrix, 100);
    of.add(std::move(matrix), threshold);
  }
  of.records = {random_codes(random, 4000), random_codes(random, 45)};
  spread_n(random, of.records[0], 300);
  const std::vector<ScoreMatrix> both = both_strands(of);
  const std::vector<Target> all = targets_of(of, both);
  const SequenceSet set = of.text();
  for (const KernelFamily family : genocl_test::families_under_test())
    for (unsigned columns = 1; columns <= 8; ++columns)
      for (const std::uint32_t count : {1u, 2u, 3u, 10u}) {
        CAPTURE(columns);
        CAPTURE(count);
        const Way way{"slices", pwm_test::test_device().with_family(family), nullptr, false, true};
        const std::span<const Target> targets = std::span(all).first(count);
        const std::unique_ptr<Finder> finder = make_slices_finder_of(way.device, targets, columns);
        const DeviceText text = upload_text(way.device, set, cut_text(set, 1 << 20).at(0), true);
        CHECK(check_piece(way, text, targets, *finder, 0, count) > 0);
        // A group is searched in part.
        for (const std::uint32_t first : {1u, 3u, 6u})
          if (first < count) check_piece(way, text, targets, *finder, first, std::min(2u, count - first));
      }
}

TEST_CASE("pwm finders: columns of slices are those of slices, and their tables fit into device memory") {
  Random random(1);
  const Device& device = pwm_test::test_device();
  const std::vector<ScoreMatrix> matrices = {random_matrix(random, 12)};
  const std::vector<double> thresholds = {3};
  const auto scanner = [&](Method method, unsigned columns) {
    return Scanner(std::span(&device, 1), matrices, thresholds, {.method = method, .slice_columns = columns});
  };
  CHECK_THROWS_WITH_AS(scanner(Method::slices, 9), "slices of 9 columns; expected 1 to 8", InputError);
  CHECK_THROWS_WITH_AS(scanner(Method::naive, 8), "columns of slices with the method naive; expected the method slices",
                       InputError);
  CHECK_THROWS_AS(scanner(Method::automatic, 1), InputError);
  SequenceSet text;
  text.append("", random_codes(random, 5000));
  CHECK(scanner(Method::slices, 8).scan(text) == scanner(Method::slices, 0).scan(text));
  // Four bytes for each word of 16 slices of 8 columns and each target.
  const ScoreMatrix longest = random_matrix(random, ScoreMatrix::longest);
  const std::uint64_t targets = device.info().global_memory / (std::uint64_t{16} << 18) + 8;
  const std::vector<Target> many(targets, Target{0, false, &longest, 0});
  try {
    make_slices_finder_of(device, many, 8);
    FAIL("tables larger than the device");
  } catch (const CapacityError& error) {
    CHECK(error.needed() == (targets + 3) / 4 * 4 * (std::uint64_t{16} << 18));
    CHECK(std::string(error.what()).find("tables of slices of 8 columns for") != std::string::npos);
  }
}

TEST_CASE("pwm finders: byte shuffles are a vendor path") {
  const Device& device = pwm_test::test_device();
  CHECK(loss_cpu_defines(device.without_vendor_paths()).options() == " -DBYTE_SHUFFLE=0");
  if (device.vendor_paths()) CHECK(loss_cpu_defines(device).options().empty());
}
