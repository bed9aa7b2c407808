#include "marose/align/mate_search.hpp"

#include <algorithm>

namespace genocl::marose {
namespace {

/// Calls found(k-mer, position) for each word of k bases.
template <class Found>
void for_each_kmer(std::span<const Code> text, Found&& found) {
  constexpr std::uint32_t mask = (std::uint32_t{1} << (2 * DiagonalSearch::k)) - 1;
  std::uint32_t word = 0;
  unsigned bases = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!dna::is_base(text[i])) {
      bases = 0;
      continue;
    }
    word = (word << 2 | text[i]) & mask;
    if (++bases >= DiagonalSearch::k) found(word, i + 1 - DiagonalSearch::k);
  }
}

}  // namespace

void DiagonalSearch::set_query(std::span<const Code> query) {
  for (const std::uint32_t word : used_) first_[word] = none;
  used_.clear();
  length_ = query.size();
  next_.assign(query.size(), none);
  for_each_kmer(query, [&](std::uint32_t word, std::size_t position) {
    next_[position] = first_[word];
    if (first_[word] == none) used_.push_back(word);
    first_[word] = static_cast<std::uint16_t>(position);
  });
}

std::vector<DiagonalSearch::Diagonal> DiagonalSearch::find(std::span<const Code> text, std::uint32_t min_kmers,
                                                           std::size_t most) {
  const auto offset = static_cast<std::int64_t>(length_);
  const std::size_t bins = (text.size() + length_) / bin + 2;
  counts_.assign(bins, 0);
  for_each_kmer(text, [&](std::uint32_t word, std::size_t position) {
    for (std::uint16_t at = first_[word]; at != none; at = next_[at])
      ++counts_[static_cast<std::size_t>((static_cast<std::int64_t>(position) - at + offset) / bin)];
  });
  std::vector<Diagonal> found;
  for (std::size_t b = 0; b + 1 < bins; ++b) {
    const std::uint32_t kmers = counts_[b] + counts_[b + 1];
    if (kmers >= min_kmers) found.push_back({(static_cast<std::int64_t>(b) + 1) * bin - offset, kmers});
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Diagonal::kmers);
  std::vector<Diagonal> best;
  for (const Diagonal& one : found) {
    if (best.size() == most) break;
    const bool apart =
        std::ranges::none_of(best, [&](const Diagonal& other) { return std::abs(other.shift - one.shift) <= 2 * bin; });
    if (apart) best.push_back(one);
  }
  return best;
}

}  // namespace genocl::marose
