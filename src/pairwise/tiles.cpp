#include "align/pairs/tiles.hpp"

#include <algorithm>
#include <numeric>

#include "genocl/opencl.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/memory/transfer.hpp"

namespace genocl::align {
namespace {

using runtime::ceil_div;
using runtime::uses_lanes;

/// The highest value that 16 bits are used for: a score is added to it before what it is biased by is taken off.
constexpr std::int64_t most_narrow = 65535 - 255;

/// The launches of one computation: jobs of one launch know nothing of one another.
class Launches {
 public:
  Launches(const Device& device, const TileShape& shape, const PairScoring& scoring, const cl::Buffer& queries,
           const cl::Buffer& subjects, std::span<const TilePlan> plans, const cl::Buffer& borders, std::uint64_t ends,
           bool finds_ends)
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
      may_be_wide_ = may_be_wide_ || plan.has_top != 0 || highest > most_narrow;
    }
  }

  void add(const TileJob& job) { jobs_.push_back(job); }
  /// Jobs from here on wait for one another, those of one launch too (AT_ONCE in cl/align/pairs/tile_group.clh).
  void at_once() {
    run();
    at_once_ = true;
  }
  /// What was added since the last one is a launch.
  void end_launch() {
    if (jobs_.size() > first_) starts_.push_back(first_);
    first_ = jobs_.size();
    if (jobs_.size() >= most_jobs) run();
  }

