// Alignments of pairs: forwards for the end of the best one, then back through the tiles on its path.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "align/pairs/pair_batch.hpp"
#include "align/pairs/path.hpp"
#include "align/pairs/tiles.hpp"
#include "align/steps.hpp"
#include "genocl/opencl.hpp"
#include "runtime/launch.hpp"
#include "runtime/memory/transfer.hpp"

namespace genocl::align {
namespace {

using runtime::ceil_div;

constexpr std::uint64_t element = 8;

/// From where the best alignment of a pair ends.
Walk walk_from(const TileEnd& end, const TilePlan& plan, const PairScoring& scoring) {
  Walk walk{.row = end.query_end, .column = end.subject_end, .score = end.score};
  if (scoring.ends.local()) {
    if (end.score == 0) walk.state = Walk::arrived;
    return walk;
  }
  if (walk.row == 0 || walk.column == 0) walk.state = Walk::arrived;
  walk.score = plan.zero + static_cast<std::int32_t>(std::min(walk.row, walk.column)) * scoring.highest;
  return walk;
}

/// The alignment that a walk has come to the beginning of; what is left of one sequence then is a gap, unless it is
/// free. `steps` gets that too.
Alignment alignment_from(const TileEnd& end, const Walk& walk, const PairEnds& ends, std::vector<std::uint8_t>& steps,
                         std::span<const Code> query, std::span<const Code> subject, const Matrix& matrix) {
  PathPlace place{walk.row, end.query_end, walk.column, end.subject_end};
  if (!ends.local() && walk.row > 0 && !ends.free.query_begin) {
    steps.insert(steps.end(), walk.row, step_insertion);
    place.query_begin = 0;
  }
  if (!ends.local() && walk.column > 0 && !ends.free.subject_begin) {
    steps.insert(steps.end(), walk.column, step_deletion);
    place.subject_begin = 0;
  }
  return alignment_of(end.score, place, steps, query, subject, matrix);
}

/// The way back through a pair whose borders do not fit the memory for them all together: first those of some rows of
/// tiles are kept, then each strip between them is treated in the same way, beginning with the lowest one that the path
/// passes through.
class LongWay {
 public:
  LongWay(const Device& device, const PairScoring& scoring, const BatchLetters& letters, const TilePlan& whole,
          std::uint64_t border_bytes)
      : device_(device),
        shape_(tile_shape(device)),
        scoring_(scoring),
        letters_(letters),
        whole_(whole),
        border_bytes_(border_bytes) {}

  /// Until it has arrived; counted within the pair.
  void go(Walk& walk) {
    steps_.clear();
    if (walk.state == Walk::arrived) return;
    Walk inside = walk;
    go_through(inside, 0, nullptr, border_bytes_);
    walk = inside;
  }
  const std::vector<std::uint8_t>& steps() const noexcept { return steps_; }

 private:
  /// `walk` stands within the strip that begins above row `above` of the pair, below the border `top` (H and F for each
  /// column), and leaves it. Rows are counted within the strip.
  void go_through(Walk& walk, std::uint32_t above, const cl::Buffer* top, std::uint64_t bytes) {
    TilePlan plan{.query = whole_.query + above,
                  .subject = whole_.subject,
                  .query_length = walk.row,
                  .subject_length = walk.column,
                  .row_step = 1,
                  .keep_columns = 1,
                  .has_top = top != nullptr ? 1u : 0u,
                  .above = above,
                  .free = whole_.free,
                  .zero = whole_.zero};
    const std::uint32_t rows = shape_.rows_of(plan);
    std::uint64_t elements = place_borders(shape_, plan, 0);
    const bool keeps_all = elements * element <= bytes || rows == 1;
    if (!keeps_all) {
      // Half of the memory is for this level, the rest for those below it.
      const std::uint64_t row_bytes = plan.subject_length * element;
      const std::uint64_t kept = std::clamp<std::uint64_t>(bytes / 2 / row_bytes, 4, rows + 2) - 2;
      plan.row_step = std::max(2u, static_cast<std::uint32_t>(ceil_div(rows, kept)));
      if (plan.row_step >= rows) plan.row_step = static_cast<std::uint32_t>(ceil_div(rows, 2));
      plan.keep_columns = 0;
      elements = place_borders(shape_, plan, 0);
    }
    const runtime::Scratch borders = border_memory(device_, {&plan, 1}, elements);
    if (top != nullptr)  // place 1, see place_borders()
      runtime::copy(device_, *top, 0, borders.buffer(), place_bytes(plan, 1), plan.subject_length * element);
    compute_tiles(device_, scoring_, letters_.queries.buffer(), letters_.subjects.buffer(), {&plan, 1},
                  borders.buffer(), {.ends = false});
    if (keeps_all) {
      trace(walk, plan, borders);
      return;
    }
    // Strips are gone through in turn. The memory of this level holds only what is above them.
    const std::uint64_t left = bytes - std::min(bytes, elements * element);
    const std::uint32_t strip_rows = plan.row_step * shape_.rows;
    while (walk.state != Walk::arrived && walk.row > 0) {
      const std::uint32_t strip = (walk.row - 1) / strip_rows, before = strip * strip_rows;
      walk.row -= before;
      if (strip == 0 && top == nullptr) {
        go_through(walk, above, nullptr, left);
      } else {
        const std::size_t top_bytes = walk.column * element;
        const runtime::Scratch own_top(device_, top_bytes);
        runtime::copy(device_, borders.buffer(), place_bytes(plan, 1 + strip), own_top.buffer(), 0, top_bytes);
        go_through(walk, above + before, &own_top.buffer(), left);
      }
      walk.row += before;
    }
  }

