// Where a run takes the cells from, and where it leaves them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>

#include "runtime/parallel.hpp"

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

/// For those who only read: nothing is stored there.
template <class T>
HostGrid<T> host_grid_of(std::span<const T> cells) {
  return {{const_cast<T*>(cells.data()), cells.size()}, {}, {}};
}

/// The same for which cells are fixed.
using ReadFixed = std::function<void(std::uint64_t first, std::span<std::uint8_t> cells)>;

/// By several threads: one copies about 10 GB/s.
template <class T>
void copy_cells(std::span<const T> from, std::span<T> to) {
  constexpr std::size_t piece = (std::size_t{4} << 20) / sizeof(T);
  const std::size_t pieces = (from.size() + piece - 1) / piece;
  runtime::parallel_for(pieces, runtime::threads_for(pieces, 1), [&](std::size_t i) {
    const std::size_t first = i * piece, count = std::min(piece, from.size() - first);
    std::memcpy(to.data() + first, from.data() + first, count * sizeof(T));
  });
}

}  // namespace genocl::jacobi
