#include "jacobi/solve/solve.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "jacobi/bands/bands.hpp"
#include "jacobi/checks.hpp"
#include "jacobi/equation/check.hpp"
#include "jacobi/solve/first_shares.hpp"
#include "jacobi/solve/solve_devices.hpp"
#include "jacobi/solve/solve_shares.hpp"

#include "runtime/memory/host_memory.hpp"

namespace genocl::jacobi {
namespace {

/// What a process tells the others of its device's run.
struct DeviceFigures {
  double updates = 0, computing = 0, exchanging = 0;
};

template <class T>
class Solver {
 public:
  Solver(Processes* processes, std::span<const Device> devices, const HostGrid<T>& grid, const RunSettings& settings,
         const SolveOptions& options, const Hooks& hooks)
      : grid_(grid), options_(options), hooks_(hooks), settings_(settings) {
    workers_ = make_workers(devices, settings_, sizeof(T), options, hooks);
    roster_ = make_roster(workers_, sizeof(T), processes);
    for (const Member& member : roster_.members) {
      DeviceReport device;
      device.device = member.name;
      device.kernel = member.kernel;
      device.levels = member.levels;
      device.used = false;
      report_.devices.push_back(std::move(device));
    }
  }

  Report run() {
    if (options_.iterations == 0) {
      pass_unchanged();
      return std::move(report_);
    }
    FirstShares<T> first(workers_, roster_, settings_, options_, hooks_, report_);
    if (const std::optional<Shares> shares = first.choose())
      run_shares(*shares, first);
    else
      run_bands();
    if (report_.seconds > 0)
      report_.updates_per_second = updates() * static_cast<double>(report_.iterations) / report_.seconds;
    if (!roster_.is_root()) report_.decisions.clear();
    return std::move(report_);
  }

 private:
  double updates() const noexcept { return static_cast<double>(settings_.layout.changing()); }

  void run_bands() {
    const Shape& shape = settings_.layout.shape;
    if (settings_.layout.ring) refuse_bands();
    if (roster_.processes == nullptr) {
      Grid<T> grid(grid_.whole, shape);
      solve_in_bands<T>(workers_, settings_, grid, options_, hooks_, report_);
      return;
    }
    refuse_bands();
  }

  [[noreturn]] void refuse_bands() const {
    const Layout& layout = settings_.layout;
    std::uint64_t most = 0;
    for (const Member& member : roster_.members) most += member.most;
    const std::uint64_t slice = layout.slice() * settings_.cell_bytes(sizeof(T));
    const std::uint64_t borders = roster_.size() - (layout.ring ? 0 : 1);
    throw CapacityError("a grid of " + layout.shape.text() + " cells" +
                            (layout.ring ? ", which does not go in bands as its slices are periodic," : "") +
                            " with ghosts on the devices" + (roster_.processes != nullptr ? " of all processes" : ""),
                        (layout.slices + 2 * settings_.exchange_every * borders) * slice, most * slice);
  }

  // Who keeps slices by functions is to have them all written.
  void pass_unchanged() {
    if (!grid_.read || !grid_.write || !roster_.is_root()) return;
    std::vector<T> cells;
    for_pieces<T>(settings_.layout, {0, settings_.layout.slices}, [&](const Part& piece) {
      cells.resize(piece.size() * settings_.layout.shape.width * settings_.layout.rows_per_slice);
      grid_.read(piece.begin, cells);
      grid_.write(piece.begin, cells);
    });
  }

  void run_shares(const Shares& shares, FirstShares<T>& chosen) {
    Steering* const steering = chosen.steering();
    ShareRun<T> run(workers_, roster_, settings_, hooks_, options_.progress, options_.iterations, steering != nullptr);
    run.report_progress(0);
    const double first = now();
    std::vector<SweepLevels> levels;
    for (const Worker& worker : workers_) levels.push_back(chosen.levels_of(worker));
    if (steering != nullptr && !steering->expected().empty()) run.reserve(shares, steering->expected(), levels);
    run.start(shares, grid_, levels);
    if (roster_.processes != nullptr) roster_.processes->gather({});  // the clocks begin together
    const double start = now();
    iterate(run, steering);
    run.report_progress(report_.iterations);
    const double end = now();
    run.store(grid_);
    report_.seconds += end - start;
    report_.transfer_seconds = (start - first) + (now() - end);
    if (steering != nullptr) {
      const std::vector<std::string> decisions = steering->decisions();
      report_.decisions.insert(report_.decisions.end(), decisions.begin(), decisions.end());
    }
    tell_devices(run);
  }

