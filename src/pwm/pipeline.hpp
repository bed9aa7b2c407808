// The steps of a scan, one function each.
#pragma once

#include <memory>

#include "genocl/pwm/scan.hpp"
#include "pwm/device_state.hpp"

namespace genocl::pwm {

/// A way to look for targets, prepared once for a device: tables of all targets.
class Finder {
 public:
  virtual ~Finder() = default;
  /// Whether DeviceText::words is read.
  virtual bool wants_packed() const = 0;
  /// Candidates of targets [first, first + count). `room`: of the array; the caller asks again for fewer targets when
  /// Candidates::count exceeds it. Enqueued on `device`'s queue; returns when the count is known.
  virtual Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                          std::uint64_t room) const = 0;
  /// The same, and candidates are hits: nothing is left to verify but letters that are no bases.
  virtual bool exact() const { return false; }
};

/// `naive`, `lookahead` and `slices`, both families.
std::unique_ptr<Finder> make_naive_finder(const Device& device, std::span<const Target> targets);
std::unique_ptr<Finder> make_lookahead_finder(const Device& device, std::span<const Target> targets);
std::unique_ptr<Finder> make_slices_finder(const Device& device, std::span<const Target> targets);
/// `loss`.
std::unique_ptr<Finder> make_loss_finder_cpu(const Device& device, std::span<const Target> targets);
std::unique_ptr<Finder> make_loss_finder_gpu(const Device& device, std::span<const Target> targets);
std::unique_ptr<Finder> make_finder(const Device& device, std::span<const Target> targets, Method method);

/// Rescoring: what is exact of the candidates, sorted.
DeviceHits verify(const Device& device, const DeviceText& text, const DeviceTargets& targets,
                  const Candidates& candidates);
/// Only how many of each target: counts[target] grows by them.
void count_hits(const Device& device, const DeviceText& text, const DeviceTargets& targets,
                const Candidates& candidates, Array<std::uint64_t>& counts);

}  // namespace genocl::pwm
