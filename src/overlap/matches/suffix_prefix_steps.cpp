#include "overlap/matches/suffix_prefix_steps.hpp"

#include <algorithm>
#include <bit>

#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/regions/regions_members.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;
using Words = runtime::ScratchArray<std::uint32_t>;

constexpr const char* file = "overlap/matches/suffix_prefix.cl";

static_assert(sizeof(RecordOverlap) == 12, "what unpack_overlaps() writes");

unsigned bits_of(std::uint64_t most) { return std::max(1u, static_cast<unsigned>(std::bit_width(most))); }

}  // namespace

template <class... Arguments>
void ReadOverlaps::launch(const char* name, std::uint64_t items, std::uint64_t bytes,
                          const Arguments&... arguments) const {
  launch_items(sorted_.device(), file, name, runtime::Defines().set("MATES", mates_ ? 1 : 0),
               {.items = items, .bytes = bytes}, arguments..., items);
}

ReadOverlaps::ReadOverlaps(const SortedText& sorted, const Rmq& minima, std::uint32_t min_length, bool mates,
                           const OverlapPieces& pieces)
    : sorted_(sorted), mates_(mates), pieces_(pieces), begins_(sorted.upload_begins()) {
  const Device& device = sorted.device();
  const std::uint64_t size = sorted.size();
  for (std::size_t read = 0; read < sorted.records(); ++read)
    longest_ = std::max(longest_, sorted.text.begins[read + 1] - sorted.text.begins[read] - 1);

  Words runs(device, size);
  runtime::ScratchArray<std::uint8_t> kinds(device, size);
  {
    const Words marks = break_marks(sorted.text);
    launch_items(device, "overlap/regions/regions.cl", "runs_by_rank", {}, {.items = size, .bytes = 12 * size},
                 sorted.positions, marks, runs, size);
    launch("kinds_of_places", size, 5 * size, begins_, sorted.records(), marks, min_length, kinds);
  }
  runtime::ScratchArray<std::uint8_t> kind_of_rank(device, size);
  Words starts_before(device, size);
  find_starts(minima, kinds, kind_of_rank, starts_before);

  Words groups(device, size);
  launch("mark_groups", size, 12 * size, sorted.lcp, runs, groups);
  primitives::inclusive_max_scan(device, groups, groups);

  firsts_ = Words(device, size);
  counts_ = Words(device, size);
  const std::uint64_t most = std::min(pieces.ranks, size);
  runtime::ScratchArray<RangeQuery> whole_ranges(device, most);
  runtime::ScratchArray<RangeMinimum> whole_answers(device, most);
  for (std::uint64_t first = 0; first < size; first += most) {
    const std::uint64_t count = std::min(most, size - first);
    auto ranges = Array<RangeQuery>::adopt(device, whole_ranges.buffer(), count);
    auto answers = Array<RangeMinimum>::adopt(device, whole_answers.buffer(), count);
    launch("ask_first_starts", count, 25 * count, kind_of_rank, groups, starts_before, start_ranks_, start_count_,
           first, ranges);
    minima.minima(ranges, answers);
    launch("count_overlaps", count, 40 * count, sorted.positions, kind_of_rank, runs, groups, starts_before,
           start_ranks_, starts_, start_reads_, chain_, start_count_, begins_, answers, first, firsts_, counts_);
  }
}

void ReadOverlaps::find_starts(const Rmq& minima, const Array<std::uint8_t>& kinds, Array<std::uint8_t>& kind_of_rank,
                               Array<std::uint32_t>& starts_before) {
  const Device& device = sorted_.device();
  const std::uint64_t size = sorted_.size();
  Words is_start(device, size);
  launch("kinds_by_rank", size, 10 * size, sorted_.positions, kinds, kind_of_rank, is_start);
  primitives::exclusive_scan(device, is_start, starts_before);
  // A read begins with a break or is one of them.
  start_ranks_ = Words(device, sorted_.records());
  start_count_ = primitives::select_indices(device, is_start, start_ranks_);
  starts_ = Words(device, start_count_);
  start_reads_ = Words(device, start_count_);
  chain_ = Words(device, start_count_);
  if (start_count_ == 0) return;
  runtime::ScratchArray<RangeQuery> ranges(device, start_count_);
  runtime::ScratchArray<RangeMinimum> answers(device, start_count_);
  launch("describe_starts", start_count_, 28 * start_count_, start_ranks_, sorted_.positions, begins_,
         sorted_.records(), starts_, start_reads_, ranges);
  minima.minima(ranges, answers);
  launch("take_chain", start_count_, 12 * start_count_, answers, chain_);
}

