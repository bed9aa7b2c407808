#include "overlap/regions/regions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/overlap/pieces.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "overlap/pieces/sort_in_pieces.hpp"
#include "overlap/rmq/enhanced_suffix_array.hpp"
#include "overlap/text/text.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

/// The greatest length that suffixes of at least `quorum` kinds, 2 or more, share, and the intervals of the array that
/// share it, in one pass over the LCP values. `kind_of(rank)` is below `kinds`. A window slides over neighbours that
/// share at least the length found so far; only these need a kind.
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

/// The fraction of the progress for the array.
constexpr double array_built = 0.6;

/// `kind_of(positions, rank)`: the kind of a suffix, as in LongestWindows.
template <class KindOf>
Regions longest_in_pieces(Devices devices, const Text& text, std::uint64_t kinds, std::uint64_t quorum,
                          const KindOf& kind_of, const RegionOptions& options) {
  const std::uint64_t size = text.size();
  if (size == 0) return {};
  const Stages stages(options.progress, size);
  const HostPositions positions =
      sort_on_host(devices, text, size > Text::longest,
                   {.piece_suffixes = options.piece_suffixes, .progress = stages.up_to(array_built)});
  const auto kind_of_rank = [&](std::uint64_t rank) { return kind_of(positions, rank); };
  LongestWindows windows(kind_of_rank, kinds, quorum);
  LcpPieceOptions lcp_options{.piece_values = options.piece_suffixes};
  lcp_options.progress = [&](const ProgressState& state) {
    stages.reach(array_built + (1 - array_built) * state.fraction);
    return true;
  };
  const PositionSource source = [&](std::uint64_t first, std::span<std::uint64_t> some) {
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = positions.at(first + i);
  };
  if (positions.is_wide())
    lcp_in_pieces(devices, text, size, source, PositionSink<std::uint64_t>([&](std::span<const std::uint64_t> values) {
                    for (const std::uint64_t value : values) windows.add(value);
                  }),
                  lcp_options);
  else
    lcp_in_pieces(devices, text, size, source, PositionSink<std::uint32_t>([&](std::span<const std::uint32_t> values) {
                    for (const std::uint32_t value : values) windows.add(value);
                  }),
                  lcp_options);
  windows.finish();
  Regions regions{.length = windows.length(), .positions = {}};
  for (const auto& [begin, end] : windows.intervals()) {
    std::vector<std::uint64_t>& places = regions.positions.emplace_back();
    for (std::uint64_t rank = begin; rank < end; ++rank) places.push_back(positions.at(rank));
    std::ranges::sort(places);
  }
  return regions;
}

/// The longest strings without a separator: the result for a quorum of one record. Needs no array.
Regions longest_runs(const Text& text) {
  const Text::State& state = runtime::state_of(text);
  Regions regions;
  std::vector<std::uint64_t> begins;
  std::uint64_t begin = 0;
  const auto take_run = [&](std::uint64_t end) {
    const std::uint64_t length = end - begin;
    if (length > regions.length) begins.clear();
    regions.length = std::max(regions.length, length);
    if (length != 0 && length == regions.length) begins.push_back(begin);
    begin = end + 1;
  };
  for (std::uint64_t i = 0; i < state.size; ++i)
    if (state.is_separator(i)) take_run(i);
  if (begin < state.size) take_run(state.size);
  const auto first_different = [&](std::uint64_t a, std::uint64_t b) {
    std::uint64_t i = 0;
    while (i < regions.length && state.code_at(a + i) == state.code_at(b + i)) ++i;
    return i;
  };
  std::ranges::sort(begins, [&](std::uint64_t a, std::uint64_t b) {
    const std::uint64_t i = first_different(a, b);
    return i == regions.length ? a < b : state.code_at(a + i) < state.code_at(b + i);
  });
  for (std::size_t k = 0; k < begins.size(); ++k) {
    if (k == 0 || first_different(begins[k - 1], begins[k]) < regions.length) regions.positions.emplace_back();
    regions.positions.back().push_back(begins[k]);
  }
  return regions;
}

}  // namespace

Placement placement_for(Devices devices, std::uint64_t size, unsigned bits, unsigned bytes_per_symbol,
                        const RegionOptions& options) {
  if (devices.empty()) throw InputError("no device given");
  if (options.piece_suffixes != 0 || size > Text::longest) return on_host;
  const auto found = std::ranges::find_if(devices, [&](const Device& device) {
    const std::uint64_t text_bytes = size * bits / 8 + size / 8;
    const std::uint64_t needed = std::max(SuffixArray::peak_bytes(device, size, bits, true),
                                          text_bytes + std::uint64_t{bytes_per_symbol} * size);
    return needed <= runtime::usable_memory(device) && 8 * size <= device.info().max_allocation;
  });
  return found == devices.end() ? Placement(on_host) : Placement(*found);
}

Regions common_in_pieces(Devices devices, const Text& text, std::uint64_t border, const RegionOptions& options) {
  const auto side = [border](const HostPositions& positions, std::uint64_t rank) {
    return std::uint64_t{positions.at(rank) < border ? 0u : 1u};
  };
  return longest_in_pieces(devices, text, 2, 2, side, options);
}

Regions shared_in_pieces(Devices devices, const Text& text, std::uint64_t quorum, const RegionOptions& options) {
  if (quorum == 1) return longest_runs(text);
  const auto record = [&](const HostPositions& positions, std::uint64_t rank) {
    return RecordLocator(text.begins()).record(positions.at(rank));
  };
  return longest_in_pieces(devices, text, text.begins().size() - 1, quorum, record, options);
}

Regions repeated_in_pieces(Devices devices, const Text& text, const RegionOptions& options) {
  // Two neighbours have different kinds.
  const auto parity = [](const HostPositions&, std::uint64_t rank) { return rank % 2; };
  return longest_in_pieces(devices, text, 2, 2, parity, options);
}

}  // namespace genocl::overlap
