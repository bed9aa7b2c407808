// The published scheme (Pham et al., swGPUCluster, sections III and IV): the inter-task kernel handles short subjects,
// the intra-task kernel the others, by tiles along anti-diagonals or, as in the paper, by cells of an anti-diagonal.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "align/pipeline.hpp"
#include "genocl/align/searcher.hpp"
#include "pairwise/tiles.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/names.hpp"
#include "runtime/scratch.hpp"

namespace genocl::align {
namespace {

using pairwise::TilePlan;
using runtime::ceil_div;
using runtime::round_up;

/// Query rows of a work-item at a time, and letters with scores in a profile.
constexpr std::uint64_t query_rows = 32, letter_rows = 32;
constexpr std::uint64_t element = pairwise::border_element;
/// Groups of a launch and items of a group in the paper.
constexpr std::uint64_t paper_groups = 30, paper_group_size = 256;

/// Maximum bytes of borders on the device at a time.
std::uint64_t border_limit(const Device& device) {
  const DeviceInfo& info = device.info();
  return std::min({std::uint64_t{2} << 30, runtime::usable_memory(device) / 16, info.max_allocation});
}

/// [strip][letter][row], with pads below the query.
std::vector<std::int8_t> make_profile(const ScoringTable& table, std::span<const Code> query) {
  const std::uint64_t strips = ceil_div(query.size(), query_rows);
  std::vector<std::int8_t> profile(strips * letter_rows * query_rows, ScoringTable::pad_score);
  for (std::uint64_t i = 0; i < query.size(); ++i)
    for (unsigned letter = 0; letter <= table.classes(); ++letter)
      profile[((i / query_rows) * letter_rows + letter) * query_rows + i % query_rows] =
          static_cast<std::int8_t>(table.score(query[i], letter));
  return profile;
}

/// Computes one pair per work-item: subjects [0, end) of the chunk with each query in turn. `exactly`: in batches of
/// the size of the paper.
void score_inter(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                 std::span<const Query> queries, std::uint32_t end, bool exactly, DeviceScores& scores) {
  const unsigned size = runtime::group_size(device, {}, exactly ? paper_group_size : 128);
  const std::uint64_t batch_limit = exactly ? paper_groups * paper_group_size : end;
  runtime::Defines defines;
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("QUERY_ROWS", query_rows).set("LETTERS", letter_rows);
  runtime::Kernel kernel(device, "align/score/inter.cl", "inter", defines);

  struct Batch {
    std::uint32_t first, count;
  };
  std::vector<Batch> batches;
  std::uint64_t most = 1;
  for (std::uint32_t first = 0; first < end;) {
    Batch batch{first, 0};
    const auto elements = [&](std::uint64_t count) {
      return count * round_up(chunk.lengths[first + count - 1], 4);  // the last one is the longest
    };
    while (first + batch.count < end && batch.count < batch_limit &&
           (batch.count == 0 || elements(batch.count + 1) * element <= border_limit(device)))
      ++batch.count;
    most = std::max(most, elements(batch.count));
    batches.push_back(batch);
    first += batch.count;
  }
  const runtime::Scratch borders(device, most * element);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const std::vector<std::int8_t> host = make_profile(table, queries[q].codes);
    const Array<std::int8_t> profile(device, std::span<const std::int8_t>(host));
    const auto strips = static_cast<std::uint32_t>(ceil_div(queries[q].codes.size(), query_rows));
    for (const Batch& batch : batches)
      kernel
          .args(chunk.letters, chunk.begin, chunk.length, profile, borders, scores, batch.first, batch.count, strips,
                std::uint64_t{q} * chunk.count(), std::int32_t{table.gap.first()}, std::int32_t{table.gap.extend})
          .run(ceil_div(batch.count, size), size);
  }
  device.finish();  // the profiles are released
}

/// Scores of codes with classes, for the tile kernels.
std::vector<std::int8_t> scores_of_classes(const ScoringTable& table) {
  constexpr std::size_t codes = pairwise::scoring_codes;
  const std::size_t size = alphabet_size(table.matrix.alphabet());
  std::vector<std::int8_t> scores(codes * codes, pairwise::PairScoring::pad_score);
  for (std::size_t query = 0; query < size; ++query)
    for (unsigned letter = 0; letter <= table.classes(); ++letter)
      scores[query * codes + letter] = static_cast<std::int8_t>(table.score(static_cast<Code>(query), letter));
  return scores;
}

/// Computes one pair per group, cell by cell: subjects [first, chunk.count()).
void score_intra_cells(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                       std::span<const Query> queries, std::uint32_t first, DeviceScores& scores) {
  const unsigned size = runtime::group_size(device, {}, paper_group_size);
  const std::uint64_t groups = std::min<std::uint64_t>(paper_groups, chunk.count() - first);
  runtime::Defines defines;
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("CODES", pairwise::scoring_codes);
  runtime::Kernel kernel(device, "align/score/intra.cl", "intra", defines);
  const std::vector<std::int8_t> host = scores_of_classes(table);
  const Array<std::int8_t> matrix(device, std::span<const std::int8_t>(host));
  std::uint64_t rows = 0;
  for (const Query& query : queries) rows = std::max(rows, std::uint64_t{query.codes.size()});
  // H, E and F of three diagonals, with a border.
  const Array<std::int32_t> diagonals(device, groups * 9 * (rows + 1));
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const Array<Code> query(device, queries[q].codes);
    kernel
        .args(query, chunk.letters, chunk.begin, chunk.length, matrix, diagonals, scores,
              static_cast<std::uint32_t>(queries[q].codes.size()), first, chunk.count(),
              std::uint64_t{q} * chunk.count(), std::int32_t{table.gap.first()}, std::int32_t{table.gap.extend})
        .run(groups, size);
  }
  device.finish();  // the queries are released
}

