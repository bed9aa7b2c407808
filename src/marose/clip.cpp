// Adapters, low quality, and clipped ends of alignments.

#include "marose/clip.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "marose/edit_script.hpp"
#include "marose/hits.hpp"

namespace genocl::marose {
namespace {

constexpr unsigned min_part = 30;

std::size_t cut_by_quality(std::span<const std::uint8_t> quality, unsigned least) {
  std::int64_t sum = 0, most = 0;
  std::size_t kept = quality.size();
  for (std::size_t i = quality.size(); i-- > 0;) {
    sum += static_cast<std::int64_t>(least) - quality[i];
    if (sum < 0) break;
    if (sum > most) most = sum, kept = i;
  }
  return kept;
}

bool begins_adapter(std::span<const Code> rest, std::span<const Code> adapter) {
  const std::size_t overlap = std::min(rest.size(), adapter.size()), most = overlap / 10;
  std::size_t mismatches = 0;
  for (std::size_t i = 0; i < overlap && mismatches <= most; ++i)
    mismatches += adapter[i] == dna::unknown || rest[i] == adapter[i] ? 0 : 1;
  return mismatches <= most;
}

std::size_t cut_by_adapter(std::span<const Code> read, std::span<const Code> adapter, std::size_t overlap) {
  for (std::size_t i = 0; i + overlap <= read.size(); ++i)
    if (begins_adapter(read.subspan(i), adapter)) return i;
  return read.size();
}

}  // namespace

bool ClipOptions::none() const noexcept { return adapters.empty() && min_quality == 0 && !ends; }

Trimmer::Trimmer(const ClipOptions& options) : overlap_(options.adapter_overlap), min_quality_(options.min_quality) {
  if (!options.adapters.empty() && overlap_ == 0) throw InputError("an adapter that overlaps the read by no letter");
  for (const std::string& letters : options.adapters) {
    if (letters.find_first_not_of("ACGTNacgtn") != std::string::npos)
      throw InputError({}, "adapter " + in_quotes(letters), "other letters", "A, C, G, T and N");
    if (letters.size() < std::max(overlap_, 1u))
      throw InputError({}, "adapter " + in_quotes(letters), std::to_string(letters.size()) + " letters",
                       "at least " + std::to_string(overlap_));
    adapters_.push_back(encode(Alphabet::dna, letters));
  }
}

ReadPart Trimmer::kept(std::span<const Code> read, std::span<const std::uint8_t> quality) const {
  std::size_t kept = read.size();
  if (min_quality_ > 0 && !quality.empty()) kept = cut_by_quality(quality, min_quality_);
  for (const std::vector<Code>& adapter : adapters_)
    kept = std::min(kept, cut_by_adapter(read.first(kept), adapter, overlap_));
  return {0, static_cast<std::uint16_t>(kept)};
}

void parts_to_try(const ReadPart& whole, unsigned round, std::vector<ReadPart>& parts) {
  parts.clear();
  const unsigned step = std::max(1u, whole.length / 8u), least = std::max(min_part, (whole.length + 1u) / 2u);
  if (whole.length < least + round * step) return;
  const auto length = static_cast<std::uint16_t>(whole.length - round * step);
  for (unsigned i = 0; i <= round; ++i) parts.push_back({static_cast<std::uint16_t>(whole.first + i * step), length});
}

namespace {

constexpr std::size_t shortest_overlap = 20;

/// Whether at most a tenth of the bases of a and b differ.
bool agree(std::span<const Code> a, std::span<const Code> b) {
  const std::size_t most = a.size() / 10;
  std::size_t mismatches = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i] && ++mismatches > most) return false;
  return true;
}

}  // namespace

