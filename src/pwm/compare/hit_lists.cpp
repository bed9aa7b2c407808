#include "pwm/compare/hit_lists.hpp"

#include <algorithm>
#include <limits>

#include "genocl/error.hpp"
#include "genocl/primitives/compact.hpp"
#include "pwm/compare/compare_steps.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

std::vector<double> sums_of(std::span<const std::vector<std::uint64_t>* const> lists,
                            std::span<const std::uint32_t> lengths, const Background& background) {
  std::vector<double> sums;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    double sum = 0;
    sums.push_back(sum);
    for (const std::uint64_t word : *lists[l]) sums.push_back(sum += word_probability(word, lengths[l], background));
  }
  return sums;
}

}  // namespace

HitLists::HitLists(const Device& device, std::span<const std::vector<std::uint64_t>* const> lists,
                   std::span<const std::uint32_t> lengths, const Background& background)
    : lengths_of_(lengths.begin(), lengths.end()) {
  firsts_.push_back(0);
  for (const auto* list : lists) firsts_.push_back(firsts_.back() + list->size());
  const std::uint64_t all = firsts_.back();
  runtime::check_capacity(device, "lists of the hits to be compared", all * 8, bytes(all, background.uniform()));
  if (all >= std::numeric_limits<std::uint32_t>::max())
    throw CapacityError("lists of the hits to be compared", all * 8, std::uint64_t{8} << 32);
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> owners, described;
  words.reserve(all);
  owners.reserve(all);
  for (std::size_t l = 0; l < lists.size(); ++l) {
    words.insert(words.end(), lists[l]->begin(), lists[l]->end());
    owners.insert(owners.end(), lists[l]->size(), static_cast<std::uint32_t>(l));
    described.insert(described.end(), {static_cast<std::uint32_t>(firsts_[l]),
                                       static_cast<std::uint32_t>(lists[l]->size()), lengths[l], 0});
  }
  words_ = Array<std::uint64_t>(device, std::span<const std::uint64_t>(words));
  owners_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(owners));
  lengths_ = Array<std::uint32_t>(device, lengths);
  described_ = Array<std::uint32_t>(device, std::span<const std::uint32_t>(described));
  if (background.uniform()) return;
  sums_ = Array<double>(device, std::span<const double>(sums_of(lists, lengths, background)));
  // The reverse complement of a word of letters is as probable as the word with the letters' complements exchanged.
  turned_sums_ =
      Array<double>(device, std::span<const double>(sums_of(lists, lengths, background.reverse_complement())));
}

std::uint64_t HitLists::first_list(std::uint32_t letters) const {
  return static_cast<std::uint64_t>(std::ranges::lower_bound(lengths_of_, letters) - lengths_of_.begin());
}

std::uint64_t HitLists::mark_runs(const Device& device, std::uint32_t letters, Array<std::uint8_t>& flags,
                                  Array<std::uint32_t>& beginnings) const {
  const std::uint64_t first = first_word(letters), count = words();
  if (first == count) return 0;
  runtime::launch_items(device, "pwm/compare/hit_lists.cl", "mark_runs", {},
                        {.items = count, .bytes = (count - first) * 13}, words_, owners_, lengths_, flags, letters,
                        first, count);
  return primitives::select_indices(device, flags, beginnings);
}

}  // namespace genocl::pwm
