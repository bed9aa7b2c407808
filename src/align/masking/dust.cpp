// Symmetric DUST: an interval is masked when its triplets repeat so much that it scores above the level, and no part of
// it scores higher ("perfect"). The score of n triplets of which kind t occurs c(t) times is the sum of c(t) (c(t) - 1)
// / 2 over n - 1.
#include <algorithm>
#include <array>
#include <string>

#include "genocl/align/masking.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

constexpr std::size_t kinds = 64;

/// Triplets with how often each kind occurs, and the sum of c (c - 1) / 2.
struct TripletCounts {
  std::array<std::uint32_t, kinds> of{};
  std::uint64_t sum = 0;

  void add(std::uint8_t kind) { sum += of[kind]++; }
  void remove(std::uint8_t kind) { sum -= --of[kind]; }
};

/// A perfect interval of triplets that begins at `begin`; its score is sum / pairs.
struct Perfect {
  std::size_t begin = 0;
  std::uint64_t sum = 0, pairs = 1;
};

/// Goes along triplets [0, size), and marks [begin, end) of the letters of each perfect interval.
class DustFinder {
 public:
  DustFinder(std::span<const std::uint8_t> triplets, const DustOptions& options)
      : triplets_(triplets), level_(options.level), most_(options.window - 2), few_(options.level / 5) {}

  /// Calls mark(first triplet, last triplet).
  template <class Mark>
  void find(Mark&& mark) {
    for (std::size_t last = 0; last < triplets_.size(); ++last) {
      const std::uint8_t kind = triplets_[last];
      if (last - begin_ == most_) leave();
      window_.add(kind);
      suffix_.add(kind);
      while (suffix_.of[kind] > few_) suffix_.remove(triplets_[suffix_begin_++]);
      // No suffix with each kind `few_` times at most scores above the level: neither does any when the window's own
      // sum is too low for those that are longer.
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

  /// The suffixes of the window that are perfect, from the shortest that can be.
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
  std::vector<Perfect> perfect_;  // that begin in the window; the last to begin first
};

}  // namespace

std::vector<LetterRange> dust(std::span<const Code> dna, const DustOptions& options) {
  if (options.window < 8 || options.window > 64)
    throw InputError("DUST: a window of " + std::to_string(options.window) + " letters; expected 8 to 64");
  if (options.level < 2 || options.level > 64)
    throw InputError("DUST: level " + std::to_string(options.level) + "; expected 2 to 64");
  std::vector<LetterRange> found;
  std::vector<std::uint8_t> triplets;
  std::vector<std::size_t> ends;  // [first letter] of what is marked from there
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

}  // namespace genocl::align
