// Plain scalar oracles: gather and scatter.
#pragma once

#include <vector>

namespace genocl_reference {

template <class T, class Index>
std::vector<T> gather(const std::vector<T>& from, const std::vector<Index>& indices) {
  std::vector<T> to;
  for (const Index index : indices) to.push_back(index < from.size() ? from[index] : T{});
  return to;
}

template <class T, class Index>
void scatter(const std::vector<T>& from, const std::vector<Index>& indices, std::vector<T>& to) {
  for (std::size_t i = 0; i < indices.size(); i++)
    if (indices[i] < to.size()) to[indices[i]] = from[i];
}

}  // namespace genocl_reference
