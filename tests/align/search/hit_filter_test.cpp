// Filters of alignments against a filter of all alignments on the host.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "align/search/search_cases.hpp"
#include "align/search/searcher_state.hpp"

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::uint32_t>::max();

/// Hit with the lengths of its sequences.
struct AlignedCandidate {
  Hit hit;
  std::uint64_t query_length = 0, subject_length = 0;

  double covered(bool of_query) const {
    const Alignment& found = *hit.alignment;
    const std::uint64_t letters =
        of_query ? found.query_end - found.query_begin : found.subject_end - found.subject_begin;
    const double percent =
        100.0 * static_cast<double>(letters) / static_cast<double>(of_query ? query_length : subject_length);
    return percent < 99 ? percent + 0.5 : percent;
  }
  /// Positions on the plus strand of the query.
  std::int64_t begin() const {
    return static_cast<std::int64_t>(hit.minus ? query_length - hit.alignment->query_end : hit.alignment->query_begin);
  }
  std::int64_t end() const {
    return begin() + static_cast<std::int64_t>(hit.alignment->query_end - hit.alignment->query_begin);
  }
};

bool dominates(const AlignedCandidate& a, const AlignedCandidate& b) {
  const std::int64_t overlap = std::min(a.end(), b.end()) - std::max(a.begin(), b.begin());
  const std::int64_t la = a.end() - a.begin(), lb = b.end() - b.begin(), sa = a.hit.score, sb = b.hit.score;
  if (2 * overlap < lb) return false;
  const auto key = [](std::int64_t s, std::int64_t l, std::int64_t other) { return 4 * s * l + 2 * s * other; };
  if (key(sa, la, lb) != key(sb, lb, la)) return key(sa, la, lb) > key(sb, lb, la);
  if (sa != sb) return sa > sb;
  return std::pair(a.hit.subject, a.hit.alignment->subject_begin) <
         std::pair(b.hit.subject, b.hit.alignment->subject_begin);
}

/// Alignments of a query in the order of the search: `all` has no limit of subjects and alignments.
std::vector<Hit> filtered(std::vector<AlignedCandidate> all, const SearchOptions& options) {
  const HitFilter& filter = options.filter;
  std::erase_if(all, [&](const AlignedCandidate& one) {
    const Alignment& found = *one.hit.alignment;
    return 100.0 * static_cast<double>(found.identities) / static_cast<double>(found.columns()) < filter.min_identity ||
           one.covered(true) < filter.query_coverage || one.covered(false) < filter.subject_coverage;
  });
  if (filter.culling_limit > 0) {
    std::vector<AlignedCandidate> kept;
    std::vector<std::uint32_t> dominated;
    for (const AlignedCandidate& one : all) {
      const auto better =
          static_cast<std::uint32_t>(std::ranges::count_if(kept, [&](const auto& a) { return dominates(a, one); }));
      if (better >= filter.culling_limit) continue;
      std::vector<AlignedCandidate> left;
      std::vector<std::uint32_t> counts;
      for (std::size_t i = 0; i < kept.size(); ++i) {
        const std::uint32_t count = dominated[i] + (dominates(one, kept[i]) ? 1 : 0);
        if (count >= filter.culling_limit) continue;
        left.push_back(kept[i]);
        counts.push_back(count);
      }
      left.push_back(one);
      counts.push_back(better);
      kept = left;
      dominated = counts;
    }
    all = kept;
  }
  std::vector<std::vector<Hit>> groups;
  for (const AlignedCandidate& one : all) {
    if (groups.empty() || groups.back().front().subject != one.hit.subject) groups.emplace_back();
    groups.back().push_back(one.hit);
  }
  std::ranges::stable_sort(groups, [](const auto& a, const auto& b) { return better(a.front(), b.front()); });
  std::vector<Hit> hits;
  for (std::size_t g = 0; g < std::min(groups.size(), options.top); ++g)
    hits.insert(hits.end(), groups[g].begin(),
                groups[g].begin() + static_cast<std::ptrdiff_t>(std::min(groups[g].size(), options.max_hsps)));
  return hits;
}

/// Queries with relatives of several identities among the subjects; the last subject repeats a query.
struct FilterCase {
  explicit FilterCase(Alphabet alphabet, Random& random) : queries(alphabet), subjects(alphabet) {
    const unsigned letters = alphabet == Alphabet::dna ? 4 : 20;
    for (const std::size_t length : {90u, 60u, 25u})
      queries.append("q" + std::to_string(length), random_codes(random, length, letters));
    for (std::size_t i = 0; i < 60; ++i) {
      const auto query = queries[i % queries.size()];
      const std::size_t first = random() % (query.size() / 2), count = 10 + random() % (query.size() - first - 9);
      std::vector<Code> part(query.begin() + static_cast<std::ptrdiff_t>(first),
                             query.begin() + static_cast<std::ptrdiff_t>(first + count));
      for (Code& code : part)
        if (random() % 100 < i) code = static_cast<Code>(random() % letters);
      std::vector<Code> subject = random_codes(random, 20 + random() % 40, letters);
      subject.insert(subject.end(), part.begin(), part.end());
      if (alphabet == Alphabet::dna && i % 2 == 1) subject = reverse_complement_of(subject);
      subjects.append("s" + std::to_string(i), subject);
    }
    std::vector<Code> twice(queries[0].begin(), queries[0].end());
    twice.insert(twice.end(), queries[0].begin(), queries[0].end());
    subjects.append("twice", twice);
  }
  SequenceSet queries, subjects;
};

}  // namespace

