// SEG: windows whose letters are few or unevenly many, and within what they cover the part that is least probable.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "genocl/align/masking.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

constexpr std::size_t amino_acids = 20;
/// A window may have so many letters that are no amino acids.
constexpr std::uint32_t most_others = 2;
/// A segment is trimmed by so many letters at most.
constexpr std::size_t most_trim = 50;

/// How often each letter occurs in a window that moves along a sequence.
class Window {
 public:
  Window(std::span<const Code> text, std::size_t begin, std::size_t length)
      : text_(text), begin_(begin), length_(length) {
    for (const Code code : text.subspan(begin, length)) add(code, 1);
  }

  std::uint32_t others() const noexcept { return others_; }
  void shift() {
    add(text_[begin_], -1);
    add(text_[begin_ + length_], 1);
    ++begin_;
  }

  /// Counts from the highest: windows that differ in their letters alone give the same sums, rounded alike.
  std::array<std::uint32_t, amino_acids> sorted() const {
    std::array<std::uint32_t, amino_acids> counts = counts_;
    std::ranges::sort(counts, std::ranges::greater{});
    return counts;
  }

  /// Bits a letter.
  double entropy() const {
    const double letters = static_cast<double>(length_ - others_);
    double sum = 0;
    for (const std::uint32_t count : sorted()) {
      if (count == 0) break;
      sum += count * std::log(count / letters) / std::numbers::ln2;
    }
    return letters > 0 ? std::abs(sum / letters) : 0;
  }

 private:
  void add(Code code, int times) {
    if (code < amino_acids)
      counts_[code] += static_cast<std::uint32_t>(times);
    else
      others_ += static_cast<std::uint32_t>(times);
  }

  std::span<const Code> text_;
  std::size_t begin_, length_;
  std::array<std::uint32_t, amino_acids> counts_{};
  std::uint32_t others_ = 0;
};

/// ln n!, to the millionth: NCBI's program takes it from a table of such numbers, and which of two segments is less
/// probable may depend on them.
double ln_factorial(std::size_t n) {
  static const auto table = [] {
    std::array<double, 10'000> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::round(std::lgamma(static_cast<double>(i) + 1) * 1e6) / 1e6;
    return values;
  }();
  return n < table.size() ? table[n] : std::lgamma(static_cast<double>(n) + 1);
}

/// ln of how probable it is that a random text of that length has just these counts, in any letters: the ways to give
/// the counts to the letters, times the ways to order the text, out of 20^length.
double ln_probability(const std::array<std::uint32_t, amino_acids>& sorted, std::size_t length) {
  double ways = ln_factorial(amino_acids), orders = ln_factorial(length);
  for (std::size_t i = 0; i < amino_acids;) {
    std::size_t alike = i;
    while (alike < amino_acids && sorted[alike] == sorted[i]) ++alike;
    ways -= ln_factorial(alike - i);
    i = alike;
  }
  for (const std::uint32_t count : sorted) {
    if (count == 0) break;
    orders -= ln_factorial(count);
  }
  return ways + orders - static_cast<double>(length) * std::log(static_cast<double>(amino_acids));
}

/// The least probable part of a text, the longest and the first of equal ones.
LetterRange trimmed(std::span<const Code> text, const LetterRange& range) {
  const std::size_t length = range.end - range.begin;
  const std::size_t least = length > most_trim + 1 ? length - most_trim : 1;
  LetterRange best = range;
  double lowest = 1;
  for (std::size_t size = length; size > least; --size) {
    Window window(text, range.begin, size);
    for (std::size_t begin = range.begin;; ++begin) {
      const double probability = ln_probability(window.sorted(), size);
      if (probability < lowest) {
        lowest = probability;
        best = {begin, begin + size};
      }
      if (begin + size == range.end) break;
      window.shift();
    }
  }
  return best;
}

/// Finds the segments of part of a sequence, from left to right.
class SegFinder {
 public:
  SegFinder(std::span<const Code> text, const SegOptions& options, std::vector<LetterRange>& found)
      : text_(text), options_(options), found_(found) {}

  void find(std::size_t begin, std::size_t end) {
    const std::size_t size = options_.window;
    if (end - begin < size) return;
    // [i]: of the window that begins at begin + i; below 0 for one that is in no segment.
    std::vector<double> entropy;
    Window window(text_, begin, size);
    for (std::size_t i = begin;; ++i) {
      entropy.push_back(window.others() > most_others ? -1 : window.entropy());
      if (i + size == end) break;
      window.shift();
    }
    const auto goes_on = [&](std::size_t i) { return entropy[i] >= 0 && entropy[i] <= options_.high; };
    std::size_t first_left = 0;  // windows before it belong to segments that are done
    for (std::size_t i = 0; i < entropy.size(); ++i) {
      if (entropy[i] < 0 || entropy[i] > options_.low) continue;
      std::size_t low = i, high = i;
      while (low > first_left && goes_on(low - 1)) --low;
      while (high + 1 < entropy.size() && goes_on(high + 1)) ++high;
      const LetterRange segment = trimmed(text_, {begin + low, begin + high + size});
      // What is trimmed away at the left may have a segment of its own.
      if (begin + i + size <= segment.begin) find(begin + low, segment.begin);
      found_.push_back(segment);
      // On behind the windows that begin in the segment.
      i = std::min<std::size_t>(high, segment.end - 1 - begin);
      first_left = i + 1;
    }
  }

 private:
  std::span<const Code> text_;
  const SegOptions& options_;
  std::vector<LetterRange>& found_;
};

}  // namespace

std::vector<LetterRange> seg(std::span<const Code> protein, const SegOptions& options) {
  if (options.window == 0) throw InputError("SEG: a window of 0 letters; expected 1 or more");
  std::vector<LetterRange> found;
  SegFinder(protein, options, found).find(0, protein.size());
  // Those that overlap are one.
  std::ranges::sort(found, {}, &LetterRange::begin);
  std::vector<LetterRange> joined;
  for (const LetterRange& range : found) {
    if (!joined.empty() && range.begin < joined.back().end)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);
  }
  return joined;
}

}  // namespace genocl::align
