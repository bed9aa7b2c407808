// Pairs: insert sizes, proper pairs, mate rescue by number of errors.

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "genocl/marose/pair_mapper.hpp"
#include "genocl/marose/pairs.hpp"
#include "marose/edit_script.hpp"
#include "marose/hits.hpp"
#include "marose/mapq.hpp"
#include "runtime/names.hpp"

namespace genocl::marose {

std::optional<InsertRange> estimate_insert(std::span<const std::uint64_t> template_lengths) {
  constexpr std::size_t fewest = 32;
  if (template_lengths.size() < fewest) return std::nullopt;
  std::vector<double> lengths(template_lengths.begin(), template_lengths.end());
  std::sort(lengths.begin(), lengths.end());
  const double low = lengths[lengths.size() / 4], high = lengths[lengths.size() * 3 / 4], between = high - low;
  // Chimeras far outside would distort the mean.
  double sum = 0, squares = 0;
  std::size_t count = 0;
  for (const double length : lengths) {
    if (length < low - 2 * between || length > high + 2 * between) continue;
    sum += length;
    squares += length * length;
    ++count;
  }
  const double mean = sum / static_cast<double>(count);
  const double deviation = std::sqrt(std::max(0.0, squares / static_cast<double>(count) - mean * mean));
  const double least = std::min(low - 3 * between, mean - 4 * deviation);
  const double most = std::max(high + 3 * between, mean + 4 * deviation);
  return InsertRange{.least = static_cast<std::uint64_t>(std::max(0.0, std::floor(least))),
                     .most = static_cast<std::uint64_t>(std::ceil(most))};
}

namespace {

std::uint64_t end_of(const Hit& hit) { return hit.position + hit.length; }

/// Template length of a proper pair; 0 if the hits form none.
std::uint64_t template_of(const Hit& forward, const Hit& reverse, const InsertRange& range) {
  if (forward.reference != reverse.reference || forward.position > reverse.position) return 0;
  const std::uint64_t bases = std::max(end_of(forward), end_of(reverse)) - forward.position;
  return bases >= range.least && bases <= range.most ? bases : 0;
}

PairHit pair_of(std::span<const Hit> first, std::span<const Hit> second, std::uint64_t i, std::uint64_t j,
                std::uint64_t bases) {
  const auto length = static_cast<std::int64_t>(bases);
  return {.first = i,
          .second = j,
          .errors = std::uint32_t{first[i].errors} + second[j].errors,
          .template_length = first[i].strand == Strand::forward ? length : -length};
}

/// Hits of one strand, by contig and position.
struct StrandHits {
  std::vector<std::uint64_t> indices;
  std::uint64_t shortest = 0, longest = 0;
};

/// The hits [begin, end), which have the same number of errors, of one strand. Their order is that of Hits without
/// errors.
StrandHits strand_hits_of(std::span<const Hit> hits, std::size_t begin, std::size_t end, Strand strand) {
  StrandHits found;
  for (std::size_t i = begin; i < end; ++i) {
    if (hits[i].strand != strand) continue;
    const std::uint64_t length = hits[i].length;
    found.shortest = found.indices.empty() ? length : std::min(found.shortest, length);
    found.longest = std::max(found.longest, length);
    found.indices.push_back(i);
  }
  return found;
}

/// Calls found(index of the forward hit, index of the other, bases of the template) for each proper pair, by contig,
/// position of the forward hit, position of the other, until it returns false. A sweep: the candidates beyond the
/// pairs are limited by the difference of the lengths of the hits.
template <class Found>
bool for_each_pair(std::span<const Hit> forward, const StrandHits& left, std::span<const Hit> reverse,
                   const StrandHits& right, const InsertRange& range, Found&& found) {
  for (const std::uint64_t i : left.indices) {
    const Hit& hit = forward[i];
    std::uint64_t least = hit.position;
    if (hit.length < range.least) least += range.least - std::min(range.least, right.longest);
    auto j = std::ranges::lower_bound(right.indices, std::pair(hit.reference, least), {}, [&](std::uint64_t other) {
      return std::pair(reverse[other].reference, reverse[other].position);
    });
    for (; j != right.indices.end() && reverse[*j].reference == hit.reference &&
           reverse[*j].position + right.shortest <= hit.position + range.most;
         ++j) {
      const std::uint64_t bases = template_of(hit, reverse[*j], range);
      if (bases != 0 && !found(i, *j, bases)) return false;
    }
  }
  return true;
}

/// Begins of the hits of each number of errors, and the end.
std::vector<std::size_t> classes_of(std::span<const Hit> hits) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < hits.size(); ++i)
    if (i == 0 || hits[i].errors != hits[i - 1].errors) begins.push_back(i);
  begins.push_back(hits.size());
  return begins;
}

