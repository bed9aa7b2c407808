#include "marose/map/read_classes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace genocl::marose {

ReadClasses ReadClassCounts::merge(ReadClasses&& classes, std::uint64_t worth_programs) {
  // Up to 256 bases a read costs little more in the class of the longest; from there on up to twice the length.
  constexpr std::uint64_t short_words = 8;
  const std::lock_guard lock(mutex_);
  for (const auto& [words, which] : classes) seen_[words] += which.size();
  for (auto one = classes.begin(); one != classes.end();) {
    const auto next = std::next(one);
    if (next != classes.end() && seen_[one->first] < worth_programs &&
        next->first <= std::max(short_words, 2 * one->first)) {
      std::vector<std::uint32_t> both(one->second.size() + next->second.size());
      std::merge(one->second.begin(), one->second.end(), next->second.begin(), next->second.end(), both.begin());
      next->second = std::move(both);
      classes.erase(one);
    }
    one = next;
  }
  return std::move(classes);
}

}  // namespace genocl::marose
