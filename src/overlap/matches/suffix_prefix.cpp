#include "overlap/matches/suffix_prefix.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "genocl/error.hpp"
#include "genocl/overlap/suffix_prefix.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "overlap/find/suffix_index.hpp"
#include "overlap/regions/regions.hpp"
#include "overlap/text/text.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/chunks.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;
using ScratchWords = runtime::ScratchArray<std::uint32_t>;

constexpr const char* suffix_prefix_steps_file = "overlap/matches/suffix_prefix.cl";

static_assert(sizeof(RecordOverlap) == 12, "what unpack_overlaps() writes");

}  // namespace

template <class... Arguments>
void ReadOverlaps::launch(const char* name, std::uint64_t items, std::uint64_t bytes,
                          const Arguments&... arguments) const {
  launch_items(array_.device(), suffix_prefix_steps_file, name, runtime::Defines().set("MATES", mates_ ? 1 : 0),
               {.items = items, .bytes = bytes}, arguments..., items);
}

ReadOverlaps::ReadOverlaps(EnhancedSuffixArray& array, std::uint32_t min_length, bool mates,
                           const OverlapPieces& pieces)
    : array_(array), mates_(mates), pieces_(pieces), begins_(upload_begins(array.text())) {
  const Device& device = array.device();
  const std::uint64_t size = array.size();
  const Rmq& minima = array.minima();
  for (std::size_t read = 0; read < array.records(); ++read)
    longest_ = std::max(longest_, array.text().begins[read + 1] - array.text().begins[read] - 1);

  ScratchWords runs(device, size);
  runtime::ScratchArray<std::uint8_t> kinds(device, size);
  {
    const ScratchWords marks = separator_marks(array.text());
    launch_items(device, "overlap/regions/regions.cl", "runs_by_rank", {}, {.items = size, .bytes = 12 * size},
                 array.positions(), marks, runs, size);
    launch("kinds_of_places", size, 5 * size, begins_, array.records(), marks, min_length, kinds);
  }
  runtime::ScratchArray<std::uint8_t> kind_of_rank(device, size);
  ScratchWords starts_before(device, size);
  find_starts(minima, kinds, kind_of_rank, starts_before);

  ScratchWords groups(device, size);
  launch("mark_groups", size, 12 * size, array.lcp(), runs, groups);
  primitives::inclusive_max_scan(device, groups, groups);

  firsts_ = ScratchWords(device, size);
  counts_ = ScratchWords(device, size);
  const std::uint64_t most = std::min(pieces.ranks, size);
  runtime::ScratchArray<RangeQuery> whole_ranges(device, most);
  runtime::ScratchArray<RangeMinimum> whole_answers(device, most);
  for (std::uint64_t first = 0; first < size; first += most) {
    const std::uint64_t count = std::min(most, size - first);
    const Span<RangeQuery> ranges = whole_ranges.first(count);
    const Span<RangeMinimum> answers = whole_answers.first(count);
    launch("ask_first_starts", count, 25 * count, kind_of_rank, groups, starts_before, start_ranks_, start_count_,
           first, ranges);
    minima.minima(ranges, answers);
    launch("count_overlaps", count, 40 * count, array.positions(), kind_of_rank, runs, groups, starts_before,
           start_ranks_, starts_, start_reads_, chain_, start_count_, begins_, answers, first, firsts_, counts_);
  }
}

void ReadOverlaps::find_starts(const Rmq& minima, const Array<std::uint8_t>& kinds, Array<std::uint8_t>& kind_of_rank,
                               Array<std::uint32_t>& starts_before) {
  const Device& device = array_.device();
  const std::uint64_t size = array_.size(), records = array_.records();
  ScratchWords is_start(device, size);
  launch("kinds_by_rank", size, 10 * size, array_.positions(), kinds, kind_of_rank, is_start);
  primitives::exclusive_scan(device, is_start, starts_before);
  start_ranks_ = ScratchWords(device, records);
  start_count_ = runtime::ScratchArray<std::uint64_t>(device, 1);
  primitives::select_indices(device, is_start, start_ranks_, start_count_);
  starts_ = ScratchWords(device, records);
  start_reads_ = ScratchWords(device, records);
  chain_ = ScratchWords(device, records);
  runtime::ScratchArray<RangeQuery> ranges(device, records);
  runtime::ScratchArray<RangeMinimum> answers(device, records);
  launch("describe_starts", records, 28 * records, start_ranks_, start_count_, array_.positions(), begins_,
         array_.records(), starts_, start_reads_, ranges);
  minima.minima(ranges, answers);
  launch("take_chain", records, 12 * records, answers, chain_);
}

