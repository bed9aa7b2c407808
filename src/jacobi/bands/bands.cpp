#include "jacobi/bands/bands.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>

#include "genocl/error.hpp"
#include "jacobi/bands/bands_memory.hpp"
#include "runtime/device/access.hpp"

#include "jacobi/solve/solve_devices.hpp"
#include "runtime/chunks.hpp"
#include "runtime/memory/host_memory.hpp"

namespace genocl::jacobi {
namespace {

constexpr unsigned bands_in_flight = 2;  // of each device: one is on the bus, one is computed

// What one band in one round comes to.
struct BandDone {
  double change_max = 0;
};

// GPUs alone where there are any: bands are all of one size, and the last one a CPU takes would be waited for.
std::vector<Worker> workers_for_bands(std::span<const Worker> workers) {
  std::uint64_t most = 0;
  bool gpus = false;
  for (const Worker& worker : workers) gpus = gpus || worker.device.info().type != DeviceType::cpu;
  const auto takes_part = [&](const Worker& worker) { return !gpus || worker.device.info().type != DeviceType::cpu; };
  for (const Worker& worker : workers)
    if (takes_part(worker)) most = std::max(most, worker.most);
  std::vector<Worker> chosen;
  for (const Worker& worker : workers)
    if (takes_part(worker) && worker.most >= most / 4) chosen.push_back(worker);
  return chosen;
}

template <class T>
class BandSolver {
 public:
  BandSolver(std::vector<Worker> workers, const RunSettings& settings, const BandPlan& plan, Grid<T>& grid,
             const SolveOptions& options, Report& report)
      : workers_(std::move(workers)),
        settings_(settings),
        plan_(plan),
        grid_(grid),
        options_(options),
        report_(report) {
    for (const Worker& worker : workers_) devices_.push_back(worker.device);
    const std::uint64_t slices = settings.layout.slices;
    for (std::uint64_t first = 0; first < slices; first += plan.slices)
      bands_.push_back({first, std::min(first + plan.slices, slices)});
    slice_cells_ = settings.layout.rows_per_slice * settings.layout.shape.width;
    try {
      work_.resize(grid.cells().size());
    } catch (const std::bad_alloc&) {
      throw CapacityError("a second grid in the host's memory", grid.cells().size_bytes(), 0);
    }
  }

  void run() {
    const std::uint64_t total = options_.iterations;
    std::uint64_t done = 0;
    ask_progress(0, 0);
    while (done < total && !report_.converged) {
      std::uint64_t next = std::min(total, done + plan_.iterations);
      if (options_.tolerance > 0) next = std::min(next, (done / options_.check_every + 1) * options_.check_every);
      const bool check = options_.tolerance > 0 && next % options_.check_every == 0;
      round(done, static_cast<unsigned>(next - done), check || next == total);
      done = next;
      report_.iterations = done;
      if (check || done == total) {
        report_.change = change();
        report_.converged = options_.tolerance > 0 && report_.change->max < options_.tolerance;
      }
    }
    std::copy(work_.begin(), work_.end(), grid_.cells().begin());
  }

  /// The device's part of all that was done.
  double share_of(const Device& device) const {
    const auto mine = slices_done_.find(&runtime::core_of(device));
    const double all = static_cast<double>(settings_.layout.slices) * static_cast<double>(report_.iterations);
    return mine == slices_done_.end() ? 0 : static_cast<double>(mine->second) / all;
  }

 private:
  Part with_ghosts(const Part& band, std::uint64_t ghosts) const {
    return {band.begin - std::min(ghosts, band.begin), std::min(band.end + ghosts, settings_.layout.slices)};
  }
  template <class Cells>
  auto slices(Cells cells, const Part& part) const {
    return cells.subspan(part.begin * slice_cells_, part.size() * slice_cells_);
  }

