// Bands of a grid larger than the memory of the devices: their plans, and the solver of time-skewed bands.
#pragma once

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "jacobi/device_table.hpp"
#include "jacobi/equation.hpp"
#include "jacobi/halo.hpp"
#include "jacobi/layout.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/sweep.hpp"
#include "runtime/transfer.hpp"

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
              const SkewedPlan& plan)
      : number_(number),
        sweeps_(run_device.plan),
        settings_(settings),
        hooks_(hooks),
        plan_(plan),
        slice_cells_(settings.layout.slice()),
        device_(run_device.device.with_own_queue()),
        up_device_(run_device.device.with_own_queue()),
        down_device_(run_device.device.with_own_queue()),
        held_{HeldSlices(settings.layout), HeldSlices(settings.layout)},
        meter_(settings.has_double) {
    const std::uint64_t all = settings.layout.slices;
    for (std::uint64_t first = 0; first < all; first += plan.slices)
      bands_.push_back({first, std::min(first + plan.slices, all)});
    const std::uint64_t frame = std::min(plan.frame(), all) * slice_cells_;
    up_ = Array<T>(device_, plan.slices * slice_cells_);
    down_ = Array<T>(device_, plan.slices * slice_cells_);
    now_ = Array<T>(device_, frame);
    next_ = Array<T>(device_, frame);
    seam_ = Array<T>(device_, 2 * std::uint64_t{plan.iterations} * slice_cells_);
    for (HeldSlices& held : held_) {
      held.formula = settings.formula;
      if (settings.has_fixed()) held.fixed = Array<std::uint8_t>(device_, frame);
    }
  }

  const SkewedPlan& plan() const noexcept { return plan_; }
  std::size_t bands() const noexcept { return bands_.size(); }
  /// `cells`: all slices in device layout. Invalid after an error.
  void advance(std::span<T> cells, const Rounds& rounds, const BandCallback& on_band) {
    Flow flow;
    flow.rounds = (rounds.iterations + rounds.each - 1) / rounds.each;
    std::vector<std::jthread> threads;
    // If a thread cannot be created, the other one must not wait forever.
    guarded(flow, [&] {
      threads.emplace_back([&] { guarded(flow, [&] { upload_bands(flow, cells, rounds); }); });
      threads.emplace_back([&] { guarded(flow, [&] { download_bands(flow, cells); }); });
      compute_all(flow, rounds, on_band);
    });
    change(flow, [&] { flow.ended = true; });
    threads.clear();
    if (flow.failure) std::rethrow_exception(flow.failure);
  }

 private:
  static std::uint64_t less(std::uint64_t slice, std::uint64_t by) { return slice - std::min(slice, by); }

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
  void wait(Flow& flow, Ready&& ready) const {
    std::unique_lock lock(flow.mutex);
    flow.changed.wait(lock, [&] { return flow.ended || ready(); });
    if (flow.ended) throw Stopped();
  }

  template <class Change>
  void change(Flow& flow, Change&& what) const {
    const std::lock_guard lock(flow.mutex);
    what();
    flow.changed.notify_all();
  }

  /// An exception ends all three threads.
  template <class Do>
  void guarded(Flow& flow, Do&& what) const {
    try {
      attribute_errors(number_, std::forward<Do>(what));
    } catch (const Stopped&) {
    } catch (...) {
      change(flow, [&] {
        if (!flow.failure) flow.failure = std::current_exception();
        flow.ended = true;
      });
    }
  }

  // A band is uploaded when its slices have been downloaded in the previous round; the next bands have the last of
  // them.
  void upload_bands(Flow& flow, std::span<T> cells, const Rounds& rounds) {
    const std::uint64_t all = settings_.layout.slices;
    std::uint64_t count = 0;
    for (std::uint64_t round = 0;; ++round)
      for (const SliceRange& band : bands_) {
        wait(flow, [&] {
          return round >= flow.rounds ||
                 (flow.taken >= count && (round == 0 || flow.back >= (round - 1) * all + band.end));
        });
        {
          const std::lock_guard lock(flow.mutex);
          if (round >= flow.rounds) return;
        }
        HeldSlices& held = held_[count % 2];
        const std::uint64_t leaning = iterations_of(rounds, round) + plan_.fused_steps;
        held.first = less(band.begin, leaning);
        held.count = band.end - held.first;
        load_fields<T>(up_device_, held, std::min(plan_.frame(), all), settings_.readers<T>());
        if (settings_.has_fixed()) upload_fixed(up_device_, settings_, held.first, held.count, held.fixed);
        if (hooks_.fail_transfer) hooks_.fail_transfer(number_);
        const std::span<const T> slices = cells.subspan(band.begin * slice_cells_, band.size() * slice_cells_);
        runtime::upload(up_device_, up_.buffer(), 0, slices.data(), slices.size_bytes());
        up_device_.finish();
        ++count;
        change(flow, [&] { flow.up = count; });
      }
  }

  void download_bands(Flow& flow, std::span<T> cells) {
    for (std::uint64_t count = 0;; ++count) {
      wait(flow, [&] { return flow.ready > count; });
      const SliceRange piece = flow.piece;  // unchanged until the download is counted
      if (hooks_.fail_transfer) hooks_.fail_transfer(number_);
      const std::span<T> slices = cells.subspan(piece.begin * slice_cells_, piece.size() * slice_cells_);
      runtime::download(down_device_, down_.buffer(), 0, slices.data(), slices.size_bytes());
      change(flow, [&] {
        ++flow.down;
        flow.back += piece.size();
      });
    }
  }

  void compute_all(Flow& flow, const Rounds& rounds, const BandCallback& on_band) {
    for (std::uint64_t round = 0; round < flow.rounds; ++round)
      for (std::size_t band = 0; band < bands_.size(); ++band)
        if (!on_band(compute(flow, rounds, round, band))) change(flow, [&] { flow.rounds = round + 1; });
    wait(flow, [&] { return flow.down == flow.ready; });
  }

  Band compute(Flow& flow, const Rounds& rounds, std::uint64_t round, std::size_t number) {
    const SliceRange& band = bands_[number];
    const std::uint64_t count = round * bands_.size() + number;
    const bool last_band = number + 1 == bands_.size();
    Band done{.iterations = iterations_of(rounds, round), .slices = band.size()};
    const double begin = now();
    wait(flow, [&] { return flow.up > count; });
    done.waiting = now() - begin;
    if (hooks_.fail_at) hooks_.fail_at(number_, rounds.first + round * rounds.each);
    const double start = now();
    const HeldSlices& held = held_[count % 2];
    copy(up_, 0, now_, band.begin - held.first, band.size());
    device_.finish();
    change(flow, [&] { flow.taken = count + 1; });

    const bool with_change = rounds.with_change && (round + 1) * rounds.each >= rounds.iterations;
    const std::uint64_t measured = with_change ? 1 : 0;
    for (std::uint64_t past = 0; past < done.iterations;) {
      const std::uint64_t left = done.iterations - past;
      const auto fused_steps =
          static_cast<unsigned>(left == measured ? 1 : std::min<std::uint64_t>(sweeps_.fused_steps, left - measured));
      // Two slices for each iteration: the fused_steps slices before the computed range, and as many that the previous
      // band computes in this sweep.
      const auto beside = [&](std::uint64_t end) {
        return SliceRange{less(end, past + 2 * fused_steps), less(end, past)};
      };
      const auto place = [&](const SliceRange& seam, std::uint64_t end) {  // slices before the grid have a place also
        return 2 * past + (seam.begin + past + 2 * fused_steps - end);
      };
      if (const SliceRange seam = beside(band.begin); number > 0 && seam.size() > 0)
        copy(seam_, place(seam, band.begin), now_, seam.begin - held.first, seam.size());
      if (const SliceRange seam = beside(band.end); !last_band && seam.size() > 0)
        copy(now_, seam.begin - held.first, seam_, place(seam, band.end), seam.size());
      past += fused_steps;
      const SliceRange range = after(number, past);
      if (range.size() == 0) continue;
      if (left == measured) {
        const std::uint64_t rows = settings_.layout.rows_per_slice;
        done.change = meter_.measure(device_, held, now_, next_, range.begin - held.first, range.end - held.first,
                                     rounds.squares.subspan(range.begin * rows, range.size() * rows));
      } else {
        sweep(device_, sweeps_, held, now_, next_, range.begin - held.first, range.end - held.first, fused_steps);
      }
      std::swap(now_, next_);
      done.slices_computed += range.size() * fused_steps;
    }
    device_.finish();
    done.computing = now() - start;

    const SliceRange result = after(number, done.iterations);
    for (SliceRange piece{result.begin, 0}; piece.begin < result.end; piece.begin = piece.end) {
      piece.end = std::min(piece.begin + plan_.slices, result.end);
      const double full = now();
      wait(flow, [&] { return flow.down == flow.ready; });
      done.waiting += now() - full;
      copy(now_, piece.begin - held.first, down_, 0, piece.size());
      device_.finish();
      change(flow, [&] {
        flow.piece = piece;
        ++flow.ready;
      });
    }
    return done;
  }

  void copy(const Array<T>& from, std::uint64_t from_slice, Array<T>& to, std::uint64_t to_slice, std::uint64_t count) {
    const std::uint64_t bytes = slice_cells_ * sizeof(T);
    runtime::copy(device_, from.buffer(), from_slice * bytes, to.buffer(), to_slice * bytes, count * bytes);
  }

  std::uint64_t iterations_of(const Rounds& rounds, std::uint64_t round) const {
    return std::min(rounds.each, rounds.iterations - round * rounds.each);
  }

  /// The slices of a band after `iterations` iterations of a round.
  SliceRange after(std::size_t band, std::uint64_t iterations) const {
    const SliceRange& range = bands_[band];
    return {less(range.begin, iterations), band + 1 == bands_.size() ? range.end : less(range.end, iterations)};
  }

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
