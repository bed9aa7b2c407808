// Scores of queries with the subjects of a chunk by the kernels of the family `gpu`.
//
// Queries are stacked on the lanes of work-groups (score_gpu_stack.hpp), two sides of them where words hold two
// cells of 16 bits, and go through the chunk once for each strip of the stack (score_gpu_run.cpp). Pairs whose 16-bit
// score may have wrapped round are computed again in 32 bits.
#include <algorithm>
#include <map>
#include <string>

#include "align/score/query_rows.hpp"
#include "align/score/score_gpu_parts.hpp"
#include "align/steps.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::align {
namespace {

using runtime::ceil_div;

/// Places of scores that are `limit` or more, ascending.
std::vector<std::uint64_t> saturated(const Device& device, const DeviceScores& scores, std::uint64_t pairs, int limit) {
  const unsigned size = runtime::group_size(device, {}, 128);
  const std::size_t groups = static_cast<std::size_t>(std::min<std::uint64_t>(ceil_div(pairs, size), 1u << 13));
  for (std::uint32_t room = 1u << 12;;) {
    Array<std::uint32_t> found(device, 1);
    const Array<std::uint64_t> places(device, room);
    found.fill(0);
    saturated_kernel(device)
        .args(scores, pairs, static_cast<std::int32_t>(limit), found, places, room, std::uint64_t{groups} * size)
        .run(groups, size, pairs * 4);
    const std::uint32_t count = found.download().front();
    if (count <= room) {
      std::vector<std::uint64_t> list(count);
      places.download(std::span<std::uint64_t>(list));
      std::sort(list.begin(), list.end());
      return list;
    }
    room = count;
  }
}

/// Scores at most Stack::no_query queries.
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
    // Wide scores are no less than what the narrow cells have reached, so these are raised to them.
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

}  // namespace genocl::align