  // All bands go up and come back once. They come back into their own places, while neighbours may still have to go
  // up: what those need of them is kept before.
  void round(std::uint64_t done, unsigned iterations, bool with_change) {
    const bool first = done == 0;  // then the caller's grid is read, and only read
    std::vector<std::vector<T>> upper(bands_.size()), lower(bands_.size());
    if (!first)
      for (std::size_t b = 0; b < bands_.size(); ++b) {
        const Part wide = with_ghosts(bands_[b], iterations);
        const auto above = slices(std::span<const T>(work_), {wide.begin, bands_[b].begin});
        const auto below = slices(std::span<const T>(work_), {bands_[b].end, wide.end});
        upper[b].assign(above.begin(), above.end());
        lower[b].assign(below.begin(), below.end());
      }
    if (with_change) squares_.assign(settings_.layout.slices * settings_.layout.rows_per_slice, 0);
    change_max_ = 0;
    std::size_t next = 0, finished = 0;
    runtime::for_each_chunk(
        devices_,
        [&]() -> std::optional<std::size_t> { return next < bands_.size() ? std::optional(next++) : std::nullopt; },
        [&](const Device& device, std::size_t b) {
          const auto memory = take_memory(device);
          const Part wide = with_ghosts(bands_[b], iterations);
          memory->place(wide);
          if (first) {
            memory->upload(slices(std::span<const T>(grid_.cells()), wide), wide.begin);
          } else {
            memory->upload(upper[b], wide.begin);
            memory->upload(slices(std::span<const T>(work_), bands_[b]), bands_[b].begin);
            memory->upload(lower[b], bands_[b].end);
          }
          BandDone band;
          band.change_max =
              static_cast<double>(memory->iterate(bands_[b], iterations, with_change ? &squares_ : nullptr));
          memory->download(bands_[b], slices(std::span<T>(work_), bands_[b]));
          give_back(memory, bands_[b].size() * iterations);
          return band;
        },
        [&](BandDone&& band) {
          change_max_ = std::max(change_max_, band.change_max);
          ask_progress(done, static_cast<double>(iterations) * static_cast<double>(++finished) /
                                 static_cast<double>(bands_.size()));
          return std::uint64_t{1};
        },
        {.workers_per_device = bands_in_flight, .progress = {}});
  }

  Change change() const {
    double sum = 0;
    for (const double square : squares_) sum += square;
    return {change_max_, std::sqrt(sum)};
  }

  void ask_progress(std::uint64_t done, double more) {
    if (!options_.progress) return;
    const double iterations = static_cast<double>(done) + more;
    const ProgressState state{iterations / static_cast<double>(options_.iterations),
                              static_cast<std::uint64_t>(iterations), options_.iterations};
    if (!options_.progress(state)) throw Cancelled();
  }

  // Memory of a device that no other band uses now.
  std::shared_ptr<BandMemory<T>> take_memory(const Device& device) {
    const std::lock_guard lock(mutex_);
    auto& free = free_[&runtime::core_of(device)];
    if (!free.empty()) {
      auto memory = free.back();
      free.pop_back();
      return memory;
    }
    for (const Worker& worker : workers_)
      if (&runtime::core_of(worker.device) == &runtime::core_of(device))
        return std::make_shared<BandMemory<T>>(worker.device, worker.plan, settings_,
                                               plan_.slices + 2 * std::uint64_t{plan_.iterations});
    throw Error("a band on a device that takes no part");
  }
  void give_back(const std::shared_ptr<BandMemory<T>>& memory, std::uint64_t slices_done) {
    const std::lock_guard lock(mutex_);
    slices_done_[&runtime::core_of(memory->device())] += slices_done;
    free_[&runtime::core_of(memory->device())].push_back(memory);
  }

