// A grid that the devices' memory does not hold: it stays with the host, and bands of it go through the devices, some
// iterations at a time.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "genocl/opencl.hpp"
#include "jacobi/band_plan.hpp"
#include "jacobi/halo.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/partitioned_solver.hpp"
#include "jacobi/skewed_bands.hpp"
#include "jacobi/sweep.hpp"
#include "runtime/transfer.hpp"

namespace genocl::jacobi {

// What takes a band up, computes it and brings it back, and the arrays of a device between which that goes.

/// The arrays of a device that no band has now.
template <class T>
class BandArrayPool {
 public:
  BandArrayPool(const Device& device, unsigned count, std::uint64_t elements) {
    for (unsigned i = 0; i < count; ++i) free_.emplace_back(device, elements);
  }

  /// Waits for one. Whoever has two gives one back without waiting for another: one more than there are bands is enough
  /// for all to go on. Throws Stopped after stop().
  Array<T> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || !free_.empty(); });
    if (stopped_) throw Stopped();
    Array<T> array = std::move(free_.back());
    free_.pop_back();
    return array;
  }
  /// Nothing may be under way on it.
  void return_queue(Array<T>&& array) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(array));
    changed_.notify_one();
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Array<T>> free_;
  bool stopped_ = false;
};

/// A queue of a device, on which one band at a time goes its way. What fails leaves its arrays here.
template <class T>
class BandQueue {
 public:
  /// For bands of at most `slices` slices, ghosts included.
  BandQueue(const Device& device, const Plan& plan, const RunSettings& settings, std::uint64_t slices,
            BandArrayPool<T>& arrays)
      : device_(device.with_own_queue()),
        plan_(plan),
        settings_(settings),
        arrays_(arrays),
        held_(settings.layout),
        meter_(settings.has_double),
        slices_(slices) {
    held_.formula = settings.formula;
    if (settings.fixed_cells.empty()) return;
    held_.fixed = Array<std::uint8_t>(device_, slices * settings.layout.slice());
    fixed_transfer_.emplace(device_, settings.layout);
  }
  ~BandQueue() { clFinish(device_.queue()()); }
  BandQueue(const BandQueue&) = delete;
  BandQueue& operator=(const BandQueue&) = delete;

  /// Waits for an array, and holds these slices of the grid there; their cells are to come.
  void place(const SliceRange& range) {
    now_ = arrays_.take();
    held_.first = range.begin;
    held_.count = range.size();
    load_fields<T>(device_, held_, slices_, settings_.readers<T>());
    if (fixed_transfer_)
      fixed_transfer_->upload(slices_of(settings_.fixed_cells, settings_.layout, range), held_.fixed, 0);
  }
  /// Slices as the array has them (to_device_layout).
  void upload(std::span<const T> slices) {
    runtime::upload(device_, now_.buffer(), 0, slices.data(), slices.size_bytes());
    device_.finish();
  }
  /// Gives the array back.
  void download(const SliceRange& band, std::span<T> slices) {
    runtime::download(device_, now_.buffer(), (band.begin - held_.first) * settings_.layout.slice() * sizeof(T),
                      slices.data(), slices.size_bytes());
    arrays_.return_queue(std::move(now_));
  }

  /// Waits for a second array, for as long as this takes: that many iterations, on ranges that shrink to the band.
  /// `squares`: null, or the sums of squares of the last one for each row of the grid; its largest change is then
  /// returned. Returns when they are done.
  T iterate(const SliceRange& band, unsigned iterations, std::vector<double>* squares) {
    next_ = arrays_.take();
    const double start = jacobi::now();
    slices_computed_ = 0;
    const SliceRange held{held_.first, held_.first + held_.count};
    const unsigned measured = squares != nullptr ? 1 : 0;
    for (unsigned left = iterations; left > measured;) {
      const unsigned fused_steps = std::min(plan_.fused_steps, left - measured);
      left -= fused_steps;
      const SliceRange range =
          intersection({band.begin - std::min<std::uint64_t>(left, band.begin), band.end + left}, held);
      sweep(device_, plan_, held_, now_, next_, range.begin - held_.first, range.end - held_.first, fused_steps);
      std::swap(now_, next_);
      slices_computed_ += range.size() * fused_steps;
    }
    T change = 0;
    if (squares != nullptr) {
      const std::uint64_t rows = settings_.layout.rows_per_slice;
      change = meter_.measure(device_, held_, now_, next_, band.begin - held_.first, band.end - held_.first,
                              std::span(*squares).subspan(band.begin * rows, band.size() * rows));
      std::swap(now_, next_);
      slices_computed_ += band.size();
    }
    device_.finish();
    seconds_ = jacobi::now() - start;
    arrays_.return_queue(std::move(next_));
    return change;
  }
  /// Of the last iterate(): slices times iterations, as launches had them; and seconds with the second array.
  std::uint64_t slices_computed() const noexcept { return slices_computed_; }
  double seconds() const noexcept { return seconds_; }

 private:
  Device device_;
  Plan plan_;
  RunSettings settings_;
  BandArrayPool<T>& arrays_;
  HeldSlices held_;
  Array<T> now_, next_;
  std::optional<SliceTransfer<std::uint8_t>> fixed_transfer_;
  ChangeMeter<T> meter_;
  std::uint64_t slices_ = 0;
  std::uint64_t slices_computed_ = 0;
  double seconds_ = 0;
};

