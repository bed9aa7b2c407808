// Runs slanted bands on one device: one queue brings bands up, one computes, one takes them down.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "jacobi/band_plan.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/sweep.hpp"

namespace genocl::jacobi {

template <class T>
class SkewedBands {
 public:
  struct Rounds {
    std::uint64_t first = 0;  ///< iterations before these
    std::uint64_t iterations = 0;
    std::uint64_t each = 1;     ///< iterations of a round, but for the last
    bool with_change = false;   ///< of the last iteration
    std::span<double> squares;  ///< with it, for each row of the grid: the sums of squares
  };
  struct Band {
    std::uint64_t iterations = 0;
    std::uint64_t slices = 0;           ///< of the band
    std::uint64_t slices_computed = 0;  ///< times iterations
    double change = 0;                  ///< the largest, where it was asked for
    double computing = 0, waiting = 0;  ///< seconds
  };
  /// Called after each band, on the calling thread. False: the round is the last one.
  using BandCallback = std::function<bool(const Band&)>;

  /// `number`: of the device, for hooks and failures.
  SkewedBands(const RunDevice& run_device, std::size_t number, const RunSettings& settings, const Hooks& hooks,
              const SkewedPlan& plan);

  const SkewedPlan& plan() const noexcept { return plan_; }
  std::size_t bands() const noexcept { return bands_.size(); }
  /// `cells`: all slices, as arrays have them. After an error they are of no use.
  void advance(std::span<T> cells, const Rounds& rounds, const BandCallback& on_band);

 private:
  // Bands are counted through all rounds.
  struct Flow {
    std::mutex mutex;  // guards what follows
    std::condition_variable changed;
    std::uint64_t up = 0, taken = 0;    // bands that have come up, and that have left the array they came to
    std::uint64_t ready = 0, down = 0;  // pieces that are to go down, and that have
    std::uint64_t back = 0;             // slices that are back, of all rounds
    std::uint64_t rounds = 0;           // that are wanted
    SliceRange piece;                   // the last that is ready
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
  /// Slices of a band after so many iterations of a round.
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
  std::array<HeldSlices, 2> held_;  // of the band that is computed, and of the next
  std::optional<SliceTransfer<std::uint8_t>> fixed_transfer_;
  ChangeMeter<T> meter_;
};

extern template class SkewedBands<float>;
extern template class SkewedBands<double>;

}  // namespace genocl::jacobi
