// Repeated spans: the suffix array of a piece of the text gives the repeats within it, and is searched for all other
// pieces.
#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <optional>
#include <string>

#include "genocl/error.hpp"
#include "genocl/overlap/repeats.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "genocl/primitives/scan.hpp"
#include "overlap/find/suffix_index.hpp"
#include "overlap/text/text.hpp"
#include "runtime/chunks.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

constexpr const char* repeated_spans_file = "overlap/regions/repeats.cl";
/// Positions of a word of marks.
constexpr std::uint64_t mark_bits = 32;

/// Records one after the other, each followed by the position of a separator.
class Places {
 public:
  Places(Alphabet alphabet, std::vector<std::uint8_t> symbols) : alphabet_(alphabet), symbols_(std::move(symbols)) {}

  void append(std::span<const std::uint8_t> record) {
    records_.push_back(record);
    begins_.push_back(begins_.back() + record.size() + 1);
  }
  std::uint64_t size() const { return begins_.back(); }
  std::size_t records() const { return records_.size(); }
  std::uint64_t begin(std::size_t record) const { return begins_[record]; }
  std::span<const std::uint8_t> symbols() const { return symbols_; }

  /// Positions [first, end) as a text.
  std::shared_ptr<const Text::State> text(const Device& device, std::uint64_t first, std::uint64_t end) const {
    TextPacker packer(alphabet_, false);
    packer.restrict_to(symbols_);
    const auto behind = std::ranges::upper_bound(begins_, first);
    for (auto record = static_cast<std::size_t>(behind - begins_.begin()) - 1;
         record < records_.size() && begins_[record] < end; ++record) {
      const std::uint64_t begin = begins_[record], separator = begins_[record + 1] - 1;
      const std::uint64_t from = std::max(first, begin), to = std::min(end, separator);
      if (from < to) packer.append(records_[record].subspan(from - begin, to - from));
      if (first <= separator && separator < end) packer.end_record();
    }
    return packer.pack(device);
  }

 private:
  Alphabet alphabet_;
  std::vector<std::uint8_t> symbols_;
  std::vector<std::span<const std::uint8_t>> records_;
  std::vector<std::uint64_t> begins_ = {0};
};

/// Positions of a piece; its text is longer, so that no string of these positions is cut.
using Piece = Interval;

std::uint64_t symbols_that_fit(const Device& device, unsigned bits) {
  const std::uint64_t usable = device.info().global_memory - device.info().global_memory / 8;
  std::uint64_t symbols = Text::longest / 2;
  const auto needs = [&](std::uint64_t size) {
    // Besides the array: begins and their numbers, later the table and the text of another piece.
    return SuffixArray::peak_bytes(device, size, bits, true) + 3 * size;
  };
  while (symbols > 1 << 16 && (needs(symbols) > usable || 8 * symbols > device.info().max_allocation))
    symbols -= symbols / 8;
  return symbols;
}

class Repeats {
 public:
  Repeats(Devices devices, const Places& places, const RepeatOptions& options)
      : devices_(devices),
        places_(places),
        options_(options),
        length_(static_cast<std::uint32_t>(options.min_length)),
        marks_(runtime::ceil_div(places.size(), mark_bits)) {
    std::uint64_t own = options.piece_symbols;
    if (own == 0) {
      own = Text::longest;
      for (const Device& device : devices)
        own = std::min(own, symbols_that_fit(device, bits_for(places.symbols().size())));
      own -= std::min(own / 2, options.min_length);
    }
    own = std::max(mark_bits, own / mark_bits * mark_bits);
    for (std::uint64_t first = 0; first < places.size(); first += own)
      pieces_.push_back({first, std::min(places.size(), first + own)});
  }

  std::vector<SequenceInterval> find() {
    std::size_t next = 0;
    const std::uint64_t total = places_.size() * pieces_.size();
    runtime::for_each_chunk(
        devices_,
        [&]() -> std::optional<std::size_t> {
          if (next == pieces_.size()) return std::nullopt;
          return next++;
        },
        [&](const Device& device, std::size_t&& index) {
          search(device, index);
          return places_.size();
        },
        [](std::uint64_t&& done) { return done; },
        {.workers_per_device = 1, .items_total = total, .progress = options_.progress});
    return spans();
  }

 private:
  std::uint64_t reach(const Piece& piece) const { return std::min(places_.size(), piece.end + length_ - 1); }

  /// Marks the repeats that the array of this piece gives: within it and of the other pieces.
  void search(const Device& device, std::size_t index) {
    const Piece& piece = pieces_[index];
    SuffixArray suffixes(runtime::StateAccess::make<Text>(places_.text(device, piece.begin, reach(piece))));
    mark_own(device, suffixes, piece);
    if (pieces_.size() == 1) return;
    const SuffixIndex searched(std::move(suffixes));
    for (std::size_t other = options_.later_only ? index + 1 : 0; other < pieces_.size(); ++other)
      if (other != index) mark_others(device, searched, pieces_[other]);
  }

