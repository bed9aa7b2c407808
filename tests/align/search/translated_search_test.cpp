// Translated searches against scalar scores of every pair of frames.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "align/search/search_cases.hpp"
#include "genocl/error.hpp"

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::uint32_t>::max();

/// DNA that codes for `protein` at some position on some strand.
std::vector<Code> coding_dna(Random& random, std::span<const Code> protein) {
  std::vector<Code> dna = random_codes(random, random() % 20, 4);
  const GeneticCode code(1);
  for (const Code amino_acid : protein)
    while (true) {
      const std::vector<Code> codon = random_codes(random, 3, 4);
      if (code(codon[0], codon[1], codon[2]) != amino_acid) continue;
      dna.insert(dna.end(), codon.begin(), codon.end());
      break;
    }
  const std::vector<Code> end = random_codes(random, random() % 20, 4);
  dna.insert(dna.end(), end.begin(), end.end());
  return random() % 2 == 0 ? dna : reverse_complement_of(dna);
}

/// Related proteins, the DNA that codes for them, and short and unrelated sequences.
struct TranslatedCase {
  TranslatedCase(Random& random, std::size_t count) : proteins(Alphabet::protein), dna(Alphabet::dna) {
    const std::vector<Code> common = random_codes(random, 40, 20);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Code> protein = common;
      for (Code& code : protein)
        if (random() % 100 < 5 * i) code = static_cast<Code>(random() % 20);
      const std::size_t first = random() % 15;
      const std::vector<Code> some(protein.begin() + static_cast<std::ptrdiff_t>(first), protein.end());
      proteins.append("p" + std::to_string(i), some);
      dna.append("d" + std::to_string(i), coding_dna(random, some));
    }
    for (const std::size_t length : {1u, 2u, 3u, 4u, 5u, 50u})
      dna.append("n" + std::to_string(length), random_codes(random, length, 4));
    dna.append_letters("ambiguous", "ATGAARTGGMTTATYCTNRAYSARMTGTRATAYWTACTNGGNAARMGN");
  }
  SequenceSet proteins, dna;
};

struct ExpectedHit {
  std::uint64_t subject = 0;
  int query_frame = 0, subject_frame = 0;
  std::int32_t score = 0;
  double evalue = 0;
};

std::string to_text(const ExpectedHit& hit) {
  return std::to_string(hit.subject) + " " + std::to_string(hit.query_frame) + "/" + std::to_string(hit.subject_frame) +
         " " + std::to_string(hit.score);
}

/// The best alignment of each pair of frames, in the order of E-values.
std::vector<ExpectedHit> expected_pairs(std::span<const Code> query, const SequenceSet& subjects,
                                        const SearchOptions& options) {
  const Translation& translation = options.translation;
  const std::vector<Frame> untranslated = {0};
  const auto frames = [&](bool translated, Strands strands) {
    const auto all = frames_of(strands);
    return translated ? std::vector<Frame>(all.begin(), all.end()) : untranslated;
  };
  const auto letters = [](std::span<const Code> sequence, Frame frame, int code) {
    return frame == 0 ? std::vector<Code>(sequence.begin(), sequence.end())
                      : translate(sequence, frame, GeneticCode(code));
  };
  const auto statistics = KarlinAltschul::find(options.matrix, options.gap);
  std::vector<std::tuple<double, std::int64_t, std::size_t, std::size_t, std::size_t, ExpectedHit>> all;
  const std::vector<Frame> of_query = frames(translation.queries, options.strands),
                           of_subject = frames(translation.database, Strands::both);
  const DatabaseSize size{subjects.residues() / (translation.database ? 3 : 1), subjects.size()};
  for (std::size_t i = 0; i < of_query.size(); ++i) {
    const std::vector<Code> a = letters(query, of_query[i], translation.query_code);
    if (a.empty()) continue;
    const Significance significance(*statistics, a.size(), size, options.edge_correction);
    for (std::size_t s = 0; s < subjects.size(); ++s)
      for (std::size_t j = 0; j < of_subject.size(); ++j) {
        const std::vector<Code> b = letters(subjects[s], of_subject[j], translation.database_code);
        if (b.empty()) continue;
        ExpectedHit hit{s, of_query[i], of_subject[j], 0, 0};
        hit.score = static_cast<std::int32_t>(genocl_reference::local_score(a, b, options.matrix, options.gap));
        if (hit.score < 1) continue;
        hit.evalue = significance.evalue(hit.score, b.size());
        if (hit.evalue > options.max_evalue) continue;
        all.emplace_back(hit.evalue, -std::int64_t{hit.score}, s, j, i, hit);
      }
  }
  std::ranges::sort(all, [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a), std::get<3>(a), std::get<4>(a)) <
           std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b), std::get<3>(b), std::get<4>(b));
  });
  std::vector<ExpectedHit> hits;
  for (const auto& one : all) hits.push_back(std::get<5>(one));
  return hits;
}

