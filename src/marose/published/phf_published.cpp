// The search of `phf` as published: a work-group has a read, a work-item one of its patterns (Algorithm 1 and Figure 9
// of the paper).
#include <algorithm>
#include <bit>
#include <string>
#include <tuple>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/published/published.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

// Groups loop over the remaining reads.
constexpr std::uint64_t max_read_groups = std::uint64_t{1} << 16;
constexpr std::uint64_t max_items_of_read = 128;

class GroupSearch {
 public:
  GroupSearch(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
              StrandBits strands)
      : device_(device), segment_(segment), batch_(batch), plans_(plans), strands_(strands) {
    const std::uint64_t patterns = 2 * std::uint64_t{plans.max_places}, items = patterns * batch.count;
    if (items > 0xffffffffu) throw CapacityError("patterns of a batch of reads, 32-bit numbers", items, 0xffffffffu);
    items_ = static_cast<std::uint32_t>(items);
    // As many items as a read has patterns.
    group_size_ = runtime::group_size(
        device, {}, static_cast<unsigned>(std::clamp<std::uint64_t>(std::bit_ceil(patterns), 64, max_items_of_read)));
    groups_ = static_cast<std::size_t>(std::min<std::uint64_t>(batch.count, max_read_groups));
    defines_ = published_defines(segment.mask, segment.neighbourhood, segment.method);
    set_read_defines(defines_, batch);
    defines_.set("PARTS", 1).set("DIAGONAL_BIAS", diagonal_bias).set("ONLY_GPU", 1).set("GROUP_SIZE", group_size_);
    offsets_ = Array<std::uint64_t>(device, items + 1);
  }

  std::uint64_t count() {
    if (items_ == 0) return 0;
    Array<std::uint64_t> counts(device_, items_ + std::uint64_t{1});
    counts.fill(0);
    launch("phf_published_count", counts);
    primitives::exclusive_scan(device_, counts, offsets_);
    std::uint64_t found = 0;
    offsets_.download(std::span(&found, 1), items_);
    return found;
  }

  Candidates find() {
    Candidates candidates;
    candidates.count = count();
    candidates.sorted = true;
    candidates.keys = Array<std::uint64_t>(device_, candidates.count);
    if (candidates.count == 0) return candidates;
    const Array<std::uint64_t> other(device_, candidates.count);
    launch("phf_published_find", offsets_, candidates.keys, other);
    return candidates;
  }

 private:
  template <class... Output>
  void launch(const char* name, const Output&... output) const {
    const auto table = [&](std::string_view of) -> const Array<std::uint32_t>& { return table_of(segment_, of); };
    const std::uint32_t max_shift = plans_.model == Model::levenshtein ? plans_.max_errors : 0;
    runtime::Kernel kernel(device_, "marose/published/phf_published.cl", name, defines_);
    std::apply(
        [&](const auto&... all) { kernel.args(all...); },
        std::tuple_cat(read_arguments(batch_), plan_arguments(batch_, plans_),
                       std::tie(plans_.max_places, strands_, max_shift, segment_.reference.length, items_),
                       std::tie(table("heads"), table("values"), table("words"), table("begins"), table("positions")),
                       std::tie(output..., batch_.count)));
    kernel.run(groups_, group_size_);
  }

  const Device& device_;
  const DeviceSegment& segment_;
  const ReadBatch& batch_;
  const PlanTable& plans_;
  const StrandBits strands_;
  runtime::Defines defines_;
  std::uint32_t items_ = 0;
  unsigned group_size_ = 64;
  std::size_t groups_ = 0;
  // Begins of the candidates of each pattern of each read.
  Array<std::uint64_t> offsets_;
};

}  // namespace

Candidates find_candidates_by_groups(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                     const PlanTable& plans, StrandBits strands) {
  return GroupSearch(device, segment, batch, plans, strands).find();
}

std::uint64_t count_candidates_by_groups(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                         const PlanTable& plans, StrandBits strands) {
  return GroupSearch(device, segment, batch, plans, strands).count();
}

}  // namespace genocl::marose
