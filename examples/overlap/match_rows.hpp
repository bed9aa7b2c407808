// Output of genocl-overlap mem.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/overlap/match_index.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "overlap/options.hpp"

namespace program {

/// Names and lengths of the reference's records.
struct ReferenceRecords {
  std::vector<std::string> names;  ///< a record without a name has its number, from 1
  std::vector<std::uint64_t> lengths;

  explicit ReferenceRecords(const overlap::MatchIndex& index);
};

/// Formats matches of consecutive queries. MUMmer's format: a header line for each query and searched strand, with or
/// without matches, followed by its matches. PAF: a line for each match.
class MatchRows {
 public:
  using Sink = std::function<void(const std::string&)>;

  /// For queries [first_query, first_query + query_count). Matches count queries from first_query.
  MatchRows(const MatchSettings& settings, const ReferenceRecords& reference, const genocl::SequenceSet& queries,
            std::uint64_t first_query, std::uint64_t query_count, std::uint64_t queries_before);

  /// Passes the lines of these matches, and of queries before them without matches, to the sink in pieces.
  void add(std::span<const overlap::MaximalMatch> matches, const Sink& sink);
  /// Passes the lines of the queries after the last match.
  void finish(const Sink& sink);

 private:
  /// Number of the header line of a query and strand.
  std::uint64_t heading(const overlap::MaximalMatch& match) const;
  std::string_view query_name(std::uint64_t query) const;
  void write_headings(std::string& text, std::uint64_t first, std::uint64_t end) const;
  void write_match(std::string& text, const overlap::MaximalMatch& match) const;
  void write_paf(std::string& text, const overlap::MaximalMatch& match) const;
  std::string lines(std::span<const overlap::MaximalMatch> matches, std::uint64_t headings) const;

  const MatchSettings& settings_;
  const ReferenceRecords& reference_;
  const genocl::SequenceSet& queries_;
  std::uint64_t first_query_, query_count_, queries_before_;
  bool names_, paf_;
  std::size_t name_width_ = 0;
  std::uint64_t headings_ = 0;  ///< written so far
};

}  // namespace program
