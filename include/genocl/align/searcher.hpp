// Searches a database with exact scores; returns the best hits with E-values and alignments.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/align/database.hpp"
#include "genocl/align/pairwise.hpp"
#include "genocl/align/profile.hpp"
#include "genocl/align/statistics.hpp"
#include "genocl/device.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/genetic_code.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "genocl/sequence/strands.hpp"

namespace genocl::align {

/// The kernel family. All families compute the same scores.
/// - `inter`, `intra`: the published scheme (Pham et al., swGPUCluster, sections III and IV). `inter` assigns one pair
///   to each work-item. `intra` assigns one pair to each work-group, along anti-diagonals of tiles; with
///   SearchOptions::as_published one item to each cell of an anti-diagonal. Either handles all subjects.
/// - `published`: `inter` below the length threshold, `intra` from it on.
/// - `cpu`: each worker processes 32 subjects in lock-step, first with 8-bit scores (CPUs).
/// - `gpu`: work-items of a group share a subject, with 16-bit pairs if the device supports them (GPUs).
/// - `automatic`: `cpu` or `gpu`, by the device's family.
enum class Kernel : std::uint8_t { automatic, published, inter, intra, cpu, gpu };

GENOCL_EXPORT std::string_view to_string(Kernel kernel) noexcept;
/// Returns the kernel of that name; "auto" is automatic. Throws InputError for an unknown name.
GENOCL_EXPORT Kernel kernel_named(std::string_view name);

using genocl::Strands;

/// Returns the number of the next database chunk to search, or nothing after the last one. Called by one thread at a
/// time.
using ChunkQueue = std::function<std::optional<std::size_t>()>;

/// Composition-based statistics: corrects scores of sequences that match because both have a biased composition. With a
/// mode other than `none`, hits within the E-value bound (`conditional`: within five times the bound) are scored again
/// on the host by BLAST's rules. Scores, E-values and alignments are then those of the adjusted scores. Low-complexity
/// segments of the subject (SEG, 10 letters, 1.8 and 2.1 bits) are masked unless the two sequences are nearly
/// identical.
/// - `scaled`: scales the matrix down if random sequences of these compositions score high (Schaeffer and others 2001;
///   blastp -comp_based_stats 1).
/// - `conditional`: fits a matrix to both compositions, unless they or the lengths differ too much (Altschul, Wootton
///   and others 2005; blastp -comp_based_stats 2).
/// Both scale the scores of a profile down if random sequences of the subject's composition score high, and score the
/// hits within the E-value bound again (psiblast -comp_based_stats 1 and 2). The scores come from Profile::ratios().
/// E-values then refer to the K of these scores, as in psiblast.
enum class CompositionStatistics : std::uint8_t { none, scaled, conditional };

/// Treatment of the masked letters of a query (SequenceSet::masked()). Output shows the original letters.
/// - `soft`: masked letters start no hit, but alignments extend through them (blastn and blastp -soft_masking true). An
///   anchor is an alignment of the query with masked letters as X (N in DNA). Its E-value is at most the larger of 10
///   and max_evalue, and its score at least 22 bits (11 matches in DNA). Each anchor is extended with all letters, as
///   BLAST extends a seed: in both directions from the middle of its best run of pairs. The extension stops if the
///   score falls by that of 60 matches (12 in proteins), or by more if the anchor's own score does. Hits have the
///   scores, E-values and alignments of the extensions. No two extensions share a pair of letters. The best anchor of a
///   subject decides its rank. The other anchors count for max_hsps, and if the best one leads to no hit. Without
///   E-values the best `top` hits of masked letters are extended. all_scores() treats masked letters as X (N).
/// - `hard`: masked letters score as X, in DNA as N (-soft_masking false).
enum class Masking : std::uint8_t { soft, hard };

/// Filters of the alignments of hits. An alignment that passes is a hit, whatever the others of its subject do.
/// SearchOptions::top and max_hsps apply to the alignments that pass, so that a filter never empties a list that later
/// subjects could fill. Subjects are sorted by their best alignment that passes.
struct HitFilter {
  /// Minimum percentage of identical columns of an alignment, as BLAST's -perc_identity; 0 to 100.
  double min_identity = 0;
  /// Minimum percentage of the query's letters that an alignment spans, as BLAST's -qcov_hsp_perc; 0 to 100. BLAST
  /// rounds coverage to the nearest integer below 99, and so does this filter. In a translated search, the letters are
  /// those of the frame.
  double query_coverage = 0;
  double subject_coverage = 0;  ///< the same of the subject's letters
  /// Delete an alignment if at least this number of better ones dominate it on the query, as BLAST's -culling_limit; 0:
  /// keep all. An alignment with score s and query span l dominates one with s' and l' if it covers half of that span
  /// and 4 s l + 2 s l' > 2 s' l + 4 s' l'. Alignments of all frames of a translated query compete, by their
  /// nucleotides. Culling aligns every subject within max_evalue.
  std::uint32_t culling_limit = 0;

