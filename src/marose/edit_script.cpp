#include "marose/edit_script.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "genocl/error.hpp"

namespace genocl::marose {
namespace {

/// Limits for which cells can be counted in int.
constexpr std::size_t max_script_letters = 1'000'000'000;
constexpr unsigned max_script_errors = 30'000;

void add(Alignment& alignment, Operation operation, int length) {
  if (length == 0) return;
  const auto count = static_cast<std::uint32_t>(length);
  if (operation != Operation::match) alignment.errors += count;
  auto& runs = alignment.runs;
  if (!runs.empty() && runs.back().operation == operation)
    runs.back().length += count;
  else
    runs.push_back({operation, count});
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

/// Letters with padding on either side: eight can be loaded anywhere, and nothing beyond an end matches. `pad` and
/// `unknown` differ between the read and the text.
class Padded {
 public:
  Padded(std::span<const Code> letters, Code pad, Code unknown) {
    std::uint8_t* to = few_.data();
    if (letters.size() + 2 * margin > few_.size()) {
      many_.resize(letters.size() + 2 * margin);
      to = many_.data();
    }
    std::fill_n(to, margin, pad);
    letters_ = to + margin;
    for (std::size_t i = 0; i < letters.size(); ++i) to[margin + i] = dna::is_base(letters[i]) ? letters[i] : unknown;
    std::fill_n(to + margin + letters.size(), margin, pad);
  }

  /// Letters i to i + 7; up to eight may be outside.
  std::uint64_t eight(std::ptrdiff_t i) const {
    std::uint64_t word = 0;
    std::memcpy(&word, letters_ + i, sizeof word);
    return word;
  }

 private:
  static constexpr std::size_t margin = 16;
  std::array<std::uint8_t, 1152> few_;
  std::vector<std::uint8_t> many_;
  const std::uint8_t* letters_ = nullptr;
};

/// Number of equal bytes at the front (in memory) of two words, and at the end.
int equal_in_front(std::uint64_t difference) {
  return (std::endian::native == std::endian::little ? std::countr_zero(difference) : std::countl_zero(difference)) / 8;
}
int equal_at_end(std::uint64_t difference) {
  return (std::endian::native == std::endian::little ? std::countl_zero(difference) : std::countr_zero(difference)) / 8;
}

/// Landau and Vishkin (1989). D(i, j) is the minimum number of errors of the first i letters of the read with the
/// first j of the text. Errors never decrease along a diagonal j - i = d: only the furthest row that e errors reach
/// on each diagonal is stored. Diagonals that no path from corner to corner within the bound visits are skipped.
/// O(errors^2) steps, each comparing eight letters at a time.
class Furthest {
 public:
  Furthest(std::span<const Code> read, std::span<const Code> text, unsigned errors)
      : read_(read, 0xf0, 0xf1),
        text_(text, 0xf2, 0xf3),
        rows_(static_cast<int>(read.size())),
        columns_(static_cast<int>(text.size())),
        bound_(static_cast<int>(errors)) {
    const std::size_t cells = (std::size_t{errors} + 1) * (errors + 1);
    if (cells > few_.size()) many_.resize(cells);
    reach_ = many_.empty() ? few_.data() : many_.data();
    const int last = columns_ - rows_;
    for (int e = 0; e <= bound_ && errors_ < 0; ++e) {
      for (int d = -e; d <= e; ++d) {
        const bool inside = std::abs(last - d) <= bound_ - e;
        reach_[cell(e, d)] = inside ? slide(start(e, d), d) : -1;
      }
      if (at(e, last) == rows_) errors_ = e;
    }
  }

  /// -1 for more than the bound.
  int errors() const { return errors_; }

  /// Traceback from the corner.
  void walk(Alignment& alignment) const {
    int i = rows_, d = columns_ - rows_;
    for (int e = errors_;; --e) {
      const int matched = matches_before(i, d);
      add(alignment, Operation::match, matched);
      i -= matched;
      if (e == 0) break;
      if (i > 0 && i + d > 0 && at(e - 1, d) >= i - 1) {
        add(alignment, Operation::mismatch, 1);
        --i;
      } else if (i + d > 0 && at(e - 1, d - 1) >= i) {
        add(alignment, Operation::deletion, 1);
        --d;
      } else {
        add(alignment, Operation::insertion, 1);
        --i, ++d;
      }
    }
    std::ranges::reverse(alignment.runs);
  }

 private:
  static std::size_t cell(int e, int d) {
    const int index = e * e + e + d;
    return static_cast<std::size_t>(index);
  }
  /// The last row on a diagonal with at most e errors; -1 if none that matters.
  int at(int e, int d) const { return std::abs(d) <= e ? reach_[cell(e, d)] : -1; }

  /// The row that one more error reaches.
  int start(int e, int d) const {
    if (e == 0) return 0;
    const int row = std::max({at(e - 1, d) + 1, at(e - 1, d - 1), at(e - 1, d + 1) + 1});
    return std::min({row, rows_, columns_ - d});
  }

  int slide(int i, int d) const {
    for (;; i += 8)
      if (const std::uint64_t difference = read_.eight(i) ^ text_.eight(i + d); difference != 0)
        return i + equal_in_front(difference);
  }

  int matches_before(int i, int d) const {
    const int from = i;
    for (;; i -= 8)
      if (const std::uint64_t difference = read_.eight(i - 8) ^ text_.eight(i + d - 8); difference != 0)
        return from - i + equal_at_end(difference);
  }

  Padded read_, text_;
  int rows_, columns_, bound_;
  int errors_ = -1;
  std::array<int, 256> few_;
  std::vector<int> many_;
  int* reach_ = nullptr;
};

/// D(j), the minimum errors of an alignment of the whole read that ends after the first j letters of the text. Bit
/// vectors of Myers (1999), one column of the table at a time, 64 rows in a word.
std::vector<std::uint32_t> errors_by_end(std::span<const Code> read, std::span<const Code> text) {
  struct Block {
    std::array<std::uint64_t, 4> equal = {};
    std::uint64_t plus = ~std::uint64_t{0}, minus = 0;  // vertical differences
  };
  std::vector<Block> blocks((read.size() + 63) / 64);
  for (std::size_t i = 0; i < read.size(); ++i)
    if (dna::is_base(read[i])) blocks[i / 64].equal[read[i]] |= std::uint64_t{1} << i % 64;
  const std::uint64_t last = std::uint64_t{1} << (read.size() + 63) % 64;

  auto errors = static_cast<std::uint32_t>(read.size());
  std::vector<std::uint32_t> result = {errors};
  result.reserve(text.size() + 1);
  for (const Code letter : text) {
    // Horizontal difference above the block; 0 above the first one.
    std::uint64_t plus_in = 0, minus_in = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      Block& block = blocks[b];
      std::uint64_t same = dna::is_base(letter) ? block.equal[letter] : 0;
      const std::uint64_t vertical = same | block.minus;
      same |= minus_in;
      const std::uint64_t horizontal = (((same & block.plus) + block.plus) ^ block.plus) | same;
      std::uint64_t plus = block.minus | ~(horizontal | block.plus), minus = block.plus & horizontal;
      const std::uint64_t bottom = b + 1 == blocks.size() ? last : std::uint64_t{1} << 63;
      const std::uint64_t plus_out = (plus & bottom) != 0 ? 1 : 0, minus_out = (minus & bottom) != 0 ? 1 : 0;
      plus = plus << 1 | plus_in;
      minus = minus << 1 | minus_in;
      block.plus = minus | ~(vertical | plus);
      block.minus = plus & vertical;
      plus_in = plus_out, minus_in = minus_out;
    }
    errors += static_cast<std::uint32_t>(plus_in) - static_cast<std::uint32_t>(minus_in);
    result.push_back(errors);
  }
  return result;
}

/// Length, in letters at the end of `text`, of the longest alignment of `read` with exactly `errors` errors, if none
/// has fewer. Banded table, from the ends of both.
std::uint32_t longest_alignment(std::span<const Code> read, std::span<const Code> text, unsigned errors) {
  const std::size_t width = 2 * std::size_t{errors} + 1;
  const std::uint32_t far = errors + 1;
  std::vector<std::uint32_t> row(width + 2, far), before;
  // row[b + 1] is the column j = i + b - errors.
  for (std::size_t b = errors; b < width; ++b) row[b + 1] = static_cast<std::uint32_t>(b - errors);
  for (std::size_t i = 1; i <= read.size(); ++i) {
    before = row;
    std::ranges::fill(row, far);
    for (std::size_t b = i < errors ? errors - i : 0; b < width; ++b) {
      const std::size_t j = i + b - errors;
      if (j > text.size()) break;
      std::uint32_t least = std::min(before[b + 2] + 1, row[b] + 1);
      if (j > 0)
        least = std::min(least, before[b + 1] + (matches(read[read.size() - i], text[text.size() - j]) ? 0u : 1u));
      row[b + 1] = std::min(least, far);
    }
  }
  for (std::size_t b = width; b-- > 0;)
    if (row[b + 1] == errors) return static_cast<std::uint32_t>(read.size() + b - errors);
  return 0;
}

std::vector<TextHit> find_hamming(std::span<const Code> read, std::span<const Code> text, unsigned errors) {
  std::vector<TextHit> hits;
  for (std::size_t begin = 0; begin + read.size() <= text.size(); ++begin) {
    unsigned mismatches = 0;
    for (std::size_t i = 0; i < read.size() && mismatches <= errors; ++i)
      mismatches += matches(read[i], text[begin + i]) ? 0 : 1;
    if (mismatches <= errors)
      hits.push_back({begin, static_cast<std::uint32_t>(read.size()), static_cast<std::uint16_t>(mismatches)});
  }
  return hits;
}

std::vector<TextHit> find_levenshtein(std::span<const Code> read, std::span<const Code> text, unsigned errors) {
  const std::vector<std::uint32_t> ends = errors_by_end(read, text);
  const auto is_best = [&](std::size_t j) {
    const std::size_t last = std::min(ends.size() - 1, j + errors);
    for (std::size_t other = j - std::min<std::size_t>(j, errors); other <= last; ++other)
      if (ends[other] < ends[j] || (ends[other] == ends[j] && other < j)) return false;
    return true;
  };
  std::vector<TextHit> hits;
  for (std::size_t j = 1; j < ends.size(); ++j) {
    if (ends[j] > errors || !is_best(j)) continue;
    const std::uint32_t length = longest_alignment(read, text.first(j), ends[j]);
    if (length > 0) hits.push_back({j - length, length, static_cast<std::uint16_t>(ends[j])});
  }
  return hits;
}

}  // namespace

void append_number(std::string& text, std::uint64_t number) {
  std::array<char, 20> digits;
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void edit_script(std::span<const Code> read, std::span<const Code> text, unsigned errors, Alignment& alignment) {
  alignment.runs.clear();
  alignment.errors = 0;
  if (align_without_gaps(read, text, errors, alignment)) return;
  const std::size_t gap = std::max(read.size(), text.size()) - std::min(read.size(), text.size());
  if (gap <= errors && read.size() <= max_script_letters && text.size() <= max_script_letters &&
      errors <= max_script_errors) {
    const Furthest furthest(read, text, errors);
    if (furthest.errors() >= 0) return furthest.walk(alignment);
  }
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
      case Operation::clip:
        break;
    }
  }
  append_number(tag, matched);
}

std::vector<TextHit> find_in_text(std::span<const Code> read, std::span<const Code> text, unsigned errors,
                                  Model model) {
  if (read.empty() || errors >= read.size()) return {};
  return model == Model::hamming ? find_hamming(read, text, errors) : find_levenshtein(read, text, errors);
}

}  // namespace genocl::marose
