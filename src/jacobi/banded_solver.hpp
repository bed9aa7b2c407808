// A grid that exceeds the memory of the devices. It stays in host memory; bands of it are uploaded, computed for
// several iterations and downloaded.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "genocl/opencl.hpp"
#include "jacobi/bands.hpp"
#include "jacobi/halo.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/partitioned_solver.hpp"
#include "jacobi/sweep.hpp"
#include "runtime/transfer.hpp"

namespace genocl::jacobi {

/// The free arrays of a device. Thread-safe.
template <class T>
class BandArrayPool {
 public:
  BandArrayPool(const Device& device, unsigned count, std::uint64_t elements) {
    for (unsigned i = 0; i < count; ++i) free_.emplace_back(device, elements);
  }

  /// Waits for a free array. A band that holds two returns one without waiting for another, so one array more than
  /// bands prevents a deadlock. Throws Stopped after stop().
  Array<T> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || !free_.empty(); });
    if (stopped_) throw Stopped();
    Array<T> array = std::move(free_.back());
    free_.pop_back();
    return array;
  }
  /// The array must be idle.
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

/// A queue of a device that processes one band at a time. After an error its arrays stay here.
template <class T>
class BandQueue {
 public:
  /// For bands of at most `slices` slices, halo included.
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
  }
  ~BandQueue() { clFinish(device_.queue()()); }
  BandQueue(const BandQueue&) = delete;
  BandQueue& operator=(const BandQueue&) = delete;

  /// Waits for an array and assigns it to the range. The cells must be uploaded next.
  void place(const SliceRange& range) {
    now_ = arrays_.take();
    held_.first = range.begin;
    held_.count = range.size();
    load_fields<T>(device_, held_, slices_, settings_.readers<T>());
    if (settings_.has_fixed()) upload_fixed(device_, settings_, range.begin, range.size(), held_.fixed);
  }
  /// Uploads slices in device layout.
  void upload(std::span<const T> slices) {
    runtime::upload(device_, now_.buffer(), 0, slices.data(), slices.size_bytes());
    device_.finish();
  }
  /// Downloads the band and returns the array.
  void download(const SliceRange& band, std::span<T> slices) {
    runtime::download(device_, now_.buffer(), (band.begin - held_.first) * settings_.layout.slice() * sizeof(T),
                      slices.data(), slices.size_bytes());
    arrays_.return_queue(std::move(now_));
  }

  /// Computes `iterations` iterations on ranges that shrink to the band, with a second array while it takes. `squares`:
  /// null, or receives the sums of squares of the last iteration for each row of the grid; its largest change is then
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
  /// Of the last iterate(): slices times iterations of all launches; and seconds with the second array.
  std::uint64_t slices_computed() const noexcept { return slices_computed_; }
  double seconds() const noexcept { return seconds_; }

 private:
  Device device_;
  Plan plan_;
  RunSettings settings_;
  BandArrayPool<T>& arrays_;
  HeldSlices held_;
  Array<T> now_, next_;
  ChangeMeter<T> meter_;
  std::uint64_t slices_ = 0;
  std::uint64_t slices_computed_ = 0;
  double seconds_ = 0;
};

/// The order of transfers of the bands. A band is downloaded to its place on the host, where its neighbours may still
/// have to read, in this round or the last. Its halo belongs to the neighbouring bands only. Workers take the bands of
/// a round in order, round after round; this prevents deadlocks with two or more workers. Thread-safe.
class BandScheduler {
 public:
  /// Counts rounds from 0 again. All workers must be idle.
  void restart(std::size_t bands) {
    up_.assign(bands, 0);
    back_.assign(bands, 0);
    stopped_ = false;
  }
  /// Ends all waits with Stopped.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  /// Returns when the band and its neighbours are back from the previous rounds.
  void wait_to_upload(std::uint64_t round, std::size_t band) {
    wait([&] { return beside(back_, round, band) && back_[band] >= round; });
  }
  void mark_uploaded(std::size_t band) { count(up_, band); }
  /// Returns when the neighbours have read their halo from it.
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
  std::vector<std::uint64_t> up_, back_;  // rounds in which each band was uploaded, and downloaded
  bool stopped_ = false;
};

/// Totals of one device.
struct BandTotals {
  std::uint64_t bands = 0;            ///< bands times rounds
  std::uint64_t slices = 0;           ///< slices times iterations of the bands
  std::uint64_t slices_computed = 0;  ///< with those of the halo
  double updates = 0;                 ///< cells computed, without the halo
  double computing = 0, waiting = 0;  ///< seconds of sweeps, and of waiting for neighbours
};

/// Like PartitionedSolver, for one process. Devices are numbered as `run_devices`. After an error, except one of the
/// callback in advance(), it can only be destroyed.
template <class T>
class BandedSolver {
 public:
  /// Chooses the devices and measures them for the plan. Needs host memory for a second grid: throws CapacityError
  /// before any allocation.
  BandedSolver(std::span<const RunDevice> run_devices, const RunSettings& settings, const SolveOptions& options,
               const Hooks& hooks, IterationCallback report_iterations);

  /// The plan of bands with halos. skewed(): the plan used instead, or null.
  const BandPlan& plan() const noexcept { return plan_; }
  const SkewedPlan* skewed() const noexcept { return skewed_ ? &skewed_->plan() : nullptr; }
  /// The line for the report.
  std::string decision() const;

  void load(const HostGrid<T>& grid);
  /// As PartitionedSolver::advance(). An exception of the callback stops the run when all bands have done the same
  /// round.
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
  /// Cells updated by bands of `slices` slices.
  double updates_of(std::uint64_t slices, std::uint64_t iterations) const;
  SliceRange with_halo(const SliceRange& band, std::uint64_t halo) const;
  template <class Cells>
  auto slices(Cells cells, const SliceRange& range) const {
    return cells.subspan(range.begin * slice_cells_, range.size() * slice_cells_);
  }
  /// All rounds of `each` iterations, for bands with halos. `on_band` is called after each band, on the calling thread.
  void advance_bands(std::uint64_t iterations, std::uint64_t each, bool with_change,
                     const std::atomic<bool>& stop_requested, const std::function<void(const Done&)>& on_band);
  Done compute(const Task& task, std::size_t device);
  /// A free queue of a device.
  std::unique_ptr<BandQueue<T>> take_queue(std::size_t device);
  void return_queue(std::size_t device, std::unique_ptr<BandQueue<T>> queue, const BandTotals& more);
  void stop();

  std::vector<RunDevice> run_devices_;
  std::vector<std::size_t> chosen_;  // indices of run_devices_
  RunSettings settings_;
  Hooks hooks_;
  IterationCallback report_iterations_;
  BandPlan plan_;
  unsigned max_fused_steps_ = 1;  // maximum over the devices
  std::vector<SliceRange> bands_;
  std::uint64_t slice_cells_ = 0, iterations_ = 0;
  // The grid. Page-locked for devices that transfer over a bus; otherwise plain memory, whose pages are allocated by
  // the threads that write first.
  HostArray<T> locked_;
  std::unique_ptr<T[]> memory_;
  std::span<T> cells_;
  BandScheduler order_;
  std::unique_ptr<SkewedBands<T>> skewed_;  // on a single device, if they are faster
  std::vector<double> squares_;
  double change_max_ = 0;
  std::mutex mutex_;  // guards the following members
  std::vector<BandTotals> done_;
  std::map<std::size_t, std::unique_ptr<BandArrayPool<T>>> arrays_;  // destroyed after the queues
  std::map<std::size_t, std::vector<std::unique_ptr<BandQueue<T>>>> free_;
};

}  // namespace genocl::jacobi
