#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/marose.hpp"
#include "marose/plan.hpp"
#include "random.hpp"

using namespace genocl;
using namespace genocl::marose;

namespace {

// Straight from the definition of a place.
bool found_by(const Plan& plan, const std::vector<unsigned>& errors) {
  for (const SeedLookup& place : plan.places) {
    bool seed = true;
    unsigned in_check = 0;
    for (const unsigned error : errors) {
      for (unsigned i = 0; i < plan.mask.span(); ++i)
        if (plan.mask.pattern()[i] == '#' && place.offset + i == error) seed = false;
      in_check += error >= place.check_first && error < place.check_last;
    }
    if (seed && in_check <= place.check_errors) return true;
  }
  return false;
}

std::uint64_t missed_by_enumeration(const Plan& plan) {
  std::uint64_t missed = 0;
  std::vector<unsigned> errors(plan.errors);
  const auto recurse = [&](auto&& self, unsigned number, unsigned from) -> void {
    if (number == plan.errors) {
      missed += !found_by(plan, errors);
      return;
    }
    for (unsigned at = from; at < plan.length; ++at) {
      errors[number] = at;
      self(self, number + 1, at + 1);
    }
  };
  recurse(recurse, 0, 0);
  return missed;
}

Plan plan_of(unsigned length, unsigned errors, std::string_view mask, const std::vector<unsigned>& offsets) {
  Plan plan;
  plan.length = length;
  plan.errors = errors;
  plan.mask = SeedMask(mask);
  for (const unsigned offset : offsets) plan.places.push_back({offset, 0, length, errors});
  return plan;
}

}  // namespace

TEST_CASE("seed masks") {
  const SeedMask mask("######-##");
  CHECK(mask.span() == 9);
  CHECK(mask.weight() == 8);
  CHECK(mask.bits() == 0b110111111);
  CHECK_FALSE(mask.is_palindrome());
  CHECK(SeedMask("####--####--####").is_palindrome());
  CHECK(SeedMask::solid(10).is_solid());
  for (const char* wrong : {"", "-", "-##", "##-", "#x#", "#################################"})
    CHECK_THROWS_AS(SeedMask{wrong}, InputError);
}

TEST_CASE("the known lossless places for 40 bases and 3 substitutions") {
  for (const Plan& plan : {plan_of(40, 3, "####--####--####", {0, 2, 4, 20, 22, 24}),
                           plan_of(40, 3, "###-###-#-###-###", {0, 1, 2, 3, 20, 21, 22, 23}),
                           plan_of(40, 3, "##-##---#---##-##---#---##-##", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})}) {
    CAPTURE(plan.mask.pattern());
    CHECK(count_missed_substitutions(plan) == 0);
    CHECK(finds_all_substitutions(plan) == true);
    CHECK(missed_by_enumeration(plan) == 0);
    for (std::size_t without = 0; without < plan.places.size(); ++without) {
      Plan less = plan;
      less.places.erase(less.places.begin() + static_cast<std::ptrdiff_t>(without));
      const std::uint64_t missed = missed_by_enumeration(less);
      CHECK(missed > 0);
      CHECK(count_missed_substitutions(less) == missed);
      CHECK(finds_all_substitutions(less) == false);
    }
  }
}

TEST_CASE("the paper's parameters: the missed hits") {
  PlanRequest request{.length = 40,
                      .errors = 3,
                      .model = Model::hamming,
                      .method = Method::list,
                      .mask = SeedMask("######-##"),
                      .neighbourhood = 7};
  const std::uint64_t e1[] = {0, 0, 24, 79, 328, 148}, e2[] = {0, 0, 8, 49, 162, 80};
  for (unsigned shift = 1; shift <= 6; ++shift) {
    request.shift = shift;
    request.neighbourhood_errors = 1;
    const Plan one = make_plan(request);
    CHECK(one.missed == e1[shift - 1]);
    CHECK(one.lossless == (e1[shift - 1] == 0));
    if (shift == 1) CHECK(one.look_ups() == 2 * 25);
    request.method = Method::phf;
    if (shift == 1) CHECK(make_plan(request).look_ups() == 2 * 550);
    request.method = Method::list;
    request.neighbourhood_errors = 2;
    CHECK(make_plan(request).missed == e2[shift - 1]);
  }
}

