// The published scheme, inter-task and intra-task, against the scalar oracle.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

#include "align/cases.hpp"
#include "align/device_state.hpp"
#include "align/pipeline.hpp"
#include "reference/align.hpp"

namespace {

using namespace genocl;
using namespace genocl::align;
using align_test::mutated;
using align_test::random_codes;
using genocl_test::Random;
using genocl_test::test_seed;

using Sequence = std::vector<Code>;

void check_published(const Device& device, const Database& database, const std::vector<Sequence>& queries,
                     const Matrix& matrix, const GapPenalty& gap, std::uint64_t threshold) {
  const ScoringTable table = make_scoring_table(matrix, gap, database.letter_counts());
  std::vector<Query> batch;
  for (const Sequence& query : queries) batch.push_back({query});
  for (const ChunkRange& range : cut_into_chunks(database, 40'000)) {
    const DeviceChunk chunk = upload_chunk(device, database, range, table, DeviceChunk::Layout::plain);
    DeviceScores scores(device, batch.size() * range.count), of_paper(device, batch.size() * range.count);
    scores.fill(-1);
    of_paper.fill(-1);
    score_published(device, table, chunk, batch, threshold, false, scores);
    score_published(device, table, chunk, batch, threshold, true, of_paper);
    const std::vector<std::int32_t> found = scores.download();
    CHECK(found == of_paper.download());
    for (std::size_t q = 0; q < batch.size(); ++q)
      for (std::size_t s = 0; s < range.count; ++s) {
        CAPTURE(q);
        CAPTURE(s);
        CAPTURE(batch[q].codes.size());
        CAPTURE(database.length_at(range.first + s));
        CHECK(found[q * range.count + s] ==
              genocl_reference::local_score(batch[q].codes, database.sequence_at(range.first + s), matrix, gap));
      }
  }
}

}  // namespace

TEST_CASE("tiny: align published") {
  Random random(7);
  SequenceSet set(Alphabet::protein);
  for (const std::size_t length : {1, 5, 9}) set.append("s", random_codes(random, length));
  const Database database = Database::build(set);
  for (const align_test::Variant& variant : align_test::variants()) {
    CAPTURE(variant.name);
    check_published(variant.device, database, {random_codes(random, 7)}, blosum62(), {2, 1}, 9);
  }
}

TEST_CASE("align: published scheme, by inter, intra and both") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Sequence like = random_codes(random, 700);
  const Database database = Database::build(align_test::random_set(random, 150, 800, Alphabet::protein, 27, like));
  std::vector<Sequence> queries = {like,
                                   {3},
                                   mutated(random, like, 9),
                                   random_codes(random, 32),
                                   random_codes(random, 33),
                                   random_codes(random, 257)};
  for (const align_test::Variant& variant : align_test::variants()) {
    CAPTURE(variant.name);
    for (const std::uint64_t threshold : {std::uint64_t{0}, std::uint64_t{400}, std::uint64_t{1} << 32}) {
      CAPTURE(threshold);
      check_published(variant.device, database, queries, blosum62(), {11, 1}, threshold);
    }
    check_published(variant.device, database, queries, Matrix::named("PAM30"), {0, 1}, 400);
    check_published(variant.device, database, queries, blosum62(), {100, 0}, 400);
  }
}

TEST_CASE("align: published scheme, subjects as long as the threshold") {
  Random random(11);
  SequenceSet set(Alphabet::protein);
  for (const std::size_t length : {299, 300, 301, 300, 299}) set.append("s", random_codes(random, length));
  const Database database = Database::build(set);
  for (const align_test::Variant& variant : align_test::variants()) {
    CAPTURE(variant.name);
    for (const std::uint64_t threshold : {299, 300, 301, 302})
      check_published(variant.device, database, {random_codes(random, 200)}, blosum62(), {11, 1}, threshold);
  }
}

TEST_CASE("align: published scheme, DNA, long subjects and high scores") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Sequence like = random_codes(random, 3000, 4);
  SequenceSet set(Alphabet::dna);
  set.append("a", mutated(random, like, 30, 4));
  set.append("b", random_codes(random, 6000, 4));
  set.append("c", like);
  set.append("d", random_codes(random, 100, 15));
  const Database database = Database::build(set);
  for (const align_test::Variant& variant : align_test::variants()) {
    CAPTURE(variant.name);
    check_published(variant.device, database, {like}, Matrix::dna(), {5, 2}, 3072);
    check_published(variant.device, database, {like}, Matrix::dna(127, -100), {300, 20}, 3072);
    check_published(variant.device, database, {like}, Matrix::dna(127, -100), {300, 20}, std::uint64_t{1} << 32);
  }
}
