#include "pwm/threshold_batch_device.hpp"

#include <algorithm>
#include <bit>

#include "genocl/primitives/scan.hpp"
#include "pwm/launch.hpp"

namespace genocl::pwm {
namespace {

runtime::Defines group_defines(unsigned size) {
  runtime::Defines defines;
  defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", size);
  return defines;
}

/// The columns of all halves as cl/pwm/threshold_batch_grow.cl has them, [level][half]. All end with the last level:
/// shorter ones wait with one letter that adds nothing.
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
    launch_items(device, "pwm/threshold_batch_grow.cl", "grow_words", {}, all, 32 * all, from, to,
                 static_cast<std::uint32_t>(count), add, code, classes, std::uint64_t{level * count}, words_.sum,
                 words_.weight, words_.word, longer.sum, longer.weight, longer.word);
    words_ = std::move(longer);
    from = std::move(to);
  }
  before_ = Array<std::uint64_t>(device, first_.back() + 1);
  primitives::exclusive_scan(device, words_.weight, before_);
}

std::vector<ThresholdFound> ThresholdBatch::search(std::span<const ThresholdJob> jobs) {
  jobs_ = Array<ThresholdJob>(device_, jobs);
  Array<ThresholdFound> found(device_, jobs.size());
  // Every third round halves what is left, and four count what is around the quantile.
  std::uint32_t rounds = 0;
  std::uint64_t sums = 0;
  for (const ThresholdJob& job : jobs) {
    const auto range = static_cast<std::uint64_t>(job.highest - job.lowest) + 1;
    rounds = std::max(rounds, 3 * static_cast<std::uint32_t>(std::bit_width(range)) + 4);
    sums += job.left_size + job.right_size;
  }
  const unsigned size = primitives::group_size(device_, {}, 512);
  runtime::Kernel(device_, "pwm/threshold_batch_search.cl", "search_words", group_defines(size))
      .args(words_.sum, words_.weight, before_, jobs_, rounds, found)
      .run(jobs.size(), size, 16 * sums);
  return found.download();
}

std::vector<WordPair> ThresholdBatch::list(std::span<const ThresholdList> lists) const {
  std::uint64_t all = 0;
  for (const ThresholdList& list : lists) all += list.size;
  const Array<ThresholdList> there(device_, lists);
  Array<std::uint32_t> taken(device_, lists.size());
  taken.fill(0);
  Array<WordPair> listed(device_, all);
  const unsigned size = primitives::group_size(device_, {}, 512);
  runtime::Kernel(device_, "pwm/threshold_batch_list.cl", "list_words", group_defines(size))
      .args(words_.sum, words_.word, jobs_, there, taken, listed)
      .run(lists.size(), size, 8 * all);
  return listed.download();
}

}  // namespace genocl::pwm
