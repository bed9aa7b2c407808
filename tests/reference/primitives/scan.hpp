// Plain scalar oracles: prefix sums and running maxima.
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

namespace genocl_reference {

/// One more result than values: the last is the total. Wraps round.
template <class Out, class In>
std::vector<Out> exclusive_scan_with_total(std::span<const In> values) {
  using Wrapping = std::make_unsigned_t<Out>;
  std::vector<Out> results(values.size() + 1);
  Wrapping running = 0;
  for (std::size_t i = 0; i < values.size(); i++) {
    results[i] = static_cast<Out>(running);
    running = static_cast<Wrapping>(running + static_cast<Wrapping>(values[i]));
  }
  results[values.size()] = static_cast<Out>(running);
  return results;
}

template <class Out, class In>
std::vector<Out> inclusive_scan(std::span<const In> values) {
  std::vector<Out> results = exclusive_scan_with_total<Out>(values);
  results.erase(results.begin());
  return results;
}

template <class T>
std::vector<T> inclusive_max_scan(std::span<const T> values) {
  std::vector<T> results(values.begin(), values.end());
  for (std::size_t i = 1; i < results.size(); i++) results[i] = std::max(results[i - 1], results[i]);
  return results;
}

}  // namespace genocl_reference