/// The order of proper_pairs().
auto key_of(std::span<const Hit> first, std::span<const Hit> second, const PairHit& pair) {
  const Hit& a = first[pair.first];
  const Hit& b = second[pair.second];
  const bool turned = a.strand == Strand::reverse;
  return std::tuple(pair.errors, a.reference, (turned ? b : a).position, (turned ? a : b).position, turned, pair.first,
                    pair.second);
}

/// Hits of one number of errors, by strand.
struct ErrorClass {
  unsigned errors = 0;
  StrandHits forward, reverse;
};

std::vector<ErrorClass> error_classes(std::span<const Hit> hits) {
  const std::vector<std::size_t> begins = classes_of(hits);
  std::vector<ErrorClass> classes;
  for (std::size_t c = 0; c + 1 < begins.size(); ++c)
    classes.push_back({hits[begins[c]].errors, strand_hits_of(hits, begins[c], begins[c + 1], Strand::forward),
                       strand_hits_of(hits, begins[c], begins[c + 1], Strand::reverse)});
  return classes;
}

/// Calls found(pair) for the proper pairs of two classes, in the order of proper_pairs() for either orientation,
/// until it returns false.
template <class Found>
void for_each_pair_of(std::span<const Hit> first, const ErrorClass& a, std::span<const Hit> second, const ErrorClass& b,
                      const InsertRange& range, Found&& found) {
  for_each_pair(first, a.forward, second, b.reverse, range, [&](std::uint64_t i, std::uint64_t j, std::uint64_t bases) {
    return found(pair_of(first, second, i, j, bases));
  });
  for_each_pair(second, b.forward, first, a.reverse, range, [&](std::uint64_t j, std::uint64_t i, std::uint64_t bases) {
    return found(pair_of(first, second, i, j, bases));
  });
}

/// Most templates have one or a few hits for each read.
constexpr std::size_t few = 32;

template <class Found>
void for_each_of_few(std::span<const Hit> first, std::span<const Hit> second, const InsertRange& range, Found&& found) {
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < second.size(); ++j) {
      if (first[i].strand == second[j].strand) continue;
      const bool turned = first[i].strand == Strand::reverse;
      const std::uint64_t bases = template_of(turned ? second[j] : first[i], turned ? first[i] : second[j], range);
      if (bases != 0) found(pair_of(first, second, i, j, bases));
    }
}

/// Counts pairs by errors: the best and the second number.
struct Tally {
  std::span<const Hit> first, second;
  std::uint64_t limit;
  BestPairs result;
  bool any = false;

  void take(const PairHit& pair) {
    if (!any || pair.errors < result.best.errors) {
      if (any) result.second = result.best.errors, result.second_count = result.count;
      result.best = pair;
      result.count = 0;
      any = true;
    }
    if (pair.errors == result.best.errors) {
      if (key_of(first, second, pair) < key_of(first, second, result.best)) result.best = pair;
      result.count = std::min(limit, result.count + 1);
    } else if (result.second_count == 0 || pair.errors < result.second) {
      result.second = pair.errors;
      result.second_count = 1;
    } else if (pair.errors == result.second) {
      result.second_count = std::min(limit, result.second_count + 1);
    }
  }
};

}  // namespace

std::vector<PairHit> proper_pairs(std::span<const Hit> first, std::span<const Hit> second, const InsertRange& range) {
  std::vector<PairHit> pairs;
  const auto add = [&](const PairHit& pair) {
    pairs.push_back(pair);
    return true;
  };
  if (first.size() * second.size() <= few) {
    for_each_of_few(first, second, range, add);
  } else {
    const std::vector<ErrorClass> of_first = error_classes(first), of_second = error_classes(second);
    for (const ErrorClass& a : of_first)
      for (const ErrorClass& b : of_second) for_each_pair_of(first, a, second, b, range, add);
  }
  std::ranges::sort(pairs, {}, [&](const PairHit& pair) { return key_of(first, second, pair); });
  return pairs;
}

std::optional<BestPairs> best_pairs(std::span<const Hit> first, std::span<const Hit> second, const InsertRange& range,
                                    std::uint64_t limit) {
  Tally tally{.first = first, .second = second, .limit = std::max<std::uint64_t>(limit, 1)};
  if (first.size() * second.size() <= few) {
    for_each_of_few(first, second, range, [&](const PairHit& pair) { tally.take(pair); });
  } else {
    const std::vector<ErrorClass> of_first = error_classes(first), of_second = error_classes(second);
    // Sums of errors, ascending, until two of them have pairs.
    std::vector<std::tuple<unsigned, std::size_t, std::size_t>> sums;
    for (std::size_t a = 0; a < of_first.size(); ++a)
      for (std::size_t b = 0; b < of_second.size(); ++b)
        sums.emplace_back(of_first[a].errors + of_second[b].errors, a, b);
    std::ranges::sort(sums);
    for (const auto& [sum, a, b] : sums) {
      if (tally.result.second_count > 0 && sum > tally.result.second) break;
      // In their order on either orientation, so that the first of all is among those within the limit.
      std::uint64_t taken = 0;
      Strand orientation = Strand::forward;
      for_each_pair_of(first, of_first[a], second, of_second[b], range, [&](const PairHit& pair) {
        if (first[pair.first].strand != orientation) taken = 0;
        orientation = first[pair.first].strand;
        tally.take(pair);
        return ++taken < tally.limit;
      });
    }
  }
  if (!tally.any) return std::nullopt;
  return tally.result;
}

