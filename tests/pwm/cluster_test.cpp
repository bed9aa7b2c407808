// Clustering against the definition: the pair of clusters with the smallest mean distance is merged.
#include "genocl/pwm/cluster.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "genocl/error.hpp"
#include "random.hpp"

using namespace genocl::pwm;
using genocl::InputError;
using genocl_test::Random;

namespace {

std::vector<double> random_distances(Random& random, std::size_t count) {
  std::vector<double> distances(count * count, 0);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) distances[i * count + j] = distances[j * count + i] = random.between(0, 1);
  return distances;
}

using Items = std::vector<std::uint32_t>;
struct PlainMerge {
  Items items;  ///< ascending
  double distance = 0;
};

double mean_distance(const std::vector<double>& distances, std::size_t count, const Items& a, const Items& b) {
  double sum = 0;
  for (const std::uint32_t i : a)
    for (const std::uint32_t j : b) sum += distances[i * count + j];
  return sum / static_cast<double>(a.size() * b.size());
}

std::vector<PlainMerge> plain_linkage(const std::vector<double>& distances, std::size_t count) {
  std::vector<Items> clusters;
  for (std::uint32_t i = 0; i < count; ++i) clusters.push_back({i});
  std::vector<PlainMerge> merges;
  while (clusters.size() > 1) {
    std::size_t first = 0, second = 1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < clusters.size(); ++a)
      for (std::size_t b = a + 1; b < clusters.size(); ++b)
        if (const double distance = mean_distance(distances, count, clusters[a], clusters[b]); distance < least) {
          least = distance;
          first = a;
          second = b;
        }
    Items& items = clusters[first];
    items.insert(items.end(), clusters[second].begin(), clusters[second].end());
    std::sort(items.begin(), items.end());
    merges.push_back({items, least});
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(second));
  }
  return merges;
}

Items items_of(const std::vector<ClusterMerge>& merges, std::size_t count, std::uint32_t cluster) {
  if (cluster < count) return {cluster};
  const ClusterMerge& merge = merges[cluster - count];
  Items items = items_of(merges, count, merge.first);
  const Items others = items_of(merges, count, merge.second);
  items.insert(items.end(), others.begin(), others.end());
  std::sort(items.begin(), items.end());
  return items;
}

}  // namespace

TEST_CASE("pwm cluster: average linkage merges the clusters with the smallest mean distance") {
  GENOCL_SHOW_SEED();
  Random random(genocl_test::test_seed());
  for (const std::size_t count : {1, 2, 3, 7, 20, 41}) {
    CAPTURE(count);
    const std::vector<double> distances = random_distances(random, count);
    const std::vector<ClusterMerge> found = average_linkage(distances, count);
    const std::vector<PlainMerge> expected = plain_linkage(distances, count);
    REQUIRE(found.size() == count - 1);
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(found[k].first < found[k].second);
      CHECK(found[k].second < count + k);
      CHECK(found[k].distance == doctest::Approx(expected[k].distance).epsilon(1e-12));
      CHECK(items_of(found, count, static_cast<std::uint32_t>(count + k)) == expected[k].items);
    }
    // Groups of a cut: two items are together if a merge up to it contains both.
    for (const double cut : {-1.0, 0.2, 0.5, 2.0}) {
      const std::vector<std::uint32_t> groups = cut_tree(found, count, cut);
      std::uint32_t next = 0;
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(groups[i] <= next);
        next = std::max(next, groups[i] + 1);
        for (std::size_t j = 0; j < i; ++j) {
          const bool together = std::ranges::any_of(expected, [&](const PlainMerge& merge) {
            return merge.distance <= cut && std::ranges::count(merge.items, static_cast<std::uint32_t>(i)) != 0 &&
                   std::ranges::count(merge.items, static_cast<std::uint32_t>(j)) != 0;
          });
          CHECK((groups[i] == groups[j]) == together);
        }
      }
    }
  }
}

