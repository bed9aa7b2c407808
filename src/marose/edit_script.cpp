#include "marose/edit_script.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>

#include "genocl/error.hpp"

namespace genocl::marose {
namespace {

void add(Alignment& alignment, Operation operation) {
  if (operation != Operation::match) ++alignment.errors;
  auto& runs = alignment.runs;
  if (!runs.empty() && runs.back().operation == operation)
    ++runs.back().length;
  else
    runs.push_back({operation, 1});
}

bool align_without_gaps(std::span<const Code> read, std::span<const Code> text, unsigned errors, Alignment& alignment) {
  if (read.size() != text.size()) return false;
  unsigned mismatches = 0;
  for (std::size_t i = 0; i < read.size(); ++i) mismatches += matches(read[i], text[i]) ? 0 : 1;
  if (mismatches > errors) return false;
  for (std::size_t i = 0; i < read.size();) {
    const bool match = matches(read[i], text[i]);
    std::size_t end = i + 1;
    while (end < read.size() && matches(read[end], text[end]) == match) ++end;
    alignment.runs.push_back({match ? Operation::match : Operation::mismatch, static_cast<std::uint32_t>(end - i)});
    i = end;
  }
  alignment.errors = mismatches;
  return true;
}

/// D(i, j), the least errors of the first i letters of the read with the first j of the text, for |j - i| <= band, as
/// far as the way back needs it: for each i a word, bit b for j = i + b - band.
struct BitRows {
  struct Row {
    std::uint64_t diagonal;  ///< D(i, j) is reached from (i - 1, j - 1)
    std::uint64_t down;      ///< D(i, j) = D(i - 1, j) - 1
  };
  static constexpr unsigned widest = 31;

  BitRows(std::span<const Code> read, std::span<const Code> text, unsigned wanted_band);

  bool is_diagonal(std::size_t i, std::size_t j) const { return rows[i].diagonal >> bit(i, j) & 1; }
  /// Given that the diagonal is no way: whether D(i, j) is reached from (i, j - 1).
  bool is_deletion(std::size_t i, std::size_t j) const {
    return bit(i, j) > 0 && (rows[i].down >> (bit(i, j) - 1) & 1) != 0;
  }
  std::size_t bit(std::size_t i, std::size_t j) const { return j + band - i; }

  unsigned band;
  std::array<Row, 1024> short_rows;
  std::vector<Row> long_rows;
  Row* rows;
};

/// Myers' bit-vectors in Hyyrö's band (2003), with the band along the text: `plus` and `minus` are the differences
/// between neighbours in a row, `up` and `down` those between rows.
BitRows::BitRows(std::span<const Code> read, std::span<const Code> text, unsigned wanted_band) : band(wanted_band) {
  if (read.size() < short_rows.size()) {
    rows = short_rows.data();
  } else {
    long_rows.resize(read.size() + 1);
    rows = long_rows.data();
  }
  // equal[c]: bit b is whether text letter i + b - band, from 1, is c.
  std::array<std::uint64_t, 256> equal;
  equal[0] = equal[1] = equal[2] = equal[3] = 0;
  const auto enter = [&](std::size_t letter, unsigned b) {
    if (letter < text.size() && dna::is_base(text[letter])) equal[text[letter]] |= std::uint64_t{1} << b;
  };
  for (unsigned b = band; b < 64; ++b) enter(b - band, b);
  // Row 0: D(0, j) = |j|. Left of the text there is nothing that matches, so no way through there is shorter.
  std::uint64_t plus = ~std::uint64_t{0} << band, minus = ~plus;
  for (std::size_t i = 1; i <= read.size(); ++i) {
    const Code letter = read[i - 1];
    const std::uint64_t same = dna::is_base(letter) ? equal[letter] : 0;
    const std::uint64_t zero = (((same & plus) + plus) ^ plus) | same | minus;  // D(i, j) = D(i - 1, j - 1)
    const std::uint64_t up = minus | ~(zero | plus), down = zero & plus;
    rows[i] = {same | ~zero, down};
    plus = down | ~(zero >> 1 | up);
    minus = zero >> 1 & up;
    for (std::uint64_t& letters : std::span(equal).first(4)) letters >>= 1;
    enter(i + 63 - band, 63);
  }
}

/// The same with the numbers themselves, for wide bands.
struct NumberRows {
  NumberRows(std::span<const Code> read_letters, std::span<const Code> text_letters, unsigned wanted_band)
      : band(wanted_band), read(read_letters), text(text_letters) {
    const std::size_t width = 2 * std::size_t{band} + 1;
    numbers.assign((read.size() + 1) * width, far);
    for (std::size_t i = 0; i <= read.size(); ++i) {
      const std::size_t first = i > band ? i - band : 0;
      for (std::size_t j = first; j <= std::min(text.size(), i + band); ++j) {
        unsigned least = i == 0 ? static_cast<unsigned>(j) : j == 0 ? static_cast<unsigned>(i) : far;
        if (i > 0 && j > 0) least = at(i - 1, j - 1) + (matches(read[i - 1], text[j - 1]) ? 0 : 1);
        if (i > 0) least = std::min(least, at(i - 1, j) + 1);
        if (j > 0) least = std::min(least, at(i, j - 1) + 1);
        numbers[i * width + (j + band - i)] = std::min(least, far);
      }
    }
  }

