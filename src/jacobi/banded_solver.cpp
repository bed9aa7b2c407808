#include "jacobi/banded_solver.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "genocl/error.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/validate.hpp"
#include "runtime/access.hpp"
#include "runtime/chunks.hpp"
#include "runtime/device_core.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/parallel.hpp"

namespace genocl::jacobi {

namespace {

/// Only GPUs, if present: bands have the same size, and all devices would wait for a CPU's last band.
std::vector<std::size_t> devices_for_bands(std::span<const RunDevice> run_devices) {
  std::uint64_t most = 0;
  bool gpus = false;
  for (const RunDevice& run_device : run_devices) gpus = gpus || run_device.device.info().type != DeviceType::cpu;
  const auto takes_part = [&](const RunDevice& run_device) {
    return !gpus || run_device.device.info().type != DeviceType::cpu;
  };
  for (const RunDevice& run_device : run_devices)
    if (takes_part(run_device)) most = std::max(most, run_device.max_slices);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < run_devices.size(); ++i)
    if (takes_part(run_devices[i]) && run_devices[i].max_slices >= most / 4) chosen.push_back(i);
  return chosen;
}

/// Page-locked memory for a device that transfers over a bus; empty for others, and if it cannot be allocated.
template <class T>
HostArray<T> page_locked(const Device& device, std::size_t cells) {
  if (runtime::core_of(device).maps_buffers()) return {};
  try {
    return HostArray<T>(device, cells);
  } catch (const CapacityError&) {
    return {};
  }
}

/// One direction of the bus: a queue, and memory on both sides.
template <class T>
struct TransferDirection {
  Device device;
  Array<T> there;
  HostArray<T> locked;
  std::vector<T> memory;
  std::span<T> here;

  TransferDirection(const Device& given, const Layout& layout, std::uint64_t slices)
      : device(given.with_own_queue()),
        there(device, slices * layout.slice()),
        locked(page_locked<T>(given, there.size())) {
    if (locked.size() == 0) memory.resize(there.size());
    here = locked.size() != 0 ? std::span<T>(locked.data(), locked.size()) : std::span<T>(memory);
  }
  void up() {
    runtime::upload(device, there.buffer(), 0, here.data(), here.size_bytes());
    device.finish();
  }
  void down() { runtime::download(device, there.buffer(), 0, here.data(), here.size_bytes()); }
};

/// Measures transfers of some megabytes in both directions, in turn and at once.
template <class T>
void measure_bus(const Device& device, const Layout& layout, BandSpeed& speed) {
  constexpr std::uint64_t bytes = std::uint64_t{32} << 20;
  const std::uint64_t slice = layout.slice() * sizeof(T);
  const std::uint64_t slices = std::clamp<std::uint64_t>(bytes / slice, 1, layout.slices);
  TransferDirection<T> one(device, layout, slices), other(device, layout, slices);
  double alone = std::numeric_limits<double>::max(), both = alone;
  for (int i = 0; i < 2; ++i) {  // the first pass allocates pages
    const double start = now();
    one.up();
    other.down();
    const double between = now();
    runtime::parallel_for(2, 2, [&](std::size_t down) { down == 0 ? one.up() : other.down(); });
    alone = std::min(alone, between - start);
    both = std::min(both, now() - between);
  }
  const double moved = 2 * static_cast<double>(slices * slice);
  speed.bytes = moved / std::max(alone, 1e-9);
  speed.bytes_both = moved / std::max(both, 1e-9);
}

template <class T>
BandSpeed measure_band_speed(const RunDevice& run_device, const RunSettings& settings) {
  const Layout& layout = settings.layout;
  const MeasuredSpeed measured = measure_speed<T>(run_device.device, run_device.plan, settings,
                                                  std::max<std::uint64_t>(1, run_device.max_slices / 2),
                                                  FusedStepSet{run_device.plan.fused_steps});
  const auto cells = static_cast<double>(layout.shape.width * layout.rows_per_slice);
  BandSpeed speed;
  speed.updates = cells / measured.speed.slice;
  measure_bus<T>(run_device.device, layout, speed);
  speed.overlaps = !run_device.device.info().host_unified_memory;
  return speed;
}

}  // namespace