  void tell_devices(const ShareRun<T>& run) {
    std::vector<double> seconds{report_.seconds, report_.transfer_seconds};
    broadcast_values(roster_.processes, seconds);
    report_.seconds = seconds[0];
    report_.transfer_seconds = seconds[1];
    std::vector<DeviceFigures> figures;
    for (const WorkDone& done : run.done())
      figures.push_back({done.updates, done.spent.computing, done.spent.exchanging});
    figures = gather_values<DeviceFigures>(roster_.processes, figures);
    const std::vector<Part> parts = parts_of(run.shares());  // by the grid's numbers
    for (std::size_t i = 0; i < figures.size(); ++i) {
      DeviceReport& device = report_.devices[i];
      device.used = figures[i].updates > 0 || !parts[i].empty();
      device.first_slice = parts[i].begin;
      device.slices = parts[i].size();
      device.busy = figures[i].computing / report_.seconds;
      device.exchange_seconds = figures[i].exchanging;
      device.updates_per_second = figures[i].updates / report_.seconds;
    }
  }

  // Stretches end where somebody looks: the convergence test, the balance.
  void iterate(ShareRun<T>& run, Steering* steering) {
    const std::uint64_t total = options_.iterations;
    std::uint64_t done = 0, stretch = 0;
    double stretch_seconds = 0;
    std::vector<double> computing(workers_.size(), 0);
    while (done < total) {
      std::uint64_t next = total;
      if (steering != nullptr && steering->wanted() - stretch < total - done)
        next = done + (steering->wanted() - stretch);
      if (options_.tolerance > 0) next = std::min(next, (done / options_.check_every + 1) * options_.check_every);
      const bool check = options_.tolerance > 0 && next % options_.check_every == 0;
      const double seconds = run.advance(next - done, check || next == total);
      stretch += next - done;
      stretch_seconds += seconds;
      for (std::size_t i = 0; i < computing.size(); ++i) computing[i] += run.spent()[i].computing;
      done = next;
      report_.iterations = done;
      if (check || done == total) {
        report_.change = run.change();
        report_.converged = options_.tolerance > 0 && report_.change->max < options_.tolerance;
        if (report_.converged) return;
      }
      if (steering == nullptr || stretch < steering->wanted() || done == total) continue;
      for (double& one : computing) one /= static_cast<double>(stretch);
      if (const auto shares = steering->look(stretch, stretch_seconds / static_cast<double>(stretch), computing))
        run.move(*shares);
      stretch = 0;
      stretch_seconds = 0;
      std::fill(computing.begin(), computing.end(), 0);
    }
  }

  HostGrid<T> grid_;
  const SolveOptions& options_;
  const Hooks& hooks_;
  RunSettings settings_;
  std::vector<Worker> workers_;
  Roster roster_;
  Report report_;
};

}  // namespace

template <class T>
Report solve_with(std::span<const Device> devices, Grid<T>& grid, const SolveOptions& options, const Hooks& hooks) {
  check_solve<T>(devices, grid, options);
  const Equation& equation = options.equation;
  RunSettings settings{
      Layout(grid.shape(), equation.boundaries), 1, options.overlap, options.fixed_cells, {}, hooks.has_double, {}, {}};
  set_equation<T>(settings, equation, {});
  return Solver<T>(nullptr, devices, {grid.cells(), {}, {}}, settings, options, hooks).run();
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
  RunSettings settings{
      Layout(shape, options.equation.boundaries), 1, options.overlap, {}, fixed, hooks.has_double, {}, {}};
  set_equation<T>(settings, options.equation, readers);
  Hooks own = hooks;
  if (own.host_memory == 0) own.host_memory = host_memory(hooks) / processes.on_machine();
  return Solver<T>(&processes, devices, grid, settings, options, own).run();
}

// Whatever way it takes: devices with memory of their own hold it, or the host has room for both arrays of a share, or
// for a second grid beside the bands.
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
    runtime::check_host_memory(what + " and a second one, which goes through devices in bands,",
                               grid + second_grid(grid), host);
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
