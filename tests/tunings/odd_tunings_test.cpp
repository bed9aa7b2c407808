// Every topic under tunings that nothing was written for, next to its oracle: no result depends on one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/genocl.hpp"
#include "random.hpp"
#include "reference/align.hpp"
#include "reference/jacobi.hpp"
#include "reference/marose/marose.hpp"
#include "reference/overlap/lcp.hpp"
#include "reference/pwm/pwm.hpp"

using namespace genocl;
using genocl_test::device_under_test;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

struct Odd {
  std::uint32_t workers_per_unit, groups_per_unit, group_size;
};

/// Both families with the least, the most and something between of each number; the families mixed; a share that is
/// nothing like the device's.
std::vector<Device> devices() {
  const Tuning shipped = default_tuning(device_under_test().info());
  std::vector<Tuning> tunings;
  for (const KernelFamily family : {KernelFamily::cpu, KernelFamily::gpu}) {
    const KernelFamily other = family == KernelFamily::cpu ? KernelFamily::gpu : KernelFamily::cpu;
    for (const Odd& odd : {Odd{1, 1, 64}, Odd{7, 3, 128}, Odd{256, 32, 256}}) {
      Tuning one = shipped;
      one.family = one.search_family = one.relaxation_family = family;
      one.workers_per_unit = odd.workers_per_unit;
      one.groups_per_unit = odd.groups_per_unit;
      one.group_size = odd.group_size;
      one.packed_scores = odd.workers_per_unit == 7;
      one.share = 1;
      tunings.push_back(one);
    }
    tunings.back().search_family = tunings.back().relaxation_family = other;
  }
  std::vector<Device> all;
  for (const Tuning& one : tunings) all.push_back(device_under_test().with_tuning(one));
  return all;
}

template <class Check>
void on_each(const Check& check) {
  for (const Device& device : devices()) {
    const std::string tuning = to_string(device.tuning());
    CAPTURE(tuning);
    check(device);
  }
}

std::vector<Code> bases(Random& random, std::size_t count) { return random.values_below<Code>(count, 4); }

SequenceSet set_of(Alphabet alphabet, const std::vector<std::vector<Code>>& all) {
  SequenceSet set(alphabet);
  for (const std::vector<Code>& one : all) set.append("s" + std::to_string(set.size()), one);
  return set;
}

/// Parts of `text`, in each of which a letter or two are changed.
SequenceSet parts_of(Random& random, const std::vector<Code>& text, std::size_t count, std::size_t length) {
  std::vector<std::vector<Code>> all(count);
  for (std::vector<Code>& one : all) {
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(random.below(text.size() - length));
    one.assign(begin, begin + static_cast<std::ptrdiff_t>(length));
    for (int i = 0; i < 2; ++i) one[random.below(length)] = static_cast<Code>(random.below(4));
  }
  return set_of(Alphabet::dna, all);
}

}  // namespace

TEST_CASE("odd tunings: primitives") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::size_t count = 150'001;
  const auto keys = random.values_below<std::uint32_t>(count, 5000);
  std::vector<std::uint32_t> order(count), counts(5000, 0), sums(count + 1, 0), large;
  std::iota(order.begin(), order.end(), 0u);
  const std::vector<std::uint32_t> places = order;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  std::vector<std::uint8_t> flags(count);
  for (std::size_t i = 0; i < count; ++i) {
    ++counts[keys[i]];
    sums[i + 1] = sums[i] + keys[i];
    flags[i] = keys[i] > 4000 ? 1 : 0;
    if (flags[i] != 0) large.push_back(keys[i]);
  }
  on_each([&](const Device& device) {
    const Array<std::uint32_t> given(device, keys);
    Array<std::uint32_t> sorted(device, keys), values(device, places), copy(device, count), histogram(device, 5000),
        scanned(device, count + 1), gathered(device, count), chosen(device, count);
    const Array<std::uint8_t> flag(device, flags);
    primitives::sort(device, sorted, values);
    CHECK(values.download() == order);
    primitives::copy(device, given, copy);
    CHECK(copy.download() == keys);
    primitives::histogram(device, given, histogram);
    CHECK(histogram.download() == counts);
    primitives::exclusive_scan(device, given, scanned);
    CHECK(scanned.download() == sums);
    CHECK(primitives::sum(device, given) == sums.back());
    primitives::gather(device, given, values, gathered);
    CHECK(gathered.download() == sorted.download());
    REQUIRE(primitives::select(device, given, flag, chosen) == large.size());
    std::vector<std::uint32_t> first(large.size());
    chosen.download(first);
    CHECK(first == large);
  });
}

TEST_CASE("odd tunings: suffix array and common prefixes") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 1);
  std::vector<Code> text = bases(random, 9000);
  std::copy_n(text.begin(), 2000, text.begin() + 6000);  // repeated
  const std::vector<int> symbols(text.begin(), text.end());
  const auto positions = genocl_reference::sorted_suffixes(symbols);
  const auto prefixes = genocl_reference::kasai(symbols, positions);
  on_each([&](const Device& device) {
    for (const auto algorithm : {overlap::Algorithm::hybrid, overlap::Algorithm::dc3}) {
      const overlap::SuffixArray suffixes(device, text, {.algorithm = algorithm});
      CHECK(suffixes.download() == positions);
      CHECK(overlap::Lcp(suffixes).values().download() == prefixes);
    }
  });
}

