#include "pwm/halves/half_words_batch.hpp"

#include <algorithm>
#include <utility>

#include "genocl/primitives/scan.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

/// The columns of all halves as cl/pwm/halves/half_words_batch.cl has them, [level][half]. All end with the last
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

BatchedHalves::BatchedHalves(const Device& device, std::span<const std::vector<LetterClasses>> halves) {
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
  // Each half begins as the empty word.
  words_ = {on(device, std::vector<std::int64_t>(count, 0)), on(device, std::vector<std::uint32_t>(count, 1)),
            on(device, std::vector<std::uint32_t>(count, 0))};
  for (std::size_t level = 0; level < levels; ++level) {
    for (std::size_t half = 0; half < count; ++half) sizes[half] *= tables.classes[level * count + half];
    first_ = offsets();
    const std::uint64_t all = first_.back();
    Array<std::uint64_t> to = on(device, first_);
    Words longer{Array<std::int64_t>(device, all), Array<std::uint32_t>(device, all),
                 Array<std::uint32_t>(device, all)};
    runtime::launch_items(device, "pwm/halves/half_words_batch.cl", "grow_words", {}, {.items = all, .bytes = 32 * all},
                          from, to, static_cast<std::uint32_t>(count), add, code, classes, std::uint64_t{level * count},
                          words_.sum, words_.weight, words_.word, longer.sum, longer.weight, longer.word);
    words_ = std::move(longer);
    from = std::move(to);
  }
  before_ = Array<std::uint64_t>(device, first_.back() + 1);
  primitives::exclusive_scan(device, words_.weight, before_);
}

}  // namespace genocl::pwm
