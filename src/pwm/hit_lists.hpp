// Hits of a collection of matrices on a device, each matrix with its reverse complement.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/pwm/background.hpp"
#include "genocl/pwm/p_value.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {

/// Lists 2 k and 2 k + 1 are the hits of matrix k and of its reverse complement, ascending. Matrices are ordered by
/// length, 1 to 31.
/// A run: consecutive words of a list that begin with the same letters.
class HitLists {
 public:
  /// The device needs fp64 if the background is not uniform.
  ///
  /// @param lists  2 k and 2 k + 1 as above
  HitLists(const Device& device, std::span<const std::vector<std::uint64_t>* const> lists,
           std::span<const std::uint32_t> lengths, const Background& background);

  std::uint64_t lists() const { return lengths_of_.size(); }
  std::uint64_t words() const { return firsts_.back(); }
  std::uint32_t longest() const { return lengths_of_.empty() ? 0 : lengths_of_.back(); }
  std::uint32_t length(std::uint64_t list) const { return lengths_of_[list]; }
  std::uint64_t words(std::uint64_t list) const { return firsts_[list + 1] - firsts_[list]; }
  /// The first list with words of at least `letters` letters, and its first word.
  std::uint64_t first_list(std::uint32_t letters) const;
  std::uint64_t first_word(std::uint32_t letters) const { return firsts_[first_list(letters)]; }

  const Array<std::uint64_t>& words_on_device() const { return words_; }
  const Array<std::uint32_t>& owners() const { return owners_; }
  const Array<std::uint32_t>& lengths() const { return lengths_; }
  /// [list]: first word, number of words, letters of a word, unused.
  const Array<std::uint32_t>& described() const { return described_; }
  /// sums()[word + list]: sum of the probabilities of the preceding words of the list; with `turned` those of the
  /// partner's words, their reverse complements. Empty if the background is uniform.
  const Array<double>& sums(bool turned) const { return turned ? turned_sums_ : sums_; }

  /// Writes the begins of runs of `letters` letters for all lists of at least this length, shortest first. Returns
  /// their number. `beginnings` and `flags` have capacity words().
  std::uint64_t mark_runs(const Device& device, std::uint32_t letters, Array<std::uint8_t>& flags,
                          Array<std::uint32_t>& beginnings) const;
  /// Number of words of exactly `letters` letters, each a run of its own.
  std::uint64_t whole(std::uint32_t letters) const { return first_word(letters + 1) - first_word(letters); }

  /// Bytes of device memory for this number of words.
  static std::uint64_t bytes(std::uint64_t words, bool uniform) { return words * (uniform ? 12 : 28); }

 private:
  std::vector<std::uint32_t> lengths_of_;
  std::vector<std::uint64_t> firsts_;
  Array<std::uint64_t> words_;
  Array<std::uint32_t> owners_, lengths_, described_;
  Array<double> sums_, turned_sums_;
};

// The best overlap of each pair of two collections with listed hits.

/// A matrix of the rows and one of the columns.
struct JoinedPair {
  bool any = false;  ///< some shift with a common letter has a word with a hit of both
  bool reverse = false;
  int shift = 0;
  std::uint64_t words = 0;  ///< words of the union with a hit of both; only for a uniform background
  PValue both;              ///< for any other background
};

/// pairs[row * (columns.lists() / 2) + column]: the overlap of at least one letter with the highest probability of a
/// hit of both relative to a hit of either.
///
/// For each number of letters the lists are traversed once, and each pair of words that meet costs an addition. Sums
/// for weighted words are integers of 2^-62 of a row's probability, identical on every device. The device memory is 8
/// bytes for each pair of row and column list, plus twice the lists.
///
/// @param row_p, column_p  [matrix], [list]: probabilities of a hit
std::vector<JoinedPair> join_lists(const Device& device, const HitLists& rows, const HitLists& columns,
                                   std::span<const double> row_p, std::span<const double> column_p,
                                   const Background& background);

}  // namespace genocl::pwm