  void run() {
    if (jobs_.empty()) return;
    const runtime::Scratch jobs = upload_scratch(device_, std::span<const TileJob>(jobs_));
    starts_.push_back(jobs_.size());
    if (uses_lanes(device_))
      run_lanes(jobs);
    else
      run_group(jobs);
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
  static constexpr std::size_t most_jobs = std::size_t{1} << 20;

  void run_group(const runtime::Scratch& jobs) {
    runtime::Defines defines = tile_defines(device_, shape_, scoring_.ends);
    defines.set("AT_ONCE", at_once_ ? 1 : 0).set("FIND_ENDS", finds_ends_ ? 1 : 0);
    runtime::Kernel kernel(device_, "align/pairs/tiles.cl", "tiles", defines);
    const runtime::Scratch next_job(device_, sizeof(std::uint32_t));
    for (std::size_t launch = 0; launch + 1 < starts_.size(); ++launch) {
      const std::uint32_t none = 0;
      if (at_once_) runtime::fill(device_, next_job.buffer(), &none, sizeof none, sizeof none);
      kernel
          .args(queries_, subjects_, scoring_.matrix, plans_, jobs, borders_, ends_, next_job,
                static_cast<std::uint32_t>(starts_[launch]), scoring_.gap_first, scoring_.gap_extend)
          .run(starts_[launch + 1] - starts_[launch], shape_.group_size);
    }
  }

  void run_lanes(const runtime::Scratch& jobs) {
    std::size_t workers = 1;
    for (std::size_t launch = 0; launch + 1 < starts_.size(); ++launch)
      workers = std::max(workers, starts_[launch + 1] - starts_[launch]);
    workers = std::min<std::size_t>(workers, std::size_t{16} * std::max(1u, device_.info().compute_units));
    const runtime::Scratch profiles(device_, workers * shape_.rows * scoring_codes * sizeof(std::uint32_t));
    const runtime::Scratch done(device_, jobs_.size() * sizeof(std::uint32_t));
    runtime::Defines defines = tile_defines(device_, shape_, scoring_.ends);
    runtime::Kernel narrow(device_, "align/pairs/tiles_lanes.cl", "tiles_lanes", defines.set("WIDE", 0));
    runtime::Kernel wide(device_, "align/pairs/tiles_lanes.cl", "tiles_lanes", defines.set("WIDE", 1));
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
  bool may_be_wide_ = false, at_once_ = false;
  const bool finds_ends_;
  std::vector<TileJob> jobs_;
  std::vector<std::size_t> starts_;
  std::size_t first_ = 0;
};

/// Launches the jobs of one anti-diagonal after the other; a job has several tiles side by side when there are more
/// than enough.
void add_diagonals(Launches& launches, const TileShape& shape, std::span<const TilePlan> plans,
                   std::span<const std::uint32_t> pairs) {
  struct Cut {
    std::uint32_t pair, rows, columns, together, jobs;
  };
  std::vector<Cut> cuts;
  std::uint32_t last = 0;
  for (const std::uint32_t pair : pairs) {
    Cut cut{.pair = pair, .rows = shape.rows_of(plans[pair]), .columns = shape.columns_of(plans[pair])};
    const auto wanted = static_cast<std::uint32_t>(ceil_div(plans[pair].subject_length, 2ull * shape.at_once));
    cut.together = static_cast<std::uint32_t>(ceil_div(std::max(shape.job_columns, wanted), shape.columns));
    cut.jobs = static_cast<std::uint32_t>(ceil_div(cut.columns, cut.together));
    last = std::max(last, cut.rows + cut.jobs - 1);
    cuts.push_back(cut);
  }
  for (std::uint32_t diagonal = 0; diagonal < last; ++diagonal) {
    for (const Cut& cut : cuts) {
      const std::uint32_t first = diagonal < cut.jobs ? 0 : diagonal - cut.jobs + 1;
      const std::uint32_t end = std::min(diagonal + 1, cut.rows);
      for (std::uint32_t row = first; row < end; ++row) {
        const std::uint32_t column = (diagonal - row) * cut.together;
        launches.add({.pair = cut.pair,
                      .first_row = row,
                      .rows = 1,
                      .first_column = column,
                      .columns = std::min(cut.together, cut.columns - column)});
      }
    }
    launches.end_launch();
  }
}

/// Each strip of tiles is a job, which follows the one above it at some columns' distance.
void add_strips(Launches& launches, const TileShape& shape, std::span<const TilePlan> plans,
                std::span<const std::uint32_t> pairs) {
  for (const std::uint32_t pair : pairs)
    for (std::uint32_t row = 0; row < shape.rows_of(plans[pair]); ++row)
      launches.add(
          {.pair = pair, .first_row = row, .rows = 1, .first_column = 0, .columns = shape.columns_of(plans[pair])});
  launches.end_launch();
}

}  // namespace

TileShape tile_shape(const Device& device) {
  TileShape shape;
  const std::uint32_t units = std::max(1u, device.info().compute_units);
  if (uses_lanes(device)) {
    shape.rows = 1024;
    shape.columns = 256;
    shape.job_columns = 1024;
    shape.at_once = 4 * units;
    shape.least_cut = std::uint64_t{4} << 20;
  } else {
    shape.group_size = device.has_ptx() ? 32 : 64;
    shape.rows_each = 4;
    shape.rows = shape.group_size * shape.rows_each;
    shape.columns = 128;
    shape.job_columns = 256;
    shape.at_once = 16 * units;
    shape.least_cut = std::uint64_t{1} << 20;
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
  defines.set("ARRIVED", Walk::arrived).set("CODES", scoring_codes);
  defines.set("PLAN_BYTES", sizeof(TilePlan)).set("JOB_BYTES", sizeof(TileJob)).set("END_BYTES", sizeof(TileEnd));
  if (uses_lanes(device))
    defines.set("ONLY_LANES", 1).set("TILE_ROWS", shape.rows).set("MOST_NARROW", most_narrow);
  else
    defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", shape.group_size).set("ROWS_EACH", shape.rows_each);
  return defines;
}

PairScoring::PairScoring(const Device& device, const ScoringTable& table, bool subjects_are_classes,
                         const PairEnds& pair_ends)
    : gap(table.gap), ends(pair_ends) {
  const std::size_t size = alphabet_size(table.matrix.alphabet());
  letters = subjects_are_classes ? table.classes() + 1 : static_cast<std::uint32_t>(size);
  std::vector<std::int8_t> scores(scoring_codes * scoring_codes, static_cast<std::int8_t>(ScoringTable::pad_score));
  for (std::size_t query = 0; query < size; ++query)
    for (std::size_t subject = 0; subject < letters; ++subject)
      scores[query * scoring_codes + subject] = static_cast<std::int8_t>(
          subjects_are_classes ? table.score(static_cast<Code>(query), static_cast<unsigned>(subject))
                               : table.matrix(static_cast<Code>(query), static_cast<Code>(subject)));
  matrix = Array<std::int8_t>(device, std::span<const std::int8_t>(scores));
  highest = std::max(0, table.matrix.highest());
  gap_first = table.gap.first();
  gap_extend = table.gap.extend;
}

void PairScoring::place_ends(TilePlan& plan) const {
  if (ends.local()) return;
  plan.free = ends.bits();
  plan.zero = static_cast<std::int32_t>(zero_of(gap, plan.query_length, plan.subject_length));
}

std::uint64_t place_borders(const TileShape& shape, TilePlan& plan, std::uint64_t first) {
  const std::uint64_t rows = shape.rows_of(plan), columns = shape.columns_of(plan);
  // Places of row borders (row_border() in cl/align/pairs/tiles.clh): 0 for those that take one another's place, 1 for
  // the one above the first row, then those kept. The ones before the first in use have no memory: the sum wraps round.
  const std::uint64_t first_place = plan.row_step > 1 ? 0 : plan.has_top != 0 ? 1 : 2;
  const std::uint64_t kept = (rows - 1) / plan.row_step;
  const std::uint64_t end_place = kept > 0 ? kept + 2 : plan.has_top != 0 ? 2 : plan.row_step > 1 && rows > 1 ? 1 : 0;
  const std::uint64_t of_rows = end_place > first_place ? (end_place - first_place) * plan.subject_length : 0;
  const std::uint64_t column_places = plan.keep_columns != 0 ? columns - 1 : std::min<std::uint64_t>(columns - 1, 1);
  plan.rows = first - first_place * plan.subject_length;
  plan.columns = first + of_rows;
  return of_rows + column_places * rows * (shape.rows + 1);
}

runtime::Scratch border_memory(const Device& device, std::span<const TilePlan> plans, std::uint64_t elements) {
  constexpr std::size_t element = 8;
  const std::uint64_t least = tile_shape(device).least_cut;
  runtime::Scratch borders(device, std::max<std::uint64_t>(elements, 1) * element);
  const std::uint64_t nobody = ~std::uint64_t{0};
  if (elements > 0 && std::ranges::any_of(plans, [&](const TilePlan& plan) { return plan.cells() > least; }))
    runtime::fill(device, borders.buffer(), &nobody, element, elements * element);
  return borders;
}

std::vector<TileEnd> compute_tiles(const Device& device, const PairScoring& scoring, const cl::Buffer& queries,
                                   const cl::Buffer& subjects, std::span<TilePlan> plans, const cl::Buffer& borders,
                                   const TileWork& work) {
  const TileShape shape = tile_shape(device);
  std::uint64_t cells = 0;
  for (const TilePlan& plan : plans) cells += plan.cells();
  // A pair that takes longer than its share of the device is cut.
  const std::uint64_t most = std::max(shape.least_cut, cells / shape.at_once);
  std::vector<std::uint32_t> whole, cut;
  std::vector<std::uint32_t> ends_of(plans.size(), 1);
  std::uint32_t count = 0;
  for (std::uint32_t pair = 0; pair < plans.size(); ++pair) {
    const bool is_cut = work.cut && plans[pair].cells() > most && shape.rows_of(plans[pair]) > 2;
    (is_cut ? cut : whole).push_back(pair);
    if (is_cut) ends_of[pair] = shape.rows_of(plans[pair]);
    plans[pair].ends = count;
    count += ends_of[pair];
  }
  // The longest go first, where it matters.
  std::uint64_t longest = 0;
  for (const std::uint32_t pair : whole) longest = std::max(longest, plans[pair].cells());
  if (longest > 2 * (cells / plans.size()))
    std::ranges::stable_sort(whole,
                             [&](std::uint32_t a, std::uint32_t b) { return plans[a].cells() > plans[b].cells(); });

  Launches launches(device, shape, scoring, queries, subjects, plans, borders, count, work.ends);
  for (const std::uint32_t pair : whole)
    launches.add({.pair = pair,
                  .first_row = 0,
                  .rows = shape.rows_of(plans[pair]),
                  .first_column = 0,
                  .columns = shape.columns_of(plans[pair])});
  launches.end_launch();
  if (!cut.empty() && device.has_ptx() && !uses_lanes(device)) {
    launches.at_once();
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

}  // namespace genocl::align