// Which band may go up, and which may come back. They come back into their own places on the host, where neighbours
// may still have to read, of this round or the last one.

/// Ghosts of a band are of the bands beside it alone. Workers take the bands of a round in order, and round after
/// round: then nobody waits for what nobody does, as long as there are two run_devices.
class BandScheduler {
 public:
  /// Rounds are counted from 0 again. Nothing may be under way.
  void restart(std::size_t bands) {
    up_.assign(bands, 0);
    back_.assign(bands, 0);
    stopped_ = false;
  }
  /// Ends all waiting, with Stopped.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  /// Returns when the band and those beside it are back from the rounds before.
  void wait_to_upload(std::uint64_t round, std::size_t band) {
    wait([&] { return beside(back_, round, band) && back_[band] >= round; });
  }
  void mark_uploaded(std::size_t band) { count(up_, band); }
  /// Returns when those beside it have taken their ghosts out of it.
  void wait_to_download(std::uint64_t round, std::size_t band) {
    wait([&] { return beside(up_, round + 1, band); });
  }
  void mark_downloaded(std::size_t band) { count(back_, band); }

 private:
  static bool beside(const std::vector<std::uint64_t>& rounds, std::uint64_t least, std::size_t band) {
    return (band == 0 || rounds[band - 1] >= least) && (band + 1 == rounds.size() || rounds[band + 1] >= least);
  }
  void count(std::vector<std::uint64_t>& rounds, std::size_t band) {
    const std::lock_guard lock(mutex_);
    ++rounds[band];
    changed_.notify_all();
  }
  template <class Ready>
  void wait(Ready&& ready) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || ready(); });
    if (stopped_) throw Stopped();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint64_t> up_, back_;  // rounds that each band has gone up, and come back
  bool stopped_ = false;
};

/// What a device has done with its bands.
struct BandTotals {
  std::uint64_t bands = 0;            ///< times rounds
  std::uint64_t slices = 0;           ///< times iterations, of bands
  std::uint64_t slices_computed = 0;  ///< with those of ghosts
  double updates = 0;                 ///< of cells, ghosts not counted
  double computing = 0, waiting = 0;  ///< seconds: sweeps; for neighbours
};

/// Like PartitionedSolver, of one process. Devices are numbered as `run_devices` are.
template <class T>
class BandedSolver {
 public:
  /// Chooses who takes part, and measures what the plan needs to know of them. Needs memory on the host for a grid:
  /// throws CapacityError before anything is taken.
  BandedSolver(std::span<const RunDevice> run_devices, const RunSettings& settings, const SolveOptions& options,
               const Hooks& hooks, IterationCallback report_iterations);

  /// Of bands with ghosts; slanted(): null, or what is taken in their place.
  const BandPlan& plan() const noexcept { return plan_; }
  const SkewedPlan* skewed() const noexcept { return skewed_ ? &skewed_->plan() : nullptr; }
  /// What the report says of it.
  std::string decision() const;

  void load(const HostGrid<T>& grid);
  /// As PartitionedSolver's: what `tell` throws ends it when all bands have done a round.
  void advance(std::uint64_t iterations, bool with_change);
  Change change() const;
  void store(const HostGrid<T>& grid) const;
  std::uint64_t iterations() const noexcept { return iterations_; }
  std::span<const BandTotals> done() const noexcept { return done_; }

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
  void count(std::size_t device, const BandTotals& more);
  /// What bands of that many slices have updated.
  double updates_of(std::uint64_t slices, std::uint64_t iterations) const;
  SliceRange with_halo(const SliceRange& band, std::uint64_t ghosts) const;
  template <class Cells>
  auto slices(Cells cells, const SliceRange& range) const {
    return cells.subspan(range.begin * slice_cells_, range.size() * slice_cells_);
  }
  Done compute(const Task& task, std::size_t device);
  /// A device's lane that no other band uses now.
  std::unique_ptr<BandQueue<T>> take_queue(std::size_t device);
  void return_queue(std::size_t device, std::unique_ptr<BandQueue<T>> queue, const BandTotals& more);
  void stop();

  std::vector<RunDevice> run_devices_;
  std::vector<std::size_t> chosen_;  // of the run_devices
  RunSettings settings_;
  Hooks hooks_;
  IterationCallback report_iterations_;
  BandPlan plan_;
  unsigned max_fused_steps_ = 1;  // of the sweeps of whom has most
  std::vector<SliceRange> bands_;
  std::uint64_t slice_cells_ = 0, iterations_ = 0;
  // Page-locked where a device has a bus, so that it takes cells from there and brings them back itself; else left as
  // it is: pages come where they are first written, by many threads.
  HostArray<T> locked_;
  std::unique_ptr<T[]> memory_;
  std::span<T> cells_;
  BandScheduler order_;
  std::unique_ptr<SkewedBands<T>> skewed_;  // one device's, where they take less time
  std::vector<double> squares_;
  double change_max_ = 0;
  std::mutex mutex_;  // guards what follows
  std::vector<BandTotals> done_;
  std::map<std::size_t, std::unique_ptr<BandArrayPool<T>>> arrays_;  // outlive the lanes
  std::map<std::size_t, std::vector<std::unique_ptr<BandQueue<T>>>> free_;
};

extern template class BandedSolver<float>;
extern template class BandedSolver<double>;

}  // namespace genocl::jacobi
