// Maximal matches and overlaps of reads by comparing every pair of places.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "reference/overlap/overlap_records.hpp"

namespace reference {

struct Match {
  std::size_t query_position = 0, record = 0, position = 0, length = 0;
  friend bool operator==(const Match&, const Match&) = default;
};

/// Between a query and every record, by position in the query, then in the records.
inline std::vector<Match> maximal_matches(const Records& reference, const Record& query, std::size_t min_length) {
  std::vector<Match> matches;
  for (std::size_t q = 0; q < query.size(); ++q)
    for (std::size_t r = 0; r < reference.size(); ++r)
      for (std::size_t i = 0; i < reference[r].size(); ++i) {
        const bool goes_on = q > 0 && i > 0 && query[q - 1] >= 0 && query[q - 1] == reference[r][i - 1];
        const std::size_t length = goes_on ? 0 : common_from(query, q, reference[r], i);
        if (length >= min_length) matches.push_back({q, r, i, length});
      }
  return matches;
}

struct Overlap {
  std::size_t a = 0, b = 0, length = 0;
  friend bool operator==(const Overlap&, const Overlap&) = default;
};

inline std::vector<Overlap> suffix_prefix(const Records& reads, std::size_t min_length) {
  std::vector<Overlap> overlaps;
  for (std::size_t a = 0; a < reads.size(); ++a)
    for (std::size_t b = 0; b < reads.size(); ++b) {
      const std::size_t shorter = std::min(reads[a].size(), reads[b].size());
      if (a == b || shorter == 0) continue;
      for (std::size_t length = shorter - 1; length >= min_length; --length)
        if (common_from(reads[a], reads[a].size() - length, reads[b], 0) >= length) {
          overlaps.push_back({a, b, length});
          break;
        }
    }
  return overlaps;
}

/// For each read the longest, to the first such read.
inline std::vector<Overlap> best_overlaps(const std::vector<Overlap>& all) {
  std::vector<Overlap> best;
  for (const Overlap& overlap : all) {
    if (best.empty() || best.back().a != overlap.a)
      best.push_back(overlap);
    else if (overlap.length > best.back().length)
      best.back() = overlap;
  }
  return best;
}

}  // namespace reference
