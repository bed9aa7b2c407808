// Subjects that are cut into pieces: no result depends on it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include "align/cases.hpp"
#include "align/pipeline.hpp"
#include "align/search/search_cases.hpp"
#include "genocl/align.hpp"
#include "genocl/error.hpp"
#include "reference/align.hpp"

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

namespace {

const std::vector<Kernel> every_kernel = {Kernel::automatic, Kernel::published, Kernel::inter,
                                          Kernel::intra,     Kernel::cpu,       Kernel::gpu};

/// Queries, and subjects that have them several times over, alike and changed: scores tie wherever a subject is cut.
struct Case {
  explicit Case(std::uint64_t seed, Alphabet alphabet) : queries(alphabet), subjects(alphabet) {
    Random random(seed);
    const unsigned letters = alphabet == Alphabet::dna ? 4 : 20;
    for (const std::size_t length : {1u, 12u, 37u, 20u, 61u})
      queries.append("q" + std::to_string(length), random_codes(random, length, letters));
    for (const std::size_t most : {0u, 30u, 200u, 1000u, 1500u}) {
      std::vector<Code> codes = random_codes(random, most / 8, letters);
      while (codes.size() < most) {
        const std::span<const Code> query = queries[1 + random() % 4];
        std::vector<Code> more(query.begin(), query.end());
        if (random() % 2 != 0) more = mutated(random, more, 3 + static_cast<unsigned>(random() % 9), letters);
        if (alphabet == Alphabet::dna && random() % 3 == 0) more = reverse_complement_of(more);
        codes.insert(codes.end(), more.begin(), more.end());
        const std::vector<Code> gap = random_codes(random, random() % 40, letters);
        codes.insert(codes.end(), gap.begin(), gap.end());
      }
      subjects.append("s" + std::to_string(most), codes);
    }
    // Two halves far from one another, which only a wide gap brings together.
    std::vector<Code> apart(queries[4].begin(), queries[4].begin() + 30);
    const std::vector<Code> middle(alphabet == Alphabet::dna ? 48 : 70, alphabet == Alphabet::dna ? dna::unknown : 0);
    apart.insert(apart.end(), middle.begin(), middle.end());
    apart.insert(apart.end(), queries[4].begin() + 30, queries[4].end());
    subjects.append("apart", repeated(apart, 5));
    options.align = true;
    options.max_evalue = 1e9;
    options.top = 7;
    options.threshold = 60;
    if (alphabet == Alphabet::dna) {
      options.matrix = Matrix::dna();
      options.gap = {.open = 5, .extend = 2};
    } else {
      options.gap = {.open = 9, .extend = 1};
    }
  }

  SequenceSet queries, subjects;
  SearchOptions options;
};

/// NaN if unknown.
bool alike(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// All fields of a hit, except the piece in which it was found.
void check_alike(const std::vector<std::vector<Hit>>& found, const std::vector<std::vector<Hit>>& expected) {
  check(found, expected);
  for (std::size_t q = 0; q < found.size(); ++q)
    CHECK(std::ranges::equal(found[q], expected[q], [](const Hit& a, const Hit& b) {
      return alike(a.bits, b.bits) && alike(a.evalue, b.evalue) && a.alignment == b.alignment && a.hsp == b.hsp;
    }));
}

}  // namespace

TEST_CASE("align long subjects: hits and alignments are those of whole subjects, on every kernel and family") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein}) {
    Case given(test_seed(), alphabet);
    const Database database = Database::build(given.subjects);
    const auto expected = expected_hits(given.queries, given.subjects, given.options);
    const auto whole = Searcher(test_device(), database, given.options).search(given.queries).hits;
    check(whole, expected);
    for (const Variant& variant : drawn_variants())
      for (const Kernel kernel : every_kernel)
        for (const std::uint64_t letters : random.some_of<std::uint64_t>({1, 9, 64, 333}))
          for (const std::uint64_t residues : {0u, 50u, 700u}) {
            if (kernel == Kernel::cpu && variant.name != "cpu") continue;
            // A few of them for each of the slow ways.
            if (kernel != Kernel::cpu && (letters + residues / 50 + static_cast<unsigned>(kernel)) % 8 != 0) continue;
            CAPTURE(variant.name);
            CAPTURE(to_string(kernel));
            CAPTURE(letters);
            CAPTURE(residues);
            given.options.kernel = kernel;
            given.options.piece_letters = letters;
            given.options.chunk_residues = residues;
            const Searcher searcher(variant.device, database, given.options);
            const SearchResult found = searcher.search(given.queries);
            check_alike(found.hits, whole);
            const std::uint64_t strands = alphabet == Alphabet::dna ? 2 : 1;
            CHECK(found.counts.cells == strands * given.queries.residues() * given.subjects.residues());
            if (residues == 50) CHECK(searcher.chunks() > given.subjects.residues() / std::max(letters, residues) / 2);
          }
  }
}