  bool any() const noexcept {
    return min_identity > 0 || query_coverage > 0 || subject_coverage > 0 || culling_limit > 0;
  }
};

/// Translation of DNA in its reading frames, to compare it as protein: queries (blastx), the database (tblastn) or both
/// (tblastx). The matrix is for proteins, and each pair of frames is compared by itself. E-values are those of BLAST
/// without sum statistics (-sum_stats F): they refer to the length of a frame and to a third of the database. In an
/// alignment, positions count amino acids of the frames; hsp_coordinates() returns nucleotides.
struct Translation {
  bool queries = false;                   ///< queries are DNA; SearchOptions::strands selects frames
  bool database = false;                  ///< the database is DNA; all six frames are searched
  int query_code = 1, database_code = 1;  ///< GeneticCode::id()

  bool any() const noexcept { return queries || database; }
  friend bool operator==(const Translation&, const Translation&) = default;
};

struct SearchOptions {
  Matrix matrix = blosum62();
  GapPenalty gap = {};
  std::size_t top = 10;  ///< maximum hits of a query, over both strands; not 0
  std::int32_t min_score = 1;
  /// Compute E-values and bit scores. If false, or if KarlinAltschul::find() does not know the scoring, both are NaN
  /// and max_evalue has no effect.
  bool evalues = true;
  /// Maximum E-value of a hit.
  double max_evalue = 10;
  EdgeCorrection edge_correction = EdgeCorrection::finite_size;  ///< of the E-values
  EffectiveSizes sizes = {};                                     ///< of the E-values
  /// For proteins, with a matrix and gap penalties of known statistics; otherwise InputError.
  CompositionStatistics composition = CompositionStatistics::none;
  Masking masking = Masking::soft;
  bool align = false;  ///< compute alignments of the hits
  /// Maximum alignments of a hit's query and subject, on each strand: the best one and those that share no pair of
  /// letters with a better one (see local_alignments()). Each is a separate hit after the first and does not count for
  /// `top`. Values above 1 require `align`. min_score and max_evalue apply to each alignment.
  std::size_t max_hsps = 1;
  /// Use BLAST's order and limits of aligned hits. `top` limits the number of subjects, and max_hsps the alignments
  /// with a subject on both strands together. Alignments of a subject are adjacent, sorted by score; subjects are
  /// sorted by their best alignment. Without `align` a search returns the input that align() requires: up to twice
  /// `top` hits if it searches both strands.
  bool by_subject = false;
  /// Requires by_subject. Without E-values, filters see the first max_hsps alignments of a subject. A search without
  /// `align` then returns every hit within min_score and max_evalue, which is the input that align() requires.
  HitFilter filter = {};
  Strands strands = Strands::both;  ///< strands of DNA queries to search; proteins have one
  /// Translated queries take no masks, and a translated search takes no profiles and no published kernels. A translated
  /// database is made when the Searcher is constructed, in twice the memory of the nucleotides; what exceeds
  /// DatabaseBuilderOptions::memory_bytes goes to a temporary file.
  Translation translation = {};
  Kernel kernel = Kernel::automatic;
  /// `published`: the minimum length of subjects that `intra` handles.
  std::uint64_t threshold = 3072;
  /// `published`, `inter` and `intra`: as in the paper, for both families of devices. `inter` takes batches of
  /// 256 x 30 subjects. `intra` has 30 groups of 256 items; an item computes one cell of an anti-diagonal at a time,
  /// and three diagonals are swapped. Slower than without. Throws InputError with another kernel.
  bool as_published = false;
  /// Maximum residues of a database chunk; 0: automatic. One unit of work is a chunk and some queries.
  std::uint64_t chunk_residues = 0;
  /// Maximum letters of a piece of a long subject; 0: automatic, enough pieces to fill the devices. Pieces are searched
  /// in parallel. An overlap precedes each piece: the maximum span of an alignment of the longest query, i.e. its m
  /// letters and gaps that cost less than m matches score. Results do not depend on this option. If the gap penalty
  /// `extend` is 0, no subject is cut and subjects have at most 2^24 letters.
  std::uint64_t piece_letters = 0;
  /// Shares a search between processes that each have the whole database. The function is called at the start of each
  /// search with the number of chunks, which is the same in all processes. This process searches the chunks that the
  /// returned queue names, and its hits are from these chunks only. merge_hits() combines the results of all processes.
  /// Requires chunk_residues. A search with a sink calls the function at the start of each batch (Searcher::batches()).
  std::function<ChunkQueue(std::size_t chunks)> chunk_queue = {};
  /// Maximum hits that a search with a sink holds before alignment; 1 or more. The hits of one query are always held.
  /// This bounds the host memory of a search for any number of queries. With composition-based statistics, up to 128
  /// times as many subjects may await adjusted scores; with a filter, up to 32 times as many await alignment.
  std::uint64_t held_hits = std::uint64_t{1} << 17;
  /// Progress of each search, in score cells. With alignments, those of a batch of queries are the last tenth of the
  /// batch. For align() alone, the cells are those of the hits' pairs.
  Progress progress = {};

