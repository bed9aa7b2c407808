// Iterated search: profiles of the hits of one search are the queries of the next one, as in psiblast.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "genocl/align/database.hpp"
#include "genocl/align/profile_making.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/device.hpp"
#include "genocl/export.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::align {

struct IterationOptions {
  unsigned iterations = 0;          ///< maximum number of searches; 0: until convergence, at most 100
  double inclusion_evalue = 0.002;  ///< hits with a lower E-value are rows of the next profile
  std::size_t max_subjects = 500;   ///< maximum number of subjects in a profile, those with the lowest E-values
  /// Maximum number of alignments of a subject in a profile, those with the highest scores; not 0. An alignment adds
  /// the columns of the query that better ones leave, so further ones seldom change the profile. Each costs up to the
  /// product of both lengths on the host.
  std::size_t max_hsps = 32;
};

/// Subjects within the inclusion E-value in one search of a query.
struct IterationCounts {
  std::size_t included = 0;
  std::size_t added = 0;  ///< those that the search before did not include
};

/// The profile of the last search of a query.
struct IteratedProfile {
  std::optional<MadeProfile> profile;     ///< empty: the last search is the first one, by the query itself
  std::vector<IterationCounts> searches;  ///< of each search whose hits were looked at
  unsigned iterations = 1;                ///< number of searches, with the last one
  bool converged = false;                 ///< the last search includes no subject that the one before did not
  std::string stopped;                    ///< why a profile could not be computed; empty if all were
};

/// Computes the profiles of an iterated search as psiblast -num_iterations does: the first search is by the query, and
/// each further one by the profile of the query and the included hits of the search before
/// (make_profile()). A query ends after IterationOptions::iterations, when it has converged, or without an included
/// hit. The last search is the caller's: by `profile`, or by the query.
///
/// @param queries  proteins; each has letters
/// @param search   matrix, gap penalties, sizes, composition-based statistics, kernel and chunks of the searches;
///                 E-value bounds, limits and filters are not used. Masks and translation are an InputError. psiblast
///                 uses CompositionStatistics::conditional by default.
/// @throws InputError for scoring systems without known statistics, an inclusion E-value that is not above 0, max_hsps
///   0, and as Searcher; Cancelled
///
/// results[q]: of query q. All queries are searched together in each iteration.
GENOCL_EXPORT std::vector<IteratedProfile> iterate_profiles(Devices devices, const Database& database,
                                                            const SequenceSet& queries, const SearchOptions& search,
                                                            const IterationOptions& options = {});

}  // namespace genocl::align