TEST_CASE("align long subjects: any scoring, penalties of 0 and 1") {
  GENOCL_SHOW_SEED();
  Case given(test_seed(), Alphabet::dna);
  const Database database = Database::build(given.subjects);
  for (const GapPenalty gap : {GapPenalty{.open = 0, .extend = 1},
                               {.open = 0, .extend = 2},
                               {.open = 40, .extend = 1},
                               {.open = 3, .extend = 0}})
    for (const int match : {1, 5}) {
      CAPTURE(gap.open);
      CAPTURE(gap.extend);
      CAPTURE(match);
      given.options.gap = gap;
      given.options.matrix = Matrix::dna(match, -4);
      given.options.piece_letters = 0;
      const auto whole = Searcher(test_device(), database, given.options).search(given.queries).hits;
      for (const std::uint64_t letters : {8u, 200u}) {
        given.options.piece_letters = letters;
        check_alike(Searcher(test_device(), database, given.options).search(given.queries).hits, whole);
      }
    }
}

TEST_CASE("align long subjects: further alignments of a pair are those of the whole one") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein}) {
    Case given(test_seed(), alphabet);
    given.options.max_hsps = 6;
    const Database database = Database::build(given.subjects);
    const auto whole = Searcher(test_device(), database, given.options).search(given.queries).hits;
    CHECK(std::ranges::any_of(whole.back(), [](const Hit& hit) { return hit.hsp == 5; }));
    for (const std::uint64_t letters : random.some_of<std::uint64_t>({1, 16, 64, 333}))
      for (const std::uint64_t residues : {0u, 300u}) {
        CAPTURE(letters);
        CAPTURE(residues);
        given.options.piece_letters = letters;
        given.options.chunk_residues = residues;
        check_alike(Searcher(test_device(), database, given.options).search(given.queries).hits, whole);
      }
  }
}

TEST_CASE("align long subjects: hits that do not tell where are aligned all the same; wrong parts are refused") {
  Case given(3, Alphabet::dna);
  const Database database = Database::build(given.subjects);
  const auto whole = Searcher(test_device(), database, given.options).search(given.queries).hits;
  given.options.piece_letters = 40;
  const Searcher searcher(test_device(), database, given.options);
  auto hits = whole;
  for (auto& of_query : hits)
    for (Hit& hit : of_query) {
      hit.alignment.reset();
      hit.part_begin = hit.part_end = 0;
    }
  searcher.align(given.queries, hits);
  check_alike(hits, whole);
  bool any_part = false;
  for (const auto& of_query : hits)
    for (const Hit& hit : of_query) {
      CHECK(hit.part_begin <= hit.alignment->subject_begin);
      CHECK(hit.part_end >= hit.alignment->subject_end);
      any_part = any_part || hit.part_end - hit.part_begin < database.length(hit.subject);
    }
  CHECK(any_part);
  const auto packed = unpack_hits(pack_hits(hits));
  check_alike(packed, hits);
  CHECK(packed.back().front().part_begin == hits.back().front().part_begin);
  CHECK(packed.back().front().part_end == hits.back().front().part_end);
  hits.front().front().part_end = std::uint64_t{1} << 40;
  CHECK_THROWS_AS(searcher.align(given.queries, hits), InputError);
}

