// How large pieces can be, and where they are cut.
#include <algorithm>
#include <bit>
#include <string>

#include "genocl/error.hpp"
#include "overlap/pieces/sort_in_pieces.hpp"
#include "overlap/text/text_state.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap::pieces {
namespace {

using runtime::ceil_div;

constexpr unsigned usual_period_bits = 10, finer_period_bits = 8, most_period_bits = 16, least_period_bits = 6;
/// Pieces are numbered with 32 bits; and no larger, so that sorts of whole pieces stay well below that.
constexpr std::uint64_t most_suffixes = std::uint64_t{3} << 30;
/// Fewer to a piece are not worth planning for, and not asked for by memory.
constexpr std::uint64_t least_suffixes = std::uint64_t{1} << 12;
/// Fewer altogether are copied in less time than another queue costs.
constexpr std::uint64_t overlapped_from = std::uint64_t{1} << 24;
/// Of the memory that is free so much is planned with: buffers are kept in sizes that were asked for before.
constexpr double planned_share = 0.9;
/// The host's is wanted for what becomes of the pieces, too.
constexpr double host_share = 0.4;

std::uint64_t of(std::uint64_t bytes, double share) {
  return static_cast<std::uint64_t>(static_cast<double>(bytes) * share);
}

/// One device, and so many workers on it.
struct Room {
  const Device& device;
  const HostText& text;
  const Width& width;
  unsigned workers;

  std::uint64_t usable() const { return of(runtime::usable_memory(device), planned_share); }
  /// What stays while pieces are sorted.
  std::uint64_t kept(const DifferenceCover& cover) const {
    return text.bytes() + 4 * cover.samples(text.size()) + 16 * std::uint64_t{cover.period()};
  }
  std::uint64_t ranking(const DifferenceCover& cover) const {
    return kept(cover) + sample_bytes(device, cover.samples(text.size()), width);
  }
  std::uint64_t sorting(const DifferenceCover& cover, std::uint64_t most) const {
    return kept(cover) + workers * (piece_bytes(device, most, width) + chunk_bytes(text.size()));
  }
  /// How many suffixes a piece can have, or 0.
  std::uint64_t suffixes(const DifferenceCover& cover) const {
    const std::uint64_t bytes = usable(), largest = device.info().max_allocation / 8;
    const std::uint64_t least = std::min(least_suffixes, text.size());
    if (sorting(cover, least) > bytes || least > largest) return 0;
    std::uint64_t fits = least, not_any_more = std::min({text.size(), most_suffixes, largest}) + 1;
    while (not_any_more - fits > 1) {
      const std::uint64_t middle = fits + (not_any_more - fits) / 2;
      (sorting(cover, middle) <= bytes ? fits : not_any_more) = middle;
    }
    return fits;
  }
};

/// The least period from the usual one on for which all devices can rank the sample and sort pieces.
DifferenceCover cover_for(std::span<const Room> rooms, const PieceOptions& options, std::uint64_t size) {
  unsigned bits = usual_period_bits, last = most_period_bits;
  if (options.period != 0) {
    bits = last = static_cast<unsigned>(std::bit_width(options.period)) - 1;
    if (options.period != std::uint32_t{1} << bits || bits < least_period_bits || bits > most_period_bits)
      throw InputError("period", {}, std::to_string(options.period), "a power of two from 64 to 65,536");
  }
  for (;; ++bits) {
    const DifferenceCover cover(bits);
    const bool numbered = cover.samples(size) < 0xffff'ffffu;
    const Room* without = nullptr;
    for (const Room& room : rooms)
      if (room.ranking(cover) > room.usable() || room.suffixes(cover) == 0) without = &room;
    if (numbered && without == nullptr) return cover;
    if (bits != last) continue;
    if (without == nullptr) throw InputError("a text of " + std::to_string(size) + " symbols has too large a sample");
    const std::uint64_t needed =
        std::max(without->ranking(cover), without->sorting(cover, std::min(least_suffixes, size)));
    throw CapacityError("a suffix array in pieces on " + without->device.info().name, needed, without->usable());
  }
}

}  // namespace