std::vector<RecordOverlap> ReadOverlaps::all(const Stages& stages, std::uint64_t first_read,
                                             std::uint64_t end_read) const {
  const Device& device = array_.device();
  const std::uint64_t size = array_.size(), reads = array_.records();
  end_read = std::min(end_read, reads);
  runtime::ScratchArray<std::uint64_t> offsets(device, size + 1);
  primitives::exclusive_scan(device, counts_, offsets);
  // [read]: of its first overlap.
  runtime::ScratchArray<std::uint64_t> at_begins(device, reads + 1);
  primitives::gather(device, offsets, begins_, at_begins);
  const std::vector<std::uint64_t> first_of_read = at_begins.download();
  const std::uint64_t before = first_of_read[first_read], total = first_of_read[end_read] - before;
  stages.reach(0.8);

  const unsigned pair_bits = sort_key_bits(reads - 1) + sort_key_bits(longest_);
  const std::uint64_t max_reads = std::uint64_t{1} << std::min(64 - pair_bits, 32u);
  std::vector<RecordOverlap> result;
  for (std::uint64_t first = first_read; first < end_read && first_of_read[first] < before + total;) {
    const auto begin = first_of_read.begin() + static_cast<std::ptrdiff_t>(first);
    const auto limit = std::upper_bound(begin, first_of_read.end(), *begin + pieces_.overlaps);
    const auto in_piece = static_cast<std::uint64_t>(limit - begin) - 1;
    const std::uint64_t end = first + std::clamp<std::uint64_t>(in_piece, 1, std::min(max_reads, end_read - first));
    if (first_of_read[end] > *begin) append(first, end, first_of_read[end] - *begin, offsets, result);
    first = end;
    stages.reach(0.8 + 0.2 * static_cast<double>(first_of_read[end] - before) / static_cast<double>(total));
  }
  return result;
}

void ReadOverlaps::append(std::uint64_t first_read, std::uint64_t end_read, std::uint64_t overlaps,
                          const Array<std::uint64_t>& offsets, std::vector<RecordOverlap>& result) const {
  const Device& device = array_.device();
  runtime::check_capacity(device, "overlaps of reads", 12 * overlaps, bytes_of_overlap * overlaps);
  const std::uint32_t reads = array_.records(), read_bits = sort_key_bits(reads - 1),
                      length_bits = sort_key_bits(longest_);
  const auto longest = static_cast<std::uint32_t>(longest_), first = static_cast<std::uint32_t>(first_read);
  const std::uint64_t first_place = array_.text().begins[first_read];
  const std::uint64_t places = array_.text().begins[end_read] - first_place;
  runtime::ScratchArray<std::uint64_t> keys(device, overlaps);
  launch("fill_overlaps", places, 12 * places + 8 * overlaps, begins_, reads, firsts_, counts_, offsets, starts_,
         start_reads_, chain_, start_count_, first, read_bits, length_bits, longest, first_place, keys);
  const unsigned piece_bits = static_cast<unsigned>(std::bit_width(end_read - first_read - 1));
  primitives::sort_replacing(device, keys, {.last_bit = read_bits + length_bits + piece_bits});
  runtime::ScratchArray<std::uint64_t> selected(device, overlaps);
  std::uint64_t pairs = 0;
  {
    runtime::ScratchArray<std::uint8_t> flags(device, overlaps);
    launch_items(device, "overlap/matches/longest.cl", "flag_pairs", {}, {.items = overlaps, .bytes = 9 * overlaps},
                 keys, length_bits, flags, overlaps);
    pairs = primitives::select(device, keys, flags, selected);
  }
  runtime::ScratchArray<RecordOverlap> unpacked(device, pairs);
  launch("unpack_overlaps", pairs, 20 * pairs, selected, first, read_bits, length_bits, longest, unpacked);
  const std::size_t before = result.size();
  result.resize(before + pairs);
  unpacked.download(std::span(result).subspan(before));
}

