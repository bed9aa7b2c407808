// Suffix arrays against an order that is checked on the host in linear time.
#include "genocl/overlap/suffix_array.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "genocl/error.hpp"
#include "overlap/cases.hpp"
#include "overlap/suffix/hybrid_cases.hpp"
#include "overlap/text/text.hpp"
#include "runtime/state_access.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

void check_array(const overlap::SuffixArray& suffixes, const Bytes& bytes, const std::vector<bool>& separated = {}) {
  CHECK(suffixes.size() == bytes.size());
  const Positions positions = suffixes.download();
  const std::optional<std::size_t> error = reference::first_error(bytes, separated, positions);
  CAPTURE(error.value_or(0));
  CHECK_FALSE(error.has_value());
}

void check_plain(const Device& device, const Bytes& bytes) { check_array(overlap::SuffixArray(device, bytes), bytes); }

void check_separated(const Device& device, const Bytes& bytes, std::size_t count) {
  const Separated separated(device, bytes, count);
  check_array(overlap::SuffixArray(separated.text), separated.bytes, separated.separated);
}

}  // namespace

TEST_CASE("the oracle of suffix arrays") {
  GENOCL_SHOW_SEED();
  for (const auto& named : hard_texts(70, test_seed())) {
    const std::string& name = named.first;
    const Bytes& bytes = named.second;
    CAPTURE(name);
    Positions naive(bytes.size());
    for (std::size_t i = 0; i < naive.size(); ++i) naive[i] = static_cast<std::uint32_t>(i);
    std::sort(naive.begin(), naive.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::lexicographical_compare(bytes.begin() + a, bytes.end(), bytes.begin() + b, bytes.end());
    });
    CHECK(reference::suffix_array(bytes) == naive);
    CHECK_FALSE(reference::first_error(bytes, {}, naive).has_value());
    if (naive.size() < 2) continue;
    std::swap(naive[naive.size() / 2], naive[naive.size() / 2 - 1]);
    CHECK(reference::first_error(bytes, {}, naive).has_value());
  }
  // A separator is smaller than a symbol, an earlier one smaller than a later, the end smaller than either.
  const Bytes text = bytes_of("A-A-CA");
  const std::vector<bool> separated = {false, true, false, true, false, false};
  const Positions expected = {1, 3, 5, 0, 2, 4};
  CHECK(reference::suffix_array(text, separated) == expected);
  CHECK_FALSE(reference::first_error(text, separated, expected).has_value());
}

TEST_CASE("tiny: overlap suffix arrays") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const Bytes paper = bytes_of("ATTGCTAC");
    CHECK(overlap::SuffixArray(variant.device, paper).download() == Positions{6, 0, 7, 4, 3, 5, 2, 1});
    // Keys of two words, and rounds.
    check_plain(variant.device, random_text(random, 40, 15, "ACGTNRYSWKMBDHVacgtn"));
    if (variant.name != "cpu") check_plain(variant.device, Bytes(60, 'A'));
  }
}

TEST_CASE("suffix arrays of hard texts") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {2, 3, 4, 5, 31, 32, 33, 300, 5'000, 100'000}) {
      CAPTURE(length);
      for (const auto& named : hard_texts(length, test_seed())) {
        const std::string& name = named.first;
        const Bytes& bytes = named.second;
        if (length > 300 && bytes.size() < 300) continue;
        CAPTURE(name);
        check_plain(variant.device, bytes);
        for (const std::size_t records : {1, 2, 50}) {
          if (length > 5'000 && records != 50) continue;
          CAPTURE(records);
          check_separated(variant.device, bytes, records);
        }
      }
    }
  }
}

