// What searches in a suffix index and in an FM-index share: batches for several devices, and positions of occurrences.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "files/section_file.hpp"
#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "genocl/primitives/segmented_sort.hpp"
#include "overlap/find/suffix_index.hpp"
#include "runtime/chunks.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap {

/// Maximum number of patterns of a batch, with several devices.
inline constexpr std::size_t patterns_at_once = std::size_t{1} << 18;
/// Occurrences that are written and sorted at a time.
inline constexpr std::uint64_t hits_at_once = std::uint64_t{1} << 26;

/// Calls `search(device, number, patterns)` for batches of patterns on devices, which are numbered from 0, and passes
/// the results to `take` in order.
template <class Search, class Take>
void search_on_devices(std::vector<Device> devices, std::span<const std::string_view> patterns, Search&& search,
                       Take&& take) {
  using Some = std::span<const std::string_view>;
  check_patterns(patterns);
  const std::size_t share = runtime::ceil_div(patterns.size(), 2 * devices.size());
  const std::size_t at_once = std::clamp<std::size_t>(share, 1, patterns_at_once);
  std::size_t next = 0;
  runtime::for_each_chunk(
      devices,
      [&]() -> std::optional<Some> {
        if (next == patterns.size()) return std::nullopt;
        const Some some = patterns.subspan(next, std::min(at_once, patterns.size() - next));
        next += some.size();
        return some;
      },
      [&](const Device& device, std::size_t number, Some&& some) { return search(device, number, some); },
      [&](auto&& found) {
        take(found);
        return std::uint64_t{0};
      });
}

/// Appends the occurrences of further patterns.
inline void append(Occurrences& all, const Occurrences& some) {
  const std::uint64_t before = all.positions.size();
  for (std::size_t p = 1; p < some.begins.size(); ++p) all.begins.push_back(before + some.begins[p]);
  all.positions.insert(all.positions.end(), some.positions.begin(), some.positions.end());
}

/// The positions of at most `most` of the counts[p] occurrences of each pattern. `list(begins, places, first_hit,
/// hits)` enqueues a kernel that writes the positions of occurrences [first_hit, first_hit + hits).
template <class List>
Occurrences occurrences_of(const Device& device, std::span<const std::uint32_t> counts, std::uint64_t most,
                           List&& list) {
  Occurrences result;
  result.begins.push_back(0);
  for (const std::uint32_t count : counts)
    result.begins.push_back(result.begins.back() + std::min<std::uint64_t>(count, most));
  result.positions.resize(result.begins.back());
  const Array<std::uint64_t> begins(device, std::span<const std::uint64_t>(result.begins));
  // Whole patterns at a time.
  for (std::size_t p = 0; p < counts.size();) {
    const std::uint64_t first_hit = result.begins[p];
    std::size_t end = p + 1;
    while (end < counts.size() && result.begins[end + 1] - first_hit <= hits_at_once) ++end;
    const std::uint64_t hits = result.begins[end] - first_hit;
    if (hits > 0) {
      Array<std::uint32_t> places(device, hits), unused(device, hits);
      list(begins, places, first_hit, hits);
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

/// The section of an array on a device, written piece by piece.
template <class T>
runtime::Section array_section(const std::string& name, const Array<T>& array) {
  return runtime::streamed_section(name, array.bytes(), [&array](const auto& sink) {
    constexpr std::size_t piece = std::size_t{1} << 22;
    std::vector<T> some(std::min(piece, array.size()));
    for (std::size_t first = 0; first < array.size(); first += piece) {
      const std::span<T> now(some.data(), std::min(piece, array.size() - first));
      array.download(now, first);
      sink(std::as_bytes(now));
    }
  });
}

}  // namespace genocl::overlap
