#include "genocl/sequence/packed_dna.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "genocl/error.hpp"

namespace genocl {
namespace {

constexpr std::uint64_t per_word = PackedDna::bases_per_word;

/// Loads eight codes, the first in the highest byte.
std::uint64_t load8(const Code* codes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | codes[i];
  return value;
}

/// Gives the low two bits of eight codes, the first in the highest two of 16 bits.
std::uint64_t squeeze8(std::uint64_t value) {
  value &= 0x0303030303030303u;
  value = (value | value >> 6) & 0x000f000f000f000fu;
  value = (value | value >> 12) & 0x000000ff000000ffu;
  return (value | value >> 24) & 0xffffu;
}

/// Holds the four bases of each byte as codes.
constexpr std::array<std::array<Code, 4>, 256> unpack_table = [] {
  std::array<std::array<Code, 4>, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte)
    for (unsigned k = 0; k < 4; ++k) table[byte][k] = static_cast<Code>(byte >> (6 - 2 * k) & 3);
  return table;
}();

std::uint64_t end_of(const AmbiguousRun& run) { return run.position + run.length; }

/// The first run that ends after `position`.
auto run_after(std::span<const AmbiguousRun> runs, std::uint64_t position) {
  return std::partition_point(runs.begin(), runs.end(),
                              [&](const AmbiguousRun& run) { return end_of(run) <= position; });
}

std::size_t words_for(std::uint64_t bits) { return static_cast<std::size_t>((bits + 63) / 64 + 1); }

}  // namespace

PackedDna::PackedDna() : PackedDna(std::span<const Code>()) {}

PackedDna::PackedDna(PackedDna&& other) noexcept { *this = std::move(other); }

PackedDna::PackedDna(std::span<const Code> codes)
    : size_(codes.size()), words_(words_for(2 * size_)), offsets_{0, codes.size()} {
  pack(codes, 0);
}

PackedDna::PackedDna(const SequenceSet& set)
    : size_(set.residues()), words_(words_for(2 * size_)), offsets_(set.offsets().begin(), set.offsets().end()) {
  if (set.alphabet() != Alphabet::dna)
    throw InputError("PackedDna: a set of " + std::string(to_string(set.alphabet())) + " sequences, not of DNA");
  for (std::size_t i = 0; i < set.size(); ++i) pack(set[i], offsets_[i]);
}

PackedDna& PackedDna::operator=(PackedDna&& other) noexcept {
  if (this == &other) return *this;
  size_ = std::exchange(other.size_, 0);
  words_ = std::exchange(other.words_, {});
  runs_ = std::exchange(other.runs_, {});
  offsets_ = std::exchange(other.offsets_, {});
  return *this;
}

bool operator==(const PackedDna& a, const PackedDna& b) noexcept {
  return a.size_ == b.size_ && std::ranges::equal(a.words(), b.words()) && a.runs_ == b.runs_ &&
         std::ranges::equal(a.offsets(), b.offsets());
}

void PackedDna::pack(std::span<const Code> codes, std::uint64_t first) {
  const auto add = [&](std::size_t i) {
    const Code code = codes[i];
    const std::uint64_t position = first + i;
    if (dna::is_base(code)) {
      words_[position / per_word] |= std::uint64_t{code} << (62 - 2 * (position % per_word));
      return;
    }
    if (code >= dna::letters.size())
      throw InputError("PackedDna: code " + std::to_string(code) + " at position " + std::to_string(position) +
                       " is not a DNA code");
    // A run begins anew at the record's begin, whatever the record before ended with.
    const bool goes_on =
        i > 0 && codes[i - 1] == code && runs_.back().length < std::numeric_limits<std::uint32_t>::max();
    if (goes_on)
      ++runs_.back().length;
    else
      runs_.push_back({.position = position, .length = 1, .code = code});
  };

  std::size_t i = 0;
  while (i < codes.size() && (first + i) % per_word != 0) add(i++);
  for (; i + per_word <= codes.size(); i += per_word) {
    std::uint64_t word = 0;
    std::uint64_t seen = 0;
    for (std::size_t k = 0; k < per_word; k += 8) {
      const std::uint64_t eight = load8(codes.data() + i + k);
      seen |= eight;
      word = word << 16 | squeeze8(eight);
    }
    if ((seen & 0xfcfcfcfcfcfcfcfcu) == 0)
      words_[(first + i) / per_word] = word;
    else
      for (std::size_t k = 0; k < per_word; ++k) add(i + k);
  }
  while (i < codes.size()) add(i++);
}