TEST_CASE("pwm cluster: equal distances give a valid tree") {
  for (const std::size_t count : {2, 5, 12}) {
    const std::vector<double> equal(count * count, 0.25);
    const std::vector<ClusterMerge> merges = average_linkage(equal, count);
    REQUIRE(merges.size() == count - 1);
    for (const ClusterMerge& merge : merges) CHECK(merge.distance == 0.25);
    CHECK(items_of(merges, count, static_cast<std::uint32_t>(2 * count - 2)).size() == count);
    CHECK(cut_tree(merges, count, 0.25) == std::vector<std::uint32_t>(count, 0));
  }
  CHECK(average_linkage({}, 0).empty());
}

TEST_CASE("pwm cluster: Newick") {
  // Items 0 and 2 at 0.2, both at 0.6 and 0.8 from item 1.
  const std::vector<double> distances = {0, 0.6, 0.2, 0.6, 0, 0.8, 0.2, 0.8, 0};
  const std::vector<std::string> names = {"a", "b's", "c d"};
  CHECK(newick(average_linkage(distances, 3), names) == "('b''s':0.35,('a':0.1,'c d':0.1):0.25);\n");
  const std::vector<std::string> one = {"x"};
  CHECK(newick({}, one) == "'x';\n");
  CHECK_THROWS_AS(newick({}, names), InputError);
  CHECK_THROWS_AS(newick({}, {}), InputError);
}

TEST_CASE("pwm cluster: the adjusted Rand index") {
  const std::vector<std::uint32_t> a = {0, 0, 1, 1, 2, 2}, renamed = {7, 7, 3, 3, 5, 5}, b = {0, 0, 1, 2, 2, 2};
  CHECK(adjusted_rand_index(a, renamed) == 1);
  // Pairs: 3 in a, 4 in b, 2 in both, 15 in all: (2 - 0.8) / (3.5 - 0.8).
  CHECK(adjusted_rand_index(a, b) == doctest::Approx(1.2 / 2.7));
  CHECK(adjusted_rand_index(b, a) == doctest::Approx(1.2 / 2.7));
  const std::vector<std::uint32_t> single = {0, 1, 2, 3, 4, 5}, all(6, 0);
  CHECK(adjusted_rand_index(single, single) == 1);
  CHECK(adjusted_rand_index(all, single) == 0);
  CHECK_THROWS_AS(adjusted_rand_index(a, std::vector<std::uint32_t>{1}), InputError);
  CHECK_THROWS_AS(adjusted_rand_index({}, {}), InputError);
}

TEST_CASE("pwm cluster: the motif of a family") {
  Motif first, second;
  first.counts = {{10, 0, 0, 0}, {0, 5, 5, 0}, {0, 0, 0, 1}};
  second.counts = {{3, 0, 0, 0}, {0, 1, 1, 0}, {0, 0, 0, 9}};  // of the other strand: A, C or G, T
  const std::vector<AlignedMotif> members = {{&first, 0, false}, {&second, 0, true}};
  const Motif family = family_motif(members, "f");
  CHECK(family.id == "f");
  REQUIRE(family.length() == 3);
  CHECK(family.counts[0] == std::array<double, 4>{40, 0, 0, 0});
  CHECK(family.counts[1] == std::array<double, 4>{0, 20, 20, 0});
  CHECK(family.counts[2] == std::array<double, 4>{0, 0, 0, 40});
  // Of three members two cover columns -1 to 1, and one column 2 to 4.
  const std::vector<AlignedMotif> shifted = {{&first, -1, false}, {&first, -1, false}, {&first, 2, false}};
  const Motif trimmed = family_motif(shifted, "g");
  REQUIRE(trimmed.length() == 3);
  CHECK(trimmed.counts[0][0] == 40);
  const std::vector<AlignedMotif> apart = {{&first, 0, false}, {&first, 10, false}, {&first, 20, false}};
  CHECK(family_motif(apart, "h").length() == 23);
  CHECK_THROWS_AS(family_motif({}, "x"), InputError);
}

TEST_CASE("pwm cluster: distances that are refused") {
  CHECK_THROWS_AS(average_linkage(std::vector<double>{0, 1, 1}, 2), InputError);
  CHECK_THROWS_AS(average_linkage(std::vector<double>{0, 1, 2, 0}, 2), InputError);
  CHECK_THROWS_AS(average_linkage(std::vector<double>{0, -1, -1, 0}, 2), InputError);
  const double no_number = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(average_linkage(std::vector<double>{0, no_number, no_number, 0}, 2), InputError);
}
