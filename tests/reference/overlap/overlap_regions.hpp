// Longest regions by looking at every word of a length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "reference/overlap/overlap_records.hpp"

namespace reference {

struct Place {
  std::size_t record = 0, position = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};
using Places = std::vector<Place>;

/// Every word of `length` letters that all match, and where it stands.
inline std::map<Record, Places> words_of(const Records& records, std::size_t length) {
  std::map<Record, Places> words;
  for (std::size_t r = 0; r < records.size(); ++r)
    for (std::size_t i = 0; i + length <= records[r].size(); ++i) {
      const Record word(records[r].begin() + static_cast<std::ptrdiff_t>(i),
                        records[r].begin() + static_cast<std::ptrdiff_t>(i + length));
      if (std::all_of(word.begin(), word.end(), [](int letter) { return letter >= 0; })) words[word].push_back({r, i});
    }
  return words;
}

struct LongestWords {
  std::size_t length = 0;
  std::vector<Places> places;  ///< by first place
};

/// The longest words whose places satisfy `wanted`, which holds for a word's beginnings where it holds for the word.
template <class Wanted>
LongestWords longest_words(const Records& records, Wanted wanted) {
  std::size_t low = 0, high = 1;
  for (const Record& record : records) high = std::max(high, record.size() + 1);
  const auto of = [&](std::size_t length) {
    std::vector<Places> found;
    for (auto& [word, places] : words_of(records, length))
      if (wanted(places)) found.push_back(places);
    std::sort(found.begin(), found.end());
    return found;
  };
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (of(middle).empty() ? high : low) = middle;
  }
  if (low == 0) return {};
  return {low, of(low)};
}

/// Of records before and from `border` on.
inline LongestWords longest_common(const Records& records, std::size_t border) {
  return longest_words(
      records, [=](const Places& places) { return places.front().record < border && places.back().record >= border; });
}
inline LongestWords longest_shared(const Records& records, std::size_t quorum) {
  return longest_words(records, [=](const Places& places) {
    std::set<std::size_t> different;
    for (const Place& place : places) different.insert(place.record);
    return different.size() >= quorum;
  });
}
inline LongestWords longest_repeated(const Records& records) {
  return longest_words(records, [](const Places& places) { return places.size() >= 2; });
}

}  // namespace reference
