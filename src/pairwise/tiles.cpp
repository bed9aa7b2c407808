#include "pairwise/tiles.hpp"

#include <algorithm>
#include <numeric>

#include "genocl/opencl.hpp"
#include "pairwise/path.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::pairwise {
namespace {

using runtime::ceil_div;
using runtime::uses_cpu_kernels;

/// The highest value that kernels compute in 16 bits: they add a score to it before they subtract the bias.
constexpr std::int64_t max_narrow = 65535 - 255;

/// The launches of one computation. The jobs of a launch are independent, unless run_concurrently() is called.
class TileLaunches {
 public:
  TileLaunches(const Device& device, const TileShape& shape, const PairScoring& scoring, const cl::Buffer& queries,
               const cl::Buffer& subjects, std::span<const TilePlan> plans, const cl::Buffer& borders,
               std::uint64_t ends, bool finds_ends)
      : device_(device),
        shape_(shape),
        scoring_(scoring),
        queries_(queries),
        subjects_(subjects),
        borders_(borders),
        plans_(upload_scratch(device, plans)),
        ends_(device, ends * sizeof(TileEnd)),
        finds_ends_(finds_ends) {
    for (const TilePlan& plan : plans) {
      const std::int64_t shorter = std::min(plan.query_length, plan.subject_length);
      const std::int64_t highest = plan.zero + shorter * scoring.highest;
      may_be_wide_ = may_be_wide_ || plan.has_top != 0 || highest > max_narrow;
    }
  }

  void add(const TileJob& job) { jobs_.push_back(job); }
  /// Jobs added from here on wait for one another, also within a launch (CONCURRENT in cl/pairwise/tile_gpu.clh).
  void run_concurrently() {
    run();
    concurrent_ = true;
  }
  /// Makes a launch of the jobs added since the last one.
  void end_launch() {
    if (jobs_.size() > first_) starts_.push_back(first_);
    first_ = jobs_.size();
    if (jobs_.size() >= max_jobs) run();
  }

  void run() {
    if (jobs_.empty()) return;
    const runtime::Scratch jobs = upload_scratch(device_, std::span<const TileJob>(jobs_));
    starts_.push_back(jobs_.size());
    if (uses_cpu_kernels(device_))
      run_cpu(jobs);
    else
      run_gpu(jobs);
    jobs_.clear();
    starts_.clear();
    first_ = 0;
  }

  std::vector<TileEnd> ends(std::uint64_t count) const {
    std::vector<TileEnd> ends(count);
    runtime::download(device_, ends_.buffer(), 0, ends.data(), count * sizeof(TileEnd));
    return ends;
  }

 private:
  static constexpr std::size_t max_jobs = std::size_t{1} << 20;

  void run_gpu(const runtime::Scratch& jobs) {
    runtime::Defines defines = tile_defines(device_, shape_, scoring_.ends);
    defines.set("CONCURRENT", concurrent_ ? 1 : 0).set("FIND_ENDS", finds_ends_ ? 1 : 0);
    runtime::Kernel kernel(device_, "pairwise/tiles_gpu.cl", "tiles_gpu", defines);
    const runtime::Scratch next_job(device_, sizeof(std::uint32_t));
    for (std::size_t launch = 0; launch + 1 < starts_.size(); ++launch) {
      const std::uint32_t none = 0;
      if (concurrent_) runtime::fill(device_, next_job.buffer(), &none, sizeof none, sizeof none);
      kernel
          .args(queries_, subjects_, scoring_.matrix, plans_, jobs, borders_, ends_, next_job,
                static_cast<std::uint32_t>(starts_[launch]), scoring_.gap_first, scoring_.gap_extend)
          .run(starts_[launch + 1] - starts_[launch], shape_.group_size);
    }
  }

