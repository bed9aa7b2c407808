// Profiles: read from text, and searched with, against the scalar oracle.
#include "genocl/align/profile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "align/cases.hpp"
#include "align/pipeline.hpp"
#include "align/score/score_cases.hpp"
#include "align/score/score_cpu.hpp"
#include "align/score/score_gpu.hpp"
#include "align/scoring/statistics.hpp"
#include "genocl/align/profile_making.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/error.hpp"

namespace {

using namespace genocl;
using namespace genocl::align;
using align_test::Codes;
using align_test::mutated;
using align_test::random_codes;
using align_test::random_set;
using genocl_test::Random;
using genocl_test::test_seed;

/// BLOSUM62's rows, each score changed by `most` at most.
Profile random_profile(Random& random, const Codes& letters, int most) {
  std::vector<Profile::Row> rows(letters.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (Code code = 0; code < 20; ++code)
      rows[row][code] = static_cast<std::int8_t>(std::clamp<int>(
          blosum62()(letters[row], code) + static_cast<int>(random() % static_cast<unsigned>(2 * most + 1)) - most,
          -127, 127));
  return {"p", letters, rows};
}

std::vector<std::int32_t> expected_scores(const Database& database, std::span<const Profile> profiles,
                                          const GapPenalty& gap) {
  std::vector<std::int32_t> scores;
  for (const Profile& profile : profiles)
    for (std::size_t rank = 0; rank < database.size(); ++rank)
      scores.push_back(genocl_reference::local_alignment(profile, database.sequence_at(rank), gap).score);
  return scores;
}

DeviceChunk upload(const Device& device, const Database& database, const ScoringTable& table,
                   DeviceChunk::Layout layout) {
  return upload_chunk(device, database, {0, database.size(), database.residues(), database.longest()}, table, layout);
}

/// All ways of the kernels.
void check_scores(const SequenceSet& subjects, const std::vector<Profile>& profiles, const GapPenalty& gap) {
  const Database database = Database::build(subjects);
  const ScoringTable table = make_scoring_table(blosum62(), gap, database.letter_counts());
  const std::vector<std::int32_t> expected = expected_scores(database, profiles, gap);
  std::vector<Query> queries;
  for (const Profile& profile : profiles) queries.push_back({profile.letters(), &profile});
  for (const align_test::Variant& variant : align_test::variants()) {
    CAPTURE(variant.name);
    DeviceScores scores(variant.device, expected.size());
    if (variant.device.family() == KernelFamily::cpu) {
      const DeviceChunk chunk = upload(variant.device, database, table, DeviceChunk::Layout::interleaved);
      for (const unsigned bits : {8u, 16u, 32u})
        for (const unsigned vector_bits : {256u, 512u})
          for (const bool saturating : {false, true}) {
            CAPTURE(bits);
            CAPTURE(vector_bits);
            CAPTURE(saturating);
            score_cpu(variant.device, table, chunk, queries, scores,
                      {.first_bits = bits, .form = CpuForm{vector_bits, saturating}, .strip_rows = 64});
            CHECK(scores.download() == expected);
          }
    } else {
      const DeviceChunk chunk = upload(variant.device, database, table, DeviceChunk::Layout::plain);
      for (const auto cells : {GpuTuning::Cells::wide, GpuTuning::Cells::packed}) {
        CAPTURE(cells == GpuTuning::Cells::packed);
        GpuTuning tuning;
        tuning.cells = cells;
        score_gpu(variant.device, table, chunk, queries, tuning, scores);
        CHECK(scores.download() == expected);
        // Long subjects one by one, by other kernels.
        tuning.giant_subject = 100;
        score_gpu(variant.device, table, chunk, queries, tuning, scores);
        CHECK(scores.download() == expected);
      }
    }
  }
}

void check_same_hits(const std::vector<std::vector<Hit>>& hits, const std::vector<std::vector<Hit>>& expected) {
  REQUIRE(hits.size() == expected.size());
  for (std::size_t q = 0; q < hits.size(); ++q) {
    REQUIRE(hits[q].size() == expected[q].size());
    for (std::size_t i = 0; i < hits[q].size(); ++i) {
      CHECK(hits[q][i].subject == expected[q][i].subject);
      CHECK(hits[q][i].score == expected[q][i].score);
      CHECK(hits[q][i].bits == expected[q][i].bits);
      CHECK(hits[q][i].evalue == expected[q][i].evalue);
      CHECK(hits[q][i].hsp == expected[q][i].hsp);
      CHECK(hits[q][i].alignment == expected[q][i].alignment);
    }
  }
}

constexpr std::string_view small = R"(
Last position-specific scoring matrix computed, weighted observed percentages rounded down, information per position
            A   R   N   D   C   Q   E   G   H   I   L   K   M   F   P   S   T   W   Y   V   A   R   N   D   C   Q   E   G   H   I   L   K   M   F   P   S   T   W   Y   V
    1 M    -1  -2  -2  -3  -2  -1  -2  -3  -2   1   2  -1   6   0  -3  -2  -1  -2  -1   1    0   0   0   0   0   0   0   0   0   0   0   0 100   0   0   0   0   0   0   0  0.61 0.12
    2 x     0  -1  -1  -1  -2  -1  -1  -1  -1  -1  -1  -1  -1  -1  -2   0   0  -2  -1  -1    0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0  0.00 0.00

                      K         Lambda
Standard Ungapped    0.1353     0.3169
)";

}  // namespace

