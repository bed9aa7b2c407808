#include "marose/index/device_index.hpp"

#include "genocl/error.hpp"

namespace genocl::marose {

DeviceIndex::DeviceIndex(const Device& device, const Index::State& index) : device_(device), index_(index) {
  try {
    for (std::size_t i = 0; i < index.segments.size(); ++i) resident_.push_back(index.on_device(device, i));
  } catch (const CapacityError&) {
    if (index.segments.size() == 1) throw;
    resident_.clear();
    index.on_device(device, 0);  // one has to fit
  }
}

}  // namespace genocl::marose