  unsigned at(std::size_t i, std::size_t j) const {
    if (j + band < i || j > i + band) return far;
    return numbers[i * (2 * std::size_t{band} + 1) + (j + band - i)];
  }
  bool is_diagonal(std::size_t i, std::size_t j) const {
    return at(i, j) == at(i - 1, j - 1) + (matches(read[i - 1], text[j - 1]) ? 0 : 1);
  }
  bool is_deletion(std::size_t i, std::size_t j) const { return at(i, j) == at(i, j - 1) + 1; }

  static constexpr unsigned far = std::numeric_limits<unsigned>::max() / 2;
  unsigned band;
  std::span<const Code> read, text;
  std::vector<unsigned> numbers;
};

template <class Rows>
void walk_back(const Rows& rows, std::span<const Code> read, std::span<const Code> text, Alignment& alignment) {
  std::size_t i = read.size(), j = text.size();
  while (i > 0 || j > 0) {
    if (i > 0 && j > 0 && rows.is_diagonal(i, j)) {
      --i, --j;
      add(alignment, matches(read[i], text[j]) ? Operation::match : Operation::mismatch);
    } else if (j > 0 && (i == 0 || rows.is_deletion(i, j))) {
      --j;
      add(alignment, Operation::deletion);
    } else {
      --i;
      add(alignment, Operation::insertion);
    }
  }
  std::ranges::reverse(alignment.runs);
}

void append_number(std::string& text, std::uint64_t number) {
  std::array<char, 20> digits;
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

}  // namespace

void edit_script(std::span<const Code> read, std::span<const Code> text, unsigned errors, Alignment& alignment) {
  alignment.runs.clear();
  alignment.errors = 0;
  if (align_without_gaps(read, text, errors, alignment)) return;
  const std::size_t gap = std::max(read.size(), text.size()) - std::min(read.size(), text.size());
  if (gap <= errors) {
    if (errors <= BitRows::widest)
      walk_back(BitRows(read, text, errors), read, text, alignment);
    else
      walk_back(NumberRows(read, text, errors), read, text, alignment);
  }
  if (gap > errors || alignment.errors > errors)
    throw InputError("a hit of " + std::to_string(errors) + " errors on " + std::to_string(text.size()) +
                     " bases, which the read does not match");
}

void append_mismatch_tag(const Alignment& alignment, std::span<const Code> text, std::string& tag) {
  std::uint64_t matched = 0;
  std::size_t j = 0;
  for (const auto& [operation, length] : alignment.runs) {
    switch (operation) {
      case Operation::match:
        matched += length;
        j += length;
        break;
      case Operation::mismatch:
        for (std::uint32_t i = 0; i < length; ++i, matched = 0) {
          append_number(tag, matched);
          tag += dna::decode(text[j++]);
        }
        break;
      case Operation::deletion:
        append_number(tag, matched);
        matched = 0;
        tag += '^';
        for (std::uint32_t i = 0; i < length; ++i) tag += dna::decode(text[j++]);
        break;
      case Operation::insertion:
        break;
    }
  }
  append_number(tag, matched);
}

}  // namespace genocl::marose
