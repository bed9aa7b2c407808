// Texts that stay on a device: the hits of a scan that brings its text along, and of the oracle.
#include <algorithm>
#include <limits>
#include <optional>
#include <thread>

#include "genocl/error.hpp"
#include "genocl/pwm/scan.hpp"
#include "pwm/cases.hpp"
#include "pwm/scan/resident_text.hpp"
#include "reference/pwm/pwm.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;

constexpr Method methods[] = {Method::automatic, Method::naive, Method::lookahead, Method::slices, Method::loss};

/// Records of up to `longest` letters, some of them none, with N and other letters here and there.
SequenceSet random_text(Random& random, std::size_t records, std::size_t longest) {
  SequenceSet text;
  for (std::size_t i = 0; i < records; ++i) {
    std::vector<Code> codes =
        pwm_test::random_codes(random, random() % 4 == 0 ? random() % 8 : random() % (longest + 1));
    for (Code& code : codes)
      if (random() % 25 == 0) code = static_cast<Code>(4 + random() % 11);
    text.append("r" + std::to_string(i), codes);
  }
  return text;
}

struct Collection {
  std::vector<ScoreMatrix> matrices;
  std::vector<double> thresholds;

  Collection(Random& random, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      matrices.push_back(pwm_test::random_matrix(random, 1 + random() % 22, random() % 2 == 0 ? 2 : 0));
      const double share = 0.4 + static_cast<double>(random() % 50) / 100;
      thresholds.push_back(matrices[i].lowest() + (matrices[i].highest() - matrices[i].lowest()) * share);
    }
    thresholds.front() = std::numeric_limits<double>::quiet_NaN();
  }
  std::vector<Hit> expected(const SequenceSet& text) const {
    std::vector<Hit> hits;
    for (std::uint32_t m = 0; m < matrices.size(); ++m)
      for (std::size_t r = 0; r < text.size(); ++r)
        for (const auto& hit : genocl_reference::scan(matrices[m], thresholds[m], text[r]))
          hits.push_back({m, r, hit.position, hit.score, hit.reverse});
    return hits;
  }
  Scanner scanner(const Device& device, const ScanOptions& options = {}) const {
    return {std::span(&device, 1), matrices, thresholds, options};
  }
};

}  // namespace

TEST_CASE("pwm resident text: a few letters") {
  Random random(5);
  const SequenceSet set = random_text(random, 5, 60);
  const Collection collection(random, 6);
  const std::vector<Hit> expected = collection.expected(set);
  REQUIRE(!expected.empty());
  for (const auto& variant : pwm_test::variants()) {
    CAPTURE(variant.name);
    const Text text(variant.device, set);
    CHECK(text.records() == set.size());
    CHECK(text.residues() == set.residues());
    CHECK(text.device() == variant.device);
    CHECK(collection.scanner(variant.device).scan(text) == expected);
  }
}

TEST_CASE("pwm resident text: equal to a scan that brings its text along") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet set = random_text(random, 12, 400);
  for (const std::uint64_t buffer_residues : {0, 90, 1500}) {
    CAPTURE(buffer_residues);
    // One text for the kernels of both families.
    const Text text(pwm_test::test_device(), set, buffer_residues);
    for (const auto& variant : pwm_test::variants())
      for (const Method method : methods) {
        CAPTURE(variant.name);
        CAPTURE(to_string(method));
        const Collection collection(random, 1 + random() % 30);
        const std::vector<Hit> expected = collection.expected(set);
        for (const std::uint64_t chunk_residues : {0, 133}) {
          CAPTURE(chunk_residues);
          const Scanner scanner =
              collection.scanner(variant.device, {.method = method, .chunk_residues = chunk_residues});
          CHECK(scanner.scan(text) == expected);
          const std::vector<std::uint64_t> counts = scanner.counts();
          CHECK(scanner.scan(set) == expected);
          CHECK(scanner.counts() == counts);
          const Scanner counter = collection.scanner(
              variant.device, {.method = method, .counts_only = true, .chunk_residues = chunk_residues});
          CHECK(counter.scan(text).empty());
          CHECK(counter.counts() == counts);
        }
      }
  }
}

