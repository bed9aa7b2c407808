#include "overlap/regions/regions.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "genocl/error.hpp"
#include "genocl/overlap/regions.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/text/text.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;
using Words = Array<std::uint32_t>;
using ScratchWords = runtime::ScratchArray<std::uint32_t>;
using ScratchFlags = runtime::ScratchArray<std::uint8_t>;

constexpr const char* regions_file = "overlap/regions/regions.cl";
constexpr const char* shared_file = "overlap/regions/shared.cl";

/// The number of indices that are written before they are counted; more take a second pass.
constexpr std::uint64_t first_guess = std::uint64_t{1} << 22;

/// Indices whose flag is set, in an array of exactly that size. Waits for their number.
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

/// values[indices[i]] for each i.
Words gathered(const Device& device, const Words& values, const Words& indices) {
  Words result(device, indices.size());
  if (result.size() != 0) primitives::gather(device, values, indices, result);
  return result;
}

/// Suffixes in intervals of the array whose suffixes share `length` symbols, by rank.
struct Members {
  Words ranks;
  /// The LCP of each with the suffix before it in the whole array: less than `length` at the begin of an interval.
  Words values;

  std::uint64_t count() const { return ranks.size(); }
};

Members members_with(const EnhancedSuffixArray& array, const Array<std::uint8_t>& flags) {
  Members members;
  members.ranks = selected_indices(array.device(), flags);
  members.values = gathered(array.device(), array.lcp(), members.ranks);
  return members;
}

/// The suffixes that share `length` symbols, 1 or more, with a neighbour.
Members members_of(const EnhancedSuffixArray& array, std::uint32_t length) {
  ScratchFlags flags(array.device(), array.size());
  launch_items(array.device(), regions_file, "flag_members", {}, {.items = array.size(), .bytes = 5 * array.size()},
               array.lcp(), length, flags, array.size());
  return members_with(array, flags);
}

/// [member]: the first member of its interval.
ScratchWords interval_begins(const Device& device, const Members& members, std::uint32_t length) {
  ScratchWords begins(device, members.count());
  launch_items(device, regions_file, "mark_begins", {}, {.items = members.count(), .bytes = 8 * members.count()},
               members.values, length, begins, members.count());
  primitives::inclusive_max_scan(device, begins, begins);
  return begins;
}

/// The members of the intervals whose marks have a sum of `min_marks` or more. `marks`, one of each member, are lost.
Words members_with_marks(const Device& device, const Members& members, std::uint32_t length, const Words& begins,
                         ScratchWords& marks, std::uint32_t min_marks) {
  const std::uint64_t count = members.count();
  primitives::inclusive_scan(device, marks, marks);
  ScratchWords enough(device, count);
  launch_items(device, regions_file, "find_enough", {}, {.items = count, .bytes = 16 * count}, members.values, length,
               begins, marks, min_marks, enough, count);
  ScratchFlags flags(device, count);
  launch_items(device, regions_file, "flag_enough", {}, {.items = count, .bytes = 9 * count}, begins, enough, flags,
               count);
  return selected_indices(device, flags);
}

/// The positions of each interval, ascending.
std::vector<std::vector<std::uint64_t>> positions_of(const EnhancedSuffixArray& array, const Members& members,
                                                     std::uint32_t length) {
  const Device& device = array.device();
  const std::uint64_t count = members.count();
  if (count == 0) return {};
  ScratchWords numbers(device, count);
  launch_items(device, regions_file, "mark_numbers", {}, {.items = count, .bytes = 8 * count}, members.values, length,
               numbers, count);
  primitives::inclusive_scan(device, numbers, numbers);
  runtime::ScratchArray<std::uint64_t> keys(device, count);
  const unsigned bits = array.position_bits();
  launch_items(device, regions_file, "place_keys", {}, {.items = count, .bytes = 20 * count}, numbers, members.ranks,
               array.positions(), bits, keys, count);
  primitives::sort_replacing(device, keys, {.last_bit = bits + static_cast<unsigned>(std::bit_width(count))});
  std::vector<std::vector<std::uint64_t>> intervals;
  for (const std::uint64_t key : keys.download()) {
    if (intervals.size() <= key >> bits) intervals.emplace_back();
    intervals.back().push_back(key & ((std::uint64_t{1} << bits) - 1));
  }
  return intervals;
}

