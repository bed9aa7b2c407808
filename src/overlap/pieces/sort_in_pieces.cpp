#include "overlap/pieces/sort_in_pieces.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/pieces/piece_text.hpp"
#include "overlap/suffix/dc3.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/chunks.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"

namespace genocl::overlap::pieces {
namespace {

using runtime::ceil_div;
using runtime::launch_items;
using runtime::Scratch;
using runtime::ScratchArray;

constexpr const char* const piece_order_file = "overlap/pieces/piece_order.cl";
/// Members of a work-item.
constexpr std::uint64_t merge_tile = 16;

/// Bits of the keys of pieces.clh.
unsigned key_bits(unsigned text_bits) { return text_bits == 2 ? 64 : text_bits == 4 ? 61 : 60; }

/// The indices of the set flags. A second pass is needed if more than an eighth is set.
ScratchArray<std::uint32_t> slots_of(const Device& device, const Array<std::uint8_t>& flags) {
  ScratchArray<std::uint32_t> slots(device, flags.size() / 8 + 1);
  const std::uint64_t found = primitives::select_indices(device, flags, slots);
  if (found <= slots.size()) {
    ScratchArray<std::uint32_t> exact(device, found);
    exact.copy_from(slots, found);
    return exact;
  }
  slots = ScratchArray<std::uint32_t>(device, found);
  primitives::select_indices(device, flags, slots);
  return slots;
}

}  // namespace

runtime::Defines PieceText::order_defines(Wanted wanted) const {
  return defines().set("PIECE_NAMES", wanted == Wanted::names ? 1 : 0).set("MERGE_TILE", merge_tile);
}

ScratchArray<std::uint64_t> PieceText::sort_by_keys(const Device& device, const Scratch& positions,
                                                    ScratchArray<std::uint32_t>& order, Wanted wanted) const {
  const std::uint64_t count = order.size();
  ScratchArray<std::uint64_t> keys(device, count);
  launch_items(device, piece_order_file, "piece_keys", order_defines(wanted), {.items = count, .bytes = count * 20},
               text_->words, text_->separators, size(), positions, keys, order, count);
  primitives::sort_replacing(device, keys, order, {.last_bit = key_bits(text_->bits)});
  return keys;
}

Order PieceText::sort(const Device& device, const Scratch& positions, std::uint64_t count, Wanted wanted) const {
  const auto launch = [&](const char* name, unsigned bytes, const auto&... arguments) {
    launch_items(device, piece_order_file, name, order_defines(wanted), {.items = count, .bytes = count * bytes},
                 arguments..., count);
  };
  Order order{.order = ScratchArray<std::uint32_t>(device, count)};
  ScratchArray<std::uint64_t> keys = sort_by_keys(device, positions, order.order, wanted);
  if (wanted == Wanted::names) {
    order.names = ScratchArray<std::uint32_t>(device, count);
    launch("key_news", 12, keys, order.names);
  }
  ScratchArray<std::uint32_t> slots;
  {
    ScratchArray<std::uint8_t> flags(device, count);
    launch("tie_flags", 9, keys, flags);
    slots = slots_of(device, flags);
  }
  order.tied = slots.size();
  if (order.tied != 0) sort_ties(device, positions, keys, slots, order, wanted);
  if (wanted == Wanted::keys) order.keys = std::move(keys);
  if (wanted == Wanted::names) primitives::inclusive_scan(device, order.names, order.names);
  return order;
}

void PieceText::sort_ties(const Device& device, const Scratch& positions, const Array<std::uint64_t>& keys,
                          const Array<std::uint32_t>& slots, Order& order, Wanted wanted) const {
  const std::uint64_t count = slots.size(), tiles = ceil_div(count, merge_tile);
  const runtime::Defines own = order_defines(wanted);
  const runtime::ItemLaunch each{.items = count, .bytes = count * 20},
      by_tiles{.items = tiles, .bytes = count * 64, .least = 16};
  ScratchArray<std::uint32_t> members(device, count), merged(device, count), groups(device, count);
  launch_items(device, piece_order_file, "tie_members", own, each, keys, order.order, slots, members, groups, count);
  primitives::inclusive_scan(device, groups, groups);
  launch_items(device, piece_order_file, "tie_tiles", own, by_tiles, text_->words, text_->separators, size(), cover_,
               ranks_, positions, groups, members, count, tiles);
  for (std::uint64_t width = merge_tile; width < count; width *= 2) {
    launch_items(device, piece_order_file, "tie_merge", own, by_tiles, text_->words, text_->separators, size(), cover_,
                 ranks_, positions, groups, members, merged, width, count, tiles);
    launch_items(device, piece_order_file, "tie_merged", own, by_tiles, groups, merged, members, width, count, tiles);
  }
  launch_items(device, piece_order_file, "tie_place", own, each, slots, members, order.order, count);
  if (wanted == Wanted::names)
    launch_items(device, piece_order_file, "tie_news", own, each, text_->words, text_->separators, size(), positions,
                 groups, members, slots, order.names, count);
}

std::uint64_t sample_bytes(const Device& device, std::uint64_t samples, const Width& width) {
  // Positions, order, keys, names and flags; ties when the sort's memory is free again.
  const std::uint64_t sorting = primitives::sort_scratch_bytes<std::uint64_t>(device, samples, true);
  const std::uint64_t names = samples * (width.bytes() + 4 + 8 + 4 + 1) + std::max(sorting, 16 * samples);
  return std::max(names, 8 * samples + names_dc3_bytes(device, samples));
}

std::uint64_t piece_bytes(const Device& device, std::uint64_t count, const Width& width) {
  const std::uint64_t sorting = primitives::sort_scratch_bytes<std::uint64_t>(device, count, true);
  return count * (2 * width.bytes() + 4 + 8 + 1) + std::max(sorting, 16 * count) + (std::uint64_t{1} << 20);
}

namespace {

/// Splitters per piece, for pieces of similar sizes; and their maximum, the number of bins of a histogram.
constexpr std::uint64_t splitters_of_piece = 64, max_splitters = 65'535;

/// Pieces from this size on release the scratch memory of their device.
constexpr std::uint64_t large = std::uint64_t{1} << 22;

/// Well-mixed bits of a number (SplitMix64).
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e37'79b9'7f4a'7c15;
  value = (value ^ value >> 30) * 0xbf58'476d'1ce4'e5b9;
  value = (value ^ value >> 27) * 0x94d0'49bb'1331'11eb;
  return value ^ value >> 31;
}

/// One place in each of `count` equal stretches of [0, size), ascending.
std::vector<std::uint64_t> drawn_places(std::uint64_t size, std::uint64_t count) {
  std::vector<std::uint64_t> places(count);
  const std::uint64_t stretch = size / count, longer = size % count;
  std::uint64_t begin = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t length = stretch + (k < longer ? 1 : 0);
    places[k] = begin + mixed(k) % length;
    begin += length;
  }
  return places;
}

