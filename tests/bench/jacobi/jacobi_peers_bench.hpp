// Jacobi relaxation in two dimensions in plain C++ with OpenMP, which the kernels for CPUs are measured against. The
// file behind it is compiled for the machine it is built on.
#pragma once

#include <cstddef>

namespace genocl_bench {

/// Rows of `pitch` elements, the outermost cells of width x height fixed. `from` and `to` hold height * pitch elements.
struct PeerGrid {
  std::size_t width, height, pitch;
};

/// One iteration, row by row, each thread an equal share of the rows.
template <class T>
void peer_plain(const PeerGrid& grid, const T* from, T* to);

/// One iteration by blocks of columns, down the rows of a thread: Contassot-Vivier and Vialle's code for CPUs.
template <class T>
void peer_blocked(const PeerGrid& grid, const T* from, T* to);

/// Several iterations in one pass over tiles, three rolling rows for each iteration, the tiles taken by threads in
/// turn.
constexpr unsigned peer_levels = 16;
template <class T>
void peer_temporal(const PeerGrid& grid, const T* from, T* to);

/// `value` to each element, by all threads, so that each one's part of the memory is near.
template <class T>
void peer_touch(T* elements, std::size_t count, T value);

}  // namespace genocl_bench
