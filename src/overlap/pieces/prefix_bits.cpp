#include "overlap/pieces/prefix_bits.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "genocl/primitives/scan.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap::pieces {
namespace {

using runtime::ceil_div;
using runtime::launch_items;
using runtime::ScratchArray;

constexpr const char* const prefix_file = "overlap/pieces/piece_prefixes.cl";
constexpr std::uint32_t no_index = 0xffff'ffffu;
/// Positions, or bits, of a block.
constexpr std::uint64_t block_size = 128, word_bits = 32;

std::uint64_t words_of_heads(std::uint64_t size) { return ceil_div(size, word_bits); }
std::uint64_t words_of_ends(std::uint64_t size) { return ceil_div(2 * size, word_bits); }
std::uint64_t blocks_of(std::uint64_t words) { return ceil_div(words * word_bits, block_size); }

/// Suffixes of a piece that whole groups go on with; the others than these, if ever, are compared by single items.
std::uint64_t most_long_ranks(std::uint64_t count) { return count / 4 + 64; }

}  // namespace

runtime::Defines PrefixBits::defines() const {
  return text_->defines().set("PREFIX_BLOCK", block_size).set("POSITION_BASE", base_);
}

PrefixBits::PrefixBits(std::shared_ptr<const Text::State> text, std::uint64_t base)
    : text_(std::move(text)),
      base_(base),
      head_words_(words_of_heads(text_->size)),
      end_words_(words_of_ends(text_->size)),
      heads_(text_->device, head_words_),
      ends_(text_->device, end_words_) {
  heads_.fill(0);
  ends_.fill(0);
  text_->device.finish();
}

std::uint64_t PrefixBits::take(const Device& device, std::span<const std::uint64_t> positions, bool first) {
  const std::uint64_t count = positions.size() - 1;
  if (count == 0) return 0;
  const bool lanes = runtime::uses_cpu_kernels(device);
  const auto most_long = static_cast<std::uint32_t>(lanes ? 1 : most_long_ranks(count));
  ScratchArray<std::uint64_t> there(device, positions.size());
  ScratchArray<std::uint32_t> long_ranks(device, most_long), long_count(device, 1), wrong(device, 1);
  there.upload(positions);
  long_count.fill(0);
  wrong.fill(no_index);
  runtime::Defines own = defines().set("VALUE_WIDE", 0);
  launch_items(device, prefix_file, "prefix_heads", own, {.items = count, .bytes = 40 * count}, text_->words,
               text_->breaks, text_->size, there, first ? 1u : 0u, heads_, ends_, long_ranks, most_long, long_count,
               wrong, count);
  std::uint32_t found = 0;
  wrong.download(std::span(&found, 1));
  if (found != no_index) return found;
  if (!lanes) {
    const unsigned group = runtime::group_size(device);
    own.set("ONLY_GPU", 1).set("GROUP_SIZE", group);
    runtime::Kernel(device, prefix_file, "prefix_heads_long", own)
        .args(text_->words, text_->breaks, text_->size, there, heads_, ends_, long_ranks, most_long, long_count)
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
  const Device& device = text_->device;
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
  const Device& device = text_->device;
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
  // Of each block the prefixes; counts and their sums.
  return 4 * prefix_words(size) + 16 * blocks + 8 * (blocks + end_blocks + 2) + 4 * (blocks + end_blocks) +
         (std::uint64_t{1} << 20);
}

std::uint64_t largest_prefix_buffer(std::uint64_t size) { return 4 * words_of_ends(size); }

std::uint64_t prefix_piece_bytes(std::uint64_t values) {
  return 8 * (values + 1) + std::max(4 * most_long_ranks(values), 8 * values) + (std::uint64_t{1} << 16);
}

}  // namespace genocl::overlap::pieces
