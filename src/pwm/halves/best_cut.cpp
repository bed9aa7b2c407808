#include "pwm/halves/best_cut.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "pwm/halves/letter_classes.hpp"

namespace genocl::pwm {

Cut best_cut(std::span<const double> letters, std::size_t first, std::size_t last, double states) {
  Cut best{first, std::numeric_limits<double>::infinity()};
  for (std::size_t at = first; at <= last; ++at) {
    double left = 1, right = at == letters.size() ? 1 : states;
    for (std::size_t i = 0; i < letters.size(); ++i) (i < at ? left : right) *= letters[i];
    const double sums = std::max(left, right);
    if (sums < best.sums) best = {at, sums};
  }
  return best;
}

Cut best_cut(const FixedPoint& matrix, unsigned order) {
  std::vector<double> letters;
  for (const auto& column : matrix.columns) {
    // In a Markov model letters that score alike stay apart: they lead to different states.
    const auto possible =
        std::count_if(column.begin(), column.end(), [](std::int64_t q) { return q != FixedPoint::impossible; });
    letters.push_back(order == 0 ? letter_classes(column, column).count : static_cast<double>(possible));
  }
  return best_cut(letters, std::min<std::size_t>(order, letters.size()), letters.size(),
                  std::ldexp(1.0, 2 * static_cast<int>(order)));
}

}  // namespace genocl::pwm
