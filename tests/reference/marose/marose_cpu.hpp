// What look-ups, contexts and bands of method `canonical` must find and may find, from their definitions, base by base.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "genocl/marose/plan.hpp"
#include "genocl/sequence.hpp"

namespace reference {

/// Where a read may lie: strand, and where its first base lies when nothing is inserted or deleted.
using Diagonal = std::tuple<unsigned, std::int64_t>;

/// All contigs, one after the other.
struct Segment {
  std::vector<genocl::Code> text;
  std::vector<std::int64_t> borders;  ///< where contigs begin, and the end

  explicit Segment(const genocl::SequenceSet& contigs) {
    for (std::size_t i = 0; i < contigs.size(); ++i) {
      borders.push_back(static_cast<std::int64_t>(text.size()));
      text.insert(text.end(), contigs[i].begin(), contigs[i].end());
    }
    borders.push_back(static_cast<std::int64_t>(text.size()));
  }
  std::int64_t size() const { return static_cast<std::int64_t>(text.size()); }
  /// N outside.
  genocl::Code at(std::int64_t i) const {
    return i >= 0 && i < size() ? text[static_cast<std::size_t>(i)] : genocl::dna::unknown;
  }
  bool in_one_contig(std::int64_t first, std::int64_t last) const {
    for (std::size_t c = 0; c + 1 < borders.size(); ++c)
      if (first >= borders[c] && last <= borders[c + 1]) return true;
    return false;
  }
};

/// N fits nothing, or anything: what is found lies between the two.
enum class Unknown { fits_nothing, fits_all };

inline bool fits(genocl::Code a, genocl::Code b, Unknown unknown) {
  return a > 3 || b > 3 ? unknown == Unknown::fits_all : a == b;
}

/// The least edits between `read` and any beginning of `text`; what lies behind the text fits all.
inline unsigned anchored_edits(const std::vector<genocl::Code>& read, const std::vector<genocl::Code>& text,
                               Unknown unknown) {
  const std::size_t m = read.size(), width = 2 * m + 2;
  std::vector<unsigned> row(width + 1);
  for (std::size_t j = 0; j <= width; ++j) row[j] = static_cast<unsigned>(j);
  for (std::size_t i = 1; i <= m; ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(i);
    for (std::size_t j = 1; j <= width; ++j) {
      const bool fit = j > text.size() || fits(read[i - 1], text[j - 1], unknown);
      const unsigned substituted = diagonal + !fit;
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return *std::min_element(row.begin(), row.end());
}

/// Whether the bases next to a seed at `position` allow `check_errors` errors in the bases [first, last) of a strand of
/// the read: with Levenshtein errors none in the seed's span; more than one are not looked at.
inline bool context_allows(const Segment& segment, const std::vector<genocl::Code>& pattern, std::int64_t position,
                           std::int64_t offset, const genocl::marose::SeedMask& mask, std::int64_t first,
                           std::int64_t last, unsigned check_errors, genocl::marose::Model model, Unknown unknown,
                           std::int64_t side) {
  const std::int64_t span = mask.span(), diagonal = position - offset;
  unsigned errors = 0;
  const auto errs = [&](std::int64_t i) {
    return !fits(pattern[static_cast<std::size_t>(i)], segment.at(diagonal + i), unknown);
  };
  const std::int64_t left = std::max(first, offset - side), right = std::min(last, offset + span + side);
  if (model == genocl::marose::Model::hamming) {
    for (std::int64_t i = left; i < right; ++i) errors += errs(i);
    return errors <= check_errors;
  }
  for (std::int64_t i = offset; i < offset + span; ++i) errors += errs(i);
  if (errors != 0) return false;
  if (check_errors > 1) return true;
  std::vector<genocl::Code> read_left, read_right, text_left, text_right;
  for (std::int64_t i = offset - 1; i >= left; --i) read_left.push_back(pattern[static_cast<std::size_t>(i)]);
  for (std::int64_t i = offset + span; i < right; ++i) read_right.push_back(pattern[static_cast<std::size_t>(i)]);
  for (std::int64_t i = 1; i <= side; ++i) {
    text_left.push_back(segment.at(position - i));
    text_right.push_back(segment.at(position + span + i - 1));
  }
  return anchored_edits(read_left, text_left, unknown) + anchored_edits(read_right, text_right, unknown) <=
         check_errors;
}

/// The fewest errors of an alignment of the pattern that stays within `band` diagonals of `diagonal`. Where N fits
/// nothing there is no text outside the segment; else everything fits there.
inline unsigned band_errors(const Segment& segment, const std::vector<genocl::Code>& pattern, std::int64_t diagonal,
                            std::int64_t band, Unknown unknown) {
  constexpr unsigned far = 1u << 20;
  const std::int64_t width = 2 * band + 1;
  const auto allowed = [&](std::int64_t j) { return unknown == Unknown::fits_all || (j >= 0 && j <= segment.size()); };
  std::vector<unsigned> row(static_cast<std::size_t>(width)), next(row);
  for (std::int64_t b = 0; b < width; ++b) row[static_cast<std::size_t>(b)] = allowed(diagonal - band + b) ? 0 : far;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    for (std::int64_t b = 0; b < width; ++b) {
      const auto at = static_cast<std::size_t>(b);
      const std::int64_t j = diagonal - band + b + static_cast<std::int64_t>(i);  // the text's base of this cell
      unsigned least = row[at] + !fits(pattern[i], segment.at(j), unknown);
      if (b + 1 < width) least = std::min(least, row[at + 1] + 1);
      if (b > 0) least = std::min(least, next[at - 1] + 1);
      next[at] = allowed(j + 1) ? least : far;
    }
    std::swap(row, next);
  }
  return *std::min_element(row.begin(), row.end());
}

/// The diagonals of a read that pass.
inline std::set<Diagonal> passing_diagonals(const Segment& segment, std::span<const genocl::Code> read,
                                            const genocl::marose::Plan& plan, unsigned strands, std::int64_t side,
                                            Unknown unknown) {
  std::set<Diagonal> found;
  for (unsigned strand = 0; strand < 2; ++strand) {
    if ((strands >> strand & 1) == 0) continue;
    std::vector<genocl::Code> pattern(read.begin(), read.end());
    if (strand == 1) genocl::dna::reverse_complement(read, pattern);
    const std::int64_t length = plan.length, span = plan.mask.span();
    for (const genocl::marose::SeedLookup& place : plan.places) {
      const std::int64_t offset = strand == 0 ? place.offset : length - span - place.offset;
      const std::int64_t first = strand == 0 ? place.check_first : length - place.check_last;
      const std::int64_t last = strand == 0 ? place.check_last : length - place.check_first;
      for (std::int64_t position = 0; position + span <= segment.size(); ++position) {
        bool seed = true;
        for (std::int64_t i = 0; i < span && seed; ++i)
          if (plan.mask.bits() >> i & 1)
            seed = fits(pattern[static_cast<std::size_t>(offset + i)], segment.at(position + i), Unknown::fits_nothing);
        // No seed of the index has an N in its span or lies in two contigs.
        for (std::int64_t i = 0; i < span && seed; ++i) seed = segment.at(position + i) < 4;
        if (!seed || !segment.in_one_contig(position, position + span)) continue;
        if (!context_allows(segment, pattern, position, offset, plan.mask, first, last, place.check_errors, plan.model,
                            unknown, side))
          continue;
        const std::int64_t diagonal = position - offset, bound = plan.errors;
        if (diagonal < -bound || diagonal + length > segment.size() + bound) continue;
        if (found.count({strand, diagonal}) != 0) continue;
        if (band_errors(segment, pattern, diagonal, bound, unknown) <= plan.errors) found.insert({strand, diagonal});
      }
    }
  }
  return found;
}

}  // namespace reference
