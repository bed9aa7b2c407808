// Alignments of pairs: computes all tiles to find the ends of the alignments, then traces back through the tiles on
// their paths.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "genocl/opencl.hpp"
#include "pairwise/device_pairs.hpp"
#include "pairwise/pair_batch.hpp"
#include "pairwise/path.hpp"
#include "pairwise/tiles.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::pairwise {
namespace {

using runtime::ceil_div;
using runtime::uses_cpu_kernels;

/// Returns the position of a traceback at the end of the pair's best alignment.
TracePosition trace_start(const TileEnd& end, const TilePlan& plan, const PairScoring& scoring) {
  TracePosition at{.row = end.query_end, .column = end.subject_end, .score = end.score};
  if (scoring.ends.local()) {
    if (end.score == 0) at.state = TracePosition::arrived;
    return at;
  }
  if (at.row == 0 || at.column == 0) at.state = TracePosition::arrived;
  at.score = plan.zero + static_cast<std::int32_t>(std::min(at.row, at.column)) * scoring.highest;
  return at;
}

/// Returns the alignment of a traceback that has arrived. Remaining letters of one sequence become a gap, unless they
/// are free; its steps are added to `steps`.
Alignment alignment_from(const TileEnd& end, const TracePosition& at, const PairEnds& ends,
                         std::vector<std::uint8_t>& steps, std::span<const Code> query, std::span<const Code> subject,
                         const Matrix& matrix) {
  AlignmentCoordinates coordinates{{at.row, end.query_end}, {at.column, end.subject_end}};
  if (!ends.local() && at.row > 0 && !ends.free.query_begin) {
    steps.insert(steps.end(), at.row, step_insertion);
    coordinates.query.begin = 0;
  }
  if (!ends.local() && at.column > 0 && !ends.free.subject_begin) {
    steps.insert(steps.end(), at.column, step_deletion);
    coordinates.subject.begin = 0;
  }
  return alignment_of(end.score, coordinates, steps, query, subject, matrix);
}

/// The traceback of a pair whose borders do not all fit the memory. The borders of some rows of tiles are kept; then
/// each strip between them is treated in the same way, from the lowest one on the path upwards.
class StripTraceback {
 public:
  StripTraceback(const Device& device, const PairScoring& scoring, const BatchLetters& letters, const TilePlan& whole,
                 std::uint64_t border_bytes)
      : device_(device),
        shape_(tile_shape(device)),
        scoring_(scoring),
        letters_(letters),
        whole_(whole),
        border_bytes_(border_bytes) {}

  /// Traces back to the beginning of the alignment. The position is counted within the pair.
  void run(TracePosition& at) {
    steps_.clear();
    if (at.state == TracePosition::arrived) return;
    TracePosition inside = at;
    trace_strip(inside, 0, nullptr, border_bytes_);
    at = inside;
  }
  const std::vector<std::uint8_t>& steps() const noexcept { return steps_; }

 private:
  /// Traces `at` through the strip that begins after row `above` of the pair, below the border `top` (H and F of each
  /// column). Rows are counted within the strip.
  void trace_strip(TracePosition& at, std::uint32_t above, const cl::Buffer* top, std::uint64_t bytes) {
    TilePlan plan{.query = whole_.query + above,
                  .subject = whole_.subject,
                  .query_length = at.row,
                  .subject_length = at.column,
                  .row_step = 1,
                  .keep_columns = 1,
                  .has_top = top != nullptr ? 1u : 0u,
                  .above = above,
                  .free = whole_.free,
                  .zero = whole_.zero};
    const std::uint32_t rows = shape_.rows_of(plan);
    std::uint64_t elements = place_borders(shape_, plan, 0);
    const bool keeps_all = elements * border_element <= bytes || rows == 1;
    if (!keeps_all) {
      // Half of the memory is for this level of the recursion, the rest for the levels below.
      const std::uint64_t row_bytes = plan.subject_length * border_element;
      const std::uint64_t kept = std::clamp<std::uint64_t>(bytes / 2 / row_bytes, 4, rows + 2) - 2;
      plan.row_step = std::max(2u, static_cast<std::uint32_t>(ceil_div(rows, kept)));
      if (plan.row_step >= rows) plan.row_step = static_cast<std::uint32_t>(ceil_div(rows, 2));
      plan.keep_columns = 0;
      elements = place_borders(shape_, plan, 0);
    }
    const runtime::Scratch borders = border_memory(device_, {&plan, 1}, elements);
    if (top != nullptr)  // slot 1, see place_borders()
      runtime::copy(device_, *top, 0, borders.buffer(), slot_bytes(plan, 1), plan.subject_length * border_element);
    compute_tiles(device_, scoring_, letters_.queries.buffer(), letters_.subjects.buffer(), {&plan, 1},
                  borders.buffer(), {.ends = false});
    if (keeps_all) {
      trace(at, plan, borders);
      return;
    }
    // Each strip takes its top border from the memory of this level and has the rest for its own.
    const std::uint64_t left = bytes - std::min(bytes, elements * border_element);
    const std::uint32_t strip_rows = plan.row_step * shape_.rows;
    while (at.state != TracePosition::arrived && at.row > 0) {
      const std::uint32_t strip = (at.row - 1) / strip_rows, before = strip * strip_rows;
      at.row -= before;
      if (strip == 0 && top == nullptr) {
        trace_strip(at, above, nullptr, left);
      } else {
        const std::size_t top_bytes = at.column * border_element;
        const runtime::Scratch own_top(device_, top_bytes);
        runtime::copy(device_, borders.buffer(), slot_bytes(plan, 1 + strip), own_top.buffer(), 0, top_bytes);
        trace_strip(at, above + before, &own_top.buffer(), left);
      }
      at.row += before;
    }
  }

