// Exact matches between queries and a reference with an index.
//
// One of the first s positions of a match of L letters is a multiple of s. Its first L - s + 1 letters are looked up in
// the suffix array of the reference. So one of s positions is looked up, as in the sampled suffix arrays of Khan et al.
// 2009 (sparseMEM) and Vyverman et al. 2013 (essaMEM), here with the sample on the queries.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/matches.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// A suffix index of a reference, on each device. Thread-safe.
///
/// If a device has too little memory to make the suffix array, all devices make it together (sort_in_pieces). If a
/// device has too little memory to hold it, the index is cut: the array stays in host memory, 4 bytes a letter (8 from
/// 2^32 - 1 letters on), and its pieces, all suffixes between two suffixes, go to the devices in turn. Each device
/// holds the whole text, so that no match is cut; matches and their order are the same. The costs: a find() searches
/// all queries once for each piece, for unique matches twice and at every position; a device that has several pieces
/// uploads them in each find(); all matches of a find() are in host memory, 24 bytes each, before the sink receives the
/// first; and calls of find() run one after another.
class GENOCL_EXPORT MatchIndex {
 public:
  /// Receives matches in order on the thread that called find(): up to about 2^24 at a time, or for MatchKind::unique
  /// all matches of a query's strand.
  using Sink = std::function<void(std::span<const MaximalMatch>)>;

  /// Makes the index on each device. `names`: as in SuffixIndex. `progress` counts sorted suffixes. O(letters); in
  /// pieces as in sort_in_pieces(). Throws CapacityError if host memory is too small, or device memory for the text and
  /// some thousands of suffixes; Cancelled.
  MatchIndex(Devices devices, const SequenceSet& reference, Letters letters = Letters::bases,
             const std::vector<std::string>& names = {}, const Progress& progress = {});
  /// From an existing index of a text of records (Text::separated). Throws InputError for any other text.
  explicit MatchIndex(SuffixIndex index);
  /// From a file that SuffixIndex::save() wrote, on each device or cut. Throws what SuffixIndex::open() throws.
  static MatchIndex open(Devices devices, const std::string& path, bool check = false);
  MatchIndex(MatchIndex&&) noexcept;
  MatchIndex& operator=(MatchIndex&&) noexcept;
  ~MatchIndex();

  /// The index on the first device. Throws InputError if the index is cut.
  const SuffixIndex& index() const;
  /// Writes the file that SuffixIndex::save() writes, also if the index is cut. Throws InputError for a reference of
  /// more than Text::longest letters and separators.
  void save(const std::string& path) const;
  /// The number of pieces; 1 if each device holds the whole index.
  std::uint64_t pieces() const noexcept;
  /// SuffixIndex::names() and Text::begins() of the reference.
  std::span<const std::string> names() const noexcept;
  std::span<const std::uint64_t> begins() const noexcept;

  /// The matches of all queries, in the order and by the rules of maximal_matches(). options.letters has no effect: the
  /// symbols of the reference's text are the letters that can match. Each device holds all queries of a call, packed;
  /// split many queries over several calls. Throws InputError for a min_length of 0 and for both strands of queries
  /// that are not DNA, CapacityError, Cancelled.
  void find(const SequenceSet& queries, const MatchOptions& options, const Sink& sink) const;
  std::vector<MaximalMatch> find(const SequenceSet& queries, const MatchOptions& options = {}) const;

 private:
  struct State;
  explicit MatchIndex(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace genocl::overlap
