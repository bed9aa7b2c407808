#include "overlap/matches/match_search.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap {
namespace {

using Words = runtime::ScratchArray<std::uint32_t>;

/// Symbols that tell the places of a random text with this one's alphabet apart.
std::uint32_t telling_symbols(const Text::State& text) {
  const std::uint64_t letters = std::max<std::uint64_t>(2, text.alphabet.size());
  std::uint32_t symbols = 0;
  for (std::uint64_t left = text.size; left > 0; left /= letters) ++symbols;
  return symbols + 2;
}

/// Of matches from several pieces of one anchor.
void sort_on_host(FoundMatches& found) {
  std::vector<std::size_t> order(found.keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return found.keys[i]; });
  FoundMatches sorted{found.base, {}, {}};
  for (const std::size_t i : order) {
    sorted.keys.push_back(found.keys[i]);
    sorted.lengths.push_back(found.lengths[i]);
  }
  found = std::move(sorted);
}

}  // namespace

AnchorPlan AnchorPlan::of(const Text::State& text, std::uint32_t min_length) {
  const std::uint32_t depth = std::min(min_length, std::max(telling_symbols(text), min_length - min_length / 3));
  return {min_length - depth + 1, depth};
}

struct MatchSearch::Anchors {
  AnchorRange range;
  Words firsts, counts;
  runtime::ScratchArray<std::uint64_t> offsets;  ///< [anchor]: candidates before it; one more at the end

  std::uint64_t before(std::uint64_t anchor) const {
    std::uint64_t value = 0;
    offsets.download(std::span(&value, 1), anchor);
    return value;
  }
};

MatchSearch::MatchSearch(const Device& device, const Reference& reference, const Text::State& queries, AnchorPlan plan,
                         std::uint64_t most_candidates)
    : device_(device),
      reference_(reference),
      queries_(queries),
      plan_(plan),
      most_candidates_(
          std::clamp<std::uint64_t>(device.info().max_allocation / sizeof(std::uint64_t), 1, most_candidates)),
      position_bits_(static_cast<unsigned>(std::bit_width(reference.text.size))) {}

template <class... Arguments>
void MatchSearch::launch(const char* file, const char* name, std::uint64_t items, unsigned bytes,
                         const Arguments&... arguments) const {
  runtime::Defines defines = reference_.text.defines();
  if (reference_.wide) defines.set("POSITIONS_WIDE", 1);
  runtime::launch_items(device_, file, name, defines, {.items = items, .bytes = items * bytes, .least = 64},
                        reference_.text.words, reference_.text.breaks, reference_.text.size, reference_.positions,
                        reference_.table.starts, reference_.table.symbols, queries_.words, queries_.breaks,
                        queries_.size, arguments..., items);
}

MatchSearch::Anchors MatchSearch::look_up(AnchorRange range, bool unique) const {
  Anchors anchors{range, Words(device_, range.count), Words(device_, range.count),
                  runtime::ScratchArray<std::uint64_t>(device_, range.count + 1)};
  if (unique && !reference_.whole) {
    // Of a match the suffix from its anchor on may be in another piece than the one from its beginning on: that the
    // former is not in this one says nothing.
    anchors.counts.fill(1);
    return anchors;
  }
  launch("overlap/matches/anchors.cl", "find_anchors", range.count, 200, range.first, plan_.step, plan_.depth,
         anchors.firsts, anchors.counts);
  return anchors;
}

FoundMatches MatchSearch::check(const Anchors& anchors, std::uint64_t first, std::uint64_t count) const {
  constexpr const char* file = "overlap/matches/anchors.cl";
  const std::uint64_t first_place = anchors.range.first * plan_.step;
  const std::uint64_t base = first_place - std::min<std::uint64_t>(first_place, plan_.step - 1);
  FoundMatches found{base, {}, {}};
  runtime::ScratchArray<std::uint64_t> candidates(device_, count);
  runtime::ScratchArray<std::uint8_t> keep(device_, count);
  launch(file, "check_candidates", count, 100, anchors.range.first, plan_.step, plan_.depth, plan_.min_length(),
         anchors.offsets, anchors.range.count, anchors.firsts, first, base, position_bits_, candidates, keep);
  Words kept(device_, count);
  const std::uint64_t matches = primitives::select_indices(device_, keep, kept);
  if (matches == 0) return found;
  runtime::ScratchArray<std::uint64_t> keys(device_, matches);
  Words lengths(device_, matches);
  launch(file, "measure_matches", matches, 100, plan_.min_length(), kept, candidates, base, position_bits_, keys,
         lengths);
  const std::uint64_t places = (anchors.range.count + 1) * plan_.step;
  primitives::sort(device_, keys, lengths,
                   {.last_bit = std::min(64u, position_bits_ + static_cast<unsigned>(std::bit_width(places)))});
  found.keys.resize(matches);
  found.lengths.resize(matches);
  keys.download(std::span(found.keys));
  lengths.download(std::span(found.lengths));
  return found;
}

