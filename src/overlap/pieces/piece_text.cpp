#include "overlap/pieces/piece_text.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "genocl/error.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/histogram.hpp"
#include "genocl/primitives/scan.hpp"
#include "overlap/pieces/sort_in_pieces.hpp"
#include "overlap/suffix/dc3.hpp"
#include "overlap/text/text.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {

DifferenceCover::DifferenceCover(unsigned bits) : period_bits(bits) {
  const std::uint64_t wanted = period();
  std::uint32_t r = 1;
  while (24 * std::uint64_t{r} * r + 36 * r + 13 < wanted) ++r;
  std::uint32_t at = 0;
  const auto steps = [&](std::uint32_t count, std::uint32_t step) {
    for (std::uint32_t i = 0; i < count; ++i) elements.push_back(at += step);
  };
  elements.push_back(0);
  steps(r, 1);
  steps(1, r + 1);
  steps(r, 2 * r + 1);
  steps(2 * r + 1, 4 * r + 3);
  steps(r + 1, 2 * r + 2);
  steps(r, 1);
}

std::uint64_t DifferenceCover::samples(std::uint64_t size) const {
  const auto rest = static_cast<std::uint32_t>(size & (period() - 1));
  const auto last = std::ranges::lower_bound(elements, rest) - elements.begin();
  return (size >> period_bits) * elements.size() + static_cast<std::uint64_t>(last);
}

std::vector<std::uint32_t> DifferenceCover::table(std::uint64_t size) const {
  const std::uint32_t mask = period() - 1;
  std::vector<std::uint32_t> table(2 * std::size_t{period()}, 0xffff'ffffu);
  for (const std::uint32_t a : elements)
    for (const std::uint32_t b : elements) table[(b - a) & mask] = a;
  std::uint64_t begin = 0;
  for (const std::uint32_t element : elements) {
    table[period() + element] = static_cast<std::uint32_t>(begin);
    begin += (size >> period_bits) + ((size & mask) > element ? 1 : 0);
  }
  return table;
}

}  // namespace genocl::overlap

