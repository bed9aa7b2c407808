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

/// Copies of the grid are made so often, where nothing else was said, that they take this part of the time.
constexpr double keep_share = 0.01;
constexpr std::uint64_t no_backup = std::numeric_limits<std::uint64_t>::max();

/// What a process tells the others of its device's run.
struct DeviceFigures {
  double updates = 0, computing = 0, exchanging = 0;
};

/// Adds the seconds until the end of the scope.
class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds), start_(now()) {}
  ~Timed() { seconds_ += now() - start_; }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

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
SolveRun<T>::SolveRun(Processes* processes, std::span<const Device> devices, const RunSettings& settings,
                      const SolveOptions& options, const Hooks& hooks)
    : processes_(processes),
      devices_(devices.begin(), devices.end()),
      settings_(settings),
      options_(options),
      hooks_(hooks),
      before_(devices.size()),
      kept_(settings.layout.shape.cells()) {
  for (const Device& device : devices) runtime::core_of(device).check_process();
  for (std::size_t i = 0; i < devices.size(); ++i) given_.push_back(i);
  make_crew();
  for (const Member& member : crew_->roster().members) {
    DeviceReport device;
    device.device = member.name;
    device.kernel = member.kernel;
    device.levels = member.levels;
    device.used = false;
    report_.devices.push_back(std::move(device));
  }
}

template <class T>
void SolveRun<T>::make_crew() {
  Hooks hooks = hooks_;
  if (hooks_.fail_at)
    hooks.fail_at = [this](std::size_t device, std::uint64_t iteration) {
      hooks_.fail_at(given_[device], base_ + iteration);
    };
  if (hooks_.fail_transfer) hooks.fail_transfer = [this](std::size_t device) { hooks_.fail_transfer(given_[device]); };
  if (!hooks_.slice_seconds.empty()) {
    hooks.slice_seconds.clear();
    for (const std::size_t device : given_) hooks.slice_seconds.push_back(hooks_.slice_seconds[device]);
  }
  crew_ = std::make_unique<Crew<T>>(
      processes_, devices_, settings_, options_, hooks,
      [this](double done) { tell(static_cast<double>(base_) + done); }, report_);
}

