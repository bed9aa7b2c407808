// Pairs of sequences on a device, computed tile by tile (cl/align/pairs/tiles.clh): what scores and alignments of
// pairs, and the published intra-task kernel, are made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "align/pairs/pair_ends.hpp"
#include "align/pairs/path.hpp"
#include "align/pairs/tile_plan.hpp"
#include "align/scoring/scoring_table.hpp"
#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/kernel/defines.hpp"
#include "runtime/memory/scratch.hpp"
#include "runtime/memory/transfer.hpp"

namespace genocl::align {

/// How a device cuts pairs.
struct TileShape {
  std::uint32_t rows = 0, columns = 0;          ///< letters of the query, of the subject
  std::uint32_t group_size = 0, rows_each = 0;  ///< `group` only
  std::uint32_t job_columns = 0;                ///< of a job of a pair that is cut, at least
  std::uint32_t at_once = 0;                    ///< jobs that keep the device busy
  std::uint64_t least_cut = 0;                  ///< cells of a pair that is worth cutting

  std::uint32_t rows_of(const TilePlan& plan) const noexcept { return (plan.query_length + rows - 1) / rows; }
  std::uint32_t columns_of(const TilePlan& plan) const noexcept {
    return (plan.subject_length + columns - 1) / columns;
  }
};
TileShape tile_shape(const Device& device);
/// What all kernels of tiles are compiled with.
runtime::Defines tile_defines(const Device& device, const TileShape& shape, const PairEnds& ends);

template <class T>
runtime::Scratch upload_scratch(const Device& device, std::span<const T> host) {
  runtime::Scratch memory(device, std::max<std::size_t>(host.size_bytes(), 1));
  if (!host.empty()) runtime::upload(device, memory.buffer(), 0, host.data(), host.size_bytes());
  return memory;
}

/// A matrix on the device has so many codes and so many letters.
constexpr std::size_t scoring_codes = 32;

/// matrix[32 * query code + subject letter], pads included.
struct PairScoring {
  PairScoring(const Device& device, const ScoringTable& table, bool subjects_are_classes, const PairEnds& ends = {});

  /// Sets what a plan says of the ends.
  void place_ends(TilePlan& plan) const;

  Array<std::int8_t> matrix;
  std::uint32_t letters = 0;  ///< of subjects
  std::int32_t highest = 0, gap_first = 0, gap_extend = 0;
  GapPenalty gap;
  PairEnds ends;
};

/// Elements of the borders that a pair needs, and where they are: begins with `first`, tells how many.
std::uint64_t place_borders(const TileShape& shape, TilePlan& plan, std::uint64_t first);

/// Takes memory for `elements` of borders. Strips that run at the same time tell by what is there whether it is theirs:
/// nothing of earlier computations may be left.
runtime::Scratch border_memory(const Device& device, std::span<const TilePlan> plans, std::uint64_t elements);

struct TileWork {
  bool cut = true;   ///< pairs that would keep the device waiting are cut into jobs that run side by side
  bool ends = true;  ///< where alignments end; else scores alone
};

/// Computes all tiles of the pairs, none of them empty, and returns the end of the best alignment of each that has
/// letters of both. `borders`
/// come from border_memory(). Waits.
std::vector<TileEnd> compute_tiles(const Device& device, const PairScoring& scoring, const cl::Buffer& queries,
                                   const cl::Buffer& subjects, std::span<TilePlan> plans, const cl::Buffer& borders,
                                   const TileWork& work = {});

/// Where a way back stands. Rows and columns are counted from 1: 0 is the border.
struct Walk {
  std::uint32_t row = 0, column = 0;
  std::uint32_t state = 0;
  std::uint32_t steps = 0;
  std::int32_t value = 0;  ///< of E or F, where it stands in one
  std::int32_t score = 0;  ///< no H on the way is higher

  static constexpr std::uint32_t arrived = 4;
};

/// Goes on with each walk through its pair, whose borders are all kept, until it has arrived or is above the first row.
/// Steps are at paths[plan.path]. Waits.
void trace_tiles(const Device& device, const PairScoring& scoring, const cl::Buffer& queries,
                 const cl::Buffer& subjects, std::span<const TilePlan> plans, const cl::Buffer& borders,
                 std::span<Walk> walks, const cl::Buffer& paths);

}  // namespace genocl::align
