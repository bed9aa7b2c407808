#include "genocl/overlap/match_index.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/overlap/suffix_pieces.hpp"
#include "overlap/find/index_file.hpp"
#include "overlap/find/index_state.hpp"
#include "overlap/matches/cut_index.hpp"
#include "overlap/matches/match_places.hpp"
#include "overlap/matches/match_search.hpp"
#include "overlap/matches/unique_matches.hpp"
#include "overlap/text/coded_text.hpp"
#include "overlap/text/host_text_state.hpp"
#include "runtime/chunks.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

struct Matches {
  std::vector<MaximalMatch> matches;
  std::uint64_t places = 0;
};

void append_matches(std::vector<MaximalMatch>& matches, const FoundMatches& found, unsigned bits, MatchPlaces& places) {
  matches.reserve(matches.size() + found.keys.size());
  for (std::size_t i = 0; i < found.keys.size(); ++i)
    matches.push_back(places.match(found.base + (found.keys[i] >> bits),
                                   found.keys[i] & ((std::uint64_t{1} << bits) - 1), found.lengths[i]));
}

/// Whether each device has room for all of an array, and for queries.
bool hold_whole(std::span<const Device> devices, std::uint64_t size, std::uint64_t text_bytes) {
  return size <= Text::longest && std::ranges::all_of(devices, [&](const Device& device) {
           return suffixes_beside(device, text_bytes, size, 4) == size;
         });
}

/// Whether the array can be made there as a whole.
bool makes_whole(const Device& device, std::uint64_t size, unsigned bits) {
  return size <= Text::longest && 4 * size <= device.info().max_allocation &&
         SuffixArray::peak_bytes(device, size, bits, true) <= runtime::usable_memory(device);
}

}  // namespace

struct MatchIndex::State {
  std::vector<Device> devices;
  std::vector<SuffixIndex> indexes;  ///< [device]; none where it is cut
  std::unique_ptr<CutIndex> cut;
  std::vector<std::string> names;

  void add(SuffixIndex index) {
    if (!index.suffixes().text().has_breaks() && index.suffixes().size() != 0)
      throw InputError("matches with an index of a text that is not one of records");
    indexes.push_back(std::move(index));
    devices.push_back(indexes.back().suffixes().device());
    // Others queues read it.
    devices.back().finish();
  }

  /// Of an array on the host: on each device as a whole, or in pieces where one has too little memory.
  void bring(std::span<const Device> to, const HostText& text, HostPositions positions,
             const std::vector<std::string>& record_names) {
    if (!positions.is_wide() && hold_whole(to, text.size(), text.bytes())) {
      for (const Device& device : to)
        add(SuffixIndex(SuffixArray(Text::of(bring_to(device, text)), Array<std::uint32_t>(device, positions.narrow)),
                        record_names));
      return;
    }
    if (!record_names.empty() && record_names.size() + 1 != text.begins().size())
      throw InputError("names", {}, std::to_string(record_names.size()), std::to_string(text.begins().size() - 1));
    devices.assign(to.begin(), to.end());
    names = record_names;
    cut = std::make_unique<CutIndex>(to, text, std::move(positions));
  }
};

MatchIndex::MatchIndex(std::span<const Device> devices, const SequenceSet& reference, Letters letters,
                       const std::vector<std::string>& names, const Progress& progress)
    : state_(std::make_unique<State>()) {
  if (devices.empty()) throw InputError("no device given");
  const SequenceSet* const only = &reference;
  const std::uint64_t size = reference.residues() + reference.size();
  const unsigned bits = bits_for(symbols_of(reference.alphabet(), letters).size());
  if (std::ranges::all_of(devices, [&](const Device& device) { return makes_whole(device, size, bits); })) {
    for (const Device& device : devices)
      state_->add(SuffixIndex(
          SuffixArray(Text::separated(device, std::span(&only, 1), letters), {.progress = progress}), names));
    return;
  }
  const HostText text = HostText::separated(std::span(&only, 1), {.letters = letters});
  state_->bring(devices, text, sort_on_host(devices, text, size > Text::longest, {.progress = progress}), names);
}
MatchIndex::MatchIndex(const Device& device, const SequenceSet& reference, Letters letters)
    : MatchIndex(std::span(&device, 1), reference, letters) {}
