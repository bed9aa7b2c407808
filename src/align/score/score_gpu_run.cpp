
#include <algorithm>
#include <limits>

#include "align/pipeline.hpp"
#include "align/score/score_cpu.hpp"
#include "align/score/score_gpu.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "pairwise/device_pairs.hpp"
#include "pairwise/host_pair.hpp"
#include "runtime/event.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::align {
namespace {

/// Local memory of the portable kernel in addition to the profile: T and F of a block of 4 columns, double-buffered.
constexpr std::uint64_t exchange_bytes_per_item = 64;

std::uint64_t local_bytes(const GroupLimits& limits, const Shape& shape) {
  const std::uint64_t letters = limits.classes + (shape.folded ? 0 : 1);
  return letters * shape.strip_rows() * (shape.form == Form::subjects ? 1 : 4) +
         (limits.warps ? 0 : exchange_bytes_per_item * limits.group_size);
}

/// Returns the clocks of one step of a lane: a cost for each row and a constant cost. Measured on an H200: the cells of
/// a word take 3.5 operations of the busiest pipe (4.5 to merge two subjects), of two clocks each.
double step_clocks(const GroupLimits& limits, const Shape& shape, bool one_strip) {
  if (!limits.warps) return 11.0 * shape.rows + 40;
  return (shape.form == Form::subjects ? 9.0 : 7.0) * shape.rows + (one_strip ? 22 : 30) + (shape.folded ? 4 : 0);
}

/// Returns the fastest shape. `only_lanes`: the number of lanes; 0: any.
std::optional<Shape> find_shape(const GroupLimits& limits, const StackPlan& plan, std::span<const Query> queries,
                                double mean_length, unsigned only_lanes) {
  std::optional<Shape> best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned lanes = limits.min_lanes(); lanes <= limits.max_lanes(); lanes *= 2)
    for (unsigned rows = 4; rows <= 32; rows += 4)
      for (const bool folded : {false, true}) {
        const Shape shape{plan.form, lanes, rows, folded};
        if ((only_lanes != 0 && lanes != only_lanes) || (limits.tuning.rows != 0 && rows != limits.tuning.rows))
          continue;
        if ((folded && !limits.may_fold) || local_bytes(limits, shape) > limits.local_memory) continue;
        const std::uint32_t strips = count_strips(shape, queries, plan.sides);
        const double fill = limits.warps ? lanes : 4.0 * (lanes - 1) + 2;
        double cost = strips * (mean_length + fill) * lanes * step_clocks(limits, shape, strips == 1);
        // With four lanes, border reads and writes are too frequent.
        if (limits.warps && lanes < 8 && strips > 1) cost *= 1.1;
        if (cost < least) {
          least = cost;
          best = shape;
        }
      }
  return best;
}

}  // namespace

GroupLimits group_limits(const Device& device, const ScoringTable& table, std::span<const Query> queries, Form form,
                         const GpuTuning& tuning) {
  GroupLimits limits;
  limits.tuning = tuning;
  limits.classes = table.classes();
  limits.local_memory = device.info().local_memory;
  limits.group_size = runtime::group_size(device, {}, tuning.group_size != 0 ? tuning.group_size : 128);
  limits.units = std::max(1u, device.info().compute_units);
  limits.clock_hz = 1e6 * std::max(500u, device.info().clock_mhz);
  limits.warps = form != Form::wide && device.has_ptx();
  limits.may_fold = limits.classes > 1;
  for (const Query& query : queries) {
    if (query.profile != nullptr) {
      for (std::size_t row = 0; row < query.codes.size() && limits.may_fold; ++row)
        limits.may_fold = row_score(table, query, row, limits.classes - 1) <= 0;
      continue;
    }
    std::uint32_t seen = 0;
    for (const Code code : query.codes) seen |= 1u << (code & 31);
    for (unsigned code = 0; code < 32; ++code)
      if ((seen >> code & 1) != 0 && table.score(static_cast<Code>(code), limits.classes - 1) > 0)
        limits.may_fold = false;
  }
  return limits;
}

Shape choose_shape(const GroupLimits& limits, const StackPlan& plan, std::span<const Query> queries,
                   double mean_length) {
  if (const auto shape = find_shape(limits, plan, queries, mean_length, limits.tuning.lanes)) return *shape;
  throw CapacityError("local memory for a profile of four rows of a query",
                      local_bytes(limits, {plan.form, limits.min_lanes(), 4, false}), limits.local_memory);
}