void OverlapTrimmer::trim(std::span<const Code> first, std::span<const Code> second, ReadPart& first_kept,
                          ReadPart& second_kept) {
  const std::span<const Code> a = first_kept.of(first), b = second_kept.of(second);
  const std::size_t longest = std::max(a.size(), b.size()), shorter = std::min(a.size(), b.size());
  if (shorter < shortest_overlap) return;
  turned_.resize(b.size());
  dna::reverse_complement(b, turned_);
  a_.set(a);
  b_.set(turned_);
  // For an insert of n bases, base i of the first mate is base i + (b - n) of the reverse complement of the second.
  const auto overlaps = [&](std::size_t insert) {
    const std::size_t a_first = insert > b.size() ? insert - b.size() : 0;
    const std::size_t b_first = insert < b.size() ? b.size() - insert : 0;
    const std::size_t overlap = std::min(std::min(insert, a.size()) - a_first, b.size() - b_first);
    if (overlap < shortest_overlap) return false;
    const std::uint32_t few =
        count_low_bits(differing(a_.window(a_first), b_.window(b_first), std::min<std::size_t>(overlap, 32)));
    if (few > overlap / 10) return false;
    return agree(a.subspan(a_first, overlap), std::span<const Code>(turned_).subspan(b_first, overlap));
  };
  std::size_t found = 0, count = 0;
  for (std::size_t insert = shortest_overlap; insert < longest; ++insert)
    if (overlaps(insert)) found = insert, ++count;
  if (count != 1) return;
  // Repeats overlap in several ways; then none is taken.
  for (std::size_t insert = longest; insert <= a.size() + b.size() - shortest_overlap; ++insert)
    if (overlaps(insert)) return;
  first_kept.length = static_cast<std::uint16_t>(std::min<std::size_t>(first_kept.length, found));
  second_kept.length = static_cast<std::uint16_t>(std::min<std::size_t>(second_kept.length, found));
}

namespace {

// Scores of BWA-MEM, except that all bases of a gap cost the same here.
constexpr std::int64_t match_score = 1, error_score = -4, end_score = 5;

Operation compare(Code a, Code b) { return matches(a, b) ? Operation::match : Operation::mismatch; }
std::int64_t score_of(Operation operation) { return operation == Operation::match ? match_score : error_score; }

/// Number of letters by which to extend the ungapped alignment, at most `most`: the highest score, the longest of
/// several. `column(i)` is the i-th column beyond the alignment.
template <class Column>
std::size_t worth_adding(std::size_t most, bool reaches_end, Column&& column) {
  std::int64_t score = 0, best = 0;
  std::size_t added = 0;
  for (std::size_t i = 0; i < most; ++i) {
    score += score_of(column(i));
    const std::int64_t there = score + (reaches_end && i + 1 == most ? end_score : 0);
    if (there >= best) best = there, added = i + 1;
  }
  return added;
}

}  // namespace

void end_without_insertions(std::span<const Code> read, std::span<const Code> text, Columns& columns) {
  std::vector<Operation>& operations = columns.operations;
  const auto consumes_text = [](Operation operation) { return operation != Operation::insertion; };
  const auto front = static_cast<std::size_t>(std::ranges::find_if(operations, consumes_text) - operations.begin());
  if (front == operations.size()) return;
  const std::size_t in_front = std::min(front, columns.text.begin);
  operations.erase(operations.begin(), operations.begin() + static_cast<std::ptrdiff_t>(front - in_front));
  columns.read.begin += front - in_front;
  columns.text.begin -= in_front;
  for (std::size_t i = 0; i < in_front; ++i)
    operations[i] = compare(read[columns.read.begin + i], text[columns.text.begin + i]);

  std::size_t behind = 0;
  while (operations[operations.size() - 1 - behind] == Operation::insertion) ++behind;
  const std::size_t there = std::min(behind, text.size() - columns.text.end);
  operations.resize(operations.size() - behind);
  columns.read.end -= behind;
  for (std::size_t i = 0; i < there; ++i)
    operations.push_back(compare(read[columns.read.end++], text[columns.text.end++]));
}

