#include "jacobi/solve/solve.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "genocl/error.hpp"
#include "jacobi/balance/balance_director.hpp"
#include "jacobi/balance/balance_measure.hpp"
#include "jacobi/bands/bands.hpp"
#include "jacobi/checks.hpp"
#include "jacobi/solve/solve_devices.hpp"
#include "jacobi/solve/solve_shares.hpp"

#include "runtime/memory/host_memory.hpp"

namespace genocl::jacobi {
namespace {

// A run shorter than that is not measured beforehand: the fastest device takes it.
constexpr double short_run = 1, short_run_of_like_devices = 0.2;
// A run shorter than that on each of several GPUs of one kind is shared out equally: finding out which is faster by how
// much took a tenth of a second on four H200, and gained 3 %.
constexpr double short_run_of_like_gpus = 4, surely_faster = 1.5;
// Nor a run shorter than that, where the others are at most a fifth as fast.
constexpr double short_run_beside_slow_ones = 4;
// A CPU has other work, and its clock changes: where GPUs would wait for it, it gets less than it seems to manage.
constexpr double cpu_caution = 1.12;
constexpr double slice_move_bytes_per_second = 5e9;

template <class T>
class Solver {
 public:
  Solver(std::span<const Device> devices, Grid<T>& grid, const SolveOptions& options, const Hooks& hooks)
      : grid_(grid),
        options_(options),
        hooks_(hooks),
        settings_{Layout(grid.shape()), 1, options.overlap, options.fixed_cells, hooks.has_double} {
    workers_ = make_workers(devices, settings_.layout, sizeof(T), options, hooks);
    for (const Worker& worker : workers_) {
      DeviceReport device;
      device.device = worker.device.info().name;
      device.kernel = worker.plan.kernel;
      device.levels = worker.plan.levels;
      device.used = false;
      report_.devices.push_back(std::move(device));
    }
  }

  Report run() {
    if (options_.iterations == 0) return report_;
    const std::optional<Shares> shares = options_.balance == Balance::fixed ? fixed_shares() : automatic_shares();
    if (shares)
      run_shares(*shares);
    else
      solve_in_bands<T>(workers_, settings_, grid_, options_, hooks_, report_);
    if (report_.seconds > 0)
      report_.updates_per_second = updates() * static_cast<double>(report_.iterations) / report_.seconds;
    return std::move(report_);
  }

 private:
  std::uint64_t slices() const noexcept { return settings_.layout.slices; }
  double updates() const noexcept { return static_cast<double>(grid_.shape().inside()); }

  /// Slices that a device can own beside its neighbours' frontiers.
  std::uint64_t most_own(const Worker& worker, std::size_t devices) const {
    if (devices == 1 || worker.most >= slices()) return std::min(worker.most, slices());
    return worker.most - std::min<std::uint64_t>(worker.most, 2 * settings_.exchange_every);
  }
  bool too_large() const {
    std::uint64_t sum = 0;
    for (const Worker& worker : workers_) sum += most_own(worker, workers_.size());
    return sum < slices();
  }

  // Without a result the grid goes through in bands.
  std::optional<Shares> fixed_shares() {
    const std::size_t devices = workers_.size();
    Shares shares;
    if (!options_.cuts.empty()) {
      std::uint64_t before = 0;
      for (const std::uint64_t cut : options_.cuts) shares.push_back(cut - std::exchange(before, cut));
      shares.push_back(slices() - before);
    } else {
      std::vector<double> weights = options_.weights;
      if (weights.empty()) weights.assign(devices, 1);
      shares = share_by_weights(weights, slices(), 1);
    }
    if (options_.exchange_every != 0) check_exchange_every(parts_of(shares), options_.exchange_every);
    set_exchange_every(*std::min_element(shares.begin(), shares.end()));
    if (too_large()) return std::nullopt;
    const std::vector<Part> parts = parts_of(shares);
    for (std::size_t i = 0; i < devices; ++i) {
      const std::uint64_t needed = with_ghosts(settings_, parts[i]).size();
      if (needed > workers_[i].most)
        throw CapacityError("slices " + std::to_string(parts[i].begin) + " to " + std::to_string(parts[i].end - 1) +
                                " on " + workers_[i].device.info().name,
                            needed * settings_.layout.slice() * 2 * sizeof(T),
                            workers_[i].most * settings_.layout.slice() * 2 * sizeof(T));
    }
    return shares;
  }

