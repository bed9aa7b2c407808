// What the tests of searches share: the hits that the options describe, from the scalar oracles.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "align/cases.hpp"
#include "align/search/hits.hpp"
#include "genocl/align.hpp"
#include "reference/align.hpp"

namespace align_test {

using namespace genocl;
using namespace genocl::align;

inline std::string to_text(const std::vector<Hit>& hits) {
  std::string text;
  for (const Hit& hit : hits) {
    text += std::to_string(hit.subject) + (hit.minus ? "- " : "+ ") + std::to_string(hit.score);
    if (hit.alignment)
      text += " " + std::to_string(hit.alignment->query_begin) + ":" + std::to_string(hit.alignment->subject_begin) +
              " " + hit.alignment->cigar();
    text += "; ";
  }
  return text;
}

inline std::vector<Code> reverse_complement_of(std::span<const Code> codes) {
  std::vector<Code> reversed(codes.size());
  dna::reverse_complement(codes, reversed);
  return reversed;
}

/// The hits as the options describe them, from the scalar oracles.
inline std::vector<std::vector<Hit>> expected_hits(const SequenceSet& queries, const SequenceSet& subjects,
                                                   const SearchOptions& options) {
  const auto statistics = KarlinAltschul::find(options.matrix, options.gap);
  std::vector<std::vector<Hit>> all;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::vector<FoundHit> found;
    const bool dna = queries.alphabet() == Alphabet::dna;
    const std::vector<Code> plus(queries[q].begin(), queries[q].end());
    const std::vector<Code> minus = dna ? reverse_complement_of(plus) : plus;
    for (const bool is_minus : {false, true}) {
      if (is_minus ? !dna || options.strands == Strands::forward : dna && options.strands == Strands::reverse) continue;
      for (std::size_t s = 0; s < subjects.size(); ++s) {
        const auto score =
            genocl_reference::local_score(is_minus ? minus : plus, subjects[s], options.matrix, options.gap);
        if (score < std::max(1, options.min_score)) continue;
        FoundHit hit{.subject = s, .score = static_cast<std::int32_t>(score), .minus = is_minus, .evalue = 0};
        if (statistics) {
          const Significance significance(*statistics, plus.size(), {subjects.residues(), subjects.size()},
                                          options.edge_correction);
          hit.evalue = significance.evalue(static_cast<double>(score), subjects.length(s));
          if (hit.evalue > options.max_evalue) continue;
          if (hit.evalue < 1e-180) hit.evalue = 0;  // as BLAST has it
        }
        found.push_back(hit);
      }
    }
    std::sort(found.begin(), found.end(), [](const FoundHit& a, const FoundHit& b) {
      if (a.evalue != b.evalue) return a.evalue < b.evalue;
      if (a.score != b.score) return a.score > b.score;
      if (a.subject != b.subject) return a.subject < b.subject;
      return a.minus < b.minus;
    });
    if (found.size() > options.top) found.resize(options.top);
    std::vector<Hit> hits;
    for (const FoundHit& one : found) {
      Hit& hit = hits.emplace_back();
      hit.subject = one.subject;
      hit.score = one.score;
      hit.minus = one.minus;
      if (options.align)
        hit.alignment = genocl_reference::local_alignment(one.minus ? minus : plus, subjects[one.subject],
                                                          options.matrix, options.gap);
    }
    all.push_back(std::move(hits));
  }
  return all;
}

inline void check(const std::vector<std::vector<Hit>>& found, const std::vector<std::vector<Hit>>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t q = 0; q < found.size(); ++q) {
    CAPTURE(q);
    CHECK(to_text(found[q]) == to_text(expected[q]));
  }
}

inline SequenceSet random_queries(Random& random, Alphabet alphabet, unsigned letters) {
  SequenceSet queries(alphabet);
  for (const std::size_t length : {1u, 40u, 111u, 33u})
    queries.append("q" + std::to_string(length), random_codes(random, length, letters));
  return queries;
}

}  // namespace align_test