void extend_and_clip(std::span<const Code> read, std::span<const Code> text, const ReadPart& bounds, Columns& columns) {
  std::vector<Operation>& operations = columns.operations;
  const auto before = [&](std::size_t i) {
    return compare(read[columns.read.begin - 1 - i], text[columns.text.begin - 1 - i]);
  };
  const std::size_t left = columns.read.begin - bounds.first;
  const std::size_t in_front = worth_adding(std::min(left, columns.text.begin), left <= columns.text.begin, before);
  std::vector<Operation> added;
  for (std::size_t i = in_front; i-- > 0;) added.push_back(before(i));
  operations.insert(operations.begin(), added.begin(), added.end());
  columns.read.begin -= in_front;
  columns.text.begin -= in_front;
  const auto behind = [&](std::size_t i) { return compare(read[columns.read.end + i], text[columns.text.end + i]); };
  const std::size_t right = bounds.end() - columns.read.end, more = text.size() - columns.text.end;
  const std::size_t at_end = worth_adding(std::min(right, more), right <= more, behind);
  for (std::size_t i = 0; i < at_end; ++i) operations.push_back(behind(i));
  columns.read.end += at_end;
  columns.text.end += at_end;

  // A part of the original alignment remains.
  const std::size_t core_begin = in_front, core_end = operations.size() - at_end;
  // The piece [from, to) with the highest score: the best piece that ends at a column begins at the lowest preceding
  // sum.
  const std::size_t count = operations.size();
  std::int64_t sum = 0, lowest = columns.read.begin == bounds.first ? -end_score : 0,
               best = std::numeric_limits<std::int64_t>::min();
  std::size_t lowest_at = 0, from = 0, to = count;
  for (std::size_t i = 1; i <= count; ++i) {
    sum += score_of(operations[i - 1]);
    const std::int64_t there = sum - lowest + (i == count && columns.read.end == bounds.end() ? end_score : 0);
    if (i > core_begin && (there > best || (there == best && i - lowest_at >= to - from)))
      best = there, from = lowest_at, to = i;
    if (sum < lowest && i < core_end) lowest = sum, lowest_at = i;
  }
  const auto shorten = [&](Operation operation, std::size_t& letter, std::size_t& base, std::size_t by) {
    if (operation != Operation::deletion) letter += by;
    if (operation != Operation::insertion) base += by;
  };
  for (std::size_t i = 0; i < from; ++i) shorten(operations[i], columns.read.begin, columns.text.begin, 1);
  for (std::size_t i = count; i-- > to;) shorten(operations[i], columns.read.end, columns.text.end, std::size_t{0} - 1);
  operations.resize(to);
  operations.erase(operations.begin(), operations.begin() + static_cast<std::ptrdiff_t>(from));
}

namespace {

/// A part of a read that is mapped.
struct Try {
  std::size_t read = 0;
  ReadPart part;
};

/// The round and the try whose hits are reported for a read.
struct Chosen {
  std::size_t round = 0;  ///< 0: the whole remaining read
  std::size_t number = 0;
};

bool has_no_hit(const ReadSummary& summary) { return summary.hits == 0 && !summary.too_short && !summary.capped; }

}  // namespace

Hits map_parts(const SequenceSet& reads, RecordRange range, const Trimmer& trimmer, bool ends,
               const MapWhole& map_whole) {
  std::vector<ReadPart> kept(range.count);
  SequenceSet set;
  for (std::size_t i = 0; i < range.count; ++i) {
    const std::size_t read = range.first + i;
    kept[i] = trimmer.kept(reads[read], reads.quality(read));
    set.append(reads.name(read), kept[i].of(reads[read]));
  }
  std::vector<Hits> rounds;
  rounds.push_back(map_whole(set));
  std::vector<Chosen> chosen(range.count);
  std::vector<ReadPart> mapped = kept;
  std::vector<std::size_t> unmapped;
  for (std::size_t i = 0; i < range.count; ++i) {
    chosen[i].number = i;
    if (ends && has_no_hit(rounds[0].reads[i])) unmapped.push_back(i);
  }

  std::vector<Try> tries;
  std::vector<ReadPart> parts;
  for (unsigned round = 1; !unmapped.empty(); ++round) {
    set.clear();
    tries.clear();
    for (const std::size_t i : unmapped) {
      parts_to_try(kept[i], round, parts);
      for (const ReadPart& part : parts) {
        tries.push_back({i, part});
        set.append({}, part.of(reads[range.first + i]));
      }
    }
    if (tries.empty()) break;
    const Hits& hits = rounds.emplace_back(map_whole(set));
    for (std::size_t t = 0; t < tries.size(); ++t) {
      const ReadSummary& summary = hits.reads[t];
      Chosen& best = chosen[tries[t].read];
      if (summary.hits == 0 || (best.round == round && hits.reads[best.number].best <= summary.best)) continue;
      best = {round, t};
      mapped[tries[t].read] = tries[t].part;
    }
    std::erase_if(unmapped, [&](std::size_t i) { return chosen[i].round != 0; });
  }

  Hits result = std::move(rounds[0]);
  if (rounds.size() > 1) {
    const Hits whole = std::exchange(result, Hits());
    for (std::size_t i = 0; i < range.count; ++i) {
      const Hits& from = chosen[i].round == 0 ? whole : rounds[chosen[i].round];
      const std::span<const Hit> hits = from.of(chosen[i].number);
      result.hits.insert(result.hits.end(), hits.begin(), hits.end());
      result.offsets.push_back(result.hits.size());
      result.reads.push_back(from.reads[chosen[i].number]);
    }
  }
  for (std::size_t i = 0; i < range.count; ++i) {
    result.reads[i].kept = kept[i];
    result.reads[i].mapped = mapped[i];
  }
  return result;
}

}  // namespace genocl::marose
