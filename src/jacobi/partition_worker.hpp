// The iterations and exchanges of one device on its partition. Used by one thread at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "genocl/opencl.hpp"
#include "jacobi/halo.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/sweep.hpp"
#include "runtime/check.hpp"
#include "runtime/event.hpp"

namespace genocl::jacobi {

/// Seconds of one call of advance(), and the iterations done.
struct AdvanceTimes {
  double computing = 0, exchanging = 0;
  std::uint64_t iterations = 0;
};

template <class T>
class PartitionWorker {
 public:
  PartitionWorker(const Device& device, const Plan& plan, const RunSettings& settings)
      : interior_queue_(device.with_own_queue()),
        halo_queue_(device.with_own_queue()),
        plan_(plan),
        settings_(settings),
        cells_(interior_queue_, settings),
        meter_(settings.has_double) {}
  ~PartitionWorker() {
    // Commands of a failed run may still use the arrays.
    clFinish(interior_queue_.queue()());
    clFinish(halo_queue_.queue()());
  }
  PartitionWorker(const PartitionWorker&) = delete;
  PartitionWorker& operator=(const PartitionWorker&) = delete;

  const Device& device() const noexcept { return interior_queue_; }
  const Plan& plan() const noexcept { return plan_; }
  const SliceRange& own() const noexcept { return cells_.own(); }
  PartitionCells<T>& cells() noexcept { return cells_; }

  /// The neighbours; null at the ends.
  void connect(HaloLink<T>* above, HaloLink<T>* below) {
    above_ = above;
    below_ = below;
  }

  /// Compiles the sweeps for these numbers of fused steps, and the measuring one, unless done before. The cells are
  /// unchanged. Not concurrently with other devices.
  void prepare(const FusedStepSet& all_fused_steps) {
    if (own().empty()) return;
    const bool alone = own().size() == settings_.layout.slices;
    for (const unsigned fused_steps : all_fused_steps) {
      if ((!alone || settings_.layout.ring) && fused_steps > settings_.halo_depth) continue;
      if (!prepared_.insert(fused_steps).second) continue;
      // Writes to the other array, whose contents are not needed.
      enqueue(interior_queue_, {own().begin, own().begin + 1}, fused_steps);
    }
    if (std::exchange(change_prepared_, true)) return;
    std::vector<double> squares(own().size() * settings_.layout.rows_per_slice);
    measure(squares);
  }

  /// Does `iterations` iterations with an exchange after each `halo_depth` of them, or fewer if the stop point is
  /// requested. The halo is valid at the end. `squares`: null, or receives the sums of squares of the last iteration
  /// for each row of the grid, and change_max() is set.
  AdvanceTimes advance(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
                       StopPoint& stop_point) {
    AdvanceTimes times;
    const double start = now();
    std::uint64_t left = iterations;
    for (std::uint64_t step = 0; left > 0 && stop_point.may_begin(step); ++step) {
      const auto length = static_cast<unsigned>(std::min<std::uint64_t>(settings_.halo_depth, left));
      times.exchanging += advance_to_exchange(length, length == left ? squares : nullptr, stop);
      left -= length;
      done_.fetch_add(length, std::memory_order_relaxed);
    }
    interior_queue_.finish();
    halo_queue_.finish();
    times.computing = now() - start - times.exchanging;
    times.iterations = iterations - left;
    return times;
  }