TEST_CASE("align: the text of a profile") {
  const Profile profile = Profile::parse(small, "small.pssm", "small");
  CHECK(profile.name() == "small");
  REQUIRE(profile.size() == 2);
  CHECK(decode(Alphabet::protein, profile.letters()) == "MX");
  CHECK(profile(0, protein::encode('M')) == 6);
  CHECK(profile(0, protein::encode('V')) == 1);
  CHECK(profile(1, protein::encode('A')) == 0);
  // What the text lacks is the matrix's.
  for (const char letter : std::string_view("BZJUOX*")) {
    const Code code = protein::encode(letter);
    CHECK(profile(0, code) ==
          (code == protein::encode('U') ? profile(0, protein::encode('C')) : blosum62()(protein::encode('M'), code)));
    CHECK(profile(1, code) ==
          (code == protein::encode('U') ? profile(1, protein::encode('C')) : blosum62()(protein::encode('X'), code)));
  }
  CHECK(profile.highest() == 6);
  CHECK(profile.lowest() == -4);  // of *
  CHECK(!profile.gapped());
  const std::string text(small);
  const Profile with_own = Profile::parse(text + "PSI Gapped           0.0437     0.2670\n", "f", "small");
  REQUIRE(with_own.gapped());
  CHECK(with_own.gapped()->k == doctest::Approx(0.0437));
  CHECK(with_own.gapped()->lambda == doctest::Approx(0.267));
  CHECK_THROWS_WITH_AS(Profile::parse(text + "PSI Gapped  x  0.2670\n", "f", "small"),
                       doctest::Contains("f:9: \"x\"; expected K and lambda"), InputError);
  std::string windows(small);
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2) windows.insert(at, "\r");
  CHECK(Profile::parse(windows, "w", "small") == profile);

  const auto refuse = [](std::string wrong, const std::string& from, const std::string& to, const char* said) {
    wrong.replace(wrong.find(from), from.size(), to);
    CHECK_THROWS_WITH_AS(Profile::parse(wrong, "file", "p"), doctest::Contains(said), InputError);
  };
  refuse(text, "    2 x", "    3 x", "file:5: row \"3\"; expected row 2");
  refuse(text, "    2 x", "    2 7", "file:5: \"7\" is no letter of proteins");
  refuse(text, "  6   0", "  y   0", "file:4: \"y\"; expected a whole number from -127 to 127");
  refuse(text, "  6   0", "128   0", "file:4: \"128\"");
  refuse(text, " A   R   N   D   C   Q   E", " A   R   N   D   C   Q   A", "file: no profile");
  CHECK_THROWS_WITH_AS(Profile::parse("", "file", "p"), doctest::Contains("file: no profile"), InputError);
  CHECK_THROWS_WITH_AS(Profile::parse(text.substr(0, text.find("    2 x") + 20), "file", "p"),
                       doctest::Contains("file:5: a row of 5 words"), InputError);
}

