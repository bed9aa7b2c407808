#include "overlap/find/pattern_search.hpp"

#include <algorithm>

#include "genocl/primitives/segmented_sort.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap {
namespace {

constexpr const char* file = "overlap/find/find.cl";
/// Hits that are made and sorted at a time.
constexpr std::uint64_t hits_at_once = std::uint64_t{1} << 26;

}  // namespace

void find_by(const Device& device, const SuffixIndex::State& index, const Patterns::State& patterns,
             Array<std::uint32_t>& first, Array<std::uint32_t>& counts) {
  if (patterns.count == 0) return;
  const Text::State& text = index.suffixes.text().state();
  runtime::launch_items(device, file, "find_patterns", text.defines(),
                        {.items = patterns.count, .bytes = patterns.words.bytes() + patterns.count * 24, .least = 64},
                        text.words, text.breaks, text.size, index.suffixes.positions(), index.table.starts,
                        index.table.symbols, patterns.words, patterns.begins, patterns.lengths, first, counts,
                        patterns.count);
}

std::vector<std::uint32_t> count_by(const Device& device, const SuffixIndex::State& index,
                                    std::span<const std::string_view> patterns) {
  const Patterns::State packed = pack_patterns(device, index.suffixes.text().state(), patterns);
  Array<std::uint32_t> first(device, patterns.size()), counts(device, patterns.size());
  find_by(device, index, packed, first, counts);
  return counts.download();
}

Occurrences locate_by(const Device& device, const SuffixIndex::State& index, std::span<const std::string_view> patterns,
                      std::uint64_t most) {
  Occurrences result;
  const Patterns::State packed = pack_patterns(device, index.suffixes.text().state(), patterns);
  Array<std::uint32_t> first(device, patterns.size()), counts(device, patterns.size());
  find_by(device, index, packed, first, counts);
  result.begins.push_back(0);
  for (const std::uint32_t count : counts.download())
    result.begins.push_back(result.begins.back() + std::min<std::uint64_t>(count, most));
  result.positions.resize(result.begins.back());
  const Array<std::uint64_t> begins(device, std::span<const std::uint64_t>(result.begins));
  // Whole patterns at a time, or as many hits as one has.
  for (std::size_t p = 0; p < patterns.size();) {
    const std::uint64_t first_hit = result.begins[p];
    std::size_t end = p + 1;
    while (end < patterns.size() && result.begins[end + 1] - first_hit <= hits_at_once) ++end;
    const std::uint64_t hits = result.begins[end] - first_hit;
    if (hits > 0) {
      Array<std::uint32_t> places(device, hits), unused(device, hits);
      runtime::launch_items(device, file, "list_places", index.suffixes.text().state().defines(),
                            {.items = hits, .bytes = hits * 12}, index.suffixes.positions(), first, begins, places,
                            std::uint64_t{patterns.size()}, first_hit, hits);
      std::vector<std::uint64_t> offsets;
      for (std::size_t i = p; i <= end; ++i) offsets.push_back(result.begins[i] - first_hit);
      const Array<std::uint64_t> segments(device, std::span<const std::uint64_t>(offsets));
      primitives::segmented_sort(device, places, unused, segments);
      places.download(std::span(result.positions).subspan(first_hit, hits));
    }
    p = end;
  }
  return result;
}

}  // namespace genocl::overlap
