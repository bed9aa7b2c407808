#include "jacobi/partitioned_solver.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "jacobi/validate.hpp"

namespace genocl::jacobi {

std::vector<SliceRange> ranges_of(const PartitionSizes& sizes, std::uint64_t first) {
  std::vector<SliceRange> ranges;
  for (const std::uint64_t size : sizes) {
    ranges.push_back({first, first + size});
    first += size;
  }
  return ranges;
}

template <class T>
PartitionedSolver<T>::PartitionedSolver(std::span<const RunDevice> run_devices, DeviceTable table,
                                        const RunSettings& settings, const Hooks& hooks,
                                        IterationCallback report_iterations, bool spare_memory)
    : run_devices_(run_devices.begin(), run_devices.end()),
      table_(std::move(table)),
      settings_(settings),
      report_iterations_(std::move(report_iterations)),
      fail_transfer_(hooks.fail_transfer),
      spare_memory_(spare_memory),
      simulated_(hooks.slice_seconds),
      mpi_links_(table_.processes),
      times_(run_devices.size()),
      done_(run_devices.size()),
      // One more thread for the neighbours in other processes.
      threads_(run_devices.size() + (table_.processes != nullptr ? 1 : 0)) {
  for (std::size_t i = 0; i < run_devices.size(); ++i) {
    workers_.push_back(attribute_errors(table_.first + i, [&] {
      return std::make_unique<PartitionWorker<T>>(run_devices[i].device, run_devices[i].plan, settings);
    }));
    if (hooks.fail_at) workers_[i]->on_step([i, call = hooks.fail_at](std::uint64_t iteration) { call(i, iteration); });
  }
}

template <class T>
SliceRange PartitionedSolver<T>::allocated_for(std::size_t entry, const SliceRange& range) const {
  const SliceRange needed = with_halo(settings_, range);
  if (!spare_memory_) return needed;
  const std::uint64_t most = std::max(table_[entry].max_slices, needed.size());
  const std::uint64_t spare = std::min((most - needed.size()) / 2, range.size() / 2);
  return {needed.begin - std::min(spare, needed.begin), std::min(needed.end + spare, settings_.layout.numbers())};
}

// From the first partition to the last, and in a ring from the last to the first.
template <class T>
template <class Use>
void PartitionedSolver<T>::for_neighbours(const PartitionSizes& sizes, Use&& use) const {
  std::size_t upper = sizes.size(), first = sizes.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) continue;
    if (upper == sizes.size())
      first = i;
    else
      use(upper, i);
    upper = i;
  }
  if (settings_.layout.ring && upper != first) use(upper, first);
}

// Allocates the memory of the partitions and connects neighbours.
template <class T>
void PartitionedSolver<T>::place(const PartitionSizes& sizes) {
  const std::vector<SliceRange> ranges = this->ranges(sizes);
  sizes_ = sizes;
  mpi_links_.disconnect();
  std::vector<HaloLink<T>*> above(workers_.size(), nullptr), below(workers_.size(), nullptr);
  const std::size_t elements = settings_.halo_depth * settings_.layout.slice();
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (table_.has(i)) attribute_errors(i, [&] { worker(i).cells().own(ranges[i], allocated_for(i, ranges[i])); });
  for_neighbours(sizes, [&](std::size_t upper, std::size_t lower) {
    if (!table_.has(upper) && !table_.has(lower)) return;
    const std::shared_ptr<HaloLink<T>>& between = link(upper, lower);
    if (table_.has(upper))
      below[upper - table_.first] = between.get();
    else if (!between->is_shared)
      mpi_links_.connect_above(table_[upper].process, between, elements);
    if (table_.has(lower))
      above[lower - table_.first] = between.get();
    else if (!between->is_shared)
      mpi_links_.connect_below(table_[lower].process, between, elements);
  });
  for (std::size_t i = 0; i < workers_.size(); ++i) workers_[i]->connect(above[i], below[i]);
}

