// Banded affine alignment of DNA: a whole query against a text around a diagonal, query ends clipped where that scores
// higher.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/pairwise/dna_scoring.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "genocl/sequence/cigar.hpp"

namespace genocl::pairwise {

/// The bonuses of the ends of one query, 0 to 8,000; -1: DnaScoring::end_bonus. An inner end of a part of a read has 0.
struct EndBonuses {
  int begin = -1, end = -1;

  friend bool operator==(const EndBonuses&, const EndBonuses&) = default;
};

/// Pairs of sequences to align. Copies of all of them are kept.
/// Const members may be called concurrently.
class GENOCL_EXPORT BandedPairs {
 public:
  struct Pair {
    std::uint32_t query = 0, query_length = 0;  ///< offset into queries(), bases
    std::uint32_t text = 0, text_length = 0;    ///< offset into texts(), bases
    std::int32_t first_diagonal = 0;            ///< text position - query position of the band's first diagonal
    EndBonuses bonuses = {};
  };

  /// Adds a pair; the band is [first_diagonal, first_diagonal + BandedOptions::diagonals).
  ///
  /// @param query           on the strand of `text`
  /// @param first_diagonal  may be negative
  void add(std::span<const Code> query, std::span<const Code> text, std::int32_t first_diagonal,
           EndBonuses bonuses = {});
  /// Adds pair i of another collection, its band's first diagonal moved by `shift`.
  void add(const BandedPairs& from, std::size_t i, std::int32_t shift = 0);
  void clear() noexcept;

  std::size_t size() const noexcept { return pairs_.size(); }
  std::span<const Pair> pairs() const noexcept { return {pairs_.data(), pairs_.size()}; }
  std::span<const Code> queries() const noexcept { return {queries_.data(), queries_.size()}; }
  std::span<const Code> texts() const noexcept { return {texts_.data(), texts_.size()}; }
  std::span<const Code> query(std::size_t i) const {
    return {queries_.data() + pairs_[i].query, pairs_[i].query_length};
  }
  std::span<const Code> text(std::size_t i) const { return {texts_.data() + pairs_[i].text, pairs_[i].text_length}; }

 private:
  std::vector<Code> queries_, texts_;
  std::vector<Pair> pairs_;
};

/// An alignment of query bases [query_begin, query_end) with text bases [text_begin, text_end).
///
/// It is the one of the highest score plus end bonuses among those whose every column lies in the band, begins and ends
/// with a column of two bases, and clips the rest of the query. Of several it ends first in the query, then leftmost in
/// the text; gaps lie as far left as they can.
struct BandedAlignment {
  std::int32_t score = 0;  ///< without end bonuses; 0 with an empty CIGAR: no column scores above 0
  std::uint32_t query_begin = 0, query_end = 0;
  std::uint32_t text_begin = 0, text_end = 0;
  Cigar cigar;  ///< of M, I and D; clipped bases are not in it

  friend bool operator==(const BandedAlignment&, const BandedAlignment&) = default;
};

struct BandedOptions {
  DnaScoring scoring = {};
  std::uint32_t diagonals = 121;  ///< of the band, 1 to 160
};

/// Aligns pairs on a device.
///
/// Queries longer than 1,000 bases are aligned on the host. O(query length * diagonals) time for each pair.
///
/// @return element i belongs to pair i; it does not depend on the device or the other pairs
/// @throws InputError if the options are out of range; CapacityError if the device lacks memory for one pair
GENOCL_EXPORT std::vector<BandedAlignment> align_banded(const Device& device, const BandedPairs& pairs,
                                                        const BandedOptions& options = {});

/// Aligns one pair on the host, to the same result. O(query length * diagonals) time and bytes.
GENOCL_EXPORT BandedAlignment align_banded(std::span<const Code> query, std::span<const Code> text,
                                           std::int32_t first_diagonal, const BandedOptions& options = {},
                                           EndBonuses bonuses = {});

}  // namespace genocl::pairwise
