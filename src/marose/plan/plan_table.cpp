#include "marose/plan/plan_table.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "marose/canonical/canonical.hpp"

namespace genocl::marose {
namespace {

// The low bits of the context's pairs for which `holds` is true of the base's place in the extended window.
template <class Holds>
std::uint32_t context_pairs(const ContextLayout& layout, const Holds& holds) {
  std::uint32_t pairs = 0;
  unsigned at = 0;  // among the context's bases, the first in the highest pair
  for (unsigned i = 0; i < layout.extended; ++i) {
    if ((layout.bits >> i & 1) == 0) continue;
    if (holds(i)) pairs |= std::uint32_t{1} << 2 * (layout.bases - 1 - at);
    ++at;
  }
  return pairs;
}

void append_place(std::vector<std::uint32_t>& numbers, const Plan& plan, const Place& place) {
  const unsigned span = plan.mask.span();
  const std::uint32_t offset = place.offset, turned = plan.length - span - place.offset;
  numbers.insert(numbers.end(), {offset, turned, place.check_first | place.check_last << 16, place.check_errors});
  if (plan.method != Method::canonical) {
    numbers.insert(numbers.end(), {0, 0, 0, 0});
    return;
  }
  const ContextLayout layout = context_layout(plan.mask);
  const auto checked = [&](std::int64_t base) {
    return base >= static_cast<std::int64_t>(place.check_first) && base < static_cast<std::int64_t>(place.check_last);
  };
  const auto inside = [&](unsigned i) { return i >= layout.side && i < layout.side + span; };
  const auto forward = [&](unsigned i) { return checked(std::int64_t{i} + offset - layout.side); };
  // Base i of the reversed window is base extended - 1 - i of the window.
  const auto reversed = [&](unsigned i) { return forward(layout.extended - 1 - i); };
  numbers.push_back(context_pairs(layout, forward));
  numbers.push_back(context_pairs(layout, reversed));
  numbers.push_back(context_pairs(layout, inside));
  numbers.push_back(context_pairs(layout, [&](unsigned i) { return inside(layout.extended - 1 - i); }));
}

}  // namespace

PlanTable make_plan_table(const Device& device, std::span<const Plan> plans) {
  PlanTable table;
  if (plans.empty()) throw InputError("no plan");
  table.plans.assign(plans.begin(), plans.end());
  table.model = plans.front().model;
  std::vector<std::uint32_t> heads, places;
  for (const Plan& plan : plans) {
    if (plan.model != table.model || plan.mask != plans.front().mask || plan.method != plans.front().method)
      throw InputError("plans of different kinds in one batch");
    heads.insert(heads.end(), {static_cast<std::uint32_t>(places.size() / 8),
                               static_cast<std::uint32_t>(plan.places.size()), plan.length, plan.errors});
    for (const Place& place : plan.places) append_place(places, plan, place);
    table.most_places = std::max(table.most_places, static_cast<std::uint32_t>(plan.places.size()));
    table.most_errors = std::max(table.most_errors, plan.errors);
  }
  if (places.empty()) places.resize(8);
  table.heads = Array<std::uint32_t>(device, std::span<const std::uint32_t>(heads));
  table.places = Array<std::uint32_t>(device, std::span<const std::uint32_t>(places));
  return table;
}

}  // namespace genocl::marose
