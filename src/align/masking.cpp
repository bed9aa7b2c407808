// Low-complexity masking: symmetric DUST and SEG.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "genocl/align/masking.hpp"
#include "genocl/error.hpp"

namespace genocl::align {

void mask_low_complexity(SequenceSet& set) {
  for (std::size_t i = 0; i < set.size(); ++i)
    set.mask(i, set.alphabet() == Alphabet::dna ? dust(set[i]) : seg(set[i]));
}

namespace {

constexpr std::size_t kinds = 64;

/// Triplet counts by kind, and the sum of c (c - 1) / 2 over the counts c.
struct TripletCounts {
  std::array<std::uint32_t, kinds> of{};
  std::uint64_t sum = 0;

  void add(std::uint8_t kind) { sum += of[kind]++; }
  void remove(std::uint8_t kind) { sum -= --of[kind]; }
};

/// A perfect interval of triplets from `begin` on, of score sum / pairs.
struct Perfect {
  std::size_t begin = 0;
  std::uint64_t sum = 0, pairs = 1;
};

/// Processes triplets [0, size) and marks the letters [begin, end) of each perfect interval.
class DustFinder {
 public:
  DustFinder(std::span<const std::uint8_t> triplets, const DustOptions& options)
      : triplets_(triplets), level_(options.level), most_(options.window - 2), few_(options.level / 5) {}

  /// Calls mark(first triplet, last triplet) for each interval.
  template <class Mark>
  void find(Mark&& mark) {
    for (std::size_t last = 0; last < triplets_.size(); ++last) {
      const std::uint8_t kind = triplets_[last];
      if (last - begin_ == most_) leave();
      window_.add(kind);
      suffix_.add(kind);
      while (suffix_.of[kind] > few_) suffix_.remove(triplets_[suffix_begin_++]);
      // No suffix with at most `few_` triplets of each kind scores above the level. Longer suffixes do not either if
      // the window's sum is too low for their length.
      if (suffix_begin_ > begin_ && 10 * window_.sum > level_ * (last + 1 - suffix_begin_)) extend(last, mark);
    }
  }

 private:
  void leave() {
    window_.remove(triplets_[begin_]);
    if (suffix_begin_ == begin_) suffix_.remove(triplets_[suffix_begin_++]);
    ++begin_;
    std::erase_if(perfect_, [&](const Perfect& one) { return one.begin < begin_; });
  }

  /// Visits the perfect suffixes of the window, from the shortest possible one on.
  template <class Mark>
  void extend(std::size_t last, Mark&& mark) {
    TripletCounts counts = suffix_;
    Perfect highest{.begin = 0, .sum = 0, .pairs = 1};  // within the suffix
    std::size_t inside = 0;                             // perfect_[0 .. inside) begin in the suffix
    const auto take = [&](const Perfect& one) {
      if (one.sum * highest.pairs > highest.sum * one.pairs) highest = one;
    };
    for (std::size_t begin = suffix_begin_; begin-- > begin_;) {
      const std::uint64_t before = counts.of[triplets_[begin]], pairs = last - begin;
      counts.add(triplets_[begin]);
      if (before == 0 || 10 * counts.sum <= level_ * pairs) continue;
      for (; inside < perfect_.size() && perfect_[inside].begin >= begin; ++inside) take(perfect_[inside]);
      if (counts.sum * highest.pairs < highest.sum * pairs) continue;
      highest = {.begin = begin, .sum = counts.sum, .pairs = pairs};
      perfect_.insert(perfect_.begin() + static_cast<std::ptrdiff_t>(inside), highest);
      ++inside;
      mark(begin, last);
    }
  }

  std::span<const std::uint8_t> triplets_;
  const std::uint64_t level_;
  const std::size_t most_;
  const std::uint32_t few_;
  TripletCounts window_, suffix_;  // suffix_: each kind at most few_ times
  std::size_t begin_ = 0, suffix_begin_ = 0;
  std::vector<Perfect> perfect_;  // perfect intervals in the window, in descending order of `begin`
};

}  // namespace

std::vector<Interval> dust(std::span<const Code> dna, const DustOptions& options) {
  if (options.window < 8 || options.window > 64)
    throw InputError("DUST: a window of " + std::to_string(options.window) + " letters; expected 8 to 64");
  if (options.level < 2 || options.level > 64)
    throw InputError("DUST: level " + std::to_string(options.level) + "; expected 2 to 64");
  std::vector<Interval> found;
  std::vector<std::uint8_t> triplets;
  std::vector<std::size_t> ends;  // [first letter] end of the masked range
  for (std::size_t begin = 0; begin < dna.size();) {
    std::size_t end = begin;
    while (end < dna.size() && dna::is_base(dna[end])) ++end;
    triplets.clear();
    for (std::size_t i = begin; i + 2 < end; ++i)
      triplets.push_back(static_cast<std::uint8_t>(dna[i] << 4 | dna[i + 1] << 2 | dna[i + 2]));
    ends.assign(triplets.size(), 0);
    DustFinder(triplets, options).find([&](std::size_t first, std::size_t last) {
      ends[first] = std::max(ends[first], last + 3);
    });
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i] == 0) continue;
      if (!found.empty() && begin + i <= found.back().end)
        found.back().end = std::max<std::uint64_t>(found.back().end, begin + ends[i]);
      else
        found.push_back({begin + i, begin + ends[i]});
    }
    begin = end + 1;
  }
  return found;
}