  std::optional<Shares> automatic_shares() {
    const std::size_t devices = workers_.size();
    set_exchange_every(slices() / (2 * devices));
    if (too_large()) return std::nullopt;
    if (devices == 1) return Shares{slices()};
    if (const std::optional<Shares> equal = equal_shares()) return equal;
    if (const std::optional<Shares> guessed = guessed_alone()) return guessed;
    Bounds bounds{slices(),
                  std::max<std::uint64_t>(settings_.exchange_every, 4),
                  {},
                  exchange_seconds / settings_.exchange_every};
    Prospect prospect{options_.iterations,
                      settings_.exchange_every,
                      updates(),
                      {},
                      static_cast<double>(settings_.layout.slice() * sizeof(T)) / slice_move_bytes_per_second,
                      {}};
    const bool gpus = std::any_of(workers_.begin(), workers_.end(),
                                  [](const Worker& worker) { return worker.device.info().type != DeviceType::cpu; });
    std::vector<Speed> speeds;
    for (std::size_t i = 0; i < devices; ++i) {
      const Worker& worker = workers_[i];
      bounds.most.push_back(most_own(worker, devices));
      prospect.caution.push_back(gpus && worker.device.info().type == DeviceType::cpu ? cpu_caution : 1);
      prospect.names.push_back(worker.device.info().name);
      const Measured measured = i < hooks_.slice_seconds.size()
                                    ? Measured{{0, hooks_.slice_seconds[i]}, 0}
                                    : measure_speed<T>(worker.device, worker.plan, settings_.layout, worker.most,
                                                       !options_.fixed_cells.empty(), levels_of(worker));
      speeds.push_back(measured.speed);
      report_.seconds += measured.seconds;
    }
    director_.emplace(std::move(speeds), std::move(bounds), std::move(prospect));
    return director_->shares();
  }

  // For GPUs of one kind, when the run is too short to find out more.
  std::optional<Shares> equal_shares() {
    std::set<std::size_t> indices;
    for (const Worker& worker : workers_) {
      const DeviceInfo& info = worker.device.info();
      if (info.type != DeviceType::gpu || info.name != workers_[0].device.info().name) return std::nullopt;
      indices.insert(info.index);
    }
    if (indices.size() != workers_.size() || hooks_.short_run == 0) return std::nullopt;
    const auto devices = static_cast<double>(workers_.size());
    const double alone = updates() / guessed_updates(workers_[0].device.info(), sizeof(T));
    const double together = alone / devices + exchange_seconds / settings_.exchange_every;
    if (alone < surely_faster * together) return std::nullopt;
    if (together * static_cast<double>(options_.iterations) > short_run_of_like_gpus) return std::nullopt;
    const Shares shares = share_by_weights(std::vector<double>(workers_.size(), 1), slices(), 1);
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (shares[i] < settings_.exchange_every || shares[i] > most_own(workers_[i], workers_.size()))
        return std::nullopt;
    report_.decisions.push_back("equal shares for " + std::to_string(workers_.size()) + " of " +
                                workers_[0].device.info().name + ": the run is too short to measure them");
    return shares;
  }

  // The fastest by what the driver says, when the run is too short to find out.
  std::optional<Shares> guessed_alone() {
    std::size_t best = workers_.size();
    bool alike = true;
    double best_updates = 0, second_updates = 0;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      const DeviceInfo& info = workers_[i].device.info();
      alike = alike && info.name == workers_[0].device.info().name;
      const double guess = guessed_updates(info, sizeof(T));
      if (guess > best_updates && workers_[i].most >= slices()) {
        second_updates = best_updates;
        best_updates = guess;
        best = i;
      } else {
        second_updates = std::max(second_updates, guess);
      }
    }
    if (best == workers_.size()) return std::nullopt;
    const double seconds = updates() * static_cast<double>(options_.iterations) / best_updates;
    const double limit = hooks_.short_run >= 0                 ? hooks_.short_run
                         : alike                               ? short_run_of_like_devices
                         : second_updates < 0.2 * best_updates ? short_run_beside_slow_ones
                                                               : short_run;
    if (seconds >= limit) return std::nullopt;
    report_.decisions.push_back(workers_[best].device.info().name +
                                " alone: the run is too short to measure the others");
    Shares shares(workers_.size(), 0);
    shares[best] = slices();
    return shares;
  }

