// Maps reads: every position within the error bound, on both strands.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/marose/clip.hpp"
#include "genocl/marose/index.hpp"
#include "genocl/marose/plan.hpp"
#include "genocl/marose/read_alignment.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence.hpp"

namespace genocl::marose {

struct PairGeometry;
using genocl::Strands;

/// An alignment of a whole read, or of what is kept of it (ClipOptions). With Hamming errors `length` is the read's;
/// with Levenshtein errors an alignment is known by where it ends on its strand of the reference: the end position j is
/// a hit when the least number of errors D(j) of any alignment that ends there is within the bound and no j' with |j -
/// j'| <= bound has less, nor the same further left; its start is the leftmost that gives D(j).
struct Hit {
  std::uint64_t position = 0;   ///< of the leftmost base in the contig, from 0
  std::uint32_t reference = 0;  ///< the contig
  std::uint32_t length = 0;     ///< bases of the contig
  std::uint16_t errors = 0;
  Strand strand = Strand::forward;

  friend bool operator==(const Hit&, const Hit&) = default;
};

/// Which hits are given out.
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
  unsigned strata = 0;      ///< `strata`: hits with at most this many errors more than the best
  std::uint64_t count = 0;  ///< `most`: at most this many, those with fewest errors first

  static Report best() { return {}; }
  /// The best ones, and those that were seen on the way to the proof that they are and to the mapping quality.
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
  Strands strands = Strands::both;  ///< of the read, that are looked for
  ClipOptions clip = {};
  /// How streams of reads are aligned (Batch::alignments). Empty: they are not, and hits are all that there is.
  std::optional<AlignOptions> align = AlignOptions{};
  /// These are the paper's parameters for the published methods; where they are empty, a lossless plan is taken.
  std::optional<unsigned> shift = {};
  std::optional<unsigned> neighbourhood_errors = {};
  /// Reads for which no lossless plan is known are mapped by the best heuristic one; without it by the plan for as many
  /// errors as are proved (see ReadSummary).
  bool heuristic = false;
  /// So many reads are mapped at a time on each device; 0 lets the library choose.
  std::size_t batch_reads = 0;
  Progress progress = {};
};

/// What is known of one read.
struct ReadSummary {
  ReadPart kept;                ///< what adapters and low quality leave of the read
  ReadPart mapped;              ///< what was mapped: `kept`, or a part of it where that had no hit (ClipOptions::ends)
  std::uint64_t hits = 0;       ///< that are known, given out or not
  std::uint64_t best_hits = 0;  ///< with the fewest errors
  std::uint16_t best = 0;       ///< that number of errors
  std::uint16_t second = 0;     ///< the next number of errors that has hits; 0: there is none
  std::uint64_t second_hits = 0;
  std::uint16_t bound = 0;  ///< the errors up to which it was mapped
  /// Every hit with fewer errors is known: bound + 1 where all are. With Report::best an index of k-mers is asked no
  /// further than what the mapping quality needs, so that hits beyond may be there that nothing counts.
  std::uint16_t explored = 0;
  bool too_short = false;    ///< shorter than any plan for this index allows (or empty): not looked up
  bool lower_bound = false;  ///< `bound` is less than was asked for: no lossless plan is known beyond
  bool heuristic = false;    ///< mapped by a plan that may miss
  /// It lies in too many places to go through: `explored` is less than the report asks for. Where `best` is not below
  /// it, other hits may be as good, or better.
  bool capped = false;
  /// Phred-scaled confidence that a position picked from the best ones is right, 0 to 60.
  GENOCL_EXPORT std::uint8_t mapping_quality() const noexcept;
};

/// Read i has hits[offsets[i] .. offsets[i + 1]): by errors, then contig, position and strand.
struct Hits {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<Hit> hits;
  std::vector<ReadSummary> reads;

  std::span<const Hit> of(std::size_t read) const {
    return {hits.data() + offsets[read], std::size_t{offsets[read + 1] - offsets[read]}};
  }
};

/// Holds the index on every device. The answers are the same whatever the devices and their number; an index of k-mers
/// that is cut into other segments gives the same hits of the best stratum, but may know more or fewer strata beyond it
/// (ReadSummary::explored).
class GENOCL_EXPORT Mapper {
 public:
  /// Throws CapacityError when a segment of the index does not fit a device, InputError for options that contradict the
  /// index.
  Mapper(Devices devices, const Index& index, const MapOptions& options = {});
  Mapper(Mapper&&) noexcept;
  Mapper& operator=(Mapper&&) noexcept;
  ~Mapper();

  /// Maps reads of any length up to 1,000. Throws InputError for longer ones (with the record).
  Hits map(const SequenceSet& reads) const;

  /// A stream: `source` fills an empty batch with the next reads and returns false at the end; `work`, if given, is
  /// called with each batch and its hits on one of several threads, in any order (for what costs time: formatting);
  /// `sink` on the calling thread, in the order of the batches. Reading, copies, kernels, `work` and `sink` overlap.
  struct Batch {
    SequenceSet reads;
    Hits hits;
    std::uint64_t first_read = 0;  ///< reads in the batches before
    /// Element i belongs to read i; empty without MapOptions::align.
    std::vector<AlignedRead> alignments;
    std::shared_ptr<void> formatted;  ///< what `work` likes to leave for `sink`
  };
  void map(const std::function<bool(SequenceSet&)>& source, const std::function<void(Batch&)>& work,
           const std::function<void(Batch&)>& sink) const;

  /// The same for a source that only tells reads apart: `make` fills an empty batch with at most `count` of them, and
  /// is called on one of several threads. No value ends the stream. Batch::first_read adds up the counts.
  struct ReadsToMake {
    std::uint64_t count = 0;
    std::function<void(SequenceSet&)> make = {};
  };
  void map(const std::function<std::optional<ReadsToMake>()>& source, const std::function<void(Batch&)>& work,
           const std::function<void(Batch&)>& sink) const;

  /// The plan for reads of a length, with the bound that is proved.
  const Plan& plan(unsigned read_length) const;

 private:
  friend class PairMapper;
  /// Reads of a stream are pairs from now on.
  void align_pairs(const PairGeometry& geometry, bool rescue);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::marose
