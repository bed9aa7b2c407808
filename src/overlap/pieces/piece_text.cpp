#include "overlap/pieces/piece_text.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/histogram.hpp"
#include "genocl/primitives/scan.hpp"
#include "overlap/suffix/dc3.hpp"
#include "overlap/text/host_text_state.hpp"
#include "runtime/launch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap::pieces {
namespace {

using runtime::ceil_div;
using runtime::launch_items;
using runtime::Scratch;
using runtime::ScratchArray;

constexpr const char* const range_file = "overlap/pieces/piece_range.cl";
constexpr const char* const cover_file = "overlap/pieces/piece_cover.cl";
/// Places of a word of marks.
constexpr std::uint64_t word_places = 32;

}  // namespace

runtime::Defines PieceText::defines() const {
  return text_->defines()
      .set("PIECE_WIDE", width_.wide ? 1 : 0)
      .set("PIECE_BASE", width_.base)
      .set("PERIOD_BITS", period_bits_);
}

PieceText::PieceText(const Device& device, const HostText& text, const DifferenceCover& cover,
                     const std::optional<DifferenceCover>& finer, const Width& width)
    : text_(bring_to(device, text)), width_(width) {
  take_cover(cover);
  if (finer && mostly_tied(cover)) {
    device.release_scratch();
    take_cover(*finer);
    rank_sample(*finer);
  } else {
    rank_sample(cover);
  }
  device.finish();
}

void PieceText::take_cover(const DifferenceCover& cover) {
  period_bits_ = cover.period_bits;
  cover_ = Array<std::uint32_t>(text_->device, cover.table(size()));
}

Scratch PieceText::sample_of(const DifferenceCover& cover, std::uint64_t count) const {
  const Device& device = text_->device;
  const Array<std::uint32_t> elements(device, cover.elements);
  Scratch positions(device, count * width_.bytes());
  launch_items(device, cover_file, "cover_positions", defines(), {.items = count, .bytes = count * width_.bytes()},
               elements, static_cast<std::uint32_t>(cover.elements.size()), positions, count);
  return positions;
}

bool PieceText::mostly_tied(const DifferenceCover& cover) const {
  const Device& device = text_->device;
  const std::uint64_t count = cover.samples(size());
  if (count < 2) return false;
  const Scratch positions = sample_of(cover, count);
  ScratchArray<std::uint32_t> order(device, count);
  const ScratchArray<std::uint64_t> keys = sort_by_keys(device, positions, order, Wanted::order);
  ScratchArray<std::uint8_t> flags(device, count);
  launch_items(device, "overlap/pieces/piece_order.cl", "tie_flags", order_defines(Wanted::order),
               {.items = count, .bytes = count * 9}, keys, flags, count);
  ScratchArray<std::uint32_t> few(device, 1);
  return primitives::select_indices(device, flags, few) > count / 4;
}

void PieceText::rank_sample(const DifferenceCover& cover) {
  const Device& device = text_->device;
  const std::uint64_t count = cover.samples(size());
  ranks_ = Array<std::uint32_t>(device, count);
  if (count == 0) return;
  const auto launch = [&](const char* name, unsigned bytes, const auto&... arguments) {
    launch_items(device, cover_file, name, defines(), {.items = count, .bytes = count * bytes}, arguments..., count);
  };
  Scratch string(device, count * 4);
  std::uint32_t largest = 0;
  {
    const Scratch positions = sample_of(cover, count);
    const Order sorted = sort(device, positions, count, Wanted::names);
    sample_tied_ = sorted.tied;
    sorted.names.download(std::span(&largest, 1), count - 1);
    launch("cover_string", 24, cover_, positions, sorted.order, sorted.names, string);
  }
  if (largest == count) {
    string.swap_memory(ranks_);
    device.finish();
    return;
  }
  const Scratch suffixes(device, count * 4);
  sort_suffixes_of_names(device, string.buffer(), count, largest, suffixes.buffer());
  launch("cover_ranks", 8, suffixes, ranks_);
}

std::vector<Splitter> PieceText::sort_splitters(const Device& device, std::span<const std::uint64_t> places) const {
  std::vector<std::uint64_t> wide(places.begin(), places.end());
  for (std::uint64_t& position : wide) position += width_.base;
  const std::vector<std::uint32_t> narrow(wide.begin(), wide.end());
  const Scratch positions(device, places.size() * width_.bytes());
  runtime::upload(device, positions.buffer(), 0,
                  width_.wide ? static_cast<const void*>(wide.data()) : static_cast<const void*>(narrow.data()),
                  places.size() * width_.bytes());
  const Order sorted = sort(device, positions, places.size(), Wanted::keys);
  const std::vector<std::uint32_t> order = sorted.order.download();
  const std::vector<std::uint64_t> keys = sorted.keys.download();
  std::vector<Splitter> splitters(places.size());
  for (std::size_t i = 0; i < splitters.size(); ++i) splitters[i] = {keys[i], wide[order[i]]};
  return splitters;
}

