#include "bench/overlap/drawn_genome.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "bench/data.hpp"
#include "runtime/parallel.hpp"

namespace genocl_bench {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint8_t base(std::uint32_t word) { return static_cast<std::uint8_t>("ACGT"[word >> 30]); }

Bytes random_bases(Drawn& drawn, std::size_t size) {
  Bytes bases(size);
  for (std::uint8_t& letter : bases) letter = base(drawn());
  return bases;
}

struct Family {
  std::vector<Bytes> templates;
  double share;           ///< of the text
  std::uint32_t changed;  ///< one letter in so many
  bool ends = false;      ///< a copy is an end of its template
  std::size_t tandem = 1;
};

std::vector<Family> families() {
  Drawn drawn(31);
  const auto some = [&](std::size_t count, std::size_t length) {
    std::vector<Bytes> templates;
    for (std::size_t i = 0; i < count; ++i) templates.push_back(random_bases(drawn, length));
    return templates;
  };
  return {{some(20, 300), 0.1, 8},
          {some(30, 6000), 0.17, 10, true},
          {some(1, 171), 0.02, 50, false, 300},
          {some(300, 1500), 0.2, 4, true}};
}

void append_copy(Bytes& block, const Family& family, Drawn& drawn, std::size_t most) {
  const Bytes& whole = family.templates[drawn() % family.templates.size()];
  for (std::size_t copy = 0; copy < family.tandem && block.size() < most; ++copy) {
    const std::size_t begin = family.ends ? drawn() % whole.size() : 0;
    for (std::size_t i = begin; i < whole.size() && block.size() < most; ++i) {
      const std::uint32_t word = drawn();
      block.push_back(word % family.changed == 0 ? base(word) : whole[i]);
    }
  }
}

/// What a copy of the family adds, in letters.
double length_of(const Family& family) {
  const auto whole = static_cast<double>(family.templates.front().size() * family.tandem);
  return family.ends ? whole / 2 : whole;
}

void draw_block(std::span<std::uint8_t> text, const std::vector<Family>& all, std::uint64_t seed) {
  Drawn drawn(seed);
  constexpr unsigned random_letters = 64;  // between any two places where a copy may begin
  double random_share = 1;
  for (const Family& family : all) random_share -= family.share;
  Bytes block;
  block.reserve(text.size());
  while (block.size() < text.size()) {
    double chosen = drawn.unit();
    const Family* family = nullptr;
    for (const Family& each : all) {
      const double expected = each.share / random_share / length_of(each) * random_letters;
      if (family == nullptr && chosen < expected) family = &each;
      chosen -= expected;
    }
    if (family != nullptr) append_copy(block, *family, drawn, text.size());
    for (unsigned i = 0; i < random_letters / 16 && block.size() < text.size(); ++i) {
      const std::uint32_t word = drawn();
      for (unsigned k = 0; k < 16 && block.size() < text.size(); ++k) block.push_back(base(word << 2 * k));
    }
  }
  std::ranges::copy(block, text.begin());
}

}  // namespace

std::vector<std::uint8_t> drawn_genome(std::uint64_t size) {
  constexpr std::uint64_t block = std::uint64_t{1} << 20;
  const std::vector<Family> all = families();
  Bytes text(size);
  const std::size_t blocks = (size + block - 1) / block;
  genocl::runtime::parallel_for(blocks, genocl::runtime::threads_for(blocks, 1, 64), [&](std::size_t i) {
    draw_block(std::span(text).subspan(i * block, std::min(block, size - i * block)), all, 1000 + i);
  });
  return text;
}

}  // namespace genocl_bench
