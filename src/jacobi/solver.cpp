#include "jacobi/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/validate.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "runtime/host_memory.hpp"

namespace genocl::jacobi {

namespace {

/// Fraction of the time for copies of the grid, unless backup_every is set.
constexpr double backup_time_fraction = 0.01;
constexpr std::uint64_t no_backup = std::numeric_limits<std::uint64_t>::max();

/// Adds the seconds until the end of the scope.
class ScopeTimer {
 public:
  explicit ScopeTimer(double& seconds) : seconds_(seconds), start_(now()) {}
  ~ScopeTimer() { seconds_ += now() - start_; }
  ScopeTimer(const ScopeTimer&) = delete;
  ScopeTimer& operator=(const ScopeTimer&) = delete;

 private:
  double& seconds_;
  double start_;
};

}  // namespace

template <class T>
RunSettings run_settings(const Shape& shape, const SolveOptions& options, const Hooks& hooks,
                         const FieldReaders<T>& readers) {
  const Equation& equation = options.equation;
  RunSettings settings{
      Layout(shape, equation.boundaries), 1, options.overlap, options.fixed_cells, {}, hooks.has_double, {}, {}};
  set_equation<T>(settings, equation, readers);
  return settings;
}

template <class T>
Solver<T>::Solver(ProcessGroup* processes, Devices devices, const RunSettings& settings, const SolveOptions& options,
                  const Hooks& hooks)
    : processes_(processes),
      devices_(devices.begin(), devices.end()),
      settings_(settings),
      options_(options),
      hooks_(hooks),
      before_(devices.size()),
      backup_(settings.layout.shape.cells()) {
  for (const Device& device : devices) runtime::core_of(device).check_process();
  for (std::size_t i = 0; i < devices.size(); ++i) original_index_.push_back(i);
  make_group();
  for (const DeviceEntry& entry : group_->table.entries) {
    DeviceReport device;
    device.device = entry.name;
    device.kernel = entry.kernel;
    device.fused_steps = entry.fused_steps;
    device.used = false;
    report_.devices.push_back(std::move(device));
  }
}

template <class T>
void Solver<T>::make_group() {
  group_hooks_ = hooks_;
  if (hooks_.fail_at)
    group_hooks_.fail_at = [this](std::size_t device, std::uint64_t iteration) {
      hooks_.fail_at(original_index_[device], base_ + iteration);
    };
  if (hooks_.fail_transfer)
    group_hooks_.fail_transfer = [this](std::size_t device) { hooks_.fail_transfer(original_index_[device]); };
  if (!hooks_.slice_seconds.empty()) {
    group_hooks_.slice_seconds.clear();
    for (const std::size_t device : original_index_) group_hooks_.slice_seconds.push_back(hooks_.slice_seconds[device]);
  }
  std::vector<RunDevice> run_devices = make_run_devices(devices_, settings_, sizeof(T), options_, group_hooks_);
  DeviceTable table = make_device_table(run_devices, sizeof(T), processes_);
  group_.reset(
      new Group{settings_, std::move(run_devices), std::move(table), LoadBalancer(processes_), {}, {}, 0, 0, {}});
  group_->computing.resize(group_->run_devices.size(), 0);
}

template <class T>
void Solver<T>::load_group(const HostGrid<T>& grid) {
  Group& group = *group_;
  if (group.partitions) return group.partitions->restart(grid);
  if (group.bands) return group.bands->load(grid);
  const IterationCallback progress = [this](double done) { report_progress(static_cast<double>(base_) + done); };
  const std::optional<PartitionSizes> sizes = group.balancer.choose(group.table, group.settings, options_, group_hooks_,
                                                                    sizeof(T), report_, [this] { return measure(); });
  if (!sizes) {
    if (processes_ != nullptr || settings_.layout.ring) refuse_bands();
    group.bands =
        std::make_unique<BandedSolver<T>>(group.run_devices, group.settings, options_, group_hooks_, progress);
    report_.decisions.push_back(group.bands->decision());
    return group.bands->load(grid);
  }
  group.partitions = std::make_unique<PartitionedSolver<T>>(group.run_devices, group.table, group.settings,
                                                            group_hooks_, progress, group.balancer.is_active());
  const std::vector<FusedStepSet> steps =
      fused_steps(options_.iterations, options_.tolerance > 0 ? options_.check_every : 0);
  if (!group.balancer.predicted().empty()) group.partitions->reserve(*sizes, group.balancer.predicted(), steps);
  group.partitions->start(*sizes, grid, steps);
  if (processes_ != nullptr) processes_->gather({});  // all processes start their clocks together
}

template <class T>
void Solver<T>::store_group(const HostGrid<T>& grid) {
  if (group_->partitions)
    group_->partitions->store(grid);
  else
    group_->bands->store(grid);
}

template <class T>
void Solver<T>::refuse_bands() const {
  const Layout& layout = settings_.layout;
  std::uint64_t held = 0;
  for (const DeviceEntry& entry : group_->table.entries) held += entry.max_slices;
  const std::uint64_t slice = layout.slice() * settings_.cell_bytes(sizeof(T));
  const std::uint64_t boundaries = group_->table.size() - (layout.ring ? 0 : 1);
  throw CapacityError("a grid of " + layout.shape.text() + " cells" +
                          (layout.ring ? ", which does not go in bands as its slices are periodic," : "") +
                          " with halos on the devices" + (processes_ != nullptr ? " of all processes" : ""),
                      (layout.slices + 2 * group_->settings.halo_depth * boundaries) * slice, held * slice);
}

template <class T>
std::vector<MeasuredSpeed> Solver<T>::measure() const {
  const std::vector<FusedStepSet> steps =
      fused_steps(options_.iterations, options_.tolerance > 0 ? options_.check_every : 0);
  std::vector<MeasuredSpeed> speeds;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i < group_hooks_.slice_seconds.size()) {
      speeds.push_back({{0, group_hooks_.slice_seconds[i]}, 0});
      continue;
    }
    const RunDevice& one = group_->run_devices[i];
    speeds.push_back(attribute_errors(
        i, [&] { return measure_speed<T>(one.device, one.plan, group_->settings, one.max_slices, steps[i]); }));
  }
  return speeds;
}

