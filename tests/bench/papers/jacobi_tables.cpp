// 004: Contassot-Vivier and Vialle, a hybrid scheme for CPU, MIC and GPU (ParCo 2015).
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/data.hpp"
#include "genocl/jacobi.hpp"
#include "papers.hpp"
#include "reference/jacobi.hpp"

namespace genocl_papers {
namespace {

namespace jacobi = genocl::jacobi;
using genocl::Device;
using jacobi::Grid;
using jacobi::Kernel;
using jacobi::Report;
using jacobi::Shape;

/// The grid and the iterations of the paper: 4000 x 4000 and 2,000.
struct Problem {
  Shape shape;
  std::uint64_t iterations = 0;
  std::string note;
};

Problem problem_of(const Run& run) {
  Problem problem{run.toy() ? Shape{70, 90, 1} : Shape{4000, 4000, 1},
                  run.by_size<std::uint64_t>(24, run.cpu() ? 24 : 2000, 2000), ""};
  problem.note = "Grid: " + problem.shape.text() + ", double, " + count_text(problem.iterations) +
                 " iterations; the paper has 4000x4000 and 2,000.";
  return problem;
}

Grid<double> start_of(const Shape& shape) {
  Grid<double> grid(shape);
  genocl_bench::Drawn drawn(3);
  for (double& cell : grid.cells()) cell = drawn.unit();
  return grid;
}

/// A run on devices; the hash of its cells.
struct Solved {
  Report report;
  std::uint64_t hash = 0;
};

Solved solve(const Run& run, const Problem& problem, std::span<const Device> devices, jacobi::SolveOptions options) {
  Solved solved;
  if (!run.toy()) {  // compiles
    Grid<double> grid = start_of({256, 256, 1});
    jacobi::SolveOptions few = options;
    few.iterations = 4;
    few.cuts.clear();
    jacobi::solve(devices, grid, few);
  }
  Grid<double> grid = start_of(problem.shape);
  options.iterations = problem.iterations;
  solved.report = jacobi::solve(devices, grid, options);
  solved.hash = genocl_reference::hash_of(std::span<const double>(grid.cells()));
  return solved;
}

std::string rate(double updates) { return digits(updates / 1e9); }

std::uint64_t truth_of(const Problem& problem) {
  const Grid<double> grid = start_of(problem.shape);
  const auto cells = genocl_reference::relax<double>(problem.shape, grid.cells(), problem.iterations);
  return genocl_reference::hash_of(std::span<const double>(cells));
}

void table1(Run& run, const Problem& problem, std::uint64_t truth) {
  Table table(run, "table1", "Table 1: each kernel on one device",
              {"kernel", "source", "s", "G updates/s", "paper GPU: G updates/s"});
  const std::vector<std::pair<Kernel, const char*>> kernels = {{Kernel::naive, "paper"},
                                                               {Kernel::local, "paper: Listing 3, GPU"},
                                                               {Kernel::blocked, "paper: CPU, MIC"},
                                                               {Kernel::strip, "genocl"},
                                                               {Kernel::stream, "genocl: default on GPUs"},
                                                               {Kernel::rolling, "genocl: default on CPUs"}};
  for (const auto& [kernel, source] : kernels) {
    jacobi::SolveOptions options;
    options.kernel = kernel;
    options.balance = jacobi::Balance::fixed;
    if (kernel == Kernel::naive || kernel == Kernel::local || kernel == Kernel::blocked) options.halo_depth = 1;
    const Solved solved = solve(run, problem, std::span(&run.device, 1), options);
    const std::string name(to_string(kernel));
    table.row(name,
              {source, digits(solved.report.seconds), rate(solved.report.updates_per_second),
               table.paper(name, "G updates/s")},
              solved.hash == truth);
  }
  for (const unsigned side : {8U, 16U}) {
    jacobi::SolveOptions options;
    options.kernel = Kernel::local;
    options.tile = {side == 8 ? 32U : side, side};
    options.balance = jacobi::Balance::fixed;
    options.halo_depth = 1;
    const Solved solved = solve(run, problem, std::span(&run.device, 1), options);
    const std::string name = "local, tile " + std::to_string(options.tile.columns) + "x" + std::to_string(side);
    table.row(name,
              {"paper: Listing 3, BSX x BSY", digits(solved.report.seconds), rate(solved.report.updates_per_second),
               table.paper(name, "G updates/s")},
              solved.hash == truth);
  }
  table.note(problem.note + " All kernels compute the bits of the scalar loop.");
}

/// The devices of a hybrid run: all of the system; the chosen one twice if there is no other.
std::vector<Device> hybrid_devices(const Run& run) {
  std::vector<Device> devices = Device::list("all");
  if (devices.size() < 2) devices = {run.device.with_own_queue(), run.device.with_own_queue()};
  return devices;
}

/// Listing 3 on GPUs, the loop that blocks columns on the CPU and the MIC.
constexpr jacobi::KernelsByType published_kernels{
    .cpu = Kernel::blocked, .gpu = Kernel::local, .accelerator = Kernel::blocked};

void table2(Run& run, const Problem& problem, std::uint64_t truth) {
  const std::vector<Device> devices = hybrid_devices(run);
  Table table(run, "table2", "Table 2: partitions by fixed cuts, published kernels, an exchange for each iteration",
              {"rows of the first device", "s", "G updates/s", "rate of each device", "paper: G updates/s"});
  const std::uint64_t height = problem.shape.height;
  for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9}) {
    jacobi::SolveOptions options;
    options.halo_depth = 1;
    options.balance = jacobi::Balance::fixed;
    options.kernels = published_kernels;
    std::vector<Device> two(devices.begin(), devices.begin() + 2);
    const auto first = static_cast<std::uint64_t>(std::llround(share * static_cast<double>(height)));
    options.cuts = {first};
    const Solved solved = solve(run, problem, two, options);
    std::string rates;
    for (const jacobi::DeviceReport& device : solved.report.devices)
      rates += (rates.empty() ? "" : ", ") + rate(device.updates_per_second);
    const std::string name = digits(100 * share) + "%";
    table.row(name,
              {digits(solved.report.seconds), rate(solved.report.updates_per_second), rates,
               table.paper(name, "G updates/s")},
              solved.hash == truth);
  }
  table.note("Devices: " + devices[0].info().name + " and " + devices[1].info().name +
             (Device::list("all").size() < 2 ? " (the same device twice)." : "."));
}