TEST_CASE("plans of the planner miss nothing: by enumeration") {
  for (const Method method :
       {Method::automatic, Method::list, Method::binary, Method::phf, Method::bitmap, Method::offset})
    for (const std::uint64_t bases : {std::uint64_t{50'000}, std::uint64_t{5'000'000}, std::uint64_t{3'100'000'000}})
      for (const auto& bound : {std::pair{20u, 0u}, {25u, 1u}, {36u, 2u}, {36u, 3u}, {40u, 3u}, {50u, 3u}}) {
        const unsigned length = bound.first, errors = bound.second;
        const PlanRequest request{
            .length = length, .errors = errors, .model = Model::hamming, .reference_bases = bases, .method = method};
        CAPTURE(to_string(method));
        CAPTURE(bases);
        CAPTURE(length);
        CAPTURE(errors);
        std::optional<Plan> plan;
        REQUIRE_NOTHROW(plan = make_plan(request));
        CAPTURE(plan->mask.pattern());
        CHECK(plan->lossless);
        CHECK(missed_by_enumeration(*plan) == 0);
        for (const SeedLookup& place : plan->places) {
          CHECK(place.offset + plan->mask.span() <= length);
          CHECK(place.check_last <= length);
          if (plan->method != Method::canonical) continue;
          CHECK(place.offset >= place.check_first);
          CHECK(place.offset + plan->mask.span() <= place.check_last);
        }
      }
}

TEST_CASE("plans for insertions and deletions: the edits of random alignments leave a place intact") {
  const unsigned seed = 11;
  genocl_test::Random random(seed);
  CAPTURE(seed);
  for (const auto& bound : {std::pair{40u, 3u}, {40u, 2u}, {100u, 5u}, {250u, 12u}, {1000u, 50u}}) {
    const unsigned length = bound.first, errors = bound.second;
    const Plan plan = make_plan({.length = length, .errors = errors, .model = Model::levenshtein});
    CHECK(plan.lossless);
    CAPTURE(length);
    // An edit touches one base of the read, or (a deletion) the border before one: then it is counted with that base.
    for (int trial = 0; trial < 2000; ++trial) {
      std::vector<unsigned> edits(errors);
      for (unsigned& edit : edits) edit = static_cast<unsigned>(random() % length);
      bool found = false;
      for (const SeedLookup& place : plan.places) {
        unsigned inside = 0, in_check = 0;
        for (const unsigned edit : edits) {
          inside += edit >= place.offset && edit < place.offset + plan.mask.span();
          in_check += edit >= place.check_first && edit < place.check_last;
        }
        found = found || (inside == 0 && in_check <= place.check_errors);
      }
      CHECK(found);
    }
  }
}

TEST_CASE("plans that are not known to be lossless have to be asked for") {
  const PlanRequest request{.length = 20, .errors = 5, .model = Model::levenshtein};
  CHECK_THROWS_WITH_AS(make_plan(request), doctest::Contains("there is one up to"), InputError);
  PlanRequest heuristic = request;
  heuristic.heuristic = true;
  const Plan plan = make_plan(heuristic);
  CHECK_FALSE(plan.lossless);
  CHECK(plan.errors == 5);
  CHECK_FALSE(plan.places.empty());
  CHECK_THROWS_AS(make_plan({.length = 19, .errors = 0}), InputError);
  CHECK_THROWS_AS(make_plan({.length = 1001, .errors = 0}), InputError);
  CHECK_THROWS_AS(make_plan({.length = 100, .errors = 50}), InputError);
  CHECK_THROWS_AS(make_plan({.length = 40, .errors = 3, .shift = 0}), InputError);
}

TEST_CASE("placements are counted and gone through once each") {
  CHECK(choose(40, 3) == 9880);
  CHECK(choose(100, 5) == 75'287'520);
  CHECK(choose(3, 4) == 0);
  CHECK(choose(1000, 500) == ~std::uint64_t{0});
  std::uint64_t count = 0;
  for_each_placement(12, 4, [&](const std::vector<unsigned>& positions) {
    CHECK(std::is_sorted(positions.begin(), positions.end()));
    ++count;
  });
  CHECK(count == choose(12, 4));
}
