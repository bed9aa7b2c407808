// Plain scalar oracles: reductions and scans.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace genocl_reference {

/// Wraps round.
template <class Result, class T>
Result sum(std::span<const T> values) {
  std::make_unsigned_t<Result> total = 0;
  for (const T value : values) total = static_cast<decltype(total)>(total + static_cast<decltype(total)>(value));
  return static_cast<Result>(total);
}

template <class T>
T minimum(std::span<const T> values) {
  T least = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  for (const T value : values) least = value < least ? value : least;
  return least;
}

template <class T>
T maximum(std::span<const T> values) {
  T most =
      std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  for (const T value : values) most = value > most ? value : most;
  return most;
}

/// The order that genocl documents: 1,024 running sums over each 16,384 elements, folded by halves, the tiles' sums
/// added the same way.
inline float ordered_sum(std::vector<float> values) {
  do {
    std::vector<float> totals;
    for (std::size_t tile = 0; tile < values.size() || tile == 0; tile += 16384) {
      float lanes[1024] = {};
      for (std::size_t i = tile; i < std::min(values.size(), tile + 16384); i++) lanes[i % 1024] += values[i];
      for (int half = 512; half > 0; half /= 2)
        for (int lane = 0; lane < half; lane++) lanes[lane] += lanes[lane + half];
      totals.push_back(lanes[0]);
    }
    values = totals;
  } while (values.size() > 1);
  return values[0];
}

}  // namespace genocl_reference
