// The ways to find how probable it is that two matrices both have a hit in a word that covers them.
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

/// A matrix as one of the two; a word is a hit when its score is at least the threshold.
struct Side {
  const ScoreMatrix* matrix = nullptr;
  double threshold = 0;
};

/// Of two matrices, the second one `shift` positions after the first.
constexpr std::uint32_t union_length(std::size_t first, std::size_t second, int shift) {
  const auto m = static_cast<int>(first), n = static_cast<int>(second);
  return static_cast<std::uint32_t>((m > shift + n ? m : shift + n) - (shift < 0 ? shift : 0));
}

// --- Lists of hits (compare_words.cpp, cl/pwm/compare_words.cl) ---

/// All words that score at least the threshold, ascending; a word's first letter is in its highest two bits. Nothing
/// when there are more than `most`, or the matrix is longer than 31.
std::optional<std::vector<std::uint64_t>> hit_words(const Side& side, std::uint64_t most);

/// The reverse complements of words, ascending.
std::vector<std::uint64_t> turned_words(std::span<const std::uint64_t> words, std::uint32_t length);

/// P of a word of `length` letters.
double word_probability(std::uint64_t word, std::uint32_t length, const Background& background);
/// Their words' probabilities added up.
double probability_of(std::span<const std::uint64_t> words, std::uint32_t length, const Background& background);

/// Lists of hits on a device, any number of them.
class WordLists {
 public:
  /// lists[i]: ascending words of lengths[i] letters. `background` that is not uniform needs fp64.
  WordLists(const Device& device, std::span<const std::vector<std::uint64_t>* const> lists,
            std::span<const std::uint32_t> lengths, const Background& background);

  /// List `second` begins `shift` >= 0 letters after `first`.
  struct Task {
    std::uint32_t first = 0, second = 0, shift = 0;
  };
  /// joint[task]: words of the union in which both have their hit (uniform), or their probability.
  struct Joint {
    std::vector<std::uint64_t> words;
    std::vector<double> probability;
  };
  Joint join(const Device& device, std::span<const Task> tasks) const;

 private:
  bool uniform_ = true;
  std::vector<std::uint64_t> counts_;
  Array<std::uint64_t> words_;
  Array<double> sums_;          ///< before each word of a list, its words' probabilities added up
  Array<double> frequencies_;   ///< of A, C, G, T
  Array<std::uint32_t> lists_;  ///< [list]: first word, count, length, first of its index
  Array<std::uint32_t> index_;  ///< by a word's first letters: where such words begin
};

// --- Bounds (compare_bounds.cpp, cl/pwm/compare_bounds.cl) ---

/// P of a hit of one matrix: by dynamic programming with losses rounded down and up.
PValue bound_single(const Side& side, const Background& background);
/// P that both have a hit: the same in two dimensions, `bins` in each.
PValue bound_joint(const Device& device, const Side& first, const Side& second, int shift, const Background& background,
                   std::uint32_t bins);

// --- The paper's (compare_buckets.cpp, cl/pwm/published/compare_buckets.cl) ---

/// Maximum number of columns of a slice.
constexpr unsigned max_slice_columns = 13;
/// The number of slices that takes the least time for a union of that many columns: 2 or more.
unsigned slices_for(std::size_t columns, unsigned buckets);

/// BUCKET SCORE DISTRIBUTION in two dimensions: joint distribution of both scores over the words of the union, cut into
/// `slices` (0: slices_for()), `buckets` in each direction (2 to 2048). Throws InputError for a slice of more than 13
/// columns.
PValue bucket_joint(const Device& device, const Side& first, const Side& second, int shift,
                    const Background& background, unsigned slices, unsigned buckets);

// A matrix as one of the two that are compared, and what comes out of a comparison.

/// One strand of a matrix: its hits where they can be listed, and their probability.
struct Party {
  Side side;
  std::optional<std::vector<std::uint64_t>> hits;
  PValue p;

  std::uint32_t length() const { return static_cast<std::uint32_t>(side.matrix->length()); }
};

/// Of a matrix as it is, and of its reverse complement `turned`, of which hits are the reverse complements of hits, not
/// what its own score(), which adds in the other order, makes hits. Lists at most `most` hits.
using BothStrands = std::array<Party, 2>;
BothStrands parties_of(const ScoreMatrix& matrix, const ScoreMatrix& turned, double threshold, std::uint64_t most,
                       const Background& background);
/// Finds the probabilities of those that are not listed, which parties_of() leaves open.
void find_probabilities(Devices devices, std::span<BothStrands> parties, const CompareOptions& options);

/// Throw InputError for options, or a threshold, that cannot be compared by.
void check(const CompareOptions& options);
/// Throws InputError where that many slices are too few for a union of that many columns.
void check_slices(const CompareOptions& options, std::size_t longest_union);
void check_threshold(const ScoreMatrix& matrix, double threshold);

/// Whether lists of hits can be joined on the device.
bool can_list(const Device& device, const CompareOptions& options);

/// `words` among all words of a length.
PValue counted(std::uint64_t words, std::uint32_t length);
/// The probability itself.
PValue exactly(double p);
/// Where they share no position.
PValue disjoint_joint(const Party& a, const Party& b);

Overlap overlap_of(const Party& a, const Party& b, int shift, bool reverse, PValue both);
/// Similar, then near, then forward.
bool better(const Overlap& a, const Overlap& b);

/// All shifts of two parties in one orientation, in order, without lists.
void add_bounds(const Device& device, const Party& a, const Party& b, bool reverse, const CompareOptions& options,
                std::vector<Overlap>& overlaps);

}  // namespace genocl::pwm
