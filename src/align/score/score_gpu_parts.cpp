#include "align/score/score_gpu_parts.hpp"

#include <algorithm>
#include <array>

#include "align/score/query_rows.hpp"
#include "align/steps.hpp"
#include "runtime/launch.hpp"

namespace genocl::align {
namespace {

/// More columns than this no alignment with a score above 0 spans: each letter of the query can be matched once, and
/// what gaps cost must be less than all matches can score. 0: no such bound.
std::uint64_t widest_alignment(const ScoringTable& table, std::span<const Query> queries, const StackPlan& plan) {
  if (table.gap.extend == 0) return 0;
  std::array<int, 32> highest{};
  for (unsigned code = 0; code < alphabet_size(table.matrix.alphabet()); ++code)
    for (unsigned letter = 0; letter < table.classes(); ++letter)
      highest[code] = std::max(highest[code], table.score(static_cast<Code>(code), letter));
  std::uint64_t widest = 0;
  for (const auto& side : plan.sides)
    for (const std::uint32_t query : side) {
      std::uint64_t sum = 0;
      if (queries[query].profile == nullptr)
        for (const Code code : queries[query].codes) sum += static_cast<std::uint64_t>(highest[code & 31]);
      else
        sum = static_cast<std::uint64_t>(std::max(0, queries[query].profile->highest())) * queries[query].codes.size();
      widest = std::max(widest, queries[query].codes.size() + sum / static_cast<unsigned>(table.gap.extend) + 1);
    }
  return widest;
}

runtime::Defines defines_of(const ScoringTable& table, const GroupLimits& limits, const Shape& shape) {
  runtime::Defines defines;
  defines.set("FORM", static_cast<int>(shape.form)).set("LANES", shape.lanes).set("ROWS", shape.rows);
  defines.set("LETTERS", table.classes() + (shape.folded ? 0u : 1u)).set("FOLD_PAD", shape.folded ? 1 : 0);
  defines.set("FORM_WIDE", static_cast<int>(Form::wide)).set("FORM_QUERIES", static_cast<int>(Form::queries));
  defines.set("FORM_SUBJECTS", static_cast<int>(Form::subjects)).set("NO_QUERY", Stack::no_query);
  defines.set("GAP_FIRST", table.gap.first()).set("GAP_EXTEND", table.gap.extend);
  defines.set("GROUP_SIZE", limits.group_size).set("ONLY_GPU", 1);
  return defines;
}

/// A kernel compiles when it is made.
void compile(const Device& device, const ScoringTable& table, const GroupLimits& limits, const Shape& shape,
             std::span<const Query> queries, const StackPlan& plan) {
  (void)profile_kernel(device, table, limits, shape);
  (void)stack_kernel(device, table, limits, shape, count_strips(shape, queries, plan.sides) > 1);
}

}  // namespace

StackParts parts_of(const GroupLimits& limits, const ScoringTable& table, std::span<const Query> queries,
                    const StackPlan& plan, std::span<const std::uint32_t> lengths, std::uint64_t residues) {
  const GpuTuning& tuning = limits.tuning;
  const auto first_longer = [&](std::uint64_t length) {
    return static_cast<std::size_t>(std::upper_bound(lengths.begin(), lengths.end(), length) - lengths.begin());
  };
  StackParts parts;
  parts.shape =
      choose_shape(limits, plan, queries, static_cast<double>(residues) / static_cast<double>(lengths.size()));
  parts.long_shape = parts.shape;
  // A strip over as many columns is a launch of about a second.
  parts.first_giant = first_longer(tuning.giant_subject != 0 ? tuning.giant_subject : std::uint64_t{1} << 20);
  const std::uint64_t overlap =
      count_strips(parts.shape, queries, plan.sides) == 1 ? widest_alignment(table, queries, plan) : 0;
  const auto are_cut = [&](std::size_t count) { return overlap != 0 && lengths[count - 1] > 2 * overlap; };
  parts.by_tiles = parts.first_giant < lengths.size() && !are_cut(lengths.size());
  const std::size_t count = parts.by_tiles ? parts.first_giant : lengths.size();
  // A subject is the work of a few lanes. One that is long beside what falls to each lane would hold up the end.
  const double teams = 512.0 / parts.shape.lanes * limits.units * subjects_per_team(parts.shape.form);
  parts.longest = static_cast<std::uint64_t>(0.9 * static_cast<double>(residues) / teams);
  if (tuning.long_subject != 0) parts.longest = tuning.long_subject;
  parts.first_long = std::min(first_longer(parts.longest), count);
  if (parts.first_long == count) return parts;
  if (are_cut(count)) {
    parts.overlap = overlap;
  } else if (const auto wider = shape_of_most_lanes(
                 limits, plan, queries, static_cast<double>(lengths[parts.first_long]), parts.shape.lanes)) {
    parts.long_shape = *wider;
  }
  return parts;
}

runtime::Kernel profile_kernel(const Device& device, const ScoringTable& table, const GroupLimits& limits,
                               const Shape& shape) {
  runtime::Defines defines = defines_of(table, limits, shape);
  defines.set("GROUP_SIZE", runtime::group_size(device, {}, 128)).set("MATRIX_LETTERS", matrix_letters);
  return {device, "align/score/score_gpu_profile.cl", "make_profiles", defines};
}

runtime::Kernel stack_kernel(const Device& device, const ScoringTable& table, const GroupLimits& limits,
                             const Shape& shape, bool borders) {
  runtime::Defines defines = defines_of(table, limits, shape);
  if (!limits.warps) return {device, "align/score/score_gpu.cl", "score_gpu", defines};
  defines.set("BORDERS", borders ? 1 : 0);
  // 128: four groups of 128 on a multiprocessor.
  defines.limit_registers(limits.tuning.registers != 0 ? limits.tuning.registers : 128);
  return {device, "align/score/score_gpu_warps.cl", "score_gpu_warps", defines};
}

runtime::Kernel saturated_kernel(const Device& device) {
  runtime::Defines defines;
  defines.set("GROUP_SIZE", runtime::group_size(device, {}, 128)).set("ONLY_GPU", 1);
  return {device, "align/score/list_saturated.cl", "list_saturated", defines};
}

bool takes_packed_cells(const Device& device, const GpuTuning& tuning) {
  if (tuning.cells != GpuTuning::Cells::automatic) return tuning.cells == GpuTuning::Cells::packed;
  return device.has_ptx() || device.tuning().packed_scores;
}

std::vector<StackPlan> stacks_of(const ScoringTable& table, std::span<const Query> queries, bool packed) {
  return plan_stacks(queries, packed, score_range(table, queries).highest + table.gap.first() <= 127);
}

void compile_score_gpu(const Device& device, const ScoringTable& table, std::span<const Query> queries,
                       std::span<const std::uint32_t> lengths, std::uint64_t residues) {
  if (queries.empty() || lengths.empty()) return;
  for (const StackPlan& plan : stacks_of(table, queries, takes_packed_cells(device, {}))) {
    const GroupLimits limits = group_limits(device, table, queries, plan.form, {});
    const StackParts parts = parts_of(limits, table, queries, plan, lengths, residues);
    compile(device, table, limits, parts.shape, queries, plan);
    if (!(parts.long_shape == parts.shape)) compile(device, table, limits, parts.long_shape, queries, plan);
  }
}

}  // namespace genocl::align