/// A sorted piece.
struct Piece {
  std::unique_ptr<std::byte[]> positions;
  std::uint64_t count = 0;
};

class Sort {
 public:
  Sort(Devices devices, const Text& text, const Width& width, const PieceOptions& options)
      : devices_(devices),
        text_(text),
        width_(width),
        options_(options),
        plan_(plan(devices, text, width, options)),
        cover_(plan_.period_bits),
        finer_(plan_.finer_bits == 0 ? std::nullopt : std::optional<DifferenceCover>(plan_.finer_bits)),
        texts_(devices.size()) {}

  PieceReport run(const ByteSink& sink) {
    ask(0);
    runtime::parallel_for(devices_.size(), devices_.size(), [&](std::size_t i) {
      texts_[i] = std::make_unique<PieceText>(devices_[i], text_, cover_, finer_, width_);
      devices_[i].release_scratch();
    });
    ask(0);
    const std::vector<Range> ranges = cut_ranges();
    sort_ranges(ranges, sink);
    return report(ranges);
  }

 private:
  void ask(std::uint64_t done) const {
    if (options_.progress && !options_.progress({0, done, text_.size()})) throw Cancelled();
  }

  /// Numbers 0 to count - 1.
  static auto numbers(std::size_t count) {
    return [count, next = std::size_t{0}]() mutable { return next < count ? std::optional(next++) : std::nullopt; };
  }

  std::vector<Range> cut_ranges() const {
    const std::uint64_t size = text_.size();
    if (plan_.pieces < 2) return std::vector<Range>(size != 0 ? 1 : 0, Range{.count = size});
    std::uint64_t wanted = std::min(plan_.pieces * splitters_of_piece, max_splitters);
    for (;; wanted *= 4) {
      const std::uint64_t count = std::min({wanted, size, max_splitters});
      const std::vector<Splitter> splitters = texts_[0]->sort_splitters(devices_[0], drawn_places(size, count));
      if (auto ranges = cut(splitters, count_intervals(splitters), plan_.pieces, plan_.most)) return std::move(*ranges);
      if (count == max_splitters)
        throw InputError("pieces of at most " + std::to_string(plan_.most) + " of " + std::to_string(size) +
                         " suffixes: too many");
    }
  }