  void run_cpu(const runtime::Scratch& jobs) {
    std::size_t workers = 1;
    for (std::size_t launch = 0; launch + 1 < starts_.size(); ++launch)
      workers = std::max(workers, starts_[launch + 1] - starts_[launch]);
    workers = std::min<std::size_t>(workers, std::size_t{16} * std::max(1u, device_.info().compute_units));
    const runtime::Scratch profiles(device_, workers * shape_.rows * scoring_codes * sizeof(std::uint32_t));
    const runtime::Scratch done(device_, jobs_.size() * sizeof(std::uint32_t));
    runtime::Defines defines = tile_defines(device_, shape_, scoring_.ends);
    runtime::Kernel narrow(device_, "pairwise/tiles_cpu.cl", "tiles_cpu", defines.set("WIDE", 0));
    runtime::Kernel wide(device_, "pairwise/tiles_cpu.cl", "tiles_cpu", defines.set("WIDE", 1));
    for (std::size_t launch = 0; launch + 1 < starts_.size(); ++launch) {
      const std::size_t first = starts_[launch], end = starts_[launch + 1];
      for (runtime::Kernel* const kernel : {&narrow, &wide}) {
        if (kernel == &wide && !may_be_wide_) continue;
        kernel
            ->args(queries_, subjects_, scoring_.matrix, plans_, jobs, borders_, ends_, profiles, done,
                   static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end), scoring_.letters,
                   scoring_.highest, static_cast<std::uint32_t>(scoring_.gap_first),
                   static_cast<std::uint32_t>(scoring_.gap_extend))
            .run(std::min(workers, end - first), 1);
      }
    }
  }

  const Device& device_;
  const TileShape& shape_;
  const PairScoring& scoring_;
  const cl::Buffer& queries_;
  const cl::Buffer& subjects_;
  const cl::Buffer& borders_;
  runtime::Scratch plans_, ends_;
  bool may_be_wide_ = false, concurrent_ = false;
  const bool finds_ends_;
  std::vector<TileJob> jobs_;
  std::vector<std::size_t> starts_;
  std::size_t first_ = 0;
};

/// Launches the jobs of one anti-diagonal after another. A job has several adjacent tiles if the pair has more tiles
/// than the device needs.
void add_diagonals(TileLaunches& launches, const TileShape& shape, std::span<const TilePlan> plans,
                   std::span<const std::uint32_t> pairs) {
  struct Cut {
    std::uint32_t pair, rows, columns, tiles_per_job, jobs;
  };
  std::vector<Cut> cuts;
  std::uint32_t last = 0;
  for (const std::uint32_t pair : pairs) {
    Cut cut{.pair = pair, .rows = shape.rows_of(plans[pair]), .columns = shape.columns_of(plans[pair])};
    const auto wanted = static_cast<std::uint32_t>(ceil_div(plans[pair].subject_length, 2ull * shape.parallel_jobs));
    cut.tiles_per_job = static_cast<std::uint32_t>(ceil_div(std::max(shape.job_columns, wanted), shape.columns));
    cut.jobs = static_cast<std::uint32_t>(ceil_div(cut.columns, cut.tiles_per_job));
    last = std::max(last, cut.rows + cut.jobs - 1);
    cuts.push_back(cut);
  }
  for (std::uint32_t diagonal = 0; diagonal < last; ++diagonal) {
    for (const Cut& cut : cuts) {
      const std::uint32_t first = diagonal < cut.jobs ? 0 : diagonal - cut.jobs + 1;
      const std::uint32_t end = std::min(diagonal + 1, cut.rows);
      for (std::uint32_t row = first; row < end; ++row) {
        const std::uint32_t column = (diagonal - row) * cut.tiles_per_job;
        launches.add({.pair = cut.pair,
                      .first_row = row,
                      .rows = 1,
                      .first_column = column,
                      .columns = std::min(cut.tiles_per_job, cut.columns - column)});
      }
    }
    launches.end_launch();
  }
}

/// Makes a job of each strip of tiles. It follows the job of the strip above at a distance of some columns.
void add_strips(TileLaunches& launches, const TileShape& shape, std::span<const TilePlan> plans,
                std::span<const std::uint32_t> pairs) {
  for (const std::uint32_t pair : pairs)
    for (std::uint32_t row = 0; row < shape.rows_of(plans[pair]); ++row)
      launches.add(
          {.pair = pair, .first_row = row, .rows = 1, .first_column = 0, .columns = shape.columns_of(plans[pair])});
  launches.end_launch();
}