/// Members of the text's intervals, and for each 1 + the rank of the member before it of the same record, or 0.
struct Linked {
  Members members;
  Words previous;
};

Linked linked(const EnhancedSuffixArray& array, Members members) {
  const Device& device = array.device();
  const std::uint64_t count = members.count();
  Linked result{std::move(members), Words(device, count)};
  if (count == 0) return result;
  ScratchWords records(device, count), indices(device, count);
  const Words begins = upload_begins(array.text());
  launch_items(device, shared_file, "records_of_members", {}, {.items = count, .bytes = 16 * count},
               result.members.ranks, array.positions(), begins, array.records(), records, indices, count);
  primitives::sort_replacing(device, records, indices,
                             {.last_bit = static_cast<unsigned>(std::bit_width(array.records()))});
  launch_items(device, shared_file, "link_records", {}, {.items = count, .bytes = 16 * count}, records, indices,
               result.members.ranks, result.previous, count);
  return result;
}

/// Keeps the members of strings of `length` symbols that enough records contain. Returns false, with nothing changed,
/// if there is none.
bool narrow(const Device& device, Linked& linked, std::uint32_t length, std::uint32_t quorum) {
  const Members& members = linked.members;
  const std::uint64_t count = members.count();
  if (count == 0) return false;
  Words kept;
  {
    const ScratchWords begins = interval_begins(device, members, length);
    ScratchWords marks(device, count);
    launch_items(device, shared_file, "mark_first_of_record", {}, {.items = count, .bytes = 16 * count}, begins,
                 members.ranks, linked.previous, marks, count);
    kept = members_with_marks(device, members, length, begins, marks, quorum);
  }
  if (kept.size() == 0) return false;
  linked = {{gathered(device, members.ranks, kept), gathered(device, members.values, kept)},
            gathered(device, linked.previous, kept)};
  return true;
}

/// The longest strings without a separator: what a quorum of one record asks for.
Regions longest_runs(const EnhancedSuffixArray& array) {
  const Device& device = array.device();
  const std::uint64_t size = array.size();
  const ScratchWords marks = separator_marks(array.text());
  ScratchWords runs(device, size);
  launch_items(device, regions_file, "runs_by_rank", {}, {.items = size, .bytes = 12 * size}, array.positions(), marks,
               runs, size);
  const std::uint32_t length = primitives::maximum(device, runs);
  if (length == 0) return {};
  ScratchFlags flags(device, size);
  launch_items(device, regions_file, "flag_runs", {}, {.items = size, .bytes = 5 * size}, runs, length, flags, size);
  return {length, positions_of(array, members_with(array, flags), length)};
}

}  // namespace

ScratchWords separator_marks(const Text::State& text) {
  ScratchWords marks(text.device(), text.size);
  if (text.size == 0) return marks;
  launch_items(text.device(), regions_file, "mark_separators", {}, {.items = text.size, .bytes = 4 * text.size},
               text.separators, marks, text.size);
  primitives::inclusive_max_scan(text.device(), marks, marks);
  return marks;
}

