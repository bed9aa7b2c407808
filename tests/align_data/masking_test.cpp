// Real data: what SEG and DUST mask is what NCBI's segmasker and dustmasker print.
#include <doctest/doctest.h>

#include "genocl/align/masking.hpp"
#include "real_data.hpp"

using namespace genocl;
using namespace genocl::align;

namespace {

/// Number of intervals, of letters in them, and a checksum of their places.
struct Digest {
  std::uint64_t intervals = 0, letters = 0, places = 0;
  friend bool operator==(const Digest&, const Digest&) = default;
};

template <class Find>
Digest digest_of(const SequenceSet& set, Find&& find) {
  Digest digest;
  for (std::size_t i = 0; i < set.size(); ++i)
    for (const Interval& range : find(set[i])) {
      ++digest.intervals;
      digest.letters += range.end - range.begin;
      digest.places = (digest.places + (i + 1) * (range.begin * 31 + range.end)) & 0xffffffffu;
    }
  return digest;
}

}  // namespace

TEST_CASE("align data: SEG masks what segmasker of NCBI BLAST 2.12.0+ prints, overlapping intervals joined") {
  const SequenceSet set = align_test::proteins("proteins_2m.fasta.gz");
  if (set.empty()) return;
  CHECK(digest_of(set, [](std::span<const Code> one) { return seg(one); }) == Digest{9421, 167012, 3621141755});
  // -window 10 -locut 1.8 -hicut 2.1
  CHECK(digest_of(set, [](std::span<const Code> one) { return seg(one, {.window = 10, .low = 1.8, .high = 2.1}); }) ==
        Digest{4656, 66060, 3308474895});
}

TEST_CASE("align data: DUST masks what dustmasker of NCBI BLAST 2.12.0+ prints") {
  const auto dust_all = [](std::span<const Code> one) { return dust(one); };
  if (const SequenceSet set = align_test::dna("lambda_virus.fa"); !set.empty())
    CHECK(digest_of(set, dust_all) == Digest{17, 172, 14211308});
  if (const SequenceSet set = align_test::dna("ecoli_k12.fa.gz"); !set.empty())
    CHECK(digest_of(set, dust_all) == Digest{1367, 15092, 202095476});
  if (const SequenceSet set = align_test::dna("celegans_1pct.fa.gz"); !set.empty())
    CHECK(digest_of(set, dust_all) == Digest{3819, 132449, 2359281420});
}