// Links are kept for the whole run, since page-locking takes longer than an exchange. At least one of the two devices
// is of this process. Both processes call it in the same order.
template <class T>
const std::shared_ptr<HaloLink<T>>& PartitionedSolver<T>::link(std::size_t upper, std::size_t lower) {
  auto& link = links_[{upper, lower}];
  if (link) return link;
  const bool of_lower = !table_.has(upper) || (table_.has(lower) && table_[upper].type == DeviceType::cpu);
  const std::size_t owner = of_lower ? lower : upper, other = of_lower ? upper : lower;
  const std::size_t elements = settings_.halo_depth * settings_.layout.slice();
  std::span<std::byte> shared;
  if (!table_.has(other)) shared = table_.processes->share(table_[other].process, HaloLink<T>::shared_bytes(elements));
  link = attribute_errors(owner, [&] {
    const Device& device = worker(owner).device();
    return shared.empty() ? std::make_shared<HaloLink<T>>(device, elements)
                          : std::make_shared<HaloLink<T>>(device, elements, shared.data());
  });
  return link;
}

template <class T>
void PartitionedSolver<T>::reserve(const PartitionSizes& first, const PartitionSizes& later,
                                   std::span<const FusedStepSet> fused_steps) {
  allocate_staging();
  const std::vector<SliceRange> ranges = this->ranges(later);
  for_neighbours(later, [&](std::size_t upper, std::size_t lower) {
    if (table_.has(upper) || table_.has(lower)) link(upper, lower);
  });
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].empty() || first[i] != 0 || !table_.has(i)) continue;
    attribute_errors(i, [&] {
      PartitionCells<T>& cells = worker(i).cells();
      cells.own(ranges[i], allocated_for(i, ranges[i]));
      cells.now().fill(0);  // allocates the pages of host memory
      cells.next().fill(0);
      worker(i).prepare(fused_steps[i - table_.first]);
    });
  }
}

template <class T>
void PartitionedSolver<T>::start(const PartitionSizes& sizes, const HostGrid<T>& grid,
                                 std::span<const FusedStepSet> fused_steps) {
  place(sizes);
  load(grid);
  prepare(fused_steps);
  on_workers([](PartitionWorker<T>& worker, std::size_t) { worker.device().finish(); });
}

template <class T>
void PartitionedSolver<T>::prepare(std::span<const FusedStepSet> fused_steps) {
  on_workers([&](PartitionWorker<T>& worker, std::size_t i) { worker.prepare(fused_steps[i]); });
}

template <class T>
void PartitionedSolver<T>::restart(const HostGrid<T>& grid) {
  load(grid);
  iterations_ = 0;
  on_workers([](PartitionWorker<T>& worker, std::size_t) {
    worker.device().finish();
    worker.count_from(0);
  });
}

template <class T>
double PartitionedSolver<T>::advance(std::uint64_t iterations, bool with_change) {
  if (with_change) squares_.assign(settings_.layout.slices * settings_.layout.rows_per_slice, 0);
  const double start = now();
  std::exception_ptr callback_error;  // the exception of the callback
  stop_point_.reset();
  threads_.run(
      [&](std::size_t i) {
        if (i == workers_.size())
          return mpi_links_.exchange((iterations + settings_.halo_depth - 1) / settings_.halo_depth, threads_.stop());
        PartitionWorker<T>& worker = *workers_[i];
        std::vector<double>* const squares = with_change ? &squares_ : nullptr;
        times_[i] = {};
        if (worker.own().empty() || iterations == 0) return;
        times_[i] = attribute_errors(table_.first + i, [&] {
          return worker.has_neighbours() ? worker.advance(iterations, squares, threads_.stop(), stop_point_)
                                         : worker.advance_alone(iterations, squares, threads_.stop(), stop_point_);
        });
      },
      [&] {
        if (callback_error) return;
        try {
          report();
        } catch (...) {
          if (table_.processes != nullptr) throw;  // the other processes would not notice
          callback_error = std::current_exception();
          stop_point_.request();
        }
      });
  if (callback_error) {
    iterations = 0;
    for (const AdvanceTimes& times : times_) iterations = std::max(iterations, times.iterations);
  }
  double seconds = now() - start;
  if (!simulated_.empty()) {  // the time of the slowest
    seconds = 0;
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const double own = i < simulated_.size() ? simulated_[i] : 0;
      const auto slices = static_cast<double>(workers_[i]->own().size());
      times_[i].computing = own * slices * static_cast<double>(times_[i].iterations);
      times_[i].exchanging = 0;
      seconds = std::max(seconds, times_[i].computing);
    }
  }
  iterations_ += iterations;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const SliceRange& own = workers_[i]->own();
    const double cells = static_cast<double>(settings_.layout.changing(own.begin, own.end));
    done_[i] += {cells * static_cast<double>(iterations), times_[i].computing, times_[i].exchanging};
  }
  if (callback_error) std::rethrow_exception(callback_error);
  return seconds;
}