void MatchSearch::find_all(Anchors& anchors, const std::function<void(FoundMatches&&)>& sink) const {
  primitives::exclusive_scan(device_, anchors.counts, anchors.offsets);
  const std::uint64_t total = anchors.before(anchors.range.count);
  // Whole anchors at a time: matches from different ones are in order.
  std::uint64_t begin = 0;
  for (std::uint64_t anchor = 0; begin < total;) {
    std::uint64_t end = total, end_anchor = anchors.range.count;
    if (total - begin > most_candidates_) {
      std::uint64_t high = end_anchor;
      for (end_anchor = anchor; high - end_anchor > 1;) {
        const std::uint64_t middle = end_anchor + (high - end_anchor) / 2;
        (anchors.before(middle) - begin <= most_candidates_ ? end_anchor : high) = middle;
      }
      end = anchors.before(end_anchor);
      if (end == begin) end = anchors.before(++end_anchor);
    }
    FoundMatches found;
    for (std::uint64_t first = begin; first < end; first += most_candidates_) {
      FoundMatches piece = check(anchors, first, std::min(most_candidates_, end - first));
      if (first == begin) {
        found = std::move(piece);
      } else {
        found.keys.insert(found.keys.end(), piece.keys.begin(), piece.keys.end());
        found.lengths.insert(found.lengths.end(), piece.lengths.begin(), piece.lengths.end());
      }
    }
    if (end - begin > most_candidates_) sort_on_host(found);
    if (!found.keys.empty()) sink(std::move(found));
    begin = end;
    anchor = end_anchor;
  }
}

void MatchSearch::find_unique(const Anchors& anchors, const std::function<void(FoundMatches&&)>& sink) const {
  const std::uint64_t last_anchor = anchors.range.first + anchors.range.count - 1;
  const std::uint64_t begin = anchors.range.first == 0 ? 0 : (anchors.range.first - 1) * plan_.step + 1;
  const std::uint64_t end = std::min(queries_.size, last_anchor * plan_.step + 1);
  for (std::uint64_t first = begin; first < end; first += most_candidates_) {
    const std::uint64_t count = std::min(most_candidates_, end - first);
    runtime::ScratchArray<std::uint64_t> keys(device_, count);
    Words lengths(device_, count);
    runtime::ScratchArray<std::uint8_t> keep(device_, count);
    launch("overlap/matches/unique.cl", "find_unique", count, 100, anchors.range.first, plan_.step, anchors.counts,
           anchors.range.count, plan_.min_length(), first, first, position_bits_, keys, lengths, keep);
    runtime::ScratchArray<std::uint64_t> kept_keys(device_, count);
    const std::uint64_t matches = primitives::select(device_, keys, keep, kept_keys);
    if (matches == 0) continue;
    Words kept_lengths(device_, count);
    primitives::select(device_, lengths, keep, kept_lengths);
    FoundMatches found{first, std::vector<std::uint64_t>(matches), std::vector<std::uint32_t>(matches)};
    kept_keys.download(std::span(found.keys));
    kept_lengths.download(std::span(found.lengths));
    sink(std::move(found));
  }
}

std::vector<std::uint8_t> MatchSearch::has(std::span<const std::uint64_t> places,
                                           std::span<const std::uint32_t> lengths) const {
  const std::uint64_t count = places.size();
  std::vector<std::uint8_t> found(count);
  if (count == 0) return found;
  runtime::ScratchArray<std::uint64_t> there(device_, count);
  Words wanted(device_, count);
  runtime::ScratchArray<std::uint8_t> flags(device_, count);
  there.upload(places);
  wanted.upload(lengths);
  launch("overlap/matches/unique.cl", "find_again", count, 200, there, wanted, flags);
  flags.download(std::span(found));
  return found;
}

void MatchSearch::find(AnchorRange range, bool unique, const std::function<void(FoundMatches&&)>& sink) const {
  if (range.count == 0) return;
  Anchors anchors = look_up(range, unique);
  if (unique)
    find_unique(anchors, sink);
  else
    find_all(anchors, sink);
}

}  // namespace genocl::overlap