Regions common_of_text(const EnhancedSuffixArray& array, std::uint32_t border, bool published) {
  const Device& device = array.device();
  const std::uint64_t size = array.size();
  if (size == 0) return {};
  std::uint32_t length = published ? longest_crossing_published(array, border) : 0;
  if (!published) {
    ScratchWords values(device, size);
    launch_items(device, regions_file, "crossings", {}, {.items = size, .bytes = 12 * size}, array.positions(), border,
                 array.lcp(), values, size);
    length = primitives::maximum(device, values);
  }
  if (length == 0) return {};
  const Members all = members_of(array, length);
  const std::uint64_t count = all.count();
  Words both;
  {
    const ScratchWords begins = interval_begins(device, all, length);
    ScratchWords marks(device, count);
    launch_items(device, regions_file, "mark_crossings", {}, {.items = count, .bytes = 20 * count}, all.ranks,
                 all.values, array.positions(), border, length, marks, count);
    both = members_with_marks(device, all, length, begins, marks, 1);
  }
  const Members members{gathered(device, all.ranks, both), gathered(device, all.values, both)};
  return {length, positions_of(array, members, length)};
}

Regions repeated_of_text(const EnhancedSuffixArray& array) {
  if (array.size() == 0) return {};
  const std::uint32_t length = primitives::maximum(array.device(), array.lcp());
  if (length == 0) return {};
  return {length, positions_of(array, members_of(array, length), length)};
}

Regions shared_of_text(const EnhancedSuffixArray& array, std::uint64_t quorum) {
  // Few suffixes of a genome share as many symbols by chance.
  constexpr std::uint32_t first_length = 16;
  const Device& device = array.device();
  if (array.size() == 0) return {};
  if (quorum == 1) return longest_runs(array);
  const auto min_records = static_cast<std::uint32_t>(quorum);
  // Enough records share `low` symbols; they do not share `high`.
  std::uint64_t low = first_length, high = array.size() + 1;
  Linked left = linked(array, members_of(array, first_length));
  if (!narrow(device, left, first_length, min_records)) {
    high = std::min<std::uint64_t>(high, first_length);
    left = linked(array, members_of(array, 1));
    if (!narrow(device, left, 1, min_records)) return {};
    low = 1;
  }
  // Doubled up to the first failure, since each success leaves fewer members; then by bisection.
  for (bool doubling = true; high - low > 1;) {
    const std::uint64_t middle = low + (high - low) / 2;
    const std::uint64_t length = doubling ? std::min(2 * low, middle) : middle;
    if (narrow(device, left, static_cast<std::uint32_t>(length), min_records)) {
      low = length;
    } else {
      high = length;
      doubling = false;
    }
  }
  return {low, positions_of(array, left.members, static_cast<std::uint32_t>(low))};
}

std::vector<SharedRegion> shared_regions(const Regions& regions, const std::vector<std::uint64_t>& begins) {
  RecordLocator locator(begins);
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
  std::ranges::sort(result, {}, [](const SharedRegion& region) { return region.occurrences.front(); });
  return result;
}

std::vector<CommonRegion> common_regions(const Regions& regions, const std::vector<std::uint64_t>& begins,
                                         std::uint64_t first_records, std::uint64_t second_records) {
  RecordLocator locator(begins);
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
    if (!std::ranges::is_sorted(region.in_second)) std::ranges::sort(region.in_second);
    result.push_back(std::move(region));
  }
  std::ranges::sort(result, {}, [](const CommonRegion& region) { return region.in_first.front(); });
  return result;
}

namespace {

/// The records of a call as one text.
class AllRecords {
 public:
  AllRecords(const RecordsView& records, Letters letters)
      : letters_(letters), alphabet_(alphabet_of(records)), packer_(alphabet_, letters == Letters::bases) {
    append(records);
  }

  /// Throws InputError for another alphabet.
  void append(const RecordsView& records) {
    if (alphabet_of(records) != alphabet_) throw InputError("sets of different alphabets in one text");
    if (records.set() != nullptr) packer_.append_records(*records.set());
    for (const std::span<const std::uint8_t> record : records.strings()) {
      packer_.append(record);
      packer_.end_record();
    }
  }
  /// Throws InputError for records that are not DNA.
  void append_reverse_complements(const RecordsView& records) {
    if (alphabet_ != Alphabet::dna) throw InputError("the reverse complement of records that are not DNA");
    for (std::size_t record = 0; record < records.size(); ++record) {
      packer_.append((*records.set())[record], true);
      packer_.end_record();
    }
  }

