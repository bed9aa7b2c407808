
#include "align/score/score_gpu.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>

#include "align/pipeline.hpp"
#include "align/score/score_cpu.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::align {
namespace {

using runtime::ceil_div;

/// Returns the indices of scores that are at least `limit`, ascending.
std::vector<std::uint64_t> saturated(const Device& device, const DeviceScores& scores, std::uint64_t pairs, int limit) {
  const unsigned size = runtime::group_size(device, {}, 128);
  const std::size_t groups = static_cast<std::size_t>(std::min<std::uint64_t>(ceil_div(pairs, size), 1u << 13));
  for (std::uint32_t capacity = 1u << 12;;) {
    Array<std::uint32_t> found(device, 1);
    const Array<std::uint64_t> places(device, capacity);
    found.fill(0);
    saturated_kernel(device)
        .args(scores, pairs, static_cast<std::int32_t>(limit), found, places, capacity, std::uint64_t{groups} * size)
        .run(groups, size, pairs * 4);
    const std::uint32_t count = found.download().front();
    if (count <= capacity) {
      std::vector<std::uint64_t> list(count);
      places.download(std::span<std::uint64_t>(list));
      std::sort(list.begin(), list.end());
      return list;
    }
    capacity = count;
  }
}

/// Computes the scores of at most Stack::no_query queries.
std::uint64_t score_batch(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                          std::span<const Query> queries, const GpuTuning& tuning, DeviceScores& scores) {
  const std::uint64_t count = chunk.count(), pairs = queries.size() * count;
  const std::int32_t none = 0;
  runtime::fill(device, scores.buffer(), &none, sizeof none, pairs * sizeof none);
  const bool packed = takes_packed_cells(device, tuning);
  const ScoreRange range = score_range(table, queries);
  for (const StackPlan& plan : stacks_of(table, queries, packed))
    run_stack(device, table, chunk, queries, plan, {}, tuning, scores);
  if (!packed) {
    device.finish();
    return 0;
  }
  const int limit = tuning.saturated_from != 0 ? tuning.saturated_from : 32767 - std::max(range.highest, 0);
  const std::vector<std::uint64_t> again = saturated(device, scores, pairs, limit);
  for (std::size_t i = 0; i < again.size();) {
    const std::uint64_t query = again[i] / count;
    std::vector<std::uint32_t> subjects;
    for (; i < again.size() && again[i] / count == query; ++i)
      subjects.push_back(static_cast<std::uint32_t>(again[i] % count));
    // A wide score is at least the saturated narrow score, so raising the stored score gives the correct result.
    const StackPlan plan{Form::wide, {{static_cast<std::uint32_t>(query)}}};
    run_stack(device, table, chunk, queries, plan, subjects, tuning, scores);
  }
  device.finish();
  return again.size();
}

}  // namespace

std::uint64_t score_gpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, const GpuTuning& tuning, DeviceScores& scores) {
  constexpr std::size_t at_once = 4096;
  if (queries.size() <= at_once) {
    if (queries.empty() || chunk.count() == 0) return 0;
    return score_batch(device, table, chunk, queries, tuning, scores);
  }
  std::uint64_t again = 0;
  for (std::size_t first = 0; first < queries.size(); first += at_once) {
    const std::span<const Query> batch = queries.subspan(first, std::min(at_once, queries.size() - first));
    DeviceScores some(device, batch.size() * chunk.count());
    again += score_batch(device, table, chunk, batch, tuning, some);
    scores.copy_from(some, some.size(), 0, first * chunk.count());
  }
  device.finish();
  return again;
}

std::uint64_t score_gpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, DeviceScores& scores) {
  return score_gpu(device, table, chunk, queries, GpuTuning(), scores);
}

namespace {

using runtime::ceil_div;

/// Calls place(query, first lane) for each query of a side; lanes are counted over all strips. Returns the number of
/// lanes.
template <class Place>
std::uint64_t walk_side(const Shape& shape, std::span<const Query> queries, std::span<const std::uint32_t> side,
                        Place&& place) {
  std::uint64_t lane = 0;
  for (const std::uint32_t query : side) {
    if (lane != 0 && lane % shape.lanes == 0) ++lane;
    place(query, lane);
    lane += ceil_div(queries[query].codes.size(), shape.rows);
  }
  return lane;
}

/// Splits queries into two sides of similar length: assigns each, longest first, to the shorter side. Returns the
/// number of rows of the longer side.
std::uint64_t balance(std::span<const Query> queries, std::span<const std::uint32_t> longest_first,
                      std::uint32_t left_out, std::vector<std::vector<std::uint32_t>>& sides) {
  sides.assign(2, {});
  std::uint64_t rows[2] = {0, 0};
  for (const std::uint32_t query : longest_first) {
    if (query == left_out) continue;
    const unsigned side = rows[1] < rows[0];
    sides[side].push_back(query);
    rows[side] += queries[query].codes.size();
  }
  return std::max(rows[0], rows[1]);
}

}  // namespace

std::uint32_t count_strips(const Shape& shape, std::span<const Query> queries,
                           std::span<const std::vector<std::uint32_t>> sides) {
  std::uint64_t lanes = 0;
  for (const auto& side : sides)
    lanes = std::max(lanes, walk_side(shape, queries, side, [](std::uint32_t, std::uint64_t) {}));
  return static_cast<std::uint32_t>(ceil_div(lanes, shape.lanes));
}

