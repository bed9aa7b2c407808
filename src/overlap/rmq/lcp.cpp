#include "overlap/rmq/enhanced_suffix_array.hpp"

#include <algorithm>

#include "genocl/overlap/lcp.hpp"
#include "genocl/primitives/scan.hpp"
#include "overlap/text/text.hpp"
#include "runtime/launch.hpp"
#include "runtime/names.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {
namespace {

constexpr const char* lcp_file = "overlap/rmq/lcp.cl";

/// Capacity of the list of ranks that whole work-groups compare. More are possible in theory only, since the
/// irreducible values have a sum of at most n log2 n; single items compare those.
std::uint64_t max_long_ranks(std::uint64_t size) { return size / 4 + 64; }

void compare_neighbours(const Text::State& text, const Array<std::uint32_t>& positions, Array<std::uint32_t>& values,
                        Array<std::uint32_t>& sums) {
  const Device& device = text.device();
  const std::uint64_t size = text.size, bytes = 12 * size + 16 * size;
  runtime::Defines defines = text.defines();
  if (runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, size, 1, 256);
    runtime::Kernel(device, lcp_file, "lcp_heads_cpu", defines.set("ONLY_CPU", 1))
        .args(text.words, text.separators, size, positions, values, sums, shares.share)
        .run(shares.workers, 1, bytes);
    return;
  }
  const unsigned group = runtime::group_size(device);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", group);
  const auto long_capacity = static_cast<std::uint32_t>(max_long_ranks(size));
  const runtime::Scratch long_ranks(device, 4 * std::uint64_t{long_capacity}), long_count(device, 4);
  runtime::fill(device, long_count.buffer(), "\0", 1, 4);
  const auto groups =
      static_cast<std::size_t>(std::min<std::uint64_t>(runtime::ceil_div(size, group), std::uint64_t{1} << 20));
  runtime::Kernel(device, lcp_file, "lcp_heads_gpu", defines)
      .args(text.words, text.separators, size, positions, values, sums, long_ranks, long_capacity, long_count,
            std::uint64_t{groups} * group)
      .run(groups, group, bytes);
  runtime::Kernel(device, lcp_file, "lcp_long_gpu", defines)
      .args(text.words, text.separators, size, positions, values, sums, long_ranks, long_capacity, long_count)
      .run(2 * runtime::groups_that_fill(device), group);
}

constexpr runtime::Names<LcpMethod, 2> lcp_names = {
    {{LcpMethod::irreducible, "irreducible"}, {LcpMethod::kasai, "kasai"}}};

}  // namespace

std::string_view to_string(LcpMethod method) noexcept { return runtime::name_of(lcp_names, method); }

LcpMethod lcp_method_named(std::string_view name) {
  return runtime::value_named(lcp_names, "method for common prefixes", name);
}

Array<std::uint32_t> lcp_values(const Text& text, const Array<std::uint32_t>& positions) {
  const Text::State& state = runtime::state_of(text);
  const std::uint64_t size = state.size;
  if (size == 0) return Array<std::uint32_t>(state.device(), 0);
  const bool lists = !runtime::uses_cpu_kernels(state.device());
  runtime::check_capacity(state.device(), "longest common prefixes", 4 * size,
                          8 * size + (lists ? 4 * max_long_ranks(size) : 0));
  Array<std::uint32_t> values(state.device(), size);
  runtime::ScratchArray<std::uint32_t> sums(state.device(), size);
  sums.fill(0);
  compare_neighbours(state, positions, values, sums);
  primitives::inclusive_max_scan(state.device(), sums, sums);
  runtime::launch_items(state.device(), lcp_file, "lcp_reducible", state.defines(),
                        {.items = size, .bytes = 16 * size, .least = 1024}, positions, sums, values, size);
  return values;
}

Lcp::Lcp(const SuffixArray& suffixes, LcpMethod method)
    : values_(method == LcpMethod::kasai ? kasai_values(suffixes.text(), suffixes.positions())
                                         : lcp_values(suffixes.text(), suffixes.positions())) {}

}  // namespace genocl::overlap
