#include "overlap/matches/match_index.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/overlap/match_index.hpp"
#include "genocl/overlap/pieces.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/find/suffix_index.hpp"
#include "overlap/matches/cut_index.hpp"
#include "overlap/text/text.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/chunks.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

using ScratchWords = runtime::ScratchArray<std::uint32_t>;

/// The number of symbols that distinguish most positions of a random text with this alphabet.
std::uint32_t telling_symbols(const Text::State& text) {
  const std::uint64_t letters = std::max<std::uint64_t>(2, text.alphabet.size());
  std::uint32_t symbols = 0;
  for (std::uint64_t left = text.size; left > 0; left /= letters) ++symbols;
  return symbols + 2;
}

/// Sorts the matches of one anchor that several parts found.
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
  ScratchWords firsts, counts;
  runtime::ScratchArray<std::uint64_t> offsets;  ///< [anchor]: candidates before it; one more at the end

  std::uint64_t before(std::uint64_t anchor) const {
    std::uint64_t value = 0;
    offsets.download(std::span(&value, 1), anchor);
    return value;
  }
};

MatchSearch::MatchSearch(const Device& device, const Reference& reference, const Text::State& queries, AnchorPlan plan,
                         std::uint64_t max_candidates)
    : device_(device),
      reference_(reference),
      queries_(queries),
      plan_(plan),
      max_candidates_(
          std::clamp<std::uint64_t>(device.info().max_allocation / sizeof(std::uint64_t), 1, max_candidates)),
      position_bits_(static_cast<unsigned>(std::bit_width(reference.text.size))) {}

template <class... Arguments>
void MatchSearch::launch(const char* file, const char* name, std::uint64_t items, unsigned bytes,
                         const Arguments&... arguments) const {
  runtime::Defines defines = reference_.text.defines();
  if (reference_.wide) defines.set("POSITIONS_WIDE", 1);
  runtime::launch_items(device_, file, name, defines, {.items = items, .bytes = items * bytes, .least = 64},
                        reference_.text.words, reference_.text.separators, reference_.text.size, reference_.positions,
                        reference_.table.starts, reference_.table.symbols, queries_.words, queries_.separators,
                        queries_.size, arguments..., items);
}