  /// The maximum number of hits of a query before alignment, for merge_hits().
  std::size_t top_before_alignment(Alphabet alphabet) const noexcept {
    if (filter.any()) return SIZE_MAX;
    const std::size_t pairs = by_subject ? strand_pairs(alphabet) : 1;
    return top <= SIZE_MAX / pairs ? pairs * top : top;
  }
  /// The number of pairs of strands or frames in which a query and a subject are compared.
  std::size_t strand_pairs(Alphabet alphabet) const noexcept {
    if (translation.any())
      return (translation.queries ? frames_of(strands).size() : 1) * (translation.database ? 6 : 1);
    return alphabet == Alphabet::dna && strands == Strands::both ? 2 : 1;
  }
};

struct Hit {
  std::uint64_t subject = 0;  ///< number in the database
  std::int32_t score = 0;
  bool minus = false;           ///< hit of the reverse complement (DNA), which query positions refer to
  double bits = 0, evalue = 0;  ///< NaN if unknown
  std::optional<Alignment> alignment;
  std::uint32_t hsp = 0;  ///< 0: the best alignment of the two sequences, 1: the next one...
  /// The range of letters [part_begin, part_end) of the subject, or of its frame, that contains the best alignment.
  /// align() reads only this range. 0, 0: unknown.
  std::uint64_t part_begin = 0, part_end = 0;
  Frame query_frame = 0, subject_frame = 0;  ///< reading frames; 0: not translated
};

/// Counters of a search.
struct SearchCounts {
  std::uint64_t cells = 0;           ///< query letters times subject letters, both strands
  double seconds = 0;                ///< elapsed time of the scores, with copies to the device
  double kernel_seconds = 0;         ///< time of scoring kernels on the busiest device
  double alignment_seconds = 0;      ///< elapsed time of the alignments
  std::uint64_t computed_again = 0;  ///< pairs whose narrow score saturated
  std::uint64_t held_hits = 0;       ///< maximum number of hits held at a time
};

struct SearchResult {
  std::vector<std::vector<Hit>> hits;  ///< [query]
  SearchCounts counts;
};

/// Searches a database on devices. Each device receives database chunks on first use and keeps them in up to half of
/// its memory. All Searchers on the same Device share this memory. The remaining chunks are streamed. If other programs
/// occupy the memory, the kept chunks are released and streamed also. Results do not depend on the devices, their
/// number, their memory or the kernel.
class GENOCL_EXPORT Searcher {
 public:
  /// The maximum length of a query; longer ones throw InputError. The limit of subjects is Database::longest_sequence.
  static constexpr std::uint64_t longest_query = std::uint64_t{1} << 24;