// Whatever fails on the way: the crew without it takes up the last copy, goes on to where the run was, and tries again.
template <class T>
template <class Do>
void SolveRun<T>::with_others(Do&& step) {
  const std::uint64_t was = iterations_;
  std::optional<DeviceFailed> failed;
  for (;;) {
    try {
      if (failed) {
        go_on_without(*std::exchange(failed, std::nullopt));
        if (iterations_ < was) iterate(was, 0, false);
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
void SolveRun<T>::go_on_without(const DeviceFailed& failed) {
  drop_grid();
  const bool goes_on = processes_ == nullptr && devices_.size() > 1 && kept_.any();
  if (!goes_on) std::rethrow_exception(failed.error);
  const std::size_t number = given_[failed.device];
  report_.devices[number].failed = true;
  report_.decisions.push_back(report_.devices[number].device + " failed (" + failed.what +
                              "): the others go on from iteration " + std::to_string(kept_.iteration()));
  devices_.erase(devices_.begin() + static_cast<std::ptrdiff_t>(failed.device));
  given_.erase(given_.begin() + static_cast<std::ptrdiff_t>(failed.device));
  // Fixed shares were those of all.
  options_.balance = Balance::automatic;
  options_.cuts.clear();
  options_.weights.clear();
  make_crew();
  crew_->load(kept_.grid());
  base_ = iterations_ = kept_.iteration();
  change_.reset();
  converged_ = false;
}

// After an error in the middle of the work devices hold parts of different iterations.
template <class T>
void SolveRun<T>::drop_grid() {
  account();
  crew_.reset();
  loaded_ = false;
}

// What a crew that ends has done.
template <class T>
void SolveRun<T>::account() {
  if (!crew_) return;
  const std::vector<WorkDone> done = crew_->done();
  for (std::size_t i = 0; i < done.size(); ++i) {
    WorkDone& sum = before_[given_[i]];
    sum.updates += done[i].updates;
    sum.spent.computing += done[i].spent.computing;
    sum.spent.exchanging += done[i].spent.exchanging;
  }
  const std::vector<std::string> decisions = crew_->decisions();
  report_.decisions.insert(report_.decisions.end(), decisions.begin(), decisions.end());
}

template <class T>
void SolveRun<T>::load(const HostGrid<T>& grid, std::uint64_t iterations, Cells whose) {
  if (!crew_) make_crew();  // all devices of an earlier one have failed: the last may be well again
  loaded_ = false;
  kept_.forget();
  change_.reset();
  converged_ = false;
  base_ = iterations_ = iterations;
  {
    const Timed timed(report_.transfer_seconds);
    if (whose == Cells::stay)
      kept_.points_to(grid, iterations);
    else if (keeps() && most_of_host(host_memory(hooks_)) >= kept_.new_bytes())
      kept_.keep(iterations, [&](const HostGrid<T>& copy) {
        if (grid.read)
          for_pieces<T>(settings_.layout, {0, settings_.layout.slices}, [&](const Part& piece) {
            grid.read(piece.begin, slices_of(copy.whole, settings_.layout, piece));
          });
        else
          copy_cells<T>(grid.whole, copy.whole);
      });
    const bool lent = !kept_.any();
    if (lent) kept_.points_to(grid, iterations);  // it is at hand for so long
    const double start = now();
    try {
      with_others([&] { crew_->load(grid); });
    } catch (...) {
      drop_grid();
      kept_.forget();
      throw;
    }
    keep_seconds_ = now() - start;  // to bring them back takes as long
    if (lent) kept_.forget();
  }
  loaded_ = true;
  since_kept_ = 0;
}

template <class T>
bool SolveRun<T>::keeps() const {
  return processes_ == nullptr && devices_.size() > 1 && options_.keep_every != 0U && !no_room_;
}

// Iterations up to the next copy.
template <class T>
std::uint64_t SolveRun<T>::until_kept() const {
  if (!keeps()) return no_backup;
  if (options_.keep_every) return *options_.keep_every - iterations_ % *options_.keep_every;
  const std::uint64_t step = crew_->step();
  if (rate_ == 0) return 16 * step;  // then it is known
  const double seconds = std::max(keep_seconds_ / keep_share - since_kept_, 0.01);
  return step *
         static_cast<std::uint64_t>(std::clamp(std::ceil(seconds * rate_ / static_cast<double>(step)), 4.0, 1e12));
}

template <class T>
void SolveRun<T>::keep_if_due() {
  if (!keeps()) return;
  const bool due =
      options_.keep_every ? iterations_ % *options_.keep_every == 0 : since_kept_ * keep_share >= keep_seconds_;
  if (!due || (kept_.any() && kept_.iteration() == iterations_)) return;
  if (most_of_host(host_memory(hooks_)) < kept_.new_bytes()) {
    no_room_ = true;
    report_.decisions.push_back(
        "no memory on the host for a copy of the grid: a device that fails costs what was done");
    return;
  }
  const double start = now();
  kept_.keep(iterations_, [&](const HostGrid<T>& copy) { crew_->store(copy); });
  ++report_.copies;
  keep_seconds_ = now() - start;
  since_kept_ = 0;
}

template <class T>
void SolveRun<T>::tell(double done) {
  if (!options_.progress) return;
  told_ = std::max(told_, done);
  const double all = static_cast<double>(goal_ - entry_);
  const double fraction = all == 0 ? 1 : (told_ - static_cast<double>(entry_)) / all;
  try {
    if (!options_.progress({fraction, static_cast<std::uint64_t>(told_), goal_})) throw Cancelled();
  } catch (...) {
    ended_by_ = std::current_exception();
    throw;
  }
}

template <class T>
void SolveRun<T>::advance(std::uint64_t more, double tolerance, bool measured) {
  entry_ = iterations_;
  goal_ = iterations_ + more;
  told_ = static_cast<double>(entry_);
  converged_ = false;
  ended_by_ = nullptr;
  tell(told_);
  with_others([&] {
    crew_->prepare(goal_ - iterations_, tolerance > 0 ? options_.check_every : 0);
    if (keeps() && options_.keep_every) crew_->prepare(goal_ - iterations_, *options_.keep_every);
  });
  const Timed timed(report_.seconds);
  const auto count = [&] { advanced_ += iterations_ - entry_; };
  try {
    with_others([&] { iterate(goal_, tolerance, measured); });
    tell(static_cast<double>(iterations_));
  } catch (...) {
    if (iterations_ > entry_) count();
    if (processes_ != nullptr || std::current_exception() != ended_by_) drop_grid();
    throw;
  }
  count();
}

// Stretches end where somebody looks: the convergence test, the balance, and whoever keeps copies.
template <class T>
void SolveRun<T>::iterate(std::uint64_t goal, double tolerance, bool measured) {
  while (iterations_ < goal) {
    keep_if_due();
    std::uint64_t length = std::min({goal - iterations_, crew_->steer(), until_kept()});
    if (tolerance > 0) length = std::min(length, options_.check_every - iterations_ % options_.check_every);
    const std::uint64_t next = iterations_ + length;
    const bool look = (tolerance > 0 && next % options_.check_every == 0) || (measured && next == goal);
    change_.reset();
    const double start = now();
    try {
      crew_->advance(length, look);
    } catch (const DeviceFailed&) {
      throw;
    } catch (...) {
      iterations_ = base_ + crew_->iterations();
      throw;
    }
    const double seconds = now() - start;
    since_kept_ += seconds;
    rate_ = static_cast<double>(length) / std::max(seconds, 1e-9);
    iterations_ = next;
    if (look) {
      change_ = crew_->change();
      converged_ = tolerance > 0 && change_->max < tolerance;
      if (converged_ || diverged()) return;
    }
  }
}

template <class T>
void SolveRun<T>::store(const HostGrid<T>& grid) {
  kept_.forget_if_in(grid.whole);
  store_by([&](const auto& fetch) { fetch(grid); });
}

template <class T>
void SolveRun<T>::store_by(const std::function<void(const std::function<void(const HostGrid<T>&)>& fetch)>& write) {
  const Timed timed(report_.transfer_seconds);
  with_others([&] { write([&](const HostGrid<T>& grid) { crew_->store(grid); }); });
}

template <class T>
Report SolveRun<T>::report() {
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
  std::vector<WorkDone> work = before_;
  std::vector<Part> parts(report.devices.size());
  if (crew_) {
    const std::vector<WorkDone> done = crew_->done();
    const std::vector<Part> now_parts = crew_->parts();
    for (std::size_t i = 0; i < done.size(); ++i) {
      WorkDone& sum = work[given_[i]];
      sum.updates += done[i].updates;
      sum.spent.computing += done[i].spent.computing;
      sum.spent.exchanging += done[i].spent.exchanging;
    }
    for (std::size_t i = 0; i < now_parts.size(); ++i) parts[processes_ != nullptr ? i : given_[i]] = now_parts[i];
    const std::vector<std::string> decisions = crew_->decisions();
    report.decisions.insert(report.decisions.end(), decisions.begin(), decisions.end());
    if (!crew_->roster().is_root()) report.decisions.clear();
  }
  std::vector<DeviceFigures> figures;
  for (const WorkDone& done : work) figures.push_back({done.updates, done.spent.computing, done.spent.exchanging});
  figures = gather_values<DeviceFigures>(processes_, figures);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    DeviceReport& device = report.devices[i];
    device.used = figures[i].updates > 0 || !parts[i].empty();
    device.first_slice = parts[i].begin;
    device.slices = parts[i].size();
    device.exchange_seconds = figures[i].exchanging;
    if (report.seconds == 0) continue;
    device.busy = figures[i].computing / report.seconds;
    device.updates_per_second = figures[i].updates / report.seconds;
  }
  return report;
}

template RunSettings run_settings(const Shape&, const SolveOptions&, const Hooks&, const FieldReaders<float>&);
template RunSettings run_settings(const Shape&, const SolveOptions&, const Hooks&, const FieldReaders<double>&);
template class SolveRun<float>;
template class SolveRun<double>;

namespace {

// Who keeps slices by functions is to have them all written.
template <class T>
void pass_unchanged(const Layout& layout, const HostGrid<T>& grid) {
  if (!grid.read || !grid.write) return;
  std::vector<T> cells;
  for_pieces<T>(layout, {0, layout.slices}, [&](const Part& piece) {
    cells.resize(piece.size() * layout.shape.width * layout.rows_per_slice);
    grid.read(piece.begin, cells);
    grid.write(piece.begin, cells);
  });
}

template <class T>
Report run_at_once(SolveRun<T>& run, const Layout& layout, const HostGrid<T>& grid, const SolveOptions& options,
                   bool is_root) {
  if (options.iterations == 0) {
    if (is_root) pass_unchanged(layout, grid);
    return run.report();
  }
  run.load(grid, 0, Cells::stay);
  run.advance(options.iterations, options.tolerance, true);
  run.store(grid);
  return run.report();
}

}  // namespace

template <class T>
Report solve_with(std::span<const Device> devices, Grid<T>& grid, const SolveOptions& options, const Hooks& hooks) {
  check_solve<T>(devices, grid, options);
  const RunSettings settings = run_settings<T>(grid.shape(), options, hooks);
  SolveRun<T> run(nullptr, devices, settings, options, hooks);
  return run_at_once<T>(run, settings.layout, {grid.cells(), {}, {}}, options, true);
}

template <class T>
Report solve_among(Processes& processes, std::span<const Device> devices, const Shape& shape, const HostGrid<T>& grid,
                   const ReadFixed& fixed, const SolveOptions& options, const Hooks& hooks,
                   const FieldReaders<T>& readers) {
  std::vector<std::uint8_t> precise;  // of all devices, so that all processes refuse the same
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
  if (own.host_memory == 0) own.host_memory = host_memory(hooks) / processes.on_machine();
  SolveRun<T> run(&processes, devices, settings, options, own);
  return run_at_once<T>(run, settings.layout, grid, options, processes.rank() == 0);
}

// Whatever way it takes: devices with memory of their own hold it, or the host has room for both arrays of a share, or
// for the grid from which bands go up.
template <class T>
void check_memory_with(std::span<const Device> devices, const Shape& shape, const Hooks& hooks) {
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
void check_memory(std::span<const Device> devices, const Shape& shape) {
  check_memory_with<T>(devices, shape, {});
}

template <class T>
Report solve(std::span<const Device> devices, Grid<T>& grid, const SolveOptions& options) {
  return solve_with(devices, grid, options, {});
}

template void check_memory_with<float>(std::span<const Device>, const Shape&, const Hooks&);
template void check_memory_with<double>(std::span<const Device>, const Shape&, const Hooks&);
template void check_memory<float>(std::span<const Device>, const Shape&);
template void check_memory<double>(std::span<const Device>, const Shape&);
template Report solve_with<float>(std::span<const Device>, Grid<float>&, const SolveOptions&, const Hooks&);
template Report solve_with<double>(std::span<const Device>, Grid<double>&, const SolveOptions&, const Hooks&);
template Report solve_among<float>(Processes&, std::span<const Device>, const Shape&, const HostGrid<float>&,
                                   const ReadFixed&, const SolveOptions&, const Hooks&, const FieldReaders<float>&);
template Report solve_among<double>(Processes&, std::span<const Device>, const Shape&, const HostGrid<double>&,
                                    const ReadFixed&, const SolveOptions&, const Hooks&, const FieldReaders<double>&);
template Report solve<float>(std::span<const Device>, Grid<float>&, const SolveOptions&);
template Report solve<double>(std::span<const Device>, Grid<double>&, const SolveOptions&);

}  // namespace genocl::jacobi