std::vector<RecordOverlap> ReadOverlaps::best() const {
  const Device& device = array_.device();
  const std::uint64_t size = array_.size(), reads = array_.records();
  ScratchWords places(device, reads);
  places.fill(0xffff'ffffu);
  launch("find_best_places", size, 4 * size, begins_, array_.records(), counts_, places);
  runtime::ScratchArray<RecordOverlap> unpacked(device, reads);
  launch("best_overlaps", reads, 20 * reads, begins_, places, firsts_, starts_, start_reads_, chain_, start_count_,
         unpacked);
  std::vector<RecordOverlap> result = unpacked.download();
  std::erase_if(result, [](const RecordOverlap& overlap) { return overlap.length == 0; });
  return result;
}

namespace {

constexpr const char* error_overlaps_file = "overlap/matches/error_overlaps.cl";
/// Reads whose parts are looked up at a time.
constexpr std::uint64_t reads_at_once = std::uint64_t{1} << 20;

class Search {
 public:
  Search(const SuffixIndex& index, const ErrorOverlapOptions& options)
      : index_(runtime::state_of(index)),
        text_(runtime::state_of(index.suffixes().text())),
        device_(text_.device()),
        options_(options),
        parts_(options.errors + 1),
        part_(options.min_length / parts_),
        begins_(upload_begins(text_)),
        records_(static_cast<std::uint32_t>(text_.begins.size() - 1)),
        kept_number_(device_, 1) {
    for (std::size_t read = 0; read < records_; ++read)
      longest_ = std::max(longest_, static_cast<std::uint32_t>(text_.begins[read + 1] - text_.begins[read] - 1));
    read_bits_ = sort_key_bits(records_);
    length_bits_ = sort_key_bits(longest_);
    max_reads_ = std::min(reads_at_once, std::uint64_t{1} << std::min(63 - read_bits_ - length_bits_, 32u));
  }

  /// Those of some reads from `first` on; returns where the next ones begin.
  std::uint64_t append(std::uint64_t first, std::uint64_t end, std::vector<ErrorOverlap>& result) {
    const std::uint64_t reads = std::min(end - first, max_reads_), items = reads * parts_;
    ScratchWords firsts(device_, items), counts(device_, items);
    launch_items(device_, error_overlaps_file, "find_parts", text_.defines(),
                 {.items = items, .bytes = items * 200, .least = 64}, text_.words, text_.separators, text_.size,
                 index_.suffixes.positions(), index_.table.starts, index_.table.symbols, begins_,
                 static_cast<std::uint32_t>(first), options_.min_length, parts_, part_, firsts, counts, items);
    runtime::ScratchArray<std::uint64_t> offsets(device_, items + 1);
    primitives::exclusive_scan(device_, counts, offsets);
    const std::vector<std::uint64_t> before = offsets.download();
    for (std::uint64_t read = 0; read < reads;) {
      const std::uint64_t begin = before[read * parts_];
      std::uint64_t next = read + 1;
      while (next < reads && before[(next + 1) * parts_] - begin <= options_.candidates) ++next;
      check(static_cast<std::uint32_t>(first), begin, before[next * parts_] - begin, items, firsts, offsets, result);
      read = next;
    }
    return first + reads;
  }

 private:
  void check(std::uint32_t first_read, std::uint64_t first, std::uint64_t count, std::uint64_t items,
             const Array<std::uint32_t>& firsts, const Array<std::uint64_t>& offsets,
             std::vector<ErrorOverlap>& result) {
    if (count == 0) return;
    runtime::check_capacity(device_, "overlaps of reads with errors", 8 * count, 40 * count);
    runtime::ScratchArray<std::uint64_t> keys(device_, count);
    ScratchWords errors(device_, count);
    std::uint64_t overlaps = 0;
    {
      runtime::ScratchArray<std::uint64_t> all_keys(device_, count);
      ScratchWords all_errors(device_, count);
      runtime::ScratchArray<std::uint8_t> keep(device_, count);
      launch_items(device_, error_overlaps_file, "check_overlaps", text_.defines(),
                   {.items = count, .bytes = count * 100, .least = 64}, text_.words, text_.separators, text_.size,
                   index_.suffixes.positions(), begins_, records_, first_read, options_.min_length, parts_, part_,
                   options_.errors, options_.mates ? 1u : 0u, firsts, offsets, items, first, read_bits_, length_bits_,
                   longest_, all_keys, all_errors, keep, count);
      overlaps = primitives::select(device_, all_keys, keep, keys);
      primitives::select(device_, all_errors, keep, errors, kept_number_);
    }
    if (overlaps == 0) return;
    const Span<std::uint64_t> kept_keys = keys.first(overlaps);
    const Span<std::uint32_t> kept_errors = errors.first(overlaps);
    primitives::sort(device_, kept_keys, kept_errors);
    runtime::ScratchArray<std::uint8_t> flags(device_, overlaps);
    launch_items(device_, "overlap/matches/longest.cl", "flag_pairs", {}, {.items = overlaps, .bytes = 9 * overlaps},
                 kept_keys, length_bits_, flags, overlaps);
    Array<std::uint64_t> pair_keys(device_, overlaps);
    Array<std::uint32_t> pair_errors(device_, overlaps);
    const std::uint64_t pairs = primitives::select(device_, kept_keys, flags, pair_keys);
    primitives::select(device_, kept_errors, flags, pair_errors, kept_number_);
    std::vector<std::uint64_t> host_keys(pairs);
    std::vector<std::uint32_t> host_errors(pairs);
    pair_keys.download(std::span(host_keys));
    pair_errors.download(std::span(host_errors));
    const auto low = [](std::uint64_t value, unsigned bits) {
      return static_cast<std::uint32_t>(value & ((std::uint64_t{1} << bits) - 1));
    };
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::uint64_t pair = host_keys[i] >> length_bits_;
      result.push_back({{first_read + static_cast<std::uint32_t>(pair >> read_bits_), low(pair, read_bits_),
                         longest_ - low(host_keys[i], length_bits_)},
                        host_errors[i]});
    }
  }

  const SuffixIndex::State& index_;
  const Text::State& text_;
  const Device& device_;
  const ErrorOverlapOptions& options_;
  std::uint32_t parts_, part_;
  Array<std::uint32_t> begins_;
  std::uint32_t records_, longest_ = 0;
  unsigned read_bits_ = 1, length_bits_ = 1;
  std::uint64_t max_reads_ = 1;
  runtime::ScratchArray<std::uint64_t> kept_number_;  // known from another selection
};

}  // namespace

