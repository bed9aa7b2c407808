#include <algorithm>

#include "genocl/marose/pair_mapper.hpp"
#include "marose/map/hit_order.hpp"
#include "runtime/names.hpp"

namespace genocl::marose {
namespace {

constexpr runtime::Names<Orientation, 3> names = {
    {{Orientation::forward_reverse, "fr"}, {Orientation::reverse_forward, "rf"}, {Orientation::forward_forward, "ff"}}};

/// Mates are not looked for beside reads with more hits than that: a repeat tells little about where they are.
constexpr std::size_t most_anchors = 100;
/// The quality of a read whose place in a proper pair is not among its own best ones.
constexpr std::uint8_t quality_against_own_best = 10;

Strand other(Strand strand) { return strand == Strand::forward ? Strand::reverse : Strand::forward; }

// What a read of the pair is, as if pairs were all forward and reverse: hits of a read that is turned are told with
// the other strand, for its reverse complement.
struct Side {
  const ReadSummary* summary = nullptr;
  bool turned = false;
  std::vector<Hit> hits;
  std::span<const Code> codes;  ///< of the read as it is given
  bool rescued = false;

  Side(std::span<const Hit> from, const ReadSummary& s, std::span<const Code> letters, bool turn)
      : summary(&s), turned(turn), hits(from.begin(), from.end()), codes(letters) {
    turn_hits();
  }
  void turn_hits() {
    if (!turned) return;
    for (Hit& hit : hits) hit.strand = other(hit.strand);
    sort();
  }
  void sort() { std::ranges::sort(hits, {}, hit_order); }
  /// Every hit with fewer errors is known.
  unsigned known() const { return summary->too_short || summary->heuristic ? 0u : summary->known; }
  /// No hit has fewer errors.
  unsigned least() const {
    const unsigned seen = hits.empty() ? known() : hits.front().errors;
    return std::min(seen, known());
  }
};

unsigned rescue_bound(const Side& mate, const PairOptions& options) {
  const std::uint64_t length = mate.codes.size();
  if (options.rescue_errors) return options.rescue_errors->at(length);
  const unsigned mapped = options.map.errors.at(length);
  return std::max(mapped, std::min(2 * mapped, static_cast<unsigned>(length / 5)));
}

// Looks for the mate beside the read's hits that may still give a pair with at most `most` errors. Returns whether all
// of those were looked at, so that no such pair with a hit of `read` is unknown.
bool look_beside(const Index& index, const Side& read, Side& mate, const InsertRange& insert,
                 const PairOptions& options, unsigned most) {
  std::vector<Hit> anchors = read.hits;
  std::erase_if(anchors, [&](const Hit& hit) { return hit.errors + mate.least() > most; });
  if (anchors.empty()) return true;
  if (anchors.size() > most_anchors) return false;
  const unsigned bound = rescue_bound(mate, options);
  const unsigned errors = std::min(bound, most - anchors.front().errors);
  // In less than half of a mate anything is found.
  if (2 * errors > mate.codes.size()) return false;
  if (errors >= mate.known()) {
    bool any = false;
    std::vector<Code> turned;
    std::span<const Code> codes = mate.codes;
    if (mate.turned) {
      turned.resize(codes.size());
      dna::reverse_complement(codes, turned);
      codes = turned;
    }
    for (const Hit& hit : rescue_mate(index, anchors, codes, errors, options.map.model, insert)) {
      if (std::find(mate.hits.begin(), mate.hits.end(), hit) != mate.hits.end()) continue;
      mate.rescued = mate.rescued || mate.hits.empty();
      mate.hits.push_back(hit);
      any = true;
    }
    if (any) mate.sort();
  }
  return true;
}

// A pair is as sure as a read with so many places and errors would be.
std::uint8_t pair_quality(const BestPairs& best, std::uint32_t known) {
  ReadSummary both;
  both.hits = best.count + best.second_count;
  both.best_hits = best.count;
  both.best = static_cast<std::uint16_t>(best.best.errors);
  both.second = static_cast<std::uint16_t>(best.second);
  both.second_hits = best.second_count;
  both.known = static_cast<std::uint16_t>(std::min<std::uint32_t>(known, 0xffff));
  return both.mapping_quality();
}

}  // namespace

std::string_view to_string(Orientation orientation) noexcept { return runtime::name_of(names, orientation); }
Orientation orientation_named(std::string_view name) { return runtime::value_named(names, "orientation", name); }

ReadPair place_pair(const Index& index, std::span<const Hit> first, const ReadSummary& first_summary,
                    std::span<const Code> first_codes, std::span<const Hit> second, const ReadSummary& second_summary,
                    std::span<const Code> second_codes, const InsertRange& insert, const PairOptions& options) {
  const bool turn_first = options.orientation == Orientation::reverse_forward;
  const bool turn_second = options.orientation != Orientation::forward_reverse;
  Side a(first, first_summary, first_codes, turn_first), b(second, second_summary, second_codes, turn_second);
  ReadPair pair;
  pair.best = best_pairs(a.hits, b.hits, insert);
  // A pair that is not known has a hit that is not.
  const auto lower_bound = [](const Side& one, const Side& two) { return one.known() + two.least(); };
  unsigned without_a = lower_bound(a, b), without_b = lower_bound(b, a);
  const bool none = a.hits.empty() && b.hits.empty();
  const auto proved = [&] { return pair.best && pair.best->best.errors < std::min(without_a, without_b); };
  if (options.rescue && !none && !proved()) {
    // The mate of the rarer read first: what it finds bounds what the other may still do.
    Side *rarer = &a, *mate = &b;
    unsigned *without_mate = &without_b, *without_rarer = &without_a;
    if (a.hits.empty() || (!b.hits.empty() && b.hits.size() < a.hits.size())) {
      std::swap(rarer, mate);
      std::swap(without_mate, without_rarer);
    }
    const auto most = [&] {
      return pair.best ? unsigned{pair.best->best.errors} : rescue_bound(a, options) + rescue_bound(b, options);
    };
    const auto look = [&](const Side& read, Side& other_read, unsigned& without) {
      if (read.hits.empty() || without > most()) return;
      const unsigned looked = most();
      // Mates with more errors than rescue allows stay unknown, as do those beside unknown hits.
      if (look_beside(index, read, other_read, insert, options, looked))
        without = std::min(
            {looked + 1, read.known() + other_read.known(), read.least() + rescue_bound(other_read, options) + 1});
      pair.best = best_pairs(a.hits, b.hits, insert);
    };
    look(*rarer, *mate, *without_mate);
    look(*mate, *rarer, *without_rarer);
  }
  pair.known = std::min(without_a, without_b);

  std::uint64_t primaries[2] = {0, 0};
  if (pair.best) {
    primaries[0] = pair.best->best.first;
    primaries[1] = pair.best->best.second;
  }
  Side* sides[2] = {&a, &b};
  const std::span<const Hit> before[2] = {first, second};
  const std::uint8_t together = pair.best ? pair_quality(*pair.best, std::max(pair.known, 1u)) : std::uint8_t{0};
  for (unsigned i = 0; i < 2; ++i) {
    Side& side = *sides[i];
    ReadPair::Read& read = pair.reads[i];
    read.rescued = side.rescued;
    read.quality = side.summary->mapping_quality();
    read.primary = primaries[i];
    if (side.hits.empty()) continue;
    if (pair.best) {
      const bool own_best = side.hits[read.primary].errors == side.hits.front().errors;
      read.quality = own_best ? std::max(read.quality, together) : std::min(together, quality_against_own_best);
      if (read.rescued) read.quality = together;
    }
    const Hit primary = side.hits[read.primary];
    side.turn_hits();
    if (side.turned) {
      Hit wanted = primary;
      wanted.strand = other(wanted.strand);
      read.primary =
          static_cast<std::uint64_t>(std::find(side.hits.begin(), side.hits.end(), wanted) - side.hits.begin());
    }
    if (side.hits.size() != before[i].size()) read.with_rescued = std::move(side.hits);
  }
  if (pair.best) {
    pair.best->best.first = pair.reads[0].primary;
    pair.best->best.second = pair.reads[1].primary;
  }
  return pair;
}

}  // namespace genocl::marose
