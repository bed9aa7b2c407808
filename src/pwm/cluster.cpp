#include "genocl/pwm/cluster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "genocl/error.hpp"

namespace genocl::pwm {

namespace {

/// Mean distances of the clusters that are left, in the upper left of a square.
class Distances {
 public:
  Distances(std::span<const double> distances, std::size_t count)
      : count_(count), values_(distances.begin(), distances.end()), sizes_(count, 1) {
    if (distances.size() != count * count)
      throw InputError(std::to_string(distances.size()) + " distances of " + std::to_string(count) + " items");
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!std::isfinite(at(i, j)) || at(i, j) < 0 || at(i, j) != at(j, i))
          throw InputError("the distance of items " + std::to_string(j) + " and " + std::to_string(i) +
                           ": negative, not finite or not symmetric");
  }

  double at(std::size_t i, std::size_t j) const { return values_[i * count_ + j]; }
  bool exists(std::size_t i) const { return sizes_[i] != 0; }
  /// The nearest other cluster; of equal ones `preferred`, else the first.
  std::size_t nearest(std::size_t i, std::size_t preferred) const {
    std::size_t best = preferred;
    double least = preferred < count_ ? at(i, preferred) : std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < count_; ++j)
      if (j != i && exists(j) && at(i, j) < least) {
        least = at(i, j);
        best = j;
      }
    return best;
  }
  /// Cluster `into` gets the items of `from`.
  void merge(std::size_t into, std::size_t from) {
    const auto a = static_cast<double>(sizes_[into]), b = static_cast<double>(sizes_[from]);
    for (std::size_t j = 0; j < count_; ++j) {
      if (j == into || j == from || !exists(j)) continue;
      values_[into * count_ + j] = values_[j * count_ + into] = (a * at(into, j) + b * at(from, j)) / (a + b);
    }
    sizes_[into] += std::exchange(sizes_[from], 0);
  }

 private:
  std::size_t count_;
  std::vector<double> values_;
  std::vector<std::size_t> sizes_;
};

/// Sets of items that are joined; the representative is the smallest one.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t first = find(a), second = find(b);
    parent_[std::max(first, second)] = std::min(first, second);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

std::vector<ClusterMerge> average_linkage(std::span<const double> given, std::size_t count) {
  Distances distances(given, count);
  if (count == 0) return {};
  // Merges of two items, one of each cluster.
  std::vector<ClusterMerge> merges;
  std::vector<std::size_t> chain;
  for (std::size_t start = 0; merges.size() + 1 < count;) {
    if (chain.empty()) {
      while (!distances.exists(start)) ++start;
      chain.push_back(start);
    }
    for (;;) {
      const std::size_t last = chain.back(), before = chain.size() > 1 ? chain[chain.size() - 2] : count;
      const std::size_t next = distances.nearest(last, before);
      if (next != before) {
        chain.push_back(next);
        continue;
      }
      const std::size_t into = std::min(last, before), from = std::max(last, before);
      merges.push_back(
          {static_cast<std::uint32_t>(into), static_cast<std::uint32_t>(from), distances.at(last, before)});
      distances.merge(into, from);
      chain.resize(chain.size() - 2);
      break;
    }
  }
  // By distance, with the numbers of clusters; of equal distances a merge stays behind those that it contains.
  std::ranges::stable_sort(merges, {}, &ClusterMerge::distance);
  DisjointSets sets(count);
  std::vector<std::uint32_t> number(count);
  std::iota(number.begin(), number.end(), 0U);
  for (std::size_t k = 0; k < merges.size(); ++k) {
    const std::uint32_t a = sets.find(merges[k].first), b = sets.find(merges[k].second);
    const auto [first, second] = std::minmax(number[a], number[b]);
    merges[k] = {first, second, merges[k].distance};
    sets.join(a, b);
    number[sets.find(a)] = static_cast<std::uint32_t>(count + k);
  }
  return merges;
}

