// The size of bands and the iterations of a round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "jacobi/layout.hpp"

namespace genocl::jacobi {

struct BandPlan {
  std::uint64_t slices = 0;  ///< of a band, without halo
  unsigned iterations = 1;   ///< of a round, in which each band is uploaded and downloaded once; at most `slices`
  /// Arrays of a device, each for a band with its halo. Two belong to the computed band. With 3, the other is
  /// downloaded and then takes the next band; with 4, one is downloaded while another is uploaded.
  unsigned arrays = 3;

  /// Bands in flight on a device: all arrays but one have a band each.
  unsigned in_flight() const noexcept { return arrays - 1; }
  friend bool operator==(const BandPlan&, const BandPlan&) = default;
};

/// Rates of a device, per second.
struct BandSpeed {
  double updates = 0;     ///< cells computed
  double bytes = 0;       ///< bytes of cells over the bus, in one direction at a time
  double bytes_both = 0;  ///< bytes in both directions at once, in total
  bool overlaps = false;  ///< whether transfers overlap with computing: not if the host's cores do both
};

/// The cost of one band in one round.
struct BandCost {
  double transfer = 0;   ///< seconds on the bus: the band with its halo up, the band down
  double computing = 0;  ///< seconds, with the halo, which shrinks by a slice on each side with every iteration
  double seconds = 0;    ///< seconds from one band to the next: the maximum of both, or the sum if they do not overlap
  double useful = 0;     ///< fraction of `seconds` in which cells of the band are computed
};
/// `plan.slices` + 2 * `plan.iterations` slices are uploaded, `plan.slices` downloaded. iterations * (slices +
/// iterations - 1) slices are computed, iterations * slices of them belong to the band.
BandCost cost_of_band(const Layout& layout, std::size_t element, const BandPlan& plan, const BandSpeed& speed);

/// The memory of a device.
struct BandMemory {
  std::uint64_t max_slices = 0;  ///< slices in two arrays, halo included
  std::size_t element = 0;       ///< bytes of a cell
  /// Additional bytes of each cell in each band: the mask of fixed cells, and the fields of the equation.
  std::uint64_t fields = 0;
};

/// The plan with the largest `useful`, for devices with at least this memory. `max_iterations`: of a round, 0: up to
/// 4096; a multiple of `fused_steps` if possible. Throws CapacityError if one slice with its halo does not fit.
BandPlan plan_bands(const Layout& layout, const BandMemory& memory, unsigned max_iterations, unsigned fused_steps,
                    const BandSpeed& speed);

// Time-skewed bands: with every iteration a band moves a slice towards the start of the grid, so that no cell is
// computed twice, as in the skewed tiles of Wonnacott ("Using time skewing to eliminate idle time due to memory
// bandwidth and network limitations", IPDPS 2000). A band needs two slices of the previous band for each iteration.
// They stay on the device, so one device computes all bands, in order.

struct SkewedPlan {
  std::uint64_t slices = 0;  ///< of a band
  unsigned iterations = 1;   ///< of a round
  unsigned fused_steps = 1;  ///< maximum iterations of a sweep

  /// Slices of each of the two arrays in which a band is computed.
  std::uint64_t frame() const noexcept { return slices + iterations + fused_steps; }
  friend bool operator==(const SkewedPlan&, const SkewedPlan&) = default;
};

/// Fraction of the time in which a device computes cells of the band. Slices are uploaded and downloaded once in a
/// round, both at once, during computing. For each iteration four slices are copied on the device.
double useful_fraction(const Layout& layout, std::size_t element, const SkewedPlan& plan, const BandSpeed& speed);

/// The plan with the largest useful fraction; empty if the memory is too small for any. The memory contains two arrays
/// of frame() slices, an upload and a download array of a band, and two slices for each iteration; the fields take two
/// frames. `max_iterations` and `fused_steps` as in plan_bands().
std::optional<SkewedPlan> plan_skewed(const Layout& layout, const BandMemory& memory, unsigned max_iterations,
                                      unsigned fused_steps, const BandSpeed& speed);

}  // namespace genocl::jacobi
