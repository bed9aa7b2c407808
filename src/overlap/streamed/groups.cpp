#include "overlap/streamed/groups.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <tuple>

#include "genocl/array.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/streamed/text_hash.hpp"
#include "runtime/launch.hpp"
#include "runtime/parallel.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

constexpr unsigned sketch_levels = 4;
/// Maximum number of segments of a group that are compared in pairs.
constexpr std::size_t max_paired = 8;
/// Matches that a task collects before it stores them.
constexpr std::size_t stored_together = 4096;

/// The bytes next to an anchor that the first `level` hashes of a sketch cover.
std::uint64_t sketched(const RepeatSearch& search, unsigned level) {
  return search.extension() * level / sketch_levels;
}

/// An upper bound of the equal bytes next to two anchors, at most `reach`.
std::uint64_t equal_bound(const RepeatSearch& search, std::uint32_t a, std::uint32_t b, std::uint64_t reach) {
  if (a == b) return reach;
  // The first level whose hashes differ.
  const unsigned level = static_cast<unsigned>(std::countr_zero(a ^ b)) / 8 + 1;
  const std::uint64_t covered = sketched(search, level);
  return covered > reach ? reach : covered - 1;
}

std::uint32_t right_sketch(const RepeatAnchor& anchor) { return static_cast<std::uint32_t>(anchor.sketch); }
std::uint32_t left_sketch(const RepeatAnchor& anchor) { return static_cast<std::uint32_t>(anchor.sketch >> 32); }

/// A mixed part of a hash, independent of the partition: partitions are chosen by the highest bits.
std::size_t part_of(std::uint64_t hash, std::size_t parts) { return mixed_bits(hash) % parts; }

std::uint64_t sketch_of(const RepeatSearch& search, const TextChunk& chunk, const RepeatAnchor& anchor) {
  const std::uint8_t* const left_end = chunk.at(anchor.place());
  const std::uint8_t* const right_begin = left_end + search.k;
  // The segment ends where its last window does.
  const std::uint64_t left = anchor.max_offset(), right = search.extension() - anchor.min_offset();
  std::uint64_t sketch = 0;
  for (unsigned level = 0; level < sketch_levels; ++level) {
    const std::uint64_t begin = sketched(search, level), end = sketched(search, level + 1);
    if (begin == end) continue;
    if (end <= right) sketch |= (text_hash(right_begin + begin, end - begin, search.seed) & 0xff) << (8 * level);
    if (end <= left) sketch |= (text_hash(left_end - end, end - begin, search.seed) & 0xff) << (8 * level + 32);
  }
  return sketch;
}

}  // namespace

RepeatAnchor anchor_of(const RepeatSearch& search, const TextChunk& chunk, const AnchorRun& run, std::uint64_t hash) {
  const std::uint64_t max_offset = run.place - run.first, min_offset = run.place - run.last;
  RepeatAnchor anchor;
  anchor.hash = hash;
  anchor.packed_place = run.place << 24 | max_offset << 12 | min_offset;
  anchor.fingerprint = text_hash(chunk.at(run.first), run.last - run.first + search.length,
                                 search.seed + (max_offset << 12 | min_offset)) &
                       search.hash_mask;
  anchor.sketch = sketch_of(search, chunk, anchor);
  return anchor;
}

std::uint64_t AnchorGroups::anchors_at_once(std::uint64_t memory) {
  // The anchor, and its key, number and their copies for the sort.
  constexpr std::uint64_t bytes = sizeof(RepeatAnchor) + 4 * (sizeof(std::uint64_t) + sizeof(std::uint32_t));
  return std::clamp<std::uint64_t>(memory / 2 / bytes, 64, std::uint64_t{1} << 31);
}

void AnchorGroups::find_matches(const PartitionedSpill<RepeatAnchor>& anchors, std::size_t partition) {
  const std::uint64_t size = anchors.size(partition), at_once = anchors_at_once(search_.memory);
  // A partition that is too large is taken in parts, and a part that is too large by its windows.
  const std::size_t parts = size <= at_once ? 1 : static_cast<std::size_t>(2 * runtime::ceil_div(size, at_once));
  std::vector<std::uint64_t> sizes(parts, 0), windows(parts, 0);
  if (parts > 1)
    anchors.for_each_block(partition, [&](std::span<const RepeatAnchor> block) {
      for (const RepeatAnchor& anchor : block) {
        ++sizes[part_of(anchor.hash, parts)];
        windows[part_of(anchor.hash, parts)] += anchor.windows();
      }
    });
  for (std::size_t part = 0; part < parts; ++part) {
    const Anchors of_part = [&](const std::function<void(const RepeatAnchor&)>& use) {
      anchors.for_each_block(partition, [&](std::span<const RepeatAnchor> block) {
        for (const RepeatAnchor& anchor : block)
          if (part_of(anchor.hash, parts) == part) use(anchor);
      });
    };
    if (sizes[part] <= at_once) {
      std::vector<RepeatAnchor> loaded;
      loaded.reserve(parts == 1 ? size : sizes[part]);
      of_part([&](const RepeatAnchor& anchor) { loaded.push_back(anchor); });
      match_sorted(loaded);
    } else {
      std::vector<WindowMatch> matches;
      match_windows(of_part, windows[part], matches);
      store_.add(matches);
    }
  }
}