Code PackedDna::operator[](std::uint64_t i) const {
  const auto run = run_after(runs_, i);
  return run != runs().end() && run->position <= i ? static_cast<Code>(run->code) : base(i);
}

void PackedDna::unpack(std::uint64_t first, std::span<Code> codes) const {
  if (first > size_ || codes.size() > size_ - first)
    throw InputError("PackedDna: bases [" + std::to_string(first) + ", +" + std::to_string(codes.size()) + ") of " +
                     std::to_string(size_));
  std::size_t i = 0;
  for (; i + per_word <= codes.size(); i += per_word) {
    const std::uint64_t word = window(first + i);
    for (unsigned k = 0; k < 8; ++k)
      std::copy_n(unpack_table[word >> (56 - 8 * k) & 0xff].begin(), 4, codes.data() + i + std::size_t{4} * k);
  }
  for (; i < codes.size(); ++i) codes[i] = base(first + i);

  const std::uint64_t end = first + codes.size();
  for (auto run = run_after(runs_, first); run != runs().end() && run->position < end; ++run) {
    const std::uint64_t from = std::max(run->position, first);
    std::ranges::fill(codes.subspan(from - first, std::min(end_of(*run), end) - from), static_cast<Code>(run->code));
  }
}

std::vector<Code> PackedDna::unpack() const {
  std::vector<Code> codes(size_);
  unpack(0, codes);
  return codes;
}

std::vector<std::uint64_t> PackedDna::ambiguity_mask() const {
  std::vector<std::uint64_t> mask(words_for(size_));
  for (const AmbiguousRun& run : runs_) {
    for (std::uint64_t i = run.position; i < end_of(run);) {
      const std::uint64_t bit = i % 64;
      const std::uint64_t count = std::min(64 - bit, end_of(run) - i);
      mask[i / 64] |= (~std::uint64_t{0} << (64 - count)) >> bit;
      i += count;
    }
  }
  return mask;
}

bool PackedDna::is_ambiguous(std::uint64_t first, std::uint64_t length) const {
  const auto run = run_after(runs_, first);
  return length != 0 && run != runs().end() && (run->position <= first || run->position - first < length);
}

PackedDna PackedDna::reverse_complement() const {
  PackedDna result;
  result.size_ = size_;
  result.words_.assign(words_.size(), 0);
  // Word w of the result is bases [end - 32, end) of this one, with end = size - 32 w. The last word reaches before
  // base 0: it is shifted up, and what the shift brings in are zeros, as padding must be.
  for (std::size_t w = 0; w * per_word < size_; ++w) {
    const std::uint64_t end = size_ - w * per_word;
    result.words_[w] = end >= per_word ? genocl::reverse_complement(window(end - per_word))
                                       : genocl::reverse_complement(words_[0]) << (2 * (per_word - end));
  }
  result.runs_.reserve(runs_.size());
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    result.runs_.push_back({.position = size_ - end_of(*run),
                            .length = run->length,
                            .code = dna::complement(static_cast<Code>(run->code))});
    // An ambiguous position holds A on this strand too, not the complement of the A it held on the other.
    for (std::uint64_t i = result.runs_.back().position; i < end_of(result.runs_.back());) {
      const std::uint64_t bit = i % per_word;
      const std::uint64_t count = std::min(per_word - bit, end_of(result.runs_.back()) - i);
      result.words_[i / per_word] &= ~((~std::uint64_t{0} << (64 - 2 * count)) >> (2 * bit));
      i += count;
    }
  }
  result.offsets_.clear();
  for (auto offset = offsets_.rbegin(); offset != offsets_.rend(); ++offset) result.offsets_.push_back(size_ - *offset);
  return result;
}

}  // namespace genocl
