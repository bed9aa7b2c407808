#include "pwm/threshold_batch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "pwm/halves.hpp"
#include "pwm/halves_device.hpp"
#include "pwm/p_value.hpp"
#include "pwm/scores.hpp"
#include "runtime/access.hpp"
#include "runtime/chunks.hpp"
#include "runtime/device_core.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

runtime::Defines group_defines(unsigned size) {
  runtime::Defines defines;
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  return defines;
}

constexpr std::uint64_t min_for_large_group = std::uint64_t{1} << 13;

}  // namespace

ThresholdBatch::ThresholdBatch(const Device& device, std::span<const std::vector<LetterClasses>> halves)
    : device_(device), halves_(device, halves) {}

std::vector<ThresholdFound> ThresholdBatch::search_once(std::span<const ThresholdJob> jobs,
                                                        const Array<ThresholdJob>& there, std::uint32_t rounds) const {
  Array<ThresholdFound> found(device_, jobs.size());
  // Small groups for short lists: searching begins and summing dominate counting there.
  const auto shorter = std::find_if(jobs.begin(), jobs.end(), [](const ThresholdJob& job) {
    return job.left_size + job.right_size < min_for_large_group;
  });
  const auto large = static_cast<std::uint64_t>(shorter - jobs.begin());
  const auto launch = [&](std::uint64_t first, std::uint64_t end, unsigned wanted_size) {
    std::uint64_t sums = 0;
    for (std::uint64_t i = first; i < end; ++i) sums += jobs[i].left_size + jobs[i].right_size;
    const unsigned size = runtime::group_size(device_, {}, wanted_size);
    runtime::Kernel(device_, "pwm/threshold_batch_search.cl", "search_words", group_defines(size))
        .args(halves_.sum(), halves_.weight(), halves_.weight_before(), there, static_cast<std::uint32_t>(first),
              rounds, found)
        .run(end - first, size, 16 * sums);
  };
  launch(0, large, 512);
  launch(large, jobs.size(), 64);
  return found.download();
}

std::vector<ThresholdFound> ThresholdBatch::search(std::span<const ThresholdJob> jobs, std::uint32_t rounds) {
  jobs_ = Array<ThresholdJob>(device_, jobs);
  std::vector<ThresholdFound> found = search_once(jobs, jobs_, rounds);

  std::vector<std::size_t> again;
  std::vector<ThresholdJob> again_jobs;
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (found[i].rounds != 0) continue;
    again.push_back(i);
    again_jobs.push_back(jobs[i]);
    // Every third round halves the interval, and three count around the quantile.
    const auto range = static_cast<std::uint64_t>(jobs[i].highest - jobs[i].lowest) + 1;
    most = std::max(most, 3 * static_cast<std::uint32_t>(std::bit_width(range)) + 6);
  }
  if (again.empty()) return found;
  const std::vector<ThresholdFound> more =
      search_once(again_jobs, Array<ThresholdJob>(device_, std::span<const ThresholdJob>(again_jobs)), most);
  for (std::size_t i = 0; i < again.size(); ++i) found[again[i]] = more[i];
  return found;
}

std::vector<WordPair> ThresholdBatch::list(std::span<const ThresholdList> lists) const {
  std::uint64_t all = 0;
  for (const ThresholdList& list : lists) all += list.size;
  const Array<ThresholdList> there(device_, lists);
  Array<std::uint32_t> taken(device_, lists.size());
  taken.fill(0);
  Array<WordPair> listed(device_, all);
  const unsigned size = runtime::group_size(device_, {}, 512);
  runtime::Kernel(device_, "pwm/threshold_batch_list.cl", "list_words", group_defines(size))
      .args(halves_.sum(), halves_.word(), jobs_, there, taken, listed)
      .run(lists.size(), size, 8 * all);
  return listed.download();
}

namespace {

/// Maximum number of pairs of a quantile; beyond, many words tie, and WordCount processes ties together.
constexpr std::uint64_t max_pairs = std::uint64_t{1} << 16;
/// Maximum number of words listed by a launch.
constexpr std::uint64_t max_listed_words = std::uint64_t{1} << 22;

/// A matrix cut in two.
struct Halved {
  const ScoreMatrix* matrix = nullptr;
  std::size_t place = 0;  ///< index in the collection
  FixedPoint fixed;
  std::vector<LetterClasses> left, right;
  std::vector<std::array<std::uint32_t, 4>> times;  ///< [column][letter of a class]
  std::uint64_t left_size = 1, right_size = 1;
  std::uint64_t words = 1;  ///< without impossible letters