void table3(Run& run, const Problem& problem, std::uint64_t truth) {
  const std::vector<Device> devices = hybrid_devices(run);
  Table table(run, "table3", "Table 3: one device, and several together",
              {"devices", "s", "G updates/s", "paper: G updates/s"});
  const auto add = [&](const std::string& name, std::span<const Device> chosen, const jacobi::SolveOptions& options) {
    const Solved solved = solve(run, problem, chosen, options);
    table.row(name,
              {digits(solved.report.seconds), rate(solved.report.updates_per_second), table.paper(name, "G updates/s")},
              solved.hash == truth);
  };
  jacobi::SolveOptions published;
  published.halo_depth = 1;
  published.balance = jacobi::Balance::fixed;
  published.kernels = published_kernels;
  add("published, one device", std::span(&run.device, 1), published);
  add("published, all devices, equal parts", devices, published);
  published.overlap = false;
  add("published, all devices, without overlap", devices, published);
  jacobi::SolveOptions best;
  add("default, one device", std::span(&run.device, 1), best);
  add("default, all devices", devices, best);
  table.note("The paper's rows are not on record: the combinations here are those that its text names. " +
             problem.note);
}

}  // namespace

void print_jacobi(Run& run) {
  const Problem problem = problem_of(run);
  if (!run.device.info().fp64) {
    Table table(run, "table1", "Tables 1 to 3", {"device", "reason"});
    table.note_row(run.device.info().name, {"no double precision"});
    return;
  }
  const std::uint64_t truth = truth_of(problem);
  table1(run, problem, truth);
  table2(run, problem, truth);
  table3(run, problem, truth);
}

}  // namespace genocl_papers
