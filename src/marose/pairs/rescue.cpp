#include "marose/pairs/rescue.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "genocl/marose/pairs.hpp"
#include "marose/map/edit_script.hpp"
#include "marose/map/hit_order.hpp"

namespace genocl::marose {
namespace {

/// D(j), the least errors of any alignment of the whole read that ends behind the first j letters of the text: Myers'
/// bit-vectors (1999), a column of the table at a time, 64 rows to a word.
std::vector<std::uint32_t> errors_by_end(std::span<const Code> read, std::span<const Code> text) {
  struct Block {
    std::array<std::uint64_t, 4> equal = {};
    std::uint64_t plus = ~std::uint64_t{0}, minus = 0;  // differences down the column
  };
  std::vector<Block> blocks((read.size() + 63) / 64);
  for (std::size_t i = 0; i < read.size(); ++i)
    if (dna::is_base(read[i])) blocks[i / 64].equal[read[i]] |= std::uint64_t{1} << i % 64;
  const std::uint64_t last = std::uint64_t{1} << (read.size() + 63) % 64;

  auto errors = static_cast<std::uint32_t>(read.size());
  std::vector<std::uint32_t> result = {errors};
  result.reserve(text.size() + 1);
  for (const Code letter : text) {
    // What comes in at the top of a block: the difference along the text in the row above, 0 above the first.
    std::uint64_t plus_in = 0, minus_in = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      Block& block = blocks[b];
      std::uint64_t same = dna::is_base(letter) ? block.equal[letter] : 0;
      const std::uint64_t vertical = same | block.minus;
      same |= minus_in;
      const std::uint64_t horizontal = (((same & block.plus) + block.plus) ^ block.plus) | same;
      std::uint64_t plus = block.minus | ~(horizontal | block.plus), minus = block.plus & horizontal;
      const std::uint64_t bottom = b + 1 == blocks.size() ? last : std::uint64_t{1} << 63;
      const std::uint64_t plus_out = (plus & bottom) != 0 ? 1 : 0, minus_out = (minus & bottom) != 0 ? 1 : 0;
      plus = plus << 1 | plus_in;
      minus = minus << 1 | minus_in;
      block.plus = minus | ~(vertical | plus);
      block.minus = plus & vertical;
      plus_in = plus_out, minus_in = minus_out;
    }
    errors += static_cast<std::uint32_t>(plus_in) - static_cast<std::uint32_t>(minus_in);
    result.push_back(errors);
  }
  return result;
}

/// How many letters at the end of `text` the longest alignment of `read` with exactly `errors` takes, when none takes
/// fewer errors. The table row by row from the end of both, in a band.
std::uint32_t longest_alignment(std::span<const Code> read, std::span<const Code> text, unsigned errors) {
  const std::size_t width = 2 * std::size_t{errors} + 1;
  const std::uint32_t far = errors + 1;
  std::vector<std::uint32_t> row(width + 2, far), before;
  // row[b + 1] is the column j = i + b - errors.
  for (std::size_t b = errors; b < width; ++b) row[b + 1] = static_cast<std::uint32_t>(b - errors);
  for (std::size_t i = 1; i <= read.size(); ++i) {
    before = row;
    std::ranges::fill(row, far);
    for (std::size_t b = i < errors ? errors - i : 0; b < width; ++b) {
      const std::size_t j = i + b - errors;
      if (j > text.size()) break;
      std::uint32_t least = std::min(before[b + 2] + 1, row[b] + 1);
      if (j > 0)
        least = std::min(least, before[b + 1] + (matches(read[read.size() - i], text[text.size() - j]) ? 0u : 1u));
      row[b + 1] = std::min(least, far);
    }
  }
  for (std::size_t b = width; b-- > 0;)
    if (row[b + 1] == errors) return static_cast<std::uint32_t>(read.size() + b - errors);
  return 0;
}

std::vector<TextHit> find_hamming(std::span<const Code> read, std::span<const Code> text, unsigned errors) {
  std::vector<TextHit> hits;
  for (std::size_t begin = 0; begin + read.size() <= text.size(); ++begin) {
    unsigned mismatches = 0;
    for (std::size_t i = 0; i < read.size() && mismatches <= errors; ++i)
      mismatches += matches(read[i], text[begin + i]) ? 0 : 1;
    if (mismatches <= errors)
      hits.push_back({begin, static_cast<std::uint32_t>(read.size()), static_cast<std::uint16_t>(mismatches)});
  }
  return hits;
}

std::vector<TextHit> find_levenshtein(std::span<const Code> read, std::span<const Code> text, unsigned errors) {
  const std::vector<std::uint32_t> ends = errors_by_end(read, text);
  const auto is_best = [&](std::size_t j) {
    const std::size_t last = std::min(ends.size() - 1, j + errors);
    for (std::size_t other = j - std::min<std::size_t>(j, errors); other <= last; ++other)
      if (ends[other] < ends[j] || (ends[other] == ends[j] && other < j)) return false;
    return true;
  };
  std::vector<TextHit> hits;
  for (std::size_t j = 1; j < ends.size(); ++j) {
    if (ends[j] > errors || !is_best(j)) continue;
    const std::uint32_t length = longest_alignment(read, text.first(j), ends[j]);
    if (length > 0) hits.push_back({j - length, length, static_cast<std::uint16_t>(ends[j])});
  }
  return hits;
}

/// Text of one contig and strand in which a mate may lie.
struct Window {
  std::uint32_t reference = 0;
  Strand strand = Strand::forward;
  std::uint64_t begin = 0, end = 0;
};

/// Where the mate of a hit may lie, with room for what decides about its alignments: their starts, and other ends
/// beside theirs.
Window window_of(const Hit& hit, std::uint64_t contig_length, std::uint64_t mate_length, unsigned errors,
                 const InsertRange& range) {
  const std::uint64_t margin = 2 * std::uint64_t{errors};
  std::uint64_t begin = hit.position, end = hit.position + range.most;
  Strand strand = Strand::reverse;
  if (hit.strand == Strand::reverse) {
    strand = Strand::forward;
    begin = hit.position + hit.length - std::min(range.most, hit.position + hit.length);
    // It begins not further right than the hit.
    end = hit.position + mate_length + errors + 1;
  }
  const std::uint64_t left = margin + mate_length;
  return {hit.reference, strand, begin - std::min(begin, left), std::min(contig_length, end + margin)};
}

std::vector<Window> windows_of(const Index& index, std::span<const Hit> hits, std::uint64_t mate_length,
                               unsigned errors, const InsertRange& range) {
  std::vector<Window> all, merged;
  for (const Hit& hit : hits) {
    const Window window = window_of(hit, index.length(hit.reference), mate_length, errors, range);
    if (window.begin < window.end) all.push_back(window);
  }
  std::ranges::sort(all, {}, [](const Window& w) { return std::tuple(w.reference, w.strand, w.begin, w.end); });
  for (const Window& window : all)
    if (!merged.empty() && merged.back().reference == window.reference && merged.back().strand == window.strand &&
        window.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, window.end);
    else
      merged.push_back(window);
  return merged;
}

}  // namespace

std::vector<TextHit> find_in_text(std::span<const Code> read, std::span<const Code> text, unsigned errors,
                                  Model model) {
  if (read.empty() || errors >= read.size()) return {};
  return model == Model::hamming ? find_hamming(read, text, errors) : find_levenshtein(read, text, errors);
}

std::vector<Hit> rescue_mate(const Index& index, std::span<const Hit> hits, std::span<const Code> mate, unsigned errors,
                             Model model, const InsertRange& range) {
  std::vector<Code> turned(mate.size()), text;
  dna::reverse_complement(mate, turned);
  std::vector<Hit> found;
  for (const Window& window : windows_of(index, hits, mate.size(), errors, range)) {
    text.resize(window.end - window.begin);
    index.reference(window.reference, window.begin, text);
    const std::span<const Code> read = window.strand == Strand::forward ? mate : std::span<const Code>(turned);
    for (const TextHit& hit : find_in_text(read, text, errors, model))
      found.push_back({.position = window.begin + hit.position,
                       .reference = window.reference,
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

}  // namespace genocl::marose
