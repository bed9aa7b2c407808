#include "jacobi/solve/solve.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/checks.hpp"
#include "jacobi/equation/check.hpp"
#include "jacobi/solve/solve_devices.hpp"
#include "jacobi/solve/solve_run.hpp"

#include "runtime/host_memory.hpp"

namespace genocl::jacobi {
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