void AnchorGroups::match_sorted(const std::vector<RepeatAnchor>& anchors) const {
  if (anchors.size() < 2) return;
  std::vector<std::uint64_t> keys(anchors.size());
  std::vector<std::uint32_t> order(anchors.size());
  for (std::size_t i = 0; i < anchors.size(); ++i) keys[i] = anchors[i].hash;
  std::iota(order.begin(), order.end(), 0u);
  {
    runtime::ScratchArray<std::uint64_t> device_keys(device_, keys.size());
    runtime::ScratchArray<std::uint32_t> device_order(device_, order.size());
    device_keys.upload(keys);
    device_order.upload(order);
    primitives::sort(device_, device_keys, device_order);
    device_keys.download(std::span(keys));
    device_order.download(std::span(order));
  }
  // A task takes the groups that begin in its range.
  constexpr std::size_t together = 1 << 16;
  const std::size_t tasks = runtime::ceil_div(keys.size(), together);
  runtime::parallel_for(tasks, runtime::threads_for(tasks, 1, 64), [&](std::size_t task) {
    std::size_t i = task * together;
    const std::size_t end = std::min(keys.size(), i + together);
    while (i > 0 && i < end && keys[i] == keys[i - 1]) ++i;
    std::vector<RepeatAnchor> group;
    std::vector<WindowMatch> matches;
    while (i < end) {
      std::size_t last = i + 1;
      while (last < keys.size() && keys[last] == keys[i]) ++last;
      if (last - i > 1) {
        group.clear();
        for (std::size_t member = i; member < last; ++member) group.push_back(anchors[order[member]]);
        match_group(group, matches);
      }
      i = last;
      if (matches.size() < stored_together) continue;
      store_.add(matches);
      matches.clear();
    }
    store_.add(matches);
  });
}

void AnchorGroups::claim(std::uint64_t place, std::uint64_t other, std::uint64_t count,
                         std::vector<WindowMatch>& matches) const {
  const auto put = [&](const WindowMatch& match) {
    if (matches.empty() || !matches.back().append(match)) matches.push_back(match);
  };
  put({place, other, count, true});
  if (!search_.later_only) put({other, place, count, true});
}

void AnchorGroups::match_group(std::vector<RepeatAnchor>& group, std::vector<WindowMatch>& matches) const {
  // Equal segments: all windows are those of the segment before. One segment of each kind remains.
  std::ranges::sort(group, {}, [](const RepeatAnchor& anchor) {
    return std::tuple(anchor.fingerprint, anchor.offsets(), anchor.packed_place);
  });
  std::size_t kinds = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (i > 0 && group[i].fingerprint == group[i - 1].fingerprint && group[i].offsets() == group[i - 1].offsets())
      claim(group[i].first(), group[i - 1].first(), group[i].windows(), matches);
    else
      group[kinds++] = group[i];  // group[i] stays for the next comparison
  }
  group.resize(kinds);
  if (kinds < 2) return;
  std::ranges::sort(group, {}, &RepeatAnchor::packed_place);
  if (kinds <= max_paired)
    match_pairs(group, matches);
  else
    match_many(group, matches);
}

void AnchorGroups::match_pairs(std::span<const RepeatAnchor> segments, std::vector<WindowMatch>& matches) const {
  const std::uint64_t extension = search_.extension();
  for (std::size_t i = 1; i < segments.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const RepeatAnchor &later = segments[i], &earlier = segments[j];
      // Windows of offset o are equal if o bytes to the left are, and extension - o to the right.
      const std::uint64_t min_offset = std::max(later.min_offset(), earlier.min_offset());
      const std::uint64_t max_offset = std::min(later.max_offset(), earlier.max_offset());
      if (min_offset > max_offset) continue;
      const std::uint64_t left = equal_bound(search_, left_sketch(later), left_sketch(earlier), max_offset);
      const std::uint64_t right =
          equal_bound(search_, right_sketch(later), right_sketch(earlier), extension - min_offset);
      const std::uint64_t from = std::max(min_offset, extension - right), to = std::min(max_offset, left);
      if (from > to) continue;
      const std::uint64_t count = to - from + 1;
      matches.emplace_back(later.place() - to, earlier.place() - to, count, false);
      if (!search_.later_only) matches.emplace_back(earlier.place() - to, later.place() - to, count, false);
    }
}

