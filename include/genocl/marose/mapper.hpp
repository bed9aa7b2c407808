// Read mapping: every position within the error bound, on both strands.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/marose/clip.hpp"
#include "genocl/marose/index.hpp"
#include "genocl/marose/plan.hpp"
#include "genocl/marose/read_alignment.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "genocl/sequence/strands.hpp"

namespace genocl::marose {

struct PairGeometry;
using genocl::Strands;

/// An alignment of a whole read, or of its part after clipping (ClipOptions). With Hamming errors `length` is that of
/// the read. With Levenshtein errors an alignment is identified by its end on its strand of the reference. The end
/// position j is a hit if the minimum number of errors D(j) of an alignment that ends there is within the bound, and
/// no j' with |j - j'| <= bound has fewer errors, or as many further left. The start is the leftmost one with D(j)
/// errors.
struct Hit {
  std::uint64_t position = 0;   ///< of the leftmost base in the contig, 0-based
  std::uint32_t reference = 0;  ///< the contig
  std::uint32_t length = 0;     ///< bases of the contig
  std::uint16_t errors = 0;
  Strand strand = Strand::forward;

  friend bool operator==(const Hit&, const Hit&) = default;
};

/// Hits that are reported.
struct Report {
  enum class Kind : std::uint8_t {
    best,
    all,
    strata,
    most,
    explored,
    known [[deprecated("use explored")]] = explored  ///< the name of 0.1
  };
  Kind kind = Kind::best;
  unsigned strata = 0;      ///< `strata`: maximum number of errors beyond the best hit
  std::uint64_t count = 0;  ///< `most`: maximum number of hits, those with the fewest errors first

  static Report best() { return {}; }
  /// The best hits, and those found while proving them and determining MAPQ.
  static Report explored() { return {.kind = Kind::explored}; }
  [[deprecated("use explored()")]] static Report known() { return explored(); }
  static Report all() { return {.kind = Kind::all}; }
  static Report within(unsigned strata) { return {.kind = Kind::strata, .strata = strata}; }
  static Report most(std::uint64_t count) { return {.kind = Kind::most, .count = count}; }
};

struct MapOptions {
  ErrorBound errors{.count = 0, .share = 0.07};
  Model model = Model::levenshtein;
  Report report = {};
  Strands strands = Strands::both;  ///< strands of the read that are searched
  ClipOptions clip = {};
  /// Affine alignment of streams of reads (Batch::alignments). Empty: hits only.
  std::optional<AlignOptions> align = AlignOptions{};
  /// Parameters of the paper for the published methods; empty: a lossless plan.
  std::optional<unsigned> shift = {};
  std::optional<unsigned> neighbourhood_errors = {};
  /// Maps reads without a known lossless plan by the best heuristic one; otherwise by the plan for the maximum proved
  /// number of errors (see ReadSummary).
  bool heuristic = false;
  /// Number of reads in a batch on each device; 0: automatic.
  std::size_t batch_reads = 0;
  Progress progress = {};
};

/// Summary of the hits of one read.
struct ReadSummary {
  ReadPart kept;                ///< part of the read without adapters and low quality
  ReadPart mapped;              ///< mapped part: `kept`, or a part of it if that had no hit (ClipOptions::ends)
  std::uint64_t hits = 0;       ///< number of known hits, reported or not
  std::uint64_t best_hits = 0;  ///< number of hits with the fewest errors
  std::uint16_t best = 0;       ///< errors of the best hits
  std::uint16_t second = 0;     ///< the next number of errors with hits; 0: none
  std::uint64_t second_hits = 0;
  std::uint16_t bound = 0;  ///< error bound with which it was mapped
  /// Every hit with fewer errors is known; bound + 1 if all are. With Report::best and an index of k-mers, the search
  /// stops once MAPQ is determined: hits with more errors may exist and are not counted.
  std::uint16_t explored = 0;
  bool too_short = false;    ///< shorter than any plan for this index allows, or empty: not searched
  bool lower_bound = false;  ///< `bound` is less than requested: no lossless plan is known beyond
  bool heuristic = false;    ///< mapped by a plan that may miss hits
  /// It has too many occurrences: `explored` is less than the report requires. Unless `best` is below it, other hits
  /// may be as good, or better.
  bool capped = false;
  /// MAPQ of a position chosen from the best hits, 0 to 60.
  GENOCL_EXPORT std::uint8_t mapping_quality() const noexcept;
};

/// Hits of read i: hits[offsets[i] .. offsets[i + 1]), by errors, then contig, position and strand.
struct Hits {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<Hit> hits;
  std::vector<ReadSummary> reads;

  std::span<const Hit> of(std::size_t read) const {
    return {hits.data() + offsets[read], std::size_t{offsets[read + 1] - offsets[read]}};
  }
};

/// Maps reads with an index on one or several devices. The hits do not depend on the devices and their number. An
/// index of k-mers with other segments gives the same hits of the best stratum, but may explore more or fewer strata
/// beyond it (ReadSummary::explored).
class GENOCL_EXPORT Mapper {
 public:
  /// @throws CapacityError if a segment of the index does not fit a device, InputError for options that contradict
  ///   the index
  Mapper(Devices devices, const Index& index, const MapOptions& options = {});
  Mapper(Mapper&&) noexcept;
  Mapper& operator=(Mapper&&) noexcept;
  ~Mapper();

  /// Maps reads of at most 1,000 bases. Throws InputError for longer ones (with the record).
  Hits map(const SequenceSet& reads) const;

  /// Maps a stream. Reading, copies, kernels, `work` and `sink` overlap.
  ///
  /// @param source  fills an empty batch with the next reads; returns false at the end
  /// @param work    optional: called with each batch and its hits on one of several threads, in any order; for costly
  ///                work such as formatting
  /// @param sink    called on the calling thread, in the order of the batches
  struct Batch {
    SequenceSet reads;
    Hits hits;
    std::uint64_t first_read = 0;  ///< number of reads in the batches before
    /// Element i is of read i; empty without MapOptions::align.
    std::vector<AlignedRead> alignments;
    std::string text;  ///< output that `work` leaves for `sink`, empty before; its memory is reused
  };
  void map(const std::function<bool(SequenceSet&)>& source, const std::function<void(Batch&)>& work,
           const std::function<void(Batch&)>& sink) const;

  /// The same for a source that only counts reads: `make` fills an empty batch with at most `count` of them, on one
  /// of several threads. No value ends the stream. Batch::first_read is the sum of the counts.
  struct ReadsToMake {
    std::uint64_t count = 0;
    std::function<void(SequenceSet&)> make = {};
  };
  void map(const std::function<std::optional<ReadsToMake>()>& source, const std::function<void(Batch&)>& work,
           const std::function<void(Batch&)>& sink) const;

  /// The plan for reads of this length, with the proved bound.
  const Plan& plan(unsigned read_length) const;

 private:
  friend class PairMapper;
  /// Treats the reads of a stream as pairs.
  void align_pairs(const PairGeometry& geometry, bool rescue);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::marose
