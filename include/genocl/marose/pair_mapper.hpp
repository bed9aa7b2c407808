// Mapping of read pairs: the best pair, proved, and its MAPQ.
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

/// Orientation of the mates of a proper pair on the template's forward strand, from left to right: forward and
/// reverse (paired ends), reverse and forward (mate pairs), both forward with the first read first.
enum class Orientation : std::uint8_t { forward_reverse, reverse_forward, forward_forward };

GENOCL_EXPORT std::string_view to_string(Orientation orientation) noexcept;
/// "fr", "rf", "ff". Throws InputError for another name.
GENOCL_EXPORT Orientation orientation_named(std::string_view name);

struct PairOptions {
  /// `report` selects the known hits of each read; with Report::best those that prove the best pair.
  MapOptions map = {};
  /// Empty: estimated from the first pairs.
  std::optional<InsertRange> insert = {};
  Orientation orientation = Orientation::forward_reverse;
  /// Searches for mates near the hits of their reads, if this may give a better pair or the mate has no hit.
  bool rescue = true;
  /// Maximum errors of a rescued mate. Empty: twice those of the mapper, at most a fifth of the mate; some thousand
  /// random bases rarely contain such an alignment.
  std::optional<ErrorBound> rescue_errors = {};
};

/// Both reads of a template.
struct ReadPair {
  struct Read {
    /// All hits including rescued ones, sorted as Hits; empty: Hits contains them all.
    std::vector<Hit> with_rescued;
    std::uint64_t primary = 0;  ///< index of the primary hit, if any
    std::uint8_t quality = 0;   ///< MAPQ, 0 to 60
    bool rescued = false;       ///< all hits are rescued
  };
  Read reads[2];
  std::optional<BestPairs> best;  ///< no value: no proper pair is known
  /// Every proper pair with fewer errors in both reads is known, within the limits of rescue.
  std::uint32_t explored = 0;

  bool proper() const noexcept { return best.has_value(); }
};

/// Template length range, from the lengths of templates whose reads are both reliable: three interquartile ranges
/// beyond the quartiles, and at least four standard deviations from the mean. Empty for fewer than 32.
GENOCL_EXPORT std::optional<InsertRange> estimate_insert(std::span<const std::uint64_t> template_lengths);

/// Chooses the pair of one template. O(a + b) expected if a proper pair is known; otherwise plus the cost of
/// rescue_mate().
///
/// @param first, second  hits of the reads, sorted as Hits
/// @param first_summary, second_summary  the explored strata of each read; they determine those of the pair, since an
///                       unknown pair contains an unknown hit
/// @param first_codes, second_codes  the bases of each read
GENOCL_EXPORT ReadPair place_pair(const Index& index, std::span<const Hit> first, const ReadSummary& first_summary,
                                  std::span<const Code> first_codes, std::span<const Hit> second,
                                  const ReadSummary& second_summary, std::span<const Code> second_codes,
                                  const InsertRange& insert, const PairOptions& options);

/// Maps pairs as Mapper maps reads.
class GENOCL_EXPORT PairMapper {
 public:
  /// Number of pairs at the beginning from which the insert range is estimated.
  static constexpr std::size_t pairs_to_estimate_from = 4096;

  /// Throws what Mapper does.
  PairMapper(Devices devices, const Index& index, const PairOptions& options = {});
  PairMapper(PairMapper&&) noexcept;
  PairMapper& operator=(PairMapper&&) noexcept;
  ~PairMapper();

  /// Reads 2 i and 2 i + 1 of a batch are the mates of pair i. An odd number of reads is an InputError.
  struct Batch : Mapper::Batch {
    std::vector<ReadPair> pairs;  ///< empty with MapOptions::align

    /// The hits of a read, including rescued ones.
    std::span<const Hit> hits_of(std::size_t read) const {
      const std::vector<Hit>& rescued = pairs[read / 2].reads[read % 2].with_rescued;
      if (rescued.empty()) return hits.of(read);
      return {rescued.data(), rescued.size()};
    }
  };
  /// As Mapper::map(). Without an insert range, the first 4,096 pairs are mapped ahead for the estimate, which does
  /// not depend on the batches.
  void map(const std::function<bool(SequenceSet&)>& source, const std::function<void(Batch&)>& work,
           const std::function<void(Batch&)>& sink);
  void map(const std::function<std::optional<Mapper::ReadsToMake>()>& source, const std::function<void(Batch&)>& work,
           const std::function<void(Batch&)>& sink);

  /// Estimates the insert range from at most the first 4,096 of these pairs, instead of in map(): for callers that
  /// distribute the pairs of one input. Does nothing if a range was given.
  void estimate(const SequenceSet& pairs);
  /// The given or estimated insert range; 0 to 1,000 before the estimate, and if too few pairs are reliable.
  const InsertRange& insert() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::marose
