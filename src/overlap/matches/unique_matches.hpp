// What stands once in a query's strand too.
#pragma once

#include <vector>

#include "genocl/overlap/match_index.hpp"

namespace genocl::overlap {

/// Takes matches that are unique in the reference, in order, and gives those on that are unique in the query's strand:
/// what matches stands a second time there just where another such match holds its place in the reference.
class UniqueMatches {
 public:
  void add(std::span<const MaximalMatch> matches, const MatchIndex::Sink& sink);
  void finish(const MatchIndex::Sink& sink);

 private:
  std::vector<MaximalMatch> strand_;  ///< of the query's strand that is under way
};

}  // namespace genocl::overlap