  std::vector<std::uint64_t> count_intervals(std::span<const Splitter> splitters) const {
    std::vector<std::uint64_t> sums(splitters.size() + 1, 0);
    const std::uint64_t size = text_.size();
    // Other queues read the texts.
    for (const Device& device : devices_) device.finish();
    runtime::for_each_chunk(
        devices_, numbers((size + chunk_places - 1) / chunk_places),
        [&](const Device& device, std::size_t on, std::size_t&& chunk) {
          const std::uint64_t first = chunk * chunk_places;
          return texts_[on]->count_intervals(device, splitters, first, std::min(chunk_places, size - first));
        },
        [&](std::vector<std::uint32_t>&& counts) {
          for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += counts[k];
          return std::uint64_t{0};
        },
        {.workers_per_device = 1});
    return sums;
  }

  /// Memory for any of the ranges. Reuses that of earlier pieces: new memory costs more than a copy.
  std::unique_ptr<std::byte[]> buffer_for(std::uint64_t suffixes) {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique_for_overwrite<std::byte[]>(suffixes * width_.bytes());
    std::unique_ptr<std::byte[]> memory = std::move(idle_.back());
    idle_.pop_back();
    return memory;
  }

  void sort_ranges(const std::vector<Range>& ranges, const ByteSink& sink) {
    std::uint64_t largest = 0;
    for (const Range& range : ranges) largest = std::max(largest, range.count);
    runtime::for_each_chunk(
        devices_, numbers(ranges.size()),
        [&](const Device& device, std::size_t on, std::size_t&& number) {
          const Range& range = ranges[number];
          Piece piece{buffer_for(largest), range.count};
          tied_ += texts_[on]->sort_range(device, range, piece.positions.get());
          // Buffers of this piece do not fit the next, and another worker may need the memory.
          if (range.count >= large) device.release_scratch();
          return piece;
        },
        [&](Piece&& piece) {
          sink(piece.positions.get(), piece.count);
          const std::lock_guard lock(mutex_);
          idle_.push_back(std::move(piece.positions));
          return piece.count;
        },
        {.workers_per_device = plan_.workers,
         .window_per_worker = 2,
         .items_total = text_.size(),
         .progress = options_.progress});
  }

  PieceReport report(const std::vector<Range>& ranges) const {
    PieceReport report;
    report.pieces = ranges.size();
    for (const Range& range : ranges) report.largest_piece = std::max(report.largest_piece, range.count);
    report.period = texts_[0]->period();
    report.samples = texts_[0]->samples();
    report.sample_tied = texts_[0]->sample_tied();
    report.tied = tied_;
    report.device_bytes = plan_.device_bytes;
    report.host_bytes = plan_.host_bytes;
    return report;
  }

  Devices devices_;
  const Text& text_;
  const Width& width_;
  const PieceOptions& options_;
  Plan plan_;
  DifferenceCover cover_;
  std::optional<DifferenceCover> finer_;
  std::vector<std::unique_ptr<PieceText>> texts_;  // [device]
  std::atomic<std::uint64_t> tied_ = 0;
  std::mutex mutex_;  // of idle_
  std::vector<std::unique_ptr<std::byte[]>> idle_;
};

}  // namespace

PieceReport sort(Devices devices, const Text& text, const Width& width, const ByteSink& sink,
                 const PieceOptions& options) {
  if (text.size() == 0 && !devices.empty()) return {};
  return Sort(devices, text, width, options).run(sink);
}

}  // namespace genocl::overlap::pieces

namespace genocl::overlap {
namespace {

template <class Position>
PieceReport sort_as(Devices devices, const Text& text, const PositionSink<Position>& sink,
                    const PieceOptions& options) {
  return pieces::sort(
      devices, text, {.wide = sizeof(Position) == 8},
      [&sink](const std::byte* positions, std::uint64_t count) {
        sink({reinterpret_cast<const Position*>(positions), static_cast<std::size_t>(count)});
      },
      options);
}

}  // namespace

PieceReport sort_in_pieces(Devices devices, const Text& text, const PositionSink<std::uint64_t>& sink,
                           const PieceOptions& options) {
  return sort_as(devices, text, sink, options);
}

PieceReport sort_in_pieces(Devices devices, const Text& text, const PositionSink<std::uint32_t>& sink,
                           const PieceOptions& options) {
  return sort_as(devices, text, sink, options);
}

}  // namespace genocl::overlap
