// The probability that two matrices both have a hit in a word that covers them: lists, bounds, and the published
// method.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/pwm/compare.hpp"

namespace genocl::pwm {

/// A matrix and its threshold; a word is a hit if its score is at least the threshold.
struct Side {
  const ScoreMatrix* matrix = nullptr;
  double threshold = 0;
};

/// Length of the union of two matrices, the second one `shift` positions after the first.
constexpr std::uint32_t union_length(std::size_t first, std::size_t second, int shift) {
  const auto m = static_cast<int>(first), n = static_cast<int>(second);
  return static_cast<std::uint32_t>((m > shift + n ? m : shift + n) - (shift < 0 ? shift : 0));
}

// Lists of hits (hit_lists.cpp, cl/pwm/compare_words.cl)

/// All words that score at least the threshold, ascending; the first letter is in the highest two bits. Empty if
/// there are more than `most`, or the matrix is longer than 31.
std::optional<std::vector<std::uint64_t>> hit_words(const Side& side, std::uint64_t most);

/// The reverse complements of words, ascending.
std::vector<std::uint64_t> turned_words(std::span<const std::uint64_t> words, std::uint32_t length);

/// P of a word of `length` letters.
double word_probability(std::uint64_t word, std::uint32_t length, const Background& background);
/// The sum of the probabilities of words.
double probability_of(std::span<const std::uint64_t> words, std::uint32_t length, const Background& background);

/// Any number of lists of hits on a device.
class WordLists {
 public:
  /// @param lists       [i]: ascending words of lengths[i] letters
  /// @param background  if not uniform, needs fp64
  WordLists(const Device& device, std::span<const std::vector<std::uint64_t>* const> lists,
            std::span<const std::uint32_t> lengths, const Background& background);

  /// List `second` begins `shift` >= 0 letters after `first`.
  struct Task {
    std::uint32_t first = 0, second = 0, shift = 0;
  };
  /// [task]: number of words of the union in which both have their hit (uniform), or their probability.
  struct Joint {
    std::vector<std::uint64_t> words;
    std::vector<double> probability;
  };
  Joint join(const Device& device, std::span<const Task> tasks) const;

 private:
  bool uniform_ = true;
  std::vector<std::uint64_t> counts_;
  Array<std::uint64_t> words_;
  Array<double> sums_;          ///< [word of a list]: sum of the probabilities of the words before
  Array<double> frequencies_;   ///< of A, C, G, T
  Array<std::uint32_t> lists_;  ///< [list]: first word, count, length, first of its index
  Array<std::uint32_t> index_;  ///< by the first letters of a word: begins of such words
};

// Bounds (compare_bounds.cpp, cl/pwm/compare_bounds.cl)

/// P of a hit of one matrix: dynamic programming with losses rounded down and up.
PValue bound_single(const Side& side, const Background& background);
/// P of a hit of both: the same in two dimensions, `bins` in each.
PValue bound_joint(const Device& device, const Side& first, const Side& second, int shift, const Background& background,
                   std::uint32_t bins);

// The published method (published/compare_buckets.cpp, cl/pwm/published/compare_buckets.cl)

/// Maximum number of columns of a slice.
constexpr unsigned max_slice_columns = 13;
/// The fastest number of slices for a union of this number of columns: at least 2.
unsigned slices_for(std::size_t columns, unsigned buckets);

/// The most buckets, a power of two from 16 to 1024, for which a union of this number of columns takes less than some
/// hundred million operations with slices_for().
unsigned buckets_for(std::size_t columns);
/// Operations of a union: 8 for each word of a slice, one for each product of a merge.
double bucket_operations(std::size_t columns, unsigned slices, unsigned buckets);

/// Both: bounds of the probability that both scores reach their thresholds. `similarity`: both / either by the
/// distribution itself, in which a score reaches its threshold if its bucket does, less half of the slices' rounding;
/// empty if one of the thresholds is minus infinity.
struct BucketJoint {
  PValue both;
  std::optional<double> similarity = {};
};

/// BUCKET SCORE DISTRIBUTION in two dimensions: joint distribution of both scores over the words of the union.
///
/// @param slices   number of slices of the union; 0: slices_for()
/// @param buckets  in each direction, 2 to 2048; 0: buckets_for()
/// @throws InputError for a slice of more than 13 columns
BucketJoint bucket_joint(const Device& device, const Side& first, const Side& second, int shift,
                         const Background& background, unsigned slices, unsigned buckets);

// Matrices of a comparison, and its results.

/// One strand of a matrix: its probability of a hit, and its hits if they can be listed.
struct Party {
  Side side;
  std::optional<std::vector<std::uint64_t>> hits;
  PValue p;

  std::uint32_t length() const { return static_cast<std::uint32_t>(side.matrix->length()); }
};

/// A matrix and its reverse complement `turned`. Hits of the latter are the reverse complements of hits, even where
/// its own score(), which adds in the other order, differs. Lists at most `most` hits.
using BothStrands = std::array<Party, 2>;
BothStrands parties_of(const ScoreMatrix& matrix, const ScoreMatrix& turned, double threshold, std::uint64_t most,
                       const Background& background);
/// Computes the probabilities of parties without lists, which parties_of() leaves open.
void find_probabilities(Devices devices, std::span<BothStrands> parties, const CompareOptions& options);

/// Throw InputError for invalid options or thresholds.
void check(const CompareOptions& options);
/// @throws InputError if this number of slices is too small for a union of this number of columns, or if a union takes
///   more than 10^12 operations
void check_slices(const CompareOptions& options, std::size_t longest_union);
void check_threshold(const ScoreMatrix& matrix, double threshold);

/// Whether lists of hits can be joined on the device.
bool can_list(const Device& device, const CompareOptions& options);

/// P of `words` words among all words of a length.
PValue counted(std::uint64_t words, std::uint32_t length);
/// An exact probability.
PValue exactly(double p);
/// P of both for parties without a common position.
PValue disjoint_joint(const Party& a, const Party& b);

Overlap overlap_of(const Party& a, const Party& b, int shift, bool reverse, PValue both);
/// Order of overlaps: higher similarity, then smaller |shift|, then forward.
bool better(const Overlap& a, const Overlap& b);

/// All shifts of two parties in one orientation, in order, without lists.
void add_bounds(const Device& device, const Party& a, const Party& b, bool reverse, const CompareOptions& options,
                std::vector<Overlap>& overlaps);

}  // namespace genocl::pwm
