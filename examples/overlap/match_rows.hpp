// How genocl-overlap mem writes matches.
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

/// Names and lengths of the records that matches are found in.
struct ReferenceRecords {
  std::vector<std::string> names;  ///< one without a name is called by its number from 1
  std::vector<std::uint64_t> lengths;

  explicit ReferenceRecords(const overlap::MatchIndex& index);
};

/// Turns matches of some queries, as they come in order, to lines. MUMmer's: a line for each query and each strand that
/// is looked at, whether it has matches or not, and below it its matches; PAF: a line for each match.
class MatchRows {
 public:
  using Sink = std::function<void(const std::string&)>;

  /// Those of the queries first_query and the `query_count` - 1 behind it; matches count queries from there.
  MatchRows(const MatchSettings& settings, const ReferenceRecords& reference, const genocl::SequenceSet& queries,
            std::uint64_t first_query, std::uint64_t query_count, std::uint64_t queries_before);

  /// The lines of these and of all that comes before them, in pieces.
  void add(std::span<const overlap::MaximalMatch> matches, const Sink& sink);
  /// The lines behind the last match.
  void finish(const Sink& sink);

 private:
  /// A query and its strand, counted together.
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
  std::uint64_t headings_ = 0;  ///< that are written
};

}  // namespace program
