#include "genocl/overlap/match_index.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "overlap/find/index_state.hpp"
#include "overlap/matches/match_search.hpp"
#include "overlap/matches/unique_matches.hpp"
#include "overlap/text/coded_text.hpp"
#include "overlap/text/sorted_text.hpp"
#include "runtime/chunks.hpp"

namespace genocl::overlap {
namespace {

/// Anchors that a worker looks up at a time, and the places of the queries that they stand for.
constexpr std::uint64_t anchors_at_once = std::uint64_t{1} << 20, places_at_once = std::uint64_t{1} << 30;

struct Matches {
  std::vector<MaximalMatch> matches;
  std::uint64_t places = 0;
};

void append_matches(std::vector<MaximalMatch>& matches, const FoundMatches& found, unsigned bits,
                    Locator& in_references, Locator& in_queries, std::uint64_t strands) {
  matches.reserve(matches.size() + found.keys.size());
  for (std::size_t i = 0; i < found.keys.size(); ++i) {
    const std::uint64_t in_query = found.base + (found.keys[i] >> bits);
    const std::uint64_t in_reference = found.keys[i] & ((std::uint64_t{1} << bits) - 1);
    const std::uint64_t query = in_queries.record(in_query), record = in_references.record(in_reference);
    matches.push_back({.reference_record = record,
                       .reference_position = in_reference - in_references.begin(record),
                       .query_record = query / strands,
                       .query_position = in_query - in_queries.begin(query),
                       .length = found.lengths[i],
                       .reverse = query % strands == 1});
  }
}

}  // namespace

struct MatchIndex::State {
  std::vector<Device> devices;
  std::vector<SuffixIndex> indexes;  ///< [device]

  void add(SuffixIndex index) {
    if (!index.suffixes().text().has_breaks() && index.suffixes().size() != 0)
      throw InputError("matches with an index of a text that is not one of records");
    indexes.push_back(std::move(index));
    devices.push_back(indexes.back().suffixes().device());
    // Others queues read it.
    devices.back().finish();
  }
};

MatchIndex::MatchIndex(std::span<const Device> devices, const SequenceSet& reference, Letters letters,
                       const std::vector<std::string>& names, const Progress& progress)
    : state_(std::make_unique<State>()) {
  if (devices.empty()) throw InputError("no device given");
  const SequenceSet* const only = &reference;
  for (const Device& device : devices)
    state_->add(
        SuffixIndex(SuffixArray(Text::separated(device, std::span(&only, 1), letters), {.progress = progress}), names));
}
MatchIndex::MatchIndex(const Device& device, const SequenceSet& reference, Letters letters)
    : MatchIndex(std::span(&device, 1), reference, letters) {}
MatchIndex::MatchIndex(SuffixIndex index) : state_(std::make_unique<State>()) { state_->add(std::move(index)); }

MatchIndex MatchIndex::open(std::span<const Device> devices, const std::string& path, bool check) {
  if (devices.empty()) throw InputError("no device given");
  MatchIndex result(SuffixIndex::open(devices.front(), path, check));
  for (const Device& device : devices.subspan(1)) result.state_->add(SuffixIndex::open(device, path));
  return result;
}

MatchIndex::MatchIndex(MatchIndex&&) noexcept = default;
MatchIndex& MatchIndex::operator=(MatchIndex&&) noexcept = default;
MatchIndex::~MatchIndex() = default;

const SuffixIndex& MatchIndex::index() const noexcept { return state_->indexes.front(); }

void MatchIndex::find(const SequenceSet& queries, const MatchOptions& options, const Sink& sink) const {
  const State& state = *state_;
  if (options.min_length == 0) throw InputError("maximal matches of 0 letters: at least 1");
  if (options.both_strands && queries.alphabet() != Alphabet::dna)
    throw InputError("matches on both strands of queries that are not DNA");
  const Text::State& coding = index().suffixes().text().state();
  if (options.min_length > coding.size || options.min_length > queries.residues()) return;
  const auto min_length = static_cast<std::uint32_t>(options.min_length);
  const AnchorPlan plan = AnchorPlan::of(coding, min_length);
  const std::uint64_t strands = options.both_strands ? 2 : 1;
  std::vector<std::shared_ptr<const Text::State>> texts;
  for (const SuffixIndex& on : state.indexes)
    texts.push_back(coded_as(on.suffixes().text().state(), on.suffixes().device(), queries, options.both_strands));
  for (const Device& device : state.devices) device.finish();

  const std::uint64_t size = texts.front()->size, anchors = (size + plan.step - 1) / plan.step;
  const std::uint64_t at_once = std::clamp<std::uint64_t>(places_at_once / plan.step, 1, anchors_at_once);
  const bool unique = options.kind != MatchKind::all;
  std::uint64_t next = 0;
  UniqueMatches both_unique;
  runtime::for_each_chunk(
      state.devices,
      [&]() -> std::optional<AnchorRange> {
        if (next == anchors) return std::nullopt;
        const AnchorRange range{next, std::min(at_once, anchors - next)};
        next += range.count;
        return range;
      },
      [&](const Device& device, std::size_t number, AnchorRange&& range) {
        const SuffixIndex::State& on = state.indexes[number].state();
        const Text::State& reference = on.suffixes.text().state();
        const Text::State& query = *texts[number];
        Matches found{{}, range.count * plan.step};
        const Reference arrays{reference, on.suffixes.positions(), on.starts, on.symbols};
        const MatchSearch search(device, arrays, query, plan);
        Locator in_references(reference.begins), in_queries(query.begins);
        search.find(range, unique, [&](FoundMatches&& some) {
          append_matches(found.matches, some, search.position_bits(), in_references, in_queries, strands);
        });
        return found;
      },
      [&](Matches&& found) {
        if (options.kind == MatchKind::unique)
          both_unique.add(found.matches, sink);
        else if (!found.matches.empty())
          sink(found.matches);
        return std::min(found.places, size);
      },
      {.items_total = size, .progress = options.progress});
  if (options.kind == MatchKind::unique) both_unique.finish(sink);
}

std::vector<MaximalMatch> MatchIndex::find(const SequenceSet& queries, const MatchOptions& options) const {
  std::vector<MaximalMatch> matches;
  find(queries, options,
       [&](std::span<const MaximalMatch> some) { matches.insert(matches.end(), some.begin(), some.end()); });
  return matches;
}

std::vector<MaximalMatch> maximal_matches(const Device& device, const SequenceSet& reference,
                                          const SequenceSet& queries, const MatchOptions& options) {
  if (options.min_length == 0) throw InputError("maximal matches of 0 letters: at least 1");
  if (reference.alphabet() != queries.alphabet()) throw InputError("a reference and queries of different alphabets");
  return MatchIndex(device, reference, options.letters).find(queries, options);
}

}  // namespace genocl::overlap