// The rows are summed in their order, independent of the partitions.
template <class T>
Change PartitionedSolver<T>::change() {
  Change change;
  for (const auto& worker : workers_)
    if (!worker->own().empty()) change.max = std::max(change.max, static_cast<double>(worker->change_max()));
  if (table_.processes != nullptr) {
    // Each value is set in one process and 0 in the others. The sum of the bits is the value, and one message suffices.
    std::vector<std::uint64_t> bits(squares_.size() + table_.processes->size(), 0);
    for (std::size_t i = 0; i < squares_.size(); ++i) bits[i] = std::bit_cast<std::uint64_t>(squares_[i]);
    bits[squares_.size() + table_.processes->rank()] = std::bit_cast<std::uint64_t>(change.max);
    table_.processes->sum(bits);
    for (std::size_t i = 0; i < squares_.size(); ++i) squares_[i] = std::bit_cast<double>(bits[i]);
    for (std::size_t i = squares_.size(); i < bits.size(); ++i)
      change.max = std::max(change.max, std::bit_cast<double>(bits[i]));
  }
  return change_of(change.max, squares_);
}

template <class T>
void PartitionedSolver<T>::report() {
  if (!report_iterations_) return;
  std::optional<std::uint64_t> slowest;
  for (const auto& worker : workers_)
    if (!worker->own().empty()) slowest = std::min(slowest.value_or(worker->iterations()), worker->iterations());
  report_iterations_(static_cast<double>(slowest.value_or(iterations_)));  // the progress of other processes is unknown
}

namespace {

constexpr StopFlag never = false;

void wait_for(MessageTransfer& transfer) {
  wait_until(never, [&] { return transfer.done(); });
}

std::uint64_t cells_in(const Layout& layout, const SliceRange& range) {
  return range.size() * layout.shape.width * layout.rows_per_slice;
}

}  // namespace

// Messages between ranks of a machine reached 0.9 GB/s (Open MPI 4).
template <class T>
SharedChannel<T>* PartitionedSolver<T>::channel(std::size_t process) {
  const auto [place, is_new] = channels_.try_emplace(process);
  if (is_new)
    if (const auto shared = table_.processes->share(process, SharedChannel<T>::shared_bytes()); !shared.empty())
      place->second =
          std::make_unique<SharedChannel<T>>(run_devices_[0].device, shared.data(), table_.processes->rank() < process);
  return place->second.get();
}

template <class T>
void PartitionedSolver<T>::send(std::size_t process, std::span<const T> cells) {
  if (SharedChannel<T>* const shared = channel(process)) return shared->send(cells, never);
  wait_for(*table_.processes->send(process, MessageKind::slices, std::as_bytes(cells)));
}

template <class T>
void PartitionedSolver<T>::receive(std::size_t process, std::span<T> cells) {
  if (SharedChannel<T>* const shared = channel(process)) return shared->receive(cells, never);
  wait_for(*table_.processes->receive(process, MessageKind::slices, std::as_writable_bytes(cells)));
}

template <class T>
void PartitionedSolver<T>::read_slices(std::uint64_t first, std::span<T> cells) {
  const std::uint64_t slice = settings_.layout.shape.width * settings_.layout.rows_per_slice;
  transfer_all([&](PartitionWorker<T>& worker) {
    const SliceRange range = intersection(worker.own(), {first, first + cells.size() / slice});
    if (!range.empty()) worker.cells().store(range, cells.subspan((range.begin - first) * slice, range.size() * slice));
  });
}

template <class T>
void PartitionedSolver<T>::write_slices(std::uint64_t first, std::span<const T> cells) {
  const std::uint64_t slice = settings_.layout.shape.width * settings_.layout.rows_per_slice;
  transfer_all([&](PartitionWorker<T>& worker) {
    const SliceRange range = intersection(with_halo(settings_, worker.own()), {first, first + cells.size() / slice});
    if (!range.empty()) worker.cells().load(range, cells.subspan((range.begin - first) * slice, range.size() * slice));
  });
}

