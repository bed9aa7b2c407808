#include "jacobi/partition_worker.hpp"

#include <algorithm>
#include <deque>
#include <span>

#include "genocl/opencl.hpp"
#include "runtime/check.hpp"

namespace genocl::jacobi {

using runtime::flush;
using runtime::wait_for;

template <class T>
PartitionWorker<T>::~PartitionWorker() {
  // Commands of a failed run may still use the arrays.
  clFinish(interior_queue_.queue()());
  clFinish(halo_queue_.queue()());
}

template <class T>
void PartitionWorker<T>::connect(HaloLink<T>* above, HaloLink<T>* below) {
  above_ = above;
  below_ = below;
}

template <class T>
void PartitionWorker<T>::prepare(const FusedStepSet& all_fused_steps) {
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

template <class T>
SliceRange PartitionWorker<T>::with_slices(const SliceRange& range, std::uint64_t more) const noexcept {
  return intersection({range.begin - std::min(more, range.begin), range.end + more}, cells_.allocated());
}

template <class T>
AdvanceTimes PartitionWorker<T>::advance(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
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

// Enqueues sweeps back to back. Only as many are enqueued as keep the device busy, so that a cancelled run ends soon.
template <class T>
AdvanceTimes PartitionWorker<T>::advance_alone(std::uint64_t iterations, std::vector<double>* squares,
                                               const StopFlag& stop, StopPoint& stop_point) {
  constexpr double window_seconds = 0.01;
  constexpr std::uint64_t most_sweeps = 64;
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
    flush(interior_queue_);
    if (windows.size() <= 2) continue;
    settle();
    const double time = now();
    if (time - last < window_seconds / 2) window = std::min(2 * window, most_sweeps);
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

template <class T>
void PartitionWorker<T>::copy_ring_halo(std::uint64_t halo) {
  if (!settings_.layout.ring) return;
  const std::uint64_t slice = settings_.layout.slice();
  Array<T>& cells = cells_.now();
  cells.copy_from(cells, halo * slice, cells_.element(own().end - halo), cells_.element(own().begin - halo));
  cells.copy_from(cells, halo * slice, cells_.element(own().begin), cells_.element(own().end));
}

// The paper's scheme, for the iterations between two exchanges: sweeps on ranges that shrink from the partition with
// its halo to the partition. The last one computes the slices to send first, and exchanges them while it computes the
// interior. The paper waits for both before the next iteration; here the device's queues wait for one another, so that
// the device always has work.
template <class T>
double PartitionWorker<T>::advance_to_exchange(unsigned length, std::vector<double>* squares, const StopFlag& stop) {
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
  wait_for(halo_queue_, interior_queue_);
  wait_for(interior_queue_, halo_queue_);
  if (!upper.empty()) enqueue(halo_queue_, upper, last);
  if (!lower.empty()) enqueue(halo_queue_, lower, last);
  cells_.swap();
  read_halos(upper, lower);  // before the interior: copies of PoCL wait for running work-groups
  cells_.swap();
  enqueue(interior_queue_, interior, last);
  cells_.swap();
  const Event end = runtime::enqueue_marker(interior_queue_);
  flush(interior_queue_);
  send_halos();
  receive_halos(stop, [&] {
    if (idle_since == 0 && end.complete()) idle_since = now();
  });
  wait_for(interior_queue_, halo_queue_);  // until the halo is written
  return idle_since == 0 ? 0 : now() - idle_since;
}

template <class T>
void PartitionWorker<T>::enqueue(const Device& on, const SliceRange& range, unsigned fused_steps) {
  sweep(on, plan_, cells_.held(), cells_.now(), cells_.next(), cells_.local(range.begin), cells_.local(range.end),
        fused_steps);
}

template <class T>
T PartitionWorker<T>::measure(std::span<double> squares) {
  return meter_.measure(interior_queue_, cells_.held(), cells_.now(), cells_.next(), cells_.local(own().begin),
                        cells_.local(own().end), squares);
}

template <class T>
void PartitionWorker<T>::measured_sweep(std::vector<double>& squares) {
  const std::uint64_t rows = settings_.layout.rows_per_slice;
  change_max_ =
      measure(std::span(squares).subspan((own().begin - settings_.layout.first()) * rows, own().size() * rows));
  cells_.swap();
}

template <class T>
void PartitionWorker<T>::read_halos(const SliceRange& upper, const SliceRange& lower) {
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
  flush(halo_queue_);
}

template <class T>
void PartitionWorker<T>::send_halos() {
  halos_read_.wait();
  if (above_ != nullptr) above_->up.send();
  if (below_ != nullptr) below_->down.send();
}

// Writes each halo into the array as it arrives.
template <class T>
void PartitionWorker<T>::receive_halos(const StopFlag& stop, const std::function<void()>& meanwhile) {
  const auto write = [&](const SliceRange& range, HaloBuffer<T>& channel) {
    runtime::check(
        clEnqueueWriteBuffer(halo_queue_.queue()(), cells_.now().buffer()(), CL_FALSE,
                             cells_.element(range.begin) * sizeof(T),
                             range.size() * settings_.layout.slice() * sizeof(T), channel.take(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer", halo_queue_.info().name);
    flush(halo_queue_);
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

template class PartitionWorker<float>;
template class PartitionWorker<double>;

}  // namespace genocl::jacobi
