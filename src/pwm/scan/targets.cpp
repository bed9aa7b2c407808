#include "pwm/on_device.hpp"

#include <algorithm>

namespace genocl::pwm {

double Target::score(std::span<const Code> word) const {
  if (!reverse) return scores->score(word);
  double sum = 0;
  for (std::size_t i = scores->length(); i-- > 0;) sum += (*scores)(i, word[i]);
  return sum;
}

// Rounding keeps order: as the best letters' sum is made as every word's is, none is above it.
double Target::highest() const {
  if (!reverse) return scores->highest();
  double sum = 0;
  for (std::size_t i = scores->length(); i-- > 0;) sum += *std::ranges::max_element(scores->columns()[i]);
  return sum;
}

DeviceTargets upload_targets(const Device& device, std::span<const Target> targets) {
  DeviceTargets result;
  result.targets.assign(targets.begin(), targets.end());
  if (!device.info().fp64) return result;
  std::vector<std::uint32_t> first, length;
  std::vector<std::int32_t> step;
  std::vector<double> scores, threshold;
  for (const Target& target : targets) {
    first.push_back(static_cast<std::uint32_t>(scores.size() / 4));
    length.push_back(static_cast<std::uint32_t>(target.scores->length()));
    step.push_back(target.reverse ? -1 : 1);
    const std::size_t columns = target.scores->length();
    for (std::size_t i = 0; i < columns; ++i) {
      const std::array<double, 4>& column = target.scores->columns()[target.reverse ? columns - 1 - i : i];
      scores.insert(scores.end(), column.begin(), column.end());
    }
    threshold.push_back(target.threshold);
  }
  result.first = Array<std::uint32_t>(device, std::span<const std::uint32_t>(first));
  result.length = Array<std::uint32_t>(device, std::span<const std::uint32_t>(length));
  result.step = Array<std::int32_t>(device, std::span<const std::int32_t>(step));
  result.scores = Array<double>(device, std::span<const double>(scores));
  result.threshold = Array<double>(device, std::span<const double>(threshold));
  return result;
}

}  // namespace genocl::pwm
