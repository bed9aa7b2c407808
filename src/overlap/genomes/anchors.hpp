// Anchors of alignments: the matches of a query that are wanted.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "genocl/overlap/match_index.hpp"
#include "genocl/overlap/matches.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// Keeps the matches that are unique in the reference. `matches`: all maximal matches of a query or several, in the
/// order of maximal_matches().
///
/// A match is not unique if and only if its letters of the query lie within those of another match on that strand:
/// another occurrence in the reference extends to a maximal match. O(n log n) time.
void keep_unique_in_reference(std::vector<MaximalMatch>& matches);

/// Finds anchors, as MatchIndex::find() does for options of the kind unique_in_reference or another one. Unique matches
/// are selected from all matches if a sample of the queries has few of them: this takes a fraction of the time of a
/// search for unique ones, which looks up every position.
class AnchorSearch {
 public:
  AnchorSearch(const MatchIndex& index, const SequenceSet& queries, const MatchOptions& options);

  /// Calls take(query, matches) once for each query, in order.
  void find(const SequenceSet& queries,
            const std::function<void(std::uint64_t query, std::vector<MaximalMatch>& matches)>& take) const;

 private:
  const MatchIndex& index_;
  MatchOptions options_;
  bool filters_ = false;
};

}  // namespace genocl::overlap
