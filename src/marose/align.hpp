// Affine alignment of a batch of reads: choice among aligned candidates, mate rescue, reports.
#pragma once

#include <cstdint>
#include <functional>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "genocl/marose/pair_mapper.hpp"
#include "genocl/marose/read_alignment.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "marose/extend.hpp"

namespace genocl::marose {

/// The aligned candidates of a read.
struct ReadCandidates {
  explicit ReadCandidates(std::pmr::memory_resource* memory = std::pmr::get_default_resource()) : list(memory) {}

  std::pmr::vector<Candidate> list;  ///< by descending total, then contig, position and strand
  std::uint32_t length = 0;          ///< of the query
  ReadPart kept;                     ///< part of the read that is the query
  std::int32_t unseen = 0;           ///< highest possible total of a place that was not searched; 0: none is likely
  std::uint64_t not_aligned = 0;     ///< number of hits with the errors of the best one that are not in the list
  /// Of these, shifts of the best hit by the period of the query: a tandem repeat longer than the read.
  std::uint64_t shifts = 0;
  std::uint64_t next_not_aligned = 0;  ///< number of hits of the next stratum with hits that are not in the list
  std::uint32_t next_errors = 0;       ///< errors of these hits beyond those of the best one
  std::int32_t min_score = 0;
  bool capped = false;  ///< too many places to search: others may be as good

  bool empty() const noexcept { return list.empty(); }

  /// Removes candidates below min_score and duplicates, which align the same bases to the same place, and sorts.
  void sort_unique();
};

/// Insert range and orientation of pairs.
struct PairGeometry {
  InsertRange insert;
  Orientation orientation = Orientation::forward_reverse;

  /// Whether the strand of a mate is inverted to compare pairs as forward-reverse.
  bool turned(unsigned mate) const noexcept {
    return mate == 0 ? orientation == Orientation::reverse_forward : orientation != Orientation::forward_reverse;
  }
  Strand strand(unsigned mate, Strand strand) const noexcept {
    return turned(mate) == (strand == Strand::forward) ? Strand::reverse : Strand::forward;
  }
};

/// Positions of a read on the contig, including clipped bases; they may lie outside of the contig.
using ReadSpan = BasicInterval<std::int64_t>;
ReadSpan span_of(const Candidate& candidate, std::uint32_t query_length) noexcept;

/// Score of a pair, with the insert score of BWA-MEM: at most log(2) of a match for the mean, less for unlikely
/// inserts. The range is taken as four standard deviations on either side of the mean. No value unless the pair is
/// proper.
std::optional<std::int32_t> pair_score(const Candidate& a, std::uint32_t a_length, const Candidate& b,
                                       std::uint32_t b_length, const PairGeometry& geometry,
                                       const pairwise::DnaScoring& scoring);

/// Score penalty of an unpaired placement of two reads.
inline std::int32_t unpaired_cost(const pairwise::DnaScoring& scoring) { return 17 * scoring.match; }

struct PairChoice {
  std::size_t first = 0, second = 0;  ///< indices of the candidates
  std::int32_t score = 0;             ///< of the pair, including its insert score
  std::int32_t rival = 0;             ///< of the best other pair, or of the unpaired placement; 0: none
  std::uint64_t rivals = 0;           ///< number of pairs of about this score
  std::int32_t unpaired = 0;          ///< score of the best unpaired placement
  bool better_unpaired() const noexcept { return unpaired > score; }
};

/// The best proper pair; no value if none.
std::optional<PairChoice> choose_pair(const ReadCandidates& a, const ReadCandidates& b, const PairGeometry& geometry,
                                      const pairwise::DnaScoring& scoring);

struct ReportLimits {
  std::uint32_t max_secondary = 0;
  double secondary_share = 0.8;  ///< of the primary score
};

/// Report of a read with primary alignment list[primary]; its MAPQ is that of a single read.
AlignedRead report_read(const ReadCandidates& candidates, std::size_t primary, std::uint32_t read_length,
                        const pairwise::DnaScoring& scoring, const ReportLimits& limits);

/// Finds diagonals of a text on which a read may align, by common k-mers.
class DiagonalSearch {
 public:
  static constexpr unsigned k = 9;
  /// Diagonals that are counted together.
  static constexpr std::int64_t bin = 16;

  struct Diagonal {
    std::int64_t shift = 0;   ///< text position - read position
    std::uint32_t kmers = 0;  ///< common k-mers on it and on its neighbours within a bin
  };

  DiagonalSearch() : first_(std::size_t{1} << (2 * k), none) {}

  /// @param query  at most 65,535 bases
  void set_query(std::span<const Code> query);

  /// The diagonals with the most common k-mers, at least `min_kmers`: at most `most`, best first, no two within two
  /// bins. O(text length + matches).
  std::vector<Diagonal> find(std::span<const Code> text, std::uint32_t min_kmers, std::size_t most);

 private:
  static constexpr std::uint16_t none = 0xffff;

  std::vector<std::uint16_t> first_;  ///< [k-mer]: its first position in the read
  std::vector<std::uint16_t> next_;   ///< [position]: next position of the same k-mer
  std::vector<std::uint32_t> used_, counts_;
  std::size_t length_ = 0;
};

struct ReadAlignerOptions {
  AlignOptions align;
  Report report;
  bool pairs = false;  ///< reads 2 i and 2 i + 1 are mates
  PairGeometry geometry;
  bool rescue = true;
};

/// Maps parts of reads: the hits of a set in which each record is a part.
using MapSet = std::function<Hits(const SequenceSet& parts)>;

/// Aligns reads [first, first + hits.reads.size()) of a set. Each step processes all reads: the hits of whole reads;
/// mates near their reads; parts of unmapped reads and of clipped ends; mates of those. Then it chooses the
/// alignments.
std::vector<AlignedRead> align_reads(const Device& device, const Index& index, const ReadAlignerOptions& options,
                                     const SequenceSet& reads, std::size_t first, const Hits& hits,
                                     const MapSet& map_parts);

}  // namespace genocl::marose
