#include "overlap/genomes/chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace genocl::overlap {
namespace detail::chain {

constexpr double none = -std::numeric_limits<double>::infinity();
constexpr std::uint32_t no_anchor = std::numeric_limits<std::uint32_t>::max();
constexpr double cost_of_distance = 0.01, cost_of_difference = 0.05;

/// The maximum over ranges of elements that change one by one.
class MaximumTree {
 public:
  explicit MaximumTree(std::size_t size) {
    while (leaves_ < size) leaves_ *= 2;
    values_.assign(2 * leaves_, none);
  }

  void set(std::size_t i, double value) {
    for (values_[i += leaves_] = value; i > 1; i /= 2)
      values_[i / 2] = std::max(values_[i & ~std::size_t{1}], values_[i | 1]);
  }

  /// The first position of the maximum of [begin, end); `end` if there is no value.
  std::size_t best(std::size_t begin, std::size_t end) const {
    std::size_t node = 0;
    double value = none;
    const auto consider = [&](std::size_t other) {
      if (values_[other] > value) value = values_[node = other];
    };
    // Nodes of the left border come in order, those of the right border in reverse order.
    std::size_t right[64], rights = 0;
    for (std::size_t a = begin + leaves_, b = end + leaves_; a < b; a /= 2, b /= 2) {
      if (a % 2 == 1) consider(a++);
      if (b % 2 == 1) right[rights++] = --b;
    }
    while (rights > 0) consider(right[--rights]);
    if (node == 0) return end;
    while (node < leaves_) node = values_[2 * node] == value ? 2 * node : 2 * node + 1;
    return node - leaves_;
  }

 private:
  std::size_t leaves_ = 1;
  std::vector<double> values_;
};

/// The scores and predecessors of all anchors.
class Links {
 public:
  Links(std::span<const Anchor> anchors, const ChainOptions& options)
      : anchors_(anchors), options_(options), tree_(anchors.size()) {
    by_query_end_ = ordered([](const Anchor& a) { return a.query_end(); });
    rank_.resize(anchors.size());
    for (std::uint32_t rank = 0; rank < by_query_end_.size(); ++rank) {
      rank_[by_query_end_[rank]] = rank;
      query_ends_.push_back(anchors[by_query_end_[rank]].query_end());
    }
    by_end_ = ordered([](const Anchor& a) { return a.reference_end(); });
  }

  void compute() {
    for (std::uint32_t i = 0; i < anchors_.size(); ++i) {
      move_window(i);
      score.push_back(static_cast<double>(anchors_[i].length));
      before.push_back(no_anchor);
      consider_nearby(i);
      consider_distant(i);
    }
  }

  std::vector<double> score;
  std::vector<std::uint32_t> before;

 private:
  template <class Key>
  std::vector<std::uint32_t> ordered(Key&& key) const {
    std::vector<std::uint32_t> order(anchors_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(key(anchors_[i]), i); });
    return order;
  }

  /// Adds the anchors that end before anchor i begins, and removes those that end too far away.
  void move_window(std::uint32_t i) {
    const std::uint64_t begin = anchors_[i].reference;
    for (; added_ < by_end_.size() && anchors_[by_end_[added_]].reference_end() <= begin; ++added_) {
      const std::uint32_t j = by_end_[added_];
      const auto ends = static_cast<double>(anchors_[j].reference_end() + anchors_[j].query_end());
      tree_.set(rank_[j], score[j] + cost_of_distance * ends);
    }
    for (; removed_ < added_ && anchors_[by_end_[removed_]].reference_end() + options_.max_gap < begin; ++removed_)
      tree_.set(rank_[by_end_[removed_]], none);
  }

  void consider(std::uint32_t i, std::uint32_t j) {
    const double linked = score[j] + link_score(anchors_[j], anchors_[i], options_.max_gap);
    if (linked <= score[i]) return;
    score[i] = linked;
    before[i] = j;
  }

  void consider_nearby(std::uint32_t i) {
    const std::size_t count = std::min<std::size_t>(i, options_.max_predecessors);
    for (std::uint32_t j = i; j-- > i - count;) consider(i, j);
  }