  std::uint64_t half_words() const { return left_size + right_size; }
};

/// Empty for a matrix with too long halves or too many words.
std::optional<Halved> halved(const ScoreMatrix& matrix, std::size_t place) {
  const std::size_t length = matrix.length();
  if (length > 2 * BatchedHalves::longest_half) return std::nullopt;
  Halved cut;
  cut.matrix = &matrix;
  cut.place = place;
  cut.fixed = fixed_point(matrix);
  std::vector<LetterClasses> columns;
  std::vector<double> counts;
  for (std::size_t i = 0; i < length; ++i) {
    const LetterClasses& letters = columns.emplace_back(letter_classes(matrix.columns()[i], cut.fixed.columns[i]));
    counts.push_back(letters.count);
    std::array<std::uint32_t, 4>& times = cut.times.emplace_back();
    std::uint32_t allowed = 0;
    for (std::uint32_t c = 0; c < letters.count; ++c) {
      times[letters.classes[c].letter] = letters.classes[c].times;
      allowed += letters.classes[c].times;
    }
    cut.words *= allowed;
  }
  const std::size_t longest = std::min(length, BatchedHalves::longest_half);
  const Cut best = best_cut(counts, length - longest, longest);
  if (best.sums > max_half_sums) return std::nullopt;
  const auto middle = columns.begin() + static_cast<std::ptrdiff_t>(best.at);
  cut.left.assign(columns.begin(), middle);
  cut.right.assign(middle, columns.end());
  for (const LetterClasses& letters : cut.left) cut.left_size *= letters.count;
  for (const LetterClasses& letters : cut.right) cut.right_size *= letters.count;
  return cut;
}

using Words = ScoreGroup<std::uint64_t>;

/// The words of a pair.
Words words_of(const Halved& cut, const WordPair& pair) {
  Words words{.score = 0, .weight = 1};
  for_each_letter(cut.matrix->length(), cut.left.size(), pair.left, pair.right, [&](std::size_t column, Code letter) {
    words.score += (*cut.matrix)(column, letter);
    words.weight *= cut.times[column][letter];
  });
  return words;
}

Threshold counted(const Halved& cut, double score, std::uint64_t weight) {
  Threshold threshold;
  threshold.score = score;
  const auto length = static_cast<int>(cut.matrix->length());
  threshold.p.exact = true;
  threshold.p.low = threshold.p.high = std::ldexp(static_cast<double>(weight), -2 * length);
  threshold.p.words = weight;
  return threshold;
}

/// Q is the score itself.
Threshold exact_of(const Halved& cut, const ThresholdFound& found, bool paper) {
  if (paper) return counted(cut, cut.fixed.score(found.low), found.low_words);
  if (found.next != std::numeric_limits<std::int64_t>::max())
    return counted(cut, cut.fixed.score(found.next), found.beyond);
  Threshold threshold = counted(cut, cut.fixed.score(found.low), found.low_words);
  threshold.none = true;
  return threshold;
}

/// Let `at` be the result, low <= at < high, and d the doubt. The score at which `wanted` is reached is within d of
/// `at`: its words are among those of low - 2d <= Q < high + 2d. The next score above is at most d above the Q of any
/// word of at least high + 2d: words up to 2d above the lowest of these are also considered. Words beyond score more
/// than both.
std::optional<Threshold> listed_of(const Halved& cut, const ThresholdJob& job, const ThresholdFound& found,
                                   std::span<const WordPair> pairs, bool paper) {
  std::vector<Words> groups;
  groups.reserve(pairs.size());
  for (const WordPair& pair : pairs) groups.push_back(words_of(cut, pair));
  add_up_equal(groups, [](const Words& words) { return -words.score; });
  std::uint64_t above = found.beyond;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::uint64_t with = above + groups[i].weight;
    if (with >= job.wanted || i + 1 == groups.size()) {
      if (paper) return counted(cut, groups[i].score, with);
      if (i > 0) return counted(cut, groups[i - 1].score, above);
      Threshold threshold = counted(cut, groups[i].score, with);
      threshold.none = true;
      return threshold;
    }
    above = with;
  }
  return std::nullopt;  // impossible: low is the Q of a word
}

using Results = std::vector<std::optional<std::vector<Threshold>>>;

/// Jobs of a batch and their matrices, in one order for all vectors.
struct Jobs {
  std::vector<ThresholdJob> job;
  std::vector<std::size_t> matrix, p;
};

/// Empty for a matrix with a P-value above that of all words.
Jobs jobs_of(std::span<const Halved> batch, const ThresholdBatch& device, std::span<const double> ps, bool paper) {
  std::vector<std::size_t> order(batch.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return batch[a].half_words() > batch[b].half_words(); });
  Jobs jobs;
  for (const std::size_t i : order) {
    const Halved& cut = batch[i];
    std::vector<std::uint64_t> wanted;
    for (const double p : ps) {
      const double count = std::ldexp(p, 2 * static_cast<int>(cut.matrix->length()));  // exact
      // In integers: above 2^53 a double cannot represent the next number.
      wanted.push_back(paper ? static_cast<std::uint64_t>(std::ceil(count))
                             : static_cast<std::uint64_t>(std::floor(count)) + 1);
    }
    if (std::any_of(wanted.begin(), wanted.end(), [&](std::uint64_t words) { return words > cut.words; })) continue;
    for (std::size_t j = 0; j < ps.size(); ++j) {
      jobs.job.push_back({.left = device.halves().first(2 * i),
                          .right = device.halves().first(2 * i + 1),
                          .left_size = cut.left_size,
                          .right_size = cut.right_size,
                          .lowest = cut.fixed.lowest(),
                          .highest = cut.fixed.highest(),
                          .doubt = cut.fixed.doubt,
                          .wanted = wanted[j],
                          .words = cut.words,
                          .pairs = cut.left_size * cut.right_size,
                          .with_next = !paper && cut.fixed.doubt != 0 ? 1U : 0U});
      jobs.matrix.push_back(i);
      jobs.p.push_back(j);
    }
  }
  return jobs;
}