namespace {

/// Positions of a contig that may contain a mate on one strand.
struct Window {
  SequenceInterval text;
  Strand strand = Strand::forward;
};

/// Window for the mate of a hit, with margins for its alignments: their starts, and competing ends nearby.
Window window_of(const Hit& hit, std::uint64_t contig_length, std::uint64_t mate_length, unsigned errors,
                 const InsertRange& range) {
  const std::uint64_t margin = 2 * std::uint64_t{errors};
  std::uint64_t begin = hit.position, end = hit.position + range.most;
  Strand strand = Strand::reverse;
  if (hit.strand == Strand::reverse) {
    strand = Strand::forward;
    begin = hit.position + hit.length - std::min(range.most, hit.position + hit.length);
    // It begins at or left of the hit.
    end = hit.position + mate_length + errors + 1;
  }
  const std::uint64_t left = margin + mate_length;
  return {{hit.reference, begin - std::min(begin, left), std::min(contig_length, end + margin)}, strand};
}

std::vector<Window> windows_of(const Index& index, std::span<const Hit> hits, std::uint64_t mate_length,
                               unsigned errors, const InsertRange& range) {
  std::vector<Window> all, joined;
  for (const Hit& hit : hits) {
    const Window window = window_of(hit, index.length(hit.reference), mate_length, errors, range);
    if (window.text.begin < window.text.end) all.push_back(window);
  }
  std::ranges::sort(all, {}, [](const Window& w) { return std::tuple(w.strand, w.text); });
  for (const Window& window : all)
    if (!joined.empty() && joined.back().strand == window.strand &&
        joined.back().text.sequence == window.text.sequence && window.text.begin <= joined.back().text.end)
      joined.back().text.end = std::max(joined.back().text.end, window.text.end);
    else
      joined.push_back(window);
  return joined;
}

}  // namespace

std::vector<Hit> rescue_mate(const Index& index, std::span<const Hit> hits, std::span<const Code> mate, unsigned errors,
                             Model model, const InsertRange& range) {
  std::vector<Code> turned(mate.size()), text;
  dna::reverse_complement(mate, turned);
  std::vector<Hit> found;
  for (const Window& window : windows_of(index, hits, mate.size(), errors, range)) {
    text.resize(window.text.length());
    const auto contig = static_cast<std::uint32_t>(window.text.sequence);
    index.reference(contig, window.text.begin, text);
    const std::span<const Code> read = window.strand == Strand::forward ? mate : std::span<const Code>(turned);
    for (const TextHit& hit : find_in_text(read, text, errors, model))
      found.push_back({.position = window.text.begin + hit.position,
                       .reference = contig,
                       .length = hit.length,
                       .errors = hit.errors,
                       .strand = window.strand});
  }
  std::ranges::sort(found, {}, hit_order);

  // Windows are wider than the range.
  std::vector<Hit> anchors(hits.begin(), hits.end());
  std::ranges::sort(anchors, {}, hit_order);
  std::vector<bool> paired(found.size());
  for (const PairHit& pair : proper_pairs(anchors, found, range)) paired[pair.second] = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (paired[i]) found[kept++] = found[i];
  found.resize(kept);
  return found;
}

namespace {

constexpr runtime::Names<Orientation, 3> orientation_names = {
    {{Orientation::forward_reverse, "fr"}, {Orientation::reverse_forward, "rf"}, {Orientation::forward_forward, "ff"}}};

/// Mates of reads with more hits are not searched: a repeat says little about their place.
constexpr std::size_t max_rescue_anchors = 100;
/// MAPQ of a read whose place in a proper pair is not among its best ones.
constexpr std::uint8_t quality_against_own_best = 10;

Strand other(Strand strand) { return strand == Strand::forward ? Strand::reverse : Strand::forward; }

// A read of a pair, normalized to forward-reverse orientation: an inverted read has its hits on the other strand, for
// its reverse complement.
struct PairedRead {
  const ReadSummary* summary = nullptr;
  bool turned = false;
  std::vector<Hit> hits;
  std::span<const Code> codes;  ///< of the read as given
  bool rescued = false;