  /// The same without neighbours and exchanges. Enqueues sweeps back to back. The number of pending sweeps is bounded,
  /// so that a cancelled run ends soon.
  AdvanceTimes advance_alone(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
                             StopPoint& stop_point) {
    constexpr double window_seconds = 0.01;
    constexpr std::uint64_t max_sweeps = 64;
    struct Window {
      Event end;
      std::uint64_t iterations;
    };
    const double start = now();
    std::deque<Window> windows;
    // In a ring a single device is its own neighbour: its halo must cover the fused steps of a sweep.
    const unsigned most = settings_.layout.ring ? std::min(plan_.fused_steps, settings_.halo_depth) : plan_.fused_steps;
    const std::uint64_t measured = squares != nullptr ? 1 : 0;
    std::uint64_t window = 1, left = iterations - measured, step = 0;
    double last = start;
    const auto settle = [&] {
      windows.front().end.wait();
      done_.fetch_add(windows.front().iterations, std::memory_order_relaxed);
      windows.pop_front();
    };
    while (left > 0 && stop_point.may_begin(step++)) {
      if (stop.load(std::memory_order_relaxed)) throw Stopped();
      if (on_step_) on_step_(this->iterations());
      std::uint64_t together = 0;
      for (std::uint64_t i = 0; i < window && left > 0; ++i) {
        const auto fused_steps = static_cast<unsigned>(std::min<std::uint64_t>(most, left));
        enqueue(interior_queue_, own(), fused_steps);
        cells_.swap();
        copy_ring_halo(most);
        left -= fused_steps;
        together += fused_steps;
      }
      windows.push_back({runtime::enqueue_marker(interior_queue_), together});
      runtime::flush(interior_queue_);
      if (windows.size() <= 2) continue;
      settle();
      const double time = now();
      if (time - last < window_seconds / 2) window = std::min(2 * window, max_sweeps);
      if (time - last > window_seconds * 2) window = std::max<std::uint64_t>(1, window / 2);
      last = time;
    }
    while (!windows.empty()) settle();
    const bool all = left == 0 && measured == 1 && stop_point.may_begin(step);
    if (all) {
      measured_sweep(*squares);
      done_.fetch_add(1, std::memory_order_relaxed);
    }
    copy_ring_halo(settings_.halo_depth);
    return {now() - start, 0, iterations - left - (all ? 0 : measured)};
  }

  bool has_neighbours() const noexcept { return above_ != nullptr || below_ != nullptr; }
  T change_max() const noexcept { return change_max_; }
  /// Iterations since the cells were loaded. Thread-safe.
  std::uint64_t iterations() const noexcept { return done_.load(std::memory_order_relaxed); }
  void count_from(std::uint64_t iterations) noexcept { done_.store(iterations, std::memory_order_relaxed); }

  /// For tests: a function called with the iterations done before those of each exchange (at intervals without
  /// exchanges).
  void on_step(std::function<void(std::uint64_t)> call) { on_step_ = std::move(call); }

 private:
  /// The iterations up to an exchange, and the exchange. Kernels may still be running at the return. Returns the
  /// seconds in which the device was idle.
  // The paper's scheme, for the iterations between two exchanges: sweeps on ranges that shrink from the partition with
  // its halo to the partition. The last one computes the slices to send first, and exchanges them while it computes the
  // interior. The paper waits for both before the next iteration; here the device's queues wait for one another, so
  // that the device always has work.
  double advance_to_exchange(unsigned length, std::vector<double>* squares, const StopFlag& stop) {
    if (on_step_) on_step_(iterations());
    // The last sweep is separate: it is split into sent halo and interior, or measures the change.
    const unsigned plain = squares != nullptr ? length - 1 : length, most = even_fused_steps(plan_.fused_steps, plain);
    const unsigned last = squares != nullptr ? 1 : length - (length - 1) / most * most;
    for (unsigned left = length; left > last;) {
      const unsigned fused_steps = std::min(most, left - last);
      left -= fused_steps;
      enqueue(interior_queue_, with_slices(own(), left), fused_steps);
      cells_.swap();
    }
    const SliceRange upper{own().begin, own().begin + (above_ != nullptr ? settings_.halo_depth : 0)};
    const SliceRange lower{own().end - (below_ != nullptr ? settings_.halo_depth : 0), own().end};
    const SliceRange interior{upper.end, lower.begin};
    double idle_since = 0;
    if (!settings_.overlap || squares != nullptr || interior.empty()) {
      if (squares != nullptr) {
        measured_sweep(*squares);
      } else {
        enqueue(interior_queue_, own(), last);
        cells_.swap();
        interior_queue_.finish();
      }
      idle_since = now();
      read_halos(upper, lower);
      send_halos();
      receive_halos(stop, [] {});
      halo_queue_.finish();
      return now() - idle_since;
    }
    // The halo queue waits for the previous sweeps. The interior waits until the halo kernels are enqueued: a GPU
    // schedules work-groups in the order in which their kernels become ready.
    runtime::wait_for(halo_queue_, interior_queue_);
    runtime::wait_for(interior_queue_, halo_queue_);
    if (!upper.empty()) enqueue(halo_queue_, upper, last);
    if (!lower.empty()) enqueue(halo_queue_, lower, last);
    cells_.swap();
    read_halos(upper, lower);  // before the interior: copies of PoCL wait for running work-groups
    cells_.swap();
    enqueue(interior_queue_, interior, last);
    cells_.swap();
    const Event end = runtime::enqueue_marker(interior_queue_);
    runtime::flush(interior_queue_);
    send_halos();
    receive_halos(stop, [&] {
      if (idle_since == 0 && end.complete()) idle_since = now();
    });
    runtime::wait_for(interior_queue_, halo_queue_);  // until the halo is written
    return idle_since == 0 ? 0 : now() - idle_since;
  }

