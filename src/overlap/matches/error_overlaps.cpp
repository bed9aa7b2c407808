#include "overlap/matches/error_overlaps.hpp"

#include <algorithm>
#include <bit>

#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/find/index_state.hpp"
#include "overlap/text/text_state.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;
using Words = runtime::ScratchArray<std::uint32_t>;

constexpr const char* file = "overlap/matches/error_overlaps.cl";
/// Reads whose parts are looked up at a time.
constexpr std::uint64_t reads_at_once = std::uint64_t{1} << 20;

unsigned bits_of(std::uint64_t most) { return std::max(1u, static_cast<unsigned>(std::bit_width(most))); }

class Search {
 public:
  Search(const SuffixIndex& index, const ErrorOverlapOptions& options)
      : index_(index.state()),
        text_(index.suffixes().text().state()),
        device_(text_.device),
        options_(options),
        parts_(options.errors + 1),
        part_(options.min_length / parts_),
        begins_(SortedText{text_, index.suffixes().positions(), index.suffixes().positions()}.upload_begins()),
        records_(static_cast<std::uint32_t>(text_.begins.size() - 1)) {
    for (std::size_t read = 0; read < records_; ++read)
      longest_ = std::max(longest_, static_cast<std::uint32_t>(text_.begins[read + 1] - text_.begins[read] - 1));
    read_bits_ = bits_of(records_);
    length_bits_ = bits_of(longest_);
    most_reads_ = std::min(reads_at_once, std::uint64_t{1} << std::min(63 - read_bits_ - length_bits_, 32u));
  }

  /// Those of some reads from `first` on; returns where the next ones begin.
  std::uint64_t append(std::uint64_t first, std::uint64_t end, std::vector<ErrorOverlap>& result) {
    const std::uint64_t reads = std::min(end - first, most_reads_), items = reads * parts_;
    Words firsts(device_, items), counts(device_, items);
    launch_items(device_, file, "find_parts", text_.defines(), {.items = items, .bytes = items * 200, .least = 64},
                 text_.words, text_.breaks, text_.size, index_.suffixes.positions(), index_.table.starts,
                 index_.table.symbols, begins_, static_cast<std::uint32_t>(first), options_.min_length, parts_, part_,
                 firsts, counts, items);
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
             std::vector<ErrorOverlap>& result) const {
    if (count == 0) return;
    runtime::check_capacity(device_, "overlaps of reads with errors", 8 * count, 40 * count);
    runtime::ScratchArray<std::uint64_t> keys(device_, count);
    Words errors(device_, count);
    std::uint64_t overlaps = 0;
    {
      runtime::ScratchArray<std::uint64_t> all_keys(device_, count);
      Words all_errors(device_, count);
      runtime::ScratchArray<std::uint8_t> keep(device_, count);
      launch_items(device_, file, "check_overlaps", text_.defines(),
                   {.items = count, .bytes = count * 100, .least = 64}, text_.words, text_.breaks, text_.size,
                   index_.suffixes.positions(), begins_, records_, first_read, options_.min_length, parts_, part_,
                   options_.errors, options_.mates ? 1u : 0u, firsts, offsets, items, first, read_bits_, length_bits_,
                   longest_, all_keys, all_errors, keep, count);
      overlaps = primitives::select(device_, all_keys, keep, keys);
      primitives::select(device_, all_errors, keep, errors);
    }
    if (overlaps == 0) return;
    auto kept_keys = Array<std::uint64_t>::adopt(device_, keys.buffer(), overlaps);
    auto kept_errors = Array<std::uint32_t>::adopt(device_, errors.buffer(), overlaps);
    primitives::sort(device_, kept_keys, kept_errors);
    runtime::ScratchArray<std::uint8_t> flags(device_, overlaps);
    launch_items(device_, "overlap/matches/longest.cl", "flag_pairs", {}, {.items = overlaps, .bytes = 9 * overlaps},
                 kept_keys, length_bits_, flags, overlaps);
    Array<std::uint64_t> pair_keys(device_, overlaps);
    Array<std::uint32_t> pair_errors(device_, overlaps);
    const std::uint64_t pairs = primitives::select(device_, kept_keys, flags, pair_keys);
    primitives::select(device_, kept_errors, flags, pair_errors);
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
  std::uint64_t most_reads_ = 1;
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

}  // namespace genocl::overlap
