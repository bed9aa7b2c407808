// How the subjects of a chunk are shared by launches, and the programs of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/score/score_gpu_run.hpp"
#include "runtime/kernel.hpp"

namespace genocl::align {

/// Letters of a row of the matrix that profiles are made from.
constexpr unsigned matrix_letters = 32;

/// Subjects [0, first_long) are the work of a few lanes each. Those from there on would hold up the end, so they get
/// more lanes, or are cut into stretches.
struct StackParts {
  Shape shape;                  ///< of most launches, of stretches too
  Shape long_shape;             ///< of long subjects that are not cut
  std::size_t first_giant = 0;  ///< a subject from there on, if it is not cut, takes tiles
  bool by_tiles = false;        ///< whether all of those do
  std::size_t first_long = 0;
  std::uint64_t longest = 0;  ///< letters of a subject that is not long
  std::uint64_t overlap = 0;  ///< of the stretches that long subjects are cut into; 0: they are not cut
};

/// `lengths`: of the subjects, ascending; `residues`: of all of them.
StackParts parts_of(const GroupLimits& limits, const ScoringTable& table, std::span<const Query> queries,
                    const StackPlan& plan, std::span<const std::uint32_t> lengths, std::uint64_t residues);

/// Makes the profiles of strips.
runtime::Kernel profile_kernel(const Device& device, const ScoringTable& table, const GroupLimits& limits,
                               const Shape& shape);
/// Scores stacks of that shape; `borders`: of more than one strip.
runtime::Kernel stack_kernel(const Device& device, const ScoringTable& table, const GroupLimits& limits,
                             const Shape& shape, bool borders);

/// Lists the places of high scores.
runtime::Kernel saturated_kernel(const Device& device);

/// Whether 16-bit pairs are instructions of the device that a kernel can reach, unless the tuning says what is taken.
bool takes_packed_cells(const Device& device, const GpuTuning& tuning);
/// The stacks of these queries.
std::vector<StackPlan> stacks_of(const ScoringTable& table, std::span<const Query> queries, bool packed);

/// Compiles what score_gpu() launches for these queries, but for what overflows. For a thread beside the one that
/// brings the chunk.
void compile_score_gpu(const Device& device, const ScoringTable& table, std::span<const Query> queries,
                       std::span<const std::uint32_t> lengths, std::uint64_t residues);

}  // namespace genocl::align