  /// In a ring on a single device: refreshes `slices` halo slices on each side.
  void copy_ring_halo(std::uint64_t halo) {
    if (!settings_.layout.ring) return;
    const std::uint64_t slice = settings_.layout.slice();
    Array<T>& cells = cells_.now();
    cells.copy_from(cells, halo * slice, cells_.element(own().end - halo), cells_.element(own().begin - halo));
    cells.copy_from(cells, halo * slice, cells_.element(own().begin), cells_.element(own().end));
  }

  /// The range with `more` slices on each side, as far as they are held.
  SliceRange with_slices(const SliceRange& range, std::uint64_t more) const noexcept {
    return intersection({range.begin - std::min(more, range.begin), range.end + more}, cells_.allocated());
  }

  /// Enqueues a sweep from the current array to a range of the other.
  void enqueue(const Device& on, const SliceRange& range, unsigned fused_steps) {
    sweep(on, plan_, cells_.held(), cells_.now(), cells_.next(), cells_.local(range.begin), cells_.local(range.end),
          fused_steps);
  }

  /// Sweeps the partition, measures the change, and swaps the arrays. Returns when it is done.
  void measured_sweep(std::vector<double>& squares) {
    const std::uint64_t rows = settings_.layout.rows_per_slice;
    change_max_ =
        measure(std::span(squares).subspan((own().begin - settings_.layout.first()) * rows, own().size() * rows));
    cells_.swap();
  }

  /// Calls sweep_with_change() for the partition, into the other array.
  T measure(std::span<double> squares) {
    return meter_.measure(interior_queue_, cells_.held(), cells_.now(), cells_.next(), cells_.local(own().begin),
                          cells_.local(own().end), squares);
  }

  // The parts of an exchange, on the halo queue and the current array. The sweep of the sent halo may still be running
  // in that queue.
  void read_halos(const SliceRange& upper, const SliceRange& lower) {
    const auto read = [&](const SliceRange& range, HaloBuffer<T>& channel) {
      runtime::check(
          clEnqueueReadBuffer(halo_queue_.queue()(), cells_.now().buffer()(), CL_FALSE,
                              cells_.element(range.begin) * sizeof(T),
                              range.size() * settings_.layout.slice() * sizeof(T), channel.slot(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer", halo_queue_.info().name);
    };
    if (above_ != nullptr) read(upper, above_->up);
    if (below_ != nullptr) read(lower, below_->down);
    halos_read_ = runtime::enqueue_marker(halo_queue_);
    runtime::flush(halo_queue_);
  }

  void send_halos() {
    halos_read_.wait();
    if (above_ != nullptr) above_->up.send();
    if (below_ != nullptr) below_->down.send();
  }

  // Writes each halo into the array as it arrives.
  void receive_halos(const StopFlag& stop, const std::function<void()>& meanwhile) {
    const auto write = [&](const SliceRange& range, HaloBuffer<T>& channel) {
      runtime::check(clEnqueueWriteBuffer(halo_queue_.queue()(), cells_.now().buffer()(), CL_FALSE,
                                          cells_.element(range.begin) * sizeof(T),
                                          range.size() * settings_.layout.slice() * sizeof(T), channel.take(), 0,
                                          nullptr, nullptr),
                     "clEnqueueWriteBuffer", halo_queue_.info().name);
      runtime::flush(halo_queue_);
    };
    bool from_above = above_ == nullptr, from_below = below_ == nullptr;
    wait_until(stop, [&] {
      if (!from_above && above_->down.has()) {
        write({own().begin - settings_.halo_depth, own().begin}, above_->down);
        from_above = true;
      }
      if (!from_below && below_->up.has()) {
        write({own().end, own().end + settings_.halo_depth}, below_->up);
        from_below = true;
      }
      meanwhile();
      return from_above && from_below;
    });
  }

  Device interior_queue_, halo_queue_;  // two queues of the same device
  Plan plan_;
  RunSettings settings_;
  PartitionCells<T> cells_;
  HaloLink<T>*above_ = nullptr, *below_ = nullptr;
  Event halos_read_;
  ChangeMeter<T> meter_;
  T change_max_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  FusedStepSet prepared_;
  bool change_prepared_ = false;
  std::function<void(std::uint64_t)> on_step_;
};

}  // namespace genocl::jacobi
