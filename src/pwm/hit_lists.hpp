// The hits of a collection's matrices on a device, each matrix's with those of its reverse complement.
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

/// Lists 2 k and 2 k + 1 are the hits of matrix k and of its reverse complement, in ascending order; matrices are in
/// ascending order of their lengths, which are 1 to 31.
/// A run: words of a list, neighbours in it, that begin with the same letters.
class HitLists {
 public:
  /// `lists`: 2 k and 2 k + 1 as they are here. The device needs fp64 where the background is not uniform.
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
  /// [list]: its first word, its words, their letters, nothing.
  const Array<std::uint32_t>& described() const { return described_; }
  /// sums()[word + list]: the probability of the list's words before this one; with `turned` that of the partner's
  /// words that these are the reverse complements of. Empty where the background is uniform.
  const Array<double>& sums(bool turned) const { return turned ? turned_sums_ : sums_; }

  /// Writes where the runs of `letters` letters begin, for lists with at least so many; returns their number.
  /// `beginnings` and `flags` have room for words(). The first ones are those of the shortest lists.
  std::uint64_t mark_runs(const Device& device, std::uint32_t letters, Array<std::uint8_t>& flags,
                          Array<std::uint32_t>& beginnings) const;
  /// The words of just so many letters, which are a run each.
  std::uint64_t whole(std::uint32_t letters) const { return first_word(letters + 1) - first_word(letters); }

  /// Of the device's memory, for so many words in so many lists.
  static std::uint64_t bytes(std::uint64_t words, bool uniform) { return words * (uniform ? 12 : 28); }

 private:
  std::vector<std::uint32_t> lengths_of_;
  std::vector<std::uint64_t> firsts_;
  Array<std::uint64_t> words_;
  Array<std::uint32_t> owners_, lengths_, described_;
  Array<double> sums_, turned_sums_;
};

// The best overlap of each pair of two collections whose hits are listed.

/// Of a matrix of the rows and one of the columns.
struct JoinedPair {
  bool any = false;  ///< no shift at which they share a letter has a word with a hit of both
  bool reverse = false;
  int shift = 0;
  std::uint64_t words = 0;  ///< of the union, with a hit of both; uniform background only
  PValue both;              ///< any other background
};

/// pairs[row * (columns.lists() / 2) + column]: the overlap of at least a letter in which a hit of both is most
/// probable beside a hit of either. `row_p` [matrix] and `column_p` [list] are the probabilities of a hit.
///
/// For each number of letters the lists are gone through once, and each pair of words that meet costs an addition; the
/// sums of what does not weigh all words alike are in integers of 2^-62 of a row's probability, and the same on every
/// device. The device holds 8 bytes for each row and list of the columns besides the lists and as much again.
std::vector<JoinedPair> join_lists(const Device& device, const HitLists& rows, const HitLists& columns,
                                   std::span<const double> row_p, std::span<const double> column_p,
                                   const Background& background);

}  // namespace genocl::pwm
