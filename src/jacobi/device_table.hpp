// The devices of a run: their table over all processes, their memory, and their measured speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/jacobi/solve.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/process_group.hpp"
#include "jacobi/sweep.hpp"

namespace genocl::jacobi {

/// The number of slices of each device; 0: the device takes no part.
using PartitionSizes = std::vector<std::uint64_t>;

/// One iteration takes fixed + slice * slices seconds.
struct DeviceSpeed {
  double fixed = 0, slice = 0;

  double seconds(double slices) const noexcept { return fixed + slice * slices; }
};

/// The line through two measurements, corrected so that neither part is negative and a slice takes some time.
DeviceSpeed fit_speed(double slices1, double seconds1, double slices2, double seconds2);

/// Replaces the error of a device, so that the others can take over.
struct DeviceFailed {
  std::size_t device;        ///< its index in the run
  std::exception_ptr error;  ///< the DeviceError that it threw
  std::string what;
};

/// Calls what() and rethrows DeviceError as DeviceFailed of that device, except BuildError.
template <class Do>
decltype(auto) attribute_errors(std::size_t device, Do&& what) {
  try {
    return std::forward<Do>(what)();
  } catch (const BuildError&) {
    throw;
  } catch (const DeviceError& error) {
    throw DeviceFailed{device, std::current_exception(), error.what()};
  }
}

struct Hooks {
  /// The form of bands on a single device.
  enum class Bands : std::uint8_t { automatic, with_halo, skewed };
  std::uint64_t memory = 0;       ///< bytes of a device; 0: as it has
  std::uint64_t host_memory = 0;  ///< available bytes of the host; 0: as it has
  /// Simulated seconds of a slice on each device in each iteration; replaces measuring.
  std::vector<double> slice_seconds;
  /// Called by each device's thread before the iterations of an exchange (at intervals without exchanges) and before a
  /// band is uploaded; may throw. `device`: the index among those given to the run.
  std::function<void(std::size_t device, std::uint64_t iteration)> fail_at;
  /// Called before cells are transferred to or from a device, except by exchanges; may throw. Not with several
  /// processes.
  std::function<void(std::size_t device)> fail_transfer;
  Bands bands = Bands::automatic;
  bool has_double = true;  ///< false: compute sums of squares as devices without double do
  double short_run = -1;   ///< seconds of a run that is too short to measure; below 0: the default
};

/// A device of this process, with its plan.
struct RunDevice {
  Device device;
  Plan plan;
  std::uint64_t max_slices = 0;  ///< slices that its memory holds, halo included
};

/// The properties of a device that all processes know.
struct DeviceEntry {
  std::string name;
  std::string machine;    ///< its machine; empty in a run of one process
  std::size_t index = 0;  ///< DeviceInfo::index on that machine
  std::size_t process = 0;
  DeviceType type = DeviceType::other;
  Kernel kernel = Kernel::automatic;
  unsigned fused_steps = 1;
  std::uint64_t max_slices = 0;  ///< slices that its memory holds, halo included
  double updates = 0;            ///< a second, guessed
};

/// Devices in the order of their partitions: by process, then as given.
struct DeviceTable {
  std::vector<DeviceEntry> entries;
  std::size_t first = 0, own = 0;     ///< this process's are [first, first + own)
  ProcessGroup* processes = nullptr;  ///< null: one process

  std::size_t size() const noexcept { return entries.size(); }
  bool is_root() const { return processes == nullptr || processes->rank() == 0; }
  bool has(std::size_t entry) const noexcept { return entry >= first && entry < first + own; }
  const DeviceEntry& operator[](std::size_t i) const { return entries[i]; }
};

/// Collective. `element`: sizeof(T).
DeviceTable make_device_table(std::span<const RunDevice> run_devices, std::size_t element, ProcessGroup* processes);

/// The CPU with `cores` fewer compute units, in a separate context. Its launches are recorded in the profile of `cpu`
/// if profiling is enabled. Returns `cpu` if that is not possible. Host threads of other devices need cores: a CPU that
/// used all of them slowed an H200 down by 40 %.
Device reserve_cores(const Device& cpu, std::uint32_t cores);

/// Each device with its plan. CPUs leave one core for each other device.
std::vector<RunDevice> make_run_devices(Devices devices, const RunSettings& settings, std::size_t element,
                                        const SolveOptions& options, const Hooks& hooks);

/// Bytes of a device that a run may use. `host`: available bytes of the host, divided among `sharing` devices that use
/// its memory.
std::uint64_t usable_memory(const Device& device, const Hooks& hooks, std::uint64_t host, std::size_t sharing);
/// Available bytes of the host.
std::uint64_t host_memory(const Hooks& hooks);
/// The number of devices that use the host's memory.
std::size_t devices_on_host(Devices devices);
/// Bytes of the host that a run may use, of `host` available ones.
std::uint64_t usable_host_memory(std::uint64_t host);

/// The fastest halo depth: an exchange costs about as much as some slices computed twice. `smallest`: slices of the
/// smallest partition. `element`: sizeof(T).
unsigned choose_halo_depth(const DeviceTable& table, const Layout& layout, std::uint64_t smallest, std::size_t element);

/// Seconds of an exchange that are not hidden.
inline constexpr double exchange_seconds = 40e-6;
/// Between CPUs, whose threads compete with the host's for the cores.
inline constexpr double cpu_exchange_seconds = 4e-3;
/// Between processes of one machine: two more copies in host memory.
inline constexpr double shared_exchange_seconds = 80e-6;
/// Of each byte: two copies at 20 GB/s, a download and an upload at 50 GB/s. Hidden by the sweep before the exchange.
inline constexpr double shared_byte_seconds = 2 / 20e9 + 2 / 50e9;
/// Between machines: two more copies, and the network.
inline constexpr double process_exchange_seconds = 200e-6;
double exchange_seconds_of(const ProcessGroup* processes);

struct MeasuredSpeed {
  DeviceSpeed speed;
  double seconds = 0;  ///< of the measurement, without compiling
};

/// Times sweeps over two numbers of slices on its own memory; takes some milliseconds. `max_slices`: limit of the
/// slices allocated. Compiles the sweeps of `steps` first.
template <class T>
MeasuredSpeed measure_speed(const Device& device, const Plan& plan, const RunSettings& settings, std::uint64_t most,
                            const FusedStepSet& all_fused_steps);

/// Estimated cells per second, from the tuning of the device: to decide whether measuring pays. `element`: sizeof(T).
double guessed_updates(const Device& device, std::size_t element);

}  // namespace genocl::jacobi
