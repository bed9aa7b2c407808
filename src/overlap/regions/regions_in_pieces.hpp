// The greatest length that enough kinds of suffix have in common, and the intervals of the array that have it, from
// values that go by once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/regions.hpp"
#include "genocl/overlap/text.hpp"
#include "overlap/regions/regions.hpp"

namespace genocl::overlap {

/// `kind_of(rank)` is below `kinds`; ranks [first, end) of an interval are those that share length() symbols, of
/// `quorum` kinds at least, which is 2 or more. A window of the array slides over neighbours that share at least as
/// much as is known to be common: kinds are asked for those alone, and the rest of the values is passed over.
template <class KindOf>
class LongestWindows {
 public:
  using Interval = std::pair<std::uint64_t, std::uint64_t>;

  LongestWindows(KindOf kind_of, std::uint64_t kinds, std::uint64_t quorum)
      : kind_of_(std::move(kind_of)), counts_(kinds), quorum_(quorum) {}

  /// The value of the next rank: how many symbols its suffix shares with the one before.
  void add(std::uint64_t value) {
    const std::uint64_t rank = next_++;
    if (value < std::max<std::uint64_t>(length_, 1)) {
      close(rank);
      restart(rank);
      return;
    }
    while (!minima_.empty() && minima_.back().value >= value) minima_.pop_back();
    minima_.push_back({rank, value});
    while (counted_ <= rank) enter(kind_of_(counted_++));
    // As few as hold enough kinds.
    while (distinct_ > quorum_ || counts_[kind_of_(first_)] > 1) leave(kind_of_(first_++));
    if (distinct_ < quorum_) return;
    const auto least = std::ranges::upper_bound(minima_, first_, {}, &Minimum::rank);
    if (least->value < length_ || (least->value == length_ && open_)) return;
    if (least->value > length_) intervals_.clear();
    length_ = least->value;
    open_ = true;
    const auto behind = std::ranges::lower_bound(minima_, length_, {}, &Minimum::value);
    begin_ = behind == minima_.begin() ? run_ : (behind - 1)->rank;
  }

  /// All values have come.
  void finish() { close(next_); }

  std::uint64_t length() const { return length_; }
  const std::vector<Interval>& intervals() const { return intervals_; }

 private:
  /// The least value from behind the one before up to here; both ascend.
  struct Minimum {
    std::uint64_t rank = 0, value = 0;
  };

  void enter(std::uint64_t kind) { distinct_ += counts_[kind]++ == 0 ? 1 : 0; }
  void leave(std::uint64_t kind) { distinct_ -= --counts_[kind] == 0 ? 1 : 0; }

  void close(std::uint64_t end) {
    if (open_) intervals_.emplace_back(begin_, end);
    open_ = false;
  }

  void restart(std::uint64_t rank) {
    while (first_ < counted_) leave(kind_of_(first_++));
    first_ = counted_ = run_ = rank;
    minima_.clear();
  }

  KindOf kind_of_;
  std::vector<std::uint64_t> counts_;  ///< [kind]: in the window
  std::uint64_t quorum_, distinct_ = 0;
  std::uint64_t next_ = 0, run_ = 0;       ///< run_: of neighbours that share as much, where it begins
  std::uint64_t first_ = 0, counted_ = 0;  ///< the window
  std::vector<Minimum> minima_;            ///< of the run's values
  std::uint64_t length_ = 0, begin_ = 0;   ///< begin_: of the open interval
  bool open_ = false;
  std::vector<Interval> intervals_;
};

/// The first device that has memory for the suffix array of `size` symbols and breaks as a whole, and for steps of
/// `bytes_per_symbol`; host memory if none has, or if pieces are asked for. Throws InputError for no device.
Placement placement_for(Devices devices, std::uint64_t size, unsigned bits, unsigned bytes_per_symbol,
                        const RegionOptions& options);

/// As regions.hpp says, of a text in host memory. The host holds the array, 4 bytes a symbol (8 from 2^32 - 1 symbols
/// on). Throws what sort_in_pieces() and lcp_in_pieces() throw.
Regions common_in_pieces(Devices devices, const Text& text, std::uint64_t border, const RegionOptions& options);
Regions shared_in_pieces(Devices devices, const Text& text, std::uint64_t quorum, const RegionOptions& options);
Regions repeated_in_pieces(Devices devices, const Text& text, const RegionOptions& options);

}  // namespace genocl::overlap