namespace {

constexpr std::string_view asn_letters = "-ABCDEFGHIKLMNPQRSTVWXYZU*OJ";

/// A profile in the form of psiblast -out_pssm; ratios have nine digits.
std::string asn_text(const Profile& profile, bool by_row = false) {
  std::string hex, scores, ratios;
  const auto add = [&](std::size_t row, char letter) {
    const Code code = protein::encode(letter);
    const bool known = code < 20;
    scores += (scores.empty() ? "" : ",") + std::string("\n        ") + std::to_string(known ? profile(row, code) : -9);
    const double frequency = known ? profile.ratios()[row][code] * chance_frequencies()[code] : 0;
    ratios += (ratios.empty() ? "" : ",") + std::string("\n        { ") + std::to_string(std::lround(frequency * 1e9)) +
              ", 10, -9 }";
  };
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (std::size_t row = 0; row < profile.size(); ++row) {
    const std::size_t code = asn_letters.find(protein::decode(profile.letters()[row]));
    hex += {digits[code / 16], digits[code % 16]};
    if (row % 30 == 29) hex += '\n';
    if (!by_row)
      for (const char letter : asn_letters) add(row, letter);
  }
  if (by_row)
    for (const char letter : asn_letters)
      for (std::size_t row = 0; row < profile.size(); ++row) add(row, letter);
  return "PssmWithParameters ::= {\n  pssm {\n    isProtein TRUE,\n    numRows 28,\n    numColumns " +
         std::to_string(profile.size()) + ",\n    byRow " + (by_row ? "TRUE" : "FALSE") +
         ",\n    query seq {\n      id {\n        local str \"Query_1\"\n      },\n      descr {\n        title "
         "\"a {title}, of two\nlines\"\n      },\n      inst {\n        repr raw,\n        mol aa,\n        length " +
         std::to_string(profile.size()) + ",\n        seq-data ncbistdaa '" + hex +
         "'H\n      }\n    },\n    intermediateData {\n      freqRatios {" + ratios +
         "\n      }\n    },\n    finalData {\n      scores {" + scores +
         "\n      },\n      lambda { 267, 10, -3 },\n      kappa { 404298, 10, -7 },\n      h { 14, 10, -2 },\n      "
         "lambdaUngapped { 319, 10, -3 }\n    }\n  }\n}\n";
}

}  // namespace

TEST_CASE("align: a profile in ASN.1") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<AlignedSequence> rows = {{"q", "MEVKPKLYYFQGXGRMESIRWLLAMEVKPKLYYFQG"},
                                             {"s", "IEIKPCLYYFQGRGQMQSIRWLLAIEIKP-------"}};
  const Profile made = make_profile("p", rows).profile;
  for (const bool by_row : {false, true}) {
    const Profile profile = Profile::parse(asn_text(made, by_row), "p.asn", "p");
    CHECK(std::ranges::equal(profile.letters(), made.letters()));
    CHECK(std::ranges::equal(profile.scores(), made.scores()));
    REQUIRE(profile.gapped());
    CHECK(profile.gapped()->lambda == doctest::Approx(0.267));
    CHECK(profile.gapped()->k == doctest::Approx(0.0404298));
    REQUIRE(profile.ratios().size() == made.size());
    for (std::size_t row = 0; row < made.size(); ++row)
      for (std::size_t a = 0; a < 20; ++a)
        CHECK(profile.ratios()[row][a] == doctest::Approx(made.ratios()[row][a]).epsilon(1e-5));
  }
  const std::string text = asn_text(made);
  const auto refuse = [&](const std::string& from, const std::string& to, const char* said) {
    std::string wrong = text;
    wrong.replace(wrong.find(from), from.size(), to);
    CHECK_THROWS_WITH_AS(Profile::parse(wrong, "file", "p"), doctest::Contains(said), InputError);
  };
  refuse("numRows 28", "numRows 26", "26 rows; expected numRows 28");
  refuse("numColumns 36", "numColumns 35", "35 columns and a query of 36 letters");
  refuse("scores {\n        -9,", "scores {", "1007 scores; expected 28 for each column");
  refuse("scores {\n        -9,\n        -1", "scores {\n        -9,\n        x", "\"x\"; expected a whole number");
  refuse("scores {\n        -9,\n        -1", "scores {\n        -9,\n        -200", "a score of -200");
  refuse("seq-data ncbistdaa '", "seq-data ncbistdaa 'FF", "\"FF\"; expected a letter of NCBIstdaa");
  refuse("seq-data ncbistdaa", "seq-data ncbi2na", "a query in ncbi2na");
  refuse("freqRatios {\n        {", "freqRatios {\n        { 1, 10, 0 }, {", "1009 frequency ratios");
  refuse("freqRatios {\n        { 0", "freqRatios {\n        { 1, 10, 999 }, { 0", "frequency ratio");
  refuse("lambdaUngapped", "scalingFactor 100,\n      lambdaUngapped", "a scaling factor of 100");
  refuse("repr raw", "repr \"raw", "expected");
  CHECK_THROWS_WITH_AS(Profile::parse(text.substr(0, text.size() - 3), "file", "p"),
                       doctest::Contains("the end of the text; expected }"), InputError);
  CHECK_THROWS_WITH_AS(Profile::parse(text + "}", "file", "p"), doctest::Contains("a } too many"), InputError);
}

