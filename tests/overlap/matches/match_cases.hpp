// Maximal matches by comparing every pair of places.
#pragma once

#include <string>
#include <vector>

#include "genocl/overlap/matches.hpp"
#include "overlap/record_cases.hpp"
#include "reference/overlap/overlap_matches.hpp"

namespace overlap_test {

/// The number of occurrences of `word` in the records; a letter that matches nothing has none.
inline std::size_t times(const reference::Records& records, const reference::Record& word) {
  std::size_t count = 0;
  for (const reference::Record& record : records)
    for (std::size_t i = 0; i + word.size() <= record.size(); ++i)
      count += reference::common_from(record, i, word, 0) == word.size();
  return count;
}

inline bool is_wanted(const reference::Match& match, const reference::Records& records, const reference::Record& query,
                      genocl::overlap::MatchKind kind) {
  const auto begin = query.begin() + static_cast<std::ptrdiff_t>(match.query_position);
  const reference::Record word(begin, begin + static_cast<std::ptrdiff_t>(match.length));
  return kind == genocl::overlap::MatchKind::all ||
         (times(records, word) == 1 &&
          (kind == genocl::overlap::MatchKind::unique_in_reference || times({query}, word) == 1));
}

/// All matches of the kind, in order.
inline std::vector<genocl::overlap::MaximalMatch> expected(const genocl::SequenceSet& reference,
                                                           const genocl::SequenceSet& queries,
                                                           const genocl::overlap::MatchOptions& options) {
  const reference::Records records = letters_of(reference, options.letters);
  const reference::Records forward = letters_of(queries, options.letters),
                           backward = letters_of(queries.reverse_complement(), options.letters);
  std::vector<genocl::overlap::MaximalMatch> matches;
  for (std::size_t query = 0; query < queries.size(); ++query)
    for (const bool reverse : {false, true}) {
      if (reverse && !options.both_strands) continue;
      const reference::Record& letters = (reverse ? backward : forward)[query];
      for (const reference::Match& match : reference::maximal_matches(records, letters, options.min_length))
        if (is_wanted(match, records, letters, options.kind))
          matches.push_back({match.record, match.position, query, match.query_position, match.length, reverse});
    }
  return matches;
}

}  // namespace overlap_test
