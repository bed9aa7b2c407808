// An index on one device: all segments, or one at a time where they do not fit together.
#pragma once

#include <memory>
#include <vector>

#include "genocl/device.hpp"
#include "marose/index/index_state.hpp"
#include "marose/steps.hpp"

namespace genocl::marose {

class DeviceIndex {
 public:
  /// Uploads what is not there yet. `index` has to outlive this. Throws CapacityError where not even one segment fits.
  DeviceIndex(const Device& device, const Index::State& index);

  const Device& device() const { return device_; }
  bool holds_all() const { return !resident_.empty(); }
  /// Uploads the segment where the device does not hold all of them.
  std::shared_ptr<const DeviceSegment> segment(std::size_t i) const {
    return holds_all() ? resident_[i] : index_.on_device(device_, i);
  }

 private:
  Device device_;
  const Index::State& index_;
  std::vector<std::shared_ptr<const DeviceSegment>> resident_;
};

}  // namespace genocl::marose
