// How map_canonical_gpu lays out its work. The defaults suit; this is for tests and benchmarks.
#pragma once

#include "marose/steps.hpp"

namespace genocl::marose {

struct GpuTuning {
  unsigned group_size = 0;       ///< work-items, a power of two from 64 up
  unsigned lanes = 0;            ///< work-items that share a look-up: 1, 2, 4 or 8
  unsigned items_per_lane = 0;   ///< look-ups that they do at a time: a power of two, at most `lanes`
  std::uint32_t items = 0;       ///< look-ups of a group, about
  bool use_buckets = true;       ///< DeviceSegment::buckets, where they are there
  std::uint64_t chunk_room = 0;  ///< hits (of 8 bytes) there is room for at first; what does not fit is mapped again
  std::uint32_t order_room = 0;  ///< hits of a group that are sorted in local memory, a power of two
};

Verified map_canonical_gpu(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                           const PlanTable& plans, StrandBits strands, const GpuTuning& tuning);

}  // namespace genocl::marose
