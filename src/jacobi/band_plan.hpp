// How a grid that the devices do not hold is cut into bands, and how many iterations a band stays on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "jacobi/layout.hpp"

namespace genocl::jacobi {

struct BandPlan {
  std::uint64_t slices = 0;  ///< of a band, without ghosts
  unsigned iterations = 1;   ///< of a round: every band goes up and comes back once; at most `slices`
  /// Of a device, each for a band with its ghosts. Two belong to the band that is computed. With 3 the other one goes
  /// down and then takes the next band; with 4 one goes down while another comes up.
  unsigned arrays = 3;

  /// Bands that are under way on a device: all but one array have a band of their own.
  unsigned in_flight() const noexcept { return arrays - 1; }
  friend bool operator==(const BandPlan&, const BandPlan&) = default;
};

/// What a device does in a second.
struct BandSpeed {
  double updates = 0;     ///< cells computed
  double bytes = 0;       ///< of cells over the bus, in one direction at a time
  double bytes_both = 0;  ///< in both directions at once, together
  bool overlaps = false;  ///< whether it computes meanwhile: not where the host's cores do both
};

/// What one band takes in one round, and how much of that is of use.
struct BandCost {
  double transfer = 0;   ///< seconds on the bus: the band with ghosts up, the band down
  double computing = 0;  ///< seconds: ghosts too, which shrink by a slice on each side with every iteration
  double seconds = 0;    ///< from one band to the next: the longer of the two, or both where they do not overlap
  double useful = 0;     ///< the part of `seconds` in which cells of the band are computed
};
/// `plan.slices` + 2 * `plan.iterations` slices go up, `plan.slices` come down; iterations * (slices + iterations - 1)
/// slices are computed, of which iterations * slices count.
BandCost cost_of_band(const Layout& layout, std::size_t element, const BandPlan& plan, const BandSpeed& speed);

/// What a device holds of a grid.
struct BandMemory {
  std::uint64_t max_slices = 0;   ///< slices in two arrays, ghosts included
  std::size_t element = 0;  ///< bytes of a cell
  /// Bytes of each cell more, for each band: which cells are fixed, and what the equation has for each.
  std::uint64_t fields = 0;
};

/// The plan whose `useful` is greatest, for devices with so much room at least. `max_iterations`: of a round, 0: up to
/// 4096; whole sweeps of `levels` where that is possible. Throws CapacityError when not even one slice with its ghosts
/// fits.
BandPlan plan_bands(const Layout& layout, const BandMemory& room, unsigned max_iterations, unsigned fused_steps,
                    const BandSpeed& speed);

// Bands that lean: with every iteration a band is a slice nearer to the grid's beginning, so that nothing is computed
// twice, as in the skewed tiles of Wonnacott ("Using time skewing to eliminate idle time due to memory bandwidth and
// network limitations", IPDPS 2000). What a band needs of the one before, two slices for each iteration, stays on the
// device: so all bands are one device's, in their order.

struct SkewedPlan {
  std::uint64_t slices = 0;  ///< of a band
  unsigned iterations = 1;   ///< of a round
  unsigned fused_steps = 1;  ///< iterations of a sweep at most

  /// Slices of each of the two arrays between which a band is computed.
  std::uint64_t frame() const noexcept { return slices + iterations + fused_steps; }
  friend bool operator==(const SkewedPlan&, const SkewedPlan&) = default;
};

/// The part of the time in which a device does what the cells count. Slices go up once and come down once in a round,
/// both at once, while others are computed; for each iteration four slices are copied on the device.
double useful_fraction(const Layout& layout, std::size_t element, const SkewedPlan& plan, const BandSpeed& speed);

/// The plan whose useful part is greatest, or nothing where the room is too small for any. Two arrays of a frame, an
/// array of a band's slices on either way, and two slices for each iteration fit into the room; of the fields there are
/// two frames. `max_iterations` and `levels` as plan_bands() takes them.
std::optional<SkewedPlan> plan_skewed(const Layout& layout, const BandMemory& room, unsigned max_iterations,
                                      unsigned fused_steps, const BandSpeed& speed);

}  // namespace genocl::jacobi
