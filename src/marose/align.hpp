// Chooses among the aligned candidates of a read, or of both reads of a pair.
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

  std::pmr::vector<Candidate> list;  ///< by falling total, then contig, position and strand
  std::uint32_t length = 0;          ///< of the query
  ReadPart kept;                     ///< what of the read the query is
  std::int32_t unseen = 0;           ///< the highest total of a place that was not looked for; 0: none is likely
  std::uint64_t not_aligned = 0;     ///< hits with as few errors as the best one that are not in the list
  /// Of these, places of the best hit moved by periods of the query: a tandem repeat that is longer than the read.
  std::uint64_t shifts = 0;
  std::uint64_t next_not_aligned = 0;  ///< the first hits with more errors that are not in the list: their number,
  std::uint32_t next_errors = 0;       ///< and how many errors more than the best one they have
  std::int32_t min_score = 0;
  bool capped = false;  ///< too many places to look at: others may be as good

  bool empty() const noexcept { return list.empty(); }

  /// Drops what scores too little and what aligns the same bases to the same place, and sorts.
  void sort_unique();
};

/// How the reads of a pair lie.
struct PairGeometry {
  InsertRange insert;
  Orientation orientation = Orientation::forward_reverse;

  /// Whether the strand of a mate is told turned, as if pairs were forward and reverse.
  bool turned(unsigned mate) const noexcept {
    return mate == 0 ? orientation == Orientation::reverse_forward : orientation != Orientation::forward_reverse;
  }
  Strand strand(unsigned mate, Strand strand) const noexcept {
    return turned(mate) == (strand == Strand::forward) ? Strand::reverse : Strand::forward;
  }
};

/// Where the 5' and 3' ends of the read lie when clipped bases are counted in; [begin, end) on the contig.
struct ReadSpan {
  std::int64_t begin = 0, end = 0;
};
ReadSpan span_of(const Candidate& candidate, std::uint32_t query_length) noexcept;

/// The score of an insert, as BWA-MEM has it: at most log(2) of a match for the mean, less for what is unlikely; no
/// value when the two make no proper pair. The range is taken for four standard deviations on either side of the mean.
std::optional<std::int32_t> pair_score(const Candidate& a, std::uint32_t a_length, const Candidate& b,
                                       std::uint32_t b_length, const PairGeometry& geometry,
                                       const pairwise::DnaScoring& scoring);

/// What two reads lose that are placed apart.
inline std::int32_t unpaired_cost(const pairwise::DnaScoring& scoring) { return 17 * scoring.match; }

struct PairChoice {
  std::size_t first = 0, second = 0;  ///< indices of the candidates
  std::int32_t score = 0;             ///< of the pair, its insert counted
  std::int32_t rival = 0;             ///< of the best other pair, or of both best places apart; 0: none
  std::uint64_t rivals = 0;           ///< pairs of about that score
  std::int32_t unpaired = 0;          ///< score of the best places apart
  bool better_unpaired() const noexcept { return unpaired > score; }
};

/// The best proper pair; no value when there is none.
std::optional<PairChoice> choose_pair(const ReadCandidates& a, const ReadCandidates& b, const PairGeometry& geometry,
                                      const pairwise::DnaScoring& scoring);

struct ReportLimits {
  std::uint32_t max_secondary = 0;
  double secondary_share = 0.8;  ///< of the primary score
};

/// The report of a read whose primary alignment is list[primary], with its MAPQ as a single read.
AlignedRead report_read(const ReadCandidates& candidates, std::size_t primary, std::uint32_t read_length,
                        const pairwise::DnaScoring& scoring, const ReportLimits& limits);

// Finds diagonals of a text on which a read may align, by k-mers that both have.

/// Holds the k-mers of a read; texts are compared with them.
class DiagonalSearch {
 public:
  static constexpr unsigned k = 9;
  /// Diagonals that are counted together.
  static constexpr std::int64_t bin = 16;

  struct Diagonal {
    std::int64_t shift = 0;   ///< text position - read position
    std::uint32_t kmers = 0;  ///< k-mers in common on it and its neighbours within a bin
  };

  DiagonalSearch() : first_(std::size_t{1} << (2 * k), none) {}

  /// @param query  at most 65,535 bases
  void set_query(std::span<const Code> query);

  /// The diagonals with most k-mers in common, at least `min_kmers`, at most `most` of them, best first and no two
  /// within two bins of each other. O(text length + matches).
  std::vector<Diagonal> find(std::span<const Code> text, std::uint32_t min_kmers, std::size_t most);

 private:
  static constexpr std::uint16_t none = 0xffff;

  std::vector<std::uint16_t> first_;  ///< [k-mer]: its first position in the read
  std::vector<std::uint16_t> next_;   ///< [position]: the next one of the same k-mer
  std::vector<std::uint32_t> used_, counts_;
  std::size_t length_ = 0;
};

// From the hits of a batch of reads to what is reported of them.

struct ReadAlignerOptions {
  AlignOptions align;
  Report report;
  bool pairs = false;  ///< reads 2 i and 2 i + 1 are mates
  PairGeometry geometry;
  bool rescue = true;
};

/// Maps parts of reads: Hits of a set, each record a part.
using MapSet = std::function<Hits(const SequenceSet& parts)>;

/// Aligns reads [first, first + hits.reads.size()) of a set in steps, each for all of them at once: the hits of whole
/// reads; mates beside their reads; parts of reads that lie nowhere as a whole, and what alignments leave out; mates of
/// those. Then it chooses.
std::vector<AlignedRead> align_reads(const Device& device, const Index& index, const ReadAlignerOptions& options,
                                     const SequenceSet& reads, std::size_t first, const Hits& hits,
                                     const MapSet& map_parts);

}  // namespace genocl::marose
