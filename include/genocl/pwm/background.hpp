// How often letters come where there is no motif.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::pwm {

/// A Markov model of order 0 (letters drawn alone), 1 or 2 over A, C, G, T (codes 0 to 3).
class GENOCL_EXPORT Background {
 public:
  /// 0.25 each.
  Background();
  /// Order 0. Throws InputError unless all are above 0 and they sum to 0.99 to 1.01 (they are then scaled to 1).
  explicit Background(const std::array<double, 4>& frequencies);
  /// MEME's Markov background format: lines of a word and its frequency, words of length 1, then 2, then 3; '#' begins
  /// a comment. Uses order 0 to 2 of what is there. `file` is for messages. Throws InputError with the line.
  static Background parse(std::string_view text, const std::string& file);
  /// The frequencies of A, C, G, T (and of the words of order + 1 of them, not across anything else or a record's end)
  /// in the records of the sets; of both strands, so that complements are as frequent as one another, if asked.
  static Background of(const SequenceSet& text, unsigned order = 0, bool both_strands = true);

  unsigned order() const noexcept { return order_; }
  /// The frequencies of single letters; with order 1 or 2 those that the words' frequencies give.
  const std::array<double, 4>& frequencies() const noexcept { return single_; }
  bool uniform() const noexcept;
  /// The other strand's: a word of order() + 1 letters is as frequent as its reverse complement is here. Equal to this
  /// one where words and their reverse complements are equally frequent.
  Background reverse_complement() const;
  /// P(letter | the `order` letters before, the latest in the lowest two bits).
  double conditional(std::uint32_t before, Code letter) const { return conditional_[before * 4 + letter]; }
  /// P of a first word of `order` letters, the latest in the lowest two bits; 1 for order 0.
  double start(std::uint32_t word) const { return start_[word]; }

  friend bool operator==(const Background&, const Background&) = default;

 private:
  friend class BackgroundCounter;
  void set_words(const std::vector<double>& words);

  unsigned order_ = 0;
  std::vector<double> words_ = {0.25, 0.25, 0.25, 0.25};  ///< P of the words of order + 1 letters
  std::array<double, 4> single_ = {0.25, 0.25, 0.25, 0.25};
  std::vector<double> conditional_ = {0.25, 0.25, 0.25, 0.25};
  std::vector<double> start_ = {1};
};

/// What Background::of() does, for a text of any length, some records at a time.
class GENOCL_EXPORT BackgroundCounter {
 public:
  /// Throws InputError for an order above 2.
  explicit BackgroundCounter(unsigned order = 0);
  /// Words are not counted across what is no base, nor across a record's end. O(residues). Throws InputError for a set
  /// that is not DNA.
  void add(const SequenceSet& text);
  /// Throws InputError where a base was not seen, or no word of order + 1 bases.
  Background background(bool both_strands = true) const;

 private:
  unsigned order_ = 0;
  std::vector<double> single_, words_;
};

}  // namespace genocl::pwm
