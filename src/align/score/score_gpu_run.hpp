// Computes stacks of queries against a chunk on the device (see score_gpu.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/on_device.hpp"
#include "align/score/score_gpu_stack.hpp"

namespace genocl::align {

/// For tests and measurements; what is 0 is chosen.
struct GpuTuning {
  enum class Cells : std::uint8_t { automatic, wide, packed };
  Cells cells = Cells::automatic;  ///< packed on a device without packed instructions: slow, exact
  unsigned lanes = 0, rows = 0;    ///< of the shape
  unsigned group_size = 0;
  unsigned registers = 0;            ///< limit for each work-item (NVIDIA)
  std::uint64_t border_letters = 0;  ///< subjects' letters in a launch at most, where there are borders
  std::uint64_t launch_cells = 0;    ///< cells of a launch, about
  int saturated_from = 0;            ///< 16-bit scores that are computed again
  std::uint64_t giant_subject = 0;   ///< subjects longer than this are scored by tiles, unless they can be cut
  std::uint64_t long_subject = 0;    ///< subjects longer than this get more lanes or are cut
};

/// What bounds the shapes on a device, for a scoring.
struct GroupLimits {
  GpuTuning tuning;
  unsigned classes = 0;  ///< of subject letters, without the pad
  std::uint64_t local_memory = 0;
  unsigned group_size = 128;
  unsigned units = 1;  ///< compute units
  double clock_hz = 1e9;
  bool warps = false;     ///< the kernel for NVIDIA's GPUs
  bool may_fold = false;  ///< the last class scores with no letter of the queries above 0

  unsigned least_lanes() const { return tuning.lanes == 2 ? 2 : 4; }
  /// Blocks of four columns reach lanes * 4 letters in front of a subject: no more than the pads that stand there.
  unsigned most_lanes() const { return warps ? 32 : 16; }
};
GroupLimits group_limits(const Device& device, const ScoringTable& table, std::span<const Query> queries, Form form,
                         const GpuTuning& tuning);

/// The shape that takes least time for subjects of that mean length. Throws CapacityError when the local memory is too
/// small for any.
Shape choose_shape(const GroupLimits& limits, const StackPlan& plan, std::span<const Query> queries,
                   double mean_length);
/// The same of as many lanes as possible; empty when those are not more than that.
std::optional<Shape> shape_of_most_lanes(const GroupLimits& limits, const StackPlan& plan,
                                         std::span<const Query> queries, double mean_length, unsigned more_than);

/// Raises scores[q * count + s] to what the stack's queries reach with the subjects of the chunk; `subjects`: with
/// these only, ascending (empty: all). Enqueues.
void run_stack(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
               std::span<const Query> queries, const StackPlan& plan, std::span<const std::uint32_t> subjects,
               const GpuTuning& tuning, DeviceScores& scores);

/// score_gpu (steps.hpp) with choices.
std::uint64_t score_gpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, const GpuTuning& tuning, DeviceScores& scores);

}  // namespace genocl::align
