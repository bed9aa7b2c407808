// The longest texts of many records: the greatest length at which an interval of the suffix array holds suffixes of
// enough records.
#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "genocl/error.hpp"
#include "genocl/overlap/regions.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/regions/regions_members.hpp"
#include "overlap/regions/regions_pieces.hpp"
#include "overlap/regions/regions_steps.hpp"
#include "overlap/text/coded_text.hpp"
#include "overlap/text/host_text_state.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;
using Words = Array<std::uint32_t>;

/// Where the search begins: few suffixes of a genome have as much in common by chance.
constexpr std::uint32_t first_length = 16;

/// Members, and for each 1 + the rank of the one before it of the same record, or 0.
struct Linked {
  Members members;
  Words previous;
};

Linked linked(const SortedText& sorted, Members members) {
  const Device& device = sorted.device();
  const std::uint64_t count = members.count();
  Linked result{std::move(members), Words(device, count)};
  if (count == 0) return result;
  runtime::ScratchArray<std::uint32_t> records(device, count), indices(device, count);
  const Words begins = sorted.upload_begins();
  launch_items(device, "overlap/regions/shared.cl", "records_of_members", {}, {.items = count, .bytes = 16 * count},
               result.members.ranks, sorted.positions, begins, sorted.records(), records, indices, count);
  primitives::sort(device, records, indices, {.last_bit = static_cast<unsigned>(std::bit_width(sorted.records()))});
  launch_items(device, "overlap/regions/shared.cl", "link_records", {}, {.items = count, .bytes = 16 * count}, records,
               indices, result.members.ranks, result.previous, count);
  return result;
}

/// Whether there is a text of `length` in enough records; then only the members with one are left.
bool narrow(const Device& device, Linked& linked, std::uint32_t length, std::uint32_t quorum) {
  const std::uint64_t count = linked.members.count();
  if (count == 0) return false;
  Intervals intervals(device, linked.members, length);
  {
    runtime::ScratchArray<std::uint32_t> marks(device, count);
    launch_items(device, "overlap/regions/shared.cl", "mark_first_of_record", {}, {.items = count, .bytes = 16 * count},
                 intervals.begins(), linked.members.ranks, linked.previous, marks, count);
    if (!intervals.find(marks, quorum)) return false;
  }
  Linked left;
  left.members.ranks = intervals.kept(linked.members.ranks);
  left.members.values = intervals.kept(linked.members.values);
  left.previous = intervals.kept(linked.previous);
  linked = std::move(left);
  return true;
}

/// Texts of one record, which is all that is asked for: the longest without a break.
Regions longest_runs(const SortedText& sorted) {
  const runtime::ScratchArray<std::uint32_t> runs = runs_by_rank(sorted);
  const std::uint32_t length = primitives::maximum(sorted.device(), runs);
  if (length == 0) return {};
  return {length, positions_of_intervals(sorted, members_of_run(sorted, runs, length), length)};
}

std::vector<SharedRegion> shared(const Text& text, std::uint64_t quorum, const RegionOptions& options) {
  const Stages stages(options.progress, text.size());
  const Sorting sorting(text, "longest shared regions", bytes_of_shared, stages);
  std::vector<SharedRegion> result = shared_regions(shared_of_text(sorting.sorted(), quorum), text.state().begins);
  stages.reach(1);
  return result;
}

std::vector<SharedRegion> shared(std::span<const Device> devices, const HostText& text, std::uint64_t quorum,
                                 const RegionOptions& options) {
  return shared_regions(shared_in_pieces(devices, text, quorum, options), text.state().begins);
}

void check_quorum(std::uint64_t quorum, std::uint64_t records) {
  if (quorum == 0) throw InputError("a quorum of 0 records: at least 1");
  if (quorum > records)
    throw InputError("a quorum of " + std::to_string(quorum) + " records: there are " + std::to_string(records));
}

}  // namespace

Regions shared_of_text(const SortedText& sorted, std::uint64_t quorum) {
  const Device& device = sorted.device();
  if (sorted.size() == 0) return {};
  if (quorum == 1) return longest_runs(sorted);
  const std::uint32_t most = primitives::maximum(device, sorted.lcp);
  if (most == 0) return {};
  const auto least = static_cast<std::uint32_t>(quorum);
  // Enough records share `low` symbols, or none are known yet; they do not share `high`.
  std::uint32_t low = 0, high = most + 1;
  std::uint32_t length = std::min(first_length, most);
  Linked left = linked(sorted, members(sorted, length));
  if (!narrow(device, left, length, least)) {
    high = length;
    if (high == 1) return {};
    left = linked(sorted, members(sorted, 1));
    if (!narrow(device, left, 1, least)) return {};
    length = 1;
  }
  low = length;
  // Doubled as long as it goes: every success leaves fewer members; then halved.
  for (bool doubling = true; high - low > 1;) {
    const std::uint32_t middle = low + (high - low) / 2;
    length = doubling && low < middle - low ? 2 * low : middle;
    if (narrow(device, left, length, least)) {
      low = length;
    } else {
      high = length;
      doubling = false;
    }
  }
  return {low, positions_of_intervals(sorted, left.members, low)};
}

std::vector<SharedRegion> longest_shared(std::span<const Device> devices, const SequenceSet& records,
                                         std::uint64_t quorum, const RegionOptions& options) {
  check_quorum(quorum, records.size());
  const std::array<const SequenceSet*, 1> sets = {&records};
  const unsigned bits = bits_for(symbols_of(records.alphabet(), options.letters).size());
  const std::uint64_t size = size_of(sets);
  if (const Device* const device = device_for_whole(devices, size, bits, bytes_of_shared, options))
    return shared(Text::separated(*device, sets, options.letters), quorum, options);
  return shared(devices, HostText::separated(sets, {.letters = options.letters}), quorum, options);
}
std::vector<SharedRegion> longest_shared(const Device& device, const SequenceSet& records, std::uint64_t quorum,
                                         const RegionOptions& options) {
  return longest_shared(std::span(&device, 1), records, quorum, options);
}

std::vector<SharedRegion> longest_shared(std::span<const Device> devices, ByteStrings records, std::uint64_t quorum,
                                         const RegionOptions& options) {
  check_quorum(quorum, records.size());
  if (const Device* const device = device_for_whole(devices, size_of(records), 8, bytes_of_shared, options))
    return shared(Text::separated(*device, records), quorum, options);
  return shared(devices, HostText::separated(records), quorum, options);
}
std::vector<SharedRegion> longest_shared(const Device& device, ByteStrings records, std::uint64_t quorum,
                                         const RegionOptions& options) {
  return longest_shared(std::span(&device, 1), records, quorum, options);
}

}  // namespace genocl::overlap