std::optional<Shape> shape_of_max_lanes(const GroupLimits& limits, const StackPlan& plan,
                                        std::span<const Query> queries, double mean_length, unsigned more_than) {
  for (unsigned lanes = limits.max_lanes(); lanes > more_than; lanes /= 2)
    if (const auto shape = find_shape(limits, plan, queries, mean_length, lanes)) return shape;
  return {};
}

namespace {

using runtime::ceil_div;
using runtime::round_up;
using runtime::Scratch;

constexpr std::uint64_t border_bytes = 8;

/// The size of a subject in the plain layout.
std::uint64_t plain_letters(std::uint64_t length) { return round_up(length + DeviceChunk::plain_margin, 16); }

/// A stretch of a subject; kernels read it as a vector of four.
struct Stretch {
  std::uint32_t subject, begin, columns, stop;
};
static_assert(sizeof(Stretch) == sizeof(cl_uint4) && sizeof(LaneRole) == sizeof(cl_uint2));

template <class T>
Scratch on_device(const Device& device, std::span<const T> host) {
  Scratch memory(device, std::max<std::size_t>(host.size_bytes(), 16));
  if (!host.empty()) runtime::upload(device, memory.buffer(), 0, host.data(), host.size_bytes());
  return memory;
}

/// Returns scores for the profiles: a row for each code, a row for the absence of a row, then the rows of query
/// profiles. Columns are the classes and the pad.
std::vector<std::int8_t> score_rows(const ScoringTable& table, std::span<const Query> queries) {
  std::vector<std::int8_t> rows((Stack::no_row + 1u) * matrix_letters, ScoringTable::pad_score);
  for (unsigned code = 0; code < alphabet_size(table.matrix.alphabet()); ++code)
    for (unsigned letter = 0; letter < table.classes(); ++letter)
      rows[code * matrix_letters + letter] = static_cast<std::int8_t>(table.score(static_cast<Code>(code), letter));
  if (!are_profiles(queries)) return rows;
  for (const Query& query : queries)
    for (std::size_t row = 0; row < query.codes.size(); ++row)
      for (unsigned letter = 0; letter < matrix_letters; ++letter)
        rows.push_back(static_cast<std::int8_t>(row_score(table, query, row, letter)));
  return rows;
}

/// Subjects of one launch, from the longest to the shortest: consecutive ones that end with `top`, or stretches.
struct SubjectBatch {
  std::uint32_t top = 0, subjects = 0;
  std::vector<Stretch> stretches;
  std::uint64_t first_letter = 0, letters = 0;  ///< range of the border buffer
  std::uint64_t columns = 0, longest = 0;
};

/// Enqueues the launches of a stack. It allocates memory from the device's queue and releases it to that queue, whose
/// later work may reuse it. Therefore all of the memory lives as long as the Launcher. Work on another queue must be
/// joined before the Launcher is destroyed.
class Launcher {
 public:
  Launcher(const Device& device, const ScoringTable& table, const DeviceChunk& chunk, std::span<const Query> queries,
           const StackPlan& plan, const GroupLimits& limits, const Shape& shape, DeviceScores& scores)
      : device_(device), table_(table), chunk_(chunk), limits_(limits), scores_(scores) {
    stack_ = make_stack(shape, queries, plan.sides);
    roles_ = on_device(device, std::span<const LaneRole>(stack_.roles));
    rows_ = on_device(device, std::span<const std::uint32_t>(stack_.rows));
    const std::vector<std::int8_t> rows = score_rows(table, queries);
    matrix_ = on_device(device, std::span<const std::int8_t>(rows));
    no_list_ = Scratch(device, sizeof(Stretch));
  }

  const Stack& stack() const { return stack_; }
  std::uint64_t strip_cells_per_column() const {
    return std::uint64_t{stack_.shape.strip_rows()} * query_sides(stack_.shape.form);
  }
  /// The limit keeps launches short, also on devices that are slow for their clock rate.
  std::uint64_t launch_cells() const {
    if (limits_.tuning.launch_cells != 0) return limits_.tuning.launch_cells;
    // Cells per clock and unit. An H200 computes 27 cells of 16 bits or 12 of 32 bits.
    return static_cast<std::uint64_t>((limits_.warps ? 8.0 : 2.0) * limits_.units * limits_.clock_hz);
  }

