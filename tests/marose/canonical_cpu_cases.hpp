// What the tests of map_canonical_cpu() share: plans made by hand, the mapping, the comparison with every place of a
// small reference.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "genocl/device.hpp"
#include "marose/device_state.hpp"
#include "marose/segments.hpp"
#include "marose/texts.hpp"
#include "reference/marose/marose_cpu.hpp"

namespace marose_test::lanes {

using namespace genocl::marose;
using genocl::Code;
using genocl::SequenceSet;
using reference::Diagonal;
using reference::Unknown;

constexpr genocl::KernelFamily families[] = {genocl::KernelFamily::cpu, genocl::KernelFamily::gpu};

inline Plan plan_without_places(const SeedMask& mask, unsigned length, unsigned errors, Model model) {
  Plan plan;
  plan.length = length;
  plan.errors = errors;
  plan.model = model;
  plan.mask = mask;
  return plan;
}

/// One seed more than there are errors, side by side; each checked over the whole read.
inline Plan whole_plan(const SeedMask& mask, unsigned length, unsigned errors, Model model) {
  Plan plan = plan_without_places(mask, length, errors, model);
  for (unsigned i = 0; i <= errors; ++i) plan.places.push_back({i * mask.span(), 0, length, errors});
  return plan;
}

/// Pairs of neighbouring seeds: errors / 2 + 1 pairs, one of them with at most one error.
inline Plan pair_plan(const SeedMask& mask, unsigned length, unsigned errors, Model model) {
  Plan plan = plan_without_places(mask, length, errors, model);
  const unsigned pairs = errors / 2 + 1, piece = length / (2 * pairs);
  for (unsigned pair = 0; pair < pairs; ++pair) {
    const unsigned begin = 2 * pair * piece, end = pair + 1 == pairs ? length : begin + 2 * piece;
    plan.places.push_back({begin + piece - mask.span(), begin, end, std::min(errors, 1u)});
    plan.places.push_back({begin + piece, begin, end, std::min(errors, 1u)});
  }
  return plan;
}

/// The most errors for which a plan of that kind fits reads of that length, at most `most`.
inline unsigned errors_that_fit(const SeedMask& mask, unsigned length, unsigned most) {
  return std::min(most, length / mask.span() - 1);
}

struct Batch {
  std::vector<Plan> plans;
  SequenceSet reads;
  std::vector<std::uint32_t> plan_of;

  void add(const Plan& plan, const SequenceSet& more) {
    for (std::size_t i = 0; i < more.size(); ++i) {
      reads.append("read", more[i]);
      plan_of.push_back(static_cast<std::uint32_t>(plans.size()));
    }
    plans.push_back(plan);
  }
};

/// The diagonals of each read, with their errors (0 with Levenshtein errors).
using Found = std::vector<std::map<Diagonal, std::uint32_t>>;

inline Found map_cpu(const genocl::Device& device, const SequenceSet& contigs, const Batch& batch, unsigned strands) {
  const DeviceSegment segment = canonical_segment(device, contigs, batch.plans.front().mask);
  const PlanTable plans = make_plan_table(device, batch.plans);
  const ReadBatch reads = pack_all(device, batch.reads, batch.plan_of);
  const HitLists hits =
      download(map_canonical_cpu(device, segment, reads, plans, strands), plans.model == Model::hamming);
  Found found(batch.reads.size());
  for (std::size_t i = 0; i < hits.keys.size(); ++i) {
    const std::uint64_t key = hits.keys[i];
    if (i > 0) REQUIRE(hits.keys[i - 1] < key);
    REQUIRE(hits.read(key) < found.size());
    found[hits.read(key)].emplace(Diagonal(hits.strand(key), hits.diagonal(key)), hits.values[i]);
  }
  return found;
}

/// Every window of every contig within the bound.
inline std::map<Diagonal, std::uint32_t> hamming_windows(const reference::Segment& segment, std::span<const Code> read,
                                                         unsigned bound, unsigned strands) {
  std::map<Diagonal, std::uint32_t> found;
  const auto length = static_cast<std::int64_t>(read.size());
  for (unsigned strand = 0; strand < 2; ++strand) {
    if ((strands >> strand & 1) == 0) continue;
    std::vector<Code> pattern(read.begin(), read.end());
    if (strand == 1) genocl::dna::reverse_complement(read, pattern);
    for (std::int64_t begin = 0; begin + length <= segment.size(); ++begin) {
      std::uint32_t errors = 0;
      for (std::int64_t i = 0; i < length && errors <= bound; ++i)
        errors += !reference::fits(pattern[static_cast<std::size_t>(i)], segment.at(begin + i), Unknown::fits_nothing);
      if (errors <= bound && segment.in_one_contig(begin, begin + length))
        found.emplace(Diagonal(strand, begin), errors);
    }
  }
  return found;
}

inline void check_hamming(const SequenceSet& contigs, const Batch& batch, unsigned strands, const Found& found) {
  const reference::Segment segment(contigs);
  for (std::size_t read = 0; read < found.size(); ++read) {
    CAPTURE(read);
    CAPTURE(batch.reads.letters(read));
    CHECK(found[read] == hamming_windows(segment, batch.reads[read], batch.plans[batch.plan_of[read]].errors, strands));
  }
}

/// Returns how many diagonals there were to find.
inline std::size_t check_levenshtein(const SequenceSet& contigs, const Batch& batch, unsigned strands,
                                     const Found& found) {
  const reference::Segment segment(contigs);
  const std::int64_t side = context_layout(batch.plans.front().mask).side;
  const bool plain = std::all_of(segment.text.begin(), segment.text.end(), [](Code code) { return code < 4; });
  std::size_t expected = 0;
  for (std::size_t read = 0; read < found.size(); ++read) {
    const Plan& plan = batch.plans[batch.plan_of[read]];
    CAPTURE(read);
    CAPTURE(batch.reads.letters(read));
    const auto least = passing_diagonals(segment, batch.reads[read], plan, strands, side, Unknown::fits_nothing);
    const auto most = passing_diagonals(segment, batch.reads[read], plan, strands, side, Unknown::fits_all);
    expected += least.size();
    for (const Diagonal& where : least) {
      CAPTURE(std::get<0>(where));
      CAPTURE(std::get<1>(where));
      CHECK(found[read].count(where) == 1);
    }
    for (const auto& one : found[read]) {
      const Diagonal& where = one.first;
      const std::int64_t diagonal = std::get<1>(where);
      CAPTURE(std::get<0>(where));
      CAPTURE(diagonal);
      CHECK(most.count(where) == 1);
      // Far from the ends, without N, both agree.
      const std::span<const Code> codes = batch.reads[read];
      const std::int64_t far = plan.errors + side + 1;
      if (plain && std::all_of(codes.begin(), codes.end(), [](Code code) { return code < 4; }) && diagonal >= far &&
          diagonal + plan.length + far <= segment.size())
        CHECK(least.count(where) == 1);
    }
  }
  return expected;
}

inline SequenceSet one_contig(const std::vector<Code>& codes) {
  SequenceSet set;
  set.append("contig", codes);
  return set;
}

inline void check(const genocl::Device& device, const SequenceSet& contigs, const Batch& batch, unsigned strands) {
  const Found found = map_cpu(device, contigs, batch, strands);
  if (batch.plans.front().model == Model::hamming)
    check_hamming(contigs, batch, strands, found);
  else
    check_levenshtein(contigs, batch, strands, found);
}

}  // namespace marose_test::lanes