  PairedRead(std::span<const Hit> from, const ReadSummary& s, std::span<const Code> letters, bool turn)
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
  unsigned explored() const { return summary->too_short || summary->heuristic ? 0u : summary->explored; }
  /// No hit has fewer errors.
  unsigned least() const {
    const unsigned seen = hits.empty() ? explored() : hits.front().errors;
    return std::min(seen, explored());
  }
};

unsigned rescue_bound(const PairedRead& mate, const PairOptions& options) {
  const std::uint64_t length = mate.codes.size();
  if (options.rescue_errors) return options.rescue_errors->at(length);
  const unsigned mapped = options.map.errors.at(length);
  return std::max(mapped, std::min(2 * mapped, static_cast<unsigned>(length / 5)));
}

// Searches for the mate near those hits of the read that may still form a pair with at most `most` errors. Returns
// whether all of those were searched, so that no such pair with a hit of `read` is unknown.
bool rescue_near(const Index& index, const PairedRead& read, PairedRead& mate, const InsertRange& insert,
                 const PairOptions& options, unsigned most) {
  std::vector<Hit> anchors = read.hits;
  std::erase_if(anchors, [&](const Hit& hit) { return hit.errors + mate.least() > most; });
  if (anchors.empty()) return true;
  if (anchors.size() > max_rescue_anchors) return false;
  const unsigned bound = rescue_bound(mate, options);
  const unsigned errors = std::min(bound, most - anchors.front().errors);
  // With this error bound anything matches.
  if (2 * errors > mate.codes.size()) return false;
  if (errors >= mate.explored()) {
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

}  // namespace

std::string_view to_string(Orientation orientation) noexcept {
  return runtime::name_of(orientation_names, orientation);
}
Orientation orientation_named(std::string_view name) {
  return runtime::value_named(orientation_names, "orientation", name);
}

ReadPair place_pair(const Index& index, std::span<const Hit> first, const ReadSummary& first_summary,
                    std::span<const Code> first_codes, std::span<const Hit> second, const ReadSummary& second_summary,
                    std::span<const Code> second_codes, const InsertRange& insert, const PairOptions& options) {
  const bool turn_first = options.orientation == Orientation::reverse_forward;
  const bool turn_second = options.orientation != Orientation::forward_reverse;
  PairedRead a(first, first_summary, first_codes, turn_first), b(second, second_summary, second_codes, turn_second);
  ReadPair pair;
  pair.best = best_pairs(a.hits, b.hits, insert);
  // An unknown pair contains an unknown hit.
  const auto lower_bound = [](const PairedRead& one, const PairedRead& two) { return one.explored() + two.least(); };
  unsigned without_a = lower_bound(a, b), without_b = lower_bound(b, a);
  const bool none = a.hits.empty() && b.hits.empty();
  const auto proved = [&] { return pair.best && pair.best->best.errors < std::min(without_a, without_b); };
  if (options.rescue && !none && !proved()) {
    // First the mate of the read with fewer hits: its result limits the search for the other.
    PairedRead *rarer = &a, *mate = &b;
    unsigned *without_mate = &without_b, *without_rarer = &without_a;
    if (a.hits.empty() || (!b.hits.empty() && b.hits.size() < a.hits.size())) {
      std::swap(rarer, mate);
      std::swap(without_mate, without_rarer);
    }
    const auto most = [&] {
      return pair.best ? unsigned{pair.best->best.errors} : rescue_bound(a, options) + rescue_bound(b, options);
    };
    const auto look = [&](const PairedRead& read, PairedRead& other_read, unsigned& without) {
      if (read.hits.empty() || without > most()) return;
      const unsigned looked = most();
      // Mates with more errors than rescue allows stay unknown, as do mates of unknown hits.
      if (rescue_near(index, read, other_read, insert, options, looked))
        without = std::min({looked + 1, read.explored() + other_read.explored(),
                            read.least() + rescue_bound(other_read, options) + 1});
      pair.best = best_pairs(a.hits, b.hits, insert);
    };
    look(*rarer, *mate, *without_mate);
    look(*mate, *rarer, *without_rarer);
  }
  pair.explored = std::min(without_a, without_b);

  std::uint64_t primaries[2] = {0, 0};
  if (pair.best) {
    primaries[0] = pair.best->best.first;
    primaries[1] = pair.best->best.second;
  }
  PairedRead* sides[2] = {&a, &b};
  const std::span<const Hit> before[2] = {first, second};
  const std::uint8_t together = pair.best ? pair_mapq(*pair.best, std::max(pair.explored, 1u)) : std::uint8_t{0};
  for (unsigned i = 0; i < 2; ++i) {
    PairedRead& side = *sides[i];
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
