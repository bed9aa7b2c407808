// Suffix arrays of real genomes in pieces, also of both strands.
#include <algorithm>
#include <array>
#include <string>

#include "overlap/pieces/piece_cases.hpp"
#include "overlap_data/real_texts.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

/// The first `records`, in `pieces`, with 64-bit positions far from 0. `period`: the expected one.
void check_file(const std::string& name, std::size_t records, std::uint64_t pieces, std::uint32_t period) {
  CAPTURE(name);
  const SequenceSet all = dna_of(name);
  if (all.size() == 0) return;
  const SequenceSet set = all.slice(0, std::min(records, all.size()));
  const std::array<const SequenceSet*, 1> sets = {&set};
  for (const bool separated : {false, true}) {
    CAPTURE(separated);
    const Expected expected = expected_of(set, separated);
    const overlap::Text text = separated ? overlap::Text::separated(overlap::on_host, sets)
                                         : overlap::Text::concatenated(overlap::on_host, set);
    const std::uint64_t most = text.size() / pieces + 1;
    for (const Variant& variant : variants()) {
      CAPTURE(variant.name);
      const SortedPieces sorted =
          sorted_in_pieces(std::span(&variant.device, 1), text, {.wide = true, .base = far}, {.piece_suffixes = most});
      check_pieces(sorted, expected.bytes, expected.separated, most);
      CHECK(sorted.report.period == period);
    }
  }
}

}  // namespace

TEST_CASE("pieces of human letters") { check_file("human_chr20_1Mb_z.fa.gz", 1, 30, 1'024); }
TEST_CASE("pieces of haplotypes") { check_file("human_LPA_14haps.fa.gz", 3, 8, 256); }
TEST_CASE("pieces of both strands of human letters") {
  const SequenceSet set = dna_of("human_chr1_5k-55k.fa.gz");
  if (set.size() == 0) return;
  SequenceSet both;
  const SequenceSet turned = set.reverse_complement();
  for (std::size_t record = 0; record < set.size(); ++record) {
    both.append("", set[record]);
    both.append("", turned[record]);
  }
  const Expected expected = expected_of(both, true);
  const std::array<const SequenceSet*, 1> sets = {&set};
  const overlap::Text text = overlap::Text::separated(overlap::on_host, sets, {.both_strands = true});
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const std::uint64_t most = text.size() / 20 + 1;
    check_pieces(sorted_in_pieces(std::span(&variant.device, 1), text, {.wide = true, .base = far},
                                  {.piece_suffixes = most, .period = 64}),
                 expected.bytes, expected.separated, most);
  }
}
