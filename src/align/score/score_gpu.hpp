// Scores by the GPU kernels: one launch, stacks of queries, queries in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/device_state.hpp"
#include "runtime/kernel.hpp"

namespace genocl::align {

/// What a 32-bit word of the kernels holds.
enum class Form : std::uint8_t {
  wide = 0,      ///< one cell
  queries = 1,   ///< two cells of 16 bits: two queries, one subject
  subjects = 2,  ///< two cells of 16 bits: one query, two subjects
};
constexpr unsigned query_sides(Form form) { return form == Form::queries ? 2 : 1; }
constexpr unsigned subjects_per_team(Form form) { return form == Form::subjects ? 2 : 1; }

/// A team of `lanes` work-items shares a subject, each holds `rows` rows of the query: a strip has lanes * rows of
/// them.
struct Shape {
  Form form = Form::wide;
  unsigned lanes = 8;   ///< a power of two, not 1
  unsigned rows = 16;   ///< a multiple of 4, 32 at most
  bool folded = false;  ///< pads are taken for the last class (FOLD_PAD in score_gpu_words.clh)

  unsigned strip_rows() const { return lanes * rows; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// What a lane does in a strip, as the kernels read it.
struct LaneRole {
  std::uint32_t keep = 0;                ///< all bits of the cells whose query goes on from the lane above
  std::uint32_t queries = 0xffff'ffffu;  ///< of the first and the second side, 16 bits each
};

/// Queries below one another on one side, or on two that share 32-bit words. Each begins with a lane of its own, so
/// that of a batch of any lengths only the last rows of each query's last lane are idle. In strips after the first no
/// query begins in the first lane: what that one gets from the strip above it takes on both sides.
struct Stack {
  static constexpr std::uint32_t no_row = 32;
  static constexpr std::uint32_t no_query = 0xffff;

  Shape shape;
  std::uint32_t strips = 0;
  std::vector<LaneRole> roles;  ///< [strip][lane]
  /// [strip][side][row]: its code, or no_row where none is; of a profile no_row + 1 + its place among all rows.
  std::vector<std::uint32_t> rows;
};

/// Counts the strips of a stack of that shape, in O(queries).
std::uint32_t count_strips(const Shape& shape, std::span<const Query> queries,
                           std::span<const std::vector<std::uint32_t>> sides);
/// Tells where the rows of each query begin among those of all, one query after the other.
std::vector<std::uint32_t> first_rows(std::span<const Query> queries);
/// sides[s]: the numbers (below no_query) of the queries on side s, query_sides(form) of them at most.
Stack make_stack(const Shape& shape, std::span<const Query> queries, std::span<const std::vector<std::uint32_t>> sides);

/// Which queries are stacked together.
struct StackPlan {
  Form form = Form::wide;
  std::vector<std::vector<std::uint32_t>> sides;
};
/// `packed`: whether 16-bit cells are to be used. `bytes_fit`: whether Form::subjects can hold the scores.
std::vector<StackPlan> plan_stacks(std::span<const Query> queries, bool packed, bool bytes_fit);

/// For tests and measurements; what is 0 is chosen.
struct GpuTuning {
  enum class Cells : std::uint8_t { automatic, wide, packed };
  Cells cells = Cells::automatic;  ///< packed on a device without packed instructions: slow, exact
  unsigned lanes = 0, rows = 0;    ///< of the shape
  unsigned group_size = 0;
  unsigned registers = 0;            ///< limit for each work-item (NVIDIA)
  std::uint64_t border_letters = 0;  ///< subjects' letters in a launch at most, where there are borders
  std::uint64_t launch_cells = 0;    ///< cells of a launch, about
  int saturated_from = 0;            ///< 16-bit scores that are computed again
  std::uint64_t giant_subject = 0;   ///< subjects longer than this are scored by tiles, unless they can be cut
  std::uint64_t long_subject = 0;    ///< subjects longer than this get more lanes or are cut
};

/// What bounds the shapes on a device, for a scoring.
struct GroupLimits {
  GpuTuning tuning;
  unsigned classes = 0;  ///< of subject letters, without the pad
  std::uint64_t local_memory = 0;
  unsigned group_size = 128;
  unsigned units = 1;  ///< compute units
  double clock_hz = 1e9;
  bool warps = false;     ///< the kernel for NVIDIA's GPUs
  bool may_fold = false;  ///< the last class scores with no letter of the queries above 0

  unsigned least_lanes() const { return tuning.lanes == 2 ? 2 : 4; }
  /// Blocks of four columns reach lanes * 4 letters in front of a subject: no more than the pads that stand there.
  unsigned most_lanes() const { return warps ? 32 : 16; }
};
GroupLimits group_limits(const Device& device, const ScoringTable& table, std::span<const Query> queries, Form form,
                         const GpuTuning& tuning);

/// The shape that takes least time for subjects of that mean length. Throws CapacityError when the local memory is too
/// small for any.
Shape choose_shape(const GroupLimits& limits, const StackPlan& plan, std::span<const Query> queries,
                   double mean_length);
/// The same of as many lanes as possible; empty when those are not more than that.
std::optional<Shape> shape_of_most_lanes(const GroupLimits& limits, const StackPlan& plan,
                                         std::span<const Query> queries, double mean_length, unsigned more_than);

/// Raises scores[q * count + s] to what the stack's queries reach with the subjects of the chunk; `subjects`: with
/// these only, ascending (empty: all). Enqueues.
void run_stack(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
               std::span<const Query> queries, const StackPlan& plan, std::span<const std::uint32_t> subjects,
               const GpuTuning& tuning, DeviceScores& scores);

/// score_gpu (pipeline.hpp) with choices.
std::uint64_t score_gpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, const GpuTuning& tuning, DeviceScores& scores);

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
