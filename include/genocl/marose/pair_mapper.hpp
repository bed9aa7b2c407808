// Maps read pairs: the best pair, proved, and how sure its places are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "genocl/marose/mapper.hpp"
#include "genocl/marose/pairs.hpp"

namespace genocl::marose {

/// How the mates of a proper pair lie on the template's forward strand, from left to right: forward and reverse (paired
/// ends), reverse and forward (mate pairs), both the same way with the first read first.
enum class Orientation : std::uint8_t { forward_reverse, reverse_forward, forward_forward };

GENOCL_EXPORT std::string_view to_string(Orientation orientation) noexcept;
/// "fr", "rf", "ff". Throws InputError for another name.
GENOCL_EXPORT Orientation orientation_named(std::string_view name);

struct PairOptions {
  /// `report` says which hits of each read are known; with Report::best those that prove the best pair.
  MapOptions map = {};
  /// Empty: estimated from the first pairs.
  std::optional<InsertRange> insert = {};
  Orientation orientation = Orientation::forward_reverse;
  /// Looks for mates beside the hits of their reads: where that may give a better pair than is known, and where a mate
  /// has no hit.
  bool rescue = true;
  /// The errors of a rescued mate at most. Empty: twice those of the mapper, but no more than a fifth of the mate, of
  /// which some thousands of random bases seldom hold an alignment.
  std::optional<ErrorBound> rescue_errors = {};
};

/// Both reads of a template.
struct ReadPair {
  struct Read {
    /// The hits that rescue found too, sorted as Hits are; empty: Hits has them all.
    std::vector<Hit> with_rescued;
    std::uint64_t primary = 0;  ///< index of the hit that stands for the read, where it has any
    std::uint8_t quality = 0;   ///< Phred-scaled confidence in it, 0 to 60
    bool rescued = false;       ///< has hits by rescue alone
  };
  Read reads[2];
  std::optional<BestPairs> best;  ///< no value: no proper pair is known
  /// Every proper pair with fewer errors in both reads together is known, as far as rescue may look.
  std::uint32_t explored = 0;

  bool proper() const noexcept { return best.has_value(); }
};

/// Where the templates of the pairs end, from the lengths of templates both reads of which are sure: as far beyond the
/// quartiles as three times what lies between them, and at least four standard deviations from the mean. Empty for
/// fewer than 32.
GENOCL_EXPORT std::optional<InsertRange> estimate_insert(std::span<const std::uint64_t> template_lengths);

/// Chooses the pair of one template. `first` and `second`: the hits of the reads, sorted as Hits are, with what is
/// known of them; `codes` the bases of each. What is known of the pair follows: a pair that is not known has a hit that
/// is not known. O(a + b) expected where a proper pair is known; rescue costs what rescue_mate() does.
GENOCL_EXPORT ReadPair place_pair(const Index& index, std::span<const Hit> first, const ReadSummary& first_summary,
                                  std::span<const Code> first_codes, std::span<const Hit> second,
                                  const ReadSummary& second_summary, std::span<const Code> second_codes,
                                  const InsertRange& insert, const PairOptions& options);

/// Maps pairs as Mapper maps reads.
class GENOCL_EXPORT PairMapper {
 public:
  /// So many pairs at the beginning tell the range of inserts.
  static constexpr std::size_t pairs_to_estimate_from = 4096;

  /// Throws what Mapper does.
  PairMapper(Devices devices, const Index& index, const PairOptions& options = {});
  PairMapper(PairMapper&&) noexcept;
  PairMapper& operator=(PairMapper&&) noexcept;
  ~PairMapper();

  /// Reads 2 i and 2 i + 1 of a batch are the mates of pair i. An odd number of reads is an InputError.
  struct Batch : Mapper::Batch {
    std::vector<ReadPair> pairs;  ///< empty with MapOptions::align

    /// The hits of a read, rescued ones too.
    std::span<const Hit> hits_of(std::size_t read) const {
      const std::vector<Hit>& rescued = pairs[read / 2].reads[read % 2].with_rescued;
      return rescued.empty() ? hits.of(read) : std::span<const Hit>(rescued);
    }
  };
  /// As Mapper::map(). Without a range of inserts the first 4,096 pairs are mapped ahead for the estimate, which is the
  /// same whatever the batches are.
  void map(const std::function<bool(SequenceSet&)>& source, const std::function<void(Batch&)>& work,
           const std::function<void(Batch&)>& sink);
  void map(const std::function<std::optional<Mapper::ReadsToMake>()>& source, const std::function<void(Batch&)>& work,
           const std::function<void(Batch&)>& sink);

  /// Estimates the range of inserts from these pairs, the first 4,096 of them at most, now and not in map(): for those
  /// who share out the pairs of one input. A range that was given stays.
  void estimate(const SequenceSet& pairs);
  /// The range of inserts that is given or was estimated; 0 to 1,000 before, and where too few pairs are sure.
  const InsertRange& insert() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::marose