  void consider_distant(std::uint32_t i) {
    const std::uint64_t end = anchors_[i].query, begin = end - std::min(end, options_.max_gap);
    const auto first = std::ranges::lower_bound(query_ends_, begin), last = std::ranges::upper_bound(query_ends_, end);
    if (first >= last) return;
    const auto last_rank = static_cast<std::size_t>(last - query_ends_.begin());
    const std::size_t rank = tree_.best(static_cast<std::size_t>(first - query_ends_.begin()), last_rank);
    if (rank != last_rank) consider(i, by_query_end_[rank]);
  }

  std::span<const Anchor> anchors_;
  const ChainOptions& options_;
  MaximumTree tree_;                         ///< by rank of the end in the query
  std::vector<std::uint32_t> by_query_end_;  ///< [rank]: anchor
  std::vector<std::uint64_t> query_ends_;    ///< [rank]
  std::vector<std::uint32_t> rank_;          ///< [anchor]
  std::vector<std::uint32_t> by_end_;        ///< anchors by their end in the reference
  std::size_t added_ = 0, removed_ = 0;      ///< of by_end_
};

}  // namespace detail::chain

double link_score(const Anchor& before, const Anchor& after, std::uint64_t max_gap) noexcept {
  using namespace detail::chain;
  if (before.reference >= after.reference || before.query >= after.query) return none;
  const auto distance = [](std::uint64_t end, std::uint64_t begin) {
    return static_cast<std::int64_t>(begin) - static_cast<std::int64_t>(end);
  };
  const std::int64_t in_reference = distance(before.reference_end(), after.reference),
                     in_query = distance(before.query_end(), after.query);
  const std::int64_t nearest = std::min(in_reference, in_query), furthest = std::max(in_reference, in_query);
  if (furthest > static_cast<std::int64_t>(max_gap)) return none;
  const std::int64_t overlap = std::max<std::int64_t>(-nearest, 0);
  // An anchor that ends before its predecessor adds nothing.
  if (overlap >= static_cast<std::int64_t>(after.length) || overlap >= static_cast<std::int64_t>(before.length))
    return none;
  const auto difference = static_cast<double>(furthest - nearest);
  return static_cast<double>(after.length) - static_cast<double>(overlap) -
         cost_of_distance * static_cast<double>(std::max<std::int64_t>(nearest, 0)) - cost_of_difference * difference -
         0.5 * std::log2(difference + 1);
}

std::vector<Chain> chains_of(std::span<const Anchor> anchors, const ChainOptions& options) {
  using namespace detail::chain;
  Links links(anchors, options);
  links.compute();
  std::vector<std::uint32_t> ends(anchors.size());
  std::iota(ends.begin(), ends.end(), 0u);
  std::ranges::sort(ends, {}, [&](std::uint32_t i) { return std::pair(-links.score[i], i); });
  std::vector<char> used(anchors.size(), 0);
  std::vector<Chain> chains;
  for (const std::uint32_t end : ends) {
    if (used[end] != 0) continue;
    Chain chain;
    std::uint64_t letters = 0;
    std::uint32_t i = end;
    for (; i != no_anchor && used[i] == 0; i = links.before[i]) {
      used[i] = 1;
      letters += anchors[i].length;
      if (!chain.anchors.empty()) {
        const Anchor& next = anchors[chain.anchors.back()];
        const auto overlap = [](std::uint64_t last, std::uint64_t begin) { return last - std::min(last, begin); };
        letters -=
            std::max(overlap(anchors[i].reference_end(), next.reference), overlap(anchors[i].query_end(), next.query));
      }
      chain.anchors.push_back(i);
    }
    if (letters < options.min_letters) continue;
    const std::uint32_t first = chain.anchors.back();
    // The part of the score that belongs to anchors of an earlier chain is left out.
    chain.score = links.score[end] - links.score[first] + static_cast<double>(anchors[first].length);
    std::ranges::reverse(chain.anchors);
    chains.push_back(std::move(chain));
  }
  std::ranges::stable_sort(chains, {}, [](const Chain& c) { return std::pair(-c.score, c.anchors.front()); });
  return chains;
}

}  // namespace genocl::overlap
