// What a mapper has to find, from the definitions, base by base.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "genocl/marose/plan.hpp"

namespace genocl_reference {

/// Contigs of A, C, G, T and N, one after the other.
struct PlainReference {
  std::string text;
  std::vector<std::size_t> ends;  ///< of the contigs, ascending

  void append(std::string_view contig) {
    text += contig;
    ends.push_back(text.size());
  }
  /// Whether [first, last) is inside the text and of one contig.
  bool in_one_contig(std::int64_t first, std::int64_t last) const {
    if (first < 0 || last > static_cast<std::int64_t>(text.size())) return false;
    const auto end = std::upper_bound(ends.begin(), ends.end(), static_cast<std::size_t>(first));
    return end != ends.end() && static_cast<std::size_t>(last) <= *end;
  }
  /// 'N' outside.
  char at(std::int64_t position) const {
    return position < 0 || position >= static_cast<std::int64_t>(text.size())
               ? 'N'
               : text[static_cast<std::size_t>(position)];
  }
};

inline std::string complement_strand(std::string_view read) {
  std::string other(read.rbegin(), read.rend());
  for (char& base : other) {
    const std::string_view from = "ACGT", to = "TGCA";
    if (const std::size_t i = from.find(base); i != from.npos) base = to[i];
  }
  return other;
}

/// N matches nothing, N neither.
inline bool bases_match(char a, char b) { return a == b && a != 'N'; }

struct PlainHit {
  std::uint32_t read = 0, strand = 0;
  std::int64_t diagonal = 0;
  std::uint32_t errors = 0;
  auto operator<=>(const PlainHit&) const = default;
};

/// Substitutions of a strand of a read at a position; above `most`: anything above.
inline unsigned substitutions(const PlainReference& reference, std::string_view read, std::int64_t position,
                              unsigned most) {
  const auto length = static_cast<std::int64_t>(read.size());
  if (!reference.in_one_contig(position, position + length)) return most + 1;
  unsigned errors = 0;
  for (std::int64_t i = 0; i < length && errors <= most; ++i)
    errors += !bases_match(read[static_cast<std::size_t>(i)], reference.at(position + i));
  return errors;
}

/// Every position within the bound, both strands, in the order of read, strand, position.
inline std::vector<PlainHit> all_hamming_hits(const PlainReference& reference, const std::vector<std::string>& reads,
                                              const std::vector<unsigned>& max_errors) {
  std::vector<PlainHit> hits;
  for (std::uint32_t r = 0; r < reads.size(); ++r)
    for (std::uint32_t strand = 0; strand < 2; ++strand) {
      const std::string read = strand != 0 ? complement_strand(reads[r]) : reads[r];
      for (std::int64_t at = 0;
           at + static_cast<std::int64_t>(read.size()) <= static_cast<std::int64_t>(reference.text.size()); ++at)
        if (const unsigned errors = substitutions(reference, read, at, max_errors[r]); errors <= max_errors[r])
          hits.push_back({r, strand, at, errors});
    }
  return hits;
}

/// The least errors of an alignment of all of the read that stays within `band` diagonals of `diagonal`. `lenient`: N
/// of the text is A. Outside the text nothing matches.
inline unsigned band_distance(const PlainReference& reference, std::string_view read, std::int64_t diagonal,
                              unsigned band, bool lenient) {
  const unsigned width = 2 * band + 1;
  constexpr unsigned far = 1u << 20;
  std::vector<unsigned> row(width, 0);
  for (std::size_t i = 0; i < read.size(); ++i) {
    std::vector<unsigned> next(width, far);
    for (unsigned b = 0; b < width; ++b) {
      const std::int64_t at = diagonal - band + b + static_cast<std::int64_t>(i);
      char base = reference.at(at);
      if (lenient && base == 'N' && at >= 0 && at < static_cast<std::int64_t>(reference.text.size())) base = 'A';
      next[b] = row[b] + !bases_match(read[i], base);
      if (b + 1 < width) next[b] = std::min(next[b], row[b + 1] + 1);
      if (b > 0) next[b] = std::min(next[b], next[b - 1] + 1);
    }
    row = std::move(next);
  }
  return *std::min_element(row.begin(), row.end());
}

/// Errors of `part` against a text that begins at `from` and goes on in `direction`, with a free end there.
inline unsigned anchored_distance(const PlainReference& reference, std::string part, std::int64_t from, int direction) {
  if (direction < 0) std::reverse(part.begin(), part.end());
  const std::size_t width = 2 * part.size() + 1;
  std::vector<unsigned> row(width);
  for (std::size_t j = 0; j < width; ++j) row[j] = static_cast<unsigned>(j);
  for (std::size_t i = 0; i < part.size(); ++i) {
    std::vector<unsigned> next(width);
    next[0] = static_cast<unsigned>(i + 1);
    for (std::size_t j = 1; j < width; ++j) {
      const char base = reference.at(from + direction * static_cast<std::int64_t>(j - 1));
      next[j] = std::min({row[j - 1] + !bases_match(part[i], base), row[j] + 1, next[j - 1] + 1});
    }
    row = std::move(next);
  }
  return *std::min_element(row.begin(), row.end());
}

/// Diagonals, by read and strand, that a plan with Levenshtein errors has to find, and those that it may.
struct PlainDiagonals {
  using Diagonal = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;
  std::set<Diagonal> wanted, allowed;
};

inline PlainDiagonals levenshtein_diagonals(const PlainReference& reference, const std::vector<std::string>& reads,
                                            const std::vector<genocl::marose::Plan>& plans) {
  PlainDiagonals result;
  for (std::uint32_t r = 0; r < reads.size(); ++r) {
    const genocl::marose::Plan& plan = plans[r];
    const unsigned span = plan.mask.span(), length = plan.length;
    for (std::uint32_t strand = 0; strand < 2; ++strand) {
      const std::string read = strand != 0 ? complement_strand(reads[r]) : reads[r];
      for (const genocl::marose::SeedLookup& place : plan.places) {
        const unsigned offset = strand != 0 ? length - span - place.offset : place.offset;
        const unsigned check_first = strand != 0 ? length - place.check_last : place.check_first;
        const unsigned check_last = strand != 0 ? length - place.check_first : place.check_last;
        for (std::int64_t at = 0; at + span <= static_cast<std::int64_t>(reference.text.size()); ++at) {
          bool seed = true, inside = true;
          for (unsigned i = 0; i < span && seed; ++i) {
            const bool match = bases_match(read[offset + i], reference.at(at + i));
            if (plan.mask.bits() >> i & 1)
              seed = match;
            else
              inside = inside && match;
          }
          if (!seed) continue;
          const PlainDiagonals::Diagonal diagonal{r, strand, at - offset};
          // A filter may let all through when its band would be wider than 63.
          if (plan.errors > 31 || band_distance(reference, read, at - offset, plan.errors, true) <= plan.errors)
            result.allowed.insert(diagonal);
          if (!inside || !reference.in_one_contig(at, at + span) ||
              reference.text.substr(static_cast<std::size_t>(at), span).find('N') != std::string::npos)
            continue;
          const unsigned checked =
              anchored_distance(reference, read.substr(check_first, offset - check_first), at - 1, -1) +
              anchored_distance(reference, read.substr(offset + span, check_last - offset - span), at + span, 1);
          // An alignment in the text through the seed begins at 0 or behind it, `errors` diagonals away at most.
          const std::int64_t begin = at - offset, slack = plan.errors;
          if (begin < -slack || begin + length > static_cast<std::int64_t>(reference.text.size()) + slack) continue;
          if (checked <= place.check_errors &&
              band_distance(reference, read, at - offset, plan.errors, false) <= plan.errors)
            result.wanted.insert(diagonal);
        }
      }
    }
  }
  return result;
}

}  // namespace genocl_reference
