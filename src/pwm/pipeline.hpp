// The steps of a scan.
#pragma once

#include <memory>

#include "genocl/pwm/scan.hpp"
#include "pwm/device_state.hpp"

namespace genocl::pwm {

/// Finds candidates of targets; prepared once for a device, with tables of all targets.
class Finder {
 public:
  virtual ~Finder() = default;
  /// Whether it reads DeviceText::words.
  virtual bool wants_packed() const = 0;
  /// Number of targets from `first` on, at most `count`, that one call of find() takes.
  virtual std::uint32_t count_at_once(std::uint32_t /*first*/, std::uint32_t count) const { return count; }
  /// Candidates of targets [first, first + count). Enqueued on `device`'s queue; returns when the count is known. A
  /// candidate's word may pass the end of the text: verify.cl drops it.
  ///
  /// @param capacity  of the result; if Candidates::count exceeds it, the caller repeats with fewer targets
  virtual Candidates find(const Device& device, const DeviceText& text, std::uint32_t first, std::uint32_t count,
                          std::uint64_t capacity) const = 0;
  /// Whether candidates are hits, except for letters that are no bases.
  virtual bool exact() const { return false; }
};

/// `naive`, `naive_matrix`, `lookahead`, `kmp` and `slices`, for both kernel families.
std::unique_ptr<Finder> make_naive_finder(const Device& device, std::span<const Target> targets);
std::unique_ptr<Finder> make_naive_matrix_finder(const Device& device, std::span<const Target> targets);
std::unique_ptr<Finder> make_lookahead_finder(const Device& device, std::span<const Target> targets);
std::unique_ptr<Finder> make_kmp_finder(const Device& device, std::span<const Target> targets);
std::unique_ptr<Finder> make_slices_finder(const Device& device, std::span<const Target> targets);
/// @param first_target  targets before it are not searched
std::unique_ptr<Finder> make_slices_finder(const Device& device, std::span<const Target> targets,
                                           std::uint32_t first_target);
/// The same with tables of 1 to 8 columns. Those that exceed half of the local memory are in global memory, where the
/// entries of four targets for a word are next to each other; CPU kernels always use that layout.
///
/// @throws CapacityError for tables that do not fit into device memory
std::unique_ptr<Finder> make_slices_finder_of(const Device& device, std::span<const Target> targets, unsigned columns);
/// `loss`, for each kernel family.
std::unique_ptr<Finder> make_loss_finder_cpu(const Device& device, std::span<const Target> targets);
std::unique_ptr<Finder> make_loss_finder_gpu(const Device& device, std::span<const Target> targets);
/// @param slice_columns  see ScanOptions
std::unique_ptr<Finder> make_finder(const Device& device, std::span<const Target> targets, Method method,
                                    unsigned slice_columns = 0);

/// Rescoring: the exact hits among the candidates, sorted.
DeviceHits verify(const Device& device, const DeviceText& text, const DeviceTargets& targets,
                  const Candidates& candidates);
/// Adds the number of hits of each target to counts[target].
void count_hits(const Device& device, const DeviceText& text, const DeviceTargets& targets,
                const Candidates& candidates, Array<std::uint64_t>& counts);

}  // namespace genocl::pwm
