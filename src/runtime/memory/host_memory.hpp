// How much memory the host still has for this process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace genocl::runtime {

/// What stands for a limit that is not known, or not there.
inline constexpr std::uint64_t no_limit = ~std::uint64_t{0};

/// Bytes that this process can still take: the least of what the kernel has available, what the process's control
/// groups leave it, and what its own limits (ulimit -v, -d) leave it. `no_limit` where none of them is known. A look at
/// a moment: others take memory, too. `root`: where /proc and /sys are, for tests.
std::uint64_t available_host_memory(const std::filesystem::path& root = "/");

/// Throws CapacityError when `bytes` are more than `available`.
void check_host_memory(const std::string& what_for, std::uint64_t bytes,
                       std::uint64_t available = available_host_memory());

}  // namespace genocl::runtime
