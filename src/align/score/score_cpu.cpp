
#include "align/score/score_cpu.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

#include "align/pipeline.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::align {
namespace {

int never_taken(const ScoringTable& table) { return -(2 * table.gap.first() + 1); }

}  // namespace

int row_score(const ScoringTable& table, const Query& query, std::size_t row, unsigned subject_class) noexcept {
  if (query.profile == nullptr) return table.score(query.codes[row], subject_class);
  if (subject_class >= table.classes()) return ScoringTable::pad_score;
  return std::max((*query.profile)(row, table.representative[subject_class]), never_taken(table));
}

ScoreRange score_range(const ScoringTable& table, std::span<const Query> queries) noexcept {
  if (queries.empty() || queries.front().profile == nullptr) return {table.matrix.lowest(), table.matrix.highest()};
  ScoreRange range{127, -127};
  for (const Query& query : queries) {
    range.lowest = std::min(range.lowest, std::max(query.profile->lowest(), never_taken(table)));
    range.highest = std::max(range.highest, query.profile->highest());
  }
  return range;
}

bool are_profiles(std::span<const Query> queries) {
  const auto has = [](const Query& query) { return query.profile != nullptr; };
  const bool any = std::ranges::any_of(queries, has);
  if (any && !std::ranges::all_of(queries, has)) throw Error("profiles and plain queries in one batch");
  return any;
}

std::vector<LanesWidth> lanes_widths(const ScoringTable& table, const ScoreRange& range, unsigned first_bits,
                                     bool saturating) {
  const int first = table.gap.first();
  const int lowest = std::min(range.lowest, -1), highest = std::max(range.highest, 1);
  // A subtraction from a value of at least `zero`, or an addition to a value of at most `cap`, does not overflow.
  const auto plain = [&](unsigned bits, int least, int most) {
    return LanesWidth{
        .bits = bits, .saturating = false, .zero = least + std::max(first, -lowest), .cap = most - highest};
  };
  std::vector<LanesWidth> widths;
  if (first_bits <= 8) {
    // The minimum range: with less, scores of unrelated sequences overflow too often.
    constexpr int min_range = 120;
    const LanesWidth in_range = plain(8, -128, 127);
    const bool can_saturate = first <= 127;
    const bool fits = first <= 127 && in_range.cap - in_range.zero >= min_range;
    if (can_saturate && (saturating || !fits))
      widths.push_back({.bits = 8, .saturating = true, .zero = -128, .cap = 126});
    else if (fits)
      widths.push_back(in_range);
  }
  if (first_bits <= 16) {
    static_assert(GapPenalty::most < 16'384 && Matrix::most < 16'384);
    widths.push_back(plain(16, std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max()));
  }
  // Sufficient for 2^24 rows that score at most 127 each.
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
  std::uint64_t rows = 0;  // rows of the last stack
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
    made.max_queries = std::max(made.max_queries, number + 1 - made.stacks.back());
    made.max_rows = std::max(made.max_rows, static_cast<std::uint32_t>(rows));
  }
  made.stacks.push_back(static_cast<std::uint32_t>(made.queries.size()));
  return made;
}

std::vector<std::int8_t> cpu_scores(const ScoringTable& table, std::span<const Query> queries, const CpuQueries& made) {
  // Any score below 0 suffices for a pad; a lower score than that of the rows would reduce the range.
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
  const std::uint64_t row = 2 * vector_bits / 8;  // size of H and E of a row, and of a column's border
  const std::uint64_t columns = runtime::round_up(longest_subject, 4);
  CpuMemory memory{.strip_rows = queries.max_rows};
  if (queries.max_rows > strip_rows && columns / 4 < queries.max_rows) {
    memory.strip_rows = strip_rows;
    memory.border_blocks = static_cast<std::uint32_t>(columns / 4);
  }
  memory.cells = memory.strip_rows * row;
  memory.border = memory.border_blocks * row * 4;
  memory.best = queries.max_queries * row / 2;
  return memory;
}