TEST_CASE("align long subjects: every score, and chunks that several searches share") {
  GENOCL_SHOW_SEED();
  Case given(test_seed(), Alphabet::dna);
  const Database database = Database::build(given.subjects);
  const auto whole = Searcher(test_device(), database, given.options).search(given.queries).hits;
  given.options.piece_letters = 50;
  given.options.chunk_residues = 120;
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    const Searcher searcher(variant.device, database, given.options);
    CHECK(searcher.chunks() > given.subjects.size());
    std::size_t calls = 0;
    searcher.all_scores(given.queries, [&](std::size_t q, std::uint64_t, std::span<const std::int32_t> scores) {
      REQUIRE(scores.size() == given.subjects.size());
      const std::vector<Code> minus = reverse_complement_of(given.queries[q]);
      for (std::size_t s = 0; s < scores.size(); ++s)
        CHECK(scores[s] == std::max(genocl_reference::local_score(given.queries[q], given.subjects[s],
                                                                  given.options.matrix, given.options.gap),
                                    genocl_reference::local_score(minus, given.subjects[s], given.options.matrix,
                                                                  given.options.gap)));
      ++calls;
    });
    CHECK(calls == given.queries.size());
  }
  std::vector<std::vector<std::vector<Hit>>> parts;
  for (const std::size_t turn : {0u, 1u, 2u}) {
    SearchOptions options = given.options;
    options.align = false;
    options.chunk_queue = [turn](std::size_t chunks) {
      return [next = turn, chunks]() mutable -> std::optional<std::size_t> {
        const std::size_t mine = next;
        next += 3;
        return mine < chunks ? std::optional(mine) : std::nullopt;
      };
    };
    parts.push_back(Searcher(test_device(), database, options).search(given.queries).hits);
  }
  std::vector<std::vector<Hit>> merged;
  for (std::size_t q = 0; q < given.queries.size(); ++q) {
    const std::vector<std::vector<Hit>> of_query = {parts[2][q], parts[0][q], parts[1][q]};
    merged.push_back(merge_hits(of_query, given.options.top));
  }
  Searcher(test_device(), database, given.options).align(given.queries, merged);
  check_alike(merged, whole);
}