std::vector<ErrorOverlap> error_overlaps(const SuffixIndex& index, const ErrorOverlapOptions& options,
                                         std::uint64_t first, std::uint64_t end, const Stages& stages) {
  std::vector<ErrorOverlap> result;
  Search search(index, options);
  for (std::uint64_t read = first; read < end;) {
    read = search.append(read, end, result);
    stages.reach(0.7 + 0.3 * static_cast<double>(read - first) / static_cast<double>(end - first));
  }
  return result;
}

namespace {

/// Of records, with `mates` of reads and their reverse complements.
ReadOverlap of_reads(const RecordOverlap& overlap, std::uint32_t errors, bool mates) {
  if (!mates) return {overlap.a, overlap.b, overlap.length, false, false, errors};
  return {overlap.a / 2, overlap.b / 2, overlap.length, overlap.a % 2 == 1, overlap.b % 2 == 1, errors};
}

/// Whether an overlap is the one of itself and its mirror image that is reported.
bool is_reported(const ReadOverlap& overlap) {
  if (overlap.a_reverse == overlap.b_reverse) return !overlap.a_reverse;
  return overlap.a < overlap.b;
}

/// Of overlaps by a: the longest of each, to the first b.
std::vector<ErrorOverlap> best_of(const std::vector<ErrorOverlap>& all) {
  std::vector<ErrorOverlap> best;
  for (const ErrorOverlap& overlap : all) {
    if (best.empty() || best.back().a != overlap.a)
      best.push_back(overlap);
    else if (overlap.length > best.back().length)
      best.back() = overlap;
  }
  return best;
}

std::vector<ReadOverlap> overlaps_on(const Device& device, const SequenceSet& reads,
                                     const SuffixPrefixOptions& options) {
  if (options.min_length == 0) throw InputError("overlaps of 0 letters: at least 1");
  if (options.errors >= options.min_length)
    throw InputError("errors", {}, std::to_string(options.errors), "fewer than an overlap has letters at least");
  const std::uint64_t mates = options.both_strands ? 2 : 1;
  if (options.both_strands && reads.alphabet() != Alphabet::dna)
    throw InputError("overlaps on both strands of reads that are not DNA");
  if (reads.size() >= 0xffff'ffffu / mates)
    throw InputError(std::to_string(reads.size()) + " reads: at most " + std::to_string(0xffff'ffffu / mates - 1));
  const Text text = Text::separated(device, reads, {.letters = options.letters, .both_strands = options.both_strands});
  const Stages stages(options.progress, text.size());
  if (text.size() == 0) return {};
  const std::uint64_t first = mates * std::min<std::uint64_t>(options.first_read, reads.size());
  const std::uint64_t end = first + mates * std::min<std::uint64_t>(options.read_count, reads.size() - first / mates);
  std::vector<ReadOverlap> result;
  if (options.errors > 0) {
    const SuffixIndex index(SuffixArray(text, {.progress = stages.up_to(0.7)}));
    const ErrorOverlapOptions how{options.min_length, options.errors, options.both_strands};
    std::vector<ErrorOverlap> found = error_overlaps(index, how, first, end, stages);
    if (options.best_only) found = best_of(found);
    for (const ErrorOverlap& overlap : found) result.push_back(of_reads(overlap, overlap.errors, options.both_strands));
  } else {
    EnhancedSuffixArray array(text, "overlaps of reads", bytes_of_overlapping, stages);
    const ReadOverlaps overlaps(array, options.min_length, options.both_strands);
    const std::vector<RecordOverlap> found = options.best_only ? overlaps.best() : overlaps.all(stages, first, end);
    result.reserve(found.size());
    for (const RecordOverlap& overlap : found)
      if (first <= overlap.a && overlap.a < end) result.push_back(of_reads(overlap, 0, options.both_strands));
  }
  if (options.both_strands && !options.best_only)
    std::erase_if(result, [](const ReadOverlap& overlap) { return !is_reported(overlap); });
  stages.reach(1);
  return result;
}

}  // namespace

std::vector<ReadOverlap> suffix_prefix(Devices devices, const SequenceSet& reads, const SuffixPrefixOptions& options) {
  if (devices.empty()) throw InputError("no device given");
  if (devices.size() == 1) return overlaps_on(devices.front(), reads, options);
  // Shares of as many letters each.
  const std::uint64_t first = std::min<std::uint64_t>(options.first_read, reads.size());
  const std::uint64_t end = first + std::min<std::uint64_t>(options.read_count, reads.size() - first);
  std::uint64_t letters = 0;
  for (std::uint64_t read = first; read < end; ++read) letters += reads.length(read);
  std::uint64_t next = first, done = 0, share = 0;
  std::vector<ReadOverlap> result;
  runtime::for_each_chunk(
      devices,
      [&]() -> std::optional<SuffixPrefixOptions> {
        if (next == end && share != 0) return std::nullopt;
        const std::uint64_t until = letters / devices.size() * ++share;
        SuffixPrefixOptions part = options;
        part.progress = {};
        part.first_read = next;
        for (; next < end && (done < until || share == devices.size()); ++next) done += reads.length(next);
        part.read_count = next - part.first_read;
        return part;
      },
      [&](const Device& device, SuffixPrefixOptions&& part) { return overlaps_on(device, reads, part); },
      [&](std::vector<ReadOverlap>&& some) {
        result.insert(result.end(), some.begin(), some.end());
        return std::uint64_t{1};
      },
      {.workers_per_device = 1, .items_total = devices.size(), .progress = options.progress});
  return result;
}

}  // namespace genocl::overlap
