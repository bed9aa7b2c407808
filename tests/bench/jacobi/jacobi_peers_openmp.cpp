// Compiled with -O3 -march=native -fopenmp.
#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "jacobi_peers_bench.hpp"

namespace genocl_bench {
namespace {

/// Cells [begin, end) of a row from the row above, its own and the one below.
template <class T>
void relax_row(const T* __restrict up, const T* __restrict row, const T* __restrict down, T* __restrict next,
               std::ptrdiff_t begin, std::ptrdiff_t end) {
#pragma omp simd
  for (std::ptrdiff_t x = begin; x < end; x++)
    next[x] = ((((up[x] + row[x - 1]) + row[x]) + row[x + 1]) + down[x]) * T(0.2);
}

/// What makes a block of columns stay in the cache; best of 512 to 4096 on two Xeons.
template <class T>
constexpr std::ptrdiff_t block_columns = 8192 / sizeof(T);

}  // namespace

template <class T>
void peer_plain(const PeerGrid& grid, const T* from, T* to) {
  const auto width = static_cast<std::ptrdiff_t>(grid.width), height = static_cast<std::ptrdiff_t>(grid.height),
             pitch = static_cast<std::ptrdiff_t>(grid.pitch);
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t y = 1; y < height - 1; y++) {
    const T* row = from + y * pitch;
    relax_row(row - pitch, row, row + pitch, to + y * pitch, 1, width - 1);
  }
}

template <class T>
void peer_blocked(const PeerGrid& grid, const T* from, T* to) {
  const auto width = static_cast<std::ptrdiff_t>(grid.width), height = static_cast<std::ptrdiff_t>(grid.height),
             pitch = static_cast<std::ptrdiff_t>(grid.pitch);
#pragma omp parallel
  {
    const std::ptrdiff_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const std::ptrdiff_t first = 1 + (height - 2) * thread / threads, last = 1 + (height - 2) * (thread + 1) / threads;
    for (std::ptrdiff_t x = 1; x < width - 1; x += block_columns<T>)
      for (std::ptrdiff_t y = first; y < last; y++) {
        const T* row = from + y * pitch;
        relax_row(row - pitch, row, row + pitch, to + y * pitch, x, std::min(x + block_columns<T>, width - 1));
      }
  }
}

template <class T>
void peer_temporal(const PeerGrid& grid, const T* from, T* to) {
  constexpr std::ptrdiff_t fused_steps = peer_levels, columns = block_columns<T>, rows = 256, margin = 64;
  constexpr std::ptrdiff_t length = columns + 2 * (fused_steps + margin);
  const auto width = static_cast<std::ptrdiff_t>(grid.width), height = static_cast<std::ptrdiff_t>(grid.height),
             pitch = static_cast<std::ptrdiff_t>(grid.pitch);
#pragma omp parallel
  {
    std::vector<T> buffer(static_cast<std::size_t>(fused_steps * 3 * length));
#pragma omp for schedule(dynamic) collapse(2)
    for (std::ptrdiff_t y0 = 0; y0 < height; y0 += rows)
      for (std::ptrdiff_t x0 = 0; x0 < width; x0 += columns) {
        const std::ptrdiff_t x1 = std::min(x0 + columns, width), y1 = std::min(y0 + rows, height);
        // Row y of a level but the last, so that [x] is column x.
        const auto row_of = [&](std::ptrdiff_t level, std::ptrdiff_t y) {
          return buffer.data() + (level * 3 + (y + 3) % 3) * length + margin + fused_steps - x0;
        };
        for (std::ptrdiff_t newest = std::max<std::ptrdiff_t>(y0 - fused_steps, 0); newest < y1 + fused_steps;
             newest++) {
          if (newest < height) {
            const std::ptrdiff_t first = std::max<std::ptrdiff_t>(x0 - fused_steps, 0),
                                 last = std::min(x1 + fused_steps, width);
            std::memcpy(row_of(0, newest) + first, from + newest * pitch + first,
                        sizeof(T) * static_cast<std::size_t>(last - first));
          }
          for (std::ptrdiff_t level = 1; level <= fused_steps; level++) {
            const std::ptrdiff_t more = fused_steps - level, y = newest - level;
            if (y < std::max<std::ptrdiff_t>(y0 - more, 0) || y >= std::min(y1 + more, height)) continue;
            const std::ptrdiff_t first = std::max<std::ptrdiff_t>(x0 - more, 0), last = std::min(x1 + more, width);
            const T* row = row_of(level - 1, y);
            T* next = level < fused_steps ? row_of(level, y) : to + y * pitch;
            if (y == 0 || y == height - 1) {
              std::memcpy(next + first, row + first, sizeof(T) * static_cast<std::size_t>(last - first));
              continue;
            }
            relax_row<T>(row_of(level - 1, y - 1), row, row_of(level - 1, y + 1), next,
                         std::max<std::ptrdiff_t>(first, 1), std::min(last, width - 1));
            if (first == 0) next[0] = row[0];
            if (last == width) next[width - 1] = row[width - 1];
          }
        }
      }
  }
}

template <class T>
void peer_touch(T* elements, std::size_t count, T value) {
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); i++) elements[i] = value;
}

template void peer_plain(const PeerGrid&, const float*, float*);
template void peer_plain(const PeerGrid&, const double*, double*);
template void peer_blocked(const PeerGrid&, const float*, float*);
template void peer_blocked(const PeerGrid&, const double*, double*);
template void peer_temporal(const PeerGrid&, const float*, float*);
template void peer_temporal(const PeerGrid&, const double*, double*);
template void peer_touch(float*, std::size_t, float);
template void peer_touch(double*, std::size_t, double);

}  // namespace genocl_bench
