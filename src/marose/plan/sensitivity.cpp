#include "marose/plan/sensitivity.hpp"

#include <algorithm>
#include <limits>

namespace genocl::marose {
namespace {

bool in_seed(const SeedMask& mask, const Place& place, unsigned position) {
  return position >= place.offset && position < place.offset + mask.span() &&
         (mask.bits() >> (position - place.offset) & 1) != 0;
}

// Looks for a set of errors that no place finds: takes a place that still finds what is chosen so far, and tries every
// error that brings it closer to failing. Some error of any set that it does not find is among those.
class Adversary {
 public:
  Adversary(const Plan& plan, std::uint64_t effort) : plan_(plan), effort_(effort) {}

  std::optional<bool> finds_all() {
    const bool escaped = escape(0);
    if (escaped) return false;
    if (effort_ == 0) return std::nullopt;
    return true;
  }

 private:
  bool escape(std::size_t first_alive) {
    std::vector<unsigned> sorted = chosen_;
    std::sort(sorted.begin(), sorted.end());
    std::size_t alive = first_alive;
    while (alive < plan_.places.size() && !finds(plan_.mask, plan_.places[alive], sorted)) ++alive;
    if (alive == plan_.places.size()) return true;
    if (chosen_.size() == plan_.errors) return false;
    const Place& place = plan_.places[alive];
    const unsigned last = std::max(place.offset + plan_.mask.span(), place.check_last);
    for (unsigned position = std::min(place.offset, place.check_first); position < last; ++position) {
      if (std::binary_search(sorted.begin(), sorted.end(), position)) continue;
      // One that only counts against the check needs enough others to make it fail.
      if (!in_seed(plan_.mask, place, position) && place.check_errors >= plan_.errors) continue;
      if (effort_ == 0) return false;
      --effort_;
      chosen_.push_back(position);
      const bool escaped = escape(alive);
      chosen_.pop_back();
      if (escaped) return true;
    }
    return false;
  }

  const Plan& plan_;
  std::uint64_t effort_;
  std::vector<unsigned> chosen_;
};

}  // namespace

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  long double result = 1;
  for (std::uint64_t i = 0; i < k; ++i) {
    result = result * static_cast<long double>(n - i) / static_cast<long double>(i + 1);
    if (result > 1.8e19L) return std::numeric_limits<std::uint64_t>::max();
  }
  return static_cast<std::uint64_t>(result + 0.5L);
}

bool finds(const SeedMask& mask, const Place& place, const std::vector<unsigned>& positions) {
  unsigned in_check = 0;
  for (const unsigned position : positions) {
    if (in_seed(mask, place, position)) return false;
    if (position >= place.check_first && position < place.check_last && ++in_check > place.check_errors) return false;
  }
  return true;
}

void for_each_placement(unsigned length, unsigned errors,
                        const std::function<void(const std::vector<unsigned>&)>& call) {
  if (errors > length) return;
  std::vector<unsigned> positions(errors);
  for (unsigned i = 0; i < errors; ++i) positions[i] = i;
  for (;;) {
    call(positions);
    unsigned i = errors;
    while (i > 0 && positions[i - 1] == length - errors + i - 1) --i;
    if (i == 0) return;
    ++positions[i - 1];
    for (unsigned j = i; j < errors; ++j) positions[j] = positions[j - 1] + 1;
  }
}

std::optional<bool> finds_all_substitutions(const Plan& plan, std::uint64_t effort) {
  return Adversary(plan, effort).finds_all();
}

std::optional<std::uint64_t> count_missed_substitutions(const Plan& plan, std::uint64_t most) {
  if (choose(plan.length, plan.errors) > most) return std::nullopt;
  std::uint64_t missed = 0;
  for_each_placement(plan.length, plan.errors, [&](const std::vector<unsigned>& positions) {
    missed += std::none_of(plan.places.begin(), plan.places.end(),
                           [&](const Place& place) { return finds(plan.mask, place, positions); });
  });
  return missed;
}

}  // namespace genocl::marose