  /// Enqueues on `queue`, a Device of the same context.
  void run(const Device& queue, const std::vector<SubjectBatch>& batches) {
    std::uint64_t letters = 2;
    if (stack_.strips > 1)
      for (const SubjectBatch& batch : batches) letters = std::max(letters, batch.letters);
    borders_ = Scratch(device_, round_up(letters * border_bytes, 16));
    std::uint64_t strips = 1;
    for (const SubjectBatch& batch : batches) strips = std::max(strips, strips_at_a_time(batch));
    profiles_ = Scratch(device_, strips * strip_words() * 4);
    for (const SubjectBatch& batch : batches) run(queue, batch);
  }

 private:
  std::uint64_t strip_words() const {
    const Shape& shape = stack_.shape;
    return (table_.classes() + (shape.folded ? 0u : 1u)) * std::uint64_t{shape.strip_rows()} /
           (shape.form == Form::subjects ? 4 : 1);
  }

  std::uint64_t strips_at_a_time(const SubjectBatch& batch) const {
    constexpr std::uint64_t max_profile_words = 16u << 20;
    constexpr double longest_chain = 500'000;  // consecutive steps: about half a second
    const std::uint64_t by_cells =
        launch_cells() / std::max<std::uint64_t>(batch.columns * strip_cells_per_column(), 1);
    const auto by_steps = static_cast<std::uint64_t>(longest_chain / static_cast<double>(batch.longest + 64));
    return std::clamp<std::uint64_t>(std::min({by_cells, by_steps, max_profile_words / strip_words()}), 1,
                                     stack_.strips);
  }

  void run(const Device& queue, const SubjectBatch& batch) {
    if (!batch.stretches.empty()) {
      const auto stretches = std::as_bytes(std::span(batch.stretches));
      lists_.emplace_back(device_, stretches.size());
      runtime::upload(queue, lists_.back().buffer(), 0, stretches.data(), stretches.size());
    }
    const std::uint64_t strips = strips_at_a_time(batch);
    for (std::uint32_t first = 0; first < stack_.strips; first += static_cast<std::uint32_t>(strips)) {
      const std::uint32_t here = std::min(static_cast<std::uint32_t>(strips), stack_.strips - first);
      make_profiles(queue, first, here * strip_words());
      launch(queue, batch, first, here);
    }
  }

  void make_profiles(const Device& queue, std::uint32_t first, std::uint64_t words) {
    const unsigned size = runtime::group_size(queue, {}, 128);
    const std::size_t groups = static_cast<std::size_t>(std::min<std::uint64_t>(ceil_div(words, size), 1u << 16));
    profile_kernel(queue, table_, limits_, stack_.shape)
        .args(rows_, matrix_, profiles_, words, first, std::uint64_t{groups} * size)
        .run(groups, size, words * 4);
  }

  void launch(const Device& queue, const SubjectBatch& batch, std::uint32_t first, std::uint32_t strips) {
    const std::uint64_t teams = limits_.group_size / stack_.shape.lanes;
    const auto groups = ceil_div(ceil_div(batch.subjects, subjects_per_team(stack_.shape.form)), teams);
    const std::uint32_t listed = batch.stretches.empty() ? 0 : 1;
    const std::uint32_t writes_last = first + strips < stack_.strips ? 1 : 0;
    stack_kernel(queue, table_, limits_, stack_.shape, stack_.strips > 1)
        .args(chunk_.letters, chunk_.begin, chunk_.length, listed != 0 ? lists_.back() : no_list_, listed, batch.top,
              batch.subjects, roles_, profiles_, strips, first, writes_last, borders_,
              static_cast<std::uint32_t>(batch.first_letter), scores_, chunk_.count())
        .run(groups, limits_.group_size, batch.columns * strips);
  }

