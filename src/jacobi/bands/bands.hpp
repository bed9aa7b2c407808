// A grid that the devices' memory does not hold: it stays with the host, and bands of it go through the devices, some
// iterations at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "jacobi/bands/band_lane.hpp"
#include "jacobi/bands/band_order.hpp"
#include "jacobi/bands/band_plan.hpp"
#include "jacobi/bands/slanted_bands.hpp"
#include "jacobi/solve/solve_shares.hpp"

namespace genocl::jacobi {

/// What a device has done with its bands.
struct BandsDone {
  std::uint64_t bands = 0;            ///< times rounds
  std::uint64_t slices = 0;           ///< times iterations, of bands
  std::uint64_t slices_computed = 0;  ///< with those of ghosts
  double updates = 0;                 ///< of cells, ghosts not counted
  double computing = 0, waiting = 0;  ///< seconds: sweeps; for neighbours
};

/// Like ShareRun, of one process. Devices are numbered as `workers` are.
template <class T>
class BandRun {
 public:
  /// Chooses who takes part, and measures what the plan needs to know of them. Needs memory on the host for a grid:
  /// throws CapacityError before anything is taken.
  BandRun(std::span<const Worker> workers, const RunSettings& settings, const SolveOptions& options, const Hooks& hooks,
          Tell tell);

  /// Of bands with ghosts; slanted(): null, or what is taken in their place.
  const BandPlan& plan() const noexcept { return plan_; }
  const SlantedPlan* slanted() const noexcept { return slanted_ ? &slanted_->plan() : nullptr; }
  /// What the report says of it.
  std::string decision() const;

  void load(const HostGrid<T>& grid);
  /// As ShareRun's: what `tell` throws ends it when all bands have done a round.
  void advance(std::uint64_t iterations, bool with_change);
  Change change() const;
  void store(const HostGrid<T>& grid) const;
  std::uint64_t iterations() const noexcept { return iterations_; }
  std::span<const BandsDone> done() const noexcept { return done_; }

 private:
  struct Task {
    std::uint64_t round = 0, first = 0;  ///< iterations before the round
    std::size_t band = 0;
    unsigned iterations = 0;
    bool with_change = false;
  };
  struct Done {
    double change_max = 0;
    std::uint64_t iterations = 0;
  };

  std::size_t number_of(const Device& device) const;
  void count(std::size_t device, const BandsDone& more);
  /// What bands of that many slices have updated.
  double updates_of(std::uint64_t slices, std::uint64_t iterations) const;
  Part with_ghosts(const Part& band, std::uint64_t ghosts) const;
  template <class Cells>
  auto slices(Cells cells, const Part& part) const {
    return cells.subspan(part.begin * slice_cells_, part.size() * slice_cells_);
  }
  Done compute(const Task& task, std::size_t device);
  /// A device's lane that no other band uses now.
  std::unique_ptr<BandLane<T>> take_lane(std::size_t device);
  void give_back(std::size_t device, std::unique_ptr<BandLane<T>> lane, const BandsDone& more);
  void stop();

  std::vector<Worker> workers_;
  std::vector<std::size_t> chosen_;  // of the workers
  RunSettings settings_;
  Hooks hooks_;
  Tell tell_;
  BandPlan plan_;
  unsigned levels_ = 1;  // of the sweeps of whom has most
  std::vector<Part> bands_;
  std::uint64_t slice_cells_ = 0, iterations_ = 0;
  // Page-locked where a device has a bus, so that it takes cells from there and brings them back itself; else left as
  // it is: pages come where they are first written, by many threads.
  HostArray<T> locked_;
  std::unique_ptr<T[]> memory_;
  std::span<T> cells_;
  BandOrder order_;
  std::unique_ptr<SlantedBands<T>> slanted_;  // one device's, where they take less time
  std::vector<double> squares_;
  double change_max_ = 0;
  std::mutex mutex_;  // guards what follows
  std::vector<BandsDone> done_;
  std::map<std::size_t, std::unique_ptr<BandArrays<T>>> arrays_;  // outlive the lanes
  std::map<std::size_t, std::vector<std::unique_ptr<BandLane<T>>>> free_;
};

extern template class BandRun<float>;
extern template class BandRun<double>;

}  // namespace genocl::jacobi
