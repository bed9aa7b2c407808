#include "jacobi/device_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "genocl/opencl.hpp"
#include "jacobi/partitioned_solver.hpp"
#include "jacobi/sweep.hpp"
#include "runtime/access.hpp"
#include "runtime/check.hpp"
#include "runtime/device_core.hpp"
#include "runtime/host_memory.hpp"

namespace genocl::jacobi {

Device reserve_cores(const Device& cpu, std::uint32_t cores) {
  const std::uint32_t units = cpu.info().compute_units;
  if (cores == 0 || units <= cores) return cpu;
  const cl_device_partition_property wanted[] = {CL_DEVICE_PARTITION_BY_COUNTS,
                                                 static_cast<cl_device_partition_property>(units - cores),
                                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id part = nullptr;
  if (clCreateSubDevices(cpu.opencl_device()(), wanted, 1, &part, nullptr) != CL_SUCCESS) return cpu;
  const cl::Device device(part);
  cl_int code = CL_SUCCESS;
  const cl::Context context(clCreateContext(nullptr, 1, &part, nullptr, nullptr, &code));
  if (code != CL_SUCCESS) return cpu;
  const bool profiling = runtime::queue_of(cpu).profiling();
  const cl::CommandQueue queue(clCreateCommandQueue(context(), part, profiling ? CL_QUEUE_PROFILING_ENABLE : 0, &code));
  if (code != CL_SUCCESS) return cpu;
  Device less = Device(queue).with_tuning(cpu.tuning());
  if (!cpu.vendor_paths()) less = less.without_vendor_paths();
  if (profiling) {
    less.enable_profiling();
    runtime::core_of(less).record_for(cpu);  // the caller reads the profile of the original
  }
  return less;
}

std::uint64_t host_memory(const Hooks& hooks) {
  return hooks.host_memory != 0 ? hooks.host_memory : runtime::available_host_memory();
}

std::size_t devices_on_host(Devices devices) {
  return static_cast<std::size_t>(std::count_if(
      devices.begin(), devices.end(), [](const Device& device) { return device.info().host_unified_memory; }));
}

std::uint64_t usable_host_memory(std::uint64_t host) { return host / 10 * 9; }

std::uint64_t usable_memory(const Device& device, const Hooks& hooks, std::uint64_t host, std::size_t sharing) {
  if (hooks.memory != 0) return hooks.memory;
  const std::uint64_t free = runtime::core_of(device).free_memory();
  // A CPU's memory also holds the caller's grid and other programs. The driver reports the total memory, not the free
  // one.
  if (device.info().host_unified_memory)
    return std::min(free / 10 * 6, usable_host_memory(host) / std::max<std::size_t>(sharing, 1));
  // A device with little memory (Oclgrind: 128 MiB) needs some for staging.
  const std::uint64_t staging = std::min(std::uint64_t{256} << 20, free / 4);
  return free / 100 * 95 - std::min(free / 100 * 95, staging);
}

std::vector<RunDevice> make_run_devices(Devices devices, const RunSettings& settings, std::size_t element,
                                        const SolveOptions& options, const Hooks& hooks) {
  const Layout& layout = settings.layout;
  const auto others = static_cast<std::uint32_t>(std::count_if(
      devices.begin(), devices.end(), [](const Device& device) { return device.info().type != DeviceType::cpu; }));
  std::vector<RunDevice> run_devices;
  const std::uint64_t host = host_memory(hooks);
  const std::size_t sharing = devices_on_host(devices);
  for (const Device& given : devices) {
    const Device device = given.info().type == DeviceType::cpu ? reserve_cores(given, others) : given;
    std::uint64_t max_fused_steps = options.halo_depth;
    // In a ring a halo contains each slice once at most.
    if (layout.ring) max_fused_steps = std::min(max_fused_steps != 0 ? max_fused_steps : layout.slices, layout.slices);
    RunDevice run_device{device,
                         choose_plan(device, layout, element, options.kernels.of(device.info().type, options.kernel),
                                     static_cast<unsigned>(max_fused_steps), settings.formula, options.tile),
                         0};
    run_device.max_slices =
        std::min(usable_memory(device, hooks, host, sharing) / (layout.slice() * settings.cell_bytes(element)),
                 device.info().max_allocation / (layout.slice() * element));
    run_devices.push_back(std::move(run_device));
  }
  return run_devices;
}

double exchange_seconds_of(const ProcessGroup* processes) {
  if (processes == nullptr) return exchange_seconds;
  return processes->machine_size() == processes->size() ? shared_exchange_seconds : process_exchange_seconds;
}

unsigned choose_halo_depth(const DeviceTable& table, const Layout& layout, std::uint64_t smallest,
                           std::size_t element) {
  unsigned fused_steps = 1;
  double updates = 1;  // cells per second of the fastest device
  bool cpus = true;
  for (const DeviceEntry& entry : table.entries) {
    cpus = cpus && entry.type == DeviceType::cpu;
    if (entry.updates <= updates) continue;
    updates = entry.updates;
    fused_steps = entry.fused_steps;  // a multiple of the fastest device's fused steps
  }
  const double slice = static_cast<double>(layout.rows_per_slice * layout.shape.width) / updates;
  // In each iteration about `best` - fused_steps slices are computed twice: minimise exchange / best + slice * best.
  const double best = std::sqrt((cpus ? cpu_exchange_seconds : exchange_seconds_of(table.processes)) / slice);
  constexpr double max_sweeps = 8;
  double sweeps = std::clamp(std::round(best / fused_steps), 1.0, max_sweeps);
  const auto rows = static_cast<double>(smallest);
  if (!cpus && table.processes != nullptr && exchange_seconds_of(table.processes) == shared_exchange_seconds) {
    // Two H200, 8192 x 8192 doubles: with 8 sweeps of 12 iterations the copies took 0.34 of the time, and one sweep
    // hides only a part of them.
    const double halo_seconds = static_cast<double>(layout.slice() * element) * shared_byte_seconds;
    const double hidden = 0.7 * fused_steps * rows * slice;
    double least = std::numeric_limits<double>::max();
    for (double count = 1; count <= max_sweeps; ++count) {
      const double depth = count * fused_steps, exposed = std::max(0.0, depth * halo_seconds - hidden);
      const double cost = (shared_exchange_seconds + exposed) / depth + slice * depth;
      if (cost >= least) continue;
      least = cost;
      sweeps = count;
    }
  }
  const double few = std::min(sweeps * fused_steps, std::max<double>(fused_steps, rows / 8));
  return static_cast<unsigned>(std::max(1.0, std::min(few, rows / 2)));
}

namespace {

/// The trivially copyable members of DeviceEntry.
struct Figures {
  std::uint64_t index = 0, process = 0, max_slices = 0, name_bytes = 0, machine_bytes = 0;
  double updates = 0;
  DeviceType type = DeviceType::other;
  Kernel kernel = Kernel::automatic;
  unsigned fused_steps = 1;
};
static_assert(std::is_trivially_copyable_v<Figures>);

}  // namespace

DeviceTable make_device_table(std::span<const RunDevice> run_devices, std::size_t element, ProcessGroup* processes) {
  DeviceTable table;
  table.processes = processes;
  table.own = run_devices.size();
  const std::size_t process = processes == nullptr ? 0 : processes->rank();
  const std::string machine = processes == nullptr ? std::string() : processes->machine();
  std::vector<Figures> figures;
  std::string names;
  for (const RunDevice& run_device : run_devices) {
    const DeviceInfo& info = run_device.device.info();
    figures.push_back({.index = info.index,
                       .process = process,
                       .max_slices = run_device.max_slices,
                       .name_bytes = info.name.size(),
                       .machine_bytes = machine.size(),
                       .updates = guessed_updates(run_device.device, element),
                       .type = info.type,
                       .kernel = run_device.plan.kernel,
                       .fused_steps = run_device.plan.fused_steps});
    names += info.name + machine;
  }
  figures = gather_values<Figures>(processes, figures);
  const std::vector<char> all_names = gather_values<char>(processes, names);
  auto at = all_names.begin();
  const auto take = [&](std::uint64_t bytes) {
    const auto begin = at;
    at += static_cast<std::ptrdiff_t>(bytes);
    return std::string(begin, at);
  };
  for (const Figures& one : figures) {
    if (one.process < process) ++table.first;
    DeviceEntry entry;
    entry.name = take(one.name_bytes);
    entry.machine = take(one.machine_bytes);
    entry.index = one.index;
    entry.process = one.process;
    entry.type = one.type;
    entry.kernel = one.kernel;
    entry.fused_steps = one.fused_steps;
    entry.max_slices = one.max_slices;
    entry.updates = one.updates;
    table.entries.push_back(std::move(entry));
  }
  return table;
}

template <class T>
MeasuredSpeed measure_speed(const Device& device, const Plan& plan, const RunSettings& settings, std::uint64_t most,
                            const FusedStepSet& all_fused_steps) {
  constexpr std::uint64_t memory = std::uint64_t{512} << 20;  // of an array
  constexpr double long_enough = 2e-3;                        // of a sweep
  constexpr int repeats = 3;
  Layout layout = settings.layout;
  layout.ring = false;  // without halo
  const std::uint64_t fitting = std::max<std::uint64_t>(memory / (layout.slice() * sizeof(T)), 3 * plan.fused_steps);
  HeldSlices held(layout);
  held.count = std::min({layout.slices, most, fitting});
  const std::uint64_t fused_steps =
      std::min<std::uint64_t>(plan.fused_steps, std::max<std::uint64_t>(1, held.count / 4));
  const std::uint64_t highest = held.count - (held.count == layout.slices ? 0 : fused_steps);
  Array<T> from(device, held.elements()), to(device, held.elements());
  from.fill(T(1));  // a fixed point, without denormal numbers
  held.formula = settings.formula;
  const auto one_everywhere = [](std::uint64_t, std::span<T> cells) { std::fill(cells.begin(), cells.end(), T(1)); };
  load_fields<T>(device, held, held.count, {one_everywhere, one_everywhere});
  if (settings.has_fixed()) {
    held.fixed = Array<std::uint8_t>(device, held.elements());
    held.fixed.fill(0);
  }
  const auto timed = [&](std::uint64_t height) {
    const double start = now();
    sweep(device, plan, held, from, to, 0, height, static_cast<unsigned>(fused_steps));
    device.finish();
    return now() - start;
  };
  std::uint64_t height = std::min<std::uint64_t>(highest, std::max<std::uint64_t>(4 * fused_steps, 64));
  timed(height);  // compiles, allocates pages
  for (const unsigned one : all_fused_steps)
    if (one <= fused_steps) sweep(device, plan, held, from, to, 0, 1, one);
  Array<T> change(device, layout.rows_per_slice);
  Array<double> squares(device, layout.rows_per_slice);
  sweep_with_change(device, held, from, to, 0, 1, change, squares, device.info().fp64);
  device.finish();
  const double start = now();
  while (timed(height) < long_enough && height < highest) height = std::min(4 * height, highest);
  const std::uint64_t low = std::max<std::uint64_t>(1, height / 4);
  double low_seconds = std::numeric_limits<double>::max(), high_seconds = low_seconds;
  for (int i = 0; i < repeats; ++i) {
    low_seconds = std::min(low_seconds, timed(low));
    high_seconds = std::min(high_seconds, timed(height));
  }
  const auto each = static_cast<double>(fused_steps);
  return {fit_speed(static_cast<double>(low), low_seconds / each, static_cast<double>(height), high_seconds / each),
          now() - start};
}

double guessed_updates(const Device& device, std::size_t element) {
  // Float is 1.7 times as fast as double, on an H200 and on a Xeon.
  const double unit = 1e6 * device.tuning().share;
  return unit * std::max(1u, device.info().compute_units) * (element == sizeof(float) ? 1.7 : 1);
}

template MeasuredSpeed measure_speed<float>(const Device&, const Plan&, const RunSettings&, std::uint64_t,
                                            const FusedStepSet&);
template MeasuredSpeed measure_speed<double>(const Device&, const Plan&, const RunSettings&, std::uint64_t,
                                             const FusedStepSet&);

}  // namespace genocl::jacobi