template <class T>
std::vector<FusedStepSet> Solver<T>::fused_steps(std::uint64_t iterations, std::uint64_t check_every) const {
  std::vector<FusedStepSet> all(group_->run_devices.size());
  if (iterations == 0) return all;
  const std::size_t devices = group_->table.size();
  const std::uint64_t interval = check_every != 0 ? std::min(check_every, iterations) : iterations;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const std::uint64_t length : {interval, iterations % interval}) {
      const unsigned most = group_->run_devices[i].plan.fused_steps;
      if (devices == 1 || options_.balance == Balance::automatic) add_fused_steps(all[i], most, length, true);
      if (devices > 1) add_fused_steps_per_exchange(all[i], most, group_->settings.halo_depth, length, true);
    }
  return all;
}

template <class T>
void Solver<T>::prepare(std::uint64_t iterations, std::uint64_t check_every) {
  if (group_->partitions) group_->partitions->prepare(fused_steps(iterations, check_every));
}

template <class T>
std::uint64_t Solver<T>::balance() {
  Group& group = *group_;
  if (!group.partitions || !group.balancer.is_active()) return std::numeric_limits<std::uint64_t>::max();
  if (group.interval < group.balancer.next_update()) return group.balancer.next_update() - group.interval;
  const auto iterations = static_cast<double>(group.interval);
  for (double& seconds : group.computing) seconds /= iterations;
  const auto sizes = group.balancer.update(group.interval, group.interval_seconds / iterations, group.computing);
  group.interval = 0;
  group.interval_seconds = 0;
  std::fill(group.computing.begin(), group.computing.end(), 0);
  if (sizes) group.partitions->move(*sizes);
  return group.balancer.next_update();
}

template <class T>
std::vector<DeviceTotals> Solver<T>::Group::done() const {
  if (partitions) return {partitions->done().begin(), partitions->done().end()};
  std::vector<DeviceTotals> done(run_devices.size());
  if (bands)
    for (std::size_t i = 0; i < done.size(); ++i) {
      const BandTotals& totals = bands->done()[i];
      done[i] = {totals.updates, totals.computing, totals.waiting};
    }
  return done;
}

