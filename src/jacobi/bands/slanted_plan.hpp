// Bands that lean: with every iteration a band is a slice nearer to the grid's beginning, so that nothing is computed
// twice, as in the skewed tiles of Wonnacott ("Using time skewing to eliminate idle time due to memory bandwidth and
// network limitations", IPDPS 2000). What a band needs of the one before, two slices for each iteration, stays on the
// device: so all bands are one device's, in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "jacobi/bands/band_plan.hpp"

namespace genocl::jacobi {

struct SlantedPlan {
  std::uint64_t slices = 0;  ///< of a band
  unsigned iterations = 1;   ///< of a round
  unsigned levels = 1;       ///< iterations of a sweep at most

  /// Slices of each of the two arrays between which a band is computed.
  std::uint64_t frame() const noexcept { return slices + iterations + levels; }
  friend bool operator==(const SlantedPlan&, const SlantedPlan&) = default;
};

/// The part of the time in which a device does what the cells count. Slices go up once and come down once in a round,
/// both at once, while others are computed; for each iteration four slices are copied on the device.
double useful_part(const Layout& layout, std::size_t element, const SlantedPlan& plan, const BandSpeed& speed);

/// The plan whose useful part is greatest, or nothing where the room is too small for any. Two arrays of a frame, an
/// array of a band's slices on either way, and two slices for each iteration fit into the room; of the fields there are
/// two frames. `most_iterations` and `levels` as plan_bands() takes them.
std::optional<SlantedPlan> plan_slanted(const Layout& layout, const BandRoom& room, unsigned most_iterations,
                                        unsigned levels, const BandSpeed& speed);

}  // namespace genocl::jacobi
