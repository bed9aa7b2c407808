// Pairs of sequences computed tile by tile on a device (cl/pairwise/tiles.clh): the common part of scores and
// alignments of pairs, and of the published intra-task kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "pairwise/pair_ends.hpp"
#include "runtime/defines.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::pairwise {

/// Bytes of an element of a border: H and E, or H and F, of a cell.
constexpr std::uint64_t border_element = 8;

/// A pair as the kernels read it (Plan in cl/pairwise/tiles.clh). Borders are counted in elements.
struct TilePlan {
  std::uint64_t query = 0, subject = 0;  ///< offsets of the letters
  std::uint64_t rows = 0, columns = 0;   ///< offsets of the row and column borders
  std::uint64_t path = 0;                ///< offset of the steps of the traceback
  std::uint32_t query_length = 0, subject_length = 0;
  std::uint32_t row_step = all_in_place;  ///< every row_step-th row border is kept
  std::uint32_t keep_columns = 0;         ///< 1: all column borders are kept
  std::uint32_t has_top = 0;              ///< 1: a border above the first row is given
  std::uint32_t ends = 0;                 ///< index of the pair's first TileEnd
  std::uint32_t above = 0;                ///< letters of the query above the first row
  std::uint32_t free = 0;                 ///< PairEnds::bits()
  std::int32_t zero = 0;                  ///< offset of the scores; 0 for local alignments
  std::uint32_t unused = 0;

  /// No row border is kept: each overwrites the one before.
  static constexpr std::uint32_t all_in_place = 0x7fffffff;
  std::uint64_t cells() const noexcept { return std::uint64_t{query_length} * subject_length; }
};

/// Consecutive tiles of a pair that one worker or group computes in turn, as the kernels read them: the same columns of
/// tiles of consecutive rows of tiles.
struct TileJob {
  std::uint32_t pair, first_row, rows, first_column, columns;
};

/// The size of tiles and jobs on a device.
struct TileShape {
  std::uint32_t rows = 0, columns = 0;          ///< letters of the query and of the subject in a tile
  std::uint32_t group_size = 0, rows_each = 0;  ///< `gpu` kernels only
  std::uint32_t job_columns = 0;                ///< minimum columns of a job of a pair that is cut
  std::uint32_t parallel_jobs = 0;              ///< number of jobs that occupy the device
  std::uint64_t min_cut_cells = 0;              ///< minimum cells of a pair that is cut

  std::uint32_t rows_of(const TilePlan& plan) const noexcept { return (plan.query_length + rows - 1) / rows; }
  std::uint32_t columns_of(const TilePlan& plan) const noexcept {
    return (plan.subject_length + columns - 1) / columns;
  }
};
TileShape tile_shape(const Device& device);

/// Returns the defines of all tile kernels.
runtime::Defines tile_defines(const Device& device, const TileShape& shape, const PairEnds& ends);

/// Copies `host` into scratch memory of the device, of at least 1 byte.
template <class T>
runtime::Scratch upload_scratch(const Device& device, std::span<const T> host) {
  runtime::Scratch memory(device, std::max<std::size_t>(host.size_bytes(), 1));
  if (!host.empty()) runtime::upload(device, memory.buffer(), 0, host.data(), host.size_bytes());
  return memory;
}

/// Codes of the query, and letters of subjects, of a matrix on the device.
constexpr std::size_t scoring_codes = 32;

/// Scores and gap costs on the device: matrix[scoring_codes * query code + subject letter].
struct PairScoring {
  /// The score of a pad with any letter.
  static constexpr std::int8_t pad_score = -128;

  PairScoring(const Device& device, const Matrix& matrix_of_codes, const GapPenalty& gap_penalty,
              const PairEnds& pair_ends = {});
  /// Subjects whose letters are no codes: `scores` has scoring_codes * scoring_codes entries, pads included;
  /// `subject_letters` is the number of letters in use, `highest_score` that of the matrix.
  PairScoring(const Device& device, std::span<const std::int8_t> scores, std::uint32_t subject_letters,
              int highest_score, const GapPenalty& gap_penalty, const PairEnds& pair_ends = {});

  /// Sets `free` and `zero` of a plan.
  void place_ends(TilePlan& plan) const;

  Array<std::int8_t> matrix;
  std::uint32_t letters = 0;  ///< of subjects
  std::int32_t highest = 0, gap_first = 0, gap_extend = 0;
  GapPenalty gap;
  PairEnds ends;
};

/// Places the borders of a pair from element `first` on. Returns the number of elements they take.
std::uint64_t place_borders(const TileShape& shape, TilePlan& plan, std::uint64_t first);

/// Allocates `elements` of borders. Strips of tiles that run concurrently recognize their input by its content, so the
/// memory is cleared if a pair may be cut.
runtime::Scratch border_memory(const Device& device, std::span<const TilePlan> plans, std::uint64_t elements);

struct TileWork {
  bool cut = true;   ///< cut large pairs into jobs that run in parallel
  bool ends = true;  ///< find the ends of the alignments; otherwise scores alone
};

/// Computes all tiles of the pairs, none of them empty. Returns the end of the best alignment of each pair that has
/// letters of both sequences. `borders` comes from border_memory(). Waits for the device.
std::vector<TileEnd> compute_tiles(const Device& device, const PairScoring& scoring, const cl::Buffer& queries,
                                   const cl::Buffer& subjects, std::span<TilePlan> plans, const cl::Buffer& borders,
                                   const TileWork& work = {});

/// The position of a traceback. Rows and columns are 1-based: 0 is the border.
struct TracePosition {
  std::uint32_t row = 0, column = 0;
  std::uint32_t state = 0;
  std::uint32_t steps = 0;
  std::int32_t value = 0;  ///< E or F, if the traceback is in one of them
  std::int32_t score = 0;  ///< upper bound of H on the path

  /// The state at the beginning of the alignment.
  static constexpr std::uint32_t arrived = 4;
};

/// Continues the traceback of each pair, whose borders are all kept, to the beginning of the alignment or past the
/// first row. The steps are written to paths[plan.path]. Waits for the device.
void trace_tiles(const Device& device, const PairScoring& scoring, const cl::Buffer& queries,
                 const cl::Buffer& subjects, std::span<const TilePlan> plans, const cl::Buffer& borders,
                 std::span<TracePosition> positions, const cl::Buffer& paths);

}  // namespace genocl::pairwise
