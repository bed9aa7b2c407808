// Time-skewed bands on one device. One queue uploads bands, one computes, one downloads.
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

extern template class SkewedBands<float>;
extern template class SkewedBands<double>;

}  // namespace genocl::jacobi