/// Computes one pair per group or worker, tile by tile, for subjects [first, end). `cut`: tiles of a long pair are
/// computed in parallel.
void score_intra(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                 std::span<const Query> queries, std::uint32_t first, std::uint32_t end, bool cut,
                 DeviceScores& scores) {
  const pairwise::TileShape shape = pairwise::tile_shape(device);
  const pairwise::PairScoring scoring(device, scores_of_classes(table), table.classes() + 1, table.matrix.highest(),
                                      table.gap);
  const std::vector<std::uint32_t> begin = chunk.begin.download();
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const Array<Code> query(device, queries[q].codes);
    for (std::uint32_t subject = first; subject < end;) {
      const std::uint32_t from = subject;
      std::vector<TilePlan> plans;
      std::uint64_t elements = 0;
      while (subject < end) {
        TilePlan plan{.subject = begin[subject],
                      .query_length = static_cast<std::uint32_t>(queries[q].codes.size()),
                      .subject_length = chunk.lengths[subject]};
        const std::uint64_t own = pairwise::place_borders(shape, plan, elements);
        if (!plans.empty() && (elements + own) * element > border_limit(device)) break;
        elements += own;
        plans.push_back(plan);
        ++subject;
      }
      const runtime::Scratch borders = pairwise::border_memory(device, plans, elements);
      std::vector<std::int32_t> found;
      for (const pairwise::TileEnd& best :
           pairwise::compute_tiles(device, scoring, query.buffer(), chunk.letters.buffer(), plans, borders.buffer(),
                                   {.cut = cut, .ends = false}))
        found.push_back(best.score);
      scores.upload(found, q * chunk.count() + from);
    }
  }
}

}  // namespace

void score_published(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                     std::span<const Query> queries, std::uint64_t threshold, bool exactly, DeviceScores& scores) {
  const auto split =
      static_cast<std::uint32_t>(std::ranges::lower_bound(chunk.lengths, threshold) - chunk.lengths.begin());
  if (exactly) {
    if (split > 0) score_inter(device, table, chunk, queries, split, true, scores);
    if (split < chunk.count()) score_intra_cells(device, table, chunk, queries, split, scores);
  } else if (runtime::uses_cpu_kernels(device)) {
    // A worker processes one pair at a time; from the threshold on, workers share a pair.
    if (split > 0) score_intra(device, table, chunk, queries, 0, split, false, scores);
    if (split < chunk.count()) score_intra(device, table, chunk, queries, split, chunk.count(), true, scores);
  } else {
    if (split > 0) score_inter(device, table, chunk, queries, split, false, scores);
    if (split < chunk.count()) score_intra(device, table, chunk, queries, split, chunk.count(), false, scores);
  }
}

namespace {

constexpr runtime::Names<Kernel, 6> names = {{{Kernel::automatic, "auto"},
                                              {Kernel::published, "published"},
                                              {Kernel::inter, "inter"},
                                              {Kernel::intra, "intra"},
                                              {Kernel::cpu, "cpu"},
                                              {Kernel::gpu, "gpu"}}};

}  // namespace

std::string_view to_string(Kernel kernel) noexcept { return runtime::name_of(names, kernel); }

Kernel kernel_named(std::string_view name) {
  // "lanes" and "group" are the names of version 0.1.
  if (name == "lanes") return Kernel::cpu;
  if (name == "group") return Kernel::gpu;
  return runtime::value_named(names, "kernel", name);
}

}  // namespace genocl::align