  std::size_t place_bytes(const TilePlan& plan, std::uint64_t place) const {
    return static_cast<std::size_t>((plan.rows + place * plan.subject_length) * element);
  }

  void trace(Walk& walk, const TilePlan& plan, const runtime::Scratch& borders) {
    const runtime::Scratch paths(device_, std::uint64_t{walk.row} + walk.column);
    walk.steps = 0;
    trace_tiles(device_, scoring_, letters_.queries.buffer(), letters_.subjects.buffer(), {&plan, 1}, borders.buffer(),
                {&walk, 1}, paths.buffer());
    const std::size_t before = steps_.size();
    steps_.resize(before + walk.steps);
    if (walk.steps > 0) runtime::download(device_, paths.buffer(), 0, steps_.data() + before, walk.steps);
  }

  const Device& device_;
  const TileShape shape_;
  const PairScoring& scoring_;
  const BatchLetters& letters_;
  const TilePlan whole_;
  const std::uint64_t border_bytes_;
  std::vector<std::uint8_t> steps_;
};

}  // namespace

std::vector<Alignment> align_on_device(const Device& device, const ScoringTable& table, Texts queries, Texts subjects,
                                       std::uint64_t border_bytes, const PairEnds& pair_ends) {
  // A pair that is too long for what is chosen for all of them may have more: less means another pass through it.
  const DeviceInfo& info = device.info();
  const std::uint64_t long_way_bytes =
      border_bytes != 0 ? border_bytes
                        : std::min({runtime::usable_memory(device) / 4, info.max_allocation, std::uint64_t{8} << 30});
  border_bytes = border_bytes_for(device, border_bytes);
  const TileShape shape = tile_shape(device);
  const PairScoring scoring(device, table, false, pair_ends);
  std::vector<Alignment> found(queries.size());
  if (!pair_ends.local())
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!queries[i].empty() && !subjects[i].empty()) continue;
      const TileEnd end = border_end(pair_ends, table.gap, static_cast<std::uint32_t>(queries[i].size()),
                                     static_cast<std::uint32_t>(subjects[i].size()))
                              .end;
      std::vector<std::uint8_t> steps;
      found[i] = alignment_from(end, {.row = end.query_end, .column = end.subject_end}, pair_ends, steps, queries[i],
                                subjects[i], table.matrix);
    }
  for (std::size_t first = 0; first < queries.size();) {
    PairBatch batch = next_batch(shape, scoring, queries, subjects, first, border_bytes, true);
    first = batch.end;
    if (batch.pairs.empty()) continue;
    const BatchLetters letters(device, queries, subjects, batch);
    const bool all_kept = batch.plans.front().keep_columns != 0;
    std::vector<TileEnd> ends;
    std::vector<Walk> walks;
    std::vector<std::uint8_t> steps, own;
    {
      const runtime::Scratch borders = border_memory(device, batch.plans, batch.border_elements);
      ends = compute_tiles(device, scoring, letters.queries.buffer(), letters.subjects.buffer(), batch.plans,
                           borders.buffer());
      for (std::size_t i = 0; i < ends.size(); ++i) {
        ends[i] = best_end(ends[i], batch.plans[i], scoring);
        walks.push_back(walk_from(ends[i], batch.plans[i], scoring));
      }
      if (all_kept) {
        const runtime::Scratch paths(device, batch.path_bytes);
        trace_tiles(device, scoring, letters.queries.buffer(), letters.subjects.buffer(), batch.plans, borders.buffer(),
                    walks, paths.buffer());
        steps.resize(batch.path_bytes);
        runtime::download(device, paths.buffer(), 0, steps.data(), steps.size());
      }
    }
    if (!all_kept) {
      LongWay way(device, scoring, letters, batch.plans.front(), long_way_bytes);
      way.go(walks.front());
      steps = way.steps();
      walks.front().steps = static_cast<std::uint32_t>(steps.size());
    }
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      const std::size_t pair = batch.pairs[i];
      const std::uint8_t* const of_pair = steps.data() + (all_kept ? batch.plans[i].path : 0);
      own.assign(of_pair, of_pair + walks[i].steps);
      found[pair] = alignment_from(ends[i], walks[i], pair_ends, own, queries[pair], subjects[pair], table.matrix);
    }
  }
  return found;
}

}  // namespace genocl::align