std::vector<std::uint32_t> first_rows(std::span<const Query> queries) {
  std::vector<std::uint32_t> first;
  std::uint32_t rows = 0;
  for (const Query& query : queries) {
    first.push_back(rows);
    rows += static_cast<std::uint32_t>(query.codes.size());
  }
  return first;
}

Stack make_stack(const Shape& shape, std::span<const Query> queries,
                 std::span<const std::vector<std::uint32_t>> sides) {
  Stack stack;
  stack.shape = shape;
  stack.strips = count_strips(shape, queries, sides);
  const std::uint64_t strip_rows = shape.strip_rows(), count = query_sides(shape.form);
  stack.roles.resize(std::size_t{stack.strips} * shape.lanes);
  stack.rows.assign(stack.strips * count * strip_rows, Stack::no_row);
  const std::vector<std::uint32_t> profile_rows = first_rows(queries);
  for (std::size_t c = 0; c < sides.size(); ++c) {
    // With one side, both halves of a word belong to it.
    const std::uint32_t bits = count == 1 ? 0xffff'ffffu : 0xffffu << (16 * c);
    walk_side(shape, queries, sides[c], [&](std::uint32_t query, std::uint64_t first) {
      const std::span<const Code> codes = queries[query].codes;
      for (std::uint64_t row = 0; row < codes.size(); row += shape.rows) {
        const std::uint64_t lane = first + row / shape.rows, strip = lane / shape.lanes;
        LaneRole& role = stack.roles[lane];
        if (row != 0) role.keep |= bits;
        role.queries = (role.queries & ~bits) | ((query | query << 16) & bits);
        const std::uint64_t to = (strip * count + c) * strip_rows + lane % shape.lanes * shape.rows;
        const std::uint64_t rows = std::min<std::uint64_t>(shape.rows, codes.size() - row);
        for (std::uint64_t i = 0; i < rows; ++i)
          stack.rows[to + i] = queries[query].profile == nullptr
                                   ? codes[row + i]
                                   : Stack::no_row + 1 + profile_rows[query] + static_cast<std::uint32_t>(row + i);
      }
    });
  }
  return stack;
}

std::vector<StackPlan> plan_stacks(std::span<const Query> queries, bool packed, bool bytes_fit) {
  std::vector<std::uint32_t> longest_first(queries.size());
  std::iota(longest_first.begin(), longest_first.end(), 0u);
  if (!packed) return {{Form::wide, {longest_first}}};
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return queries[a].codes.size() > queries[b].codes.size(); });
  constexpr std::uint32_t nobody = Stack::no_query;
  if (bytes_fit && queries.size() == 1) return {{Form::subjects, {longest_first}}};

  // One query may be processed separately, with two subjects per word, if that balances the two sides. This is the
  // relative cost of its cells.
  constexpr double alone_costs = 1.25;
  std::vector<std::vector<std::uint32_t>> sides;
  std::uint32_t alone = nobody;
  double best = 2.0 * static_cast<double>(balance(queries, longest_first, nobody, sides));
  double all_rows = 0;
  for (const Query& query : queries) all_rows += static_cast<double>(query.codes.size());
  // Many queries are already balanced, and a trial of each would take long.
  if (bytes_fit && best * 0.99 > all_rows) {
    for (const std::uint32_t query : longest_first) {
      const double cost = 2.0 * static_cast<double>(balance(queries, longest_first, query, sides)) +
                          alone_costs * static_cast<double>(queries[query].codes.size());
      if (cost < best * 0.99) {
        best = cost;
        alone = query;
      }
    }
  }
  balance(queries, longest_first, alone, sides);
  std::vector<StackPlan> plans = {{Form::queries, sides}};
  if (alone != nobody) plans.push_back({Form::subjects, {{alone}}});
  return plans;
}

namespace {

/// Returns the maximum number of columns of an alignment with a score above 0. Each letter of the query is matched at
/// most once, and the gap cost is less than the score of all matches. 0: unbounded.
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

/// Compiles a kernel by creating it.
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
  // A strip over this number of columns is a launch of about one second.
  parts.first_giant = first_longer(tuning.giant_subject != 0 ? tuning.giant_subject : std::uint64_t{1} << 20);
  const std::uint64_t overlap =
      count_strips(parts.shape, queries, plan.sides) == 1 ? widest_alignment(table, queries, plan) : 0;
  const auto are_cut = [&](std::size_t count) { return overlap != 0 && lengths[count - 1] > 2 * overlap; };
  parts.by_tiles = parts.first_giant < lengths.size() && !are_cut(lengths.size());
  const std::size_t count = parts.by_tiles ? parts.first_giant : lengths.size();
  // A few lanes process each subject. A subject that is long compared with the share of these lanes would delay the
  // end.
  const double teams = 512.0 / parts.shape.lanes * limits.units * subjects_per_team(parts.shape.form);
  parts.longest = static_cast<std::uint64_t>(0.9 * static_cast<double>(residues) / teams);
  if (tuning.long_subject != 0) parts.longest = tuning.long_subject;
  parts.first_long = std::min(first_longer(parts.longest), count);
  if (parts.first_long == count) return parts;
  if (are_cut(count)) {
    parts.overlap = overlap;
  } else if (const auto wider = shape_of_max_lanes(limits, plan, queries,
                                                   static_cast<double>(lengths[parts.first_long]), parts.shape.lanes)) {
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
  // 128 registers permit four groups of 128 on a multiprocessor.
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
