// Suffix arrays against an array built by doubling on the host.
#include "genocl/overlap/suffix_array.hpp"

#include <array>
#include <span>

#include "genocl/error.hpp"
#include "overlap/cases.hpp"
#include "overlap/text_state.hpp"
#include "reference/suffix_array.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

using Positions = std::vector<std::uint32_t>;

void check_plain(const Device& device, const Bytes& bytes) {
  const overlap::SuffixArray suffixes(device, bytes);
  CHECK(suffixes.size() == bytes.size());
  const Positions positions = suffixes.download();
  CHECK_FALSE(reference::first_error(bytes, {}, positions).has_value());
}

/// The bytes in `count` records, a break behind each.
void check_separated(const Device& device, const Bytes& bytes, std::size_t count) {
  std::vector<std::span<const std::uint8_t>> records;
  Bytes joined;
  std::vector<bool> broken;
  for (std::size_t record = 0; record < count; ++record) {
    const std::size_t begin = bytes.size() * record / count, end = bytes.size() * (record + 1) / count;
    records.push_back(std::span(bytes).subspan(begin, end - begin));
    joined.insert(joined.end(), records.back().begin(), records.back().end());
    joined.push_back(0);
    broken.resize(joined.size() - 1, false);
    broken.push_back(true);
  }
  const overlap::SuffixArray suffixes(overlap::Text::separated(device, records));
  const Positions positions = suffixes.download();
  CHECK_FALSE(reference::first_error(joined, broken, positions).has_value());
}

}  // namespace

TEST_CASE("tiny: overlap suffix arrays") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const Bytes paper = bytes_of("ATTGCTAC");
    CHECK(overlap::SuffixArray(variant.device, paper).download() == Positions{6, 0, 7, 4, 3, 5, 2, 1});
    for (const auto& [name, bytes] : hard_texts(150, seed)) {
      CAPTURE(name);
      check_plain(variant.device, bytes);
    }
    check_separated(variant.device, random_text(*std::make_unique<std::mt19937_64>(seed), 150, 2), 12);
  }
}

TEST_CASE("suffix arrays of hard texts") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {2, 3, 5, 31, 32, 33, 300, 5'000, 20'000}) {
      CAPTURE(length);
      for (const auto& [name, bytes] : hard_texts(length, seed)) {
        CAPTURE(name);
        check_plain(variant.device, bytes);
        if (length <= 5'000)
          for (const std::size_t records : {1, 2, 50}) {
            CAPTURE(records);
            check_separated(variant.device, bytes, records);
          }
      }
    }
  }
}

TEST_CASE("suffix arrays of long texts") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (const Variant& variant : variants()) {
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
  }
}