  std::size_t slot_bytes(const TilePlan& plan, std::uint64_t slot) const {
    return static_cast<std::size_t>((plan.rows + slot * plan.subject_length) * border_element);
  }

  void trace(TracePosition& at, const TilePlan& plan, const runtime::Scratch& borders) {
    const runtime::Scratch paths(device_, std::uint64_t{at.row} + at.column);
    at.steps = 0;
    trace_tiles(device_, scoring_, letters_.queries.buffer(), letters_.subjects.buffer(), {&plan, 1}, borders.buffer(),
                {&at, 1}, paths.buffer());
    const std::size_t before = steps_.size();
    steps_.resize(before + at.steps);
    if (at.steps > 0) runtime::download(device_, paths.buffer(), 0, steps_.data() + before, at.steps);
  }

  const Device& device_;
  const TileShape shape_;
  const PairScoring& scoring_;
  const BatchLetters& letters_;
  const TilePlan whole_;
  const std::uint64_t border_bytes_;
  std::vector<std::uint8_t> steps_;
};

/// Returns the number of tiles that the traceback computes at a time: if a warp computes each, those that the path is
/// likely to enter next.
std::size_t concurrent_tiles(const Device& device, const TileShape& shape) {
  return device.has_ptx() && shape.group_size == 32 ? 4 : 1;
}

}  // namespace

void trace_tiles(const Device& device, const PairScoring& scoring, const cl::Buffer& queries,
                 const cl::Buffer& subjects, std::span<const TilePlan> plans, const cl::Buffer& borders,
                 std::span<TracePosition> positions, const cl::Buffer& paths) {
  const TileShape shape = tile_shape(device);
  const runtime::Scratch plan_memory = upload_scratch(device, plans);
  struct DevicePosition {
    std::uint32_t row, column, state, steps;
  };
  static_assert(sizeof(DevicePosition) == sizeof(cl_uint4));  // the type in the kernels
  std::vector<DevicePosition> device_positions;
  std::vector<std::int32_t> values, scores;
  for (const TracePosition& at : positions) {
    device_positions.push_back({at.row, at.column, at.state, at.steps});
    values.push_back(at.value);
    scores.push_back(at.score);
  }
  const runtime::Scratch position_memory = upload_scratch(device, std::span<const DevicePosition>(device_positions));
  if (uses_cpu_kernels(device)) {
    const std::size_t workers =
        std::min<std::size_t>(positions.size(), std::size_t{4} * std::max(1u, device.info().compute_units));
    const runtime::Scratch value_memory = upload_scratch(device, std::span<const std::int32_t>(values));
    const runtime::Scratch score_memory = upload_scratch(device, std::span<const std::int32_t>(scores));
    const runtime::Scratch profiles(device, workers * shape.rows * scoring_codes * sizeof(std::uint32_t));
    const runtime::Scratch kept(device, workers * shape.rows * shape.columns * sizeof(std::uint32_t));
    for (const int wide : {0, 1}) {
      runtime::Kernel(device, "pairwise/trace_cpu.cl", "trace_cpu",
                      tile_defines(device, shape, scoring.ends).set("WIDE", wide))
          .args(queries, subjects, scoring.matrix, plan_memory, borders, position_memory, value_memory, score_memory,
                paths, profiles, kept, static_cast<std::uint32_t>(positions.size()), scoring.letters, scoring.highest,
                scoring.gap_first, scoring.gap_extend)
          .run(workers, 1);
      runtime::download(device, position_memory.buffer(), 0, device_positions.data(),
                        device_positions.size() * sizeof(DevicePosition));
      if (std::ranges::all_of(device_positions, [](const DevicePosition& at) {
            return at.state == TracePosition::arrived || at.row == 0;
          }))
        break;
    }
    runtime::download(device, value_memory.buffer(), 0, values.data(), values.size() * sizeof(std::int32_t));
  } else {
    const std::size_t tiles = concurrent_tiles(device, shape);
    runtime::Kernel(device, "pairwise/trace_gpu.cl", "trace_gpu",
                    tile_defines(device, shape, scoring.ends).set("TILES", static_cast<unsigned>(tiles)))
        .args(queries, subjects, scoring.matrix, plan_memory, borders, position_memory, paths, scoring.gap_first,
              scoring.gap_extend)
        .run(positions.size(), shape.group_size * tiles);
  }
  runtime::download(device, position_memory.buffer(), 0, device_positions.data(),
                    device_positions.size() * sizeof(DevicePosition));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i].row = device_positions[i].row;
    positions[i].column = device_positions[i].column;
    positions[i].state = device_positions[i].state;
    positions[i].steps = device_positions[i].steps;
    positions[i].value = values[i];
  }
}

