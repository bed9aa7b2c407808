// Searches a database: every score exact, the best hits, their E-values and alignments.
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
#include "genocl/sequence/sequence_set.hpp"
#include "genocl/sequence/strands.hpp"

namespace genocl::align {

/// How scores are computed; every way gives the same ones.
/// - `inter`, `intra`: the published scheme (Pham et al., swGPUCluster, sections III and IV): one pair for each
/// work-item
///   below the length threshold, one pair for each work-group, along anti-diagonals of tiles, from it on. `inter` and
///   `intra` use one of them for all subjects, `published` both.
/// - `cpu`: 32 subjects in lock-step for each worker, 8-bit first (CPUs).
/// - `gpu`: lanes of a group share a subject, 16-bit pairs where the device has them (GPUs).
/// - `automatic`: `cpu` or `gpu`, by the device's family.
enum class Kernel : std::uint8_t { automatic, published, inter, intra, cpu, gpu };

GENOCL_EXPORT std::string_view to_string(Kernel kernel) noexcept;
/// Throws InputError for another name; "auto" is automatic.
GENOCL_EXPORT Kernel kernel_named(std::string_view name);

using genocl::Strands;

/// Gives the number of a chunk of the database that is to be searched, until there is none. Called by one thread at a
/// time.
using ChunkQueue = std::function<std::optional<std::size_t>()>;

/// How the letters of the two sequences count, which may be alike for no other reason than that both have few kinds.
/// With any but `none` what is within the bound of E-values (`conditional`: within five times that) is scored again, on
/// the host and by BLAST's rules: scores, E-values and alignments are those of the adjusted scores, low-complexity
/// segments of the subject (SEG, 10 letters, 1.8 and 2.1 bits) masked unless the two are nearly identical.
/// - `scaled`: the matrix is scaled down where chance alone scores high with these letters (Schaeffer and others 2001;
///   blastp -comp_based_stats 1).
/// - `conditional`: a matrix is made that fits the letters of both, unless they and the lengths are too different
///   (Altschul, Wootton and others 2005; blastp -comp_based_stats 2).
enum class CompositionStatistics : std::uint8_t { none, scaled, conditional };

/// How the masked letters of a query count (SequenceSet::masked()). They are shown as they are.
/// - `soft`: masked letters start no hit, but alignments extend through them (blastn and blastp -soft_masking true).
///   With masked letters as X (N in DNA), an alignment is an anchor if its E-value is at most 10, or max_evalue if that
///   is higher, and its score at least 22 bits (11 matches in DNA). An anchor is extended with all letters, as BLAST
///   extends a seed: both ways from the middle of its best run of pairs, until the score has fallen by that of 60
///   matches (12 in proteins), or by more where the anchor's does. Hits have the scores, E-values and alignments of the
///   extensions, no two of which share a pair of letters. The best anchor of a subject decides its rank; the others
///   count where that leads to no hit, and for max_hsps. Without E-values the best `top` hits of masked letters are
///   extended. all_scores() takes masked letters as X (N).
/// - `hard`: masked letters score as X, in DNA as N (-soft_masking false).
enum class Masking : std::uint8_t { soft, hard };

struct SearchOptions {
  Matrix matrix = blosum62();
  GapPenalty gap = {};
  std::size_t top = 10;  ///< hits for each query at most, over both strands; not 0
  std::int32_t min_score = 1;
  /// False: E-values and bit scores are NaN, and max_evalue does not count, as where KarlinAltschul::find() does not
  /// know the scoring.
  bool evalues = true;
  /// Hits with a higher E-value are left out.
  double max_evalue = 10;
  EdgeCorrection edge_correction = EdgeCorrection::finite_size;  ///< of the E-values
  /// Of proteins, with a matrix and gap penalties whose statistics are known; InputError for others.
  CompositionStatistics composition = CompositionStatistics::none;
  Masking masking = Masking::soft;
  bool align = false;  ///< alignments of the hits
  /// Alignments of a hit's query and subject at most, on each strand: the best one and those that share no pair of
  /// letters with a better one (see local_alignments()), each a hit of its own behind the first, which `top` does not
  /// count. More than 1 only with `align`; min_score and max_evalue hold for each of them.
  std::size_t max_hsps = 1;
  /// BLAST's order and limits of aligned hits: `top` counts subjects and max_hsps the alignments with a subject, both
  /// strands together. Those of a subject stand together, by score, the subjects by their best one. Without `align` a
  /// search gives what align() needs for that: up to twice `top` hits where both strands are searched.
  bool by_subject = false;
  Strands strands = Strands::both;  ///< of DNA queries that are looked for; a protein query has one
  Kernel kernel = Kernel::automatic;
  /// `published`: subjects of this length on go to `intra`.
  std::uint64_t threshold = 3072;
  /// A chunk of the database has no more residues; 0: chosen. A search works on (chunk, some queries) at a time.
  std::uint64_t chunk_residues = 0;
  /// A longer subject is searched in pieces of so many letters, side by side, each with so many in front of it as an
  /// alignment of the longest query can span (m letters of it, and gaps that cost less than m matches can score); 0:
  /// chosen, so that pieces fill the devices. No result depends on it. With gap penalties whose `extend` is 0 nothing
  /// is cut, and subjects have 2^24 letters at most.
  std::uint64_t piece_letters = 0;
  /// Several processes can share a search, each with the whole database: it is called at the beginning of each search
  /// with the number of chunks, the same in all of them, and this process searches those chunks that the queue gives.
  /// Its hits are of these chunks only; merge_hits() makes the answer of all. chunk_residues has to be given then. A
  /// search with a sink calls it at the beginning of each of its batches (Searcher::batches()).
  std::function<ChunkQueue(std::size_t chunks)> share = {};
  /// Hits that a search with a sink holds at a time, before they are aligned; one query's are held in any case. 1 or
  /// more. It bounds the memory that a search takes on the host whatever the number of queries. With statistics by
  /// composition, 128 times as many subjects may be held whose scores are still to be adjusted.
  std::uint64_t held_hits = std::uint64_t{1} << 17;
  /// Of each search; counts cells of scores. Where hits are aligned, the alignments of a batch of queries are the last
  /// tenth of its part. Of align() alone it counts cells of the hits' pairs.
  Progress progress = {};