template <class T>
BandedSolver<T>::BandedSolver(std::span<const RunDevice> run_devices, const RunSettings& settings,
                              const SolveOptions& options, const Hooks& hooks, IterationCallback report_iterations)
    : run_devices_(run_devices.begin(), run_devices.end()),
      chosen_(devices_for_bands(run_devices)),
      settings_(settings),
      hooks_(hooks),
      report_iterations_(std::move(report_iterations)),
      slice_cells_(settings.layout.slice()),
      done_(run_devices.size()) {
  const Layout& layout = settings.layout;
  const std::uint64_t host = host_memory(hooks);
  const std::uint64_t cells = layout.slices * layout.slice(), bytes = cells * sizeof(T);
  runtime::check_host_memory("a second grid of " + layout.shape.text() + " cells, which goes through devices in bands,",
                             bytes, host);
  std::vector<Device> devices;
  for (const std::size_t i : chosen_) devices.push_back(run_devices_[i].device);
  // Bands of devices in host memory use the remainder.
  const std::size_t sharing = std::max<std::size_t>(1, devices_on_host(devices));
  const std::uint64_t cell = settings.cell_bytes(sizeof(T));
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  constexpr double any = std::numeric_limits<double>::max();
  BandSpeed speed{any, any, any, true};
  for (const std::size_t i : chosen_) {
    RunDevice& run_device = run_devices_[i];
    if (run_device.device.info().host_unified_memory)
      run_device.max_slices =
          std::min(run_device.max_slices, usable_host_memory(host - bytes) / sharing / (layout.slice() * cell));
    most = std::min(most, run_device.max_slices);
    max_fused_steps_ = std::max(max_fused_steps_, run_device.plan.fused_steps);
  }
  const BandMemory memory{most, sizeof(T), cell - 2 * sizeof(T)};
  plan_bands(layout, memory, options.halo_depth, max_fused_steps_, {1, 1, 1, false});  // throws if no band fits
  for (const std::size_t i : chosen_) {  // all bands have the same size, for the slowest device
    const BandSpeed one = attribute_errors(i, [&] { return measure_band_speed<T>(run_devices_[i], settings_); });
    speed.updates = std::min(speed.updates, one.updates);
    speed.bytes = std::min(speed.bytes, one.bytes);
    speed.bytes_both = std::min(speed.bytes_both, one.bytes_both);
    speed.overlaps = speed.overlaps && one.overlaps;
  }
  plan_ = plan_bands(layout, memory, options.halo_depth, max_fused_steps_, speed);
  if (chosen_.size() == 1 && hooks.bands != Hooks::Bands::with_halo) {
    const std::size_t only = chosen_.front();
    const std::optional<SkewedPlan> plan = plan_skewed(layout, memory, options.halo_depth, max_fused_steps_, speed);
    if (plan && (hooks.bands == Hooks::Bands::skewed || useful_fraction(layout, sizeof(T), *plan, speed) >
                                                            cost_of_band(layout, sizeof(T), plan_, speed).useful))
      attribute_errors(only, [&] {
        skewed_ = std::make_unique<SkewedBands<T>>(run_devices_[only], only, settings_, hooks_, *plan);
      });
  }
  for (std::uint64_t first = 0; first < layout.slices; first += plan_.slices)
    bands_.push_back({first, std::min(first + plan_.slices, layout.slices)});
  locked_ = page_locked<T>(run_devices_[chosen_.front()].device, cells);
  if (locked_.size() == 0) memory_.reset(new (std::nothrow) T[cells]);
  T* const there = locked_.size() != 0 ? locked_.data() : memory_.get();
  if (there == nullptr) throw CapacityError("a second grid in the host's memory", bytes, 0);
  cells_ = {there, static_cast<std::size_t>(cells)};
}

template <class T>
std::string BandedSolver<T>::decision() const {
  const std::uint64_t slices = skewed_ ? skewed_->plan().slices : plan_.slices;
  const std::uint64_t iterations = skewed_ ? skewed_->plan().iterations : plan_.iterations;
  return "the grid is larger than the devices' memory: bands of " + std::to_string(slices) + " slices" +
         (skewed_ ? ", time-skewed," : "") + " on them for " + std::to_string(iterations) + " iterations at a time";
}

template <class T>
void BandedSolver<T>::load(const HostGrid<T>& grid) {
  const Layout& layout = settings_.layout;
  if (grid.read) {
    std::vector<T> read;
    for_pieces<T>(layout, {0, layout.slices}, [&](const SliceRange& piece) {
      read.resize(piece.size() * layout.rows_per_slice * layout.shape.width);
      grid.read(piece.begin, read);
      check_finite<T>(read, layout.shape, piece.begin);
      to_device_layout<T>(layout, read, slices(cells_, piece));
    });
  } else {
    to_device_layout<T>(layout, grid.whole, cells_);
  }
  iterations_ = 0;
}

