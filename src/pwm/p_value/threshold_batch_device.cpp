#include "pwm/p_value/threshold_batch_device.hpp"

#include <algorithm>
#include <bit>

#include "genocl/primitives/scan.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

runtime::Defines group_defines(unsigned size) {
  runtime::Defines defines;
  defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", size);
  return defines;
}

constexpr std::uint64_t least_for_large_group = std::uint64_t{1} << 13;

/// The columns of all halves as cl/pwm/p_value/threshold_batch_grow.cl has them, [level][half]. All end with the last
/// level: shorter ones wait with one letter that adds nothing.
struct ColumnTables {
  ColumnTables(std::span<const std::vector<LetterClasses>> halves, std::size_t levels) {
    for (std::size_t level = 0; level < levels; ++level) {
      for (const std::vector<LetterClasses>& half : halves) {
        const std::size_t wait = levels - half.size();
        const LetterClasses column = level < wait ? LetterClasses{} : half[level - wait];
        for (const LetterClasses::Class& letter : column.classes) {
          add.push_back(letter.add);
          code.push_back(letter.times << 2 | letter.letter);
        }
        classes.push_back(column.count);
      }
    }
  }

  std::vector<std::int64_t> add;
  std::vector<std::uint32_t> code, classes;
};

template <class T>
Array<T> on(const Device& device, const std::vector<T>& values) {
  return Array<T>(device, std::span<const T>(values));
}

}  // namespace

ThresholdBatch::ThresholdBatch(const Device& device, std::span<const std::vector<LetterClasses>> halves)
    : device_(device) {
  const std::size_t count = halves.size();
  std::size_t levels = 0;
  for (const std::vector<LetterClasses>& half : halves) levels = std::max(levels, half.size());
  const ColumnTables tables(halves, levels);
  const Array<std::int64_t> add = on(device, tables.add);
  const Array<std::uint32_t> code = on(device, tables.code), classes = on(device, tables.classes);

  std::vector<std::uint64_t> sizes(count, 1);
  const auto offsets = [&] {
    std::vector<std::uint64_t> first = {0};
    for (const std::uint64_t size : sizes) first.push_back(first.back() + size);
    return first;
  };
  first_ = offsets();
  Array<std::uint64_t> from = on(device, first_);
  // Of every half the empty word.
  words_ = {on(device, std::vector<std::int64_t>(count, 0)), on(device, std::vector<std::uint32_t>(count, 1)),
            on(device, std::vector<std::uint32_t>(count, 0))};
  for (std::size_t level = 0; level < levels; ++level) {
    for (std::size_t half = 0; half < count; ++half) sizes[half] *= tables.classes[level * count + half];
    first_ = offsets();
    const std::uint64_t all = first_.back();
    Array<std::uint64_t> to = on(device, first_);
    Words longer{Array<std::int64_t>(device, all), Array<std::uint32_t>(device, all),
                 Array<std::uint32_t>(device, all)};
    runtime::launch_items(device, "pwm/p_value/threshold_batch_grow.cl", "grow_words", {},
                          {.items = all, .bytes = 32 * all}, from, to, static_cast<std::uint32_t>(count), add, code,
                          classes, std::uint64_t{level * count}, words_.sum, words_.weight, words_.word, longer.sum,
                          longer.weight, longer.word);
    words_ = std::move(longer);
    from = std::move(to);
  }
  before_ = Array<std::uint64_t>(device, first_.back() + 1);
  primitives::exclusive_scan(device, words_.weight, before_);
}

std::vector<ThresholdFound> ThresholdBatch::search_once(std::span<const ThresholdJob> jobs,
                                                        const Array<ThresholdJob>& there, std::uint32_t rounds) const {
  Array<ThresholdFound> found(device_, jobs.size());
  // Small groups for short lists: they have more to do with their searches' begins and sums than with counting.
  const auto shorter = std::find_if(jobs.begin(), jobs.end(), [](const ThresholdJob& job) {
    return job.left_size + job.right_size < least_for_large_group;
  });
  const auto large = static_cast<std::uint64_t>(shorter - jobs.begin());
  const auto launch = [&](std::uint64_t first, std::uint64_t end, unsigned wanted_size) {
    std::uint64_t sums = 0;
    for (std::uint64_t i = first; i < end; ++i) sums += jobs[i].left_size + jobs[i].right_size;
    const unsigned size = runtime::group_size(device_, {}, wanted_size);
    runtime::Kernel(device_, "pwm/p_value/threshold_batch_search.cl", "search_words", group_defines(size))
        .args(words_.sum, words_.weight, before_, there, static_cast<std::uint32_t>(first), rounds, found)
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
    // Every third round halves what is left, and three count what is around the quantile.
    const auto range = static_cast<std::uint64_t>(jobs[i].highest - jobs[i].lowest) + 1;
    most = std::max(most, 3 * static_cast<std::uint32_t>(std::bit_width(range)) + 6);
  }
  if (again.empty()) return found;
  const std::vector<ThresholdFound> more = search_once(again_jobs, on(device_, again_jobs), most);
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
  runtime::Kernel(device_, "pwm/p_value/threshold_batch_list.cl", "list_words", group_defines(size))
      .args(words_.sum, words_.word, jobs_, there, taken, listed)
      .run(lists.size(), size, 8 * all);
  return listed.download();
}

}  // namespace genocl::pwm
