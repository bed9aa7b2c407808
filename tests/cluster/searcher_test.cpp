#include <doctest/doctest.h>

#include <random>

#include "cluster/pieces.hpp"
#include "genocl/cluster.hpp"

using namespace genocl;

namespace {

SequenceSet drawn_proteins(std::size_t count, std::size_t longest) {
  std::mt19937 random(5);
  SequenceSet set(Alphabet::protein);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Code> codes(1 + random() % longest);
    for (Code& code : codes) code = static_cast<Code>(random() % 20);
    set.append("s" + std::to_string(i), codes);
  }
  return set;
}

}  // namespace

TEST_CASE("cluster: pieces of a shared database") {
  using cluster::piece_residues;
  const auto pieces = [](std::uint64_t residues, std::uint64_t gpus) {
    return (residues + piece_residues(residues, 0, gpus) - 1) / piece_residues(residues, 0, gpus);
  };
  // A GPU gets pieces of 50 million residues if the database has as many, and all GPUs get equal numbers of pieces.
  CHECK(piece_residues(510'000'000, 0, 2) >= 50'000'000);
  CHECK(pieces(510'000'000, 2) == 10);
  CHECK(pieces(200'000'000, 4) == 4);
  CHECK(pieces(80'000'000, 4) == 4);
  CHECK(piece_residues(1'000, 0, 8) == 12'000'000);
  CHECK(piece_residues(std::uint64_t{1} << 40, 0, 2) == std::uint64_t{1} << 28);
  // CPUs: 16 pieces each, from a million residues on.
  CHECK(piece_residues(320'000'000, 2, 0) == 10'000'000);
  CHECK(piece_residues(320'000'000, 1, 1) == 10'000'000);
  CHECK(piece_residues(5, 1, 0) == 1'000'000);
}

TEST_CASE("cluster: hits do not depend on the pieces") {
  const cluster::Communicator ranks(MPI_COMM_WORLD);
  const std::vector<Device> devices = cluster::pick_devices(ranks);
  const SequenceSet queries = drawn_proteins(3, 60);
  const align::Database database = align::Database::build(drawn_proteins(300, 200));
  align::SearchOptions options{.top = 7};
  const align::SearchResult expected = align::Searcher(devices, database, options).search(queries);
  for (const std::uint64_t residues : {std::uint64_t{0}, std::uint64_t{700}, std::uint64_t{9'000}}) {
    options.chunk_residues = residues;
    const align::SearchResult found = cluster::Searcher(ranks, devices, database, options).search(queries);
    CHECK(found.counts.cells == expected.counts.cells);
    if (!ranks.is_root()) continue;
    REQUIRE(found.hits.size() == expected.hits.size());
    for (std::size_t q = 0; q < found.hits.size(); ++q) {
      REQUIRE(found.hits[q].size() == expected.hits[q].size());
      for (std::size_t i = 0; i < found.hits[q].size(); ++i) {
        CHECK(found.hits[q][i].subject == expected.hits[q][i].subject);
        CHECK(found.hits[q][i].score == expected.hits[q][i].score);
      }
    }
  }
}