TEST_CASE("pwm resident text: one strand") {
  Random random(9);
  const SequenceSet set = random_text(random, 5, 400);
  const Text text(pwm_test::test_device(), set);
  const Collection collection(random, 7);
  for (const Strands strands : {Strands::forward, Strands::reverse}) {
    std::vector<Hit> expected = collection.expected(set);
    std::erase_if(expected, [&](const Hit& hit) { return hit.reverse != (strands == Strands::reverse); });
    REQUIRE(!expected.empty());
    CHECK(collection.scanner(pwm_test::test_device(), {.strands = strands}).scan(text) == expected);
  }
}

TEST_CASE("pwm resident text: several scanners at once, the set gone") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::optional<SequenceSet> set = random_text(random, 6, 3000);
  const Device& device = pwm_test::test_device();
  const Text text(device.with_own_queue(), *set, 700);
  std::vector<Collection> collections;
  std::vector<std::vector<Hit>> expected, found(4);
  for (std::size_t i = 0; i < found.size(); ++i) {
    collections.emplace_back(random, 5 + i);
    expected.push_back(collections.back().expected(*set));
  }
  set.reset();
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i)
    threads.emplace_back([&, i] { found[i] = collections[i].scanner(device).scan(Text(text)); });
  for (std::thread& thread : threads) thread.join();
  CHECK(found == expected);
}

TEST_CASE("pwm resident text: ranges go through every letter once") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet set = random_text(random, 20, 200);
  for (const std::uint64_t buffer_residues : {0, 1, 13, 400}) {
    const Text text(pwm_test::test_device(), set, buffer_residues);
    for (const std::uint64_t letters : {0, 1, 31, 1000}) {
      CAPTURE(buffer_residues);
      CAPTURE(letters);
      std::uint64_t places = 0;
      const ResidentPiece* last = nullptr;
      std::uint32_t end = 0;
      for (const ResidentRange& range : ranges_of(text.state(), letters, 10)) {
        CHECK(range.begin == (range.of == last ? end : range.of->text.own_begin));
        if (last != nullptr && range.of != last) CHECK(end == last->text.own_end);
        CHECK(range.begin < range.end);
        if (letters != 0) CHECK(range.end - range.begin <= letters);
        places += range.places();
        last = range.of;
        end = range.end;
      }
      CHECK(places == set.residues());
      if (last != nullptr) CHECK(end == last->text.own_end);
    }
  }
}

TEST_CASE("pwm resident text: limits, progress and what is wrong") {
  Random random(8);
  const Device& device = pwm_test::test_device();
  const SequenceSet set = random_text(random, 6, 500);
  const Text text(device, set);
  const Collection collection(random, 6);
  const std::uint64_t hits = collection.expected(set).size();
  REQUIRE(hits > 1);
  CHECK(collection.scanner(device, {.max_hits = hits}).scan(text).size() == hits);
  CHECK_THROWS_AS(collection.scanner(device, {.max_hits = hits - 1}).scan(text), InputError);
  CHECK_THROWS_AS(collection.scanner(device, {.chunk_residues = 100, .max_hits = hits - 1}).scan(text), InputError);

  std::uint64_t done = 0, total = 0;
  const auto watch = [&](const ProgressState& state) {
    done = state.items_done;
    total = state.items_total;
    return true;
  };
  collection.scanner(device, {.chunk_residues = 90, .progress = watch}).scan(text);
  CHECK(done == set.residues());
  CHECK(total == set.residues());
  const auto stop = [](const ProgressState&) { return false; };
  CHECK_THROWS_AS(collection.scanner(device, {.progress = stop}).scan(text), Cancelled);

  CHECK_THROWS_AS(Text(device, SequenceSet(Alphabet::protein)), InputError);
  // In another context.
  const Text elsewhere(Device::pick(), set);
  CHECK_THROWS_AS(collection.scanner(device).scan(elsewhere), InputError);

  // Nothing to look for, or in.
  CHECK(Scanner(std::span(&device, 1), {}, {}).scan(text).empty());
  const Scanner scanner = collection.scanner(device);
  CHECK(!scanner.scan(text).empty());
  CHECK(scanner.scan(Text(device, SequenceSet())).empty());
  CHECK(scanner.counts() == std::vector<std::uint64_t>(12));
  SequenceSet nothing;
  nothing.append_letters("n", std::string(200, 'N'));
  nothing.append("empty", {});
  CHECK(scanner.scan(Text(device, nothing)).empty());
}
