// What the tests of overlap share: the device under test, the ways in which a step runs on it, and texts.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "device_under_test.hpp"
#include "drawn_variants.hpp"
#include "genocl/device.hpp"
#include "random.hpp"

namespace overlap_test {

using genocl_test::Random;
using genocl_test::test_seed;

using Variant = genocl_test::DeviceVariant;

inline const genocl::Device& test_device() { return genocl_test::device_under_test(); }

using genocl_test::cpu_device;

inline std::vector<Variant> variants() { return genocl_test::device_variants(cpu_device()); }
inline std::vector<Variant> drawn_variants() { return genocl_test::drawn(variants()); }

using Bytes = std::vector<std::uint8_t>;

inline Bytes bytes_of(const std::string& letters) { return Bytes(letters.begin(), letters.end()); }

/// Drawn evenly from the first letters of `alphabet`.
inline Bytes random_text(Random& random, std::size_t length, unsigned letters = 4,
                         const std::string& alphabet = "ACGTNRYSWKMBDHV") {
  Bytes text(length);
  for (std::uint8_t& symbol : text) symbol = static_cast<std::uint8_t>(alphabet[random() % letters]);
  return text;
}

/// Bytes in `count` records, each followed by a separator, for the oracle. `whole` must outlive it.
struct BytesInRecords {
  std::vector<std::span<const std::uint8_t>> records;
  Bytes bytes;
  std::vector<bool> separated;

  BytesInRecords(const Bytes& whole, std::size_t count) {
    for (std::size_t record = 0; record < count; ++record) {
      const std::size_t begin = whole.size() * record / count, end = whole.size() * (record + 1) / count;
      records.push_back(std::span(whole).subspan(begin, end - begin));
      bytes.insert(bytes.end(), records.back().begin(), records.back().end());
      separated.resize(bytes.size(), false);
      bytes.push_back(0);
      separated.push_back(true);
    }
  }
};

/// Texts on which suffix sorting is known to go wrong or slow, with a name each.
inline std::vector<std::pair<std::string, Bytes>> hard_texts(std::size_t length, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<std::string, Bytes>> texts;
  texts.emplace_back("empty", Bytes());
  texts.emplace_back("one symbol", bytes_of("G"));
  texts.emplace_back("the paper's", bytes_of("ATTGCTAC"));
  texts.emplace_back("all equal", Bytes(length, 'A'));
  texts.emplace_back("all equal but the last", [&] {
    Bytes text(length, 'T');
    text.back() = 'A';
    return text;
  }());
  std::string a = "A", b = "AC";
  while (b.size() < length) a = std::exchange(b, b + a);
  texts.emplace_back("Fibonacci", bytes_of(b.substr(0, length)));
  Bytes thue(length);
  for (std::size_t i = 0; i < length; ++i) thue[i] = __builtin_popcountll(i) % 2 == 0 ? 'C' : 'G';
  texts.emplace_back("Thue-Morse", std::move(thue));
  const Bytes unit = random_text(random, 171);
  Bytes periodic(length);
  for (std::size_t i = 0; i < length; ++i) periodic[i] = unit[i % unit.size()];
  texts.emplace_back("period 171", std::move(periodic));
  Bytes every(length);
  for (std::size_t i = 0; i < length; ++i) every[i] = static_cast<std::uint8_t>(i < 256 ? i : random());
  texts.emplace_back("every byte", std::move(every));
  texts.emplace_back("random bases", random_text(random, length));
  texts.emplace_back("two letters", random_text(random, length, 2));
  texts.emplace_back("fifteen letters", random_text(random, length, 15));
  // Near-identical copies.
  const Bytes genome = random_text(random, length / 8 + 1);
  Bytes copies;
  while (copies.size() < length) {
    Bytes copy = genome;
    for (std::size_t k = 0; k < 1 + copy.size() / 500; ++k) copy[random() % copy.size()] = "ACGT"[random() % 4];
    copies.insert(copies.end(), copy.begin(), copy.end());
  }
  copies.resize(length);
  texts.emplace_back("near-identical copies", std::move(copies));
  Bytes runs = random_text(random, length);
  for (std::size_t i = length / 3; i < length / 2; ++i) runs[i] = 'N';
  texts.emplace_back("a run of N", std::move(runs));
  return texts;
}

}  // namespace overlap_test
