// What the steps of the mapper hand to one another, in the memory of a device. The work has one order: a segment of the
// reference and its tables, a batch of packed reads and their plans, candidates, verified candidates, hits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/marose/plan.hpp"
#include "genocl/sequence.hpp"

namespace genocl::marose {

/// A piece of the reference: all contigs one after the other are one text, of which a segment is
/// [begin, begin + length). Neighbouring segments overlap. A hit belongs to the segment that owns the last base of it.
struct Segment {
  std::uint64_t begin = 0, length = 0;
  std::uint64_t own_begin = 0, own_end = 0;  ///< in the same coordinates as begin

  friend bool operator==(const Segment&, const Segment&) = default;
};

/// Bases that a segment has on either side of what it owns (less at the ends of the text): more than the longest read
/// with all its insertions and deletions.
constexpr std::uint64_t segment_margin = 4096;
/// Positions in a segment, and diagonals with their bias, fit 32 bits.
constexpr std::uint64_t longest_segment = 0xffff0000u;

/// Added to diagonals and positions in keys, so that one a little before the text is no negative number.
constexpr std::uint32_t diagonal_bias = 4096;

constexpr unsigned longest_read = 1000, shortest_read = 20;

/// A packed reference, wherever it lies: words(), runs() and offsets() of a PackedDna.
struct ReferenceView {
  std::span<const std::uint64_t> words;
  std::span<const AmbiguousRun> runs;
  std::span<const std::uint64_t> offsets;

  ReferenceView() = default;
  ReferenceView(std::span<const std::uint64_t> w, std::span<const AmbiguousRun> r, std::span<const std::uint64_t> o)
      : words(w), runs(r), offsets(o) {}
  ReferenceView(const PackedDna& dna) : words(dna.words()), runs(dna.runs()), offsets(dna.offsets()) {}

  std::uint64_t size() const { return offsets.back(); }
  /// Gives 32 bases from i on, i <= size().
  std::uint64_t window(std::uint64_t i) const {
    const std::uint64_t shift = 2 * (i % 32);
    return shift == 0 ? words[i / 32] : words[i / 32] << shift | words[i / 32 + 1] >> (64 - shift);
  }
  /// Asks for the words of `count` bases, at most 256, which random places have to wait for.
  void prefetch([[maybe_unused]] std::uint64_t i, [[maybe_unused]] std::uint64_t count) const {
#ifdef __GNUC__
    __builtin_prefetch(words.data() + i / 32);
    __builtin_prefetch(words.data() + (i + count) / 32);
#endif
  }
  /// The first run that ends behind `position`. O(log runs).
  std::span<const AmbiguousRun>::iterator run_after(std::uint64_t position) const {
    return std::partition_point(runs.begin(), runs.end(),
                                [&](const AmbiguousRun& run) { return run.position + run.length <= position; });
  }
  /// Whether any of `count` positions is no A, C, G or T. O(log runs).
  bool is_ambiguous(std::uint64_t begin, std::uint64_t count) const {
    const auto run = run_after(begin);
    return run != runs.end() && run->position < begin + count;
  }
};

/// The text of a segment. cl/marose/reference.clh reads it.
struct DeviceReference {
  /// How many bases one bit of `special` stands for.
  static constexpr std::uint32_t block_bases = 256;

  std::uint32_t length = 0;
  /// 2 bits a base, the first of 32 highest; base i is in word 1 + i / 32; one word of zeros before, three behind. N
  /// and its like hold 0.
  Array<std::uint64_t> words;
  /// Bit b: the 256 bases of block b hold an N, or the first or the last base of a contig that has a neighbour there.
  Array<std::uint32_t> special;
  /// Runs of what is not A, C, G, T: [unknown_begin[r], unknown_end[r]), by position. One dummy run when there is none.
  std::uint32_t unknown_count = 0;
  Array<std::uint32_t> unknown_begin, unknown_end;
  /// Contig c of the segment is [contig_begin[c], contig_begin[c + 1]), cut to the segment; contig_count + 1 of them.
  std::uint32_t contig_count = 0;
  Array<std::uint32_t> contig_begin;
};

DeviceReference upload_reference(const Device& device, const ReferenceView& reference, const Segment& segment);

/// The tables of an index of one segment, by name. Tables of 16-bit or 64-bit entries are held as 32-bit words.
using Tables = std::map<std::string, Array<std::uint32_t>, std::less<>>;

/// Reads of at most 32 * words bases. cl/marose/reads.clh reads it.
struct ReadBatch {
  std::uint32_t count = 0;
  std::uint32_t words = 0;   ///< 1, 2, 4, 8, 16 or 32
  bool has_unknown = false;  ///< any read with an N
  /// [read][strand][words]: 2 bits a base, the first of 32 highest, zeros behind the end; strand 1 is the reverse
  /// complement. N holds 0.
  Array<std::uint64_t> bases;
  /// The same shape, 01 where the base is N; one word when no read has any.
  Array<std::uint64_t> unknown;
  /// [read]: its plan in the PlanTable.
  Array<std::uint32_t> plan;
  bool one_plan = false;  ///< they all have plan 0
};

/// Packs the reads `which` of a set (all of at most 1,000 bases); plans[i] is the plan of which[i]. `min_words`: of a
/// strand, a power of two.
ReadBatch pack_reads(const Device& device, const SequenceSet& reads, std::span<const std::uint32_t> which,
                     std::span<const std::uint32_t> plans, std::uint32_t min_words = 1);

/// Plans as kernels want them. cl/marose/plans.clh reads it.
struct PlanTable {
  std::vector<Plan> plans;
  std::uint32_t most_places = 0;  ///< of any plan
  std::uint32_t most_errors = 0;
  std::uint32_t min_parts = 0;   ///< windows of a read that programs are made for at least
  Model model = Model::hamming;  ///< of all of them
  /// [plan]: {first place, places, length, errors}
  Array<std::uint32_t> heads;
  /// [place]: eight numbers, see plans.clh.
  Array<std::uint32_t> places;
};

/// (read << 33) | (strand << 32) | (diagonal + diagonal_bias): where the read's first base (of its reverse complement
/// for strand 1) lies on the forward strand of the segment when there is no insertion or deletion before the seed.
/// They have no order, and some are there more than once.
struct Candidates {
  Array<std::uint64_t> keys;
  std::uint64_t count = 0;
};

/// Candidates that are within the bound: sorted, each once. Hamming: exact, values are the errors. Levenshtein: every
/// diagonal of which some alignment within the bound stays within `errors` diagonals, and that has a candidate; values
/// are the least errors of such an alignment where verify() gives them, and resolve() does not look at them.
struct Verified {
  Array<std::uint64_t> keys;
  Array<std::uint32_t> values;
  std::uint64_t count = 0;
};

/// They are keys as above with the hit's first position in the place of the diagonal, sorted; values: errors | length
/// << 16.
using DeviceHits = Verified;

// Puts plans into the memory of a device.

/// All plans are of one model and one mask. Throws InputError when they are not.
PlanTable make_plan_table(const Device& device, std::span<const Plan> plans);

}  // namespace genocl::marose
