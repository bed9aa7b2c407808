#include "overlap/regions/regions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "genocl/error.hpp"
#include "genocl/overlap/regions.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/rmq/enhanced_suffix_array.hpp"
#include "overlap/regions/regions_in_pieces.hpp"
#include "overlap/text/text.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;
using Words = Array<std::uint32_t>;
using ScratchWords = runtime::ScratchArray<std::uint32_t>;

constexpr const char* regions_members_file = "overlap/regions/regions.cl";

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
    launch_items(sorted.device(), regions_members_file, "flag_members", {},
                 {.items = sorted.size(), .bytes = 5 * sorted.size()}, sorted.lcp, length, flags, sorted.size());
  return members_with(sorted, flags);
}

ScratchWords break_marks(const Text::State& text) {
  ScratchWords marks(text.device, text.size);
  if (text.size == 0) return marks;
  launch_items(text.device, regions_members_file, "mark_breaks", {}, {.items = text.size, .bytes = 4 * text.size},
               text.breaks, marks, text.size);
  primitives::inclusive_max_scan(text.device, marks, marks);
  return marks;
}

ScratchWords runs_by_rank(const SortedText& sorted) {
  const ScratchWords marks = break_marks(sorted.text);
  ScratchWords runs(sorted.device(), sorted.size());
  if (sorted.size() != 0)
    launch_items(sorted.device(), regions_members_file, "runs_by_rank", {},
                 {.items = sorted.size(), .bytes = 12 * sorted.size()}, sorted.positions, marks, runs, sorted.size());
  return runs;
}

Members members_of_run(const SortedText& sorted, const Words& runs, std::uint32_t length) {
  runtime::ScratchArray<std::uint8_t> flags(sorted.device(), sorted.size());
  if (sorted.size() != 0)
    launch_items(sorted.device(), regions_members_file, "flag_runs", {},
                 {.items = sorted.size(), .bytes = 5 * sorted.size()}, runs, length, flags, sorted.size());
  return members_with(sorted, flags);
}

Intervals::Intervals(const Device& device, const Members& members, std::uint32_t length)
    : device_(device), members_(members), length_(length), begins_(device, members.count()) {
  if (members.count() == 0) return;
  launch_items(device, regions_members_file, "mark_begins", {},
               {.items = members.count(), .bytes = 8 * members.count()}, members.values, length, begins_,
               members.count());
  primitives::inclusive_max_scan(device, begins_, begins_);
}

bool Intervals::find(Words& marks, std::uint32_t least) {
  const std::uint64_t count = members_.count();
  if (count == 0) return false;
  primitives::inclusive_scan(device_, marks, marks);
  if (enough_.empty()) enough_ = ScratchWords(device_, count);
  Words found(device_, 1);
  found.fill(0);
  launch_items(device_, regions_members_file, "find_enough", {}, {.items = count, .bytes = 16 * count}, members_.values,
               length_, begins_, marks, least, enough_, found, count);
  std::uint32_t any = 0;
  found.download(std::span(&any, 1));
  return any != 0;
}

