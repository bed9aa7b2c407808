#include "align/score/score_gpu_stack.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/launch.hpp"

namespace genocl::align {
namespace {

using runtime::ceil_div;

/// Calls place(query, first lane) for the queries of a side, lanes counted over all strips; returns the lanes used.
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

/// Splits queries into two sides of like length: each of them, longest first, to the shorter side. Returns the
/// longer one's rows.
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
    // With one side both halves of a word are of it.
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

  // One query may go apart, against two subjects a word, so that the sides come out even. Cells of that form take
  // this much longer.
  constexpr double alone_costs = 1.25;
  std::vector<std::vector<std::uint32_t>> sides;
  std::uint32_t alone = nobody;
  double best = 2.0 * static_cast<double>(balance(queries, longest_first, nobody, sides));
  double all_rows = 0;
  for (const Query& query : queries) all_rows += static_cast<double>(query.codes.size());
  // With many queries the sides are even as they are: looking at each of them would take long.
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

}  // namespace genocl::align