namespace genocl::overlap::pieces {
namespace {

using runtime::ceil_div;
using runtime::launch_items;
using runtime::ScratchArray;

constexpr const char* const prefix_file = "overlap/pieces/piece_prefixes.cl";
constexpr std::uint32_t no_index = 0xffff'ffffu;
/// Positions or bits of a block.
constexpr std::uint64_t block_size = 128, word_bits = 32;

std::uint64_t words_of_heads(std::uint64_t size) { return ceil_div(size, word_bits); }
std::uint64_t words_of_ends(std::uint64_t size) { return ceil_div(2 * size, word_bits); }
std::uint64_t blocks_of(std::uint64_t words) { return ceil_div(words * word_bits, block_size); }

/// Capacity of the list of suffixes that whole work-groups continue to compare; single items compare the rest, if any.
std::uint64_t max_long_ranks(std::uint64_t count) { return count / 4 + 64; }

}  // namespace

runtime::Defines PrefixBits::defines() const {
  return text_->defines().set("PREFIX_BLOCK", block_size).set("POSITION_BASE", base_);
}

PrefixBits::PrefixBits(std::shared_ptr<const Text::State> text, std::uint64_t base)
    : text_(std::move(text)),
      base_(base),
      head_words_(words_of_heads(text_->size)),
      end_words_(words_of_ends(text_->size)),
      heads_(text_->device(), head_words_),
      ends_(text_->device(), end_words_) {
  heads_.fill(0);
  ends_.fill(0);
  text_->device().finish();
}

std::uint64_t PrefixBits::take(const Device& device, std::span<const std::uint64_t> positions, bool first) {
  const std::uint64_t count = positions.size() - 1;
  if (count == 0) return 0;
  const bool lanes = runtime::uses_cpu_kernels(device);
  const auto long_capacity = static_cast<std::uint32_t>(lanes ? 1 : max_long_ranks(count));
  ScratchArray<std::uint64_t> there(device, positions.size());
  ScratchArray<std::uint32_t> long_ranks(device, long_capacity), long_count(device, 1), wrong(device, 1);
  there.upload(positions);
  long_count.fill(0);
  wrong.fill(no_index);
  runtime::Defines own = defines().set("VALUE_WIDE", 0);
  launch_items(device, prefix_file, "prefix_heads", own, {.items = count, .bytes = 40 * count}, text_->words,
               text_->separators, text_->size, there, first ? 1u : 0u, heads_, ends_, long_ranks, long_capacity,
               long_count, wrong, count);
  std::uint32_t found = 0;
  wrong.download(std::span(&found, 1));
  if (found != no_index) return found;
  if (!lanes) {
    const unsigned group = runtime::group_size(device);
    own.set("ONLY_GPU", 1).set("GROUP_SIZE", group);
    runtime::Kernel(device, prefix_file, "prefix_heads_long", own)
        .args(text_->words, text_->separators, text_->size, there, heads_, ends_, long_ranks, long_capacity, long_count)
        .run(2 * runtime::groups_that_fill(device), group);
    device.finish();
  }
  return count;
}

template <class Value>
void PrefixBits::look_up(const Device& device, std::span<const std::uint64_t> positions,
                         std::span<Value> values) const {
  const std::uint64_t count = positions.size();
  if (count == 0) return;
  ScratchArray<std::uint64_t> there(device, count);
  ScratchArray<Value> found(device, count);
  there.upload(positions);
  launch_items(device, prefix_file, "prefix_values", defines().set("VALUE_WIDE", sizeof(Value) == 8 ? 1 : 0),
               {.items = count, .bytes = 100 * count}, there, text_->size, heads_, ends_, end_words_, prefixes_, found,
               count);
  found.download(values);
}
template void PrefixBits::look_up(const Device&, std::span<const std::uint64_t>, std::span<std::uint32_t>) const;
template void PrefixBits::look_up(const Device&, std::span<const std::uint64_t>, std::span<std::uint64_t>) const;

void PrefixBits::exchange(std::vector<std::uint32_t>& words) {
  constexpr std::uint64_t together = std::uint64_t{1} << 22;
  std::vector<std::uint32_t> some;
  const auto take = [&](const Array<std::uint32_t>& bits, std::uint64_t offset) {
    for (std::uint64_t first = 0; first < bits.size(); first += together) {
      some.resize(std::min(together, bits.size() - first));
      bits.download(std::span(some), first);
      for (std::size_t i = 0; i < some.size(); ++i) words[offset + first + i] |= some[i];
    }
  };
  words.resize(head_words_ + end_words_, 0);
  take(heads_, 0);
  take(ends_, head_words_);
}

void PrefixBits::set(std::span<const std::uint32_t> words) {
  heads_.upload(words.first(head_words_));
  ends_.upload(words.subspan(head_words_));
}

std::uint64_t PrefixBits::count_blocks(const Array<std::uint32_t>& bits, Array<std::uint64_t>& offsets) const {
  const Device& device = text_->device();
  const std::uint64_t blocks = offsets.size() - 1;
  ScratchArray<std::uint32_t> counts(device, blocks);
  launch_items(device, prefix_file, "prefix_counts", defines().set("VALUE_WIDE", 0),
               {.items = blocks, .bytes = bits.bytes() + 4 * blocks, .least = 64}, bits, std::uint64_t{bits.size()},
               counts, blocks);
  primitives::exclusive_scan(device, counts, offsets);
  std::uint64_t all = 0;
  offsets.download(std::span(&all, 1), blocks);
  return all;
}

std::uint64_t PrefixBits::see() {
  const Device& device = text_->device();
  const std::uint64_t blocks = blocks_of(head_words_), end_blocks = blocks_of(end_words_);
  ScratchArray<std::uint64_t> head_offsets(device, blocks + 1), end_offsets(device, end_blocks + 1);
  const std::uint64_t heads = count_blocks(heads_, head_offsets);
  if (count_blocks(ends_, end_offsets) != heads)
    throw InputError("common prefixes of positions that are no suffix array of the text");
  prefixes_ = Array<std::uint64_t>(device, 2 * blocks);
  launch_items(device, prefix_file, "prefix_blocks", defines().set("VALUE_WIDE", 0),
               {.items = blocks, .bytes = 300 * blocks, .least = 64}, heads_, head_words_, head_offsets, ends_,
               end_words_, end_offsets, end_blocks, prefixes_, blocks);
  device.finish();
  return heads;
}

std::uint64_t prefix_words(std::uint64_t size) { return words_of_heads(size) + words_of_ends(size); }

std::uint64_t prefix_bytes(std::uint64_t size) {
  const std::uint64_t blocks = blocks_of(words_of_heads(size)), end_blocks = blocks_of(words_of_ends(size));
  // Prefixes, counts and sums of counts for each block.
  return 4 * prefix_words(size) + 16 * blocks + 8 * (blocks + end_blocks + 2) + 4 * (blocks + end_blocks) +
         (std::uint64_t{1} << 20);
}

std::uint64_t largest_prefix_buffer(std::uint64_t size) { return 4 * words_of_ends(size); }

std::uint64_t prefix_piece_bytes(std::uint64_t values) {
  return 8 * (values + 1) + std::max(4 * max_long_ranks(values), 8 * values) + (std::uint64_t{1} << 16);
}

namespace {

using runtime::Scratch;

constexpr const char* const range_file = "overlap/pieces/piece_range.cl";
constexpr const char* const cover_file = "overlap/pieces/piece_cover.cl";
/// Positions of a word of marks.
constexpr std::uint64_t word_places = 32;

Scratch uploaded(const Device& device, const std::vector<std::uint64_t>& positions, const Width& width) {
  Scratch there(device, std::max<std::uint64_t>(positions.size(), 1) * width.bytes());
  const std::vector<std::uint32_t> narrow(positions.begin(), positions.end());
  const void* const from = width.wide ? static_cast<const void*>(positions.data()) : narrow.data();
  runtime::upload(device, there.buffer(), 0, from, positions.size() * width.bytes());
  return there;
}

}  // namespace

runtime::Defines PieceText::defines() const {
  return text_->defines()
      .set("PIECE_WIDE", width_.wide ? 1 : 0)
      .set("PIECE_BASE", width_.base)
      .set("PERIOD_BITS", period_bits_);
}

PieceText::PieceText(const Device& device, const Text& text, const DifferenceCover& cover,
                     const std::optional<DifferenceCover>& finer, const Width& width)
    : text_(runtime::shared_state_of(text.copy_to(device))), width_(width) {
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
  cover_ = Array<std::uint32_t>(text_->device(), cover.table(size()));
}

Scratch PieceText::sample_of(const DifferenceCover& cover, std::uint64_t count) const {
  const Device& device = text_->device();
  const Array<std::uint32_t> elements(device, cover.elements);
  Scratch positions(device, count * width_.bytes());
  launch_items(device, cover_file, "cover_positions", defines(), {.items = count, .bytes = count * width_.bytes()},
               elements, static_cast<std::uint32_t>(cover.elements.size()), positions, count);
  return positions;
}

bool PieceText::mostly_tied(const DifferenceCover& cover) const {
  const Device& device = text_->device();
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
  const Device& device = text_->device();
  const std::uint64_t count = cover.samples(size());
  ranks_ = {};
  if (count == 0) return;
  const auto launch = [&](const char* name, unsigned bytes, const auto&... arguments) {
    launch_items(device, cover_file, name, defines(), {.items = count, .bytes = count * bytes}, arguments..., count);
  };
  Array<std::uint32_t> string(device, count);
  std::uint32_t largest = 0;
  {
    const Scratch positions = sample_of(cover, count);
    const Order sorted = sort(device, positions, count, Wanted::names);
    sample_tied_ = sorted.tied;
    sorted.names.download(std::span(&largest, 1), count - 1);
    launch("cover_string", 24, cover_, positions, sorted.order, sorted.names, string);
  }
  if (largest == count) {
    ranks_ = std::move(string);
    return;
  }
  const Scratch suffixes(device, count * 4);
  sort_suffixes_of_names(device, string.buffer(), count, largest, suffixes.buffer());
  ranks_ = Array<std::uint32_t>(device, count);
  launch("cover_ranks", 8, suffixes, ranks_);
}

std::vector<Splitter> PieceText::sort_splitters(const Device& device, std::span<const std::uint64_t> places) const {
  std::vector<std::uint64_t> wide(places.begin(), places.end());
  for (std::uint64_t& position : wide) position += width_.base;
  const Scratch positions = uploaded(device, wide, width_);
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
  const Array<std::uint64_t> keys_there(device, keys);
  const Scratch positions = uploaded(device, wide, width_);
  ScratchArray<std::uint32_t> intervals(device, count);
  launch_items(device, range_file, "piece_intervals", defines(), {.items = count, .bytes = count * 5}, text_->words,
               text_->separators, size(), cover_, ranks_, keys_there, positions,
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
      launch_items(device, range_file, "piece_mark", defines(), launch, text_->words, text_->separators, size(), cover_,
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

namespace {

constexpr unsigned usual_period_bits = 10, finer_period_bits = 8, max_period_bits = 16, min_period_bits = 6;
/// Suffixes of a piece have 32-bit numbers; this leaves a margin for the sort of a whole piece.
constexpr std::uint64_t max_suffixes = std::uint64_t{3} << 30;
/// Minimum number of suffixes of a piece.
constexpr std::uint64_t min_suffixes = std::uint64_t{1} << 12;
/// From this size on a second queue saves more time than it costs.
constexpr std::uint64_t overlapped_from = std::uint64_t{1} << 24;
/// Planned share of the free memory: the pool keeps buffers of earlier sizes.
constexpr double planned_share = 0.9;
/// Planned share of the host memory, which the caller of the pieces also needs.
constexpr double host_share = 0.4;

std::uint64_t of(std::uint64_t bytes, double share) {
  return static_cast<std::uint64_t>(static_cast<double>(bytes) * share);
}

/// One device and the number of its workers.
struct DeviceBudget {
  const Device& device;
  const Text& text;
  const Width& width;
  unsigned workers;

  std::uint64_t usable() const { return of(runtime::usable_memory(device), planned_share); }
  /// Bytes that stay while pieces are sorted.
  std::uint64_t kept(const DifferenceCover& cover) const {
    return text.bytes() + 4 * cover.samples(text.size()) + 16 * std::uint64_t{cover.period()};
  }
  std::uint64_t ranking(const DifferenceCover& cover) const {
    return kept(cover) + sample_bytes(device, cover.samples(text.size()), width);
  }
  std::uint64_t sorting(const DifferenceCover& cover, std::uint64_t most) const {
    return kept(cover) + workers * (piece_bytes(device, most, width) + chunk_bytes(text.size()));
  }
  /// Maximum number of suffixes of a piece, or 0.
  std::uint64_t suffixes(const DifferenceCover& cover) const {
    const std::uint64_t bytes = usable(), largest = device.info().max_allocation / 8;
    const std::uint64_t least = std::min(min_suffixes, text.size());
    if (sorting(cover, least) > bytes || least > largest) return 0;
    std::uint64_t fits = least, not_any_more = std::min({text.size(), max_suffixes, largest}) + 1;
    while (not_any_more - fits > 1) {
      const std::uint64_t middle = fits + (not_any_more - fits) / 2;
      (sorting(cover, middle) <= bytes ? fits : not_any_more) = middle;
    }
    return fits;
  }
};

/// The smallest period from the usual one on with which all devices can rank the sample and sort pieces.
DifferenceCover cover_for(std::span<const DeviceBudget> budgets, const PieceOptions& options, std::uint64_t size) {
  unsigned bits = usual_period_bits, last = max_period_bits;
  if (options.period != 0) {
    bits = last = static_cast<unsigned>(std::bit_width(options.period)) - 1;
    if (options.period != std::uint32_t{1} << bits || bits < min_period_bits || bits > max_period_bits)
      throw InputError("period", {}, std::to_string(options.period), "a power of two from 64 to 65,536");
  }
  for (;; ++bits) {
    DifferenceCover cover(bits);
    const bool numbered = cover.samples(size) < 0xffff'ffffu;
    const DeviceBudget* without = nullptr;
    for (const DeviceBudget& budget : budgets)
      if (budget.ranking(cover) > budget.usable() || budget.suffixes(cover) == 0) without = &budget;
    if (numbered && without == nullptr) return cover;
    if (bits != last) continue;
    if (without == nullptr) throw InputError("a text of " + std::to_string(size) + " symbols has too large a sample");
    const std::uint64_t needed =
        std::max(without->ranking(cover), without->sorting(cover, std::min(min_suffixes, size)));
    throw CapacityError("a suffix array in pieces on " + without->device.info().name, needed, without->usable());
  }
}

}  // namespace

Plan plan(Devices devices, const Text& text, const Width& width, const PieceOptions& options) {
  if (devices.empty()) throw InputError("no device given");
  const std::uint64_t size = text.size();
  if (!width.wide && size > Text::longest)
    throw InputError("a text of " + std::to_string(size) + " symbols: at most " + std::to_string(Text::longest) +
                     " with 32-bit positions");
  Plan plan;
  // On devices with separate memory the copies of one piece overlap with the kernels of the next.
  for (const Device& device : devices)
    if (!device.info().host_unified_memory && size >= overlapped_from) plan.workers = 2;
  std::vector<DeviceBudget> budgets;
  for (const Device& device : devices) budgets.push_back({device, text, width, plan.workers});
  const DifferenceCover cover = cover_for(budgets, options, size);
  plan.period_bits = cover.period_bits;

  // Each worker has up to two pieces on the host, one in work and one that waits.
  const std::uint64_t workers = devices.size() * plan.workers;
  const std::uint64_t host = runtime::available_host_memory();
  plan.most = options.piece_suffixes != 0 ? std::min(options.piece_suffixes, max_suffixes) : max_suffixes;
  for (const DeviceBudget& budget : budgets) plan.most = std::min(plan.most, budget.suffixes(cover));
  if (options.piece_suffixes == 0 && host != runtime::no_limit)
    plan.most =
        std::clamp(of(host, host_share) / (2 * workers * width.bytes()), std::min(min_suffixes, plan.most), plan.most);
  plan.most = std::min(plan.most, std::max<std::uint64_t>(size, 1));
  const DifferenceCover finer(finer_period_bits);
  if (options.period == 0 && finer.period_bits < cover.period_bits && finer.samples(size) < max_suffixes) {
    // Only if pieces do not become smaller.
    bool fits = true;
    for (const DeviceBudget& budget : budgets)
      fits = fits && budget.ranking(finer) <= budget.usable() && budget.suffixes(finer) >= plan.most;
    if (fits) plan.finer_bits = finer.period_bits;
  }
  // The same number for each worker. Several pieces have uneven sizes.
  plan.pieces = ceil_div(size, plan.most);
  if (plan.pieces > 1) plan.pieces = ceil_div(size, std::max<std::uint64_t>(plan.most - plan.most / 8, 1));
  if (options.piece_suffixes == 0 && workers > 1 && size >= min_suffixes * workers)
    plan.pieces = runtime::round_up(std::max<std::uint64_t>(plan.pieces, 1), workers);
  const std::uint64_t largest = plan.pieces > 1 ? plan.most : size;
  plan.host_bytes = std::min(2 * workers, std::max<std::uint64_t>(plan.pieces, 1)) * largest * width.bytes();
  runtime::check_host_memory("pieces of a suffix array", plan.host_bytes, host);
  const DifferenceCover& wider = plan.finer_bits != 0 ? finer : cover;
  for (const DeviceBudget& budget : budgets)
    plan.device_bytes = std::max({plan.device_bytes, budget.ranking(wider), budget.sorting(wider, largest)});
  return plan;
}

std::optional<std::vector<Range>> cut(std::span<const Splitter> splitters, std::span<const std::uint64_t> intervals,
                                      std::uint64_t pieces, std::uint64_t most) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : intervals) total += count;
  std::vector<Range> ranges(1);
  std::uint64_t done = 0;  // in complete ranges
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    const std::uint64_t count = intervals[k], so_far = ranges.back().count;
    if (count > most) return std::nullopt;
    // The range ends at the interval nearest to its end in an even split.
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
