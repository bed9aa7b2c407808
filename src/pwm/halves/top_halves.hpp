// Halves of the words that reach a bound, with their letters.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/pwm/score_matrix.hpp"
#include "pwm/halves/half_list.hpp"
#include "pwm/halves/word_model.hpp"
#include "pwm/motif/fixed_point.hpp"

namespace genocl::pwm {

/// Beginnings and ends, with their letters, of all words with Q >= bound. Letters of a column that score alike are one,
/// as heavy as they are together; other words stay apart even where their sums are equal, unless the sums are the
/// scores (FixedPoint::doubt is 0). Those that cannot be completed to such a word are left out. Where words are cut
/// depends on how many of these there are: there should be `ends_per_beginning` times as many ends, but not many more
/// than `most_ends`.
template <class Weight>
struct TopHalves {
  std::size_t length = 0, cut = 0;
  std::vector<HalfList<Weight>> left, right;  ///< [state at the cut]

  TopHalves(const ScoreMatrix& matrix, const FixedPoint& fixed, const WordModel<Weight>& model, std::int64_t bound,
            double ends_per_beginning, std::size_t most_ends);
  std::size_t beginnings() const;
  std::size_t ends() const;
};

/// A half has at most so many letters.
inline constexpr std::size_t most_half_letters = 32;

}  // namespace genocl::pwm