  /// On the first device with memory for the text, its array and steps of `bytes_per_symbol`; else on the host.
  Text text(Devices devices, unsigned bytes_per_symbol, const RegionOptions& options) const {
    const unsigned bits = bits_for(symbols_of(alphabet_, letters_).size());
    return runtime::StateAccess::make<Text>(
        packer_.pack(placement_for(devices, packer_.size(), bits, bytes_per_symbol, options)));
  }

 private:
  static Alphabet alphabet_of(const RecordsView& records) {
    return records.set() != nullptr ? records.set()->alphabet() : Alphabet::bytes;
  }

  Letters letters_;
  Alphabet alphabet_;
  TextPacker packer_;
};

}  // namespace

std::vector<CommonRegion> longest_common(Devices devices, const RecordsView& a, const RecordsView& b,
                                         const RegionOptions& options) {
  if ((a.set() == nullptr) != (b.set() == nullptr)) throw InputError("a set of sequences and byte strings to compare");
  AllRecords records(a, options.letters);
  records.append(b);
  if (options.reverse_complement) records.append_reverse_complements(b);
  const bool published = options.algorithm == Algorithm::published;
  const unsigned bytes_per_symbol = published ? bytes_of_common_published : bytes_of_common;
  const Text text = records.text(devices, bytes_per_symbol, options);
  if (text.is_on_host() && options.algorithm != Algorithm::automatic)
    throw InputError("algorithm " + std::string(to_string(options.algorithm)) + " for a text of " +
                     std::to_string(text.size()) + " symbols in pieces; expected auto");
  const Stages stages(options.progress, text.size());
  const std::uint64_t border = text.begins()[a.size()];
  Regions regions;
  if (border != 0 && border != text.size()) {
    regions = text.is_on_host() ? common_in_pieces(devices, text, border, options)
                                : common_of_text(EnhancedSuffixArray(text, "longest common regions", bytes_per_symbol,
                                                                     stages, options.algorithm),
                                                 static_cast<std::uint32_t>(border), published);
  }
  std::vector<CommonRegion> result = common_regions(regions, runtime::state_of(text).begins, a.size(), b.size());
  stages.reach(1);
  return result;
}

std::vector<SharedRegion> longest_repeated(Devices devices, const RecordsView& records, const RegionOptions& options) {
  const Text text = AllRecords(records, options.letters).text(devices, bytes_of_repeated, options);
  if (text.size() == 0) return {};
  const Stages stages(options.progress, text.size());
  const Regions regions =
      text.is_on_host()
          ? repeated_in_pieces(devices, text, options)
          : repeated_of_text(EnhancedSuffixArray(text, "longest repeated regions", bytes_of_repeated, stages));
  std::vector<SharedRegion> result = shared_regions(regions, runtime::state_of(text).begins);
  stages.reach(1);
  return result;
}

std::vector<SharedRegion> longest_shared(Devices devices, const RecordsView& records, std::uint64_t quorum,
                                         const RegionOptions& options) {
  if (quorum == 0) throw InputError("a quorum of 0 records: at least 1");
  if (quorum > records.size())
    throw InputError("a quorum of " + std::to_string(quorum) + " records: there are " + std::to_string(records.size()));
  const Text text = AllRecords(records, options.letters).text(devices, bytes_of_shared, options);
  const Stages stages(options.progress, text.size());
  const Regions regions =
      text.is_on_host()
          ? shared_in_pieces(devices, text, quorum, options)
          : shared_of_text(EnhancedSuffixArray(text, "longest shared regions", bytes_of_shared, stages), quorum);
  std::vector<SharedRegion> result = shared_regions(regions, runtime::state_of(text).begins);
  stages.reach(1);
  return result;
}

}  // namespace genocl::overlap
