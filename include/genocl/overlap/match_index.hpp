// Finds exact matches between queries and a reference whose index is made once.
//
// A match of L letters has, among its first s letters, a place that s divides; what stands there is looked up in the
// reference's suffix array by its first L - s + 1 letters. So one place of s is looked up, as in the sampled suffix
// arrays of Khan et al. 2009 (sparseMEM) and Vyverman et al. 2013 (essaMEM), here with the sample on the queries.
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

/// A suffix index of a reference, once on each device. Any number of threads may use it at once.
///
/// Where a device has too little memory the suffix array is made by all of them together (sort_in_pieces), and where it
/// has too little for the array it is cut: the array stays in the host's memory, 4 bytes a letter (8 from 2^32 - 1
/// letters on), and its pieces, all suffixes between two, go to the devices in turn, each with the whole text, so that
/// no match is cut. Matches are the same, in the same order. It costs that the queries of each find() pass once for
/// each piece, for unique matches twice and with every place looked up, each device doing some of the pieces, which are
/// brought to it again unless it has one alone; that all matches of a find() are on the host before the first one is
/// handed over, 24 bytes each; and that one find() waits for another.
class GENOCL_EXPORT MatchIndex {
 public:
  /// Called with matches in order, some 2^24 at a time at most, or all those of a query's strand where the choice needs
  /// to see these; on the thread that called find().
  using Sink = std::function<void(std::span<const MaximalMatch>)>;

  /// The index is made on each device. `names`: as SuffixIndex takes them. `progress` counts suffixes that have their
  /// place. O(letters), where it is made in pieces what sort_in_pieces() says. Throws CapacityError where the host has
  /// too little memory, or a device for the text and some thousands of suffixes; Cancelled.
  MatchIndex(Devices devices, const SequenceSet& reference, Letters letters = Letters::bases,
             const std::vector<std::string>& names = {}, const Progress& progress = {});
  /// One that is made already: of a text of records (Text::separated). Throws InputError for any other.
  explicit MatchIndex(SuffixIndex index);
  /// A file that SuffixIndex::save() wrote, on each device, or cut, from where it is. Throws what SuffixIndex::open()
  /// throws.
  static MatchIndex open(Devices devices, const std::string& path, bool check = false);
  MatchIndex(MatchIndex&&) noexcept;
  MatchIndex& operator=(MatchIndex&&) noexcept;
  ~MatchIndex();

  /// On the first device. Throws InputError where it is cut.
  const SuffixIndex& index() const;
  /// Writes the file that SuffixIndex::save() writes, whether it is cut or not: open() cuts it anew. Throws InputError
  /// where the reference has more than Text::longest letters and breaks.
  void save(const std::string& path) const;
  /// 1 where each device has all of it.
  std::uint64_t pieces() const noexcept;
  /// [record]: as SuffixIndex::names() and Text::begins() say of the reference.
  std::span<const std::string> names() const noexcept;
  std::span<const std::uint64_t> begins() const noexcept;

  /// The matches of all queries, in the order and by the rules of maximal_matches(); options.letters says nothing here:
  /// what of the queries can match is what the reference's text has as symbols. The queries of a call are on each
  /// device at once, packed; call it for some at a time where they are many. Throws InputError for a min_length of 0
  /// and for both strands of queries that are not DNA, CapacityError when something does not fit, Cancelled.
  void find(const SequenceSet& queries, const MatchOptions& options, const Sink& sink) const;
  std::vector<MaximalMatch> find(const SequenceSet& queries, const MatchOptions& options = {}) const;

 private:
  struct State;
  explicit MatchIndex(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace genocl::overlap
