// Whole runs of jacobi::solve: rates are Report's, point updates a second without the first upload and the last
// download. What the balance decided goes to stderr.
//
//   one         the chosen device
//   all         every device there is, balanced automatically
//   gpus        all GPUs, equal partitions (several of them only)
//   gpus-auto   all GPUs, balanced automatically
//   published   the published kernels (`local` on GPUs, `blocked` on others) with an exchange for each iteration, on
//               equal parts of the GPUs, or on the chosen device
//   in-bands    a grid larger than the memory that the run may take of the chosen device
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <utility>

#include "bench/bench.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/solve_with.hpp"
#include "jacobi/solver.hpp"
#include "random.hpp"

namespace genocl_bench {
namespace {

using genocl::Device;
using namespace genocl::jacobi;
using genocl_test::solve_with;

struct Run {
  std::string name;
  std::function<std::vector<Device>()> devices;
  Shape shape;
  double seconds = 3;  ///< about so long a run on the chosen device, by a guess of its speed
  SolveOptions options;
  Hooks hooks;
};

// Random, as equal numbers let a GPU clock higher than it does at work.
template <class T>
Grid<T> random_grid(const Shape& shape) {
  Grid<T> grid(shape);
  genocl_test::Random random(1);
  std::vector<T> block(std::min<std::uint64_t>(shape.cells(), 1 << 20));
  for (T& cell : block) cell = static_cast<T>(random.between(0, 2));
  const std::span<T> cells = grid.cells();
  for (std::size_t i = 0; i < cells.size(); i += block.size())
    std::copy_n(block.begin(), std::min(block.size(), cells.size() - i),
                cells.begin() + static_cast<std::ptrdiff_t>(i));
  return grid;
}

template <class T>
void add_run(const Device& chosen, Run run) {
  if (sizeof(T) == 8 && !chosen.info().fp64) return;
  const double wanted = run.seconds * guessed_updates(chosen, sizeof(T)) / static_cast<double>(run.shape.interior());
  run.options.iterations = 48 * static_cast<std::uint64_t>(std::clamp(wanted / 48, 1.0, 1e5));
  const std::string name =
      "jacobi/solve/" + run.name + "/" + (sizeof(T) == 8 ? "double" : "float") + "/" + run.shape.text();
  const auto once = [run, name](benchmark::State& state) {
    Grid<T> grid = random_grid<T>(run.shape);
    const std::vector<Device> devices = run.devices();
    SolveOptions warm = run.options;  // compiles
    warm.iterations = 48;
    solve_with<T>(devices, grid, warm, run.hooks);
    for (auto iteration : state) {
      (void)iteration;
      const Report report = solve_with<T>(devices, grid, run.options, run.hooks);
      state.SetIterationTime(report.seconds);
      state.counters["items_per_second"] = report.updates_per_second;
      state.counters["transfer_seconds"] = report.transfer_seconds;
      std::cerr << name << ": " << report.iterations << " iterations in " << report.seconds << " s, transfers "
                << report.transfer_seconds << " s\n";
      for (const std::string& decision : report.decisions) std::cerr << "  " << decision << "\n";
      for (const DeviceReport& device : report.devices)
        if (device.used)
          std::cerr << "  " << device.device << ": " << to_string(device.kernel) << ", " << device.fused_steps
                    << " fused steps, " << device.rows << " rows or planes, busy " << device.busy << ", exchange "
                    << device.exchange_seconds << " s, " << device.updates_per_second * 1e-9 << " G/s\n";
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), once)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(1);
}

}  // namespace

void add_jacobi_solve(const Device& chosen) {
  const auto one = [chosen] { return std::vector<Device>{chosen}; };
  const auto all = [] { return Device::list("all"); };
  const auto gpus = [] { return Device::list("gpu"); };
  const auto available = Device::available();
  const auto gpu_count = std::count_if(available.begin(), available.end(),
                                       [](const auto& info) { return info.type == genocl::DeviceType::gpu; });
  const Shape small{4000, 4000, 1}, large{16384, 16384, 1}, huge{32768, 32768, 1}, is_3d{512, 512, 512};
  const SolveOptions fixed{.balance = Balance::fixed};
  const SolveOptions published{
      .kernels = {.cpu = Kernel::blocked, .gpu = Kernel::local, .accelerator = Kernel::blocked},
      .halo_depth = 1,
      .balance = Balance::fixed};
  for (const Shape& shape : {small, large}) {
    // They take as long as the runs on all devices that they are compared with: a GPU's clock sinks after some seconds.
    const double seconds = available.size() < 2 ? 2 : shape == large ? 20 : 3;
    add_run<double>(chosen, {.name = "one", .devices = one, .shape = shape, .seconds = seconds, .options = fixed});
    add_run<float>(chosen, {.name = "one", .devices = one, .shape = shape, .seconds = seconds, .options = fixed});
    if (available.size() < 2) continue;
    add_run<double>(chosen, {.name = "all", .devices = all, .shape = shape, .seconds = seconds});
    add_run<float>(chosen, {.name = "all", .devices = all, .shape = shape, .seconds = seconds});
  }
  add_run<double>(chosen, {.name = "one", .devices = one, .shape = is_3d, .options = fixed});
  add_run<double>(chosen, {.name = "published",
                           .devices = gpu_count > 1 ? std::function<std::vector<Device>()>(gpus) : one,
                           .shape = large,
                           .seconds = 0.5,
                           .options = published});
  const Hooks quarter{.memory = Layout(large).slice() * large.height / 2 * sizeof(double)};
  add_run<double>(
      chosen, {.name = "in-bands", .devices = one, .shape = large, .seconds = 4, .options = fixed, .hooks = quarter});
  if (gpu_count > 0) {
    const Shape thick{1024, 1024, 2048};
    const Hooks some{.memory = Layout(thick).slice() * thick.depth / 2 * sizeof(double)};
    add_run<double>(chosen, {.name = "one", .devices = one, .shape = thick, .options = fixed});
    add_run<double>(
        chosen, {.name = "in-bands", .devices = one, .shape = thick, .seconds = 4, .options = fixed, .hooks = some});
  }
  if (gpu_count < 2) return;
  for (const Shape& shape : {small, large, huge}) {
    if (shape == huge) add_run<double>(chosen, {.name = "one", .devices = one, .shape = shape, .options = fixed});
    add_run<double>(chosen, {.name = "gpus", .devices = gpus, .shape = shape, .options = fixed});
    add_run<double>(chosen, {.name = "gpus-auto", .devices = gpus, .shape = shape});
  }
}

}  // namespace genocl_bench
