#include "genocl/overlap/suffix_index.hpp"

#include <algorithm>
#include <numeric>

#include "genocl/error.hpp"
#include "genocl/primitives/segmented_sort.hpp"
#include "overlap/find/index_state.hpp"
#include "overlap/find/patterns.hpp"
#include "overlap/text/text_state.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap {
namespace {

constexpr const char* file = "overlap/find/find.cl";
/// Hits that are made and sorted at a time.
constexpr std::uint64_t hits_at_once = std::uint64_t{1} << 26;

}  // namespace

SuffixIndex::State::State(SuffixArray of, std::vector<std::string> record_names)
    : suffixes(std::move(of)), names(std::move(record_names)) {
  const Text::State& text = suffixes.text().state();
  if (!names.empty() && names.size() + 1 != text.begins.size())
    throw InputError("names", {}, std::to_string(names.size()), std::to_string(text.begins.size() - 1));
  table = prefix_table(text.device, text, suffixes.positions());
}

SuffixIndex::SuffixIndex(SuffixArray suffixes, std::vector<std::string> names)
    : SuffixIndex(std::make_unique<State>(std::move(suffixes), std::move(names))) {}
SuffixIndex::SuffixIndex(std::unique_ptr<State> state) : state_(std::move(state)) {}
SuffixIndex::SuffixIndex(SuffixIndex&&) noexcept = default;
SuffixIndex& SuffixIndex::operator=(SuffixIndex&&) noexcept = default;
SuffixIndex::~SuffixIndex() = default;

const SuffixArray& SuffixIndex::suffixes() const noexcept { return state_->suffixes; }
std::span<const std::string> SuffixIndex::names() const noexcept { return state_->names; }

std::uint64_t SuffixIndex::record_of(std::uint64_t position) const {
  const std::span<const std::uint64_t> begins = state_->suffixes.text().begins();
  const auto behind = std::ranges::upper_bound(begins, position);
  return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, behind - begins.begin() - 1));
}

void SuffixIndex::find(const Patterns& patterns, Array<std::uint32_t>& first, Array<std::uint32_t>& counts) const {
  const Patterns::State& of = patterns.state();
  if (first.size() != of.count || counts.size() != of.count)
    throw InputError("results of a search", {}, std::to_string(std::min(first.size(), counts.size())) + " elements",
                     std::to_string(of.count));
  if (of.count == 0) return;
  const Text::State& text = state_->suffixes.text().state();
  runtime::launch_items(text.device, file, "find_patterns", text.defines(),
                        {.items = of.count, .bytes = of.words.bytes() + of.count * 24, .least = 64}, text.words,
                        text.breaks, text.size, state_->suffixes.positions(), state_->table.starts,
                        state_->table.symbols, of.words, of.begins, of.lengths, first, counts, of.count);
}

std::vector<std::uint32_t> SuffixIndex::count(std::span<const std::string_view> patterns) const {
  const Patterns packed(state_->suffixes.text(), patterns);
  const Device& device = state_->suffixes.device();
  Array<std::uint32_t> first(device, patterns.size()), counts(device, patterns.size());
  find(packed, first, counts);
  return counts.download();
}

Occurrences SuffixIndex::locate(std::span<const std::string_view> patterns, std::uint64_t most) const {
  Occurrences result;
  const Patterns packed(state_->suffixes.text(), patterns);
  const Device& device = state_->suffixes.device();
  Array<std::uint32_t> first(device, patterns.size()), counts(device, patterns.size());
  find(packed, first, counts);
  result.begins.push_back(0);
  for (const std::uint32_t count : counts.download())
    result.begins.push_back(result.begins.back() + std::min<std::uint64_t>(count, most));
  result.positions.resize(result.begins.back());
  const Array<std::uint64_t> begins(device, std::span<const std::uint64_t>(result.begins));
  // Whole patterns at a time, or as many hits as one has.
  for (std::size_t p = 0; p < patterns.size();) {
    const std::uint64_t first_hit = result.begins[p];
    std::size_t end = p + 1;
    while (end < patterns.size() && result.begins[end + 1] - first_hit <= hits_at_once) ++end;
    const std::uint64_t hits = result.begins[end] - first_hit;
    if (hits > 0) {
      Array<std::uint32_t> places(device, hits), unused(device, hits);
      runtime::launch_items(device, file, "list_places", state_->suffixes.text().state().defines(),
                            {.items = hits, .bytes = hits * 12}, state_->suffixes.positions(), first, begins, places,
                            std::uint64_t{patterns.size()}, first_hit, hits);
      std::vector<std::uint64_t> offsets;
      for (std::size_t i = p; i <= end; ++i) offsets.push_back(result.begins[i] - first_hit);
      const Array<std::uint64_t> segments(device, std::span<const std::uint64_t>(offsets));
      primitives::segmented_sort(device, places, unused, segments);
      places.download(std::span(result.positions).subspan(first_hit, hits));
    }
    p = end;
  }
  return result;
}

}  // namespace genocl::overlap