Words Intervals::kept(const Words& values) {
  const std::uint64_t count = members_.count();
  if (flags_.empty()) {
    flags_ = runtime::ScratchArray<std::uint8_t>(device_, count);
    launch_items(device_, regions_members_file, "flag_enough", {}, {.items = count, .bytes = 9 * count}, begins_,
                 enough_, flags_, count);
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
  launch_items(device, regions_members_file, "mark_crossings", {}, {.items = all.count(), .bytes = 20 * all.count()},
               all.ranks, all.values, sorted.positions, border, length, marks, all.count());
  if (!intervals.find(marks, 1)) return {Words(device, 0), Words(device, 0)};
  return {intervals.kept(all.ranks), intervals.kept(all.values)};
}

std::vector<std::vector<std::uint64_t>> positions_of_intervals(const SortedText& sorted, const Members& members,
                                                               std::uint32_t length) {
  const Device& device = sorted.device();
  const std::uint64_t count = members.count();
  if (count == 0) return {};
  ScratchWords numbers(device, count);
  launch_items(device, regions_members_file, "mark_numbers", {}, {.items = count, .bytes = 8 * count}, members.values,
               length, numbers, count);
  primitives::inclusive_scan(device, numbers, numbers);
  runtime::ScratchArray<std::uint64_t> keys(device, count);
  const unsigned bits = sorted.position_bits();
  launch_items(device, regions_members_file, "place_keys", {}, {.items = count, .bytes = 20 * count}, numbers,
               members.ranks, sorted.positions, bits, keys, count);
  primitives::sort_replacing(device, keys, {.last_bit = bits + static_cast<unsigned>(std::bit_width(count))});
  std::vector<std::vector<std::uint64_t>> intervals;
  for (const std::uint64_t key : keys.download()) {
    if (intervals.size() <= key >> bits) intervals.emplace_back();
    intervals.back().push_back(key & ((std::uint64_t{1} << bits) - 1));
  }
  return intervals;
}

std::vector<SharedRegion> shared_regions(const Regions& regions, const std::vector<std::uint64_t>& begins) {
  Locator locator(begins);
  std::vector<SharedRegion> result;
  result.reserve(regions.positions.size());
  for (const std::vector<std::uint64_t>& positions : regions.positions) {
    SharedRegion region{.length = regions.length};
    region.occurrences.reserve(positions.size());
    for (const std::uint64_t position : positions) {
      const std::uint64_t record = locator.record(position);
      if (region.occurrences.empty() || region.occurrences.back().record != record) ++region.records;
      region.occurrences.push_back({record, position - locator.begin(record), false});
    }
    result.push_back(std::move(region));
  }
  std::sort(result.begin(), result.end(),
            [](const SharedRegion& a, const SharedRegion& b) { return a.occurrences.front() < b.occurrences.front(); });
  return result;
}

std::vector<CommonRegion> common_regions(const Regions& regions, const std::vector<std::uint64_t>& begins,
                                         std::uint64_t first_records, std::uint64_t second_records) {
  Locator locator(begins);
  std::vector<CommonRegion> result;
  result.reserve(regions.positions.size());
  for (const std::vector<std::uint64_t>& positions : regions.positions) {
    CommonRegion region{.length = regions.length};
    for (const std::uint64_t position : positions) {
      std::uint64_t record = locator.record(position);
      const std::uint64_t within = position - locator.begin(record), length = locator.length(record);
      if (record < first_records) {
        region.in_first.push_back({record, within, false});
        continue;
      }
      record -= first_records;
      if (record < second_records)
        region.in_second.push_back({record, within, false});
      else
        region.in_second.push_back({record - second_records, length - within - regions.length, true});
    }
    if (!std::is_sorted(region.in_second.begin(), region.in_second.end()))
      std::sort(region.in_second.begin(), region.in_second.end());
    result.push_back(std::move(region));
  }
  std::sort(result.begin(), result.end(),
            [](const CommonRegion& a, const CommonRegion& b) { return a.in_first.front() < b.in_first.front(); });
  return result;
}

namespace {

std::vector<CommonRegion> common(const Text& text, std::uint64_t first_records, std::uint64_t second_records,
                                 const RegionOptions& options) {
  const Stages stages(options.progress, text.size());
  const Text::State& state = text.state();
  const std::uint64_t border = state.begins[first_records];
  if (border == 0 || border == text.size()) {
    stages.reach(1);
    return {};
  }
  const Sorting sorting(text, "longest common regions", bytes_of_common, stages);
  const Regions regions = common_of_text(sorting.sorted(), static_cast<std::uint32_t>(border));
  std::vector<CommonRegion> result = common_regions(regions, state.begins, first_records, second_records);
  stages.reach(1);
  return result;
}

std::vector<CommonRegion> common(Devices devices, const HostText& text, std::uint64_t first_records,
                                 std::uint64_t second_records, const RegionOptions& options) {
  const HostText::State& state = text.state();
  const std::uint64_t border = state.begins[first_records];
  if (border == 0 || border == text.size()) return {};
  return common_regions(common_in_pieces(devices, text, border, options), state.begins, first_records, second_records);
}

}  // namespace

Regions common_of_text(const SortedText& sorted, std::uint32_t border) {
  const Device& device = sorted.device();
  const std::uint64_t size = sorted.size();
  if (size == 0) return {};
  std::uint32_t length = 0;
  {
    runtime::ScratchArray<std::uint32_t> values(device, size);
    runtime::launch_items(device, "overlap/regions/regions.cl", "crossings", {}, {.items = size, .bytes = 12 * size},
                          sorted.positions, border, sorted.lcp, values, size);
    length = primitives::maximum(device, values);
  }
  if (length == 0) return {};
  const Members both = members_of_both(sorted, members(sorted, length), border, length);
  return {length, positions_of_intervals(sorted, both, length)};
}

namespace {

/// All records of a call, as one text.
struct AllRecords {
  std::vector<const SequenceSet*> sets;  ///< empty for byte strings
  std::vector<std::span<const std::uint8_t>> strings;
  Letters letters = Letters::bases;

  static AllRecords of(const RecordsView& records, const RegionOptions& options) {
    AllRecords all{{}, {records.strings().begin(), records.strings().end()}, options.letters};
    if (records.set() != nullptr) all.sets = {records.set()};
    return all;
  }
  /// A device with memory for the whole text; null: it is sorted in pieces.
  const Device* device_for_whole(Devices devices, unsigned bytes_of_symbol, const RegionOptions& options) const {
    if (sets.empty())
      return overlap::device_for_whole(devices, size_of(ByteStrings(strings)), 8, bytes_of_symbol, options);
    const unsigned bits = bits_for(symbols_of(sets.front()->alphabet(), letters).size());
    return overlap::device_for_whole(devices, size_of(sets), bits, bytes_of_symbol, options);
  }
  Text text(const Device& device) const {
    return sets.empty() ? Text::separated(device, strings) : Text::separated(device, sets, letters);
  }
  HostText host_text() const {
    return sets.empty() ? HostText::separated(strings) : HostText::separated(sets, {.letters = letters});
  }
};

}  // namespace

std::vector<CommonRegion> longest_common(Devices devices, const RecordsView& a, const RecordsView& b,
                                         const RegionOptions& options) {
  if ((a.set() == nullptr) != (b.set() == nullptr)) throw InputError("a set of sequences and byte strings to compare");
  if (a.set() == nullptr && options.reverse_complement) throw InputError("the reverse complement of byte strings");
  SequenceSet reversed(b.set() != nullptr ? b.set()->alphabet() : Alphabet::dna);
  if (options.reverse_complement) reversed = b.set()->reverse_complement();
  std::vector<const SequenceSet*> sets;
  if (a.set() != nullptr) sets = {a.set(), b.set(), &reversed};
  std::vector<std::span<const std::uint8_t>> strings(a.strings().begin(), a.strings().end());
  strings.insert(strings.end(), b.strings().begin(), b.strings().end());
  const AllRecords all{sets, strings, options.letters};
  if (const Device* const device = all.device_for_whole(devices, bytes_of_common, options))
    return common(all.text(*device), a.size(), b.size(), options);
  return common(devices, all.host_text(), a.size(), b.size(), options);
}

namespace {

std::vector<SharedRegion> repeated(const Text& text, const RegionOptions& options) {
  const Stages stages(options.progress, text.size());
  if (text.size() == 0) return {};
  const Sorting sorting(text, "longest repeated regions", bytes_of_repeated, stages);
  std::vector<SharedRegion> result = shared_regions(repeated_of_text(sorting.sorted()), text.state().begins);
  stages.reach(1);
  return result;
}

std::vector<SharedRegion> repeated(Devices devices, const HostText& text, const RegionOptions& options) {
  return shared_regions(repeated_in_pieces(devices, text, options), text.state().begins);
}

}  // namespace

Regions repeated_of_text(const SortedText& sorted) {
  if (sorted.size() == 0) return {};
  const std::uint32_t length = primitives::maximum(sorted.device(), sorted.lcp);
  if (length == 0) return {};
  return {length, positions_of_intervals(sorted, members(sorted, length), length)};
}

std::vector<SharedRegion> longest_repeated(Devices devices, const RecordsView& records, const RegionOptions& options) {
  const AllRecords all = AllRecords::of(records, options);
  if (const Device* const device = all.device_for_whole(devices, bytes_of_repeated, options))
    return repeated(all.text(*device), options);
  return repeated(devices, all.host_text(), options);
}

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
  primitives::sort_replacing(device, records, indices,
                             {.last_bit = static_cast<unsigned>(std::bit_width(sorted.records()))});
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

std::vector<SharedRegion> shared(Devices devices, const HostText& text, std::uint64_t quorum,
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

std::vector<SharedRegion> longest_shared(Devices devices, const RecordsView& records, std::uint64_t quorum,
                                         const RegionOptions& options) {
  check_quorum(quorum, records.size());
  const AllRecords all = AllRecords::of(records, options);
  if (const Device* const device = all.device_for_whole(devices, bytes_of_shared, options))
    return shared(all.text(*device), quorum, options);
  return shared(devices, all.host_text(), quorum, options);
}

}  // namespace genocl::overlap