template <class T>
void BandedSolver<T>::store(const HostGrid<T>& grid) const {
  const Layout& layout = settings_.layout;
  if (!grid.write) {
    from_device_layout<T>(layout, cells_, grid.whole);
    return;
  }
  std::vector<T> written;
  for_pieces<T>(layout, {0, layout.slices}, [&](const SliceRange& piece) {
    written.resize(piece.size() * layout.rows_per_slice * layout.shape.width);
    from_device_layout<T>(layout, slices(std::span<const T>(cells_), piece), written);
    grid.write(piece.begin, written);
  });
}

template <class T>
SliceRange BandedSolver<T>::with_halo(const SliceRange& band, std::uint64_t halo) const {
  return {band.begin - std::min(halo, band.begin), std::min(band.end + halo, settings_.layout.slices)};
}

template <class T>
void BandedSolver<T>::advance(std::uint64_t iterations, bool with_change) {
  const std::uint64_t most = skewed_ ? skewed_->plan().iterations : plan_.iterations;
  const std::size_t bands = skewed_ ? skewed_->bands() : bands_.size();
  // Rounds of about equal length, in whole sweeps.
  const std::uint64_t rounds = std::max<std::uint64_t>((iterations + most - 1) / most, 1);
  const std::uint64_t sweeps = (iterations + rounds * max_fused_steps_ - 1) / (rounds * max_fused_steps_);
  const std::uint64_t each = std::clamp<std::uint64_t>(sweeps * max_fused_steps_, 1, most);
  if (with_change) squares_.assign(settings_.layout.slices * settings_.layout.rows_per_slice, 0);
  change_max_ = 0;
  std::atomic<bool> stop_requested = false;
  std::exception_ptr callback_error;
  std::size_t of_round = 0;
  std::uint64_t done = 0;
  const auto on_band = [&](const Done& band) {
    change_max_ = std::max(change_max_, band.change_max);
    if (++of_round == bands) {
      of_round = 0;
      done += band.iterations;
    }
    if (!report_iterations_ || callback_error) return;
    const double part = static_cast<double>(of_round) / static_cast<double>(bands);
    try {
      report_iterations_(static_cast<double>(iterations_ + done) + static_cast<double>(band.iterations) * part);
    } catch (...) {
      callback_error = std::current_exception();
      stop_requested = true;
    }
  };
  // After a failure the bands are in different rounds: Solver resumes from a copy.
  if (skewed_) {
    skewed_->advance(cells_, {iterations_, iterations, each, with_change, squares_},
                     [&](const typename SkewedBands<T>::Band& band) {
                       count(chosen_[0], {.bands = 1,
                                          .slices = band.slices * band.iterations,
                                          .slices_computed = band.slices_computed,
                                          .updates = updates_of(band.slices, band.iterations),
                                          .computing = band.computing,
                                          .waiting = band.waiting});
                       on_band({band.change, band.iterations});
                       return !stop_requested;
                     });
  } else {
    advance_bands(iterations, each, with_change, stop_requested, on_band);
  }
  iterations_ += done;
  if (callback_error) std::rethrow_exception(callback_error);
}

