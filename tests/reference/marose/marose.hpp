// Read mapping by brute force: every position of every contig, both strands, straight from the definitions in
// genocl/marose/mapper.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "genocl/marose/mapper.hpp"
#include "genocl/sequence.hpp"

namespace reference {

inline bool bases_match(genocl::Code a, genocl::Code b) { return a == b && a < 4; }

inline void sort_hits(std::vector<genocl::marose::Hit>& hits) {
  std::sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) {
    return std::tie(a.errors, a.reference, a.position, a.strand, a.length) <
           std::tie(b.errors, b.reference, b.position, b.strand, b.length);
  });
}

void hamming_hits(std::span<const genocl::Code> text, std::span<const genocl::Code> pattern, unsigned bound,
                  std::uint32_t contig, genocl::marose::Strand strand, std::vector<genocl::marose::Hit>& hits);

/// The least edits between the pattern and text[b, end) for every b from end - size on downwards: [length of the
/// piece].
std::vector<unsigned> distances_from_end(std::span<const genocl::Code> text, std::size_t end,
                                         std::span<const genocl::Code> pattern, std::size_t most);

void levenshtein_hits(std::span<const genocl::Code> text, std::span<const genocl::Code> pattern, unsigned bound,
                      std::uint32_t contig, genocl::marose::Strand strand, std::vector<genocl::marose::Hit>& hits);

/// All hits of one read.
std::vector<genocl::marose::Hit> map_read(const genocl::SequenceSet& text, std::span<const genocl::Code> read,
                                          unsigned bound, genocl::marose::Model model);

}  // namespace reference