std::vector<std::int8_t> scores_of_codes(const Matrix& matrix) {
  const std::size_t size = alphabet_size(matrix.alphabet());
  std::vector<std::int8_t> scores(scoring_codes * scoring_codes, PairScoring::pad_score);
  for (std::size_t query = 0; query < size; ++query)
    for (std::size_t subject = 0; subject < size; ++subject)
      scores[query * scoring_codes + subject] =
          static_cast<std::int8_t>(matrix(static_cast<Code>(query), static_cast<Code>(subject)));
  return scores;
}

}  // namespace

TileShape tile_shape(const Device& device) {
  TileShape shape;
  const std::uint32_t units = std::max(1u, device.info().compute_units);
  if (uses_cpu_kernels(device)) {
    shape.rows = 1024;
    shape.columns = 256;
    shape.job_columns = 1024;
    shape.parallel_jobs = 4 * units;
    shape.min_cut_cells = std::uint64_t{4} << 20;
  } else {
    shape.group_size = device.has_ptx() ? 32 : 64;
    shape.rows_each = 4;
    shape.rows = shape.group_size * shape.rows_each;
    shape.columns = 128;
    shape.job_columns = 256;
    shape.parallel_jobs = 16 * units;
    shape.min_cut_cells = std::uint64_t{1} << 20;
  }
  return shape;
}

runtime::Defines tile_defines(const Device& device, const TileShape& shape, const PairEnds& ends) {
  runtime::Defines defines;
  defines.set("LOCAL", ends.local() ? 1 : 0);
  defines.set("FREE_QUERY_BEGIN", PairEnds::query_begin).set("FREE_QUERY_END", PairEnds::query_end);
  defines.set("FREE_SUBJECT_BEGIN", PairEnds::subject_begin).set("FREE_SUBJECT_END", PairEnds::subject_end);
  defines.set("TILE_COLUMNS", shape.columns);
  defines.set("STEP_PAIR", step_pair).set("STEP_DELETION", step_deletion).set("STEP_INSERTION", step_insertion);
  defines.set("ARRIVED", TracePosition::arrived).set("CODES", scoring_codes);
  defines.set("PLAN_BYTES", sizeof(TilePlan)).set("JOB_BYTES", sizeof(TileJob)).set("END_BYTES", sizeof(TileEnd));
  if (uses_cpu_kernels(device))
    defines.set("ONLY_CPU", 1).set("TILE_ROWS", shape.rows).set("MAX_NARROW", max_narrow);
  else
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", shape.group_size).set("ROWS_EACH", shape.rows_each);
  return defines;
}

PairScoring::PairScoring(const Device& device, const Matrix& matrix_of_codes, const GapPenalty& gap_penalty,
                         const PairEnds& pair_ends)
    : PairScoring(device, scores_of_codes(matrix_of_codes),
                  static_cast<std::uint32_t>(alphabet_size(matrix_of_codes.alphabet())), matrix_of_codes.highest(),
                  gap_penalty, pair_ends) {}

PairScoring::PairScoring(const Device& device, std::span<const std::int8_t> scores, std::uint32_t subject_letters,
                         int highest_score, const GapPenalty& gap_penalty, const PairEnds& pair_ends)
    : matrix(device, scores),
      letters(subject_letters),
      highest(std::max(0, highest_score)),
      gap_first(gap_penalty.first()),
      gap_extend(gap_penalty.extend),
      gap(gap_penalty),
      ends(pair_ends) {}

void PairScoring::place_ends(TilePlan& plan) const {
  if (ends.local()) return;
  plan.free = ends.bits();
  plan.zero = static_cast<std::int32_t>(zero_of(gap, plan.query_length, plan.subject_length));
}