  /// The maximum number of hits of a query before they are aligned, for merge_hits().
  std::size_t top_before_alignment(Alphabet alphabet) const noexcept {
    const bool twice = by_subject && alphabet == Alphabet::dna && strands == Strands::both;
    return twice && top <= SIZE_MAX / 2 ? 2 * top : top;
  }
};

struct Hit {
  std::uint64_t subject = 0;  ///< number in the database
  std::int32_t score = 0;
  bool minus = false;  ///< the query's reverse complement (DNA); the alignment's query positions are those of it
  double bits = 0, evalue = 0;  ///< NaN where nothing is known
  std::optional<Alignment> alignment;
  std::uint32_t hsp = 0;  ///< 0: the best alignment of the two sequences, 1: the next one...
  /// The best alignment lies within these letters of the subject, [part_begin, part_end), which is all that align()
  /// then looks at; 0, 0: nothing is known of it.
  std::uint64_t part_begin = 0, part_end = 0;
};

/// What a search did.
struct SearchCounts {
  std::uint64_t cells = 0;           ///< of query times subject, both strands
  double seconds = 0;                ///< on the clock, scores only, copies to the device included
  double kernel_seconds = 0;         ///< of the busiest device in scoring kernels
  double alignment_seconds = 0;      ///< the alignments of the hits
  std::uint64_t computed_again = 0;  ///< pairs whose narrow score was saturated
  std::uint64_t held_hits = 0;       ///< the most that were held at a time on their way to the caller
};

struct SearchResult {
  std::vector<std::vector<Hit>> hits;  ///< [query]
  SearchCounts counts;
};

/// Pieces of the database are copied to a device when it first needs them, and stay there as far as half of its memory
/// goes, which all Searchers on the same Device share; the rest is streamed. Where other programs have taken the
/// memory, what stays is given up, and it is streamed too. Answers are the same whatever the devices, their number,
/// their memory and the kernel.
class GENOCL_EXPORT Searcher {
 public:
  /// A query of more letters is an InputError; of the subjects, Database::longest_sequence tells.
  static constexpr std::uint64_t longest_query = std::uint64_t{1} << 24;

