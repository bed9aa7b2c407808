// How suffixes get into their order.
#include <algorithm>
#include <utility>

#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/pieces/piece_text.hpp"
#include "overlap/suffix/dc3.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap::pieces {
namespace {

using runtime::ceil_div;
using runtime::launch_items;
using runtime::Scratch;
using runtime::ScratchArray;

constexpr const char* const file = "overlap/pieces/piece_order.cl";
/// Members that a work-item has in its hands.
constexpr std::uint64_t merge_tile = 16;

/// Of pieces.clh's keys.
unsigned key_bits(unsigned text_bits) { return text_bits == 2 ? 64 : text_bits == 4 ? 61 : 60; }

/// The indices of the flags that are set. Room for all of them is taken only where it is needed.
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
                                                    Array<std::uint32_t>& order, Wanted wanted) const {
  const std::uint64_t count = order.size();
  ScratchArray<std::uint64_t> keys(device, count);
  launch_items(device, file, "piece_keys", order_defines(wanted), {.items = count, .bytes = count * 20}, text_->words,
               text_->breaks, size(), positions, keys, order, count);
  primitives::sort(device, keys, order, {.last_bit = key_bits(text_->bits)});
  return keys;
}

Order PieceText::sort(const Device& device, const Scratch& positions, std::uint64_t count, Wanted wanted) const {
  const auto launch = [&](const char* name, unsigned bytes, const auto&... arguments) {
    launch_items(device, file, name, order_defines(wanted), {.items = count, .bytes = count * bytes}, arguments...,
                 count);
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
  launch_items(device, file, "tie_members", own, each, keys, order.order, slots, members, groups, count);
  primitives::inclusive_scan(device, groups, groups);
  launch_items(device, file, "tie_tiles", own, by_tiles, text_->words, text_->breaks, size(), cover_, ranks_, positions,
               groups, members, count, tiles);
  for (std::uint64_t width = merge_tile; width < count; width *= 2) {
    launch_items(device, file, "tie_merge", own, by_tiles, text_->words, text_->breaks, size(), cover_, ranks_,
                 positions, groups, members, merged, width, count, tiles);
    launch_items(device, file, "tie_merged", own, by_tiles, groups, merged, members, width, count, tiles);
  }
  launch_items(device, file, "tie_place", own, each, slots, members, order.order, count);
  if (wanted == Wanted::names)
    launch_items(device, file, "tie_news", own, each, text_->words, text_->breaks, size(), positions, groups, members,
                 slots, order.names, count);
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

}  // namespace genocl::overlap::pieces
