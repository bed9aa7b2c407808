#include <algorithm>
#include <string>
#include <tuple>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/published/published.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

// Both kernels of a method distribute the same items in the same way: see cl/marose/published/look_up.clh.
struct Shape {
  std::size_t groups = 0;
  unsigned group_size = 1;
  std::uint64_t share = 0;

  std::uint64_t work_items() const { return std::uint64_t{groups} * group_size; }
};

constexpr unsigned group_size = 128;
// Many times the number of concurrent groups of a GPU, so that work-items have similar loads.
constexpr std::uint64_t max_groups = 16384;

Shape shape_of(const Device& device, std::uint64_t items, runtime::Defines& defines) {
  Shape shape;
  if (runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, items, 1, 16);
    shape.groups = shares.workers;
    shape.share = shares.share;
    defines.set("ONLY_CPU", 1);
  } else {
    shape.group_size = runtime::group_size(device, {}, group_size);
    shape.groups = static_cast<std::size_t>(std::min(runtime::ceil_div(items, shape.group_size), max_groups));
    shape.share = shape.work_items();
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", shape.group_size);
  }
  return shape;
}

unsigned max_check_errors(const PlanTable& plans) {
  unsigned errors = 0;
  for (const Plan& plan : plans.plans)
    for (const SeedLookup& lookup : plan.places) errors = std::max(errors, lookup.check_errors);
  return errors;
}

// Work-items of a GPU that share one pattern: they look at the same block at the same time, so that it stays in the
// nearest cache. Measured on an H200 (150 Mb, seeds of 8, neighbourhoods of 7).
unsigned parts_of(const Device& device, Method method, unsigned errors) {
  if (runtime::uses_cpu_kernels(device) || method == Method::offset) return 1;
  if (method == Method::list) return 8;
  return errors == 0 ? 1 : errors == 1 ? 16 : 32;
}

// Arguments shared by the kernels <method>_count and <method>_write of one call.
class Search {
 public:
  Search(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
         StrandBits strands)
      : device_(device), segment_(segment), batch_(batch), plans_(plans), strands_(strands) {
    defines_ = published_defines(segment.mask, segment.neighbourhood, segment.method);
    set_read_defines(defines_, batch);
    const unsigned parts = parts_of(device, segment.method, max_check_errors(plans));
    defines_.set("PARTS", parts).set("DIAGONAL_BIAS", diagonal_bias);
    const std::uint64_t items = std::uint64_t{batch.count} * 2 * plans.max_places * parts;
    if (items > 0xffffffffu) throw CapacityError("patterns of a batch of reads, 32-bit numbers", items, 0xffffffffu);
    items_ = static_cast<std::uint32_t>(items);
    if (items_ != 0) shape_ = shape_of(device, items, defines_);
    offsets_ = Array<std::uint64_t>(device, shape_.work_items() + 1);
  }

  std::uint64_t count() {
    if (items_ == 0) return 0;
    const Array<std::uint64_t> counts(device_, shape_.work_items());
    launch("_count", counts);
    primitives::exclusive_scan(device_, counts, offsets_);
    std::uint64_t found = 0;
    offsets_.download(std::span(&found, 1), shape_.work_items());
    return found;
  }

  Candidates find() {
    Candidates candidates;
    candidates.count = count();
    candidates.keys = Array<std::uint64_t>(device_, candidates.count);
    if (candidates.count != 0) launch("_write", offsets_, candidates.keys);
    return candidates;
  }

 private:
  const Array<std::uint32_t>& table(std::string_view name) const { return table_of(segment_, name); }

  // With the tables that precede `output` in the arguments of the kernels.
  template <class... Output>
  void launch(const char* step, const Output&... output) const {
    switch (segment_.method) {
      case Method::list:
      case Method::binary:
        return launch_with(step, std::tie(table("first"), table("neighbourhoods"), table("positions")), output...);
      case Method::phf:
        return launch_with(step,
                           std::tie(table("heads"), table("values"), table("words"), table("positions"),
                                    table("several"), table("lists")),
                           output...);
      case Method::bitmap:
        return launch_with(step, std::tie(table("sectors"), table("first"), table("positions")), output...);
      default:
        return launch_with(step, std::tie(table("first"), table("positions")), output...);
    }
  }
  template <class Tables, class... Output>
  void launch_with(const char* step, const Tables& tables, const Output&... output) const {
    const std::string name(to_string(segment_.method));
    const std::uint32_t max_shift = plans_.model == Model::levenshtein ? plans_.max_errors : 0;
    runtime::Kernel kernel(device_, "marose/published/" + name + ".cl", name + step, defines_);
    std::apply([&](const auto&... all) { kernel.args(all...); },
               std::tuple_cat(read_arguments(batch_), plan_arguments(batch_, plans_),
                              std::tie(plans_.max_places, strands_, max_shift, segment_.reference.length, items_),
                              tables, std::tie(output..., shape_.share)));
    kernel.run(shape_.groups, shape_.group_size);
  }

  const Device& device_;
  const DeviceSegment& segment_;
  const ReadBatch& batch_;
  const PlanTable& plans_;
  const StrandBits strands_;
  runtime::Defines defines_;
  std::uint32_t items_ = 0;
  Shape shape_;
  // Begins of the candidates of each work-item.
  Array<std::uint64_t> offsets_;
};

void check(const DeviceSegment& segment, const PlanTable& plans) {
  check_published(segment.mask, segment.neighbourhood, segment.method);
  if (segment.method == Method::offset || segment.method == Method::list) return;
  if (max_check_errors(plans) > 2)
    throw InputError("method " + std::string(to_string(segment.method)) + ": more than 2 errors in a neighbourhood");
}

}  // namespace

const Array<std::uint32_t>& table_of(const DeviceSegment& segment, std::string_view name) {
  const auto found = segment.tables.find(name);
  if (found == segment.tables.end()) throw InputError("the index has no table " + in_quotes(name));
  return found->second;
}

Candidates find_candidates_published(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                     const PlanTable& plans, StrandBits strands) {
  check(segment, plans);
  if (segment.method == Method::phf_published) return find_candidates_by_groups(device, segment, batch, plans, strands);
  return Search(device, segment, batch, plans, strands).find();
}

std::uint64_t count_candidates_published(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                         const PlanTable& plans, StrandBits strands) {
  check(segment, plans);
  if (segment.method == Method::phf_published)
    return count_candidates_by_groups(device, segment, batch, plans, strands);
  return Search(device, segment, batch, plans, strands).count();
}

}  // namespace genocl::marose
