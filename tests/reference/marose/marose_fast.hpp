// Brute force that goes through whole bacterial genomes: one machine word of bits, no index, no OpenCL.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/marose/mapper.hpp"
#include "genocl/sequence.hpp"
#include "reference/marose/marose.hpp"

namespace reference {

__extension__ using Bits128 = unsigned __int128;

/// For each base the positions of a pattern (at most 128 bases) that hold it; N is nowhere.
inline std::array<Bits128, 5> pattern_bits(std::span<const genocl::Code> pattern) {
  std::array<Bits128, 5> bits{};
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (pattern[i] < 4) bits[pattern[i]] |= Bits128{1} << i;
  return bits;
}

/// Starts of one contig and strand with at most `bound` substitutions: per position one bit-parallel comparison. At
/// most 128 bases. A window slides: bit i of match[c] says whether base i of the window is c.
inline void fast_hamming_hits(std::span<const genocl::Code> text, std::span<const genocl::Code> pattern, unsigned bound,
                              std::uint32_t contig, genocl::marose::Strand strand,
                              std::vector<genocl::marose::Hit>& hits) {
  const std::size_t m = pattern.size();
  if (text.size() < m) return;
  const std::array<Bits128, 5> bits = pattern_bits(pattern);
  Bits128 low = 0, high = 0, known = 0;  // planes of the window, base 0 of it in bit 0
  const Bits128 all = m == 128 ? ~Bits128{0} : (Bits128{1} << m) - 1;
  const Bits128 pattern_low = bits[1] | bits[3], pattern_high = bits[2] | bits[3];
  const Bits128 pattern_known = bits[0] | bits[1] | bits[2] | bits[3];
  for (std::size_t end = 1; end <= text.size(); ++end) {
    const genocl::Code code = text[end - 1];
    low = low >> 1 | Bits128{code < 4 ? code & 1u : 0u} << (m - 1);
    high = high >> 1 | Bits128{code < 4 ? code >> 1 & 1u : 0u} << (m - 1);
    known = known >> 1 | Bits128{code < 4 ? 1u : 0u} << (m - 1);
    if (end < m) continue;
    const Bits128 differs = ((low ^ pattern_low) | (high ^ pattern_high) | ~known | ~pattern_known) & all;
    const int errors =
        std::popcount(static_cast<std::uint64_t>(differs)) + std::popcount(static_cast<std::uint64_t>(differs >> 64));
    if (errors <= static_cast<int>(bound))
      hits.push_back({end - m, contig, static_cast<std::uint32_t>(m), static_cast<std::uint16_t>(errors), strand});
  }
}

/// The hits of levenshtein_hits, by Myers' bit-vector over the whole contig; only around ends within the bound are the
/// definitions gone through. At most 128 bases.
inline void fast_levenshtein_hits(std::span<const genocl::Code> text, std::span<const genocl::Code> pattern,
                                  unsigned bound, std::uint32_t contig, genocl::marose::Strand strand,
                                  std::vector<genocl::marose::Hit>& hits) {
  const std::size_t m = pattern.size();
  const std::array<Bits128, 5> bits = pattern_bits(pattern);
  Bits128 vp = ~Bits128{0}, vn = 0;
  const Bits128 last = Bits128{1} << (m - 1);
  unsigned errors = static_cast<unsigned>(m);
  std::vector<std::uint8_t> least(text.size() + 1, 255);
  std::vector<std::size_t> ends;
  for (std::size_t j = 1; j <= text.size(); ++j) {
    const Bits128 equal = bits[text[j - 1] < 4 ? text[j - 1] : 4];
    const Bits128 d0 = (((equal & vp) + vp) ^ vp) | equal | vn;
    Bits128 hp = vn | ~(d0 | vp), hn = d0 & vp;
    errors += (hp & last) != 0;
    errors -= (hn & last) != 0;
    hp <<= 1;
    hn <<= 1;
    vp = hn | ~(d0 | hp);
    vn = d0 & hp;
    least[j] = static_cast<std::uint8_t>(std::min(errors, 255u));
    if (errors <= bound) ends.push_back(j);
  }
  for (const std::size_t j : ends) {
    bool hit = true;
    for (std::size_t i = j > bound ? j - bound : 1; hit && i < j; ++i) hit = least[i] > least[j];
    for (std::size_t i = j + 1; hit && i <= std::min(text.size(), j + bound); ++i) hit = least[i] >= least[j];
    if (!hit) continue;
    const std::vector<unsigned> pieces = distances_from_end(text, j, pattern, m + bound);
    std::size_t longest = 0;
    for (std::size_t piece = 0; piece < pieces.size(); ++piece)
      if (pieces[piece] == least[j]) longest = piece;
    hits.push_back({j - longest, contig, static_cast<std::uint32_t>(longest), least[j], strand});
  }
}

/// Does what map_read does, for reads of at most 128 bases.
inline std::vector<genocl::marose::Hit> fast_map_read(const genocl::SequenceSet& text,
                                                      std::span<const genocl::Code> read, unsigned bound,
                                                      genocl::marose::Model model) {
  using namespace genocl::marose;
  std::vector<genocl::Code> reversed(read.size());
  genocl::dna::reverse_complement(read, reversed);
  std::vector<Hit> hits;
  for (std::size_t contig = 0; contig < text.size(); ++contig)
    for (const Strand strand : {Strand::forward, Strand::reverse}) {
      const std::span<const genocl::Code> pattern =
          strand == Strand::forward ? read : std::span<const genocl::Code>(reversed);
      (model == Model::hamming ? fast_hamming_hits : fast_levenshtein_hits)(
          text[contig], pattern, bound, static_cast<std::uint32_t>(contig), strand, hits);
    }
  sort_hits(hits);
  return hits;
}

}  // namespace reference
