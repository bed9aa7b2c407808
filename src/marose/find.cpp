#include "marose/steps.hpp"

namespace genocl::marose {

Verified find(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
              StrandBits strands) {
  if (segment.method != Method::canonical)
    return verify(device, segment, batch, plans, find_candidates_published(device, segment, batch, plans, strands));
  return verify(device, segment, batch, plans, find_candidates_canonical(device, segment, batch, plans, strands));
}

}  // namespace genocl::marose
