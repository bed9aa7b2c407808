// Real data: scores of the queries that the field measures with, and of hard sequences, equal the oracle's.
// Runs in the deep set: it takes half a minute.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "align/pipeline.hpp"
#include "fast_oracle.hpp"
#include "real_data.hpp"
#include "reference/align.hpp"

using namespace genocl;
using namespace genocl::align;
using align_test::FastOracle;
using align_test::proteins;

namespace {

/// Every `step`-th of the records that are not longer than `longest`, `count` at most.
SequenceSet some_of(const SequenceSet& set, std::size_t count, std::size_t step, std::uint64_t longest) {
  SequenceSet chosen(set.alphabet());
  for (std::size_t i = 0; i < set.size() && chosen.size() < count; i += step)
    if (set.length(i) <= longest) chosen.append(set.name(i), set[i]);
  return chosen;
}

std::vector<std::int32_t> scores_on(const Device& device, const SequenceSet& queries, const Database& database,
                                    const Matrix& matrix, const GapPenalty& gap) {
  const ScoringTable table = make_scoring_table(matrix, gap, database.letter_counts());
  const bool lanes = device.family() == KernelFamily::cpu;
  std::vector<Query> batch;
  for (std::size_t q = 0; q < queries.size(); ++q) batch.push_back({queries[q]});
  const ChunkRange all{
      .first = 0, .count = database.size(), .residues = database.residues(), .longest = database.longest()};
  const DeviceChunk chunk =
      upload_chunk(device, database, all, table, lanes ? DeviceChunk::Layout::interleaved : DeviceChunk::Layout::plain);
  DeviceScores scores(device, batch.size() * database.size());
  if (lanes)
    score_cpu(device, table, chunk, batch, scores);
  else
    score_gpu(device, table, chunk, batch, scores);
  return scores.download();
}

void check_equal(const std::vector<std::int32_t>& found, const std::vector<std::int32_t>& expected) {
  REQUIRE(found.size() == expected.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] != expected[i];
  CHECK(wrong == 0);
}

const Device& device() {
  static const Device* const picked = new Device(Device::pick());
  return *picked;
}

}  // namespace

TEST_CASE("align on real proteins: the fast oracle is the plain one") {
  const SequenceSet queries = some_of(proteins("queries20.fasta"), 3, 1, 300), all = proteins("proteins_2m.fasta.gz");
  if (queries.empty() || all.empty()) return;
  const Database database = Database::build(some_of(all, 35, 100, 10'000));
  for (const GapPenalty gap : {GapPenalty{11, 1}, {0, 3}}) {
    const std::vector<std::int32_t> fast = FastOracle(blosum62(), gap)(queries, database);
    for (std::size_t q = 0; q < queries.size(); ++q)
      for (std::size_t rank = 0; rank < database.size(); ++rank)
        CHECK(fast[q * database.size() + rank] ==
              genocl_reference::local_score(queries[q], database.sequence_at(rank), blosum62(), gap));
  }
}

// Every matrix, several penalties: the twenty queries against 500 sequences. CASES_PER_RUN of the combinations would
// take a minute each with the scalar oracle.
TEST_CASE("align on real proteins: twenty queries against 500 sequences, every matrix") {
  const SequenceSet queries = proteins("queries20.fasta"), all = proteins("proteins_2m.fasta.gz");
  if (queries.empty() || all.empty()) return;
  const SequenceSet subjects = some_of(all, 500, 2, 250);
  REQUIRE(subjects.size() == 500);
  const Database database = Database::build(subjects);
  const std::pair<const char*, GapPenalty> scorings[] = {
      {"BLOSUM62", {11, 1}}, {"BLOSUM62", {5, 2}},
      {"BLOSUM45", {15, 2}}, {"BLOSUM50", {13, 2}},
      {"BLOSUM80", {10, 1}}, {"BLOSUM90", {10, 1}},
      {"PAM30", {9, 1}},     {"PAM70", {10, 1}},
      {"PAM250", {14, 2}},   {"BLOSUM62", GapPenalty::from_first(11, 1)},
  };
  for (const auto& scoring : scorings) {
    const std::string name = scoring.first;
    const GapPenalty gap = scoring.second;
    CAPTURE(name);
    CAPTURE(gap.open);
    const Matrix matrix = Matrix::named(name);
    check_equal(scores_on(device(), queries, database, matrix, gap), FastOracle(matrix, gap)(queries, database));
  }
}

TEST_CASE("align on real proteins: hard queries against hard subjects") {
  const SequenceSet queries = proteins("queries_edge.fasta"), subjects = proteins("db_small.fasta.gz");
  if (queries.empty() || subjects.empty()) return;
  const Database database = Database::build(subjects);
  const GapPenalty gap{11, 1};
  const std::vector<std::int32_t> expected = FastOracle(blosum62(), gap)(queries, database);
  CHECK(*std::max_element(expected.begin(), expected.end()) > 65'535);
  check_equal(scores_on(device(), queries, database, blosum62(), gap), expected);
}

TEST_CASE("align on real proteins: group kernels on any device") {
  const SequenceSet queries = proteins("queries20.fasta"), hard = proteins("queries_edge.fasta"),
                    all = proteins("db_small.fasta.gz");
  if (queries.empty() || hard.empty() || all.empty()) return;
  const Database database = Database::build(some_of(all, 60, 7, 250));
  const Device group = device().with_family(KernelFamily::gpu);
  for (const SequenceSet& batch : {some_of(queries, 4, 1, 400), some_of(hard, 8, 1, 100)})
    check_equal(scores_on(group, batch, database, blosum62(), {11, 1}),
                FastOracle(blosum62(), {11, 1})(batch, database));
}
