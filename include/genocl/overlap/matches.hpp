// Maximal exact matches between a reference and queries.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// reference[reference_position ..] and query[query_position ..] agree in `length` letters and cannot be extended on
/// either side. `reverse`: the reverse complement of the query agrees, and query_position counts in it.
struct MaximalMatch {
  std::uint64_t reference_record = 0, reference_position = 0;
  std::uint64_t query_record = 0, query_position = 0;
  std::uint64_t length = 0;
  bool reverse = false;
  friend bool operator==(const MaximalMatch&, const MaximalMatch&) = default;
};

/// The kinds of maximal matches; in brackets the names of MUMmer.
enum class MatchKind : std::uint8_t {
  all,                  ///< all (MEM)
  unique_in_reference,  ///< the matching string occurs once in the reference (MAM)
  unique,               ///< and once in the strand of the query (MUM)
};

struct MatchOptions {
  std::uint64_t min_length = 20;  ///< 1 or more
  MatchKind kind = MatchKind::all;
  bool both_strands = false;
  Letters letters = Letters::bases;
  Progress progress = {};
};

/// Every maximal match of the kind and of at least min_length letters, by query record, strand (forward first), query
/// position, reference record and position. No match spans the end of a record or a letter that matches nothing.
/// Uniqueness refers to the forward strand of all records of the reference, and to one strand of one query. For several
/// calls use a MatchIndex. Throws InputError for a min_length of 0, CapacityError if texts or matches do not fit.
GENOCL_EXPORT std::vector<MaximalMatch> maximal_matches(const Device& device, const SequenceSet& reference,
                                                        const SequenceSet& queries, const MatchOptions& options = {});

}  // namespace genocl::overlap
