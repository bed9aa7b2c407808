// Chooses the shape of the scoring kernels that suits some queries on a device.
#include <algorithm>
#include <limits>

#include "align/score/query_rows.hpp"
#include "align/score/score_gpu_run.hpp"
#include "genocl/error.hpp"
#include "runtime/launch.hpp"

namespace genocl::align {
namespace {

/// What the portable kernel keeps in local memory beside the profile: T and F of a block of 4 columns, twice.
constexpr std::uint64_t exchange_bytes_per_item = 64;

std::uint64_t local_bytes(const GroupLimits& limits, const Shape& shape) {
  const std::uint64_t letters = limits.classes + (shape.folded ? 0 : 1);
  return letters * shape.strip_rows() * (shape.form == Form::subjects ? 1 : 4) +
         (limits.warps ? 0 : exchange_bytes_per_item * limits.group_size);
}

/// Clocks of one lane's step: rows at so many clocks each, and what a step costs besides. From an H200, where a word's
/// cells are three and a half operations of the busiest pipe (four and a half with two subjects to merge) at two
/// clocks.
double step_clocks(const GroupLimits& limits, const Shape& shape, bool one_strip) {
  if (!limits.warps) return 11.0 * shape.rows + 40;
  return (shape.form == Form::subjects ? 9.0 : 7.0) * shape.rows + (one_strip ? 22 : 30) + (shape.folded ? 4 : 0);
}

/// The shape that takes least time; only_lanes: of that many, unless 0.
std::optional<Shape> find_shape(const GroupLimits& limits, const StackPlan& plan, std::span<const Query> queries,
                                double mean_length, unsigned only_lanes) {
  std::optional<Shape> best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned lanes = limits.least_lanes(); lanes <= limits.most_lanes(); lanes *= 2)
    for (unsigned rows = 4; rows <= 32; rows += 4)
      for (const bool folded : {false, true}) {
        const Shape shape{plan.form, lanes, rows, folded};
        if ((only_lanes != 0 && lanes != only_lanes) || (limits.tuning.rows != 0 && rows != limits.tuning.rows))
          continue;
        if ((folded && !limits.may_fold) || local_bytes(limits, shape) > limits.local_memory) continue;
        const std::uint32_t strips = count_strips(shape, queries, plan.sides);
        const double fill = limits.warps ? lanes : 4.0 * (lanes - 1) + 2;
        double cost = strips * (mean_length + fill) * lanes * step_clocks(limits, shape, strips == 1);
        // Four lanes leave and take borders too often.
        if (limits.warps && lanes < 8 && strips > 1) cost *= 1.1;
        if (cost < least) {
          least = cost;
          best = shape;
        }
      }
  return best;
}

}  // namespace

GroupLimits group_limits(const Device& device, const ScoringTable& table, std::span<const Query> queries, Form form,
                         const GpuTuning& tuning) {
  GroupLimits limits;
  limits.tuning = tuning;
  limits.classes = table.classes();
  limits.local_memory = device.info().local_memory;
  limits.group_size = runtime::group_size(device, {}, tuning.group_size != 0 ? tuning.group_size : 128);
  limits.units = std::max(1u, device.info().compute_units);
  limits.clock_hz = 1e6 * std::max(500u, device.info().clock_mhz);
  limits.warps = form != Form::wide && device.has_ptx();
  limits.may_fold = limits.classes > 1;
  for (const Query& query : queries) {
    if (query.profile != nullptr) {
      for (std::size_t row = 0; row < query.codes.size() && limits.may_fold; ++row)
        limits.may_fold = row_score(table, query, row, limits.classes - 1) <= 0;
      continue;
    }
    std::uint32_t seen = 0;
    for (const Code code : query.codes) seen |= 1u << (code & 31);
    for (unsigned code = 0; code < 32; ++code)
      if ((seen >> code & 1) != 0 && table.score(static_cast<Code>(code), limits.classes - 1) > 0)
        limits.may_fold = false;
  }
  return limits;
}

Shape choose_shape(const GroupLimits& limits, const StackPlan& plan, std::span<const Query> queries,
                   double mean_length) {
  if (const auto shape = find_shape(limits, plan, queries, mean_length, limits.tuning.lanes)) return *shape;
  throw CapacityError("local memory for a profile of four rows of a query",
                      local_bytes(limits, {plan.form, limits.least_lanes(), 4, false}), limits.local_memory);
}

std::optional<Shape> shape_of_most_lanes(const GroupLimits& limits, const StackPlan& plan,
                                         std::span<const Query> queries, double mean_length, unsigned more_than) {
  for (unsigned lanes = limits.most_lanes(); lanes > more_than; lanes /= 2)
    if (const auto shape = find_shape(limits, plan, queries, mean_length, lanes)) return shape;
  return {};
}

}  // namespace genocl::align
