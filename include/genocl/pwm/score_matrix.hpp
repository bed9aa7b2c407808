// Score matrices: the score of each letter at each position.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/pwm/background.hpp"
#include "genocl/pwm/motif.hpp"

namespace genocl::pwm {

struct LogOddsOptions {
  double pseudocount = 1;  ///< for a column in total, distributed by the background
  double base = 2;         ///< of the logarithm; e = 2.718281828459045
  Background background = {};
};

/// The score of a word is the sum of its letters' scores, added from the first position to the last in double:
/// exactly this sum decides whether a word is a hit, on every device. On the reverse strand the word is the reverse
/// complement of the text, scored in the same order of columns: a word has the same score on both strands, to the
/// last bit.
class GENOCL_EXPORT ScoreMatrix {
 public:
  static constexpr std::size_t longest = 128;

  /// @throws InputError for no column, more than `longest`, or a NaN score (minus infinity is allowed: such a letter
  ///   never occurs in a hit)
  ScoreMatrix(std::string id, std::string alt_id, std::vector<std::array<double, 4>> scores);

  const std::string& id() const noexcept { return id_; }
  const std::string& alt_id() const noexcept { return alt_id_; }
  std::size_t length() const noexcept { return scores_.size(); }
  double operator()(std::size_t position, Code letter) const { return scores_[position][letter]; }
  std::span<const std::array<double, 4>> columns() const noexcept { return {scores_.data(), scores_.size()}; }
  /// The score of a word of length() codes below 4.
  double score(std::span<const Code> word) const;
  /// Sums of the columns' extremes, in the order of score().
  double highest() const;
  double lowest() const;
  /// Scores of the other strand's words: column i is column length() - 1 - i with complemented letters. Its score()
  /// adds in the other order. It may differ in the last bit from this matrix's score() of the reverse complement,
  /// which a scan uses.
  ScoreMatrix reverse_complement() const;

  friend bool operator==(const ScoreMatrix&, const ScoreMatrix&) = default;

 private:
  std::string id_, alt_id_;
  std::vector<std::array<double, 4>> scores_;
};

/// log((count + pseudocount * bg) / (sum + pseudocount) / bg). Throws InputError for a negative pseudocount, a base
/// that is not above 1, a motif of more than 128 columns (with its id).
GENOCL_EXPORT ScoreMatrix log_odds(const Motif& motif, const LogOddsOptions& options = {});

}  // namespace genocl::pwm