// Calls step(). If a device fails, the others load the last copy, repeat the iterations since, and call step() again.
template <class T>
template <class Do>
void Solver<T>::with_failover(Do&& step) {
  const std::uint64_t was = iterations_;
  std::optional<DeviceFailed> failed;
  for (;;) {
    try {
      if (failed) {
        continue_without(*std::exchange(failed, std::nullopt));
        iterate(was, 0, false);
        loaded_ = true;
      }
      step();
      return;
    } catch (const DeviceFailed& error) {
      failed = error;
    }
  }
}

template <class T>
void Solver<T>::continue_without(const DeviceFailed& failed) {
  drop_grid();
  const bool goes_on = processes_ == nullptr && devices_.size() > 1 && backup_.any();
  if (!goes_on) std::rethrow_exception(failed.error);
  const std::size_t number = original_index_[failed.device];
  report_.devices[number].failed = true;
  report_.decisions.push_back(report_.devices[number].device + " failed (" + failed.what +
                              "): the others resume from iteration " + std::to_string(backup_.iteration()));
  devices_.erase(devices_.begin() + static_cast<std::ptrdiff_t>(failed.device));
  original_index_.erase(original_index_.begin() + static_cast<std::ptrdiff_t>(failed.device));
  // Fixed partitions were those of all devices.
  options_.balance = Balance::automatic;
  options_.cuts.clear();
  options_.weights.clear();
  make_group();
  load_group(backup_.grid());
  base_ = iterations_ = backup_.iteration();
  change_.reset();
  converged_ = false;
}

// After an error devices may hold different iterations.
template <class T>
void Solver<T>::drop_grid() {
  account();
  group_.reset();
  loaded_ = false;
}

// Adds the totals of a group that ends.
template <class T>
void Solver<T>::account() {
  if (!group_) return;
  const std::vector<DeviceTotals> done = group_->done();
  for (std::size_t i = 0; i < done.size(); ++i) {
    before_[original_index_[i]] += done[i];
  }
  const std::vector<std::string>& decisions = group_->balancer.decisions();
  report_.decisions.insert(report_.decisions.end(), decisions.begin(), decisions.end());
}

template <class T>
void Solver<T>::load(const HostGrid<T>& grid, std::uint64_t iterations, InputCells input) {
  if (!group_) make_group();  // all devices of the last group failed: try them again
  loaded_ = false;
  backup_.drop();
  change_.reset();
  converged_ = false;
  base_ = iterations_ = iterations;
  {
    const ScopeTimer timed(report_.transfer_seconds);
    if (input == InputCells::borrow)
      backup_.refer_to(grid, iterations);
    else if (keeps_backup() && usable_host_memory(host_memory(hooks_)) >= backup_.new_bytes())
      backup_.write(iterations, [&](const HostGrid<T>& copy) {
        if (grid.read)
          for_pieces<T>(settings_.layout, {0, settings_.layout.slices}, [&](const SliceRange& piece) {
            grid.read(piece.begin, slices_of(copy.whole, settings_.layout, piece));
          });
        else
          copy_cells<T>(grid.whole, copy.whole);
      });
    const bool borrowed = !backup_.any();
    if (borrowed) backup_.refer_to(grid, iterations);  // valid during this call
    const double start = now();
    try {
      with_failover([&] { load_group(grid); });
    } catch (...) {
      drop_grid();
      backup_.drop();
      throw;
    }
    backup_seconds_ = now() - start;  // a download takes about as long
    if (borrowed) backup_.drop();
  }
  loaded_ = true;
  since_backup_ = 0;
}

template <class T>
bool Solver<T>::keeps_backup() const {
  return processes_ == nullptr && devices_.size() > 1 && options_.backup_every != 0U && !no_memory_;
}

// Iterations until the next copy.
template <class T>
std::uint64_t Solver<T>::until_backup() const {
  if (!keeps_backup()) return no_backup;
  if (options_.backup_every) return *options_.backup_every - iterations_ % *options_.backup_every;
  const std::uint64_t step = group_->step();
  if (rate_ == 0) return 16 * step;  // until the rate is known
  const double seconds = std::max(backup_seconds_ / backup_time_fraction - since_backup_, 0.01);
  return step *
         static_cast<std::uint64_t>(std::clamp(std::ceil(seconds * rate_ / static_cast<double>(step)), 4.0, 1e12));
}

