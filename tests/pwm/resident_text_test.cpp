// Texts that stay on a device: the hits of a scan that brings its text along, and of the oracle.
#include <algorithm>
#include <optional>
#include <thread>

#include "genocl/error.hpp"
#include "genocl/pwm/scan.hpp"
#include "pwm/scan.hpp"
#include "pwm/scan_cases.hpp"
#include "random.hpp"
#include "runtime/state_access.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;

using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::Collection;
using pwm_test::random_collection;
using pwm_test::random_text;

Scanner scanner_of(const Collection& c, const Device& device, const ScanOptions& options = {}) {
  return {std::span(&device, 1), c.matrices, c.thresholds, options};
}

}  // namespace

TEST_CASE("pwm resident text: a few letters") {
  Random random(5);
  const SequenceSet set = random_text(random, 5, 60);
  const Collection collection = random_collection(random, 6);
  const std::vector<Hit> expected = collection.expected(set);
  REQUIRE(!expected.empty());
  for (const auto& variant : pwm_test::drawn_variants()) {
    CAPTURE(variant.name);
    const Text text(variant.device, set);
    CHECK(text.records() == set.size());
    CHECK(text.residues() == set.residues());
    CHECK(text.device() == variant.device);
    CHECK(scanner_of(collection, variant.device).scan(text) == expected);
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
    for (const auto& variant : pwm_test::drawn_variants())
      for (const Method method : pwm_test::methods) {
        CAPTURE(variant.name);
        CAPTURE(to_string(method));
        const Collection collection = random_collection(random, 1 + random() % 30);
        const std::vector<Hit> expected = collection.expected(set);
        for (const std::uint64_t chunk_residues : {0, 133}) {
          CAPTURE(chunk_residues);
          const Scanner scanner =
              scanner_of(collection, variant.device, {.method = method, .chunk_residues = chunk_residues});
          CHECK(scanner.scan(text) == expected);
          const std::vector<std::uint64_t> counts = scanner.counts();
          CHECK(scanner.scan(set) == expected);
          CHECK(scanner.counts() == counts);
          const Scanner counter = scanner_of(collection, variant.device,
                                             {.method = method, .counts_only = true, .chunk_residues = chunk_residues});
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
  const Collection collection = random_collection(random, 7);
  for (const Strands strands : {Strands::forward, Strands::reverse}) {
    const std::vector<Hit> expected = collection.expected(set, strands);
    REQUIRE(!expected.empty());
    CHECK(scanner_of(collection, pwm_test::test_device(), {.strands = strands}).scan(text) == expected);
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
    collections.push_back(random_collection(random, 5 + i));
    expected.push_back(collections.back().expected(*set));
  }
  set.reset();
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i)
    threads.emplace_back([&, i] { found[i] = scanner_of(collections[i], device).scan(Text(text)); });
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
      for (const ResidentRange& range : ranges_of(genocl::runtime::state_of(text), letters, 10)) {
        CHECK(range.begin == (range.of == last ? end : range.of->text.own.begin));
        if (last != nullptr && range.of != last) CHECK(end == last->text.own.end);
        CHECK(range.begin < range.end);
        if (letters != 0) CHECK(range.end - range.begin <= letters);
        places += range.places();
        last = range.of;
        end = range.end;
      }
      CHECK(places == set.residues());
      if (last != nullptr) CHECK(end == last->text.own.end);
    }
  }
}

TEST_CASE("pwm resident text: limits, progress and errors") {
  Random random(8);
  const Device& device = pwm_test::test_device();
  const SequenceSet set = random_text(random, 6, 500);
  const Text text(device, set);
  const Collection collection = random_collection(random, 6);
  const std::uint64_t hits = collection.expected(set).size();
  REQUIRE(hits > 1);
  CHECK(scanner_of(collection, device, {.max_hits = hits}).scan(text).size() == hits);
  CHECK_THROWS_AS(scanner_of(collection, device, {.max_hits = hits - 1}).scan(text), InputError);
  CHECK_THROWS_AS(scanner_of(collection, device, {.chunk_residues = 100, .max_hits = hits - 1}).scan(text), InputError);

  std::uint64_t done = 0, total = 0;
  const auto watch = [&](const ProgressState& state) {
    done = state.items_done;
    total = state.items_total;
    return true;
  };
  scanner_of(collection, device, {.chunk_residues = 90, .progress = watch}).scan(text);
  CHECK(done == set.residues());
  CHECK(total == set.residues());
  const auto stop = [](const ProgressState&) { return false; };
  CHECK_THROWS_AS(scanner_of(collection, device, {.progress = stop}).scan(text), Cancelled);

  CHECK_THROWS_AS(Text(device, SequenceSet(Alphabet::protein)), InputError);
  // In another context.
  const Text elsewhere(Device::pick(), set);
  CHECK_THROWS_AS(scanner_of(collection, device).scan(elsewhere), InputError);

  // Nothing to look for, or in.
  CHECK(Scanner(std::span(&device, 1), {}, {}).scan(text).empty());
  const Scanner scanner = scanner_of(collection, device);
  CHECK(!scanner.scan(text).empty());
  CHECK(scanner.scan(Text(device, SequenceSet())).empty());
  CHECK(scanner.counts() == std::vector<std::uint64_t>(12));
  SequenceSet nothing;
  nothing.append_letters("n", std::string(200, 'N'));
  nothing.append("empty", {});
  CHECK(scanner.scan(Text(device, nothing)).empty());
}
