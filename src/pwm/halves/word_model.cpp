#include "pwm/halves/word_model.hpp"

#include <cstdint>
#include <type_traits>

namespace genocl::pwm {

template <class Weight>
WordModel<Weight>::WordModel(const Background& background, std::size_t length)
    : background_(background), order_(std::is_floating_point_v<Weight> ? background.order() : 0), length_(length) {}

template <class Weight>
Weight WordModel<Weight>::factor(std::size_t letters, std::size_t state, unsigned letter) const {
  if constexpr (std::is_floating_point_v<Weight>) {
    if (letters >= order_) return background_.conditional(static_cast<std::uint32_t>(state), static_cast<Code>(letter));
    // A word shorter than the order is as probable as all those of `order` letters that begin with it.
    if (letters + 1 < std::min<std::size_t>(order_, length_)) return 1;
    const unsigned missing = 2 * (order_ - static_cast<unsigned>(letters) - 1);
    const auto word = static_cast<std::uint32_t>(state * 4 + letter);
    Weight sum = 0;
    for (std::uint32_t rest = 0; rest < 1u << missing; ++rest) sum += background_.start(word << missing | rest);
    return sum;
  } else {
    return 1;
  }
}

template class WordModel<std::uint64_t>;
template class WordModel<double>;

}  // namespace genocl::pwm
