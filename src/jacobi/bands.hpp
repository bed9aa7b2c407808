// Bands of a grid larger than the memory of the devices: their plans, and the solver of time-skewed bands.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "jacobi/device_table.hpp"
#include "jacobi/layout.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/sweep.hpp"

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

/// Time-skewed bands on one device. One queue uploads bands, one computes, one downloads.
template <class T>
class SkewedBands {
 public:
  struct Rounds {
    std::uint64_t first = 0;  ///< iterations before these rounds
    std::uint64_t iterations = 0;
    std::uint64_t each = 1;     ///< iterations of a round, except the last
    bool with_change = false;   ///< measure the last iteration
    std::span<double> squares;  ///< with_change: receives the sums of squares of each row of the grid
  };
  struct Band {
    std::uint64_t iterations = 0;
    std::uint64_t slices = 0;           ///< of the band
    std::uint64_t slices_computed = 0;  ///< slices times iterations
    double change = 0;                  ///< the largest, with with_change
    double computing = 0, waiting = 0;  ///< seconds
  };
  /// Called after each band, on the calling thread. Returns false to stop after this round.
  using BandCallback = std::function<bool(const Band&)>;

  /// `number`: the index of the device, for hooks and failures.
  SkewedBands(const RunDevice& run_device, std::size_t number, const RunSettings& settings, const Hooks& hooks,
              const SkewedPlan& plan);

  const SkewedPlan& plan() const noexcept { return plan_; }
  std::size_t bands() const noexcept { return bands_.size(); }
  /// `cells`: all slices in device layout. Invalid after an error.
  void advance(std::span<T> cells, const Rounds& rounds, const BandCallback& on_band);

 private:
  // The progress of the three threads. Bands are counted over all rounds.
  struct Flow {
    std::mutex mutex;  // guards the following members
    std::condition_variable changed;
    std::uint64_t up = 0, taken = 0;    // bands uploaded, and bands copied out of the upload array
    std::uint64_t ready = 0, down = 0;  // pieces ready for download, and pieces downloaded
    std::uint64_t back = 0;             // slices downloaded in all rounds
    std::uint64_t rounds = 0;           // number of rounds
    SliceRange piece;                   // the last ready piece
    bool ended = false;
    std::exception_ptr failure;
  };

  template <class Ready>
  void wait(Flow& flow, Ready&& ready) const;
  template <class Change>
  void change(Flow& flow, Change&& what) const;
  template <class Do>
  void guarded(Flow& flow, Do&& what) const;
  void upload_bands(Flow& flow, std::span<T> cells, const Rounds& rounds);
  void download_bands(Flow& flow, std::span<T> cells);
  void compute_all(Flow& flow, const Rounds& rounds, const BandCallback& on_band);
  Band compute(Flow& flow, const Rounds& rounds, std::uint64_t round, std::size_t band);
  void copy(const Array<T>& from, std::uint64_t from_slice, Array<T>& to, std::uint64_t to_slice, std::uint64_t count);
  std::uint64_t iterations_of(const Rounds& rounds, std::uint64_t round) const;
  /// The slices of a band after `iterations` iterations of a round.
  SliceRange after(std::size_t band, std::uint64_t iterations) const;

  std::size_t number_;
  Plan sweeps_;
  RunSettings settings_;
  Hooks hooks_;
  SkewedPlan plan_;
  std::vector<SliceRange> bands_;
  std::uint64_t slice_cells_ = 0;
  Device device_, up_device_, down_device_;
  Array<T> up_, down_, now_, next_, seam_;
  std::array<HeldSlices, 2> held_;  // of the computed band, and of the next
  ChangeMeter<T> meter_;
};

}  // namespace genocl::jacobi