MatchSearch::Anchors MatchSearch::look_up(AnchorRange range, bool unique) const {
  Anchors anchors{range, ScratchWords(device_, range.count), ScratchWords(device_, range.count),
                  runtime::ScratchArray<std::uint64_t>(device_, range.count + 1)};
  if (unique && !reference_.whole) {
    // The suffix at the anchor of a match may be in another piece than the suffix at its start. Its absence from this
    // piece has no meaning.
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
  ScratchWords kept(device_, count);
  const std::uint64_t matches = primitives::select_indices(device_, keep, kept);
  if (matches == 0) return found;
  runtime::ScratchArray<std::uint64_t> keys(device_, matches);
  ScratchWords lengths(device_, matches);
  launch(file, "measure_matches", matches, 100, plan_.min_length(), kept, candidates, base, position_bits_, keys,
         lengths);
  const std::uint64_t places = (anchors.range.count + 1) * plan_.step;
  primitives::sort_replacing(
      device_, keys, lengths,
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
    if (total - begin > max_candidates_) {
      std::uint64_t high = end_anchor;
      for (end_anchor = anchor; high - end_anchor > 1;) {
        const std::uint64_t middle = end_anchor + (high - end_anchor) / 2;
        (anchors.before(middle) - begin <= max_candidates_ ? end_anchor : high) = middle;
      }
      end = anchors.before(end_anchor);
      if (end == begin) end = anchors.before(++end_anchor);
    }
    FoundMatches found;
    for (std::uint64_t first = begin; first < end; first += max_candidates_) {
      FoundMatches piece = check(anchors, first, std::min(max_candidates_, end - first));
      if (first == begin) {
        found = std::move(piece);
      } else {
        found.keys.insert(found.keys.end(), piece.keys.begin(), piece.keys.end());
        found.lengths.insert(found.lengths.end(), piece.lengths.begin(), piece.lengths.end());
      }
    }
    if (end - begin > max_candidates_) sort_on_host(found);
    if (!found.keys.empty()) sink(std::move(found));
    begin = end;
    anchor = end_anchor;
  }
}

void MatchSearch::find_unique(const Anchors& anchors, const std::function<void(FoundMatches&&)>& sink) const {
  const std::uint64_t last_anchor = anchors.range.first + anchors.range.count - 1;
  const std::uint64_t begin = anchors.range.first == 0 ? 0 : (anchors.range.first - 1) * plan_.step + 1;
  const std::uint64_t end = std::min(queries_.size, last_anchor * plan_.step + 1);
  for (std::uint64_t first = begin; first < end; first += max_candidates_) {
    const std::uint64_t count = std::min(max_candidates_, end - first);
    runtime::ScratchArray<std::uint64_t> keys(device_, count);
    ScratchWords lengths(device_, count);
    runtime::ScratchArray<std::uint8_t> keep(device_, count);
    launch("overlap/matches/unique.cl", "find_unique", count, 100, anchors.range.first, plan_.step, anchors.counts,
           anchors.range.count, plan_.min_length(), first, first, position_bits_, keys, lengths, keep);
    runtime::ScratchArray<std::uint64_t> kept_keys(device_, count);
    const std::uint64_t matches = primitives::select(device_, keys, keep, kept_keys);
    if (matches == 0) continue;
    ScratchWords kept_lengths(device_, count);
    runtime::ScratchArray<std::uint64_t> known_number(device_, 1);
    primitives::select(device_, lengths, keep, kept_lengths, known_number);
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
  ScratchWords wanted(device_, count);
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

namespace {

std::uint64_t end_of(const MaximalMatch& match) { return match.reference_position + match.length; }

bool same_place(const MaximalMatch& a, const MaximalMatch& b) {
  return a.reference_record == b.reference_record && a.reference_position == b.reference_position &&
         a.length == b.length;
}

}  // namespace

void UniqueMatches::add(std::span<const MaximalMatch> matches, const MatchIndex::Sink& sink) {
  for (const MaximalMatch& match : matches) {
    if (!strand_.empty() &&
        (strand_.back().query_record != match.query_record || strand_.back().reverse != match.reverse))
      finish(sink);
    strand_.push_back(match);
  }
}

void UniqueMatches::finish(const MatchIndex::Sink& sink) {
  // By position in the reference, the longest first: a match that contains another comes before it.
  std::vector<std::size_t> order(strand_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const MaximalMatch& match = strand_[i];
    return std::tuple(match.reference_record, match.reference_position, ~match.length);
  });
  std::vector<bool> twice(strand_.size());
  std::uint64_t record = 0, reach = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const MaximalMatch& match = strand_[order[k]];
    if (match.reference_record != record) {
      record = match.reference_record;
      reach = 0;
    }
    twice[order[k]] = end_of(match) <= reach || (k + 1 < order.size() && same_place(match, strand_[order[k + 1]]));
    reach = std::max(reach, end_of(match));
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < strand_.size(); ++i)
    if (!twice[i]) strand_[kept++] = strand_[i];
  strand_.resize(kept);
  if (!strand_.empty()) sink(strand_);
  strand_.clear();
}

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

/// True if each device has memory for the whole array and for queries.
bool hold_whole(Devices devices, std::uint64_t size, std::uint64_t text_bytes) {
  return size <= Text::longest && std::ranges::all_of(devices, [&](const Device& device) {
           return suffixes_beside(device, text_bytes, size, 4) == size;
         });
}

/// True if the device has memory to make the whole array.
bool makes_whole(const Device& device, std::uint64_t size, unsigned bits) {
  return size <= Text::longest && 4 * size <= device.info().max_allocation &&
         SuffixArray::peak_bytes(device, size, bits, true) <= runtime::usable_memory(device);
}

}  // namespace

