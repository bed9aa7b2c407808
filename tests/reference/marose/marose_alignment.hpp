// Alignments and pairs, the plain way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "genocl/marose/pairs.hpp"

namespace genocl_reference {

using genocl::Code;

inline bool same_base(Code a, Code b) { return a < 4 && a == b; }

/// The whole table: D[i][j] is the edit distance of the first i letters of the read and the first j of the text; with
/// `free_start` of the best piece of the text that ends at j.
inline std::vector<std::vector<unsigned>> edit_table(std::span<const Code> read, std::span<const Code> text,
                                                     bool free_start) {
  std::vector<std::vector<unsigned>> table(read.size() + 1, std::vector<unsigned>(text.size() + 1));
  for (std::size_t i = 0; i <= read.size(); ++i)
    for (std::size_t j = 0; j <= text.size(); ++j) {
      if (i == 0)
        table[i][j] = free_start ? 0 : static_cast<unsigned>(j);
      else if (j == 0)
        table[i][j] = static_cast<unsigned>(i);
      else
        table[i][j] = std::min({table[i - 1][j - 1] + (same_base(read[i - 1], text[j - 1]) ? 0 : 1),
                                table[i - 1][j] + 1, table[i][j - 1] + 1});
    }
  return table;
}

/// One letter for each column: '=', 'X', 'I', 'D'; from the right end a match or mismatch before a deletion before an
/// insertion.
inline std::string edit_columns(std::span<const Code> read, std::span<const Code> text) {
  const auto table = edit_table(read, text, false);
  std::string columns;
  std::size_t i = read.size(), j = text.size();
  while (i > 0 || j > 0) {
    const bool same = i > 0 && j > 0 && same_base(read[i - 1], text[j - 1]);
    if (i > 0 && j > 0 && table[i][j] == table[i - 1][j - 1] + (same ? 0 : 1)) {
      columns += same ? '=' : 'X';
      --i, --j;
    } else if (j > 0 && table[i][j] == table[i][j - 1] + 1) {
      columns += 'D';
      --j;
    } else {
      columns += 'I';
      --i;
    }
  }
  std::reverse(columns.begin(), columns.end());
  return columns;
}

/// MD straight from the columns.
inline std::string mismatch_tag(const std::string& columns, std::span<const Code> text) {
  std::string tag;
  std::size_t j = 0, matched = 0;
  char before = '=';
  for (const char column : columns) {
    if (column == '=') ++matched, ++j;
    if (column == 'X' || (column == 'D' && before != 'D')) tag += std::to_string(matched), matched = 0;
    if (column == 'D' && before != 'D') tag += '^';
    if (column == 'X' || column == 'D') tag += genocl::dna::decode(text[j++]);
    if (column != 'I') before = column;
  }
  return tag + std::to_string(matched);
}

/// All hits of a read in a text by the definition of marose::Hit: {position, length, errors}, by end.
inline std::vector<std::tuple<std::uint64_t, std::uint32_t, std::uint16_t>> find_all(std::span<const Code> read,
                                                                                     std::span<const Code> text,
                                                                                     unsigned bound,
                                                                                     genocl::marose::Model model) {
  std::vector<std::tuple<std::uint64_t, std::uint32_t, std::uint16_t>> hits;
  if (read.empty() || bound >= read.size()) return hits;
  if (model == genocl::marose::Model::hamming) {
    for (std::size_t begin = 0; begin + read.size() <= text.size(); ++begin) {
      unsigned errors = 0;
      for (std::size_t i = 0; i < read.size(); ++i) errors += same_base(read[i], text[begin + i]) ? 0 : 1;
      if (errors <= bound)
        hits.emplace_back(begin, static_cast<std::uint32_t>(read.size()), static_cast<std::uint16_t>(errors));
    }
    return hits;
  }
  const auto table = edit_table(read, text, true);
  const std::vector<unsigned>& ends = table.back();
  for (std::size_t j = 1; j <= text.size(); ++j) {
    if (ends[j] > bound) continue;
    bool best = true;
    for (std::size_t other = j > bound ? j - bound : 0; other <= std::min(text.size(), j + bound); ++other)
      if (ends[other] < ends[j] || (ends[other] == ends[j] && other < j)) best = false;
    if (!best) continue;
    for (std::size_t begin = 0; begin < j; ++begin)
      if (edit_table(read, text.subspan(begin, j - begin), false).back().back() == ends[j]) {
        hits.emplace_back(begin, static_cast<std::uint32_t>(j - begin), static_cast<std::uint16_t>(ends[j]));
        break;
      }
  }
  return hits;
}

/// Each with each.
inline std::vector<genocl::marose::PairHit> proper_pairs(std::span<const genocl::marose::Hit> first,
                                                         std::span<const genocl::marose::Hit> second,
                                                         const genocl::marose::InsertRange& range) {
  using genocl::marose::Strand;
  struct Found {
    genocl::marose::PairHit pair;
    std::tuple<unsigned, std::uint32_t, std::uint64_t, std::uint64_t, bool, std::uint64_t, std::uint64_t> key;
  };
  std::vector<Found> all;
  for (std::size_t a = 0; a < first.size(); ++a)
    for (std::size_t b = 0; b < second.size(); ++b) {
      if (first[a].reference != second[b].reference || first[a].strand == second[b].strand) continue;
      const bool turned = first[a].strand == Strand::reverse;
      const auto& left = turned ? second[b] : first[a];
      const auto& right = turned ? first[a] : second[b];
      if (left.position > right.position) continue;
      const std::uint64_t bases = std::max(left.position + left.length, right.position + right.length) - left.position;
      if (bases < range.least || bases > range.most) continue;
      const unsigned errors = unsigned{first[a].errors} + second[b].errors;
      const auto signed_bases = static_cast<std::int64_t>(bases);
      all.push_back({{a, b, errors, turned ? -signed_bases : signed_bases},
                     {errors, left.reference, left.position, right.position, turned, a, b}});
    }
  std::sort(all.begin(), all.end(), [](const Found& a, const Found& b) { return a.key < b.key; });
  std::vector<genocl::marose::PairHit> pairs;
  for (const Found& found : all) pairs.push_back(found.pair);
  return pairs;
}

}  // namespace genocl_reference
