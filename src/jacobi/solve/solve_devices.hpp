// The devices of a run: what their memory holds, and a CPU that leaves cores to the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "jacobi/solve/solve_strips.hpp"

namespace genocl::jacobi {

/// The same CPU with so many compute units less, in a context of its own; itself where that cannot be had. Host threads
/// of other devices need cores: with all of them taken, a CPU has cost an H200 40 % of its speed.
Device without_cores(const Device& cpu, std::uint32_t cores);

/// Every device with its plan; CPUs beside others leave a core to each of those.
std::vector<Worker> make_workers(std::span<const Device> devices, const Layout& layout, std::size_t element,
                                 const SolveOptions& options, const Hooks& hooks);

/// Bytes that a run may take of a device.
std::uint64_t usable_memory(const Device& device, const Hooks& hooks);

/// Iterations between exchanges that cost least: an exchange costs about as much as some slices computed twice.
/// `smallest`: slices of the smallest part.
unsigned choose_ghosts(std::span<const Worker> workers, const Layout& layout, std::size_t element,
                       std::uint64_t smallest);

/// What an exchange costs that nothing hides, in seconds.
inline constexpr double exchange_seconds = 40e-6;
/// Between CPUs: their threads, the host's and those of other programs take turns on the same cores.
inline constexpr double cpu_exchange_seconds = 4e-3;

}  // namespace genocl::jacobi
