// Background models: letter frequencies of text without motifs.
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
  /// Order 0. Throws InputError unless all are above 0 and sum to 0.99 to 1.01; they are then scaled to 1.
  explicit Background(const std::array<double, 4>& frequencies);
  /// Parses MEME's Markov background format: lines of a word and its frequency, words of length 1, then 2, then 3;
  /// '#' begins a comment. Uses orders 0 to 2, as far as given. Throws InputError with the line.
  ///
  /// @param file  for messages
  static Background parse(std::string_view text, const std::string& file);
  /// Frequencies of A, C, G, T in the records of the sets, and of their words of order + 1 bases within a record and
  /// without other letters; optionally of both strands, so that complements are equally frequent.
  static Background of(const SequenceSet& text, unsigned order = 0, bool both_strands = true);

  unsigned order() const noexcept { return order_; }
  /// Frequencies of single letters; with order 1 or 2 those implied by the words' frequencies.
  const std::array<double, 4>& frequencies() const noexcept { return single_; }
  bool uniform() const noexcept;
  /// The model of the other strand: a word of order() + 1 letters is as frequent as its reverse complement is here.
  /// Equal to this model if words and their reverse complements are equally frequent.
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

/// As Background::of(), for a text of any length, in batches of records.
class GENOCL_EXPORT BackgroundCounter {
 public:
  /// @throws InputError for an order above 2
  explicit BackgroundCounter(unsigned order = 0);
  /// Adds records. Words are not counted across letters that are no bases, nor across records. O(residues). Throws
  /// InputError for a set that is not DNA.
  void add(const SequenceSet& text);
  /// @throws InputError if a base, or all words of order + 1 bases, are missing
  Background background(bool both_strands = true) const;

 private:
  unsigned order_ = 0;
  std::vector<double> single_, words_;
};

}  // namespace genocl::pwm