std::vector<Alignment> align_on_device(const Device& device, const Matrix& matrix, const GapPenalty& gap, Texts queries,
                                       Texts subjects, std::uint64_t border_bytes, const PairEnds& pair_ends) {
  // A pair that is too long for the automatic limit may use more memory: less means another pass through it.
  const DeviceInfo& info = device.info();
  const std::uint64_t strip_bytes =
      border_bytes != 0 ? border_bytes
                        : std::min({runtime::usable_memory(device) / 4, info.max_allocation, std::uint64_t{8} << 30});
  border_bytes = border_bytes_for(device, border_bytes);
  const TileShape shape = tile_shape(device);
  const PairScoring scoring(device, matrix, gap, pair_ends);
  std::vector<Alignment> found(queries.size());
  if (!pair_ends.local())
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!queries[i].empty() && !subjects[i].empty()) continue;
      const TileEnd end = border_end(pair_ends, gap, static_cast<std::uint32_t>(queries[i].size()),
                                     static_cast<std::uint32_t>(subjects[i].size()))
                              .end;
      std::vector<std::uint8_t> steps;
      found[i] = alignment_from(end, {.row = end.query_end, .column = end.subject_end}, pair_ends, steps, queries[i],
                                subjects[i], matrix);
    }
  for (std::size_t first = 0; first < queries.size();) {
    PairBatch batch = next_batch(shape, scoring, queries, subjects, first, border_bytes, true);
    first = batch.end;
    if (batch.pairs.empty()) continue;
    const BatchLetters letters(device, queries, subjects, batch);
    const bool all_kept = batch.plans.front().keep_columns != 0;
    std::vector<TileEnd> ends;
    std::vector<TracePosition> positions;
    std::vector<std::uint8_t> steps, own;
    {
      const runtime::Scratch borders = border_memory(device, batch.plans, batch.border_elements);
      ends = compute_tiles(device, scoring, letters.queries.buffer(), letters.subjects.buffer(), batch.plans,
                           borders.buffer());
      for (std::size_t i = 0; i < ends.size(); ++i) {
        ends[i] = best_end(ends[i], batch.plans[i], scoring);
        positions.push_back(trace_start(ends[i], batch.plans[i], scoring));
      }
      if (all_kept) {
        const runtime::Scratch paths(device, batch.path_bytes);
        trace_tiles(device, scoring, letters.queries.buffer(), letters.subjects.buffer(), batch.plans, borders.buffer(),
                    positions, paths.buffer());
        steps.resize(batch.path_bytes);
        runtime::download(device, paths.buffer(), 0, steps.data(), steps.size());
      }
    }
    if (!all_kept) {
      StripTraceback traceback(device, scoring, letters, batch.plans.front(), strip_bytes);
      traceback.run(positions.front());
      steps = traceback.steps();
      positions.front().steps = static_cast<std::uint32_t>(steps.size());
    }
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      const std::size_t pair = batch.pairs[i];
      const std::uint8_t* const of_pair = steps.data() + (all_kept ? batch.plans[i].path : 0);
      own.assign(of_pair, of_pair + positions[i].steps);
      found[pair] = alignment_from(ends[i], positions[i], pair_ends, own, queries[pair], subjects[pair], matrix);
    }
  }
  return found;
}

}  // namespace genocl::pairwise
