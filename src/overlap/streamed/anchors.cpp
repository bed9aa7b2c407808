#include "overlap/streamed/anchors.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "genocl/array.hpp"
#include "runtime/chunks.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

/// A chunk and its minimizers as the kernel marks them.
struct ScannedChunk {
  TextChunk chunk;
  std::vector<std::uint32_t> starts, anchors;
};

ScannedChunk marked_minimizers(const Device& device, TextChunk chunk, const RepeatSearch& search) {
  ScannedChunk scanned{std::move(chunk), {}, {}};
  const std::uint64_t windows = scanned.chunk.windows(search.length);
  if (windows == 0) return scanned;
  const std::uint64_t kmers = search.extension() + 1, bytes = windows + search.length - 1;
  // An odd base of many bits; the seed changes it.
  const std::uint64_t base = (0x9e3779b97f4a7c15U ^ (search.seed << 32)) | 1;
  std::uint64_t power = 1;
  for (std::uint64_t i = 0; i < search.k; ++i) power *= base;
  // The first window of an item costs `length` steps.
  const std::uint64_t span = runtime::round_up(std::max<std::uint64_t>(512, 4 * search.length), 32);
  const std::uint64_t items = runtime::ceil_div(windows, span);
  runtime::ScratchArray<std::uint8_t> text(device, bytes);
  text.upload(std::span<const std::uint8_t>(scanned.chunk.bytes).first(bytes));
  runtime::ScratchArray<std::uint32_t> starts(device, runtime::ceil_div(windows, 32)),
      anchors(device, runtime::ceil_div(windows + kmers, 32));
  anchors.fill(0);
  runtime::launch_items(device, "overlap/regions/minimizers.cl", "mark_minimizers", {},
                        {.items = items, .bytes = bytes, .least = 1}, text, static_cast<std::uint32_t>(windows),
                        static_cast<std::uint32_t>(search.k), static_cast<std::uint32_t>(kmers), base, power,
                        static_cast<std::uint32_t>(span), starts, anchors, items);
  scanned.starts = starts.download();
  scanned.anchors = anchors.download();
  return scanned;
}

/// The set bits of words, ascending.
class SetBits {
 public:
  explicit SetBits(std::span<const std::uint32_t> words) : words_(words), bits_(words.empty() ? 0 : words[0]) {}

  std::optional<std::uint64_t> next() {
    while (bits_ == 0) {
      if (++word_ >= words_.size()) return std::nullopt;
      bits_ = words_[word_];
    }
    const std::uint64_t bit = word_ * 32 + static_cast<unsigned>(std::countr_zero(bits_));
    bits_ &= bits_ - 1;
    return bit;
  }

 private:
  std::span<const std::uint32_t> words_;
  std::size_t word_ = 0;
  std::uint32_t bits_;
};

/// The runs of windows that are within records.
void runs_in_records(const ScannedChunk& scanned, const RepeatSearch& search, RecordCursor& records,
                     std::vector<AnchorRun>& runs) {
  runs.clear();
  const TextChunk& chunk = scanned.chunk;
  const std::uint64_t windows = chunk.windows(search.length);
  records.enter(chunk);
  SetBits starts(scanned.starts), anchors(scanned.anchors);
  std::optional<std::uint64_t> start = starts.next();
  while (start && *start < windows) {
    const std::optional<std::uint64_t> next = starts.next();
    const std::uint64_t place = chunk.begin + *anchors.next();
    // All windows of the run contain the anchor: the record of the anchor cuts them to one range.
    records.advance_to(place);
    std::uint64_t first = chunk.begin + *start, last = chunk.begin + std::min(next.value_or(windows), windows) - 1;
    start = next;
    if (place < records.begin() || place + search.k > records.end()) continue;
    if (records.end() - records.begin() < search.length) continue;
    first = std::max(first, records.begin());
    last = std::min(last, records.end() - search.length);
    if (first <= last) runs.push_back({place, first, last});
  }
  records.leave();
}

}  // namespace

std::uint64_t RepeatSearch::chunk_bytes() const {
  // A chunk is at hand, one is scanned, and some wait; the runs of a text without a minimizer in common take 24 bytes a
  // position.
  return std::max(std::clamp<std::uint64_t>(memory / 64, 4096, std::uint64_t{1} << 25), 4 * length);
}

RepeatSearch repeat_search(const FileRepeatOptions& options, std::uint64_t memory) {
  RepeatSearch search;
  search.length = options.min_length;
  search.k = std::max((options.min_length + 1) / 2,
                      options.min_length - std::min(options.min_length, RepeatSearch::max_kmers - 1));
  search.memory = memory;
  search.later_only = options.later_only;
  search.hash_mask = ~std::uint64_t{0};
  search.separator = options.separator;
  search.folder = options.temporary_folder;
  return search;
}

void scan_anchors(Devices devices, const FileText& text, const RepeatSearch& search, const Progress& progress,
                  const std::function<void(const TextChunk& chunk, std::span<const AnchorRun> runs)>& use) {
  std::uint64_t begin = 0;
  RecordCursor records(search.separator);
  std::vector<AnchorRun> runs;
  runtime::for_each_chunk(
      devices,
      [&]() -> std::optional<TextChunk> {
        std::optional<TextChunk> chunk = text.chunk(begin, search.chunk_bytes(), search.lookahead());
        if (chunk) begin = chunk->end();
        return chunk;
      },
      // A device that fails leaves the chunk to another one.
      [&](const Device& device, TextChunk&& chunk) { return marked_minimizers(device, chunk, search); },
      [&](ScannedChunk&& scanned) {
        runs_in_records(scanned, search, records, runs);
        use(scanned.chunk, runs);
        return scanned.chunk.owned;
      },
      {.workers_per_device = 1, .window_per_worker = 2, .items_total = text.size(), .progress = progress});
}

}  // namespace genocl::overlap
