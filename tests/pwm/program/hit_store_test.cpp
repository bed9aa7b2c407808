// Hits that the program keeps until they are written: in memory, in a temporary file, and partly in both.
#include "pwm/hit_store.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <limits>

#include "genocl/error.hpp"
#include "pwm/cases.hpp"
#include "random.hpp"
#include "runtime/helpers.hpp"

namespace {

using genocl_test::Random;
using genocl_test::test_seed;
using program::HitOrder;
using program::HitStore;
using program::StoredHit;

constexpr std::size_t motifs = 3, letters = 7;

struct Kept {
  std::uint32_t motif;
  std::uint64_t record, position;
  double score;
  bool reverse;
  std::string letters;

  bool operator==(const Kept&) const = default;
};

/// Batches of hits by motif, some of them without any.
std::vector<std::vector<Kept>> random_batches(Random& random) {
  std::vector<std::vector<Kept>> batches(9);
  for (std::size_t batch = 0; batch < batches.size(); ++batch) {
    for (std::uint32_t motif = 0; motif < motifs; ++motif) {
      for (std::size_t count = batch == 2 ? 0 : random() % 400; count > 0; --count) {
        const auto position = random() % 1'000'000'000'000;
        Kept& hit = batches[batch].emplace_back(
            Kept{motif, batch, position, static_cast<double>(random() % 1000) / 7, random() % 2 == 0, {}});
        for (const genocl::Code code : pwm_test::random_codes(random, letters)) hit.letters += "ACGT"[code];
      }
    }
  }
  return batches;
}

HitStore store_of(const std::vector<std::vector<Kept>>& batches, HitOrder order, std::uint64_t memory) {
  HitStore store(motifs, order, memory);
  for (const std::vector<Kept>& batch : batches) {
    store.begin_batch();
    for (const Kept& hit : batch) store.add({hit.motif, hit.record, hit.position, hit.score, hit.reverse, hit.letters});
    store.end_batch();
  }
  return store;
}

std::vector<Kept> list_of(const HitStore& store, std::uint32_t list) {
  std::vector<Kept> hits;
  store.read(list, letters, [&](const StoredHit& hit) {
    hits.push_back({hit.motif, hit.record, hit.position, hit.score, hit.reverse, std::string(hit.letters)});
  });
  return hits;
}

}  // namespace

TEST_CASE("pwm hit store: what was added, in memory and in a temporary file") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<std::vector<Kept>> batches = random_batches(random);
  std::vector<Kept> all;
  std::vector<std::vector<Kept>> of_motif(motifs);
  for (const std::vector<Kept>& batch : batches)
    for (const Kept& hit : batch) {
      all.push_back(hit);
      of_motif[hit.motif].push_back(hit);
    }
  const genocl_test::TemporaryFolder folder;
  const genocl_test::Environment chosen("TMPDIR", folder.path().string());
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{60'000}, std::uint64_t{1} << 30}) {
    CAPTURE(memory);
    const HitStore by_position = store_of(batches, HitOrder::by_position, memory);
    CHECK((list_of(by_position, 0) == all));
    const HitStore by_motif = store_of(batches, HitOrder::by_motif, memory);
    for (std::uint32_t motif = 0; motif < motifs; ++motif) CHECK((list_of(by_motif, motif) == of_motif[motif]));
    CHECK((list_of(by_motif, 0) == of_motif[0]));
    CHECK(std::filesystem::is_empty(folder.path()));
  }
}

TEST_CASE("pwm hit store: the temporary file is where TMPDIR says, or its folder is in the error") {
  Random random(3);
  const std::vector<std::vector<Kept>> batches = random_batches(random);
  const genocl_test::TemporaryFolder folder;
  const std::string missing = (folder.path() / "missing").string();
  const genocl_test::Environment chosen("TMPDIR", missing);
  constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
  CHECK(!list_of(store_of(batches, HitOrder::by_position, everything), 0).empty());
  CHECK_THROWS_WITH_AS(store_of(batches, HitOrder::by_position, 1000), doctest::Contains(missing.c_str()),
                       genocl::InputError);
}
