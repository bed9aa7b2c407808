#include "reference/marose/marose.hpp"

#include <algorithm>

namespace reference {

void hamming_hits(std::span<const genocl::Code> text, std::span<const genocl::Code> pattern, unsigned bound,
                  std::uint32_t contig, genocl::marose::Strand strand, std::vector<genocl::marose::Hit>& hits) {
  for (std::size_t begin = 0; begin + pattern.size() <= text.size(); ++begin) {
    unsigned errors = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) errors += !bases_match(text[begin + i], pattern[i]);
    if (errors <= bound)
      hits.push_back(
          {begin, contig, static_cast<std::uint32_t>(pattern.size()), static_cast<std::uint16_t>(errors), strand});
  }
}

std::vector<unsigned> distances_from_end(std::span<const genocl::Code> text, std::size_t end,
                                         std::span<const genocl::Code> pattern, std::size_t most) {
  const std::size_t m = pattern.size(), width = std::min(most, end);
  std::vector<unsigned> column(m + 1), result(width + 1);
  for (std::size_t i = 0; i <= m; ++i) column[i] = static_cast<unsigned>(i);
  result[0] = column[m];
  for (std::size_t j = 1; j <= width; ++j) {
    unsigned diagonal = column[0];
    column[0] = static_cast<unsigned>(j);
    for (std::size_t i = 1; i <= m; ++i) {
      const unsigned substituted = diagonal + !bases_match(text[end - j], pattern[m - i]);
      diagonal = column[i];
      column[i] = std::min({substituted, column[i] + 1, column[i - 1] + 1});
    }
    result[j] = column[m];
  }
  return result;
}

void levenshtein_hits(std::span<const genocl::Code> text, std::span<const genocl::Code> pattern, unsigned bound,
                      std::uint32_t contig, genocl::marose::Strand strand, std::vector<genocl::marose::Hit>& hits) {
  const std::size_t m = pattern.size(), n = text.size();
  std::vector<unsigned> column(m + 1), least(n + 1);
  for (std::size_t i = 0; i <= m; ++i) column[i] = static_cast<unsigned>(i);
  least[0] = column[m];
  for (std::size_t j = 1; j <= n; ++j) {
    unsigned diagonal = column[0];
    for (std::size_t i = 1; i <= m; ++i) {
      const unsigned substituted = diagonal + !bases_match(text[j - 1], pattern[i - 1]);
      diagonal = column[i];
      column[i] = std::min({substituted, column[i] + 1, column[i - 1] + 1});
    }
    least[j] = column[m];
  }
  for (std::size_t j = 1; j <= n; ++j) {
    bool hit = least[j] <= bound;
    for (std::size_t i = j > bound ? j - bound : 1; hit && i < j; ++i) hit = least[i] > least[j];
    for (std::size_t i = j + 1; hit && i <= std::min(n, j + bound); ++i) hit = least[i] >= least[j];
    if (!hit) continue;
    const std::vector<unsigned> pieces = distances_from_end(text, j, pattern, m + bound);
    std::size_t longest = 0;
    for (std::size_t piece = 0; piece < pieces.size(); ++piece)
      if (pieces[piece] == least[j]) longest = piece;
    hits.push_back(
        {j - longest, contig, static_cast<std::uint32_t>(longest), static_cast<std::uint16_t>(least[j]), strand});
  }
}

std::vector<genocl::marose::Hit> map_read(const genocl::SequenceSet& text, std::span<const genocl::Code> read,
                                          unsigned bound, genocl::marose::Model model) {
  using namespace genocl::marose;
  std::vector<genocl::Code> reversed(read.size());
  genocl::dna::reverse_complement(read, reversed);
  std::vector<Hit> hits;
  for (std::size_t contig = 0; contig < text.size(); ++contig)
    for (const Strand strand : {Strand::forward, Strand::reverse}) {
      const std::span<const genocl::Code> pattern =
          strand == Strand::forward ? read : std::span<const genocl::Code>(reversed);
      (model == Model::hamming ? hamming_hits : levenshtein_hits)(text[contig], pattern, bound,
                                                                  static_cast<std::uint32_t>(contig), strand, hits);
    }
  sort_hits(hits);
  return hits;
}

}  // namespace reference
