// What takes a band up, computes it and brings it back, and the arrays of a device between which that goes.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "genocl/opencl.hpp"
#include "jacobi/exchange/exchange.hpp"
#include "jacobi/exchange/exchange_slices.hpp"
#include "jacobi/exchange/share_cells.hpp"
#include "jacobi/kernels/change_meter.hpp"

#include "jacobi/clock.hpp"
#include "runtime/transfer.hpp"

namespace genocl::jacobi {

/// The arrays of a device that no band has now.
template <class T>
class BandArrays {
 public:
  BandArrays(const Device& device, unsigned count, std::uint64_t elements) {
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
  void give_back(Array<T>&& array) {
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
class BandLane {
 public:
  /// For bands of at most `slices` slices, ghosts included.
  BandLane(const Device& device, const Plan& plan, const RunSettings& settings, std::uint64_t slices,
           BandArrays<T>& arrays)
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
    fixed_mover_.emplace(device_, settings.layout);
  }
  ~BandLane() { clFinish(device_.queue()()); }
  BandLane(const BandLane&) = delete;
  BandLane& operator=(const BandLane&) = delete;

  /// Waits for an array, and holds these slices of the grid there; their cells are to come.
  void place(const Part& part) {
    now_ = arrays_.take();
    held_.first = part.begin;
    held_.count = part.size();
    load_fields<T>(device_, held_, slices_, settings_.readers<T>());
    if (fixed_mover_) fixed_mover_->upload(slices_of(settings_.fixed_cells, settings_.layout, part), held_.fixed, 0);
  }
  /// Slices as the array has them (to_held).
  void upload(std::span<const T> slices) {
    runtime::upload(device_, now_.buffer(), 0, slices.data(), slices.size_bytes());
    device_.finish();
  }
  /// Gives the array back.
  void download(const Part& band, std::span<T> slices) {
    runtime::download(device_, now_.buffer(), (band.begin - held_.first) * settings_.layout.slice() * sizeof(T),
                      slices.data(), slices.size_bytes());
    arrays_.give_back(std::move(now_));
  }

  /// Waits for a second array, for as long as this takes: that many iterations, on ranges that shrink to the band.
  /// `squares`: null, or the sums of squares of the last one for each row of the grid; its largest change is then
  /// returned. Returns when they are done.
  T iterate(const Part& band, unsigned iterations, std::vector<double>* squares) {
    next_ = arrays_.take();
    const double start = jacobi::now();
    slices_computed_ = 0;
    const Part held{held_.first, held_.first + held_.count};
    const unsigned measured = squares != nullptr ? 1 : 0;
    for (unsigned left = iterations; left > measured;) {
      const unsigned levels = std::min(plan_.levels, left - measured);
      left -= levels;
      const Part part = common({band.begin - std::min<std::uint64_t>(left, band.begin), band.end + left}, held);
      sweep(device_, plan_, held_, now_, next_, part.begin - held_.first, part.end - held_.first, levels);
      std::swap(now_, next_);
      slices_computed_ += part.size() * levels;
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
    arrays_.give_back(std::move(next_));
    return change;
  }
  /// Of the last iterate(): slices times iterations, as launches had them; and seconds with the second array.
  std::uint64_t slices_computed() const noexcept { return slices_computed_; }
  double seconds() const noexcept { return seconds_; }

 private:
  Device device_;
  Plan plan_;
  RunSettings settings_;
  BandArrays<T>& arrays_;
  HeldSlices held_;
  Array<T> now_, next_;
  std::optional<SliceMover<std::uint8_t>> fixed_mover_;
  ChangeMeter<T> meter_;
  std::uint64_t slices_ = 0;
  std::uint64_t slices_computed_ = 0;
  double seconds_ = 0;
};

}  // namespace genocl::jacobi
