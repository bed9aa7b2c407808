// Data of the mapping steps in device memory, in order: a segment of the reference and its tables, a batch of packed
// reads and their plans, candidates, verified candidates, hits.
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

/// Part of the reference. All contigs are concatenated; a segment is [begin, begin + length) of this text.
/// Neighbouring segments overlap. A hit belongs to the segment that owns its last base.
struct Segment {
  std::uint64_t begin = 0, length = 0;
  Interval own;  ///< in the same coordinates as begin

  friend bool operator==(const Segment&, const Segment&) = default;
};

/// Bases of a segment beyond its own range, on either side; fewer at the ends of the text. Larger than the longest
/// read with all its insertions and deletions.
constexpr std::uint64_t segment_margin = 4096;
/// Positions in a segment, and diagonals plus diagonal_bias, fit in 32 bits.
constexpr std::uint64_t longest_segment = 0xffff0000u;

/// Added to diagonals and positions in keys, so that those slightly before the text are not negative.
constexpr std::uint32_t diagonal_bias = 4096;

constexpr unsigned longest_read = 1000, shortest_read = 20;

/// View of a packed reference: words(), runs() and offsets() of a PackedDna.
struct ReferenceView {
  std::span<const std::uint64_t> words;
  std::span<const AmbiguousRun> runs;
  std::span<const std::uint64_t> offsets;

  ReferenceView() = default;
  ReferenceView(std::span<const std::uint64_t> w, std::span<const AmbiguousRun> r, std::span<const std::uint64_t> o)
      : words(w), runs(r), offsets(o) {}
  ReferenceView(const PackedDna& dna) : words(dna.words()), runs(dna.runs()), offsets(dna.offsets()) {}

  std::uint64_t size() const { return offsets.back(); }
  /// The 32 bases from i on, i <= size().
  std::uint64_t window(std::uint64_t i) const {
    const std::uint64_t shift = 2 * (i % 32);
    return shift == 0 ? words[i / 32] : words[i / 32] << shift | words[i / 32 + 1] >> (64 - shift);
  }
  /// Prefetches the words of `count` bases, at most 256.
  void prefetch([[maybe_unused]] std::uint64_t i, [[maybe_unused]] std::uint64_t count) const {
#ifdef __GNUC__
    __builtin_prefetch(words.data() + i / 32);
    __builtin_prefetch(words.data() + (i + count) / 32);
#endif
  }
  /// The first run that ends after `position`. O(log runs).
  std::span<const AmbiguousRun>::iterator run_after(std::uint64_t position) const {
    return std::partition_point(runs.begin(), runs.end(),
                                [&](const AmbiguousRun& run) { return run.position + run.length <= position; });
  }
  /// Whether any of `count` positions is other than A, C, G or T. O(log runs).
  bool is_ambiguous(std::uint64_t begin, std::uint64_t count) const {
    const auto run = run_after(begin);
    return run != runs.end() && run->position < begin + count;
  }
};

/// Copies codes.size() bases from `begin` on, which the text must have. N and other ambiguous letters are N.
void copy_bases(const ReferenceView& text, std::uint64_t begin, std::span<Code> codes);

/// The text of a segment, as cl/marose/reference.clh reads it.
struct DeviceReference {
  /// Number of bases for each bit of `special`.
  static constexpr std::uint32_t block_bases = 256;

  std::uint32_t length = 0;
  /// 2 bits for each base, the first of 32 highest; base i is in word 1 + i / 32. One word of zeros precedes the
  /// text, three follow. N and other ambiguous letters are 0.
  Array<std::uint64_t> words;
  /// Bit b: block b of 256 bases contains an ambiguous letter, or the first or last base of a contig next to another
  /// contig.
  Array<std::uint32_t> special;
  /// Runs of ambiguous letters: [unknown_begin[r], unknown_end[r]), sorted by position. One empty run if there are
  /// none.
  std::uint32_t unknown_count = 0;
  Array<std::uint32_t> unknown_begin, unknown_end;
  /// Contig c of the segment is [contig_begin[c], contig_begin[c + 1]), cut to the segment; contig_count + 1
  /// elements.
  std::uint32_t contig_count = 0;
  Array<std::uint32_t> contig_begin;
};

DeviceReference upload_reference(const Device& device, const ReferenceView& reference, const Segment& segment);

/// Tables of the index of one segment, by name. Tables of 16-bit or 64-bit entries are stored as 32-bit words.
using Tables = std::map<std::string, Array<std::uint32_t>, std::less<>>;

/// Plans as cl/marose/plans.clh reads them.
struct PlanTable {
  std::vector<Plan> plans;
  std::uint32_t max_places = 0;  ///< maximum of all plans
  std::uint32_t max_errors = 0;
  std::uint32_t min_parts = 0;   ///< minimum number of windows of a read that programs are compiled for
  Model model = Model::hamming;  ///< the same for all plans
  /// [plan]: {first place, places, length, errors}
  Array<std::uint32_t> heads;
  /// [place]: eight numbers, see plans.clh.
  Array<std::uint32_t> places;
};

/// (read << 33) | (strand << 32) | (diagonal + diagonal_bias). The diagonal is the position, on the forward strand of
/// the segment, of the first base of the read, or of its reverse complement for strand 1, if no insertion or deletion
/// precedes the seed. A key may occur more than once.
struct Candidates {
  Array<std::uint64_t> keys;
  std::uint64_t count = 0;
  bool sorted = false;
};

/// Candidates within the bound, sorted and unique. Hamming: values are the exact number of errors. Levenshtein: every
/// diagonal with a candidate for which an alignment within the bound stays within `errors` diagonals. Values are then
/// the minimum errors of such an alignment if verify() computed them; resolve() ignores them.
struct Verified {
  Array<std::uint64_t> keys;
  Array<std::uint32_t> values;
  std::uint64_t count = 0;
};

/// Keys as above, with the first position of the hit instead of the diagonal, sorted; values: errors | length << 16.
using DeviceHits = Verified;

// Uploads plans.

/// @throws InputError unless all plans have the same model, mask and method
PlanTable make_plan_table(const Device& device, std::span<const Plan> plans);

}  // namespace genocl::marose
