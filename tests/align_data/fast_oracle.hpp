// The oracle of tests/reference/align.hpp for real data: the same recurrence for eight subjects side by side in 16
// bits, on all cores; by that one if 16 bits are too few. Tests that use it check it against that one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "genocl/align/database.hpp"
#include "genocl/pairwise/scoring.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "reference/align.hpp"

namespace align_test {

class FastOracle {
 public:
  FastOracle(const genocl::pairwise::Matrix& matrix, const genocl::pairwise::GapPenalty& gap)
      : matrix_(matrix), gap_(gap) {}

  /// scores[q * subjects + rank]: of all queries and all subjects of the database, in the order of their ranks.
  std::vector<std::int32_t> operator()(const genocl::SequenceSet& queries,
                                       const genocl::align::Database& database) const {
    const std::size_t count = database.size(), groups = (count + lanes - 1) / lanes;
    std::vector<std::int32_t> scores(queries.size() * count);
    // Longest first.
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t task; (task = next++) < groups * queries.size();) {
        const std::size_t group = groups - 1 - task / queries.size(), query = task % queries.size();
        score_gpu(queries[query], database, group * lanes, scores.data() + query * count);
      }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    return scores;
  }

 private:
  static constexpr std::size_t lanes = 8;
  using Number = std::int16_t;
  typedef Number Lanes __attribute__((vector_size(lanes * sizeof(Number))));  // GCC's and clang's
  static Lanes greater(Lanes a, Lanes b) { return a > b ? a : b; }
  static Lanes all(int value) { return Lanes{} + static_cast<Number>(value); }

  void score_gpu(std::span<const genocl::Code> query, const genocl::align::Database& database, std::size_t first,
                 std::int32_t* scores) const {
    const std::size_t last = std::min(first + lanes, database.size());
    const std::size_t columns = database.length_at(last - 1);
    constexpr Number least = -16'000;
    struct Row {
      Lanes h, e;
    };
    std::vector<Row> rows(query.size());
    for (Row& row : rows) row = {Lanes{}, all(least)};
    const Lanes first_residue = all(gap_.first()), extend = all(gap_.extend);
    Lanes best = {};
    Lanes profile[32];
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t l = 0; l < lanes; ++l) {
        const bool inside = first + l < last && j < database.length_at(first + l);
        const genocl::Code letter = inside ? database.sequence_at(first + l)[j] : 0;
        for (unsigned code = 0; code < 27; ++code)
          profile[code][l] =
              inside ? static_cast<Number>(matrix_(static_cast<genocl::Code>(code), letter)) : Number{-128};
      }
      Lanes f = all(least), diagonal = {};
      for (std::size_t i = 0; i < query.size(); ++i) {
        Row& row = rows[i];
        const Lanes h = greater(greater(greater(diagonal + profile[query[i]], row.e), f), Lanes{});
        diagonal = row.h;
        row.h = h;
        best = greater(best, h);
        row.e = greater(row.e - extend, h - first_residue);
        f = greater(f - extend, h - first_residue);
      }
    }
    for (std::size_t s = first; s < last; ++s) {
      const bool fits = best[s - first] < 32'767 - matrix_.highest();
      scores[s] =
          fits
              ? best[s - first]
              : static_cast<std::int32_t>(genocl_reference::local_score(query, database.sequence_at(s), matrix_, gap_));
    }
  }

  const genocl::pairwise::Matrix& matrix_;
  const genocl::pairwise::GapPenalty gap_;
};

}  // namespace align_test