std::uint64_t place_borders(const TileShape& shape, TilePlan& plan, std::uint64_t first) {
  const std::uint64_t rows = shape.rows_of(plan), columns = shape.columns_of(plan);
  // Slots of row borders (row_border() in cl/pairwise/tiles.clh): 0 for those that overwrite one another, 1 for the one
  // above the first row, then those kept. Slots before the first one in use have no memory: the offset wraps around.
  const std::uint64_t first_slot = plan.row_step > 1 ? 0 : plan.has_top != 0 ? 1 : 2;
  const std::uint64_t kept = (rows - 1) / plan.row_step;
  const std::uint64_t end_slot = kept > 0 ? kept + 2 : plan.has_top != 0 ? 2 : plan.row_step > 1 && rows > 1 ? 1 : 0;
  const std::uint64_t of_rows = end_slot > first_slot ? (end_slot - first_slot) * plan.subject_length : 0;
  const std::uint64_t column_slots = plan.keep_columns != 0 ? columns - 1 : std::min<std::uint64_t>(columns - 1, 1);
  plan.rows = first - first_slot * plan.subject_length;
  plan.columns = first + of_rows;
  return of_rows + column_slots * rows * (shape.rows + 1);
}

runtime::Scratch border_memory(const Device& device, std::span<const TilePlan> plans, std::uint64_t elements) {
  const std::uint64_t min_cut_cells = tile_shape(device).min_cut_cells;
  runtime::Scratch borders(device, std::max<std::uint64_t>(elements, 1) * border_element);
  const std::uint64_t unused = ~std::uint64_t{0};
  if (elements > 0 && std::ranges::any_of(plans, [&](const TilePlan& plan) { return plan.cells() > min_cut_cells; }))
    runtime::fill(device, borders.buffer(), &unused, border_element, elements * border_element);
  return borders;
}

std::vector<TileEnd> compute_tiles(const Device& device, const PairScoring& scoring, const cl::Buffer& queries,
                                   const cl::Buffer& subjects, std::span<TilePlan> plans, const cl::Buffer& borders,
                                   const TileWork& work) {
  const TileShape shape = tile_shape(device);
  std::uint64_t cells = 0;
  for (const TilePlan& plan : plans) cells += plan.cells();
  // A pair is cut if it takes longer than its share of the device.
  const std::uint64_t max_cells = std::max(shape.min_cut_cells, cells / shape.parallel_jobs);
  std::vector<std::uint32_t> whole, cut;
  std::vector<std::uint32_t> ends_of(plans.size(), 1);
  std::uint32_t count = 0;
  for (std::uint32_t pair = 0; pair < plans.size(); ++pair) {
    const bool is_cut = work.cut && plans[pair].cells() > max_cells && shape.rows_of(plans[pair]) > 2;
    (is_cut ? cut : whole).push_back(pair);
    if (is_cut) ends_of[pair] = shape.rows_of(plans[pair]);
    plans[pair].ends = count;
    count += ends_of[pair];
  }
  // The largest pairs go first if sizes differ much.
  std::uint64_t longest = 0;
  for (const std::uint32_t pair : whole) longest = std::max(longest, plans[pair].cells());
  if (longest > 2 * (cells / plans.size()))
    std::ranges::stable_sort(whole,
                             [&](std::uint32_t a, std::uint32_t b) { return plans[a].cells() > plans[b].cells(); });

  TileLaunches launches(device, shape, scoring, queries, subjects, plans, borders, count, work.ends);
  for (const std::uint32_t pair : whole)
    launches.add({.pair = pair,
                  .first_row = 0,
                  .rows = shape.rows_of(plans[pair]),
                  .first_column = 0,
                  .columns = shape.columns_of(plans[pair])});
  launches.end_launch();
  if (!cut.empty() && device.has_ptx() && !uses_cpu_kernels(device)) {
    launches.run_concurrently();
    add_strips(launches, shape, plans, cut);
  } else {
    add_diagonals(launches, shape, plans, cut);
  }
  launches.run();

  const std::vector<TileEnd> all = launches.ends(count);
  std::vector<TileEnd> best(plans.size());
  for (std::size_t pair = 0; pair < plans.size(); ++pair)
    for (std::uint32_t end = 0; end < ends_of[pair]; ++end)
      if (ends_before(all[plans[pair].ends + end], best[pair])) best[pair] = all[plans[pair].ends + end];
  return best;
}

}  // namespace genocl::pairwise