TEST_CASE("suffix arrays of long texts") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    // Long enough for the buckets of a CPU.
    Bytes bytes = random_text(random, 300'000);
    check_plain(variant.device, bytes);
    check_separated(variant.device, bytes, 700);
    // A few repeats of many lengths, one of them deeper than suffixes are compared at once.
    for (const std::size_t length : {20, 40, 100, 3'000, 20'000})
      for (unsigned copy = 0; copy < (length < 1'000 ? 40u : 2u); ++copy)
        std::copy_n(bytes.begin() + 1'000, length,
                    bytes.begin() + 30'000 + static_cast<std::ptrdiff_t>(random() % 240'000));
    check_plain(variant.device, bytes);
    check_separated(variant.device, bytes, 700);
    // More letters than 2 and 4 bits can number.
    check_plain(variant.device, random_text(random, 300'000, 15));
    for (std::uint8_t& symbol : bytes)
      if (random() % 50 == 0) symbol = static_cast<std::uint8_t>(random());
    check_plain(variant.device, bytes);
    // A set of records that are nearly the same.
    Bytes set;
    const Bytes genome = random_text(random, 6'000);
    for (unsigned record = 0; record < 50; ++record) {
      set.insert(set.end(), genome.begin(), genome.end());
      for (unsigned change = 0; change < 6; ++change)
        set[set.size() - 1 - random() % genome.size()] = static_cast<std::uint8_t>("ACGT"[random() % 4]);
    }
    check_plain(variant.device, set);
    check_separated(variant.device, set, 50);
    // Nearly all of it in one bucket.
    Bytes skewed(300'000, 'A');
    for (unsigned change = 0; change < 20; ++change) skewed[random() % skewed.size()] = 'C';
    check_plain(variant.device, skewed);
  }
}

TEST_CASE("suffix arrays are built again in the same memory") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    const Bytes first = random_text(random, 20'000);
    overlap::SuffixArray suffixes(variant.device, first);
    for (const std::size_t length : {20'000u, 5'000u, 0u, 7u, 150'000u, 200'000u}) {
      CAPTURE(length);
      const Bytes next = random_text(random, length);
      suffixes.rebuild(overlap::Text(variant.device, next));
      check_array(suffixes, next);
    }
    const overlap::SuffixArray moved = std::move(suffixes);
    CHECK(moved.size() == 200'000);
    CHECK(moved.text().size() == 200'000);
  }
}

TEST_CASE("suffix arrays report how they were built, and stop when told to") {
  Random random(7);
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    Bytes bytes = random_text(random, 200'000);
    const overlap::Text text(variant.device, bytes);
    std::uint64_t last = 0;
    overlap::SuffixArray suffixes(text, {.progress =
                                             [&](const ProgressState& state) {
                                               CHECK(state.items_done >= last);
                                               last = state.items_done;
                                               return true;
                                             },
                                         .time_steps = true});
    CHECK(last == text.size());
    const overlap::BuildReport& report = suffixes.report();
    CHECK(report.algorithm == overlap::Algorithm::hybrid);
    CHECK(report.finished_by == "keys");
    CHECK(report.rounds.size() == 1);
    CHECK_FALSE(report.steps.empty());
    CHECK(report.peak_bytes == overlap::SuffixArray::peak_bytes(variant.device, text.size(), 2, false));
    CHECK(report.peak_bytes >= genocl::runtime::state_of(text).bytes() + 4 * text.size());
    // A repeat that direct comparisons do not get through.
    std::copy_n(bytes.begin(), 30'000, bytes.begin() + 100'000);
    suffixes.rebuild(overlap::Text(variant.device, bytes));
    // CPU kernels expand comparisons in rounds, unless many workers would each read too many windows: then DC3 ends it.
    const std::string_view finished_by = suffixes.report().finished_by;
    if (variant.device.family() == KernelFamily::gpu)
      CHECK(finished_by == "rounds");
    else
      CHECK((finished_by == "rounds" || finished_by == "dc3"));
    if (finished_by == "rounds") CHECK(suffixes.report().rounds.size() > 1);
    CHECK(suffixes.report().steps.empty());
    check_array(suffixes, bytes);
    const overlap::SuffixArrayOptions stop{.progress = [](const ProgressState&) { return false; }};
    CHECK_THROWS_AS(suffixes.rebuild(text, stop), Cancelled);
    CHECK(suffixes.size() == 0);
    suffixes.rebuild(text);
    CHECK(suffixes.size() == text.size());
  }
  for (const overlap::Algorithm algorithm : {overlap::Algorithm::automatic, overlap::Algorithm::dc3,
                                             overlap::Algorithm::hybrid, overlap::Algorithm::published})
    CHECK(overlap::algorithm_named(overlap::to_string(algorithm)) == algorithm);
  CHECK_THROWS_AS(overlap::algorithm_named("sais"), InputError);
}
