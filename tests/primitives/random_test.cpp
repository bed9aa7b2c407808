#include "genocl/primitives/random.hpp"

#include <array>

#include "drawn_variants.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

/// Philox-4x32-10 in plain C++.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xd2511f53} * counter[0], b = std::uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  return counter;
}

std::uint64_t joined(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }

// The known-answer vectors of Random123 (kat_vectors, philox4x32 10).
TEST_CASE("tiny: random numbers are those of the published known-answer vectors") {
  struct Known {
    std::array<std::uint32_t, 4> counter;
    std::array<std::uint32_t, 2> key;
    std::vector<std::uint32_t> words;
  };
  const std::vector<Known> all{{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                               {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                                {0xa4093822, 0x299f31d0},
                                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  const std::array<std::uint32_t, 4> ones{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
  CHECK(philox(ones, {0xffffffff, 0xffffffff}) ==
        std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    for (const Known& known : all) {
      Array<std::uint32_t> words(variant.device, 4);
      // The number of an element has 64 bits, so that the highest bits of a counter are out of reach.
      const std::uint64_t block = joined(known.counter[0], known.counter[1]) & ~std::uint64_t{0} >> 2;
      primitives::random_words(variant.device, words,
                               {.seed = joined(known.key[0], known.key[1]),
                                .stream = joined(known.counter[2], known.counter[3]),
                                .first = 4 * block});
      const auto expected = philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                                    known.counter[2], known.counter[3]},
                                   known.key);
      CHECK(words.download() == std::vector<std::uint32_t>(expected.begin(), expected.end()));
      CHECK(philox(known.counter, known.key) ==
            std::array<std::uint32_t, 4>{known.words[0], known.words[1], known.words[2], known.words[3]});
    }
  }
}

TEST_CASE("random numbers in parts are those of the whole") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    Array<std::uint32_t> whole(variant.device, 50'001);
    primitives::random_words(variant.device, whole, {.seed = 5, .stream = 9, .first = 3});
    const std::vector<std::uint32_t> host = whole.download();
    for (std::size_t i = 0; i < host.size(); ++i) {
      const std::uint32_t number = static_cast<std::uint32_t>(i) + 3;
      if (host[i] != philox({number / 4, 0, 9, 0}, {5, 0})[number % 4]) FAIL("number ", number);
    }
    for (const std::size_t size : {0u, 1u, 2u, 7u, 1001u}) {
      Array<std::uint32_t> part(variant.device, size);
      primitives::random_words(variant.device, part, {.seed = 5, .stream = 9, .first = 3 + 10'002});
      CHECK(part.download() == std::vector<std::uint32_t>(host.begin() + 10'002, host.begin() + 10'002 + size));
    }
  }
}

}  // namespace
