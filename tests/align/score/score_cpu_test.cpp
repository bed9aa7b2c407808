// Scores of `cpu` kernels against the oracle: every width, strips, stacks, gap penalties and matrices.
#include "align/score/score_cpu.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "align/cases.hpp"
#include "align/pipeline.hpp"
#include "align/score/score_cases.hpp"
#include "genocl/align/database.hpp"
#include "genocl/error.hpp"

namespace {

using genocl::SequenceSet;
using namespace genocl::align;
using align_test::Codes;
using align_test::make_set;
using align_test::repeated;
using genocl_test::cpu_device;
using genocl_test::Random;
using genocl_test::test_seed;

const std::vector<CpuForm> forms = {{.vector_bits = 256, .saturating = false},
                                    {.vector_bits = 512, .saturating = false},
                                    {.vector_bits = 256, .saturating = true},
                                    {.vector_bits = 512, .saturating = true}};

/// A database on the device, and the scores that are to come out.
class Checked : public align_test::ScoreCase {
 public:
  using ScoreCase::ScoreCase;

  /// Returns how many pairs were computed again.
  std::uint64_t check(const CpuOptions& options = {}) {
    DeviceScores scores(device_, expected().size());
    scores.fill(-77);
    const std::uint64_t again = score_cpu(device_, table(), chunk_, queries(), scores, options);
    CHECK(scores.download() == expected());
    return again;
  }

  /// From 8 bits in both forms, 16 and 32 bits on, with registers of both sizes.
  void check_widths(CpuOptions options = {}) {
    for (const unsigned bits : {8u, 16u, 32u}) {
      options.first_bits = bits;
      for (const CpuForm& form : forms) {
        if (bits > 8 && form.saturating) continue;
        options.form = form;
        CAPTURE(bits);
        CAPTURE(form.saturating);
        CAPTURE(form.vector_bits);
        check(options);
      }
    }
  }

  std::int32_t highest() const { return *std::max_element(expected().begin(), expected().end()); }

 private:
  genocl::Device device_ = cpu_device();
  DeviceChunk chunk_ = upload(device_, DeviceChunk::Layout::interleaved);
};

}  // namespace

TEST_CASE("tiny: align scores on a CPU") {
  if (!genocl_test::tests_cpu_kernels()) return;
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Codes query = align_test::random_codes(random, 5, 6);
  Checked checked(align_test::random_set(random, 3, 6, genocl::Alphabet::protein, 6, query),
                  {query, align_test::random_codes(random, 3, 6)}, blosum62(), {.open = 2, .extend = 1});
  SUBCASE("8 bits") { checked.check({.form = forms[0]}); }
  SUBCASE("8 bits, long registers") { checked.check({.form = forms[1]}); }
  SUBCASE("8 bits, saturating") { checked.check({.form = forms[2]}); }
  SUBCASE("16 bits") { checked.check({.first_bits = 16}); }
  SUBCASE("again") { checked.check({.highest_sure = 2}); }
  SUBCASE("strips") { checked.check({.strip_rows = 1}); }
}

TEST_CASE("align scores on a CPU: gaps, matrices, widths") {
  if (!genocl_test::tests_cpu_kernels()) return;
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<GapPenalty> gaps = {{0, 1},   {1, 0},    {11, 1},  {5, 2},     {100, 0},
                                        {120, 7}, {120, 20}, {3, 250}, {16'000, 0}};
  for (const char* const name : {"BLOSUM62", "PAM30", "BLOSUM45", "PAM250"})
    for (const GapPenalty& gap : gaps) {
      CAPTURE(name);
      CAPTURE(gap.open);
      CAPTURE(gap.extend);
      std::vector<Codes> queries;
      // Also '*' and all ambiguous letters.
      for (const std::size_t length : {1, 2, 31, 32, 33, 120})
        queries.push_back(align_test::random_codes(random, length, 27));
      Checked checked(align_test::random_set(random, 75, 130, genocl::Alphabet::protein, 27, queries.back()), queries,
                      Matrix::named(name), gap);
      checked.check_widths();
      checked.check_widths({.strip_rows = 17, .stack_rows = 20});
      checked.check_widths({.highest_sure = 20});
    }
}

TEST_CASE("align scores on a CPU: gaps of both kinds side by side") {
  if (!genocl_test::tests_cpu_kernels()) return;
  // Few letters, cheap gaps: the best paths turn from one kind of gap to the other all the time.
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const GapPenalty gap :
       {GapPenalty{0, 1}, GapPenalty{1, 0}, GapPenalty{0, 2}, GapPenalty{2, 0}, GapPenalty{1, 1}}) {
    CAPTURE(gap.open);
    CAPTURE(gap.extend);
    std::vector<Codes> queries;
    for (int i = 0; i < 8; ++i) queries.push_back(align_test::random_codes(random, 1 + random() % 60, 4));
    Checked protein(align_test::random_set(random, 100, 60, genocl::Alphabet::protein, 4, queries[0]), queries,
                    blosum62(), gap);
    protein.check_widths();
    Checked dna(align_test::random_set(random, 100, 60, genocl::Alphabet::dna, 4, queries[0]), queries,
                Matrix::dna(5, -4), gap);
    dna.check_widths({.strip_rows = 16});
  }
}

TEST_CASE("align scores on a CPU: DNA with ambiguous letters") {
  if (!genocl_test::tests_cpu_kernels()) return;
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<Codes> queries;
  for (const std::size_t length : {1, 40, 300}) queries.push_back(align_test::random_codes(random, length, 15));
  queries.push_back(align_test::random_codes(random, 200, 4));
  for (const Matrix& matrix : {Matrix::dna(), Matrix::dna(1, -1), Matrix::dna(127, -127), Matrix::dna(1, 0)}) {
    Checked checked(align_test::random_set(random, 60, 400, genocl::Alphabet::dna, 15, queries.back()), queries, matrix,
                    {.open = 5, .extend = 2});
    checked.check_widths();
  }
}

TEST_CASE("align scores on a CPU: numbers of subjects and queries") {
  if (!genocl_test::tests_cpu_kernels()) return;
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t subjects : {1, 15, 16, 17, 31, 32, 33, 64, 65})
    for (const std::size_t count : {1, 2, 9}) {
      CAPTURE(subjects);
      CAPTURE(count);
      std::vector<Codes> queries;
      for (std::size_t i = 0; i < count; ++i)
        queries.push_back(align_test::random_codes(random, i % 3 == 2 ? 400 : 1 + random() % 40));
      Checked checked(align_test::random_set(random, subjects, 90, genocl::Alphabet::protein, 20, queries.back()),
                      queries, blosum62(), {});
      checked.check_widths();
      checked.check_widths({.strip_rows = 50, .stack_rows = 50});
      checked.check_widths({.highest_sure = 1});
    }
}