  /// Throws InputError for a database of another alphabet than the matrix's, wrong gap penalties, top 0.
  Searcher(Devices devices, const Database& database, const SearchOptions& options = {});
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;
  ~Searcher();

  /// hits[q]: of query q, by E-value (lowest first; those below 1e-180 are alike) where it is known, then by score
  /// (highest first), then database order, plus strand first; further alignments of the same sequences follow the best
  /// one. Throws InputError for an
  /// empty query or one of more than 2^24 letters (with the record), and where a subject of more than 2^30 letters
  /// would have pieces of more than that. O(query * database) cells. May be called by several threads at once, as all
  /// that is const here.
  SearchResult search(const SequenceSet& queries) const;

  /// Takes the hits of a query as search() gives them. What it throws stops the search and comes to the caller.
  using HitSink = std::function<void(std::size_t query, std::vector<Hit>&& hits)>;
  /// Gives the hits of each query to `sink`, in the order of the queries, from the calling thread: batch by batch, as
  /// soon as those of a query are known, and holds no more than SearchOptions::held_hits. The hits are those of
  /// search(); a database that does not stay on the devices is copied to them once for each batch. Throws what search()
  /// throws, before anything is given to the sink where it is about the queries.
  SearchCounts search(const SequenceSet& queries, const HitSink& sink) const;
  /// The same with profiles in the place of queries: proteins, scored by the profiles' rows, with E-values as the
  /// matrix and gap penalties have them, but for a profile's own K (Profile::gapped()), as psiblast has them.
  /// Alignments are made on the host. Throws InputError for a database of DNA, a profile without rows,
  /// CompositionStatistics other than none, and the published kernels.
  SearchResult search(std::span<const Profile> profiles) const;
  SearchCounts search(std::span<const Profile> profiles, const HitSink& sink) const;
  /// Tells the batches of queries that a search with a sink takes one after the other: at most 2^14 queries and 2^22
  /// letters in each, and no more than can have SearchOptions::held_hits. O(queries).
  std::vector<RecordRange> batches(const SequenceSet& queries) const;
  /// Gives each of these hits (of queries.size() queries, as search() gives them without alignments) its alignment, and
  /// puts hits with further ones behind it (SearchOptions::max_hsps). Throws Cancelled when SearchOptions::progress
  /// says so, which is asked between some hundred of them.
  void align(const SequenceSet& queries, std::span<std::vector<Hit>> hits) const;
  /// The hits of one query.
  std::vector<Hit> search(std::span<const Code> query) const;

  /// Every score of every query (0 of a chunk that was left to another process): sink(query, first, scores), scores[i]
  /// that of the sequence first + i in database order (its number, where the database is no shard; the better strand's
  /// score); called in order, from the calling thread.
  using ScoreSink = std::function<void(std::size_t query, std::uint64_t first, std::span<const std::int32_t> scores)>;
  /// A shard without sequences has no scores: `scores` is empty then.
  SearchCounts all_scores(const SequenceSet& queries, const ScoreSink& sink) const;
  SearchCounts all_scores(std::span<const Profile> profiles, const ScoreSink& sink) const;

  const Database& database() const noexcept;
  /// How many chunks the database has been cut into.
  std::size_t chunks() const noexcept;
  const SearchOptions& options() const noexcept;
  /// What E-values are made from; empty where nothing is known.
  const std::optional<KarlinAltschul>& statistics() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Hits of the same query in several shards, merged as one search of the whole would give them.
GENOCL_EXPORT std::vector<Hit> merge_hits(std::span<const std::vector<Hit>> shards, std::size_t top);

/// Hits of several queries as bytes (see genocl/packing.hpp), with the alignments of those that have one: for other
/// processes, and other runs.
GENOCL_EXPORT std::string pack_hits(std::span<const std::vector<Hit>> hits);
/// Throws Error for bytes that are cut off.
GENOCL_EXPORT std::vector<std::vector<Hit>> unpack_hits(std::string_view packed);

}  // namespace genocl::align