std::vector<std::uint32_t> cut_tree(std::span<const ClusterMerge> merges, std::size_t count, double distance) {
  DisjointSets sets(count);
  std::vector<std::uint32_t> item(count);  // of each cluster
  std::iota(item.begin(), item.end(), 0U);
  for (const ClusterMerge& merge : merges) {
    item.push_back(item[merge.first]);
    if (merge.distance <= distance) sets.join(item[merge.first], item[merge.second]);
  }
  std::vector<std::uint32_t> groups(count);
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t first = sets.find(i);
    groups[i] = first == i ? next++ : groups[first];
  }
  return groups;
}

std::string newick(std::span<const ClusterMerge> merges, std::span<const std::string> names) {
  if (names.empty() || names.size() != merges.size() + 1)
    throw InputError(std::to_string(names.size()) + " names for a tree of " + std::to_string(merges.size() + 1) +
                     " items");
  const auto branch = [](double length) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), ":%.6g", std::max(0.0, length));
    return std::string(text.data());
  };
  std::vector<std::string> texts;
  std::vector<double> heights(names.size(), 0);
  for (const std::string& name : names) {
    std::string quoted = "'";
    for (const char c : name) quoted += c == '\'' ? "''" : std::string(1, c);
    texts.push_back(quoted + "'");
  }
  for (const ClusterMerge& merge : merges) {
    const double height = merge.distance / 2;
    texts.push_back("(" + std::exchange(texts[merge.first], {}) + branch(height - heights[merge.first]) + "," +
                    std::exchange(texts[merge.second], {}) + branch(height - heights[merge.second]) + ")");
    heights.push_back(height);
  }
  return texts.back() + ";\n";
}

double adjusted_rand_index(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.size() != b.size() || a.empty())
    throw InputError("partitions of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) + " items");
  std::map<std::uint32_t, double> of_a, of_b;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> of_both;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ++of_a[a[i]];
    ++of_b[b[i]];
    ++of_both[{a[i], b[i]}];
  }
  const auto pairs = [](const auto& counts) {
    double sum = 0;
    for (const auto& [key, count] : counts) sum += count * (count - 1) / 2;
    return sum;
  };
  const auto count = static_cast<double>(a.size());
  const double all = count * (count - 1) / 2, in_a = pairs(of_a), in_b = pairs(of_b);
  const double expected = all > 0 ? in_a * in_b / all : 0, highest = (in_a + in_b) / 2;
  return highest == expected ? 1 : (pairs(of_both) - expected) / (highest - expected);
}

Motif family_motif(std::span<const AlignedMotif> members, const std::string& id) {
  constexpr double sites = 20;
  if (members.empty()) throw InputError("a family without members");
  int begin = std::numeric_limits<int>::max(), end = std::numeric_limits<int>::min();
  for (const AlignedMotif& member : members) {
    begin = std::min(begin, member.shift);
    end = std::max(end, member.shift + static_cast<int>(member.motif->length()));
  }
  std::vector<std::array<double, 4>> counts(static_cast<std::size_t>(end - begin));
  std::vector<std::size_t> covered(counts.size(), 0);
  for (const AlignedMotif& member : members) {
    const std::size_t length = member.motif->length();
    for (std::size_t i = 0; i < length; ++i) {
      const std::array<double, 4>& column = member.motif->counts[member.reverse ? length - 1 - i : i];
      const double sum = std::accumulate(column.begin(), column.end(), 0.0);
      const std::size_t at = static_cast<std::size_t>(member.shift - begin) + i;
      for (std::size_t letter = 0; letter < 4; ++letter)
        counts[at][letter] += sites * column[member.reverse ? 3 - letter : letter] / sum;
      ++covered[at];
    }
  }
  std::size_t first = 0, last = covered.size();
  const auto is_kept = [&](std::size_t at) { return 2 * covered[at] >= members.size(); };
  while (first < last && !is_kept(first)) ++first;
  while (last > first && !is_kept(last - 1)) --last;
  if (first == last) {  // members without a common column
    first = 0;
    last = covered.size();
  }
  Motif family;
  family.id = id;
  family.counts.assign(counts.begin() + static_cast<std::ptrdiff_t>(first),
                       counts.begin() + static_cast<std::ptrdiff_t>(last));
  return family;
}

}  // namespace genocl::pwm
