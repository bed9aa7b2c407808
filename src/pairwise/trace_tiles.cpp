#include <algorithm>

#include "align/pairs/tiles.hpp"
#include "genocl/opencl.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/memory/transfer.hpp"

namespace genocl::align {
namespace {

using runtime::uses_lanes;

/// Tiles that are computed at a time on the way back: where a warp computes each, as many as a path goes through next.
std::size_t tiles_at_once(const Device& device, const TileShape& shape) {
  return device.has_ptx() && shape.group_size == 32 ? 4 : 1;
}

}  // namespace

void trace_tiles(const Device& device, const PairScoring& scoring, const cl::Buffer& queries,
                 const cl::Buffer& subjects, std::span<const TilePlan> plans, const cl::Buffer& borders,
                 std::span<Walk> walks, const cl::Buffer& paths) {
  const TileShape shape = tile_shape(device);
  const runtime::Scratch plan_memory = upload_scratch(device, plans);
  struct Place {
    std::uint32_t row, column, state, steps;
  };
  static_assert(sizeof(Place) == sizeof(cl_uint4));  // which the kernels read it as
  std::vector<Place> places;
  std::vector<std::int32_t> values, scores;
  for (const Walk& walk : walks) {
    places.push_back({walk.row, walk.column, walk.state, walk.steps});
    values.push_back(walk.value);
    scores.push_back(walk.score);
  }
  const runtime::Scratch place_memory = upload_scratch(device, std::span<const Place>(places));
  if (uses_lanes(device)) {
    const std::size_t workers =
        std::min<std::size_t>(walks.size(), std::size_t{4} * std::max(1u, device.info().compute_units));
    const runtime::Scratch value_memory = upload_scratch(device, std::span<const std::int32_t>(values));
    const runtime::Scratch score_memory = upload_scratch(device, std::span<const std::int32_t>(scores));
    const runtime::Scratch profiles(device, workers * shape.rows * scoring_codes * sizeof(std::uint32_t));
    const runtime::Scratch kept(device, workers * shape.rows * shape.columns * sizeof(std::uint32_t));
    for (const int wide : {0, 1}) {
      runtime::Kernel(device, "align/pairs/trace_lanes.cl", "trace_lanes",
                      tile_defines(device, shape, scoring.ends).set("WIDE", wide))
          .args(queries, subjects, scoring.matrix, plan_memory, borders, place_memory, value_memory, score_memory,
                paths, profiles, kept, static_cast<std::uint32_t>(walks.size()), scoring.letters, scoring.highest,
                scoring.gap_first, scoring.gap_extend)
          .run(workers, 1);
      runtime::download(device, place_memory.buffer(), 0, places.data(), places.size() * sizeof(Place));
      if (std::ranges::all_of(places, [](const Place& at) { return at.state == Walk::arrived || at.row == 0; })) break;
    }
    runtime::download(device, value_memory.buffer(), 0, values.data(), values.size() * sizeof(std::int32_t));
  } else {
    const std::size_t tiles = tiles_at_once(device, shape);
    runtime::Kernel(device, "align/pairs/trace.cl", "trace",
                    tile_defines(device, shape, scoring.ends).set("TILES", static_cast<unsigned>(tiles)))
        .args(queries, subjects, scoring.matrix, plan_memory, borders, place_memory, paths, scoring.gap_first,
              scoring.gap_extend)
        .run(walks.size(), shape.group_size * tiles);
  }
  runtime::download(device, place_memory.buffer(), 0, places.data(), places.size() * sizeof(Place));
  for (std::size_t i = 0; i < walks.size(); ++i) {
    walks[i].row = places[i].row;
    walks[i].column = places[i].column;
    walks[i].state = places[i].state;
    walks[i].steps = places[i].steps;
    walks[i].value = values[i];
  }
}

}  // namespace genocl::align