TEST_CASE("odd tunings: scores of a search") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 2);
  const auto proteins = [&](std::size_t count, std::size_t longest) {
    std::vector<std::vector<Code>> all(count);
    for (auto& one : all) one = random.values_below<Code>(20 + random.below(longest), 20);
    return set_of(Alphabet::protein, all);
  };
  const SequenceSet queries = proteins(3, 60), subjects = proteins(70, 200);
  const align::Database database = align::Database::build(subjects);
  const align::SearchOptions options;
  on_each([&](const Device& device) {
    align::Searcher(device, database, options)
        .all_scores(queries, [&](std::size_t query, std::uint64_t first, std::span<const std::int32_t> scores) {
          REQUIRE(first == 0);
          REQUIRE(scores.size() == subjects.size());
          for (std::size_t s = 0; s < subjects.size(); ++s)
            CHECK(scores[s] == genocl_reference::local_score(queries[query], subjects[s], options.matrix, options.gap));
        });
  });
}

TEST_CASE("odd tunings: relaxation") {
  jacobi::Grid<float> given(150, 90);
  given.fill({.top = 100, .left = 25, .right = 75}, 0);
  const auto expected = genocl_reference::relax<float>(given.shape(), std::span<const float>(given.cells()), 25);
  const auto check = [&](std::span<const Device> all) {
    jacobi::Grid<float> grid(given.shape());
    std::copy(given.cells().begin(), given.cells().end(), grid.cells().begin());
    const jacobi::Report report = jacobi::solve<float>(all, grid, {.iterations = 25});
    CHECK(genocl_reference::hash_of<float>(grid.cells()) == genocl_reference::hash_of<float>(expected));
    return report;
  };
  on_each([&](const Device& device) {
    const jacobi::Report report = check(std::span(&device, 1));
    const bool lanes = device.tuning().relaxation_family == KernelFamily::cpu;
    CHECK(report.devices.front().kernel == (lanes ? jacobi::Kernel::rolling : jacobi::Kernel::stream));
  });
  // Two queues of a device, of which one is taken to be a thousand times as fast.
  Tuning fast = device_under_test().tuning(), slow = fast;
  fast.share = 10'000;
  slow.share = 10;
  const std::vector<Device> two = {device_under_test().with_own_queue().with_tuning(slow),
                                   device_under_test().with_own_queue().with_tuning(fast)};
  check(two);
}

TEST_CASE("odd tunings: reads of a genome") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 3);
  const std::vector<Code> genome = bases(random, 5000);
  const SequenceSet text = set_of(Alphabet::dna, {genome}), reads = parts_of(random, genome, 40, 60);
  on_each([&](const Device& device) {
    const auto index = marose::Index::build(device, text);
    for (const marose::Model model : {marose::Model::hamming, marose::Model::levenshtein}) {
      const marose::Mapper mapper(device, index,
                                  {.errors = {.count = 3}, .model = model, .report = marose::Report::all()});
      const marose::Hits hits = mapper.map(reads);
      for (std::size_t i = 0; i < reads.size(); ++i) {
        const auto expected = reference::map_read(text, reads[i], 3, model);
        CHECK(std::vector<marose::Hit>(hits.of(i).begin(), hits.of(i).end()) == expected);
      }
    }
  });
}

TEST_CASE("odd tunings: matches of a weight matrix") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 4);
  const SequenceSet text = set_of(Alphabet::dna, {bases(random, 30'000)});
  const auto motifs =
      pwm::parse_motifs(">M\nA [ 9 1 1 8 0 4 ]\nC [ 1 9 1 1 0 2 ]\nG [ 1 1 9 1 9 5 ]\nT [ 1 1 1 1 2 1 ]\n", "motifs");
  const pwm::ScoreMatrix matrix = pwm::log_odds(motifs.front(), {});
  const double threshold = matrix.score(std::vector<Code>{0, 1, 2, 0, 2, 3});
  const auto expected = genocl_reference::scan(matrix, threshold, text[0]);
  on_each([&](const Device& device) {
    for (const pwm::Method method : {pwm::Method::naive, pwm::Method::lookahead, pwm::Method::loss}) {
      const pwm::Scanner scanner(std::span(&device, 1), std::span(&matrix, 1), std::span(&threshold, 1),
                                 {.method = method});
      const std::vector<pwm::Hit> hits = scanner.scan(text);
      REQUIRE(hits.size() == expected.size());
      for (std::size_t i = 0; i < hits.size(); ++i) {
        CHECK(hits[i].position == expected[i].position);
        CHECK(hits[i].reverse == expected[i].reverse);
        CHECK(hits[i].score == expected[i].score);
      }
    }
  });
}
