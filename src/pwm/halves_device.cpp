// Words in two halves, on a device.

#include "pwm/halves_device.hpp"

#include <algorithm>
#include <utility>

#include "genocl/primitives/scan.hpp"
#include "pwm/halves.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

using runtime::ceil_div;

/// Number of items for `size` elements: a run for each, long compared with the search for its begin.
std::uint32_t run_length(const Device& device, std::uint64_t size) {
  if (runtime::uses_cpu_kernels(device))
    return static_cast<std::uint32_t>(
        std::max<std::uint64_t>(1024, size / (runtime::workers_that_fill(device, 2) + 1)));
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(32, size >> 17));
}

/// launch_items() for few, long items.
template <class... Arguments>
void launch_runs(const Device& device, std::string_view file, std::string_view name, std::uint64_t items,
                 std::uint64_t bytes, const Arguments&... arguments) {
  runtime::Defines defines;
  if (runtime::uses_cpu_kernels(device)) {
    defines.set("ONLY_CPU", 1);
    runtime::Kernel(device, file, name, defines).args(arguments..., std::uint64_t{1}).run(items, 1, bytes);
  } else {
    runtime::launch_items(device, file, name, defines, {.items = items, .bytes = bytes}, arguments...);
  }
}

}  // namespace

DeviceHalves::DeviceHalves(const Device& device, const FixedPoint& matrix, std::size_t cut)
    : device_(device), length_(matrix.columns.size()), cut_(cut) {
  const auto begin = [&](std::vector<List>& lists) {
    const std::vector<std::int64_t> zero = {0};
    const std::vector<std::uint64_t> one = {1};
    lists.push_back({Array<std::int64_t>(device, zero), Array<std::uint64_t>(device, one)});
  };
  begin(prefix_);
  for (std::size_t i = 0; i < cut; ++i) prefix_.push_back(grow(prefix_.back(), matrix.columns[i]));
  begin(suffix_);
  for (std::size_t i = length_; i-- > cut;) suffix_.push_back(grow(suffix_.back(), matrix.columns[i]));
  before_ = Array<std::uint64_t>(device, suffix_.back().sum.size() + 1);
  primitives::exclusive_scan(device, suffix_.back().weight, before_);
}

DeviceHalves::List DeviceHalves::merge(const List& a, std::int64_t add_a, std::uint64_t times_a, const List& b,
                                       std::int64_t add_b, std::uint64_t times_b) const {
  const std::uint64_t size = a.sum.size() + b.sum.size();
  List merged{Array<std::int64_t>(device_, size), Array<std::uint64_t>(device_, size)};
  const std::uint32_t run = run_length(device_, size);
  const auto runs = static_cast<std::uint32_t>(ceil_div(size, run));
  launch_runs(device_, "pwm/half_words.cl", "merge_half_words", runs, 32 * size, a.sum, a.weight,
              static_cast<std::uint32_t>(a.sum.size()), add_a, times_a, b.sum, b.weight,
              static_cast<std::uint32_t>(b.sum.size()), add_b, times_b, merged.sum, merged.weight, run, runs);
  return merged;
}

DeviceHalves::List DeviceHalves::grow(const List& list, const std::array<std::int64_t, 4>& column) const {
  const LetterClasses letters = letter_classes(column, column);
  const auto& [a, b, c, d] = letters.classes;
  using Letter = LetterClasses::Class;
  const auto pair = [&](const Letter& one, const Letter& other) {
    return merge(list, one.add, one.times, list, other.add, other.times);
  };
  const List none{Array<std::int64_t>(device_, 0), Array<std::uint64_t>(device_, 0)};
  switch (letters.count) {
    case 1:
      return merge(list, a.add, a.times, none, 0, 1);
    case 2:
      return pair(a, b);
    case 3:
      return merge(pair(a, b), 0, 1, list, c.add, c.times);
    default:
      return merge(pair(a, b), 0, 1, pair(c, d), 0, 1);
  }
}

std::vector<DeviceHalves::Count> DeviceHalves::at_least(std::span<const std::int64_t> q) const {
  std::vector<Count> counts(q.size());
  if (q.empty()) return counts;
  const List &left = prefix_.back(), &right = suffix_.back();
  const std::uint32_t run = run_length(device_, left.sum.size());
  const auto runs = static_cast<std::uint32_t>(ceil_div(left.sum.size(), run));
  const Array<std::int64_t> bounds(device_, q);
  Array<std::uint64_t> words(device_, q.size() * runs), pairs(device_, q.size() * runs);
  launch_runs(device_, "pwm/tail_count.cl", "tail_count", q.size() * runs,
              q.size() * (left.sum.bytes() * 2 + right.sum.bytes() * 2), left.sum, left.weight,
              static_cast<std::uint32_t>(left.sum.size()), right.sum, before_,
              static_cast<std::uint32_t>(right.sum.size()), bounds, static_cast<std::uint32_t>(q.size()), run, runs,
              words, pairs);
  const std::vector<std::uint64_t> all_words = words.download(), all_pairs = pairs.download();
  for (std::size_t i = 0; i < all_words.size(); ++i) {
    counts[i / runs].words += all_words[i];
    counts[i / runs].pairs += all_pairs[i];
  }
  return counts;
}

HalfWords<std::uint64_t> DeviceHalves::download() const {
  HalfWords<std::uint64_t> halves;
  halves.length = length_;
  halves.cut = cut_;
  const auto host = [](const List& list) {
    return std::vector<HalfList<std::uint64_t>>{{list.sum.download(), {}, list.weight.download()}};
  };
  for (const List& list : prefix_) halves.prefix.push_back(host(list));
  for (std::size_t i = suffix_.size(); i-- > 0;) halves.suffix.push_back(host(suffix_[i]));
  std::vector<std::uint64_t> tail = before_.download();
  const std::uint64_t all = tail.back();
  for (std::uint64_t& one : tail) one = all - one;
  halves.tail.push_back(std::move(tail));
  return halves;
}

}  // namespace genocl::pwm