MatchIndex::MatchIndex(SuffixIndex index) : state_(std::make_unique<State>()) { state_->add(std::move(index)); }

MatchIndex MatchIndex::open(std::span<const Device> devices, const std::string& path, bool check) {
  if (devices.empty()) throw InputError("no device given");
  IndexFile mapped(path);
  if (hold_whole(devices, mapped.size, mapped.text_bytes())) {
    MatchIndex result(std::make_unique<State>());
    for (const Device& device : devices) result.state_->add(bring_to(device, mapped));
    const SuffixArray& first = result.index().suffixes();
    if (check && first_error(first.text(), first.positions())) wrong_order(path);
    return result;
  }
  if (!mapped.has_breaks) throw InputError("matches with an index of a text that is not one of records");
  HostText::State text{.size = mapped.size, .bits = mapped.bits, .has_breaks = mapped.has_breaks};
  text.words.assign(mapped.words.begin(), mapped.words.end());
  text.breaks.assign(mapped.breaks.begin(), mapped.breaks.end());
  text.alphabet = std::move(mapped.alphabet);
  text.begins = std::move(mapped.begins);
  const HostText on_host = HostText::of(std::make_shared<const HostText::State>(std::move(text)));
  if (check && first_error(devices.front(), on_host, mapped.positions)) wrong_order(path);
  MatchIndex result(std::make_unique<State>());
  result.state_->bring(devices, on_host, {.narrow = mapped.positions, .wide = {}, .keeps = mapped.file}, mapped.names);
  return result;
}

MatchIndex::MatchIndex(std::unique_ptr<State> state) : state_(std::move(state)) {}
MatchIndex::MatchIndex(MatchIndex&&) noexcept = default;
MatchIndex& MatchIndex::operator=(MatchIndex&&) noexcept = default;
MatchIndex::~MatchIndex() = default;

const SuffixIndex& MatchIndex::index() const {
  if (state_->cut) throw InputError("an index in pieces is on no device as a whole");
  return state_->indexes.front();
}

void MatchIndex::save(const std::string& path) const {
  if (state_->cut)
    save_index(path, state_->cut->text(), state_->names,
               runtime::section("positions", state_->cut->positions().narrow));
  else
    index().save(path);
}

std::uint64_t MatchIndex::pieces() const noexcept { return state_->cut ? state_->cut->pieces() : 1; }
std::span<const std::string> MatchIndex::names() const noexcept {
  return state_->cut ? std::span<const std::string>(state_->names) : state_->indexes.front().names();
}
std::span<const std::uint64_t> MatchIndex::begins() const noexcept {
  return state_->cut ? state_->cut->text().begins() : state_->indexes.front().suffixes().text().begins();
}

void MatchIndex::find(const SequenceSet& queries, const MatchOptions& options, const Sink& sink) const {
  const State& state = *state_;
  if (options.min_length == 0) throw InputError("maximal matches of 0 letters: at least 1");
  if (options.both_strands && queries.alphabet() != Alphabet::dna)
    throw InputError("matches on both strands of queries that are not DNA");
  if (options.min_length > begins().back() || options.min_length > queries.residues()) return;
  if (state.cut) {
    state.cut->find(queries, options, sink);
    return;
  }
  const Text::State& coding = index().suffixes().text().state();
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
        const Reference arrays(reference, on.suffixes.positions(), on.table);
        const MatchSearch search(device, arrays, query, plan);
        MatchPlaces places(reference.begins, query.begins, strands);
        search.find(range, unique,
                    [&](FoundMatches&& some) { append_matches(found.matches, some, search.position_bits(), places); });
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
