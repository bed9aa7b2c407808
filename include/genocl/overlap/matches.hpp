// Finds all maximal exact matches between a reference and queries.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// reference[reference_position ..] and query[query_position ..] agree in `length` letters, and in no more on either
/// side. With `reverse` it is the query's reverse complement that agrees, and query_position counts in that.
struct MaximalMatch {
  std::uint64_t reference_record = 0, reference_position = 0;
  std::uint64_t query_record = 0, query_position = 0;
  std::uint64_t length = 0;
  bool reverse = false;
  friend bool operator==(const MaximalMatch&, const MaximalMatch&) = default;
};

/// Which maximal matches are wanted; the names in brackets are MUMmer's.
enum class MatchKind : std::uint8_t {
  all,                  ///< every one (MEM)
  unique_in_reference,  ///< what matches stands once in the reference (MAM)
  unique,               ///< and once in the query's strand (MUM)
};

struct MatchOptions {
  std::uint64_t min_length = 20;  ///< 1 or more
  MatchKind kind = MatchKind::all;
  bool both_strands = false;
  Letters letters = Letters::bases;
  Progress progress = {};
};

/// Every maximal match of the kind and of at least min_length letters, by query record, strand (forward first), query
/// position, reference record and position. No match goes over a record's end or a letter that matches nothing. That
/// something stands once is said of all records of the reference as they are written, and of a query's strand alone.
/// Who asks more than once keeps a MatchIndex. Throws InputError for a min_length of 0, CapacityError when texts or
/// matches do not fit.
GENOCL_EXPORT std::vector<MaximalMatch> maximal_matches(const Device& device, const SequenceSet& reference,
                                                        const SequenceSet& queries, const MatchOptions& options = {});

}  // namespace genocl::overlap
