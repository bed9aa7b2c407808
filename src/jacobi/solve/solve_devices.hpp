// The devices of a run: what their memory holds, and a CPU that leaves cores to the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "jacobi/solve/solve_shares.hpp"

namespace genocl::jacobi {

/// The same CPU with so many compute units less, in a context of its own, and what runs on it counted in the profile of
/// `cpu` where that one has profiling on; itself where that cannot be had. Host threads
/// of other devices need cores: with all of them taken, a CPU has cost an H200 40 % of its speed.
Device without_cores(const Device& cpu, std::uint32_t cores);

/// Every device with its plan; CPUs beside others leave a core to each of those.
std::vector<Worker> make_workers(std::span<const Device> devices, const RunSettings& settings, std::size_t element,
                                 const SolveOptions& options, const Hooks& hooks);

/// Bytes that a run may take of a device. `host`: what the host still has, for devices that take theirs of it, of which
/// there are so many (`sharing`).
std::uint64_t usable_memory(const Device& device, const Hooks& hooks, std::uint64_t host, std::size_t sharing);
/// Bytes that the host still has.
std::uint64_t host_memory(const Hooks& hooks);
/// Devices whose memory is the host's.
std::size_t devices_on_host(std::span<const Device> devices);
/// What a run may take of the `host` bytes that the host still has: the rest is for others.
std::uint64_t most_of_host(std::uint64_t host);

/// Iterations between exchanges that cost least: an exchange costs about as much as some slices computed twice.
/// `smallest`: slices of the smallest share.
unsigned choose_exchange_every(const Roster& roster, const Layout& layout, std::uint64_t smallest);

/// What an exchange costs that nothing hides, in seconds.
inline constexpr double exchange_seconds = 40e-6;
/// Between CPUs: their threads, the host's and those of other programs take turns on the same cores.
inline constexpr double cpu_exchange_seconds = 4e-3;
/// Between processes: two hops more, and the network.
inline constexpr double process_exchange_seconds = 200e-6;

}  // namespace genocl::jacobi