  const Device& device_;
  const ScoringTable& table_;
  const DeviceChunk& chunk_;
  const GroupLimits& limits_;
  DeviceScores& scores_;
  Stack stack_;
  Scratch roles_, rows_, matrix_, no_list_, profiles_, borders_;
  std::vector<Scratch> lists_;
};

/// Maximum number of letters with borders at a time.
std::uint64_t border_letters(const Device& device, const GpuTuning& tuning) {
  if (tuning.border_letters != 0) return tuning.border_letters;
  const std::uint64_t bytes =
      std::min({device.info().max_allocation, runtime::usable_memory(device) / 16, std::uint64_t{4} << 30});
  return bytes / border_bytes;
}

/// Divides subjects [first, last) of the chunk into batches.
std::vector<SubjectBatch> batches_of_range(const DeviceChunk& chunk, std::size_t first, std::size_t last,
                                           std::uint64_t end, std::uint64_t max_letters) {
  std::vector<SubjectBatch> batches;
  if (first == last) return batches;
  SubjectBatch batch;
  if (first == 0 && end <= max_letters) {  // one batch suffices
    batch.top = static_cast<std::uint32_t>(last - 1);
    batch.subjects = static_cast<std::uint32_t>(last);
    batch.letters = end;
    batch.columns = end;
    batch.longest = chunk.lengths[last - 1];
    batches.push_back(std::move(batch));
    return batches;
  }
  // Lanes that have not reached a subject write to the range before it.
  constexpr std::uint64_t margin = DeviceChunk::plain_margin;
  for (std::size_t subject = last; subject-- > first;) {
    const std::uint64_t letters = plain_letters(chunk.lengths[subject]);
    if (batch.subjects > 0 && batch.letters + letters > max_letters) {
      batches.push_back(std::move(batch));
      batch = {};
    }
    if (batch.subjects == 0) {
      batch.top = static_cast<std::uint32_t>(subject);
      batch.longest = chunk.lengths[subject];
      batch.letters = margin;
    }
    ++batch.subjects;
    end -= letters;
    batch.letters += letters;
    batch.columns += letters;
    batch.first_letter = end - margin;
  }
  batches.push_back(std::move(batch));
  return batches;
}

/// Divides the given subjects (ascending) into batches.
std::vector<SubjectBatch> batches_of_list(const DeviceChunk& chunk, std::span<const std::uint32_t> subjects,
                                          std::uint64_t max_letters) {
  const std::vector<std::uint32_t> begin = chunk.begin.download();
  std::vector<SubjectBatch> batches;
  SubjectBatch batch;
  std::uint64_t end = 0;
  for (std::size_t i = subjects.size(); i-- > 0;) {
    const std::uint32_t s = subjects[i], length = chunk.lengths[s];
    const std::uint64_t from = begin[s] - DeviceChunk::plain_margin;
    if (batch.subjects > 0 && end - from > max_letters) {
      batches.push_back(std::move(batch));
      batch = {};
    }
    if (batch.subjects == 0) {
      end = begin[s] + plain_letters(length);
      batch.longest = length;
    }
    ++batch.subjects;
    batch.stretches.push_back({s, begin[s], length, begin[s] + length});
    batch.first_letter = from;
    batch.letters = end - from;
    batch.columns += length;
  }
  if (batch.subjects > 0) batches.push_back(std::move(batch));
  return batches;
}

/// Cuts subjects [first, last) into stretches that overlap by `overlap` columns, so that each alignment is within a
/// stretch. A stretch may also read letters of its subject outside its range; alignments there are valid.
SubjectBatch cut(const DeviceChunk& chunk, std::size_t first, std::size_t last, std::uint64_t end, std::uint64_t stride,
                 std::uint64_t overlap) {
  SubjectBatch batch;
  for (std::size_t subject = last; subject-- > first;) {
    end -= plain_letters(chunk.lengths[subject]);
    const std::uint64_t length = chunk.lengths[subject];
    for (std::uint64_t from = 0; from < length; from += stride) {
      const std::uint64_t columns = std::min(stride + overlap, length - from);
      batch.stretches.push_back({static_cast<std::uint32_t>(subject), static_cast<std::uint32_t>(end + from),
                                 static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(end + length)});
      batch.columns += columns;
      if (from + columns == length) break;
    }
  }
  std::stable_sort(batch.stretches.begin(), batch.stretches.end(),
                   [](const Stretch& a, const Stretch& b) { return a.columns > b.columns; });
  batch.subjects = static_cast<std::uint32_t>(batch.stretches.size());
  batch.longest = batch.stretches.front().columns;
  return batch;
}

/// Scores subjects [first, last) of the chunk with the kernels that divide a pair into tiles (score_on_device()), since
/// a few lanes would take too long. Waits.
void score_giants(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                  std::span<const Query> queries, const StackPlan& plan, std::size_t first, std::size_t last,
                  DeviceScores& scores) {
  std::uint64_t end = chunk.letters.size();
  for (std::size_t s = last; s < chunk.count(); ++s) end -= plain_letters(chunk.lengths[s]);
  for (std::size_t s = last; s-- > first;) {
    end -= plain_letters(chunk.lengths[s]);
    std::vector<std::uint8_t> codes(chunk.lengths[s]);
    chunk.letters.download(std::span<std::uint8_t>(codes), end);
    for (std::uint8_t& code : codes) code = table.representative[code];  // equal scores
    for (const auto& side : plan.sides)
      for (const std::uint32_t query : side) {
        const std::span<const Code> a[] = {queries[query].codes}, b[] = {codes};
        const std::vector<std::int32_t> score =
            queries[query].profile == nullptr
                ? pairwise::score_on_device(device, table.matrix, table.gap, a, b, 0)
                : std::vector{pairwise::score_on_host(
                      a[0], b[0], pairwise::HostScoring(position_scores(*queries[query].profile), table.gap))};
        scores.upload(std::span<const std::int32_t>(score), std::uint64_t{query} * chunk.count() + s);
      }
  }
}

/// Work on the device's second queue between two points of the first.
class SideQueue {
 public:
  explicit SideQueue(const Device& main) : main_(main), side_(main.companion()) { runtime::wait_for(side_, main_); }
  /// After an error, without join(): pending work uses memory that is about to be released.
  ~SideQueue() {
    if (!joined_) clFinish(side_.queue()());
  }
  SideQueue(const SideQueue&) = delete;
  SideQueue& operator=(const SideQueue&) = delete;
  const Device& device() const { return side_; }
  void start() { runtime::flush(side_); }
  void join() {
    runtime::wait_for(main_, side_);
    joined_ = true;
  }

