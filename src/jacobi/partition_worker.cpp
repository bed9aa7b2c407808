#include "jacobi/partition_worker.hpp"

#include <algorithm>
#include <deque>
#include <span>

#include "genocl/opencl.hpp"
#include "runtime/check.hpp"

namespace genocl::jacobi {

using runtime::Event;
using runtime::flush;
using runtime::wait_for;

template <class T>
ShareRunner<T>::~ShareRunner() {
  // What a failed run has left under way uses the arrays.
  clFinish(corpus_.queue()());
  clFinish(edge_.queue()());
}

template <class T>
void ShareRunner<T>::connect(Border<T>* above, Border<T>* below) {
  above_ = above;
  below_ = below;
  exchange_ = 0;
}

template <class T>
void ShareRunner<T>::prepare(const SweepLevels& all_levels) {
  if (own().empty()) return;
  const bool alone = own().size() == settings_.layout.slices;
  for (const unsigned levels : all_levels) {
    if ((!alone || settings_.layout.ring) && levels > settings_.exchange_every) continue;
    if (!prepared_.insert(levels).second) continue;
    // Into the other array, which holds nothing yet that is needed.
    enqueue(corpus_, {own().begin, own().begin + 1}, levels);
  }
  if (std::exchange(change_prepared_, true)) return;
  std::vector<double> squares(own().size() * settings_.layout.rows_per_slice);
  measure(squares);
}

template <class T>
Part ShareRunner<T>::with_slices(const Part& part, std::uint64_t more) const noexcept {
  return common({part.begin - std::min(more, part.begin), part.end + more}, cells_.room());
}

template <class T>
Spent ShareRunner<T>::advance(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
                              Gate& gate) {
  if (own().empty() || iterations == 0) return {};
  const Spent spent = advance_by_clock(iterations, squares, stop, gate);
  if (slice_seconds_ == 0) return spent;
  return {slice_seconds_ * static_cast<double>(own().size()) * static_cast<double>(spent.iterations), 0,
          spent.iterations};
}

template <class T>
Spent ShareRunner<T>::advance_by_clock(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
                                       Gate& gate) {
  if (above_ == nullptr && below_ == nullptr) return advance_alone(iterations, squares, stop, gate);
  const double start = now();
  double idle = 0;
  std::uint64_t left = iterations;
  for (std::uint64_t step = 0; left > 0 && gate.may_begin(step); ++step) {
    const auto length = static_cast<unsigned>(std::min<std::uint64_t>(settings_.exchange_every, left));
    idle += period(length, length == left ? squares : nullptr, stop);
    left -= length;
    done_.fetch_add(length, std::memory_order_relaxed);
  }
  corpus_.finish();
  edge_.finish();
  return {now() - start - idle, idle, iterations - left};
}

// Enqueues sweeps back to back. Only as many are under way as keep the device busy, so that a cancelled run ends soon.
template <class T>
Spent ShareRunner<T>::advance_alone(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
                                    Gate& gate) {
  constexpr double window_seconds = 0.01;
  constexpr std::uint64_t most_sweeps = 64;
  struct Window {
    Event end;
    std::uint64_t iterations;
  };
  const double start = now();
  std::deque<Window> windows;
  // In a ring a device alone is its own neighbour, and needs ghosts for what a sweep fuses.
  const unsigned most = settings_.layout.ring ? std::min(plan_.levels, settings_.exchange_every) : plan_.levels;
  const std::uint64_t measured = squares != nullptr ? 1 : 0;
  std::uint64_t window = 1, left = iterations - measured, step = 0;
  double last = start;
  const auto settle = [&] {
    windows.front().end.wait();
    done_.fetch_add(windows.front().iterations, std::memory_order_relaxed);
    windows.pop_front();
  };
  while (left > 0 && gate.may_begin(step++)) {
    if (stop.load(std::memory_order_relaxed)) throw Stopped();
    if (interrupt_) interrupt_(this->iterations());
    std::uint64_t together = 0;
    for (std::uint64_t i = 0; i < window && left > 0; ++i) {
      const auto levels = static_cast<unsigned>(std::min<std::uint64_t>(most, left));
      enqueue(corpus_, own(), levels);
      cells_.swap();
      go_round(most);
      left -= levels;
      together += levels;
    }
    windows.push_back({Event::behind(corpus_), together});
    flush(corpus_);
    if (windows.size() <= 2) continue;
    settle();
    const double time = now();
    if (time - last < window_seconds / 2) window = std::min(2 * window, most_sweeps);
    if (time - last > window_seconds * 2) window = std::max<std::uint64_t>(1, window / 2);
    last = time;
  }
  while (!windows.empty()) settle();
  const bool all = left == 0 && measured == 1 && gate.may_begin(step);
  if (all) {
    measured_sweep(*squares);
    done_.fetch_add(1, std::memory_order_relaxed);
  }
  go_round(settings_.exchange_every);
  return {now() - start, 0, iterations - left - (all ? 0 : measured)};
}

template <class T>
void ShareRunner<T>::go_round(std::uint64_t ghosts) {
  if (!settings_.layout.ring) return;
  const std::uint64_t slice = settings_.layout.slice();
  Array<T>& cells = cells_.now();
  cells.copy_from(cells, ghosts * slice, cells_.element(own().end - ghosts), cells_.element(own().begin - ghosts));
  cells.copy_from(cells, ghosts * slice, cells_.element(own().begin), cells_.element(own().end));
}

// The paper's scheme, for the iterations between two exchanges: sweeps on ranges that shrink from the share with its
// ghosts to the share alone. In the last one the frontier comes first, and goes to the neighbours while the rest, the
// corpus, is computed. The paper waits for both before the next iteration; here the device's queues wait for one
// another, so that the device has its next work before it is done.
template <class T>
double ShareRunner<T>::period(unsigned length, std::vector<double>* squares, const StopFlag& stop) {
  if (interrupt_) interrupt_(iterations());
  // The last sweep stands apart: it is cut in frontier and corpus, or measures the change.
  const unsigned plain = squares != nullptr ? length - 1 : length, most = even_levels(plan_.levels, plain);
  const unsigned last = squares != nullptr ? 1 : length - (length - 1) / most * most;
  for (unsigned left = length; left > last;) {
    const unsigned levels = std::min(most, left - last);
    left -= levels;
    enqueue(corpus_, with_slices(own(), left), levels);
    cells_.swap();
  }
  const Part upper{own().begin, own().begin + (above_ != nullptr ? settings_.exchange_every : 0)};
  const Part lower{own().end - (below_ != nullptr ? settings_.exchange_every : 0), own().end};
  const Part corpus{upper.end, lower.begin};
  double idle_since = 0;
  if (!settings_.overlap || squares != nullptr || corpus.empty()) {
    if (squares != nullptr) {
      measured_sweep(*squares);
    } else {
      enqueue(corpus_, own(), last);
      cells_.swap();
      corpus_.finish();
    }
    idle_since = now();
    read_frontiers(upper, lower);
    send_frontiers();
    receive_ghosts(stop, [] {});
    edge_.finish();
    ++exchange_;
    return now() - idle_since;
  }
  // The edge waits for the sweeps so far. The corpus waits for the edge to be there first: a GPU takes up the groups of
  // its kernels in the order in which these become ready.
  wait_for(edge_, corpus_);
  wait_for(corpus_, edge_);
  if (!upper.empty()) enqueue(edge_, upper, last);
  if (!lower.empty()) enqueue(edge_, lower, last);
  cells_.swap();
  read_frontiers(upper, lower);  // before the corpus: PoCL's copies wait for groups that already run
  cells_.swap();
  enqueue(corpus_, corpus, last);
  cells_.swap();
  const Event end = Event::behind(corpus_);
  flush(corpus_);
  send_frontiers();
  receive_ghosts(stop, [&] {
    if (idle_since == 0 && end.reached()) idle_since = now();
  });
  ++exchange_;
  wait_for(corpus_, edge_);  // until the ghosts are in their places
  return idle_since == 0 ? 0 : now() - idle_since;
}

template <class T>
void ShareRunner<T>::enqueue(const Device& on, const Part& part, unsigned levels) {
  sweep(on, plan_, cells_.held(), cells_.now(), cells_.next(), cells_.local(part.begin), cells_.local(part.end),
        levels);
}

template <class T>
T ShareRunner<T>::measure(std::span<double> squares) {
  return meter_.measure(corpus_, cells_.held(), cells_.now(), cells_.next(), cells_.local(own().begin),
                        cells_.local(own().end), squares);
}

template <class T>
void ShareRunner<T>::measured_sweep(std::vector<double>& squares) {
  const std::uint64_t rows = settings_.layout.rows_per_slice;
  change_max_ =
      measure(std::span(squares).subspan((own().begin - settings_.layout.first()) * rows, own().size() * rows));
  cells_.swap();
}

template <class T>
void ShareRunner<T>::read_frontiers(const Part& upper, const Part& lower) {
  const auto read = [&](const Part& part, Channel<T>& channel) {
    runtime::check(
        clEnqueueReadBuffer(edge_.queue()(), cells_.now().buffer()(), CL_FALSE, cells_.element(part.begin) * sizeof(T),
                            part.size() * settings_.layout.slice() * sizeof(T), channel.slot(exchange_), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer", edge_.info().name);
  };
  if (above_ != nullptr) read(upper, above_->up);
  if (below_ != nullptr) read(lower, below_->down);
  frontiers_read_ = Event::behind(edge_);
  flush(edge_);
}

template <class T>
void ShareRunner<T>::send_frontiers() {
  frontiers_read_.wait();
  if (above_ != nullptr) above_->up.send(exchange_);
  if (below_ != nullptr) below_->down.send(exchange_);
}

// Straight into their places in the array, as each neighbour's come.
template <class T>
void ShareRunner<T>::receive_ghosts(const StopFlag& stop, const std::function<void()>& meanwhile) {
  const auto write = [&](const Part& part, Channel<T>& channel) {
    runtime::check(
        clEnqueueWriteBuffer(edge_.queue()(), cells_.now().buffer()(), CL_FALSE, cells_.element(part.begin) * sizeof(T),
                             part.size() * settings_.layout.slice() * sizeof(T), channel.slot(exchange_), 0, nullptr,
                             nullptr),
        "clEnqueueWriteBuffer", edge_.info().name);
    flush(edge_);
  };
  bool from_above = above_ == nullptr, from_below = below_ == nullptr;
  wait_until(stop, [&] {
    if (!from_above && above_->down.has(exchange_)) {
      write({own().begin - settings_.exchange_every, own().begin}, above_->down);
      from_above = true;
    }
    if (!from_below && below_->up.has(exchange_)) {
      write({own().end, own().end + settings_.exchange_every}, below_->up);
      from_below = true;
    }
    meanwhile();
    return from_above && from_below;
  });
}

template class ShareRunner<float>;
template class ShareRunner<double>;

}  // namespace genocl::jacobi