namespace {

constexpr std::size_t amino_acids = 20;
/// Maximum number of letters in a window that are not amino acids.
constexpr std::uint32_t max_others = 2;
/// Maximum number of letters that trimming removes from a segment.
constexpr std::size_t max_trim = 50;

/// Letter counts of a window that slides along a sequence.
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

  /// Counts in descending order. Windows with the same counts of different letters then give identical rounded sums.
  std::array<std::uint32_t, amino_acids> sorted() const {
    std::array<std::uint32_t, amino_acids> counts = counts_;
    std::ranges::sort(counts, std::ranges::greater{});
    return counts;
  }

  /// Entropy in bits per letter.
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

/// ln n!, rounded to 1e-6. NCBI's program uses a table of such values; with other roundings a different segment may be
/// the least probable.
double ln_factorial(std::size_t n) {
  static const auto table = [] {
    std::array<double, 10'000> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::round(std::lgamma(static_cast<double>(i) + 1) * 1e6) / 1e6;
    return values;
  }();
  return n < table.size() ? table[n] : std::lgamma(static_cast<double>(n) + 1);
}

/// Natural logarithm of the probability that a random text of this length has these counts, for any assignment of
/// letters. It is the number of assignments times the number of orders, divided by 20^length.
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

/// Returns the least probable part of a text; of equal ones the longest, then the first.
Interval trimmed(std::span<const Code> text, const Interval& range) {
  const std::size_t length = range.end - range.begin;
  const std::size_t least = length > max_trim + 1 ? length - max_trim : 1;
  Interval best = range;
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

/// Finds the segments of a range of a sequence, from left to right.
class SegFinder {
 public:
  SegFinder(std::span<const Code> text, const SegOptions& options, std::vector<Interval>& found)
      : text_(text), options_(options), found_(found) {}

  void find(std::size_t begin, std::size_t end) {
    const std::size_t size = options_.window;
    if (end - begin < size) return;
    // [i]: entropy of the window that begins at begin + i; negative if the window is in no segment.
    std::vector<double> entropy;
    Window window(text_, begin, size);
    for (std::size_t i = begin;; ++i) {
      entropy.push_back(window.others() > max_others ? -1 : window.entropy());
      if (i + size == end) break;
      window.shift();
    }
    const auto goes_on = [&](std::size_t i) { return entropy[i] >= 0 && entropy[i] <= options_.high; };
    std::size_t first_left = 0;  // segments before this window are complete
    for (std::size_t i = 0; i < entropy.size(); ++i) {
      if (entropy[i] < 0 || entropy[i] > options_.low) continue;
      std::size_t low = i, high = i;
      while (low > first_left && goes_on(low - 1)) --low;
      while (high + 1 < entropy.size() && goes_on(high + 1)) ++high;
      const Interval segment = trimmed(text_, {begin + low, begin + high + size});
      // The letters that trimming removes on the left may contain a separate segment.
      if (begin + i + size <= segment.begin) find(begin + low, segment.begin);
      found_.push_back(segment);
      // Continue after the windows that begin in the segment.
      i = std::min<std::size_t>(high, segment.end - 1 - begin);
      first_left = i + 1;
    }
  }

 private:
  std::span<const Code> text_;
  const SegOptions& options_;
  std::vector<Interval>& found_;
};

}  // namespace

std::vector<Interval> seg(std::span<const Code> protein, const SegOptions& options) {
  if (options.window == 0) throw InputError("SEG: a window of 0 letters; expected 1 or more");
  std::vector<Interval> found;
  SegFinder(protein, options, found).find(0, protein.size());
  // Merges overlapping segments.
  std::ranges::sort(found, {}, &Interval::begin);
  std::vector<Interval> joined;
  for (const Interval& range : found) {
    if (!joined.empty() && range.begin < joined.back().end)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);
  }
  return joined;
}

}  // namespace genocl::align
