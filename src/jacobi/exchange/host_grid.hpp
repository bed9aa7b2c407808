// Where a run takes the cells from, and where it leaves them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace genocl::jacobi {

/// The whole grid in the memory of this process; or, without it, functions for slices of it, as the caller has them
/// (cells of a row and rows close together). A run of several processes without these takes the grid of process 0.
template <class T>
struct HostGrid {
  std::span<T> whole;
  /// Fills in slices from that one on, or takes them. Called on the thread that runs.
  std::function<void(std::uint64_t first, std::span<T> cells)> read;
  std::function<void(std::uint64_t first, std::span<const T> cells)> write;
};

/// The same for which cells are fixed.
using ReadFixed = std::function<void(std::uint64_t first, std::span<std::uint8_t> cells)>;

}  // namespace genocl::jacobi
