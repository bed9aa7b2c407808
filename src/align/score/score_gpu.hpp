// GPU scoring kernels: launches, stacks of queries, and queries in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/device_state.hpp"
#include "runtime/kernel.hpp"

namespace genocl::align {

/// The content of a 32-bit word in the kernels.
enum class Form : std::uint8_t {
  wide = 0,      ///< one cell
  queries = 1,   ///< two cells of 16 bits: two queries, one subject
  subjects = 2,  ///< two cells of 16 bits: one query, two subjects
};
constexpr unsigned query_sides(Form form) { return form == Form::queries ? 2 : 1; }
constexpr unsigned subjects_per_team(Form form) { return form == Form::subjects ? 2 : 1; }

/// A team of `lanes` work-items processes a subject. Each work-item holds `rows` rows of the query, so a strip has
/// lanes * rows rows.
struct Shape {
  Form form = Form::wide;
  unsigned lanes = 8;   ///< a power of two, at least 2
  unsigned rows = 16;   ///< a multiple of 4, 32 at most
  bool folded = false;  ///< pads count as the last class (FOLD_PAD in score_gpu_words.clh)

  unsigned strip_rows() const { return lanes * rows; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// The role of a lane in a strip, in the format of the kernels.
struct LaneRole {
  std::uint32_t keep = 0;                ///< mask of the cells whose query continues from the previous lane
  std::uint32_t queries = 0xffff'ffffu;  ///< of the first and the second side, 16 bits each
};

/// Queries that are stacked on one side, or on two sides that share 32-bit words. Each query begins at a new lane, so
/// only the last rows of its last lane are idle, for any lengths. After the first strip, no query begins in the first
/// lane of a strip: this lane receives its input from the previous strip on both sides.
struct Stack {
  static constexpr std::uint32_t no_row = 32;
  static constexpr std::uint32_t no_query = 0xffff;

  Shape shape;
  std::uint32_t strips = 0;
  std::vector<LaneRole> roles;  ///< [strip][lane]
  /// [strip][side][row]: the code, or no_row if absent. For a profile: no_row + 1 + the index among all rows.
  std::vector<std::uint32_t> rows;
};

/// Returns the number of strips of a stack of this shape. O(queries).
std::uint32_t count_strips(const Shape& shape, std::span<const Query> queries,
                           std::span<const std::vector<std::uint32_t>> sides);
/// Returns the index of each query's first row among the concatenated rows of all queries.
std::vector<std::uint32_t> first_rows(std::span<const Query> queries);
/// @param sides sides[s]: the numbers (below no_query) of the queries on side s; at most query_sides(form) sides.
Stack make_stack(const Shape& shape, std::span<const Query> queries, std::span<const std::vector<std::uint32_t>> sides);

/// The queries of one stack.
struct StackPlan {
  Form form = Form::wide;
  std::vector<std::vector<std::uint32_t>> sides;
};
/// @param packed Use 16-bit cells.
/// @param bytes_fit Form::subjects can represent the scores.
std::vector<StackPlan> plan_stacks(std::span<const Query> queries, bool packed, bool bytes_fit);

/// Options for tests and measurements; 0: automatic.
struct GpuTuning {
  enum class Cells : std::uint8_t { automatic, wide, packed };
  Cells cells = Cells::automatic;  ///< packed on a device without packed instructions: slow, exact
  unsigned lanes = 0, rows = 0;    ///< of the shape
  unsigned group_size = 0;
  unsigned registers = 0;            ///< limit for each work-item (NVIDIA)
  std::uint64_t border_letters = 0;  ///< maximum letters of subjects in a launch with borders
  std::uint64_t launch_cells = 0;    ///< approximate cells of a launch
  int saturated_from = 0;            ///< minimum 16-bit score that is computed again
  std::uint64_t giant_subject = 0;   ///< longer subjects are scored by tiles, unless they can be cut
  std::uint64_t long_subject = 0;    ///< longer subjects get more lanes or are cut
};

/// Limits of the shapes on a device, for a scoring.
struct GroupLimits {
  GpuTuning tuning;
  unsigned classes = 0;  ///< of subject letters, without the pad
  std::uint64_t local_memory = 0;
  unsigned group_size = 128;
  unsigned units = 1;  ///< compute units
  double clock_hz = 1e9;
  bool warps = false;     ///< use the kernel for NVIDIA GPUs
  bool may_fold = false;  ///< no letter of the queries scores above 0 with the last class

  unsigned min_lanes() const { return tuning.lanes == 2 ? 2 : 4; }
  /// Blocks of four columns read lanes * 4 letters before a subject. The pads before the subject must cover them.
  unsigned max_lanes() const { return warps ? 32 : 16; }
};
GroupLimits group_limits(const Device& device, const ScoringTable& table, std::span<const Query> queries, Form form,
                         const GpuTuning& tuning);

/// Returns the fastest shape for subjects of this mean length. Throws CapacityError if local memory is insufficient for
/// every shape.
Shape choose_shape(const GroupLimits& limits, const StackPlan& plan, std::span<const Query> queries,
                   double mean_length);
/// Returns the fastest shape with the maximum number of lanes; empty if that number does not exceed `more_than`.
std::optional<Shape> shape_of_max_lanes(const GroupLimits& limits, const StackPlan& plan,
                                        std::span<const Query> queries, double mean_length, unsigned more_than);

/// Raises scores[q * count + s] to the scores of the stack's queries with the subjects of the chunk. Enqueues.
/// @param subjects Subjects to process, ascending; empty: all.
void run_stack(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
               std::span<const Query> queries, const StackPlan& plan, std::span<const std::uint32_t> subjects,
               const GpuTuning& tuning, DeviceScores& scores);

/// score_gpu() of pipeline.hpp with options.
std::uint64_t score_gpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, const GpuTuning& tuning, DeviceScores& scores);

/// Letters in a row of the matrix that is the source of profiles.
constexpr unsigned matrix_letters = 32;

/// The division of the subjects. A few lanes process each of subjects [0, first_long). Longer subjects would delay the
/// end; they get more lanes, or are cut into stretches.
struct StackParts {
  Shape shape;                  ///< of most launches, and of stretches
  Shape long_shape;             ///< of long subjects that are not cut
  std::size_t first_giant = 0;  ///< from this subject on, uncut subjects are scored by tiles
  bool by_tiles = false;        ///< all subjects from first_giant on are scored by tiles
  std::size_t first_long = 0;
  std::uint64_t longest = 0;  ///< maximum letters of a subject that is not long
  std::uint64_t overlap = 0;  ///< overlap of the stretches of long subjects; 0: they are not cut
};

/// @param lengths Lengths of the subjects, ascending.
/// @param residues Sum of the lengths.
StackParts parts_of(const GroupLimits& limits, const ScoringTable& table, std::span<const Query> queries,
                    const StackPlan& plan, std::span<const std::uint32_t> lengths, std::uint64_t residues);

/// Computes the profiles of strips.
runtime::Kernel profile_kernel(const Device& device, const ScoringTable& table, const GroupLimits& limits,
                               const Shape& shape);
/// Scores stacks of this shape. `borders`: the stack has several strips.
runtime::Kernel stack_kernel(const Device& device, const ScoringTable& table, const GroupLimits& limits,
                             const Shape& shape, bool borders);

/// Lists the indices of high scores.
runtime::Kernel saturated_kernel(const Device& device);

/// Returns whether the device has 16-bit pair instructions that kernels can use; the tuning overrides this.
bool takes_packed_cells(const Device& device, const GpuTuning& tuning);
/// Returns the stacks of these queries.
std::vector<StackPlan> stacks_of(const ScoringTable& table, std::span<const Query> queries, bool packed);

/// Compiles the kernels of score_gpu() for these queries, except those for overflows. Intended for a thread that runs
/// in parallel with the upload of the chunk.
void compile_score_gpu(const Device& device, const ScoringTable& table, std::span<const Query> queries,
                       std::span<const std::uint32_t> lengths, std::uint64_t residues);

}  // namespace genocl::align