namespace {

// Pairs to compute again, by query. Subjects are ascending, i.e. shortest first.
using Unsure = std::vector<std::vector<std::uint32_t>>;

CpuList cut_unsure(const Unsure& unsure, unsigned lanes, std::span<const cl_uint4> queries,
                   std::span<const std::uint32_t> lengths) {
  CpuList list;
  for (std::uint32_t query = 0; query < unsure.size(); ++query) {
    const auto first = static_cast<std::uint32_t>(list.subjects.size());
    list.subjects.insert(list.subjects.end(), unsure[query].begin(), unsure[query].end());
    // From the longest subject on: the last job may be incomplete and has the shortest subjects.
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

namespace {

using runtime::ceil_div;

/// Bytes of H and E that stay in a core's cache with the other data.
constexpr std::uint32_t cached_bytes = std::uint32_t{512} << 10;
/// With at least this number of rows, the profile of a block of columns costs little compared with the rows.
constexpr std::uint32_t stacked_rows = 2'048;
/// A 32-bit counter holds this value, plus one extra request of each worker.
constexpr std::uint64_t max_jobs = std::uint64_t{1} << 31;

bool has_avx512() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx512bw") != 0;
#else
  return false;
#endif
}

/// The parameters that are the same for all widths.
struct Batch {
  const Device& device;
  const ScoringTable& table;
  const DeviceChunk& chunk;
  CpuQueries queries;
  Array<cl_uint4> query_table = {};
  Array<std::uint8_t> codes = {};
  Array<std::uint32_t> stacks = {};
  Array<std::int8_t> scores = {};
  std::uint32_t longest_subject = 0;
  std::uint32_t strip_rows = 0;
  CpuForm form = {};
  bool profiles = false;  ///< the queries are profiles

  std::uint32_t vectors(const LanesWidth& width) const {
    return static_cast<std::uint32_t>(ceil_div(chunk.count(), form.lanes(width)));
  }
  /// Number of words with one bit for each lane of a vector of subjects.
  std::uint32_t masks(const LanesWidth& width) const { return std::max(1u, form.lanes(width) / 32); }
  std::uint32_t masked(const LanesWidth& width) const { return std::min(32u, form.lanes(width)); }
};

/// Computes all pairs, or those of `list`, with one width. Writes the pairs to compute again to `unsure` and returns
/// their number.
std::uint32_t run_width(const Batch& batch, const LanesWidth& width, const CpuList* list, DeviceScores& scores,
                        std::vector<std::uint32_t>& unsure) {
  const Device& device = batch.device;
  const std::uint32_t count = batch.chunk.count(), vectors = batch.vectors(width);
  const std::uint32_t stacks = static_cast<std::uint32_t>(batch.queries.stacks.size()) - 1;
  const std::uint64_t jobs = list != nullptr ? list->jobs.size() : std::uint64_t{stacks} * vectors;
  const CpuMemory memory = cpu_memory(batch.form.vector_bits, batch.queries, batch.longest_subject, batch.strip_rows);

  // The number of workers is that of concurrent threads, or less if the memory for long sequences is insufficient.
  const std::uint64_t fitting =
      std::min<std::uint64_t>(device.info().max_allocation, runtime::core_of(device).free_memory() / 2) /
      memory.bytes();
  const std::uint64_t workers =
      std::max<std::uint64_t>(1, std::min<std::uint64_t>({jobs, device.info().compute_units, fitting}));
  runtime::check_capacity(device, "scores of long sequences", workers * std::max(memory.cells, memory.border),
                          workers * memory.bytes());

  runtime::Scratch cells(device, workers * memory.cells);
  runtime::Scratch border(device, std::max<std::uint64_t>(workers * memory.border, 4));
  runtime::Scratch best(device, workers * memory.best);
  const std::uint64_t masks =
      batch.masks(width) * (list != nullptr ? jobs : std::uint64_t{vectors} * batch.queries.queries.size());
  Array<std::uint32_t> unsure_masks(device, masks), counters(device, 2);
  counters.fill(0);
  Array<std::uint32_t> listed(device, list != nullptr ? list->subjects.size() : 1);
  Array<cl_uint4> job_list(device, list != nullptr ? list->jobs.size() : 1);
  if (list != nullptr) {
    listed.upload(list->subjects);
    job_list.upload(list->jobs);
  }

  runtime::Defines defines;
  defines.set("ONLY_CPU", 1).set("CELL_BITS", width.bits).set("SATURATING", width.saturating ? 1 : 0);
  defines.set("COLUMNS", DeviceChunk::column_block).set("CHUNK_LANES", DeviceChunk::lanes);
  defines.set("VECTOR_BITS", batch.form.vector_bits).set("LISTED", list != nullptr ? 1 : 0);
  defines.set("PROFILES", batch.profiles ? 1 : 0);
  defines.set("PROFILE_ROWS", CpuQueries::max_profile_rows).set("MASKS", batch.masks(width));
  runtime::Kernel(device, "align/score/score_cpu.cl", "score_cpu", defines)
      .args(batch.chunk.letters, batch.chunk.begin, batch.chunk.length, count, std::uint32_t{batch.table.pad()},
            batch.scores, static_cast<std::uint32_t>(batch.queries.rows.size()), batch.codes, batch.query_table,
            batch.stacks, static_cast<std::uint32_t>(jobs), vectors, listed, job_list, cells, border, best,
            memory.strip_rows, memory.border_blocks, batch.queries.max_queries, batch.table.gap.first(),
            batch.table.gap.extend, width.zero, width.cap, scores, unsure_masks, counters)
      .run(static_cast<std::size_t>(workers), 1, batch.chunk.letters.size() * stacks);
  const std::uint32_t again = counters.download()[1];
  if (again != 0) unsure = unsure_masks.download();
  return again;
}

std::uint64_t score_batch(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                          std::span<const Query> queries, std::uint32_t first_number, DeviceScores& scores,
                          const CpuOptions& options) {
  std::vector<std::uint32_t> numbers(queries.size());
  std::iota(numbers.begin(), numbers.end(), first_number);
  const CpuForm form = options.form.value_or(cpu_form(device));
  const std::uint32_t strip_rows = options.strip_rows != 0 ? options.strip_rows : cached_bytes / (form.vector_bits / 4);
  const std::uint32_t stack_rows = std::min(options.stack_rows != 0 ? options.stack_rows : stacked_rows, strip_rows);
  Batch batch{
      .device = device, .table = table, .chunk = chunk, .queries = make_cpu_queries(queries, numbers, stack_rows)};
  batch.query_table = Array<cl_uint4>(device, std::span<const cl_uint4>(batch.queries.queries));
  batch.codes = Array<std::uint8_t>(device, std::span<const std::uint8_t>(batch.queries.codes));
  batch.stacks = Array<std::uint32_t>(device, std::span<const std::uint32_t>(batch.queries.stacks));
  batch.scores = Array<std::int8_t>(device, std::span<const std::int8_t>(cpu_scores(table, queries, batch.queries)));
  batch.profiles = are_profiles(queries);
  batch.longest_subject = *std::max_element(chunk.lengths.begin(), chunk.lengths.end());
  batch.strip_rows = strip_rows;
  batch.form = form;

  std::vector<LanesWidth> widths =
      lanes_widths(table, score_range(table, queries), options.first_bits, form.saturating);
  if (options.highest_sure != 0)
    for (LanesWidth& width : widths)
      if (width.bits < 32) width.cap = std::min(width.cap, width.zero + options.highest_sure);
  std::vector<std::uint32_t> unsure;
  std::uint64_t first_again = 0;
  CpuList list;
  for (std::size_t w = 0; w < widths.size(); ++w) {
    const std::uint32_t again = run_width(batch, widths[w], w == 0 ? nullptr : &list, scores, unsure);
    if (w == 0) first_again = again;
    if (again == 0) return first_again;
    if (w + 1 == widths.size()) break;
    const unsigned lanes = form.lanes(widths[w + 1]);
    list = w == 0 ? list_unsure(unsure, batch.vectors(widths[0]) * batch.masks(widths[0]), batch.masked(widths[0]),
                                lanes, batch.queries.queries, chunk.lengths)
                  : list_unsure(unsure, list, lanes, batch.queries.queries, chunk.lengths);
  }
  throw Error("score_cpu: a score beyond 32 bits");
}

}  // namespace

CpuForm cpu_form(const Device& device) {
  const auto has = [](std::string_view text) { return text.find("Intel") != std::string_view::npos; };
  const DeviceInfo& info = device.info();
  const bool intel = has(info.vendor) || has(info.name);
  // Intel's own driver takes minutes to compile 64-byte vectors.
  const bool wide = intel && !has(info.platform) && has_avx512();
  return {.vector_bits = wide ? 512u : 256u, .saturating = !intel};
}

std::uint64_t score_cpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, DeviceScores& scores, const CpuOptions& options) {
  if (chunk.layout != DeviceChunk::Layout::interleaved) throw InputError("score_cpu: the layout is interleaved");
  const std::uint64_t vectors = ceil_div(chunk.count(), 8);
  std::uint64_t again = 0;
  for (std::size_t first = 0; first < queries.size();) {
    std::uint64_t letters = 0;
    std::size_t last = first;
    while (last < queries.size() && (last == first || (letters + queries[last].codes.size() < max_jobs &&
                                                       (last + 1 - first) * vectors < max_jobs)))
      letters += queries[last++].codes.size();
    again += score_batch(device, table, chunk, queries.subspan(first, last - first), static_cast<std::uint32_t>(first),
                         scores, options);
    first = last;
  }
  return again;
}

std::uint64_t score_cpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, DeviceScores& scores) {
  return score_cpu(device, table, chunk, queries, scores, CpuOptions{});
}

}  // namespace genocl::align
