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
  std::size_t a = 0, b = 0, length = 0, errors = 0;
  friend bool operator==(const Overlap&, const Overlap&) = default;
};

/// How many of the `length` letters from a and from b on differ; more than any number where one matches nothing.
inline std::size_t differing(const Record& a, std::size_t in_a, const Record& b, std::size_t length) {
  std::size_t differ = 0;
  for (std::size_t i = 0; i < length; ++i) {
    if (a[in_a + i] < 0 || b[i] < 0) return ~std::size_t{0};
    differ += a[in_a + i] != b[i];
  }
  return differ;
}

/// `mates`: records 2r and 2r + 1 are of one read.
inline std::vector<Overlap> suffix_prefix(const Records& reads, std::size_t min_length, std::size_t errors = 0,
                                          bool mates = false) {
  std::vector<Overlap> overlaps;
  for (std::size_t a = 0; a < reads.size(); ++a)
    for (std::size_t b = 0; b < reads.size(); ++b) {
      const std::size_t shorter = std::min(reads[a].size(), reads[b].size());
      if (a == b || (mates && a / 2 == b / 2) || shorter == 0) continue;
      for (std::size_t length = shorter - 1; length >= min_length; --length) {
        const std::size_t differ = differing(reads[a], reads[a].size() - length, reads[b], length);
        if (differ > errors) continue;
        overlaps.push_back({a, b, length, differ});
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