std::vector<std::uint32_t> PieceText::count_intervals(const Device& device, std::span<const Splitter> splitters,
                                                      std::uint64_t first, std::uint64_t count) const {
  std::vector<std::uint64_t> keys, wide;
  for (const Splitter& splitter : splitters) {
    keys.push_back(splitter.key);
    wide.push_back(splitter.position);
  }
  const std::vector<std::uint32_t> narrow(wide.begin(), wide.end());
  const Array<std::uint64_t> keys_there(device, keys);
  const Scratch positions(device, std::max<std::uint64_t>(wide.size(), 1) * width_.bytes());
  runtime::upload(device, positions.buffer(), 0,
                  width_.wide ? static_cast<const void*>(wide.data()) : static_cast<const void*>(narrow.data()),
                  wide.size() * width_.bytes());
  ScratchArray<std::uint32_t> intervals(device, count);
  launch_items(device, range_file, "piece_intervals", defines(), {.items = count, .bytes = count * 5}, text_->words,
               text_->breaks, size(), cover_, ranks_, keys_there, positions,
               static_cast<std::uint32_t>(splitters.size()), first, intervals, count);
  Array<std::uint32_t> counts(device, splitters.size() + 1);
  primitives::histogram(device, intervals, counts);
  return counts.download();
}

Scratch PieceText::collect(const Device& device, const Range& range) const {
  Scratch positions(device, std::max<std::uint64_t>(range.count, 1) * width_.bytes());
  const Splitter from = range.from.value_or(Splitter{}), below = range.below.value_or(Splitter{});
  const std::uint32_t bounds = (range.from ? 1u : 0u) | (range.below ? 2u : 0u);
  std::uint64_t found = 0;
  const std::uint64_t most = ceil_div(std::min(chunk_places, size()), word_places);
  const ScratchArray<std::uint32_t> marks(device, most);
  for (std::uint64_t first = 0; first < size(); first += chunk_places) {
    const std::uint64_t places = std::min(chunk_places, size() - first), words = ceil_div(places, word_places);
    const runtime::ItemLaunch launch{.items = words, .bytes = places / 2, .least = 32};
    ScratchArray<std::uint32_t> counts(device, words), offsets(device, words + 1);
    const auto mark = [&](const auto lower, const auto upper) {
      launch_items(device, range_file, "piece_mark", defines(), launch, text_->words, text_->breaks, size(), cover_,
                   ranks_, from.key, lower, below.key, upper, bounds, first, marks, counts, words);
    };
    if (width_.wide)
      mark(from.position, below.position);
    else
      mark(static_cast<std::uint32_t>(from.position), static_cast<std::uint32_t>(below.position));
    primitives::exclusive_scan(device, counts, offsets);
    std::uint32_t here = 0;
    offsets.download(std::span(&here, 1), words);
    if (found + here > range.count) throw Error("a range of suffixes has more than were counted");
    launch_items(device, range_file, "piece_collect", defines(), launch, marks, offsets, first, found, positions,
                 words);
    found += here;
  }
  if (found != range.count) throw Error("a range of suffixes has fewer than were counted");
  return positions;
}

std::uint64_t PieceText::sort_range(const Device& device, const Range& range, void* sorted) const {
  if (range.count == 0) return 0;
  const Scratch positions = collect(device, range);
  const Order order = sort(device, positions, range.count, Wanted::order);
  const Scratch placed(device, range.count * width_.bytes());
  launch_items(device, "overlap/pieces/piece_order.cl", "piece_sorted", order_defines(Wanted::order),
               {.items = range.count, .bytes = range.count * (4 + 2 * width_.bytes())}, positions, order.order, placed,
               range.count);
  runtime::download(device, placed.buffer(), 0, sorted, range.count * width_.bytes());
  return order.tied;
}

std::uint64_t chunk_bytes(std::uint64_t size) {
  // Intervals and their histogram; marks, counts and offsets take less.
  return std::min(size, chunk_places) * 4 + (std::uint64_t{1} << 20);
}

}  // namespace genocl::overlap::pieces