template <class T>
void Solver<T>::back_up_if_due() {
  if (!keeps_backup()) return;
  const bool due = options_.backup_every ? iterations_ % *options_.backup_every == 0
                                         : since_backup_ * backup_time_fraction >= backup_seconds_;
  if (!due || (backup_.any() && backup_.iteration() == iterations_)) return;
  if (usable_host_memory(host_memory(hooks_)) < backup_.new_bytes()) {
    no_memory_ = true;
    report_.decisions.push_back("no host memory for a copy of the grid: if a device fails, the run ends");
    return;
  }
  const double start = now();
  backup_.write(iterations_, [&](const HostGrid<T>& copy) { store_group(copy); });
  ++report_.backups;
  backup_seconds_ = now() - start;
  since_backup_ = 0;
}

template <class T>
void Solver<T>::report_progress(double done) {
  if (!options_.progress) return;
  reported_ = std::max(reported_, done);
  const double all = static_cast<double>(goal_ - entry_);
  const double fraction = all == 0 ? 1 : (reported_ - static_cast<double>(entry_)) / all;
  try {
    if (!options_.progress({fraction, static_cast<std::uint64_t>(reported_), goal_})) throw Cancelled();
  } catch (...) {
    progress_error_ = std::current_exception();
    throw;
  }
}

template <class T>
void Solver<T>::advance(std::uint64_t more, double tolerance, bool measured) {
  entry_ = iterations_;
  goal_ = iterations_ + more;
  reported_ = static_cast<double>(entry_);
  converged_ = false;
  progress_error_ = nullptr;
  report_progress(reported_);
  with_failover([&] {
    prepare(goal_ - iterations_, tolerance > 0 ? options_.check_every : 0);
    if (keeps_backup() && options_.backup_every) prepare(goal_ - iterations_, *options_.backup_every);
  });
  const ScopeTimer timed(report_.seconds);
  const auto count = [&] { advanced_ += iterations_ - entry_; };
  try {
    iterate(goal_, tolerance, measured);
    report_progress(static_cast<double>(iterations_));
  } catch (...) {
    if (iterations_ > entry_) count();
    if (processes_ != nullptr || std::current_exception() != progress_error_) drop_grid();
    throw;
  }
  count();
}

// Each interval ends at the next convergence test, update of the balance, or copy. If a device fails, the others load
// the last copy and repeat the iterations since.
template <class T>
void Solver<T>::iterate(std::uint64_t goal, double tolerance, bool measured) {
  std::optional<DeviceFailed> failed;
  while (iterations_ < goal || failed) try {
      if (failed) {
        continue_without(*std::exchange(failed, std::nullopt));
        loaded_ = true;
        continue;
      }
      back_up_if_due();
      const bool tested = tolerance > 0 && iterations_ >= entry_;  // repeated iterations of earlier calls are not
      std::uint64_t length =
          std::min({(iterations_ < entry_ ? entry_ : goal) - iterations_, balance(), until_backup()});
      if (tested) length = std::min(length, options_.check_every - iterations_ % options_.check_every);
      const std::uint64_t next = iterations_ + length;
      const bool look = (tested && next % options_.check_every == 0) || (measured && next == goal);
      change_.reset();
      const double start = now();
      Group& group = *group_;
      if (group.partitions)
        group.interval_seconds += group.partitions->advance(length, look);
      else
        group.bands->advance(length, look);
      count_interval(length, now() - start);
      if (look) {
        change_ = group.partitions ? group.partitions->change() : group.bands->change();
        converged_ = tolerance > 0 && change_->max < tolerance;
        if (converged_ || diverged()) return;
      }
    } catch (const DeviceFailed& error) {
      failed = error;
    } catch (...) {
      // Another device may have failed while the grid was loaded again.
      if (group_ && group_->partitions) iterations_ = base_ + group_->partitions->iterations();
      if (group_ && group_->bands) iterations_ = base_ + group_->bands->iterations();
      throw;
    }
}