void AnchorGroups::match_many(std::vector<RepeatAnchor>& segments, std::vector<WindowMatch>& matches) const {
  // Segments with a window in common share half of the bytes that a window has outside its anchor, on one side.
  std::array<std::vector<std::uint16_t>, 2> halves;
  const auto half = [](const RepeatAnchor& anchor, std::size_t side) {
    return static_cast<std::uint16_t>(side == 0 ? left_sketch(anchor) : right_sketch(anchor));
  };
  const std::uint64_t covered = sketched(search_, sketch_levels / 2);
  const auto has_half = [&](const RepeatAnchor& anchor, std::size_t side) {
    return covered <= (side == 0 ? anchor.max_offset() : search_.extension() - anchor.min_offset());
  };
  for (std::size_t side = 0; side < 2; ++side) {
    for (const RepeatAnchor& anchor : segments)
      if (has_half(anchor, side)) halves[side].push_back(half(anchor, side));
    std::ranges::sort(halves[side]);
  }
  std::uint64_t windows = 0;
  std::erase_if(segments, [&](const RepeatAnchor& anchor) {
    for (std::size_t side = 0; side < 2; ++side) {
      if (!has_half(anchor, side)) continue;
      // clang 14 cannot compile std::ranges::equal_range.
      const auto [first, last] = std::equal_range(halves[side].begin(), halves[side].end(), half(anchor, side));
      if (last - first > 1) {
        windows += anchor.windows();
        return false;
      }
    }
    return true;
  });
  // Only one task at a time has a large table.
  std::unique_lock alone(large_table_, std::defer_lock);
  if (windows > search_.memory / 4096) alone.lock();
  match_windows([&](const std::function<void(const RepeatAnchor&)>& use) { std::ranges::for_each(segments, use); },
                windows, matches);
}

/// Windows by fingerprint: an open hash table with linear probing.
class AnchorGroups::WindowTable {
 public:
  explicit WindowTable(std::uint64_t windows) : slots_(std::bit_ceil(std::max<std::uint64_t>(16, 2 * windows))) {}

  /// Stores the place of a window and returns that of the window before it with the same fingerprint; `none` if it is
  /// the first one.
  std::uint64_t exchange(std::uint64_t fingerprint, std::uint64_t place) {
    if (4 * used_ >= 3 * slots_.size()) grow();
    Slot& slot = find(fingerprint);
    if (slot.place == none) {
      ++used_;
      slot.fingerprint = fingerprint;
    }
    return std::exchange(slot.place, place);
  }

  static constexpr std::uint64_t none = ~std::uint64_t{0};

 private:
  struct Slot {
    std::uint64_t fingerprint = 0, place = none;
  };

  Slot& find(std::uint64_t fingerprint) {
    std::size_t at = fingerprint & (slots_.size() - 1);
    while (slots_[at].place != none && slots_[at].fingerprint != fingerprint) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.place != none) find(slot.fingerprint) = slot;
  }

  std::vector<Slot> slots_;
  std::uint64_t used_ = 0;
};

void AnchorGroups::match_windows(const Anchors& anchors, std::uint64_t windows,
                                 std::vector<WindowMatch>& matches) const {
  // Two to four slots of 16 bytes for a window, in a quarter to half of the memory. A pass takes the windows of a part
  // of all fingerprints.
  const std::uint64_t at_once = std::max<std::uint64_t>(1024, search_.memory / 128);
  const std::size_t passes = static_cast<std::size_t>(std::max<std::uint64_t>(1, runtime::ceil_div(windows, at_once)));
  std::vector<std::uint8_t> bytes;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    WindowTable table(std::min(windows, at_once));
    anchors([&](const RepeatAnchor& anchor) {
      bytes.resize(anchor.windows() + search_.length - 1);
      text_.read(anchor.first(), bytes);
      for (std::uint64_t i = 0; i < anchor.windows(); ++i) {
        const std::uint64_t fingerprint = text_hash(bytes.data() + i, search_.length, search_.seed) & search_.hash_mask;
        if (part_of(fingerprint, passes) != pass) continue;
        const std::uint64_t place = anchor.first() + i, before = table.exchange(fingerprint, place);
        if (before != WindowTable::none) claim(place, before, 1, matches);
      }
      if (matches.size() < stored_together) return;
      store_.add(matches);
      matches.clear();
    });
  }
}

}  // namespace genocl::overlap