Plan plan(std::span<const Device> devices, const HostText& text, const Width& width, const PieceOptions& options) {
  if (devices.empty()) throw InputError("no device given");
  const std::uint64_t size = text.size();
  if (!width.wide && size > Text::longest)
    throw InputError("a text of " + std::to_string(size) + " symbols: at most " + std::to_string(Text::longest) +
                     " with 32-bit positions");
  Plan plan;
  // The copies of one piece overlap with the kernels of the next, on devices that have a memory of their own.
  for (const Device& device : devices)
    if (!device.info().host_unified_memory && size >= overlapped_from) plan.workers = 2;
  std::vector<Room> rooms;
  for (const Device& device : devices) rooms.push_back({device, text, width, plan.workers});
  const DifferenceCover cover = cover_for(rooms, options, size);
  plan.period_bits = cover.period_bits;

  // Each worker has up to two pieces on the host, one that is made and one that waits.
  const std::uint64_t workers = devices.size() * plan.workers;
  const std::uint64_t host = runtime::available_host_memory();
  plan.most = options.piece_suffixes != 0 ? std::min(options.piece_suffixes, most_suffixes) : most_suffixes;
  for (const Room& room : rooms) plan.most = std::min(plan.most, room.suffixes(cover));
  if (options.piece_suffixes == 0 && host != runtime::no_limit)
    plan.most = std::clamp(of(host, host_share) / (2 * workers * width.bytes()), std::min(least_suffixes, plan.most),
                           plan.most);
  plan.most = std::min(plan.most, std::max<std::uint64_t>(size, 1));
  const DifferenceCover finer(finer_period_bits);
  if (options.period == 0 && finer.period_bits < cover.period_bits && finer.samples(size) < most_suffixes) {
    // Not where pieces become smaller by it.
    bool fits = true;
    for (const Room& room : rooms)
      fits = fits && room.ranking(finer) <= room.usable() && room.suffixes(finer) >= plan.most;
    if (fits) plan.finer_bits = finer.period_bits;
  }
  // As many for each worker as for another; where there are more than one the cuts are not even.
  plan.pieces = ceil_div(size, plan.most);
  if (plan.pieces > 1) plan.pieces = ceil_div(size, std::max<std::uint64_t>(plan.most - plan.most / 8, 1));
  if (options.piece_suffixes == 0 && workers > 1 && size >= least_suffixes * workers)
    plan.pieces = runtime::round_up(std::max<std::uint64_t>(plan.pieces, 1), workers);
  const std::uint64_t largest = plan.pieces > 1 ? plan.most : size;
  plan.host_bytes = std::min(2 * workers, std::max<std::uint64_t>(plan.pieces, 1)) * largest * width.bytes();
  runtime::check_host_memory("pieces of a suffix array", plan.host_bytes, host);
  const DifferenceCover& wider = plan.finer_bits != 0 ? finer : cover;
  for (const Room& room : rooms)
    plan.device_bytes = std::max({plan.device_bytes, room.ranking(wider), room.sorting(wider, largest)});
  return plan;
}

std::optional<std::vector<Range>> cut(std::span<const Splitter> splitters, std::span<const std::uint64_t> intervals,
                                      std::uint64_t pieces, std::uint64_t most) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : intervals) total += count;
  std::vector<Range> ranges(1);
  std::uint64_t done = 0;  // in ranges that are closed
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    const std::uint64_t count = intervals[k], so_far = ranges.back().count;
    if (count > most) return std::nullopt;
    // The range ends where that is nearer to its end if all were even.
    const std::uint64_t even = total / pieces * ranges.size() + total % pieces * ranges.size() / pieces;
    const std::uint64_t with = done + so_far + count;
    const bool near = with > even && with - even > even - std::min(even, done + so_far);
    if (so_far != 0 && count != 0 && (so_far + count > most || near)) {
      ranges.back().below = splitters[k - 1];
      done += so_far;
      ranges.push_back({.from = splitters[k - 1]});
    }
    ranges.back().count += count;
  }
  return ranges;
}

}  // namespace genocl::overlap::pieces