template <class T>
void Solver<T>::count_interval(std::uint64_t length, double seconds) {
  Group& group = *group_;
  group.interval += length;
  if (group.partitions)
    for (std::size_t i = 0; i < group.computing.size(); ++i)
      group.computing[i] += group.partitions->times()[i].computing;
  since_backup_ += seconds;
  rate_ = static_cast<double>(length) / std::max(seconds, 1e-9);
  iterations_ += length;
}

template <class T>
void Solver<T>::store(const HostGrid<T>& grid) {
  backup_.drop_if_in(grid.whole);
  store_by([&](const auto& fetch) { fetch(grid); });
}

template <class T>
void Solver<T>::store_by(const std::function<void(const std::function<void(const HostGrid<T>&)>& fetch)>& write) {
  const ScopeTimer timed(report_.transfer_seconds);
  with_failover([&] { write([&](const HostGrid<T>& grid) { store_group(grid); }); });
}

template <class T>
void Solver<T>::read_slices(std::uint64_t first, std::span<T> cells) {
  if (!group_->partitions) refuse_bands();
  with_failover([&] { group_->partitions->read_slices(first, cells); });
}

template <class T>
void Solver<T>::write_slices(std::uint64_t first, std::span<const T> cells) {
  if (!group_->partitions) refuse_bands();
  backup_.drop();
  options_.backup_every = 0;
  with_failover([&] { group_->partitions->write_slices(first, cells); });
}

template <class T>
Report Solver<T>::report() {
  Report report = report_;
  report.iterations = iterations_;
  report.converged = converged_;
  report.diverged = diverged();
  report.change = change_;
  std::vector<double> seconds{report.seconds, report.transfer_seconds};
  broadcast_values(processes_, seconds);
  report.seconds = seconds[0];
  report.transfer_seconds = seconds[1];
  if (report.seconds > 0)
    report.updates_per_second =
        static_cast<double>(settings_.layout.changing()) * static_cast<double>(advanced_) / report.seconds;
  std::vector<DeviceTotals> work = before_;
  std::vector<SliceRange> ranges(report.devices.size());
  if (group_) {
    const std::vector<DeviceTotals> done = group_->done();
    for (std::size_t i = 0; i < done.size(); ++i) {
      work[original_index_[i]] += done[i];
    }
    if (group_->partitions) {
      const std::vector<SliceRange> current = ranges_of(group_->partitions->sizes());
      for (std::size_t i = 0; i < current.size(); ++i)
        ranges[processes_ != nullptr ? i : original_index_[i]] = current[i];
    }
    const std::vector<std::string>& decisions = group_->balancer.decisions();
    report.decisions.insert(report.decisions.end(), decisions.begin(), decisions.end());
    if (!group_->table.is_root()) report.decisions.clear();
  }
  const std::vector<DeviceTotals> figures = gather_values<DeviceTotals>(processes_, work);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    DeviceReport& device = report.devices[i];
    device.used = figures[i].updates > 0 || !ranges[i].empty();
    device.first_row = ranges[i].begin;
    device.rows = ranges[i].size();
    device.exchange_seconds = figures[i].exchanging;
    if (report.seconds == 0) continue;
    device.busy = figures[i].computing / report.seconds;
    device.updates_per_second = figures[i].updates / report.seconds;
  }
  return report;
}

namespace {

// Writers by slices expect all of them.
template <class T>
void pass_unchanged(const Layout& layout, const HostGrid<T>& grid) {
  if (!grid.read || !grid.write) return;
  std::vector<T> cells;
  for_pieces<T>(layout, {0, layout.slices}, [&](const SliceRange& piece) {
    cells.resize(piece.size() * layout.shape.width * layout.rows_per_slice);
    grid.read(piece.begin, cells);
    grid.write(piece.begin, cells);
  });
}

}  // namespace