TEST_CASE("align scores on a CPU: scores past 8 and 16 bits") {
  if (!genocl_test::tests_cpu_kernels()) return;
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Codes unit = align_test::random_codes(random, 97);
  const Codes tryptophans(6'100, *genocl::encode(genocl::Alphabet::protein, "W").begin());
  const Codes near = align_test::mutated(random, repeated(unit, 8), 25);
  std::vector<Codes> subjects = {repeated(unit, 1),   repeated(unit, 2),
                                 repeated(unit, 20),  repeated(unit, 75),
                                 repeated(unit, 140), near,
                                 tryptophans,         Codes(tryptophans.begin(), tryptophans.begin() + 3'000)};
  // Around each limit: 11 for each W.
  for (const std::size_t length : {9, 10, 11, 12, 19, 20, 21, 22, 23, 24, 25, 4'400, 4'460, 5'955, 5'956, 5'957, 5'958})
    subjects.push_back(Codes(tryptophans.begin(), tryptophans.begin() + static_cast<std::ptrdiff_t>(length)));
  for (int i = 0; i < 30; ++i) subjects.push_back(align_test::random_codes(random, 1 + random() % 300));
  Checked checked(make_set(subjects), {repeated(unit, 140), tryptophans, near, unit}, blosum62(), {});
  CHECK(checked.highest() > 65'535);
  for (const CpuForm& form : forms) {
    CAPTURE(form.saturating);
    CAPTURE(form.vector_bits);
    const std::uint64_t again = checked.check({.form = form});
    CHECK(again >= checked.at_least(256));
    CHECK(again <= checked.at_least(201));
    checked.check({.form = form, .strip_rows = 1'000});
  }
  checked.check({.first_bits = 16});
  checked.check({.first_bits = 32, .strip_rows = 4'096});
}

TEST_CASE("align scores on a CPU: widths that suit the scoring") {
  const auto widths = [](const Matrix& matrix, const GapPenalty& gap, bool saturating) {
    return lanes_widths(make_scoring_table(matrix, gap, {}), {matrix.lowest(), matrix.highest()}, 8, saturating);
  };
  const auto ordinary = widths(blosum62(), {}, false);
  REQUIRE(ordinary.size() == 3);
  CHECK(ordinary[0] == LanesWidth{.bits = 8, .saturating = false, .zero = -116, .cap = 116});
  CHECK(ordinary[1].bits == 16);
  CHECK(ordinary[2].bits == 32);
  CHECK(widths(blosum62(), {}, true)[0] == LanesWidth{.bits = 8, .saturating = true, .zero = -128, .cap = 126});
  // Too wide a step for plain numbers, or for any of 8 bits.
  CHECK(widths(blosum62(), {.open = 127, .extend = 0}, false)[0].saturating);
  CHECK(widths(blosum62(), {.open = 127, .extend = 1}, true)[0].bits == 16);
  CHECK(widths(blosum62(), {.open = 16'000, .extend = 0}, true).size() == 2);
}

TEST_CASE("align scores on a CPU: another layout is refused") {
  const genocl::Device device = cpu_device();
  const Database database = Database::build(make_set({{1, 2, 3}}));
  const ScoringTable table = make_scoring_table(blosum62(), {}, {});
  const DeviceChunk chunk = upload_chunk(device, database, {.first = 0, .count = 1, .residues = 3, .longest = 3}, table,
                                         DeviceChunk::Layout::plain);
  DeviceScores scores(device, 1);
  const Codes query = {1};
  const std::vector<Query> queries = {{query}};
  CHECK_THROWS_AS(score_cpu(device, table, chunk, queries, scores), genocl::InputError);
}