SearchOptions options_of(bool queries, bool database) {
  SearchOptions options;
  options.translation = {.queries = queries, .database = database, .query_code = 1, .database_code = 4};
  options.max_evalue = 1000;
  options.top = no_limit;
  return options;
}

}  // namespace

TEST_CASE("align translated search: the scores and E-values of every pair of frames") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const TranslatedCase sets(random, 8);
  for (const auto& of_dna : {std::pair(true, false), std::pair(false, true), std::pair(true, true)})
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse})
      for (const Variant& variant : drawn_variants()) {
        const bool queries = of_dna.first, database = of_dna.second;
        if (!queries && strands != Strands::both) continue;
        CAPTURE(queries);
        CAPTURE(database);
        CAPTURE(variant.name);
        const SequenceSet& of_queries = queries ? sets.dna : sets.proteins;
        const SequenceSet& subjects = database ? sets.dna : sets.proteins;
        SearchOptions options = options_of(queries, database);
        options.strands = strands;
        const Database whole = Database::build(subjects);
        const SearchResult found = Searcher(variant.device, whole, options).search(of_queries);
        options.top = 7;
        options.chunk_residues = 400;
        const SearchResult best = Searcher(variant.device, whole, options).search(of_queries);
        for (std::size_t q = 0; q < of_queries.size(); ++q) {
          CAPTURE(q);
          const std::vector<ExpectedHit> expected = expected_pairs(of_queries[q], subjects, options);
          REQUIRE(found.hits[q].size() == expected.size());
          REQUIRE(best.hits[q].size() == std::min<std::size_t>(7, expected.size()));
          for (std::size_t i = 0; i < expected.size(); ++i) {
            const Hit& hit = found.hits[q][i];
            const ExpectedHit as{hit.subject, hit.query_frame, hit.subject_frame, hit.score, hit.evalue};
            CHECK(to_text(as) == to_text(expected[i]));
            CHECK(hit.evalue == doctest::Approx(expected[i].evalue));
            if (i < best.hits[q].size()) {
              CHECK(best.hits[q][i].subject == hit.subject);
              CHECK(best.hits[q][i].query_frame == hit.query_frame);
              CHECK(best.hits[q][i].subject_frame == hit.subject_frame);
            }
          }
        }
      }
}

