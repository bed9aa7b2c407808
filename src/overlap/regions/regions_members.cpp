#include "overlap/regions/regions_members.hpp"

#include <algorithm>
#include <bit>

#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;
using Words = Array<std::uint32_t>;
using ScratchWords = runtime::ScratchArray<std::uint32_t>;

constexpr const char* file = "overlap/regions/regions.cl";

/// Places that are taken at once; more are counted first.
constexpr std::uint64_t first_guess = std::uint64_t{1} << 22;

/// Indices whose flag is set, in an array of just that size.
Words selected_indices(const Device& device, const Array<std::uint8_t>& flags) {
  ScratchWords indices(device, std::min<std::uint64_t>(flags.size(), first_guess));
  const std::uint64_t count = primitives::select_indices(device, flags, indices);
  Words exact(device, count);
  if (count > indices.size())
    primitives::select_indices(device, flags, exact);
  else
    exact.copy_from(indices, count);
  return exact;
}

Members members_with(const SortedText& sorted, const Array<std::uint8_t>& flags) {
  Members members;
  members.ranks = selected_indices(sorted.device(), flags);
  members.values = Words(sorted.device(), members.ranks.size());
  if (members.count() != 0) primitives::gather(sorted.device(), sorted.lcp, members.ranks, members.values);
  return members;
}

}  // namespace

Members members(const SortedText& sorted, std::uint32_t length) {
  runtime::ScratchArray<std::uint8_t> flags(sorted.device(), sorted.size());
  if (sorted.size() != 0)
    launch_items(sorted.device(), file, "flag_members", {}, {.items = sorted.size(), .bytes = 5 * sorted.size()},
                 sorted.lcp, length, flags, sorted.size());
  return members_with(sorted, flags);
}

ScratchWords break_marks(const Text::State& text) {
  ScratchWords marks(text.device, text.size);
  if (text.size == 0) return marks;
  launch_items(text.device, file, "mark_breaks", {}, {.items = text.size, .bytes = 4 * text.size}, text.breaks, marks,
               text.size);
  primitives::inclusive_max_scan(text.device, marks, marks);
  return marks;
}

ScratchWords runs_by_rank(const SortedText& sorted) {
  const ScratchWords marks = break_marks(sorted.text);
  ScratchWords runs(sorted.device(), sorted.size());
  if (sorted.size() != 0)
    launch_items(sorted.device(), file, "runs_by_rank", {}, {.items = sorted.size(), .bytes = 12 * sorted.size()},
                 sorted.positions, marks, runs, sorted.size());
  return runs;
}

Members members_of_run(const SortedText& sorted, const Words& runs, std::uint32_t length) {
  runtime::ScratchArray<std::uint8_t> flags(sorted.device(), sorted.size());
  if (sorted.size() != 0)
    launch_items(sorted.device(), file, "flag_runs", {}, {.items = sorted.size(), .bytes = 5 * sorted.size()}, runs,
                 length, flags, sorted.size());
  return members_with(sorted, flags);
}

Intervals::Intervals(const Device& device, const Members& members, std::uint32_t length)
    : device_(device), members_(members), length_(length), begins_(device, members.count()) {
  if (members.count() == 0) return;
  launch_items(device, file, "mark_begins", {}, {.items = members.count(), .bytes = 8 * members.count()},
               members.values, length, begins_, members.count());
  primitives::inclusive_max_scan(device, begins_, begins_);
}

bool Intervals::find(Words& marks, std::uint32_t least) {
  const std::uint64_t count = members_.count();
  if (count == 0) return false;
  primitives::inclusive_scan(device_, marks, marks);
  if (enough_.empty()) enough_ = ScratchWords(device_, count);
  Words found(device_, 1);
  found.fill(0);
  launch_items(device_, file, "find_enough", {}, {.items = count, .bytes = 16 * count}, members_.values, length_,
               begins_, marks, least, enough_, found, count);
  std::uint32_t any = 0;
  found.download(std::span(&any, 1));
  return any != 0;
}

Words Intervals::kept(const Words& values) {
  const std::uint64_t count = members_.count();
  if (flags_.empty()) {
    flags_ = runtime::ScratchArray<std::uint8_t>(device_, count);
    launch_items(device_, file, "flag_enough", {}, {.items = count, .bytes = 9 * count}, begins_, enough_, flags_,
                 count);
  }
  ScratchWords selected(device_, count);
  const std::uint64_t kept = primitives::select(device_, values, flags_, selected);
  Words exact(device_, kept);
  exact.copy_from(selected, kept);
  return exact;
}

Members members_of_both(const SortedText& sorted, const Members& all, std::uint32_t border, std::uint32_t length) {
  const Device& device = sorted.device();
  if (all.count() == 0) return {Words(device, 0), Words(device, 0)};
  Intervals intervals(device, all, length);
  ScratchWords marks(device, all.count());
  launch_items(device, file, "mark_crossings", {}, {.items = all.count(), .bytes = 20 * all.count()}, all.ranks,
               all.values, sorted.positions, border, length, marks, all.count());
  if (!intervals.find(marks, 1)) return {Words(device, 0), Words(device, 0)};
  return {intervals.kept(all.ranks), intervals.kept(all.values)};
}

std::vector<std::vector<std::uint64_t>> positions_of_intervals(const SortedText& sorted, const Members& members,
                                                               std::uint32_t length) {
  const Device& device = sorted.device();
  const std::uint64_t count = members.count();
  if (count == 0) return {};
  ScratchWords numbers(device, count);
  launch_items(device, file, "mark_numbers", {}, {.items = count, .bytes = 8 * count}, members.values, length, numbers,
               count);
  primitives::inclusive_scan(device, numbers, numbers);
  runtime::ScratchArray<std::uint64_t> keys(device, count);
  const unsigned bits = sorted.position_bits();
  launch_items(device, file, "place_keys", {}, {.items = count, .bytes = 20 * count}, numbers, members.ranks,
               sorted.positions, bits, keys, count);
  primitives::sort(device, keys, {.last_bit = bits + static_cast<unsigned>(std::bit_width(count))});
  std::vector<std::vector<std::uint64_t>> intervals;
  for (const std::uint64_t key : keys.download()) {
    if (intervals.size() <= key >> bits) intervals.emplace_back();
    intervals.back().push_back(key & ((std::uint64_t{1} << bits) - 1));
  }
  return intervals;
}

}  // namespace genocl::overlap