Results thresholds_of(const Device& on, std::span<const Halved> batch, std::span<const double> ps, bool paper) {
  std::vector<std::vector<LetterClasses>> halves;
  for (const Halved& cut : batch) {
    halves.push_back(cut.left);
    halves.push_back(cut.right);
  }
  ThresholdBatch device(on, halves);
  const Jobs jobs = jobs_of(batch, device, ps, paper);
  Results results(batch.size());
  if (jobs.job.empty()) return results;
  const std::vector<ThresholdFound> found = device.search(jobs.job);

  std::vector<std::optional<Threshold>> of_job(jobs.job.size());
  std::vector<ThresholdList> lists;
  std::uint64_t listed = 0;
  const auto take_lists = [&] {
    if (lists.empty()) return;
    const std::vector<WordPair> pairs = device.list(lists);
    for (const ThresholdList& list : lists)
      of_job[list.job] = listed_of(batch[jobs.matrix[list.job]], jobs.job[list.job], found[list.job],
                                   std::span(pairs).subspan(list.at, list.size), paper);
    lists.clear();
    listed = 0;
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].rounds == 0) continue;
    if (jobs.job[i].doubt == 0) {
      of_job[i] = exact_of(batch[jobs.matrix[i]], found[i], paper);
    } else if (found[i].pairs <= max_pairs) {
      if (listed + found[i].pairs > max_listed_words) take_lists();
      lists.push_back({i, found[i].first, found[i].end, listed, found[i].pairs});
      listed += found[i].pairs;
    }
  }
  take_lists();

  for (std::size_t i = 0; i < of_job.size(); i += ps.size()) {
    const auto first = of_job.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last = first + static_cast<std::ptrdiff_t>(ps.size());
    if (!std::all_of(first, last, [](const auto& threshold) { return threshold.has_value(); })) continue;
    std::vector<Threshold>& of_matrix = results[jobs.matrix[i]].emplace();
    std::transform(first, last, std::back_inserter(of_matrix), [](const auto& threshold) { return *threshold; });
  }
  return results;
}

}  // namespace

bool can_batch_thresholds(Devices devices, const PValueOptions& options) {
  return options.method == PValueMethod::certified && options.background.order() == 0 && options.background.uniform() &&
         std::all_of(devices.begin(), devices.end(),
                     [](const Device& device) { return device.family() == KernelFamily::gpu; });
}

std::vector<std::optional<std::vector<Threshold>>> batched_thresholds(Devices devices,
                                                                      std::span<const ScoreMatrix> matrices,
                                                                      std::span<const double> ps,
                                                                      const PValueOptions& options,
                                                                      std::uint64_t max_half_words) {
  Results results(matrices.size());
  std::uint64_t capacity = max_half_words;
  for (const Device& device : devices)
    capacity = std::min({capacity, runtime::core_of(device).free_memory() / 2 / BatchedHalves::bytes_per_word,
                         device.info().max_allocation / sizeof(std::uint64_t) - 1});
  std::vector<Halved> all;
  std::uint64_t half_words = 0;
  for (std::size_t i = 0; i < matrices.size() && !ps.empty(); ++i) {
    std::optional<Halved> cut = halved(matrices[i], i);
    if (!cut || cut->half_words() > capacity) continue;
    half_words += cut->half_words();
    all.push_back(std::move(*cut));
  }
  // Several devices get equal parts.
  const std::uint64_t share = devices.size() > 1 ? half_words / devices.size() + 1 : capacity;
  std::size_t next = 0;
  const auto source = [&]() -> std::optional<std::span<const Halved>> {
    const std::size_t first = next;
    std::uint64_t size = 0;
    for (; next < all.size() && size + all[next].half_words() <= capacity && (next == first || size < share); ++next)
      size += all[next].half_words();
    if (next == first) return std::nullopt;
    return std::span<const Halved>(all).subspan(first, next - first);
  };
  std::size_t done = 0;
  runtime::ChunkOptions chunk_options;
  chunk_options.workers_per_device = 1;
  chunk_options.items_total = matrices.size();
  chunk_options.progress = options.progress;
  runtime::for_each_chunk(
      devices, source,
      [&](const Device& device, std::span<const Halved>&& batch) {
        return thresholds_of(device, batch, ps, options.paper_convention);
      },
      [&](Results&& of_batch) {
        std::size_t answered = 0;
        for (std::optional<std::vector<Threshold>>& of_matrix : of_batch) {
          answered += of_matrix ? 1 : 0;
          results[all[done++].place] = std::move(of_matrix);
        }
        return answered;
      },
      chunk_options);
  return results;
}

}  // namespace genocl::pwm