// Rounds overlap: the first bands of one are uploaded while the last bands of the previous one are computed.
template <class T>
void BandedSolver<T>::advance_bands(std::uint64_t iterations, std::uint64_t each, bool with_change,
                                    const std::atomic<bool>& stop_requested,
                                    const std::function<void(const Done&)>& on_band) {
  order_.restart(bands_.size());
  std::vector<Device> devices;
  for (const std::size_t i : chosen_) devices.push_back(run_devices_[i].device);
  Task next;
  const auto source = [&]() -> std::optional<Task> {  // called by one thread at a time
    if (next.band == bands_.size()) {
      next.band = 0;
      ++next.round;
    }
    next.first = next.round * each;
    if (next.first >= iterations || (next.band == 0 && stop_requested)) return std::nullopt;
    next.iterations = static_cast<unsigned>(std::min<std::uint64_t>(each, iterations - next.first));
    next.with_change = with_change && next.first + each >= iterations;
    const Task task = next;
    ++next.band;
    return task;
  };
  std::mutex mutex;
  std::exception_ptr failure;  // the first one; later ones are consequences
  const auto work = [&](const Device& device, const Task& task) {
    try {
      const std::size_t number = number_of(device);
      return attribute_errors(number, [&] { return compute(task, number); });
    } catch (const Stopped&) {
      throw;
    } catch (...) {
      {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
      stop();
      throw;
    }
  };
  const auto sink = [&](Done&& band) {
    on_band(band);
    return std::uint64_t{1};
  };
  try {
    runtime::for_each_chunk(devices, source, work, sink,
                            {.workers_per_device = plan_.in_flight(), .progress = {}, .others_go_on = false});
  } catch (...) {
    if (failure) std::rethrow_exception(failure);
    throw;
  }
}

template <class T>
typename BandedSolver<T>::Done BandedSolver<T>::compute(const Task& task, std::size_t device) {
  const SliceRange& band = bands_[task.band];
  std::unique_ptr<BandQueue<T>> queue = take_queue(device);
  const SliceRange wide = with_halo(band, task.iterations);
  queue->place(wide);
  order_.wait_to_upload(task.round, task.band);
  if (hooks_.fail_at) hooks_.fail_at(device, iterations_ + task.first);
  if (hooks_.fail_transfer) hooks_.fail_transfer(device);
  queue->upload(slices(std::span<const T>(cells_), wide));
  order_.mark_uploaded(task.band);
  const auto change =
      static_cast<double>(queue->iterate(band, task.iterations, task.with_change ? &squares_ : nullptr));
  BandTotals mine{.bands = 1, .computing = queue->seconds()};
  const double start = now();
  order_.wait_to_download(task.round, task.band);
  mine.waiting = now() - start;
  if (hooks_.fail_transfer) hooks_.fail_transfer(device);
  queue->download(band, slices(cells_, band));
  order_.mark_downloaded(task.band);
  mine.updates = updates_of(band.size(), task.iterations);
  mine.slices = band.size() * task.iterations;
  mine.slices_computed = queue->slices_computed();
  return_queue(device, std::move(queue), mine);
  return {change, task.iterations};
}

template <class T>
Change BandedSolver<T>::change() const {
  return change_of(change_max_, squares_);
}

template <class T>
std::size_t BandedSolver<T>::number_of(const Device& device) const {
  for (const std::size_t i : chosen_)
    if (&runtime::core_of(run_devices_[i].device) == &runtime::core_of(device)) return i;
  throw Error("a band on a device that takes no part");
}

template <class T>
std::unique_ptr<BandQueue<T>> BandedSolver<T>::take_queue(std::size_t device) {
  const std::lock_guard lock(mutex_);
  auto& free = free_[device];
  if (!free.empty()) {
    auto queue = std::move(free.back());
    free.pop_back();
    return queue;
  }
  const RunDevice& run_device = run_devices_[device];
  const std::uint64_t slices = std::min(plan_.slices + 2 * std::uint64_t{plan_.iterations}, settings_.layout.slices);
  auto& arrays = arrays_[device];
  if (!arrays)
    arrays = std::make_unique<BandArrayPool<T>>(run_device.device, plan_.arrays, slices * settings_.layout.slice());
  return std::make_unique<BandQueue<T>>(run_device.device, run_device.plan, settings_, slices, *arrays);
}

template <class T>
double BandedSolver<T>::updates_of(std::uint64_t slices, std::uint64_t iterations) const {
  const Layout& layout = settings_.layout;
  return static_cast<double>(slices) * static_cast<double>(iterations) * static_cast<double>(layout.changing()) /
         static_cast<double>(layout.slices);
}

template <class T>
void BandedSolver<T>::return_queue(std::size_t device, std::unique_ptr<BandQueue<T>> queue, const BandTotals& more) {
  count(device, more);
  const std::lock_guard lock(mutex_);
  free_[device].push_back(std::move(queue));
}

template <class T>
void BandedSolver<T>::count(std::size_t device, const BandTotals& more) {
  const std::lock_guard lock(mutex_);
  BandTotals& done = done_[device];
  done.bands += more.bands;
  done.slices += more.slices;
  done.slices_computed += more.slices_computed;
  done.updates += more.updates;
  done.computing += more.computing;
  done.waiting += more.waiting;
}

// Ends all waits. The solver can only be destroyed after that.
template <class T>
void BandedSolver<T>::stop() {
  order_.stop();
  const std::lock_guard lock(mutex_);
  for (const auto& [device, arrays] : arrays_) arrays->stop();
}

template class BandedSolver<float>;
template class BandedSolver<double>;

}  // namespace genocl::jacobi