  std::vector<Worker> workers_;
  std::vector<Device> devices_;
  RunSettings settings_;
  BandPlan plan_;
  Grid<T>& grid_;
  const SolveOptions& options_;
  Report& report_;
  std::vector<Part> bands_;
  std::uint64_t slice_cells_ = 0;
  std::vector<T> work_;
  std::vector<double> squares_;
  double change_max_ = 0;
  std::mutex mutex_;
  std::map<const void*, std::vector<std::shared_ptr<BandMemory<T>>>> free_;
  std::map<const void*, std::uint64_t> slices_done_;  // times iterations
};

}  // namespace

BandPlan plan_bands(const Layout& layout, std::size_t element, std::uint64_t most, unsigned exchange_every,
                    unsigned levels) {
  const std::uint64_t held = most / bands_in_flight;
  BandPlan plan;
  // What goes over the bus is shared by the iterations of a round; the ghosts are computed in vain. With a
  // tenth of them on each side an eighth more cells are computed than without.
  if (exchange_every != 0) {
    plan.iterations = exchange_every;
  } else {
    const std::uint64_t sweeps = std::max<std::uint64_t>(1, held / 10 / levels);
    plan.iterations = static_cast<unsigned>(std::min<std::uint64_t>(sweeps * levels, 4096));
    while (plan.iterations > 1 && held <= 2 * std::uint64_t{plan.iterations}) plan.iterations /= 2;
  }
  const std::uint64_t least = 2 * std::uint64_t{plan.iterations} + 1;
  if (held < least)
    throw CapacityError("a band of one slice with the ghosts of " + std::to_string(plan.iterations) + " iterations",
                        bands_in_flight * least * layout.slice() * 2 * element, most * layout.slice() * 2 * element);
  plan.slices = std::min(held - 2 * plan.iterations, layout.slices);
  const std::uint64_t bands = (layout.slices + plan.slices - 1) / plan.slices;
  plan.slices = (layout.slices + bands - 1) / bands;
  return plan;
}

template <class T>
void solve_in_bands(std::span<const Worker> workers, const RunSettings& settings, Grid<T>& grid,
                    const SolveOptions& options, const Hooks& hooks, Report& report) {
  std::vector<Worker> chosen = workers_for_bands(workers);
  const std::uint64_t host = host_memory(hooks), second = second_grid(grid.cells().size_bytes());
  runtime::check_host_memory("a second grid of " + grid.shape().text() + " cells, which goes through devices in bands,",
                             second, host);
  std::vector<Device> devices;
  for (const Worker& worker : chosen) devices.push_back(worker.device);
  // The bands of some come out of what is then left.
  const std::size_t sharing = std::max<std::size_t>(1, devices_on_host(devices));
  const std::uint64_t cells = settings.cell_bytes(sizeof(T));
  for (Worker& worker : chosen)
    if (worker.device.info().host_unified_memory)
      worker.most = std::min(worker.most, most_of_host(host - second) / sharing / (settings.layout.slice() * cells));
  std::uint64_t most = chosen.front().most;
  unsigned levels = 1;
  for (const Worker& worker : chosen) {
    most = std::min(most, worker.most);
    levels = std::max(levels, worker.plan.levels);
  }
  const BandPlan plan = plan_bands(settings.layout, sizeof(T), most, options.exchange_every, levels);
  report.decisions.push_back("the grid is larger than the devices' memory: bands of " + std::to_string(plan.slices) +
                             " slices go through them for " + std::to_string(plan.iterations) +
                             " iterations at a time");
  const double start = now();
  BandSolver<T> solver(chosen, settings, plan, grid, options, report);
  solver.run();
  report.seconds += now() - start;
  const double updates = static_cast<double>(settings.layout.changing()) * static_cast<double>(report.iterations);
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const double share = solver.share_of(workers[i].device);
    report.devices[i].used = share > 0;
    report.devices[i].updates_per_second = share * updates / report.seconds;
  }
}

template void solve_in_bands(std::span<const Worker>, const RunSettings&, Grid<float>&, const SolveOptions&,
                             const Hooks&, Report&);
template void solve_in_bands(std::span<const Worker>, const RunSettings&, Grid<double>&, const SolveOptions&,
                             const Hooks&, Report&);

}  // namespace genocl::jacobi