std::vector<RecordOverlap> ReadOverlaps::all(const Stages& stages, std::uint64_t first_read,
                                             std::uint64_t end_read) const {
  const Device& device = sorted_.device();
  const std::uint64_t size = sorted_.size(), reads = sorted_.records();
  end_read = std::min(end_read, reads);
  runtime::ScratchArray<std::uint64_t> offsets(device, size + 1);
  primitives::exclusive_scan(device, counts_, offsets);
  // [read]: of its first overlap.
  runtime::ScratchArray<std::uint64_t> at_begins(device, reads + 1);
  primitives::gather(device, offsets, begins_, at_begins);
  const std::vector<std::uint64_t> first_of_read = at_begins.download();
  const std::uint64_t before = first_of_read[first_read], total = first_of_read[end_read] - before;
  stages.reach(0.8);

  const unsigned pair_bits = bits_of(reads - 1) + bits_of(longest_);
  const std::uint64_t most_reads = std::uint64_t{1} << std::min(64 - pair_bits, 32u);
  std::vector<RecordOverlap> result;
  for (std::uint64_t first = first_read; first < end_read && first_of_read[first] < before + total;) {
    const auto begin = first_of_read.begin() + static_cast<std::ptrdiff_t>(first);
    const auto limit = std::upper_bound(begin, first_of_read.end(), *begin + pieces_.overlaps);
    const auto in_piece = static_cast<std::uint64_t>(limit - begin) - 1;
    const std::uint64_t end = first + std::clamp<std::uint64_t>(in_piece, 1, std::min(most_reads, end_read - first));
    if (first_of_read[end] > *begin) append(first, end, first_of_read[end] - *begin, offsets, result);
    first = end;
    stages.reach(0.8 + 0.2 * static_cast<double>(first_of_read[end] - before) / static_cast<double>(total));
  }
  return result;
}

void ReadOverlaps::append(std::uint64_t first_read, std::uint64_t end_read, std::uint64_t overlaps,
                          const Array<std::uint64_t>& offsets, std::vector<RecordOverlap>& result) const {
  const Device& device = sorted_.device();
  runtime::check_capacity(device, "overlaps of reads", 12 * overlaps, bytes_of_overlap * overlaps);
  const std::uint32_t reads = sorted_.records(), read_bits = bits_of(reads - 1), length_bits = bits_of(longest_);
  const auto longest = static_cast<std::uint32_t>(longest_), first = static_cast<std::uint32_t>(first_read);
  const std::uint64_t first_place = sorted_.text.begins[first_read];
  const std::uint64_t places = sorted_.text.begins[end_read] - first_place;
  runtime::ScratchArray<std::uint64_t> keys(device, overlaps);
  launch("fill_overlaps", places, 12 * places + 8 * overlaps, begins_, reads, firsts_, counts_, offsets, starts_,
         start_reads_, chain_, start_count_, first, read_bits, length_bits, longest, first_place, keys);
  const unsigned piece_bits = static_cast<unsigned>(std::bit_width(end_read - first_read - 1));
  primitives::sort(device, keys, {.last_bit = read_bits + length_bits + piece_bits});
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
  const Device& device = sorted_.device();
  const std::uint64_t size = sorted_.size(), reads = sorted_.records();
  Words places(device, reads);
  places.fill(0xffff'ffffu);
  launch("find_best_places", size, 4 * size, begins_, sorted_.records(), counts_, places);
  runtime::ScratchArray<RecordOverlap> unpacked(device, reads);
  launch("best_overlaps", reads, 20 * reads, begins_, places, firsts_, starts_, start_reads_, chain_, start_count_,
         unpacked);
  std::vector<RecordOverlap> result = unpacked.download();
  std::erase_if(result, [](const RecordOverlap& overlap) { return overlap.length == 0; });
  return result;
}

}  // namespace genocl::overlap