  void set_exchange_every(std::uint64_t smallest) {
    settings_.exchange_every = options_.exchange_every != 0
                                   ? options_.exchange_every
                                   : choose_exchange_every(workers_, settings_.layout, sizeof(T), smallest);
  }

  // The levels of all sweeps that a device may come to make: stretches end at looks, and with the run.
  SweepLevels levels_of(const Worker& worker) const {
    SweepLevels levels;
    const bool checks = options_.tolerance > 0;
    const std::uint64_t stretch = checks ? std::min(options_.check_every, options_.iterations) : options_.iterations;
    const std::uint64_t left = options_.iterations % stretch;
    for (const std::uint64_t length : {stretch, left}) {
      if (workers_.size() == 1 || options_.balance == Balance::automatic)
        add_sweeps(levels, worker.plan.levels, length, true);
      if (workers_.size() > 1)
        add_sweeps_between_exchanges(levels, worker.plan.levels, settings_.exchange_every, length, true);
    }
    return levels;
  }

  void run_shares(const Shares& shares) {
    ShareRun<T> run(workers_, settings_, hooks_, options_.progress, options_.iterations, director_.has_value());
    run.report_progress(0);
    const double first = now();
    std::vector<SweepLevels> levels;
    for (const Worker& worker : workers_) levels.push_back(levels_of(worker));
    if (director_ && !director_->expected().empty()) run.reserve(shares, director_->expected(), levels);
    run.start(shares, grid_.cells(), levels);
    const double start = now();
    iterate(run);
    run.report_progress(report_.iterations);
    const double end = now();
    run.store(grid_.cells());
    report_.seconds += end - start;
    report_.transfer_seconds = (start - first) + (now() - end);
    if (director_)
      report_.decisions.insert(report_.decisions.end(), director_->decisions().begin(), director_->decisions().end());
    const std::vector<Part> parts = parts_of(run.shares());
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      DeviceReport& device = report_.devices[i];
      const WorkDone& done = run.done()[i];
      device.used = done.updates > 0 || !parts[i].empty();
      device.first_slice = parts[i].begin;
      device.slices = parts[i].size();
      device.busy = done.spent.computing / report_.seconds;
      device.exchange_seconds = done.spent.exchanging;
      device.updates_per_second = done.updates / report_.seconds;
    }
  }

  // Stretches end where somebody looks: the convergence test, the balance.
  void iterate(ShareRun<T>& run) {
    const std::uint64_t total = options_.iterations;
    std::uint64_t done = 0, stretch = 0;
    double stretch_seconds = 0;
    std::vector<double> computing(workers_.size(), 0);
    while (done < total) {
      std::uint64_t next = total;
      if (director_ && director_->wanted() - stretch < total - done) next = done + (director_->wanted() - stretch);
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
      if (!director_ || stretch < director_->wanted() || done == total) continue;
      for (double& one : computing) one /= static_cast<double>(stretch);
      if (const auto shares = director_->look(stretch, stretch_seconds / static_cast<double>(stretch), computing))
        run.move(*shares);
      stretch = 0;
      stretch_seconds = 0;
      std::fill(computing.begin(), computing.end(), 0);
    }
  }

  Grid<T>& grid_;
  const SolveOptions& options_;
  const Hooks& hooks_;
  RunSettings settings_;
  std::vector<Worker> workers_;
  std::optional<Director> director_;
  Report report_;
};

}  // namespace

template <class T>
Report solve_with(std::span<const Device> devices, Grid<T>& grid, const SolveOptions& options, const Hooks& hooks) {
  check_solve<T>(devices, grid, options);
  return Solver<T>(devices, grid, options, hooks).run();
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
template Report solve<float>(std::span<const Device>, Grid<float>&, const SolveOptions&);
template Report solve<double>(std::span<const Device>, Grid<double>&, const SolveOptions&);

}  // namespace genocl::jacobi