TEST_CASE("align: profiles that cannot be") {
  const Codes letters = {1, 2};
  CHECK_THROWS_AS(Profile("p", letters, std::vector<Profile::Row>(3)), InputError);
  CHECK_THROWS_AS(Profile("p", Codes{1, 27}, std::vector<Profile::Row>(2)), InputError);
  CHECK_THROWS_AS(Profile("p", letters, std::vector<Profile::Row>(2), Matrix::dna()), InputError);
  std::vector<Profile::Row> rows(2);
  Profile profile("p", letters, rows);
  CHECK_THROWS_AS(profile.set_ratios(std::vector<Profile::Ratios>(1)), InputError);
  std::vector<Profile::Ratios> ratios(2);
  for (const double wrong : {-1.0, std::nan(""), HUGE_VAL}) {
    ratios[1][7] = wrong;
    CHECK_THROWS_AS(profile.set_ratios(ratios), InputError);
  }
  CHECK(profile.ratios().empty());
  rows[1][3] = -128;
  CHECK_THROWS_AS(Profile("p", letters, rows), InputError);
}

TEST_CASE("tiny: align scores of profiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Codes letters = random_codes(random, 9);
  check_scores(random_set(random, 3, 9), {random_profile(random, letters, 3)}, {2, 1});
}

TEST_CASE("align: scores of profiles equal the oracle's") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const GapPenalty& gap : random.some_of<GapPenalty>({{11, 1}, {0, 3}, {4, 0}})) {
    CAPTURE(gap.open);
    for (const int most : {2, 20, 127}) {
      CAPTURE(most);
      const Codes like = random_codes(random, 150);
      const SequenceSet subjects = random_set(random, 70, 200, Alphabet::protein, 27, like);
      std::vector<Profile> profiles = {random_profile(random, like, most)};
      for (int i = 0; i < 4; ++i)
        profiles.push_back(random_profile(random, random_codes(random, 1 + random() % 250, 27), most));
      check_scores(subjects, profiles, gap);
    }
  }
}

TEST_CASE("align: a profile of a sequence is searched as the sequence is") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Codes like = random_codes(random, 300);
  const Database database = Database::build(random_set(random, 200, 500, Alphabet::protein, 20, like));
  const SequenceSet queries = random_set(random, 5, 300, Alphabet::protein, 20, like);
  std::vector<Profile> profiles;
  for (std::size_t i = 0; i < queries.size(); ++i)
    profiles.push_back(Profile::of(std::string(queries.name(i)), queries[i]));
  for (const align_test::Variant& variant : align_test::drawn_variants()) {
    CAPTURE(variant.name);
    const Searcher searcher(variant.device, database, {.top = 20, .align = true, .max_hsps = 3});
    const SearchResult plain = searcher.search(queries), result = searcher.search(profiles);
    check_same_hits(result.hits, plain.hits);
    CHECK(result.counts.cells == plain.counts.cells);
    std::vector<std::vector<Hit>> flown;
    searcher.search(std::span<const Profile>(profiles), [&](std::size_t query, std::vector<Hit>&& hits) {
      CHECK(query == flown.size());
      flown.push_back(std::move(hits));
    });
    check_same_hits(flown, plain.hits);
  }
}