struct MatchIndex::State {
  std::vector<Device> devices;
  std::vector<SuffixIndex> indexes;  ///< [device]; empty if the index is cut
  std::unique_ptr<CutIndex> cut;
  std::vector<std::string> names;

  void add(SuffixIndex index) {
    if (!index.suffixes().text().has_separators() && index.suffixes().size() != 0)
      throw InputError("matches with an index of a text that is not one of records");
    indexes.push_back(std::move(index));
    devices.push_back(indexes.back().suffixes().device());
    // Other queues read it.
    devices.back().finish();
  }

  /// Uploads an array in host memory: whole to each device, or in pieces if one has too little memory.
  void bring(Devices to, const Text& text, HostPositions positions, const std::vector<std::string>& record_names) {
    if (!positions.is_wide() && hold_whole(to, text.size(), text.bytes())) {
      for (const Device& device : to)
        add(SuffixIndex(SuffixArray(text.copy_to(device), Array<std::uint32_t>(device, positions.narrow)),
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

MatchIndex::MatchIndex(Devices devices, const SequenceSet& reference, Letters letters,
                       const std::vector<std::string>& names, const Progress& progress)
    : state_(std::make_unique<State>()) {
  if (devices.empty()) throw InputError("no device given");
  const std::uint64_t size = reference.residues() + reference.size();
  const unsigned bits = bits_for(symbols_of(reference.alphabet(), letters).size());
  if (std::ranges::all_of(devices, [&](const Device& device) { return makes_whole(device, size, bits); })) {
    for (const Device& device : devices)
      state_->add(SuffixIndex(
          SuffixArray(Text::separated(device, reference, {.letters = letters}), {.progress = progress}), names));
    return;
  }
  const Text text = Text::separated(on_host, reference, {.letters = letters});
  state_->bring(devices, text, sort_on_host(devices, text, size > Text::longest, {.progress = progress}), names);
}
MatchIndex::MatchIndex(SuffixIndex index) : state_(std::make_unique<State>()) { state_->add(std::move(index)); }

MatchIndex MatchIndex::open(Devices devices, const std::string& path, bool check) {
  if (devices.empty()) throw InputError("no device given");
  IndexFile mapped(path);
  if (hold_whole(devices, mapped.shape.size, mapped.shape.bytes())) {
    MatchIndex result(std::make_unique<State>());
    for (const Device& device : devices) result.state_->add(mapped.on(device));
    const SuffixArray& first = result.index().suffixes();
    if (check && first_error(first.text(), first.positions())) wrong_order(path);
    return result;
  }
  if (!mapped.shape.has_separators) throw InputError("matches with an index of a text that is not one of records");
  const Text text = mapped.text(on_host);
  if (check && first_error(devices.front(), text, mapped.positions)) wrong_order(path);
  MatchIndex result(std::make_unique<State>());
  result.state_->bring(devices, text, {.narrow = mapped.positions, .wide = {}, .keeps = mapped.file}, mapped.names);
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
  const Text::State& coding = runtime::state_of(index().suffixes().text());
  const auto min_length = static_cast<std::uint32_t>(options.min_length);
  const AnchorPlan plan = AnchorPlan::of(coding, min_length);
  const std::uint64_t strands = options.both_strands ? 2 : 1;
  std::vector<std::shared_ptr<const Text::State>> texts;
  for (const SuffixIndex& on : state.indexes)
    texts.push_back(
        pack_as(runtime::state_of(on.suffixes().text()), on.suffixes().device(), queries, options.both_strands));
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
        const SuffixIndex::State& on = runtime::state_of(state.indexes[number]);
        const Text::State& reference = runtime::state_of(on.suffixes.text());
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
