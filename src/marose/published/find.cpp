#include "marose/steps.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {

Verified find(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
              StrandBits strands) {
  if (segment.method != Method::canonical)
    return verify(device, segment, batch, plans, find_candidates_published(device, segment, batch, plans, strands));
  return runtime::uses_cpu_kernels(device) ? map_canonical_cpu(device, segment, batch, plans, strands)
                                           : map_canonical_gpu(device, segment, batch, plans, strands);
}

}  // namespace genocl::marose