TEST_CASE("align: hits of profiles and their alignments") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Codes like = random_codes(random, 200);
  const Database database = Database::build(random_set(random, 100, 300, Alphabet::protein, 20, like));
  // Scores far above the matrix's: no bound on E-values may leave hits out.
  const std::vector<Profile> profiles = {random_profile(random, like, 3), random_profile(random, like, 30)};
  for (const align_test::Variant& variant : align_test::drawn_variants()) {
    CAPTURE(variant.name);
    const Searcher searcher(variant.device, database, {.top = 1000, .max_evalue = 1e-3, .align = true});
    const SearchResult result = searcher.search(profiles);
    for (std::size_t q = 0; q < profiles.size(); ++q) {
      std::size_t expected = 0;
      const Significance significance(*searcher.statistics(), profiles[q].size(), database.whole(),
                                      EdgeCorrection::finite_size);
      for (std::size_t rank = 0; rank < database.size(); ++rank) {
        const Alignment best = genocl_reference::local_alignment(profiles[q], database.sequence_at(rank), {});
        if (best.score == 0 || significance.evalue(best.score, database.sequence_at(rank).size()) > 1e-3) continue;
        ++expected;
        const auto hit = std::ranges::find(result.hits[q], database.number(rank), &Hit::subject);
        REQUIRE(hit != result.hits[q].end());
        CHECK(hit->score == best.score);
        CHECK(hit->alignment == best);
        CHECK(score_of(best, profiles[q], database.sequence_at(rank), {}) == best.score);
      }
      CHECK(result.hits[q].size() == expected);
    }
    std::vector<std::int32_t> all;
    searcher.all_scores(std::span<const Profile>(profiles),
                        [&](std::size_t, std::uint64_t, std::span<const std::int32_t> scores) {
                          all.insert(all.end(), scores.begin(), scores.end());
                        });
    REQUIRE(all.size() == 2 * database.size());
    for (const Hit& hit : result.hits[1]) CHECK(all[database.size() + hit.subject] == hit.score);
  }
}

TEST_CASE("align: E-values with a profile's own K") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Codes like = random_codes(random, 200);
  const Database database = Database::build(random_set(random, 50, 300, Alphabet::protein, 20, like));
  const Searcher searcher(align_test::test_device(), database, {.top = 1000, .align = true, .max_hsps = 2});
  std::vector<Profile> profiles(3, Profile::of("p", like));
  profiles[1].set_gapped({0.267, 0.082});
  profiles[2].set_gapped({0.3, 0.082});  // of another scoring
  const SearchResult result = searcher.search(profiles);
  REQUIRE(result.hits[0].size() > 5);
  check_same_hits({result.hits[2]}, {result.hits[0]});
  std::size_t seen = 0;
  for (const Hit& hit : result.hits[1]) {
    const auto other = std::ranges::find_if(
        result.hits[0], [&](const Hit& one) { return one.subject == hit.subject && one.hsp == hit.hsp; });
    REQUIRE(other != result.hits[0].end());
    CHECK(hit.score == other->score);
    CHECK(hit.evalue == doctest::Approx(2 * other->evalue));
    CHECK(hit.bits == doctest::Approx(other->bits - 1));
    ++seen;
  }
  CHECK(seen > 5);
}

TEST_CASE("align: searches that know no profiles") {
  const Device& device = align_test::test_device();
  SequenceSet proteins(Alphabet::protein), dna(Alphabet::dna);
  proteins.append("p", Codes{1, 2, 3});
  dna.append("d", Codes{1, 2, 3});
  const std::vector<Profile> profiles = {Profile::of("p", Codes{1, 2, 3})};
  const Database database = Database::build(proteins), of_dna = Database::build(dna);
  CHECK_THROWS_AS(Searcher(device, of_dna, {.matrix = Matrix::dna(), .gap = {5, 2}}).search(profiles), InputError);
  CHECK_THROWS_AS(Searcher(device, database, {.kernel = Kernel::inter}).search(profiles), InputError);
  const std::vector<Profile> empty = {Profile("none", {}, {})};
  CHECK_THROWS_AS(Searcher(device, database).search(empty), InputError);
  CHECK(Searcher(device, database).search(std::span<const Profile>()).hits.empty());
}
