#include "genocl/overlap/suffix_index.hpp"

#include <algorithm>
#include <optional>

#include "genocl/error.hpp"
#include "overlap/find/index_state.hpp"
#include "overlap/find/pattern_search.hpp"
#include "overlap/text/host_text_state.hpp"
#include "runtime/chunks.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap {
namespace {

/// Patterns that a device takes at a time, of several devices.
constexpr std::size_t patterns_at_once = std::size_t{1} << 18;

/// Calls `search(device, index, patterns)` for some of the patterns at a time, by all devices that have the index, and
/// hands what it gives to `take`, in order.
template <class Search, class Take>
void deal_out(const SuffixIndex::State& index, std::span<const std::string_view> patterns, Search&& search,
              Take&& take) {
  using Some = std::span<const std::string_view>;
  check_patterns(patterns);
  std::vector<Device> devices = {index.suffixes.device()};
  for (const SuffixIndex& other : index.others) devices.push_back(other.suffixes().device());
  const std::size_t share = runtime::ceil_div(patterns.size(), 2 * devices.size());
  const std::size_t at_once = std::clamp<std::size_t>(share, 1, patterns_at_once);
  std::size_t next = 0;
  runtime::for_each_chunk(
      devices,
      [&]() -> std::optional<Some> {
        if (next == patterns.size()) return std::nullopt;
        const Some some = patterns.subspan(next, std::min(at_once, patterns.size() - next));
        next += some.size();
        return some;
      },
      [&](const Device& device, std::size_t number, Some&& some) {
        return search(device, number == 0 ? index : index.others[number - 1].state(), some);
      },
      [&](auto&& found) {
        take(found);
        return std::uint64_t{0};
      });
}

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
SuffixIndex::SuffixIndex(SuffixArray suffixes, std::vector<std::string> names, std::span<const Device> others)
    : SuffixIndex(std::move(suffixes), std::move(names)) {
  if (others.empty()) return;
  const SuffixArray& from = state_->suffixes;
  runtime::check_host_memory("a suffix index that is copied", from.positions().bytes() + from.text().state().bytes());
  const HostText text = copied(from.text());
  const std::vector<std::uint32_t> positions = from.download();
  from.device().finish();
  for (const Device& device : others) {
    state_->others.emplace_back(SuffixArray(Text::of(bring_to(device, text)),
                                            Array<std::uint32_t>(device, std::span<const std::uint32_t>(positions))),
                                state_->names);
    // Others queues read it.
    device.finish();
  }
}
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
  find_by(state_->suffixes.device(), *state_, of, first, counts);
}

std::vector<std::uint32_t> SuffixIndex::count(std::span<const std::string_view> patterns) const {
  if (state_->others.empty()) return count_by(state_->suffixes.device(), *state_, patterns);
  std::vector<std::uint32_t> counts;
  counts.reserve(patterns.size());
  deal_out(*state_, patterns, count_by,
           [&](const std::vector<std::uint32_t>& some) { counts.insert(counts.end(), some.begin(), some.end()); });
  return counts;
}

Occurrences SuffixIndex::locate(std::span<const std::string_view> patterns, std::uint64_t most) const {
  if (state_->others.empty()) return locate_by(state_->suffixes.device(), *state_, patterns, most);
  Occurrences all{.begins = {0}, .positions = {}};
  all.begins.reserve(patterns.size() + 1);
  deal_out(
      *state_, patterns,
      [most](const Device& device, const State& index, std::span<const std::string_view> some) {
        return locate_by(device, index, some, most);
      },
      [&](const Occurrences& some) {
        const std::uint64_t before = all.positions.size();
        for (std::size_t p = 1; p < some.begins.size(); ++p) all.begins.push_back(before + some.begins[p]);
        all.positions.insert(all.positions.end(), some.positions.begin(), some.positions.end());
      });
  return all;
}

}  // namespace genocl::overlap