template <class T>
Report solve_among(ProcessGroup& processes, Devices devices, const Shape& shape, const HostGrid<T>& grid,
                   const ReadFixed& fixed, const SolveOptions& options, const Hooks& hooks,
                   const FieldReaders<T>& readers) {
  std::vector<std::uint8_t> precise;  // of all devices, so that all processes throw the same error
  for (const Device& device : devices) precise.push_back(device.info().fp64 ? 1 : 0);
  if (devices.empty()) throw InputError("no device given");
  precise = gather_values<std::uint8_t>(&processes, precise);
  check_options(precise.size(), shape, options);
  check_equation<T>(options.equation, shape);
  for (const Device& device : devices) check_precision(device.info(), sizeof(T));
  if (sizeof(T) == sizeof(double) && std::count(precise.begin(), precise.end(), 0) != 0)
    throw InputError(
        "double on a device of another process, which has single precision only; expected another device (--device) or "
        "float (--precision float)");
  if (!grid.read && processes.rank() == 0) {
    if (grid.whole.size() != shape.cells())
      throw InputError("memory of " + std::to_string(grid.whole.size()) + " cells for a grid of " + shape.text());
    check_finite<T>(grid.whole, shape);
  }
  RunSettings settings = run_settings<T>(shape, options, hooks, readers);
  settings.fixed_cells = {};
  settings.read_fixed = fixed;
  Hooks own = hooks;
  if (own.host_memory == 0) own.host_memory = host_memory(hooks) / processes.machine_size();
  Solver<T> solver(&processes, devices, settings, options, own);
  if (options.iterations == 0) {
    if (processes.rank() == 0) pass_unchanged(settings.layout, grid);
    return solver.report();
  }
  solver.load(grid, 0, InputCells::borrow);
  solver.advance(options.iterations, options.tolerance, true);
  solver.store(grid);
  return solver.report();
}

// Any way suffices: the devices have memory for two arrays, or the host has memory for a second grid for bands.
template <class T>
void check_memory_with(Devices devices, const Shape& shape, const Hooks& hooks) {
  shape.check();
  const Layout layout(shape);
  const std::uint64_t grid = shape.cells() * sizeof(T), arrays = layout.slices * layout.slice() * 2 * sizeof(T);
  const std::uint64_t host = host_memory(hooks);
  const std::string what = "a grid of " + shape.text() + " cells";
  runtime::check_host_memory(what, grid, host);
  std::uint64_t held = 0;
  for (const Device& device : devices) held += usable_memory(device, hooks, host - grid, devices_on_host(devices));
  if (held < arrays)
    runtime::check_host_memory(what + " and a second one, which goes through devices in bands,", 2 * grid, host);
}

template <class T>
void check_memory(Devices devices, const Shape& shape) {
  check_memory_with<T>(devices, shape, {});
}

template <class T>
Report solve(Devices devices, Grid<T>& grid, const SolveOptions& options) {
  check_solve<T>(devices, grid, options);
  Solver<T> solver(nullptr, devices, run_settings<T>(grid.shape(), options, {}), options, {});
  if (options.iterations == 0) return solver.report();
  const HostGrid<T> cells{grid.cells(), {}, {}};
  solver.load(cells, 0, InputCells::borrow);
  solver.advance(options.iterations, options.tolerance, true);
  solver.store(cells);
  return solver.report();
}

template RunSettings run_settings(const Shape&, const SolveOptions&, const Hooks&, const FieldReaders<float>&);
template RunSettings run_settings(const Shape&, const SolveOptions&, const Hooks&, const FieldReaders<double>&);
template class Solver<float>;
template class Solver<double>;
template void check_memory_with<float>(Devices, const Shape&, const Hooks&);
template void check_memory_with<double>(Devices, const Shape&, const Hooks&);
template void check_memory<float>(Devices, const Shape&);
template void check_memory<double>(Devices, const Shape&);
template Report solve_among<float>(ProcessGroup&, Devices, const Shape&, const HostGrid<float>&, const ReadFixed&,
                                   const SolveOptions&, const Hooks&, const FieldReaders<float>&);
template Report solve_among<double>(ProcessGroup&, Devices, const Shape&, const HostGrid<double>&, const ReadFixed&,
                                    const SolveOptions&, const Hooks&, const FieldReaders<double>&);
template Report solve<float>(Devices, Grid<float>&, const SolveOptions&);
template Report solve<double>(Devices, Grid<double>&, const SolveOptions&);

}  // namespace genocl::jacobi
