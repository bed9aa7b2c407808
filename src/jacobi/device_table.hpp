// All devices of a run, those of other processes too.
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
#include "jacobi/balance.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/process_gpu.hpp"
#include "jacobi/sweep.hpp"

namespace genocl::jacobi {

// Tells which device of a run has failed, so that the others can go on.

struct DeviceFailed {
  std::size_t device;        ///< its number in the run
  std::exception_ptr error;  ///< what it threw, a DeviceError
  std::string what;
};

/// Does something on a device. What OpenCL refuses there is thrown as DeviceFailed; everything else is no device's
/// fault, nor is a kernel that does not compile.
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
  /// Of a grid that goes through one device in bands.
  enum class Bands : std::uint8_t { automatic, with_halo, skewed };
  std::uint64_t memory = 0;       ///< bytes that a device may take; 0: what it has
  std::uint64_t host_memory = 0;  ///< bytes that the host still has; 0: what it has
  /// What a slice takes on each device in each iteration, on a clock that is played. Nothing is measured then.
  std::vector<double> slice_seconds;
  /// Called by each device's thread before the iterations between two exchanges, or now and then where there are none,
  /// and before a band goes up; may throw. Devices have their numbers among those given.
  std::function<void(std::size_t device, std::uint64_t iteration)> fail_at;
  /// Called before cells come to a device or leave it, but for exchanges; may throw. Not by several processes.
  std::function<void(std::size_t device)> fail_transfer;
  Bands bands = Bands::automatic;
  bool has_double = true;  ///< false: sums of squares as on devices without double
  double short_run = -1;   ///< seconds of a run that are not worth measuring; below 0: the default
};

/// What a device and its plan are in a run.
struct RunDevice {
  Device device;
  Plan plan;
  std::uint64_t max_slices = 0;  ///< slices that its memory holds, ghosts included
};

/// What everybody knows of a device.
struct DeviceEntry {
  std::string name;
  std::string machine;    ///< where it is; empty in a run of one process
  std::size_t index = 0;  ///< there, as DeviceInfo has it
  std::size_t process = 0;
  DeviceType type = DeviceType::other;
  Kernel kernel = Kernel::automatic;
  unsigned fused_steps = 1;
  std::uint64_t max_slices = 0;  ///< slices that its memory holds, ghosts included
  double updates = 0;            ///< a second, guessed
};

/// Devices have the order of their shares: process after process, in each as it was given them.
struct DeviceTable {
  std::vector<DeviceEntry> entries;
  std::size_t first = 0, own = 0;     ///< this process's are [first, first + own)
  ProcessGroup* processes = nullptr;  ///< null: this one alone

  std::size_t size() const noexcept { return entries.size(); }
  bool is_root() const { return processes == nullptr || processes->rank() == 0; }
  bool has(std::size_t entry) const noexcept { return entry >= first && entry < first + own; }
  const DeviceEntry& operator[](std::size_t i) const { return entries[i]; }
};

/// Collective. `element`: sizeof(T).
DeviceTable make_device_table(std::span<const RunDevice> run_devices, std::size_t element, ProcessGroup* processes);

// The devices of a run: what their memory holds, and a CPU that leaves cores to the others.

/// The same CPU with so many compute units less, in a context of its own, and what runs on it counted in the profile of
/// `cpu` where that one has profiling on; itself where that cannot be had. Host threads
/// of other devices need cores: with all of them taken, a CPU has cost an H200 40 % of its speed.
Device reserve_cores(const Device& cpu, std::uint32_t cores);

/// Every device with its plan; CPUs beside others leave a core to each of those.
std::vector<RunDevice> make_run_devices(std::span<const Device> devices, const RunSettings& settings,
                                        std::size_t element, const SolveOptions& options, const Hooks& hooks);

/// Bytes that a run may take of a device. `host`: what the host still has, for devices that take theirs of it, of which
/// there are so many (`sharing`).
std::uint64_t usable_memory(const Device& device, const Hooks& hooks, std::uint64_t host, std::size_t sharing);
/// Bytes that the host still has.
std::uint64_t host_memory(const Hooks& hooks);
/// Devices whose memory is the host's.
std::size_t devices_on_host(std::span<const Device> devices);
/// What a run may take of the `host` bytes that the host still has: the rest is for others.
std::uint64_t usable_host_memory(std::uint64_t host);

/// Iterations between exchanges that cost least: an exchange costs about as much as some slices computed twice.
/// `smallest`: slices of the smallest share.
unsigned choose_halo_depth(const DeviceTable& table, const Layout& layout, std::uint64_t smallest);

/// What an exchange costs that nothing hides, in seconds.
inline constexpr double exchange_seconds = 40e-6;
/// Between CPUs: their threads, the host's and those of other programs take turns on the same cores.
inline constexpr double cpu_exchange_seconds = 4e-3;
/// Between processes: two hops more, and the network.
inline constexpr double process_exchange_seconds = 200e-6;

// What the balance is told of a device.

struct MeasuredSpeed {
  DeviceSpeed speed;
  double seconds = 0;  ///< that the measuring took, without compiling
};

/// Times sweeps over two numbers of slices, on memory of its own: some milliseconds. `most`: slices that may be taken.
/// Compiles sweeps of `all_fused_steps` on the way.
template <class T>
MeasuredSpeed measure_speed(const Device& device, const Plan& plan, const RunSettings& settings, std::uint64_t most,
                            const FusedStepSet& all_fused_steps);

/// Cells a second, guessed from its tuning: to decide whether measuring pays at all.
double guessed_updates(const Device& device, std::size_t element);

extern template MeasuredSpeed measure_speed<float>(const Device&, const Plan&, const RunSettings&, std::uint64_t,
                                                   const FusedStepSet&);
extern template MeasuredSpeed measure_speed<double>(const Device&, const Plan&, const RunSettings&, std::uint64_t,
                                                    const FusedStepSet&);

}  // namespace genocl::jacobi