TEST_CASE("align filter: alignments that pass, before the limits of subjects and alignments") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<HitFilter> all_filters = {{.min_identity = 60},
                                              {.query_coverage = 40},
                                              {.subject_coverage = 50},
                                              {.min_identity = 45.5, .query_coverage = 20, .subject_coverage = 20},
                                              {.min_identity = 100, .query_coverage = 100},
                                              {.culling_limit = 1},
                                              {.culling_limit = 3},
                                              {.min_identity = 40, .culling_limit = 2}};
  for (const Alphabet alphabet : {Alphabet::protein, Alphabet::dna}) {
    const FilterCase sets(alphabet, random);
    const Database database = Database::build(sets.subjects);
    SearchOptions options;
    if (alphabet == Alphabet::dna) {
      options.matrix = Matrix::dna(2, -3);
      options.gap = {5, 2};
    }
    options.align = options.by_subject = true;
    options.max_evalue = 100;
    options.top = options.max_hsps = no_limit;
    std::vector<std::vector<AlignedCandidate>> all;
    const SearchResult without_filter = Searcher(test_device(), database, options).search(sets.queries);
    for (std::size_t q = 0; q < sets.queries.size(); ++q) {
      auto& of_query = all.emplace_back();
      for (const Hit& hit : without_filter.hits[q])
        of_query.push_back({hit, sets.queries.length(q), sets.subjects.length(hit.subject)});
      REQUIRE(of_query.size() > 20);
    }
    for (const HitFilter& filter : random.some_of(all_filters, 2))
      for (const auto& [top, max_hsps] : {std::pair(no_limit, no_limit), std::pair(std::size_t{3}, std::size_t{1})})
        for (const Variant& variant : drawn_variants()) {
          CAPTURE(to_string(alphabet));
          CAPTURE(variant.name);
          CAPTURE(filter.min_identity);
          CAPTURE(filter.culling_limit);
          options.top = top;
          CAPTURE(options.top);  // clang 14 captures no binding
          options.filter = filter;
          options.max_hsps = max_hsps;
          std::vector<std::vector<Hit>> expected;
          for (const auto& of_query : all) expected.push_back(filtered(of_query, options));
          const Searcher searcher(variant.device, database, options);
          const SearchResult found = searcher.search(sets.queries);
          check(found.hits, expected);
          for (const std::vector<Hit>& hits : found.hits)
            for (std::size_t i = 0; i < hits.size(); ++i) {
              const bool is_first = i == 0 || hits[i - 1].subject != hits[i].subject;
              CHECK(hits[i].hsp == (is_first ? 0 : hits[i - 1].hsp + 1));
            }
          // A search and its alignments apart, as for processes that share a search.
          options.align = false;
          SearchResult parts = Searcher(variant.device, database, options).search(sets.queries);
          searcher.align(sets.queries, parts.hits);
          check(parts.hits, expected);
          options.align = true;
        }
  }
}

TEST_CASE("tiny: align filter: limits are inclusive, and coverage is rounded as in BLAST") {
  Hit hit;
  hit.alignment.emplace();
  hit.alignment->runs = {{6, '='}, {4, 'X'}};
  hit.alignment->identities = 6;
  hit.alignment->query_end = hit.alignment->subject_end = 10;
  const auto passing = [&](const HitFilter& filter, std::uint64_t query_length, std::uint64_t subject_length) {
    return passes(filter, hit, query_length, subject_length);
  };
  CHECK(passing({.min_identity = 60}, 10, 10));
  CHECK_FALSE(passing({.min_identity = 60.001}, 10, 10));
  // 10 of 27 letters are 37.04%: BLAST adds a half.
  CHECK(passing({.query_coverage = 37.5}, 27, 10));
  CHECK_FALSE(passing({.query_coverage = 38}, 27, 10));
  CHECK(passing({.query_coverage = 100}, 10, 1000));
  CHECK_FALSE(passing({.query_coverage = 92}, 11, 10));
  CHECK(passing({.subject_coverage = 91}, 10, 11));
  CHECK_FALSE(passing({.subject_coverage = 92}, 10, 11));
  hit.alignment->query_end = hit.alignment->subject_end = 995;
  hit.alignment->runs = {{995, '='}};
  hit.alignment->identities = 995;
  CHECK_FALSE(passing({.query_coverage = 99.6}, 1000, 1000));  // 99.5, from 99 on not rounded
  CHECK(passing({.query_coverage = 99.5}, 1000, 1000));
}

TEST_CASE("tiny: align filter: values out of range are errors") {
  SequenceSet subjects(Alphabet::protein);
  subjects.append_letters("s", "MKWVTFISLL");
  const Database database = Database::build(subjects);
  const auto refused = [&](const HitFilter& filter, const char* text, bool by_subject = true) {
    SearchOptions options;
    options.filter = filter;
    options.by_subject = by_subject;
    CHECK_THROWS_WITH_AS(Searcher(test_device(), database, options), doctest::Contains(text), InputError);
  };
  refused({.min_identity = -1}, "min_identity");
  refused({.min_identity = 100.5}, "min_identity");
  refused({.query_coverage = std::numeric_limits<double>::quiet_NaN()}, "query_coverage");
  refused({.subject_coverage = 101}, "subject_coverage");
  refused({.culling_limit = 1}, "by_subject", false);
}