  /// Throws InputError if the alphabets of the database (translated: protein) and the matrix differ, for invalid gap
  /// penalties, for top 0, and for an unknown genetic code. O(residues) if the database is translated.
  Searcher(Devices devices, const Database& database, const SearchOptions& options = {});
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;
  ~Searcher();

  /// Returns hits[q] of query q. The order is by E-value if known (lowest first; values below 1e-180 are equal), then
  /// score (highest first), database order, and plus strand first. Further alignments of the same sequences follow the
  /// best one. O(query * database) cells. Thread-safe, as all const members. Throws InputError for an empty query, for
  /// a query of more than 2^24 letters (with the record), and if a subject of more than 2^30 letters would need larger
  /// pieces than that.
  SearchResult search(const SequenceSet& queries) const;

  /// Receives the hits of a query, as search() returns them. An exception stops the search and propagates to the
  /// caller.
  using HitSink = std::function<void(std::size_t query, std::vector<Hit>&& hits)>;
  /// Passes the hits of each query to `sink`, in the order of the queries, from the calling thread, as soon as they are
  /// complete. Holds at most SearchOptions::held_hits. The hits are those of search(). A database that does not fit the
  /// devices is copied to them once for each batch. Throws the errors of search(); errors about queries precede the
  /// first call of the sink.
  SearchCounts search(const SequenceSet& queries, const HitSink& sink) const;
  /// Searches with profiles of proteins instead of queries. The rows of a profile determine the scores. E-values are
  /// those of the matrix and gap penalties, except that a profile's own K applies (Profile::gapped()), as in psiblast.
  /// The host computes the alignments. Throws InputError for a DNA database, a profile without rows, and the published
  /// kernels.
  SearchResult search(std::span<const Profile> profiles) const;
  SearchCounts search(std::span<const Profile> profiles, const HitSink& sink) const;
  /// Returns the consecutive batches of queries of a search with a sink. A batch has at most 2^14 queries and 2^22
  /// letters, and at most the queries that can have SearchOptions::held_hits hits. O(queries).
  std::vector<RecordRange> batches(const SequenceSet& queries) const;
  /// Adds the alignment to each of these hits and inserts further ones after it (SearchOptions::max_hsps). `hits` has
  /// one entry for each query, as search() returns them without alignments. Throws Cancelled on request of
  /// SearchOptions::progress, which is called once for some hundred hits.
  void align(const SequenceSet& queries, std::span<std::vector<Hit>> hits) const;
  /// The hits of one query.
  std::vector<Hit> search(std::span<const Code> query) const;

  /// Receives all scores of a query: sink(query, first, scores). scores[i] is the score of sequence first + i in
  /// database order (its number, unless the database is a shard) on the better strand. The score is 0 in chunks that
  /// another process searches. Called in order, from the calling thread.
  using ScoreSink = std::function<void(std::size_t query, std::uint64_t first, std::span<const std::int32_t> scores)>;
  /// `scores` is empty for a shard without sequences.
  SearchCounts all_scores(const SequenceSet& queries, const ScoreSink& sink) const;
  SearchCounts all_scores(std::span<const Profile> profiles, const ScoreSink& sink) const;

  const Database& database() const noexcept;
  /// The number of chunks of the database.
  std::size_t chunks() const noexcept;
  const SearchOptions& options() const noexcept;
  /// Parameters of the E-values; empty if unknown.
  const std::optional<KarlinAltschul>& statistics() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Merges the hits of a query in several shards into the result of a search of the whole database.
GENOCL_EXPORT std::vector<Hit> merge_hits(std::span<const std::vector<Hit>> shards, std::size_t top);

/// Serializes hits of several queries, with alignments if present (see genocl/packing.hpp), for other processes and
/// later runs.
GENOCL_EXPORT std::string pack_hits(std::span<const std::vector<Hit>> hits);
/// Throws Error for truncated bytes.
GENOCL_EXPORT std::vector<std::vector<Hit>> unpack_hits(std::string_view packed);

}  // namespace genocl::align
