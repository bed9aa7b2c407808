// Queries on the lanes of strips: what the scoring kernels of the family `gpu` go through (cl/align/score_gpu*.cl).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/on_device.hpp"

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

}  // namespace genocl::align