// The order of devices is the same in all processes, which prevents deadlocks.
template <class T>
void PartitionedSolver<T>::load(const HostGrid<T>& grid) {
  const Layout& layout = settings_.layout;
  const bool by_slices = bool{grid.read}, is_root = table_.is_root();
  if (!by_slices && is_root) transfer_all([&](PartitionWorker<T>& worker) { worker.cells().load(grid.whole); });
  const std::vector<SliceRange> ranges = this->ranges(sizes_);
  std::vector<T> cells;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const bool here = table_.has(i);
    if (by_slices ? !here : here == is_root) continue;
    for_pieces<T>(layout, with_halo(settings_, ranges[i]), [&](const SliceRange& piece) {
      if (!here) return send(table_[i].process, slices_of(std::span<const T>(grid.whole), layout, piece));
      cells.resize(cells_in(layout, piece));
      if (by_slices) {
        grid.read(layout.in_grid(piece.begin), cells);
        check_finite<T>(cells, layout.shape, layout.in_grid(piece.begin));
      } else {
        receive(0, cells);
      }
      transfer(i, [&] { worker(i).cells().load(piece, cells); });
    });
  }
}

template <class T>
void PartitionedSolver<T>::store(const HostGrid<T>& grid) {
  const Layout& layout = settings_.layout;
  const bool by_slices = grid.read || grid.write, is_root = table_.is_root();
  if (by_slices && !grid.write) return;
  if (!by_slices && is_root) transfer_all([&](PartitionWorker<T>& worker) { worker.cells().store(grid.whole); });
  const std::vector<SliceRange> ranges = this->ranges(sizes_);
  std::vector<T> cells;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const bool here = table_.has(i);
    if (by_slices ? !here : here == is_root) continue;
    for_pieces<T>(layout, ranges[i], [&](const SliceRange& piece) {
      if (!here) return receive(table_[i].process, slices_of(grid.whole, layout, piece));
      cells.resize(cells_in(layout, piece));
      transfer(i, [&] { worker(i).cells().store(piece, cells); });
      if (by_slices)
        grid.write(layout.in_grid(piece.begin), cells);
      else
        send(0, cells);
    });
  }
}

template <class T>
void PartitionedSolver<T>::move(const PartitionSizes& sizes) {
  if (sizes == sizes_) return;
  struct Moved {
    std::size_t from, to;
    SliceRange range;
    std::uint64_t there;    // the number of its first slice at the destination
    std::vector<T> slices;  // empty: not read yet
  };
  // In a ring, halo slices are slices of the grid with another number.
  const std::uint64_t around = settings_.layout.ring ? settings_.layout.slices : 0;
  const std::vector<SliceRange> before = ranges(sizes_), after = ranges(sizes);
  std::vector<Moved> moved;
  for (std::size_t to = 0; to < after.size(); ++to) {
    const SliceRange needed = with_halo(settings_, after[to]), known = with_halo(settings_, before[to]);
    if (needed.empty()) continue;
    // The missing slices are before or after the known ones.
    SliceRange missing[2] = {needed, {}};
    if (!intersection(needed, known).empty()) {
      missing[0] = {needed.begin, std::min(needed.end, known.begin)};
      missing[1] = {std::max(needed.begin, known.end), needed.end};
    }
    const auto find = [&](const SliceRange& lack, std::size_t from, std::uint64_t less, std::uint64_t more) {
      const SliceRange image{before[from].begin + more - less, before[from].end + more - less};
      const SliceRange range = intersection(lack, image);
      if (!range.empty())
        moved.push_back({from, to, {range.begin + less - more, range.end + less - more}, range.begin, {}});
    };
    for (const SliceRange& lack : missing)
      for (std::size_t from = 0; from < before.size(); ++from) {
        if (before[from].empty() || (!table_.has(from) && !table_.has(to))) continue;
        find(lack, from, 0, 0);
        if (around == 0) continue;
        find(lack, from, around, 0);
        find(lack, from, 0, around);
      }
  }
  // A device that needs other memory loses the slices outside its new range: read them first.
  for (Moved& one : moved) {
    if (!table_.has(one.from)) continue;
    PartitionCells<T>& cells = worker(one.from).cells();
    if (intersection(with_halo(settings_, after[one.from]), cells.allocated()) != with_halo(settings_, after[one.from]))
      transfer(one.from, [&] { one.slices = cells.read(one.range); });
  }
  place(sizes);
  // The same order in all processes prevents deadlocks.
  for (const Moved& one : moved) {
    if (one.slices.empty())
      transfer_range(one.from, one.to, one.range, one.there);
    else
      transfer_range(one.to, {one.there, one.there + one.range.size()}, one.slices);
  }
  on_workers([&](PartitionWorker<T>& worker, std::size_t) {
    worker.device().finish();
    worker.count_from(iterations_);
  });
}

