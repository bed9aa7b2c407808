#include "jacobi/solve/solve_devices.hpp"

#include <algorithm>
#include <cmath>

#include "genocl/opencl.hpp"
#include "jacobi/balance/balance_measure.hpp"
#include "runtime/access.hpp"
#include "runtime/check.hpp"
#include "runtime/device_core.hpp"
#include "runtime/host_memory.hpp"

namespace genocl::jacobi {

Device without_cores(const Device& cpu, std::uint32_t cores) {
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
    runtime::core_of(less).record_for(cpu);  // whom the caller will ask
  }
  return less;
}

std::uint64_t host_memory(const Hooks& hooks) {
  return hooks.host_memory != 0 ? hooks.host_memory : runtime::available_host_memory();
}

std::size_t devices_on_host(std::span<const Device> devices) {
  return static_cast<std::size_t>(std::count_if(
      devices.begin(), devices.end(), [](const Device& device) { return device.info().host_unified_memory; }));
}

std::uint64_t most_of_host(std::uint64_t host) { return host / 10 * 9; }

std::uint64_t usable_memory(const Device& device, const Hooks& hooks, std::uint64_t host, std::size_t sharing) {
  if (hooks.memory != 0) return hooks.memory;
  const std::uint64_t free = runtime::core_of(device).free_memory();
  // A CPU's memory holds the caller's grid too, and the rest of the machine. What the driver says is all that there is,
  // whoever has it.
  if (device.info().host_unified_memory)
    return std::min(free / 10 * 6, most_of_host(host) / std::max<std::size_t>(sharing, 1));
  // Of a device with little memory (Oclgrind says 128 MiB) staging must leave some.
  const std::uint64_t staging = std::min(std::uint64_t{256} << 20, free / 4);
  return free / 100 * 95 - std::min(free / 100 * 95, staging);
}

std::vector<Worker> make_workers(std::span<const Device> devices, const RunSettings& settings, std::size_t element,
                                 const SolveOptions& options, const Hooks& hooks) {
  const Layout& layout = settings.layout;
  const auto others = static_cast<std::uint32_t>(std::count_if(
      devices.begin(), devices.end(), [](const Device& device) { return device.info().type != DeviceType::cpu; }));
  std::vector<Worker> workers;
  const std::uint64_t host = host_memory(hooks);
  const std::size_t sharing = devices_on_host(devices);
  for (const Device& given : devices) {
    const Device device = given.info().type == DeviceType::cpu ? without_cores(given, others) : given;
    std::uint64_t most_levels = options.exchange_every;
    // In a ring ghosts go round once at most.
    if (layout.ring) most_levels = std::min(most_levels != 0 ? most_levels : layout.slices, layout.slices);
    Worker worker{device,
                  choose_plan(device, layout, element, options.kernel, static_cast<unsigned>(most_levels),
                              settings.formula.source),
                  0};
    worker.most =
        std::min(usable_memory(device, hooks, host, sharing) / (layout.slice() * settings.cell_bytes(element)),
                 device.info().max_allocation / (layout.slice() * element));
    workers.push_back(std::move(worker));
  }
  return workers;
}

unsigned choose_exchange_every(const Roster& roster, const Layout& layout, std::uint64_t smallest) {
  unsigned levels = 1;
  double updates = 1;  // a second, of the fastest
  bool cpus = true;
  for (const Member& member : roster.members) {
    cpus = cpus && member.type == DeviceType::cpu;
    if (member.updates <= updates) continue;
    updates = member.updates;
    levels = member.levels;  // whole sweeps for the fastest one
  }
  const double slice = static_cast<double>(layout.rows_per_slice * layout.shape.width) / updates;
  // In each iteration `best` - levels slices are computed twice. So exchange / best + slice * best is to be least.
  const double best = std::sqrt((cpus                          ? cpu_exchange_seconds
                                 : roster.processes != nullptr ? process_exchange_seconds
                                                               : exchange_seconds) /
                                slice);
  const double sweeps = std::clamp(std::round(best / levels), 1.0, 8.0);
  const auto rows = static_cast<double>(smallest);
  const double few = std::min(sweeps * levels, std::max<double>(levels, rows / 8));
  return static_cast<unsigned>(std::max(1.0, std::min(few, rows / 2)));
}

}  // namespace genocl::jacobi