TEST_CASE("align translated search: alignments by subject, at once and in shards") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const TranslatedCase sets(random, 7);
  for (const auto& of_dna : {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
    const bool queries = of_dna.first, database = of_dna.second;
    CAPTURE(queries);
    CAPTURE(database);
    const SequenceSet& of_queries = queries ? sets.dna : sets.proteins;
    const SequenceSet& subjects = database ? sets.dna : sets.proteins;
    const Database whole = Database::build(subjects);
    SearchOptions options = options_of(queries, database);
    options.align = options.by_subject = true;
    options.max_evalue = 1;
    options.max_hsps = no_limit;
    const Searcher searcher(test_device(), whole, options);
    const SearchResult all = searcher.search(of_queries);
    options.top = 3;
    const SearchResult best = Searcher(test_device(), whole, options).search(of_queries);
    // Hits of shards, merged, then aligned with the whole database.
    options.align = false;
    std::vector<SearchResult> parts;
    for (std::size_t i = 0; i < 3; ++i)
      parts.push_back(Searcher(test_device(), whole.shard(i, 3), options).search(of_queries));
    options.align = true;
    std::vector<std::vector<Hit>> merged;
    for (std::size_t q = 0; q < of_queries.size(); ++q) {
      std::vector<std::vector<Hit>> of_query;
      for (const SearchResult& part : parts) of_query.push_back(unpack_hits(pack_hits(part.hits))[q]);
      merged.push_back(merge_hits(of_query, options.top_before_alignment(whole.alphabet())));
    }
    Searcher(test_device(), whole, options).align(of_queries, merged);
    for (std::size_t q = 0; q < of_queries.size(); ++q) {
      CAPTURE(q);
      std::vector<std::uint64_t> order;
      std::vector<std::size_t> chosen;  // of `all`
      for (std::size_t i = 0; i < all.hits[q].size(); ++i) {
        const Hit& hit = all.hits[q][i];
        const std::vector<Code> a = queries ? translate(of_queries[q], hit.query_frame)
                                            : std::vector<Code>(of_queries[q].begin(), of_queries[q].end());
        const std::vector<Code> b = database
                                        ? translate(subjects[hit.subject], hit.subject_frame, GeneticCode(4))
                                        : std::vector<Code>(subjects[hit.subject].begin(), subjects[hit.subject].end());
        const Alignment& found = *hit.alignment;
        REQUIRE(found.query_end <= a.size());
        REQUIRE(found.subject_end <= b.size());
        // The score and the identities of the path.
        std::int64_t score = 0;
        std::uint64_t identities = 0;
        std::size_t x = found.query_begin, y = found.subject_begin;
        for (const EditRun& run : found.runs) {
          if (run.operation == 'I' || run.operation == 'D') {
            score -= options.gap.open + std::int64_t{run.length} * options.gap.extend;
            (run.operation == 'I' ? x : y) += run.length;
            continue;
          }
          for (std::uint32_t k = 0; k < run.length; ++k, ++x, ++y) {
            score += options.matrix(a[x], b[y]);
            identities += a[x] == b[y] ? 1 : 0;
            CHECK((a[x] == b[y]) == (run.operation == '='));
          }
        }
        CHECK(score == hit.score);
        CHECK(identities == found.identities);
        CHECK(x == found.query_end);
        CHECK(y == found.subject_end);
        const HspCoordinates at = hsp_coordinates(hit, of_queries.length(q), subjects.length(hit.subject));
        CHECK(at.query_end - at.query_start + 1 == (queries ? 3 : 1) * (found.query_end - found.query_begin));
        CHECK(at.subject_end - at.subject_start + 1 == (database ? 3 : 1) * (found.subject_end - found.subject_begin));
        const AlignedRows rows = aligned_rows(hit, of_queries[q], whole, options.matrix, options.translation);
        std::string letters = rows.query;
        std::erase(letters, '-');
        CHECK(letters ==
              decode(Alphabet::protein, std::span(a).subspan(found.query_begin, found.query_end - found.query_begin)));
        if (std::ranges::find(order, hit.subject) == order.end()) order.push_back(hit.subject);
        CHECK(order.back() == hit.subject);  // subjects are adjacent
        if (order.size() <= 3) chosen.push_back(i);
      }
      for (const std::vector<Hit>* const some :
           std::initializer_list<const std::vector<Hit>*>{&best.hits[q], &merged[q]}) {
        REQUIRE(some->size() == chosen.size());
        for (std::size_t i = 0; i < chosen.size(); ++i) {
          const Hit &a = (*some)[i], &b = all.hits[q][chosen[i]];
          CHECK(std::tie(a.subject, a.query_frame, a.subject_frame, a.score, a.hsp) ==
                std::tie(b.subject, b.query_frame, b.subject_frame, b.score, b.hsp));
          CHECK(a.alignment->cigar() == b.alignment->cigar());
          CHECK(a.alignment->query_begin == b.alignment->query_begin);
        }
      }
    }
  }
}

TEST_CASE("tiny: align translated search: options that do not combine are errors") {
  SequenceSet dna(Alphabet::dna), proteins(Alphabet::protein);
  dna.append_letters("d", "ATGAAATGGGTT");
  proteins.append_letters("p", "MKWV");
  const Database of_dna = Database::build(dna), of_proteins = Database::build(proteins);
  const auto refused = [&](const Database& database, const SearchOptions& options, const char* text) {
    CHECK_THROWS_WITH_AS(Searcher(test_device(), database, options), doctest::Contains(text), InputError);
  };
  refused(of_dna, options_of(true, false), "expected protein");
  refused(of_proteins, options_of(false, true), "expected DNA");
  SearchOptions options = options_of(true, false);
  options.translation.query_code = 7;
  refused(of_proteins, options, "genetic code: 7");
  options = options_of(true, false);
  options.kernel = Kernel::inter;
  refused(of_proteins, options, "published kernel");
  options = options_of(true, true);
  options.composition = CompositionStatistics::conditional;
  refused(of_dna, options, "statistics of composition");
  const Searcher searcher(test_device(), of_proteins, options_of(true, false));
  CHECK_THROWS_WITH_AS((void)searcher.search(proteins), doctest::Contains("expected DNA"), InputError);
  dna.mask(0, std::vector<Interval>{{0, 3}});
  CHECK_THROWS_WITH_AS((void)searcher.search(dna), doctest::Contains("masked letters"), InputError);
}
