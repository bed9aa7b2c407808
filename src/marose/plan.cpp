// Seed masks, methods and plans.

#include "marose/plan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "genocl/error.hpp"
#include "genocl/marose/plan.hpp"
#include "marose/canonical.hpp"
#include "marose/device_state.hpp"
#include "runtime/names.hpp"

namespace genocl::marose {

SeedMask::SeedMask(std::string_view pattern) : pattern_(pattern) {
  const auto fail = [&](const char* wrong) { throw InputError("seed mask " + in_quotes(pattern_) + ": " + wrong); };
  if (pattern_.empty()) fail("is empty");
  if (pattern_.size() > longest) fail("longer than 32 bases");
  if (pattern_.find_first_not_of("#-") != std::string::npos) fail("must be made of '#' and '-'");
  if (pattern_.front() != '#' || pattern_.back() != '#') fail("must begin and end with '#'");
  for (std::size_t i = 0; i < pattern_.size(); ++i)
    if (pattern_[i] == '#') bits_ |= std::uint64_t{1} << i;
  weight_ = static_cast<unsigned>(std::popcount(bits_));
}

SeedMask SeedMask::solid(unsigned weight) { return SeedMask(std::string(weight, '#')); }

bool SeedMask::is_palindrome() const noexcept {
  return std::equal(pattern_.begin(), pattern_.end(), pattern_.rbegin());
}

std::string_view to_string(Model model) noexcept { return model == Model::hamming ? "hamming" : "levenshtein"; }

namespace {
constexpr runtime::Names<Method, 9> method_names = {{{Method::automatic, "auto"},
                                                     {Method::kmers, "kmers"},
                                                     {Method::canonical, "canonical"},
                                                     {Method::list, "list"},
                                                     {Method::binary, "binary"},
                                                     {Method::phf, "phf"},
                                                     {Method::phf_published, "phf-published"},
                                                     {Method::bitmap, "bitmap"},
                                                     {Method::offset, "offset"}}};
}

std::string_view to_string(Method method) noexcept { return runtime::name_of(method_names, method); }

Method method_named(std::string_view name) { return runtime::value_named(method_names, "method", name); }

namespace {

constexpr unsigned max_plan_errors = 250;  // distances are stored in a byte

// Palindromic masks: those with the fewest look-ups of their weight in an exhaustive search over all lossless ones
// for 25 to 50 bases and 2 to 4 substitutions. The planner tries them in addition to solid masks.
constexpr std::array<std::string_view, 18> spaced_masks = {"####--####--####",
                                                           "###-###-#-###-###",
                                                           "##-##---#---##-##---#---##-##",
                                                           "####-#-####",
                                                           "#####-#-#####",
                                                           "##-##---##-##---##-##---##-##",
                                                           "###--#--###--#--###--#--###",
                                                           "##-##-##-##-##",
                                                           "#-#-#-#-#---#---#-#-#-#-#",
                                                           "##-#-##-##-#-##-##-#-##",
                                                           "##-##-##-##-##-##-##-##",
                                                           "####--#--####--#--####",
                                                           "###--#-#--###--#-#--###",
                                                           "####------####------####",
                                                           "##-##----##-##----##-##",
                                                           "####-###-####",
                                                           "####-####-####",
                                                           "####--#---#--####"};

std::string thousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

double keys_of(const SeedMask& mask, Method method) {
  return method == Method::canonical ? static_cast<double>(canonical_keys(mask.weight()))
                                     : std::pow(4.0, mask.weight());
}

// Probability that random bases have at most `errors` errors.
double chance(unsigned bases, unsigned errors, Model model) {
  if (errors >= bases) return 1;
  double sum = 0, term = std::pow(0.25, bases);
  for (unsigned i = 0; i <= errors; ++i) {
    sum += term;
    term *= 3.0 * (bases - i) / (i + 1);
  }
  // Insertions and deletions each admit about as many words again as substitutions.
  return model == Model::hamming || errors == 0 ? sum : std::min(1.0, sum * std::pow(3.0, errors));
}

// Number of neighbourhood bases that a look-up compares.
unsigned compared(const Plan& plan, const SeedLookup& lookup) {
  if (plan.method == Method::offset) return 0;
  if (plan.method != Method::canonical) return plan.neighbourhood;
  const ContextLayout layout = context_layout(plan.mask);
  unsigned bases = 0;
  for (unsigned i = 0; i < layout.extended; ++i) {
    const std::int64_t base = std::int64_t{lookup.offset} + i - layout.side;
    bases += (layout.bits >> i & 1) != 0 && base >= lookup.check_first && base < lookup.check_last;
  }
  return bases;
}

double degenerated_words(unsigned bases, unsigned errors) {
  const double n = bases;
  return 1 + (errors >= 1 ? 3 * n : 0) + (errors >= 2 ? 4.5 * n * (n - 1) : 0);
}

// Approximate cost, in units of one uncached memory access.
double cost(const Plan& plan, std::uint64_t bases) {
  const double keys = keys_of(plan.mask, plan.method), entries = static_cast<double>(bases) / keys;
  double sum = 0;
  for (const SeedLookup& lookup : plan.places) {
    const double passing = entries * chance(compared(plan, lookup), lookup.check_errors, plan.model);
    sum += (keys > 1.2e6 ? 1.0 : 0.3) + std::min(1.0, entries) + entries / 8 + 2 * passing;
  }
  return sum;
}

// Sets the sensitivity of a plan whose look-ups cover every placement.
void prove_by_cover(Plan& plan) {
  plan.lossless = true;
  plan.missed = 0;
  plan.proof = "all " + thousands(choose(plan.length, plan.errors)) + " placements of " + std::to_string(plan.errors) +
               " substitutions";
}

void prove_by_parts(Plan& plan, bool pairs) {
  plan.lossless = true;
  const unsigned parts = plan.errors + 1;
  plan.proof = std::to_string(plan.errors) + (plan.errors == 1 ? " error in " : " errors in ") + std::to_string(parts) +
               (parts == 1 ? " part" : " disjoint parts");
  if (pairs && parts > 1)
    plan.proof += ": a pair of parts has at most 1" + std::string(parts % 2 != 0 ? " or the last has none" : "") +
                  ", so one of its seeds is exact";
  else if (parts > 1)
    plan.proof += ": one has none";
  if (plan.model == Model::hamming && choose(plan.length, plan.errors) <= counted_placements) plan.missed = 0;
}

// A context stores 16 bases.
bool fits_canonical(const SeedMask& mask) {
  return mask.is_palindrome() && mask.weight() >= 4 && mask.weight() <= 16 && mask.span() - mask.weight() <= 16;
}

std::vector<Plan> canonical_plans(const PlanRequest& request, const SeedMask& mask) {
  std::vector<Plan> plans;
  if (!fits_canonical(mask) || mask.span() > request.length) return plans;
  const Plan plan = plan_for(request, Method::canonical, mask);
  if (auto places = lookups_in_parts(request.length, request.errors, mask)) {
    plans.push_back(plan);
    plans.back().places = *places;
    prove_by_parts(plans.back(), true);
  }
  if (request.model == Model::hamming && request.errors > 0) {
    std::vector<SeedLookup> possible;
    for (unsigned offset = 0; offset + mask.span() <= request.length; ++offset)
      possible.push_back({offset, 0, request.length, request.errors});
    if (auto places = lookups_by_cover(request.length, request.errors, mask, possible)) {
      plans.push_back(plan);
      plans.back().places = *places;
      prove_by_cover(plans.back());
    }
  }
  return plans;
}

bool fits_method(const SeedMask& mask, unsigned neighbourhood, Method method) {
  if (method == Method::bitmap) return mask.weight() + neighbourhood <= 16;
  return mask.weight() <= 14 && neighbourhood <= 16;
}

unsigned neighbourhood_of(const PlanRequest& request) {
  return request.method == Method::offset ? 0 : request.neighbourhood;
}

Plan published_base(const PlanRequest& request, const SeedMask& mask) {
  Plan plan = plan_for(request, request.method, mask);
  plan.neighbourhood = neighbourhood_of(request);
  return plan;
}

// The plan of the paper: one pattern every `shift` bases.
Plan shifted_plan(const PlanRequest& request, const SeedMask& mask) {
  Plan plan = published_base(request, mask);
  plan.neighbourhood_errors = request.method == Method::offset ? 0 : request.neighbourhood_errors.value_or(1);
  const unsigned shift = request.shift.value_or(1), pattern = mask.span() + plan.neighbourhood;
  if (shift == 0) throw InputError("a shift of 0 bases");
  if (plan.neighbourhood_errors > 2) throw InputError("neighbourhoods with more than 2 errors");
  if (pattern > request.length)
    throw InputError("reads of " + std::to_string(request.length) + " bases: shorter than seed and neighbourhood, " +
                     std::to_string(pattern));
  for (unsigned offset = 0; offset + pattern <= request.length; offset += shift)
    plan.places.push_back({offset, offset + mask.span(), offset + pattern, plan.neighbourhood_errors});
  if (request.model == Model::hamming) {
    plan.missed = count_missed_substitutions(plan, counted_placements);
    plan.lossless = plan.missed ? *plan.missed == 0 : finds_all_substitutions(plan).value_or(false);
    if (plan.missed)
      plan.proof = thousands(*plan.missed) + " of " + thousands(choose(plan.length, plan.errors)) + " placements of " +
                   std::to_string(plan.errors) + " substitutions missed";
  }
  if (plan.proof.empty()) plan.proof = plan.lossless ? "by exhaustive search" : "not proved";
  return plan;
}

std::vector<Plan> published_plans(const PlanRequest& request, const SeedMask& mask) {
  std::vector<Plan> plans;
  const unsigned neighbourhood = neighbourhood_of(request), pattern = mask.span() + neighbourhood;
  if (!fits_method(mask, neighbourhood, request.method) || pattern > request.length) return plans;
  if (auto places = lookups_in_parts(request.length, request.errors, mask, false, neighbourhood)) {
    plans.push_back(published_base(request, mask));
    plans.back().places = *places;
    prove_by_parts(plans.back(), false);
  }
  if (request.model != Model::hamming || request.errors == 0) return plans;
  for (unsigned e = 0; e <= (request.method == Method::offset ? 0u : 2u); ++e) {
    if (request.neighbourhood_errors && *request.neighbourhood_errors != e) continue;
    std::vector<SeedLookup> possible;
    for (unsigned offset = 0; offset + pattern <= request.length; ++offset)
      possible.push_back({offset, offset + mask.span(), offset + pattern, e});
    auto places = lookups_by_cover(request.length, request.errors, mask, possible);
    if (!places) continue;
    plans.push_back(published_base(request, mask));
    plans.back().neighbourhood_errors = e;
    plans.back().places = *places;
    prove_by_cover(plans.back());
  }
  return plans;
}

double published_cost(const Plan& plan, std::uint64_t bases) {
  const double entries = static_cast<double>(bases) / keys_of(plan.mask, plan.method);
  const double words = degenerated_words(plan.neighbourhood, plan.neighbourhood_errors);
  const bool scans = plan.method == Method::list || plan.method == Method::offset;
  return static_cast<double>(plan.places.size()) *
         ((scans ? 1 + entries / 16 : words) +
          2 * entries * chance(plan.neighbourhood, plan.neighbourhood_errors, Model::hamming));
}

std::vector<SeedMask> masks_for(const PlanRequest& request) {
  if (request.mask) return {*request.mask};
  std::vector<SeedMask> masks;
  if (request.method != Method::automatic && request.method != Method::canonical) {
    for (unsigned weight = 8; weight >= 4; --weight) masks.push_back(SeedMask::solid(weight));
    return masks;
  }
  // Tables far larger than the text would be mostly empty, and too small ones full of collisions.
  for (unsigned weight = 16; weight >= 5; --weight)
    if (static_cast<double>(canonical_keys(weight)) <=
        std::max(4.0 * static_cast<double>(request.reference_bases), 4096.0))
      masks.push_back(SeedMask::solid(weight));
  if (request.model == Model::hamming)
    for (const std::string_view pattern : spaced_masks) {
      const SeedMask mask(pattern);
      if (static_cast<double>(canonical_keys(mask.weight())) <=
          std::max(8.0 * static_cast<double>(request.reference_bases), 4096.0))
        masks.push_back(mask);
    }
  return masks;
}

std::optional<Plan> lossless_plan(const PlanRequest& request) {
  if (request.method == Method::kmers) return kmer_plan(request);
  const bool canonical = request.method == Method::automatic || request.method == Method::canonical;
  std::optional<Plan> best;
  double least = 0;
  for (const SeedMask& mask : masks_for(request))
    for (Plan& plan : canonical ? canonical_plans(request, mask) : published_plans(request, mask)) {
      const double price =
          canonical ? cost(plan, request.reference_bases) : published_cost(plan, request.reference_bases);
      if (!best || price < least) least = price, best = std::move(plan);
    }
  return best;
}

// As many seeds as fit, spaced evenly, without conditions on the bases around them.
Plan heuristic_plan(const PlanRequest& request) {
  PlanRequest weaker = request;
  const bool canonical = request.method == Method::automatic || request.method == Method::canonical;
  std::optional<Plan> found;
  for (weaker.errors = request.errors; !found;) {
    found = lossless_plan(weaker);
    if (weaker.errors == 0) break;
    if (!found) --weaker.errors;
  }
  const std::string name = std::to_string(request.length) + " bases";
  if (!found) throw InputError("no seed of the index fits into reads of " + name);
  Plan plan = plan_for(request, canonical ? Method::canonical : request.method, found->mask);
  plan.neighbourhood = found->neighbourhood;
  if (request.method == Method::kmers) {
    plan.proof = "heuristic: proved for " + std::to_string(found->errors) + " errors: " + found->proof;
    return plan;
  }
  const unsigned pattern = plan.mask.span() + plan.neighbourhood;
  const unsigned step = std::max(1u, pattern / 3);
  for (unsigned offset = 0; offset + pattern <= plan.length; offset += step) {
    if (canonical)
      plan.places.push_back({offset, 0, plan.length, plan.errors});
    else
      plan.places.push_back({offset, offset + plan.mask.span(), offset + pattern, 0});
  }
  if (plan.model == Model::hamming) plan.missed = count_missed_substitutions(plan, counted_placements);
  plan.proof = plan.missed ? thousands(*plan.missed) + " of " + thousands(choose(plan.length, plan.errors)) +
                                 " placements of " + std::to_string(plan.errors) + " substitutions missed"
                           : "heuristic: not proved";
  plan.lossless = plan.missed && *plan.missed == 0;
  return plan;
}

}  // namespace

double Plan::look_ups() const {
  if (method == Method::kmers) return length - mask.span() + 1;
  const double strands = method == Method::canonical ? 1 : 2;
  const bool scans = method == Method::list || method == Method::offset || method == Method::canonical;
  return strands * static_cast<double>(places.size()) *
         (scans ? 1 : degenerated_words(neighbourhood, neighbourhood_errors));
}

double Plan::expected_entries(std::uint64_t reference_bases) const {
  if (method == Method::kmers)
    return (errors + 1) * static_cast<double>(reference_bases) / static_cast<double>(canonical_keys(mask.weight()));
  const double strands = method == Method::canonical ? 1 : 2;
  return strands * static_cast<double>(places.size()) * static_cast<double>(reference_bases) / keys_of(mask, method);
}

double Plan::expected_candidates(std::uint64_t reference_bases) const {
  const double strands = method == Method::canonical ? 1 : 2;
  const double entries = static_cast<double>(reference_bases) / keys_of(mask, method);
  double sum = 0;
  for (const SeedLookup& lookup : places)
    sum += method == Method::canonical ? chance(compared(*this, lookup), lookup.check_errors, model)
                                       : chance(compared(*this, lookup), lookup.check_errors, Model::hamming);
  return strands * sum * entries;
}

Plan make_plan(const PlanRequest& request) { return make_plan(request, "a heuristic one has to be asked for"); }

Plan make_plan(const PlanRequest& request, const std::string& otherwise) {
  const std::string what = std::to_string(request.length) + " bases and " + std::to_string(request.errors) +
                           (request.errors == 1 ? " error" : " errors");
  if (request.length < shortest_read || request.length > longest_read)
    throw InputError("reads of " + std::to_string(request.length) + " bases: expected 20 to 1,000");
  if (request.errors > max_plan_errors || 2 * request.errors >= request.length)
    throw InputError("reads of " + what + ": expected less than half the length and at most 250 errors");
  if (request.shift ||
      (request.neighbourhood_errors && request.method != Method::automatic && request.method != Method::canonical)) {
    if (request.method == Method::automatic || request.method == Method::canonical)
      throw InputError("a shift is for the methods list, binary, phf, bitmap and offset");
    const SeedMask mask = request.mask.value_or(SeedMask::solid(8));
    if (request.shift) return shifted_plan(request, mask);
  }
  if (auto plan = lossless_plan(request)) return *plan;
  if (request.heuristic) return heuristic_plan(request);
  PlanRequest weaker = request;
  std::string until = "none for any number of errors";
  for (weaker.errors = request.errors; weaker.errors-- > 0;)
    if (lossless_plan(weaker)) {
      until = "there is one up to " + std::to_string(weaker.errors);
      break;
    }
  throw InputError("no lossless plan is known for reads of " + what + " (" + std::string(to_string(request.model)) +
                   (request.mask ? ", seed " + request.mask->pattern() : std::string()) + "): " + until + "; " +
                   otherwise);
}

}  // namespace genocl::marose