TEST_CASE("align long subjects: every place is in a piece together with the letters before it") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  SequenceSet set(Alphabet::protein);
  for (const std::size_t length : {0u, 1u, 3u, 40u, 41u, 90u, 500u, 500u, 1201u})
    set.append("s", random_codes(random, length));
  const Database database = Database::build(set);
  for (const std::uint64_t residues : {1u, 70u, 600u, 10'000u})
    for (const std::uint64_t split : {0u, 30u, 450u})
      for (const Cut cut : {Cut{}, Cut{1, 5}, Cut{16, 1}, Cut{30, 30}, Cut{100, 7}, Cut{5000, 7}}) {
        if (split != 0 && cut.piece == 0) continue;
        CAPTURE(residues);
        CAPTURE(split);
        CAPTURE(cut.piece);
        std::vector<std::vector<int>> ends(set.size());
        for (std::size_t rank = 0; rank < set.size(); ++rank) ends[rank].resize(database.length_at(rank), 0);
        std::uint64_t letters = 0;
        for (const ChunkRange& range : cut_into_chunks(database, residues, split)) {
          letters += range.residues;
          const std::vector<Piece> pieces = pieces_of(database, range, cut);
          CHECK(std::ranges::is_sorted(pieces, {}, &Piece::length));
          CutSize size{.count = pieces.size()};
          for (const Piece& piece : pieces) {
            size.residues += piece.length;
            size.longest = std::max<std::uint64_t>(size.longest, piece.length);
            const std::uint64_t end = piece.begin + piece.length;
            REQUIRE(end <= ends[range.first + piece.subject].size());
            CHECK((cut.piece == 0 || piece.length <= cut.piece + 2 * cut.overlap));
            for (std::uint64_t i = piece.begin; i < end; ++i)
              if (i + 1 - piece.begin >= std::min(i + 1, cut.overlap)) ++ends[range.first + piece.subject][i];
          }
          const CutSize told = size_of(database, range, cut);
          CHECK(told.count == size.count);
          CHECK(told.residues == size.residues);
          CHECK(told.longest == size.longest);
        }
        CHECK(letters == set.residues());
        for (const auto& of_sequence : ends)
          CHECK(std::ranges::all_of(of_sequence, [](int times) { return times > 0; }));
      }
}

TEST_CASE("tiny: align best of the pieces of each sequence") {
  Random random(4);
  SequenceSet set(Alphabet::dna);
  for (const std::size_t length : {5u, 30u, 31u, 800u}) set.append("s", random_codes(random, length, 4));
  const Database database = Database::build(set);
  const ScoringTable table = make_scoring_table(Matrix::dna(), {}, database.letter_counts());
  const ChunkRange range{.count = 4, .residues = 866, .longest = 800};
  constexpr std::size_t queries = 3;
  for (const Variant& variant : variants())
    for (const std::uint64_t letters : {2u, 25u}) {  // more pieces than an item goes through, and fewer
      const DeviceChunk chunk =
          upload_chunk(variant.device, database, range, table, DeviceChunk::Layout::plain, {letters, 3});
      REQUIRE(chunk.pieces.size() == chunk.count());
      std::vector<std::int32_t> scores(queries * chunk.count());
      for (std::int32_t& score : scores) score = static_cast<std::int32_t>(random() % 4);
      const BestPieces best = best_of_pieces(
          variant.device, chunk, DeviceScores(variant.device, std::span<const std::int32_t>(scores)), queries);
      const std::vector<std::int32_t> found = best.scores.download();
      std::vector<std::uint64_t> indices(queries * set.size());
      std::iota(indices.begin(), indices.end(), std::uint64_t{0});
      const std::vector<Piece> pieces = pieces_at(variant.device, chunk, best, indices);
      REQUIRE(found.size() == indices.size());
      for (std::size_t q = 0; q < queries; ++q)
        for (std::uint32_t s = 0; s < set.size(); ++s) {
          std::int32_t highest = -1;
          Piece first;
          for (std::size_t i = 0; i < chunk.pieces.size(); ++i) {
            const Piece& piece = chunk.pieces[i];
            const std::int32_t score = scores[q * chunk.count() + i];
            if (piece.subject != s || score < highest ||
                (score == highest && piece.begin + piece.length > first.begin + first.length))
              continue;
            highest = score;
            first = piece;
          }
          CHECK(found[q * set.size() + s] == highest);
          CHECK(pieces[q * set.size() + s] == first);
        }
    }
}

TEST_CASE("align long subjects: more than 2^24 letters") {
  Random random(6);
  std::vector<Code> codes((std::size_t{1} << 24) + 5000, Code{0});
  for (std::size_t i = 0; i < codes.size(); i += 3) codes[i] = static_cast<Code>(random() % 4);
  const std::vector<Code> query = {3, 2, 2, 3, 1, 1, 3, 2, 1, 3, 2, 2, 1, 3, 3, 1};
  std::ranges::copy(query, codes.end() - 16);
  std::ranges::copy(reverse_complement_of(query), codes.begin() + 16'700'000);
  SequenceSet subjects(Alphabet::dna), queries(Alphabet::dna);
  subjects.append("long", codes);
  queries.append("q", query);
  const Database database = Database::build(subjects);
  SearchOptions options{.matrix = Matrix::dna(), .gap = {.open = 5, .extend = 2}, .align = true, .progress = {}};
  const auto hits = Searcher(test_device().with_family(KernelFamily::cpu), database, options).search(queries).hits;
  REQUIRE(hits.front().size() == 2);
  CHECK(to_text(hits.front()) == "0+ 32 0:" + std::to_string(codes.size() - 16) + " 16=; 0- 32 0:16700000 16=; ");
  options.gap.extend = 0;
  CHECK_THROWS_WITH_AS(Searcher(test_device(), database, options), doctest::Contains("a subject of 16782216 letters"),
                       InputError);
  CHECK_THROWS_WITH_AS(Searcher(test_device(), database, {.matrix = Matrix::dna(), .progress = {}}).search(subjects),
                       "query 1 (long): 16782216 letters; expected at most 16777216", InputError);
}

TEST_CASE("align long subjects: the longest one") {
  if (std::getenv("GENOCL_TEST_LARGE") == nullptr) return;  // 9 GB of memory
  SequenceSet subjects(Alphabet::dna), queries(Alphabet::dna);
  subjects.append("short", std::vector<Code>{0, 1, 2, 3});
  const std::span<Code> codes = subjects.extend("long", "", Database::longest_sequence).codes;
  const std::vector<Code> query = {3, 2, 2, 3, 1, 1, 3, 2, 1, 3, 2, 2, 1, 3, 3, 1};
  std::ranges::copy(query, codes.end() - 16);
  queries.append("q", query);
  const SearchOptions options{.matrix = Matrix::dna(),
                              .gap = {.open = 5, .extend = 2},
                              .max_evalue = 1e6,
                              .align = true,
                              .max_hsps = 2,
                              .strands = Strands::forward,
                              .progress = {}};
  const auto hits =
      Searcher(test_device().with_family(KernelFamily::cpu), Database::build(subjects), options).search(queries).hits;
  REQUIRE(hits.front().size() >= 1);
  CHECK(hits.front().front().score == 32);
  CHECK(hits.front().front().alignment->subject_end == Database::longest_sequence);
  CHECK(hits.front().front().alignment->cigar() == "16=");
}
