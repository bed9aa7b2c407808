#include "pwm/on_device.hpp"

namespace genocl::pwm {

DeviceTargets upload_targets(const Device& device, std::span<const Target> targets) {
  DeviceTargets result;
  result.targets.assign(targets.begin(), targets.end());
  if (!device.info().fp64) return result;
  std::vector<std::uint32_t> first, length;
  std::vector<double> scores, threshold;
  for (const Target& target : targets) {
    first.push_back(static_cast<std::uint32_t>(scores.size() / 4));
    length.push_back(static_cast<std::uint32_t>(target.scores->length()));
    for (const std::array<double, 4>& column : target.scores->columns())
      scores.insert(scores.end(), column.begin(), column.end());
    threshold.push_back(target.threshold);
  }
  result.first = Array<std::uint32_t>(device, std::span<const std::uint32_t>(first));
  result.length = Array<std::uint32_t>(device, std::span<const std::uint32_t>(length));
  result.scores = Array<double>(device, std::span<const double>(scores));
  result.threshold = Array<double>(device, std::span<const double>(threshold));
  return result;
}

}  // namespace genocl::pwm
