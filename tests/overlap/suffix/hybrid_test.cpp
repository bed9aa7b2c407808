// The steps of `hybrid`, each on texts too small for it to be chosen.
#include "overlap/suffix/hybrid.hpp"

#include <algorithm>

#include "overlap/cases.hpp"
#include "overlap/suffix/hybrid_cases.hpp"
#include "overlap/suffix/suffix_array.hpp"
#include "runtime/state_access.hpp"

using namespace genocl;
using namespace overlap_test;
using namespace genocl::overlap::hybrid;

namespace {

/// Random bases with `copies` copies of each of a few words, without overlaps.
Bytes with_repeats(Random& random, std::size_t length, const std::vector<std::size_t>& copies, std::size_t word = 11) {
  Bytes bytes = random_text(random, length);
  std::vector<std::size_t> words;  // [piece of the text]: its word
  for (std::size_t repeat = 0; repeat < copies.size(); ++repeat) words.insert(words.end(), copies[repeat], repeat);
  std::shuffle(words.begin(), words.end(), random);
  const Bytes repeats = random_text(random, copies.size() * word);
  const std::size_t piece = length / words.size();
  REQUIRE(piece > word);
  for (std::size_t i = 0; i < words.size(); ++i)
    std::copy_n(repeats.begin() + static_cast<std::ptrdiff_t>(words[i] * word), word,
                bytes.begin() + static_cast<std::ptrdiff_t>(i * piece + random() % (piece - word)));
  return bytes;
}

void check_positions(const Array<std::uint32_t>& positions, const Bytes& bytes,
                     const std::vector<bool>& separated = {}) {
  CHECK_FALSE(reference::first_error(bytes, separated, positions.download()).has_value());
}

/// By buckets, and rounds for what these leave. False for a text too uneven for the device's workers.
bool check_buckets(const overlap::Text& text, const Bytes& bytes, const std::vector<bool>& separated = {}) {
  const overlap::SuffixArrayOptions options;
  overlap::BuildReport report;
  Array<std::uint32_t> positions(text.device(), text.size());
  const Task task{text.device(), genocl::runtime::state_of(text), positions, options, report};
  std::optional<KeyGroups> groups = sort_in_buckets(task, text.size(), 0);
  if (!groups.has_value()) return false;
  CHECK_FALSE(groups->given_up);
  if (groups->left.count != 0) sort_by_rounds(task, std::move(groups->left));
  check_positions(positions, bytes, separated);
  return true;
}

void check_rounds(const overlap::Text& text, const Bytes& bytes, const std::vector<bool>& separated = {}) {
  overlap::BuildReport report;
  Array<std::uint32_t> positions(text.device(), text.size());
  overlap::build_by_rounds(text.device(), genocl::runtime::state_of(text), positions, report);
  check_positions(positions, bytes, separated);
}

}  // namespace

TEST_CASE("tiny: overlap suffixes in buckets") {
  Random random(test_seed());
  const Device& device = cpu_device();
  const Bytes bytes = with_repeats(random, 260, {3, 6}, 20);
  CHECK(check_buckets(overlap::Text(device, bytes), bytes));
  const Separated separated(device, bytes, 5);
  CHECK(check_buckets(separated.text, separated.bytes, separated.separated));
}

TEST_CASE("tiny: overlap ties of suffixes in groups") {
  Random random(test_seed());
  const Device device = test_device().with_family(KernelFamily::gpu).without_vendor_paths();
  // Pairs, small groups and medium ones.
  const Bytes bytes = with_repeats(random, 1'500, {4, 20, 40});
  check_rounds(overlap::Text(device, bytes), bytes);
}

TEST_CASE("tiny: overlap samples of windows") {
  Random random(test_seed());
  const Device& device = cpu_device();
  const Bytes bytes = random_text(random, 300, 15);
  const overlap::Text text(device, bytes);
  const overlap::SuffixArrayOptions options;
  overlap::BuildReport report;
  Array<std::uint32_t> positions(device, text.size());
  CHECK_FALSE(repeats_on_cpu({device, genocl::runtime::state_of(text), positions, options, report}, 0));
}

TEST_CASE("a sample tells sets of copies from plain texts") {
  Random random(test_seed());
  const Device& device = cpu_device();
  const overlap::SuffixArrayOptions options;
  overlap::BuildReport report;
  const auto repeats = [&](const Bytes& bytes) {
    const overlap::Text text(device, bytes);
    Array<std::uint32_t> positions(device, text.size());
    return repeats_on_cpu({device, genocl::runtime::state_of(text), positions, options, report});
  };
  CHECK_FALSE(repeats(random_text(random, 300'000, 15)));
  Bytes copies = random_text(random, 150'000, 15);
  copies.insert(copies.end(), copies.begin(), copies.begin() + 140'000);
  CHECK(repeats(copies));
}

TEST_CASE("buckets of copies are given up early, those of a text with some repeats are not") {
  Random random(test_seed());
  const Device& device = cpu_device();
  const overlap::SuffixArrayOptions options;
  overlap::BuildReport report;
  const auto sorted = [&](const Bytes& bytes) {
    const overlap::Text text(device, bytes);
    Array<std::uint32_t> positions(device, text.size());
    std::optional<KeyGroups> groups =
        sort_in_buckets({device, genocl::runtime::state_of(text), positions, options, report}, text.size() / 16, 0);
    REQUIRE(groups.has_value());
    return std::pair(groups->given_up, groups->unresolved);
  };
  const Bytes one = random_text(random, 30'000);
  Bytes copies;
  for (int copy = 0; copy < 20; ++copy) copies.insert(copies.end(), one.begin(), one.end());
  const auto [given_up, seen] = sorted(copies);
  CHECK(given_up);
  CHECK(seen < copies.size() / 20);
  // Of this less is left than is done in rounds.
  Bytes plain = random_text(random, 600'000);
  std::copy_n(plain.begin(), 17'000, plain.begin() + 300'000);
  CHECK_FALSE(sorted(plain).first);
}

TEST_CASE("suffixes by buckets and by rounds, whatever the text") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {3, 33, 300, 3'000, 40'000}) {
      CAPTURE(length);
      for (const auto& named : hard_texts(length, test_seed())) {
        const std::string& name = named.first;
        const Bytes& bytes = named.second;
        CAPTURE(name);
        check_rounds(overlap::Text(variant.device, bytes), bytes);
        const Separated separated(variant.device, bytes, 1 + random() % 20);
        check_rounds(separated.text, separated.bytes, separated.separated);
        if (variant.name != "cpu" || bytes.empty()) continue;
        const overlap::Text text(variant.device, bytes);
        if (text.bits() != 2) continue;
        const bool whole = check_buckets(text, bytes);
        const bool in_records = check_buckets(separated.text, separated.bytes, separated.separated);
        if (name == "random bases") CHECK((whole && in_records));
      }
    }
    // Groups of all sizes at once.
    for (const std::size_t word : {15, 40, 100}) {
      const Bytes bytes = with_repeats(random, 2'000 * word, {2, 3, 9, 31, 32, 33, 34, 70, 300, 1'100}, word);
      check_rounds(overlap::Text(variant.device, bytes), bytes);
    }
  }
}