 private:
  const Device& main_;
  Device side_;
  bool joined_ = false;
};

}  // namespace

void run_stack(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
               std::span<const Query> queries, const StackPlan& plan, std::span<const std::uint32_t> subjects,
               const GpuTuning& tuning, DeviceScores& scores) {
  const GroupLimits limits = group_limits(device, table, queries, plan.form, tuning);
  const StackParts parts = parts_of(limits, table, queries, plan, chunk.lengths, chunk.residues);
  Launcher main(device, table, chunk, queries, plan, limits, parts.shape, scores);
  const auto letters_at_a_time = [&](const Launcher& launcher) {
    return std::max<std::uint64_t>(
        std::min(border_letters(device, tuning), launcher.launch_cells() / launcher.strip_cells_per_column()), 1);
  };
  if (!subjects.empty()) {
    const auto giants = std::lower_bound(subjects.begin(), subjects.end(), parts.first_giant);
    for (auto giant = giants; giant != subjects.end(); ++giant)
      score_giants(device, table, chunk, queries, plan, *giant, *giant + 1, scores);
    const std::span<const std::uint32_t> others(subjects.begin(), giants);
    return main.run(device, batches_of_list(chunk, others, letters_at_a_time(main)));
  }
  const std::size_t count = parts.by_tiles ? parts.first_giant : chunk.count(), first_long = parts.first_long;
  std::uint64_t end = chunk.letters.size();
  if (parts.by_tiles) {
    score_giants(device, table, chunk, queries, plan, count, chunk.count(), scores);
    for (std::size_t s = chunk.count(); s > count; --s) end -= plain_letters(chunk.lengths[s - 1]);
  }
  if (count == 0) return;
  std::uint64_t end_of_short = end;
  for (std::size_t s = first_long; s < count; ++s) end_of_short -= plain_letters(chunk.lengths[s]);
  const auto rest = [&] {
    main.run(device, batches_of_range(chunk, 0, first_long, end_of_short, letters_at_a_time(main)));
  };
  if (first_long == count) return rest();
  const auto run_beside = [&](Launcher& launcher, const std::vector<SubjectBatch>& batches) {
    if (first_long == 0) return launcher.run(device, batches);
    SideQueue side(device);
    launcher.run(side.device(), batches);
    side.start();
    rest();
    side.join();
  };

  if (parts.overlap != 0) {
    const std::uint64_t stride = round_up(std::max<std::uint64_t>({parts.longest, parts.overlap, 64}), 16);
    const std::vector<SubjectBatch> stretches = {cut(chunk, first_long, count, end, stride, parts.overlap)};
    Launcher in_stretches(device, table, chunk, queries, plan, limits, parts.shape, scores);
    return run_beside(in_stretches, stretches);
  }
  Launcher with_more_lanes(device, table, chunk, queries, plan, limits, parts.long_shape, scores);
  run_beside(with_more_lanes, batches_of_range(chunk, first_long, count, end, letters_at_a_time(with_more_lanes)));
}

}  // namespace genocl::align
