#include "align/score/score_cpu_plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "genocl/opencl.hpp"
#include "runtime/launch.hpp"

namespace genocl::align {

std::vector<LanesWidth> lanes_widths(const ScoringTable& table, const ScoreRange& range, unsigned first_bits,
                                     bool saturating) {
  const int first = table.gap.first();
  const int lowest = std::min(range.lowest, -1), highest = std::max(range.highest, 1);
  // Nothing that is subtracted from a number of `zero` or more leaves the range; nothing added to one up to `cap` does.
  const auto plain = [&](unsigned bits, int least, int most) {
    return LanesWidth{
        .bits = bits, .saturating = false, .zero = least + std::max(first, -lowest), .cap = most - highest};
  };
  std::vector<LanesWidth> widths;
  if (first_bits <= 8) {
    // Room for most scores of unrelated sequences, or it is not worth the try.
    constexpr int least_range = 120;
    const LanesWidth in_range = plain(8, -128, 127);
    const bool can_saturate = first <= 127;
    const bool fits = first <= 127 && in_range.cap - in_range.zero >= least_range;
    if (can_saturate && (saturating || !fits))
      widths.push_back({.bits = 8, .saturating = true, .zero = -128, .cap = 126});
    else if (fits)
      widths.push_back(in_range);
  }
  if (first_bits <= 16) {
    static_assert(GapPenalty::most < 16'384 && Matrix::most < 16'384);
    widths.push_back(plain(16, std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max()));
  }
  // 2^24 rows score at most 127 each.
  widths.push_back({.bits = 32, .saturating = false, .zero = 0, .cap = std::numeric_limits<std::int32_t>::max()});
  return widths;
}

CpuQueries make_cpu_queries(std::span<const Query> queries, std::span<const std::uint32_t> numbers,
                            std::uint32_t stack_rows) {
  CpuQueries made;
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return queries[a].codes.size() > queries[b].codes.size(); });
  std::array<bool, 32> occurs = {};
  for (const Query& query : queries)
    for (const Code code : query.codes) occurs[code & 31] = true;
  for (Code code = 0; code < 32; ++code)
    if (occurs[code]) {
      made.row_of[code] = static_cast<std::uint8_t>(made.rows.size());
      made.rows.push_back(code);
    }
  made.order = order;
  std::uint64_t rows = 0;  // of the last stack
  for (const std::size_t q : order) {
    const std::span<const Code> codes = queries[q].codes;
    const auto number = static_cast<std::uint32_t>(made.queries.size());
    const auto length = static_cast<std::uint32_t>(codes.size());
    made.queries.push_back({{static_cast<cl_uint>(made.codes.size()), length, numbers[q], 0}});
    for (const Code code : codes) made.codes.push_back(made.row_of[code & 31]);
    if (made.stacks.empty() || rows + length > stack_rows) {
      made.stacks.push_back(number);
      rows = 0;
    }
    rows += length;
    made.most_queries = std::max(made.most_queries, number + 1 - made.stacks.back());
    made.most_rows = std::max(made.most_rows, static_cast<std::uint32_t>(rows));
  }
  made.stacks.push_back(static_cast<std::uint32_t>(made.queries.size()));
  return made;
}

std::vector<std::int8_t> cpu_scores(const ScoringTable& table, std::span<const Query> queries, const CpuQueries& made) {
  // A pad needs no more than a score below 0; a lower one would need a wider range.
  const int lowest = std::min(score_range(table, queries).lowest, -1);
  std::vector<std::int8_t> scores;
  const auto add = [&](auto&& score) {
    for (unsigned subject_class = 0; subject_class < 32; ++subject_class)
      scores.push_back(static_cast<std::int8_t>(std::max(score(subject_class), lowest)));
  };
  if (!are_profiles(queries)) {
    for (const Code code : made.rows) add([&](unsigned subject_class) { return table.score(code, subject_class); });
    return scores;
  }
  for (const std::size_t q : made.order)
    for (std::size_t row = 0; row < queries[q].codes.size(); ++row)
      add([&](unsigned subject_class) { return row_score(table, queries[q], row, subject_class); });
  return scores;
}

CpuMemory cpu_memory(unsigned vector_bits, const CpuQueries& queries, std::uint32_t longest_subject,
                     std::uint32_t strip_rows) {
  const std::uint64_t row = 2 * vector_bits / 8;  // of H and E: as much as the border of a column
  const std::uint64_t columns = runtime::round_up(longest_subject, 4);
  CpuMemory memory{.strip_rows = queries.most_rows};
  if (queries.most_rows > strip_rows && columns / 4 < queries.most_rows) {
    memory.strip_rows = strip_rows;
    memory.border_blocks = static_cast<std::uint32_t>(columns / 4);
  }
  memory.cells = memory.strip_rows * row;
  memory.border = memory.border_blocks * row * 4;
  memory.best = queries.most_queries * row / 2;
  return memory;
}

namespace {

// Pairs that are to be computed again, by query; subjects ascending, so shortest first.
using Unsure = std::vector<std::vector<std::uint32_t>>;

CpuList cut_unsure(const Unsure& unsure, unsigned lanes, std::span<const cl_uint4> queries,
                   std::span<const std::uint32_t> lengths) {
  CpuList list;
  for (std::uint32_t query = 0; query < unsure.size(); ++query) {
    const auto first = static_cast<std::uint32_t>(list.subjects.size());
    list.subjects.insert(list.subjects.end(), unsure[query].begin(), unsure[query].end());
    // From the longest on, so that the last job, which has lanes to spare, has the short ones.
    for (auto end = static_cast<std::uint32_t>(list.subjects.size()); end > first;) {
      const std::uint32_t count = std::min<std::uint32_t>(lanes, end - first);
      end -= count;
      list.jobs.push_back({{query, end, count, 0}});
    }
  }
  const auto cells = [&](const cl_uint4& job) {
    return std::uint64_t{queries[job.s[0]].s[1]} * lengths[list.subjects[job.s[1] + job.s[2] - 1]];
  };
  std::stable_sort(list.jobs.begin(), list.jobs.end(),
                   [&](const cl_uint4& a, const cl_uint4& b) { return cells(a) > cells(b); });
  return list;
}

}  // namespace

CpuList list_unsure(std::span<const std::uint32_t> unsure, std::uint32_t masks, unsigned masked, unsigned lanes,
                    std::span<const cl_uint4> queries, std::span<const std::uint32_t> lengths) {
  Unsure found(queries.size());
  for (std::size_t query = 0; query < queries.size(); ++query)
    for (std::uint32_t mask = 0; mask < masks; ++mask)
      for (std::uint32_t bits = unsure[query * masks + mask]; bits != 0; bits &= bits - 1)
        found[query].push_back(mask * masked + static_cast<std::uint32_t>(std::countr_zero(bits)));
  return cut_unsure(found, lanes, queries, lengths);
}

CpuList list_unsure(std::span<const std::uint32_t> unsure, const CpuList& before, unsigned lanes,
                    std::span<const cl_uint4> queries, std::span<const std::uint32_t> lengths) {
  Unsure found(queries.size());
  for (std::size_t job = 0; job < before.jobs.size(); ++job)
    for (std::uint32_t bits = unsure[job]; bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
      found[before.jobs[job].s[0]].push_back(before.subjects[before.jobs[job].s[1] + lane]);
    }
  for (auto& subjects : found) std::sort(subjects.begin(), subjects.end());
  return cut_unsure(found, lanes, queries, lengths);
}

}  // namespace genocl::align
