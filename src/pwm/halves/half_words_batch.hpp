// The half words of many matrices on a device: cl/pwm/halves/half_words_batch.cl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "pwm/halves/letter_classes.hpp"

namespace genocl::pwm {

/// All halves are grown at once, a launch for each column of the longest. Takes bytes_per_word for each half word.
class BatchedHalves {
 public:
  static constexpr std::size_t longest_half = 15;
  /// Sum, weight, word, the weights before; and sum, weight, word of the level before, of which there are at most as
  /// many.
  static constexpr std::uint64_t bytes_per_word = 8 + 4 + 4 + 8 + 16;

  /// halves[l]: the columns of half l, at most longest_half.
  BatchedHalves(const Device& device, std::span<const std::vector<LetterClasses>> halves);

  /// Half l is [first(l), first(l + 1)) of all half words, by ascending sum.
  std::uint64_t first(std::size_t half) const { return first_[half]; }
  const Array<std::int64_t>& sum() const { return words_.sum; }
  const Array<std::uint32_t>& weight() const { return words_.weight; }
  /// Letters of the first column highest.
  const Array<std::uint32_t>& word() const { return words_.word; }
  /// [i]: weights of the first i half words of all.
  const Array<std::uint64_t>& weight_before() const { return before_; }

 private:
  struct Words {
    Array<std::int64_t> sum;
    Array<std::uint32_t> weight, word;
  };

  std::vector<std::uint64_t> first_;
  Words words_;
  Array<std::uint64_t> before_;
};

}  // namespace genocl::pwm
