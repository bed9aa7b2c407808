#include <string>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"
#include "marose/launch.hpp"
#include "marose/published.hpp"
#include "marose/steps.hpp"

namespace genocl::marose {
namespace {

// Both kernels of a method go through the same items with the same work-items: see cl/marose/look_up.clh.
struct Shape {
  std::size_t groups = 0;
  unsigned group_size = 1;
  std::uint64_t share = 0;

  std::uint64_t work_items() const { return std::uint64_t{groups} * group_size; }
};

constexpr unsigned group_size = 128;
// Many times what a GPU works on at once, so that no work-item has much more to do than the others.
constexpr std::uint64_t most_groups = 16384;

Shape shape_of(const Device& device, std::uint64_t items, runtime::Defines& defines) {
  Shape shape;
  if (primitives::uses_lanes(device)) {
    const primitives::Shares shares = primitives::share_out(device, {}, items, 1, 16);
    shape.groups = shares.workers;
    shape.share = shares.share;
    defines.set("ONLY_LANES", 1);
  } else {
    shape.group_size = primitives::group_size(device, {}, group_size);
    shape.groups = static_cast<std::size_t>(std::min(primitives::ceil_div(items, shape.group_size), most_groups));
    shape.share = shape.work_items();
    defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", shape.group_size);
  }
  return shape;
}

// Work-items that share one pattern.
unsigned parts_of(const Device& device, Method method) {
  if (primitives::uses_lanes(device)) return 1;
  return method == Method::list ? 8 : 1;
}

// Counts and writes with the kernels <method>_count and <method>_write and the method's tables.
template <class... TableArrays>
Candidates find(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                StrandBits strands, const TableArrays&... tables) {
  Candidates candidates;
  runtime::Defines defines = published_defines(segment.mask, segment.neighbourhood, segment.method);
  set_read_defines(defines, batch);
  const unsigned parts = parts_of(device, segment.method);
  defines.set("PARTS", parts).set("DIAGONAL_BIAS", diagonal_bias);
  const std::uint64_t items = std::uint64_t{batch.count} * 2 * plans.most_places * parts;
  if (items > 0xffffffffu) throw CapacityError("patterns of a batch of reads, 32-bit numbers", items, 0xffffffffu);
  if (items == 0) {
    candidates.keys = Array<std::uint64_t>(device, 0);
    return candidates;
  }
  const Shape shape = shape_of(device, items, defines);
  const std::string name(to_string(segment.method));
  const std::string file = "marose/" + name + ".cl";
  const std::uint32_t most_shift = plans.model == Model::levenshtein ? plans.most_errors : 0;
  const auto launch = [&](const char* step, const Array<std::uint64_t>& in_or_out, const auto&... more) {
    runtime::Kernel kernel(device, file, name + step, defines);
    kernel.args(batch.bases, batch.unknown, batch.plan, plans.heads, plans.places, plans.most_places, strands,
                most_shift, segment.reference.length, static_cast<std::uint32_t>(items), tables..., in_or_out, more...,
                shape.share);
    kernel.run(shape.groups, shape.group_size);
  };
  Array<std::uint64_t> offsets(device, shape.work_items() + 1);
  {
    const Array<std::uint64_t> counts(device, shape.work_items());
    launch("_count", counts);
    primitives::exclusive_scan(device, counts, offsets);
  }
  offsets.download(std::span(&candidates.count, 1), shape.work_items());
  candidates.keys = Array<std::uint64_t>(device, candidates.count);
  if (candidates.count != 0) launch("_write", offsets, candidates.keys);
  return candidates;
}

void check_plans(const DeviceSegment& segment, const PlanTable& plans) {
  if (segment.method == Method::offset || segment.method == Method::list) return;
  for (const Plan& plan : plans.plans)
    for (const Place& place : plan.places)
      if (place.check_errors > 2)
        throw InputError("method " + std::string(to_string(segment.method)) + ": " +
                         std::to_string(place.check_errors) + " errors in a neighbourhood; at most 2");
}

}  // namespace

Candidates find_candidates_published(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                     const PlanTable& plans, StrandBits strands) {
  check_published(segment.mask, segment.neighbourhood, segment.method);
  check_plans(segment, plans);
  const auto table = [&](std::string_view name) -> const Array<std::uint32_t>& {
    const auto found = segment.tables.find(name);
    if (found == segment.tables.end()) throw InputError("the index has no table \"" + std::string(name) + "\"");
    return found->second;
  };
  switch (segment.method) {
    case Method::list:
    case Method::binary:
      return find(device, segment, batch, plans, strands, table("first"), table("neighbourhoods"), table("positions"));
    case Method::phf:
      return find(device, segment, batch, plans, strands, table("heads"), table("values"), table("words"),
                  table("positions"), table("several"), table("lists"));
    case Method::bitmap:
      return find(device, segment, batch, plans, strands, table("sectors"), table("first"), table("positions"));
    default:
      return find(device, segment, batch, plans, strands, table("first"), table("positions"));
  }
}

}  // namespace genocl::marose