template <class T>
void PartitionedSolver<T>::allocate_staging() {
  if (staging_.size() != 0) return;
  constexpr std::uint64_t piece_bytes = std::uint64_t{8} << 20;
  const std::uint64_t slice = settings_.layout.slice();
  const auto gpu = std::find_if(run_devices_.begin(), run_devices_.end(), [](const RunDevice& run_device) {
    return run_device.device.info().type != DeviceType::cpu;
  });
  staging_ = HostArray<T>(gpu != run_devices_.end() ? gpu->device : run_devices_[0].device,
                          std::max<std::uint64_t>(1, piece_bytes / (slice * sizeof(T))) * slice);
}

// In pieces, through the page-locked staging buffer.
template <class T>
void PartitionedSolver<T>::transfer_range(std::size_t from, std::size_t to, const SliceRange& range,
                                          std::uint64_t target) {
  allocate_staging();
  const std::uint64_t slice = settings_.layout.slice(), together = staging_.size() / slice;
  for (std::uint64_t first = range.begin; first < range.end; first += together) {
    const std::uint64_t count = std::min(together, range.end - first);
    const std::span<T> cells(staging_.data(), count * slice);
    if (table_.has(from)) {
      PartitionCells<T>& source = worker(from).cells();
      transfer(from, [&] { source.now().download(cells, source.element(first)); });
    } else {
      receive(table_[from].process, cells);
    }
    if (table_.has(to)) {
      PartitionCells<T>& receiver = worker(to).cells();
      transfer(to, [&] { receiver.now().upload(cells, receiver.element(target + (first - range.begin))); });
    } else {
      send(table_[to].process, std::span<const T>(cells));
    }
  }
}

// The same for slices that were read before.
template <class T>
void PartitionedSolver<T>::transfer_range(std::size_t to, const SliceRange& range, std::span<const T> slices) {
  if (table_.has(to)) {
    transfer(to, [&] { worker(to).cells().write(range, slices); });
    return;
  }
  allocate_staging();
  const std::uint64_t together = staging_.size();
  for (std::uint64_t first = 0; first < slices.size(); first += together)
    send(table_[to].process, slices.subspan(first, std::min<std::uint64_t>(together, slices.size() - first)));
}

template class PartitionedSolver<float>;
template class PartitionedSolver<double>;

DeviceThreads::DeviceThreads(std::size_t count) {
  try {
    threads_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this, i] { work(i); });
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    called_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    throw;
  }
}

DeviceThreads::~DeviceThreads() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  called_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void DeviceThreads::fail(std::exception_ptr error) noexcept {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(error);
  stop_.store(true);
}

void DeviceThreads::work(std::size_t thread) {
  std::size_t done = 0;
  for (;;) {
    const std::function<void(std::size_t)>* job = nullptr;
    {
      std::unique_lock lock(mutex_);
      called_.wait(lock, [&] { return closed_ || calls_ != done; });
      if (closed_) return;
      done = calls_;
      job = job_;
    }
    try {
      (*job)(thread);
    } catch (const Stopped&) {  // another thread has failed
    } catch (...) {
      fail(std::current_exception());
    }
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) ended_.notify_all();
  }
}

void DeviceThreads::run(const std::function<void(std::size_t)>& job, const std::function<void()>& look) {
  constexpr auto between_looks = std::chrono::milliseconds(20);
  std::unique_lock lock(mutex_);
  failure_ = nullptr;  // of an earlier call
  stop_.store(false);
  job_ = &job;
  running_ = threads_.size();
  ++calls_;
  called_.notify_all();
  while (!ended_.wait_for(lock, between_looks, [&] { return running_ == 0; })) {
    if (stop_.load()) continue;
    lock.unlock();
    try {
      look();
    } catch (...) {
      fail(std::current_exception());
    }
    lock.lock();
  }
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace genocl::jacobi
