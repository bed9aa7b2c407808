// Matches by their places in texts, and by records.
#pragma once

#include <cstdint>
#include <span>

#include "genocl/overlap/matches.hpp"
#include "overlap/text/sorted_text.hpp"

namespace genocl::overlap {

/// Turns places in the texts of a reference and of queries to places in records. Ask it for matches in order.
class MatchPlaces {
 public:
  /// `strands`: how many records of its text each query has.
  MatchPlaces(std::span<const std::uint64_t> reference_begins, std::span<const std::uint64_t> query_begins,
              std::uint64_t strands)
      : in_references_(reference_begins), in_queries_(query_begins), strands_(strands) {}

  MaximalMatch match(std::uint64_t in_query, std::uint64_t in_reference, std::uint64_t length) {
    const std::uint64_t query = in_queries_.record(in_query), record = in_references_.record(in_reference);
    return {.reference_record = record,
            .reference_position = in_reference - in_references_.begin(record),
            .query_record = query / strands_,
            .query_position = in_query - in_queries_.begin(query),
            .length = length,
            .reverse = query % strands_ == 1};
  }

 private:
  Locator in_references_, in_queries_;
  std::uint64_t strands_;
};

}  // namespace genocl::overlap
