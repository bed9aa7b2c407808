#include "pwm/p_value/threshold_batch_device.hpp"

#include <algorithm>
#include <bit>

#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

runtime::Defines group_defines(unsigned size) {
  runtime::Defines defines;
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  return defines;
}

constexpr std::uint64_t least_for_large_group = std::uint64_t{1} << 13;

}  // namespace

ThresholdBatch::ThresholdBatch(const Device& device, std::span<const std::vector<LetterClasses>> halves)
    : device_(device), halves_(device, halves) {}

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
    // Every third round halves what is left, and three count what is around the quantile.
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
  runtime::Kernel(device_, "pwm/p_value/threshold_batch_list.cl", "list_words", group_defines(size))
      .args(halves_.sum(), halves_.word(), jobs_, there, taken, listed)
      .run(lists.size(), size, 8 * all);
  return listed.download();
}

}  // namespace genocl::pwm