  void mark_own(const Device& device, const SuffixArray& suffixes, const Piece& piece) {
    const Text::State& text = runtime::state_of(suffixes.text());
    const std::uint64_t size = text.size;
    runtime::ScratchArray<std::uint32_t> numbers(device, size);
    const runtime::ItemLaunch launch{.items = size, .bytes = 40 * size};
    runtime::launch_items(device, repeated_spans_file, "mark_begins_of_length", text.defines(), launch, text.words,
                          text.separators, size, suffixes.positions(), length_, numbers, size);
    primitives::inclusive_scan(device, numbers, numbers);
    std::uint32_t intervals = 0;
    numbers.download(std::span(&intervals, 1), size - 1);
    runtime::ScratchArray<std::uint32_t> firsts(device, options_.later_only ? intervals : 1);
    firsts.fill(0xffff'ffffu);
    if (options_.later_only)
      runtime::launch_items(device, repeated_spans_file, "find_firsts", text.defines(), launch, suffixes.positions(),
                            numbers, firsts, size);
    const std::uint64_t places = piece.length();
    Array<std::uint32_t> marks(device, runtime::ceil_div(places, mark_bits));
    marks.fill(0);
    runtime::launch_items(device, repeated_spans_file, "mark_intervals", text.defines(), launch, suffixes.positions(),
                          numbers, firsts, options_.later_only ? 1u : 0u, places, marks, size);
    take(marks, piece);
  }

  void mark_others(const Device& device, const SuffixIndex& searched, const Piece& other) {
    const SuffixIndex::State& index = runtime::state_of(searched);
    const Text::State& text = runtime::state_of(index.suffixes.text());
    const auto query = places_.text(device, other.begin, reach(other));
    const std::uint64_t places = other.length(), words = runtime::ceil_div(places, mark_bits);
    Array<std::uint32_t> marks(device, words);
    {
      const std::lock_guard lock(mutex_);
      marks.upload(std::span<const std::uint32_t>(marks_).subspan(other.begin / mark_bits, words));
    }
    runtime::launch_items(device, repeated_spans_file, "mark_found", text.defines(),
                          {.items = words, .bytes = places * 100, .least = 8}, text.words, text.separators, text.size,
                          index.suffixes.positions(), index.table.starts, index.table.symbols, query->words,
                          query->separators, query->size, length_, places, marks, words);
    take(marks, other);
  }

  void take(const Array<std::uint32_t>& marks, const Piece& piece) {
    const std::vector<std::uint32_t> words = marks.download();
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < words.size(); ++i) marks_[piece.begin / mark_bits + i] |= words[i];
  }

  /// The spans of the strings at marked positions. A string stays within its record.
  std::vector<SequenceInterval> spans() const {
    std::vector<SequenceInterval> all;
    std::size_t record = 0;
    std::uint64_t end = 0;
    for (std::size_t word = 0; word < marks_.size(); ++word)
      for (std::uint32_t left = marks_[word]; left != 0; left &= left - 1) {
        const std::uint64_t place = word * mark_bits + static_cast<unsigned>(std::countr_zero(left));
        if (!all.empty() && place <= end) {
          all.back().end += place + length_ - end;
        } else {
          while (places_.begin(record + 1) <= place) ++record;
          const std::uint64_t begin = place - places_.begin(record);
          all.push_back({record, begin, begin + length_});
        }
        end = place + length_;
      }
    return all;
  }

  Devices devices_;
  const Places& places_;
  const RepeatOptions& options_;
  std::uint32_t length_;
  std::vector<Piece> pieces_;
  std::mutex mutex_;
  std::vector<std::uint32_t> marks_;
};

/// The bytes that occur.
std::vector<std::uint8_t> bytes_in(ByteStrings records) {
  std::array<bool, 256> occurs{};
  for (const std::span<const std::uint8_t> record : records)
    for (const std::uint8_t byte : record) occurs[byte] = true;
  std::vector<std::uint8_t> bytes;
  for (unsigned byte = 0; byte < 256; ++byte)
    if (occurs[byte]) bytes.push_back(static_cast<std::uint8_t>(byte));
  return bytes;
}

Places places_of(const RecordsView& records, Letters letters) {
  const SequenceSet* const set = records.set();
  Places places(set != nullptr ? set->alphabet() : Alphabet::bytes,
                set != nullptr ? symbols_of(set->alphabet(), letters) : bytes_in(records.strings()));
  for (std::size_t i = 0; i < records.size(); ++i) places.append(set != nullptr ? (*set)[i] : records.strings()[i]);
  return places;
}

}  // namespace

std::vector<SequenceInterval> repeated_spans(Devices devices, const RecordsView& records,
                                             const RepeatOptions& options) {
  if (options.min_length == 0) throw InputError("repeats of 0 symbols: at least 1");
  if (devices.empty()) throw InputError("no device given");
  if (options.piece_symbols > Text::longest / 2)
    throw InputError("pieces", {}, std::to_string(options.piece_symbols) + " symbols",
                     "at most " + std::to_string(Text::longest / 2));
  const Places places = places_of(records, options.letters);
  if (options.min_length > Text::longest / 4 || options.min_length >= places.size()) return {};
  return Repeats(devices, places, options).find();
}

}  // namespace genocl::overlap
