// Groups of anchors with equal k-mers: which of their windows may be equal.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "overlap/streamed/anchors.hpp"
#include "overlap/streamed/matches.hpp"
#include "overlap/streamed/partitioned_spill.hpp"

namespace genocl::overlap {

/// An anchor with hashes of the text around it. Its segment is the union of its windows.
struct RepeatAnchor {
  std::uint64_t hash = 0;         ///< of the k-mer
  std::uint64_t fingerprint = 0;  ///< of the segment
  std::uint64_t packed_place = 0;
  std::uint64_t sketch = 0;  ///< bytes 0 to 3: hashes of the quarters to the right, nearest first; 4 to 7: to the left

  std::uint64_t place() const { return packed_place >> 24; }
  /// Offsets of the anchor in its windows.
  std::uint64_t max_offset() const { return packed_place >> 12 & 0xfff; }
  std::uint64_t min_offset() const { return packed_place & 0xfff; }
  std::uint64_t offsets() const { return packed_place & 0xffffff; }
  std::uint64_t first() const { return place() - max_offset(); }
  std::uint64_t windows() const { return max_offset() - min_offset() + 1; }
};

/// The anchor of a run in a chunk. `hash`: of its k-mer.
RepeatAnchor anchor_of(const RepeatSearch& search, const TextChunk& chunk, const AnchorRun& run, std::uint64_t hash);

/// Finds the matches of all anchors in temporary files. Anchors of equal k-mers are in the same partition, and those of
/// a partition ascend by place. Sorts on the device. O(n log n) for the n anchors of a partition, and O(length) for
/// each window in groups of more than 8 different segments of one k-mer, for those segments that share half of the
/// text around it with another one.
class AnchorGroups {
 public:
  AnchorGroups(const Device& device, const FileText& text, const RepeatSearch& search, MatchStore& store)
      : device_(device), text_(text), search_(search), store_(store) {}

  void find_matches(const PartitionedSpill<RepeatAnchor>& anchors, std::size_t partition);

  /// The number of anchors that are sorted at once.
  static std::uint64_t anchors_at_once(std::uint64_t memory);

 private:
  /// Calls its argument for anchors, those of equal k-mers ascending by place.
  using Anchors = std::function<void(const std::function<void(const RepeatAnchor&)>&)>;
  class WindowTable;

  void match_sorted(const std::vector<RepeatAnchor>& anchors) const;
  void match_group(std::vector<RepeatAnchor>& group, std::vector<WindowMatch>& matches) const;
  void match_pairs(std::span<const RepeatAnchor> segments, std::vector<WindowMatch>& matches) const;
  void match_many(std::vector<RepeatAnchor>& segments, std::vector<WindowMatch>& matches) const;
  void match_windows(const Anchors& anchors, std::uint64_t windows, std::vector<WindowMatch>& matches) const;
  void claim(std::uint64_t place, std::uint64_t other, std::uint64_t count, std::vector<WindowMatch>& matches) const;

  const Device& device_;
  const FileText& text_;
  const RepeatSearch& search_;
  MatchStore& store_;
  mutable std::mutex large_table_;
};

}  // namespace genocl::overlap
