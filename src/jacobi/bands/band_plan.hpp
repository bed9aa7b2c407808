// How a grid that the devices do not hold is cut into bands, and how many iterations a band stays on a device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "jacobi/kernels/held_slices.hpp"

namespace genocl::jacobi {

/// A device takes so many bands at a time: one is on its bus while another is computed.
inline constexpr unsigned bands_in_flight = 2;

struct BandPlan {
  std::uint64_t slices = 0;  ///< of a band, without ghosts
  unsigned iterations = 1;   ///< of a round: every band goes up and comes back once; at most `slices`
};

/// What a device does in a second.
struct BandSpeed {
  double updates = 0;     ///< cells computed
  double bytes = 0;       ///< of cells over the bus, in each direction
  bool overlaps = false;  ///< whether it computes meanwhile: not where the host's cores do both
};

/// What one band takes in one round, and how much of that is of use.
struct BandCost {
  double transfer = 0;   ///< seconds on the bus: the band with ghosts up, the band down
  double computing = 0;  ///< seconds: ghosts too, which shrink by a slice on each side with every iteration
  double seconds = 0;    ///< from one band to the next, with two in flight
  double useful = 0;     ///< the part of `seconds` in which cells of the band are computed
};
/// `plan.slices` + 2 * `plan.iterations` slices go up, `plan.slices` come down; iterations * (slices + iterations - 1)
/// slices are computed, of which iterations * slices count. Transfers hide behind the other band's computing: a band
/// takes the longer of its computing and half of all that happens to it.
BandCost cost_of_band(const Layout& layout, std::size_t element, const BandPlan& plan, const BandSpeed& speed);

/// The plan whose `useful` is greatest, for devices that hold at least `most` slices, ghosts included, in two arrays.
/// `most_iterations`: of a round, 0: up to 4096; whole sweeps of `levels` where that is possible. Throws CapacityError
/// when not even one slice with its ghosts fits.
BandPlan plan_bands(const Layout& layout, std::size_t element, std::uint64_t most, unsigned most_iterations,
                    unsigned levels, const BandSpeed& speed);

}  // namespace genocl::jacobi
