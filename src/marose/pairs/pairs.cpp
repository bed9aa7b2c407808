#include "genocl/marose/pairs.hpp"

#include <algorithm>
#include <tuple>

namespace genocl::marose {
namespace {

std::uint64_t end_of(const Hit& hit) { return hit.position + hit.length; }

/// 0: they are no proper pair (no template is empty).
std::uint64_t template_of(const Hit& forward, const Hit& reverse, const InsertRange& range) {
  if (forward.reference != reverse.reference || forward.position > reverse.position) return 0;
  const std::uint64_t bases = std::max(end_of(forward), end_of(reverse)) - forward.position;
  return bases >= range.least && bases <= range.most ? bases : 0;
}

PairHit pair_of(std::span<const Hit> first, std::span<const Hit> second, std::uint64_t i, std::uint64_t j,
                std::uint64_t bases) {
  const auto length = static_cast<std::int64_t>(bases);
  return {.first = i,
          .second = j,
          .errors = std::uint32_t{first[i].errors} + second[j].errors,
          .template_length = first[i].strand == Strand::forward ? length : -length};
}

/// Gives the hits of one strand, by contig and position.
struct Side {
  std::vector<std::uint64_t> indices;
  std::uint64_t shortest = 0, longest = 0;
};

/// What is left of it when the order by errors is taken away: hits of one number of errors lie together.
Side side_of(std::span<const Hit> hits, std::size_t begin, std::size_t end, Strand strand) {
  Side side;
  for (std::size_t i = begin; i < end; ++i) {
    if (hits[i].strand != strand) continue;
    const std::uint64_t length = hits[i].length;
    side.shortest = side.indices.empty() ? length : std::min(side.shortest, length);
    side.longest = std::max(side.longest, length);
    side.indices.push_back(i);
  }
  return side;
}

/// Calls found(index of the forward hit, index of the other, bases of the template) for each proper pair by contig,
/// position of the forward hit, position of the other, until it returns false. A sweep: what is looked at beyond the
/// pairs differs from one by no more than the lengths of the hits differ.
template <class Found>
bool for_each_pair(std::span<const Hit> forward, const Side& left, std::span<const Hit> reverse, const Side& right,
                   const InsertRange& range, Found&& found) {
  for (const std::uint64_t i : left.indices) {
    const Hit& hit = forward[i];
    std::uint64_t least = hit.position;
    if (hit.length < range.least) least += range.least - std::min(range.least, right.longest);
    auto j = std::ranges::lower_bound(right.indices, std::pair(hit.reference, least), {}, [&](std::uint64_t other) {
      return std::pair(reverse[other].reference, reverse[other].position);
    });
    for (; j != right.indices.end() && reverse[*j].reference == hit.reference &&
           reverse[*j].position + right.shortest <= hit.position + range.most;
         ++j) {
      const std::uint64_t bases = template_of(hit, reverse[*j], range);
      if (bases != 0 && !found(i, *j, bases)) return false;
    }
  }
  return true;
}

/// Where the hits of each number of errors begin, and the end.
std::vector<std::size_t> classes_of(std::span<const Hit> hits) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < hits.size(); ++i)
    if (i == 0 || hits[i].errors != hits[i - 1].errors) begins.push_back(i);
  begins.push_back(hits.size());
  return begins;
}

/// This is the order of proper_pairs().
auto key_of(std::span<const Hit> first, std::span<const Hit> second, const PairHit& pair) {
  const Hit& a = first[pair.first];
  const Hit& b = second[pair.second];
  const bool turned = a.strand == Strand::reverse;
  return std::tuple(pair.errors, a.reference, (turned ? b : a).position, (turned ? a : b).position, turned, pair.first,
                    pair.second);
}

/// The sides of both reads for one number of errors each.
struct ErrorClass {
  unsigned errors = 0;
  Side forward, reverse;
};

std::vector<ErrorClass> error_classes(std::span<const Hit> hits) {
  const std::vector<std::size_t> begins = classes_of(hits);
  std::vector<ErrorClass> classes;
  for (std::size_t c = 0; c + 1 < begins.size(); ++c)
    classes.push_back({hits[begins[c]].errors, side_of(hits, begins[c], begins[c + 1], Strand::forward),
                       side_of(hits, begins[c], begins[c + 1], Strand::reverse)});
  return classes;
}

/// Calls found(pair) for the proper pairs of two classes, on either orientation in the order of proper_pairs(), until
/// it returns false.
template <class Found>
void for_each_pair_of(std::span<const Hit> first, const ErrorClass& a, std::span<const Hit> second, const ErrorClass& b,
                      const InsertRange& range, Found&& found) {
  for_each_pair(first, a.forward, second, b.reverse, range, [&](std::uint64_t i, std::uint64_t j, std::uint64_t bases) {
    return found(pair_of(first, second, i, j, bases));
  });
  for_each_pair(second, b.forward, first, a.reverse, range, [&](std::uint64_t j, std::uint64_t i, std::uint64_t bases) {
    return found(pair_of(first, second, i, j, bases));
  });
}

/// What most templates are: a hit or a few of each read.
constexpr std::size_t few = 32;

template <class Found>
void for_each_of_few(std::span<const Hit> first, std::span<const Hit> second, const InsertRange& range, Found&& found) {
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < second.size(); ++j) {
      if (first[i].strand == second[j].strand) continue;
      const bool turned = first[i].strand == Strand::reverse;
      const std::uint64_t bases = template_of(turned ? second[j] : first[i], turned ? first[i] : second[j], range);
      if (bases != 0) found(pair_of(first, second, i, j, bases));
    }
}

/// Keeps the account of pairs of one number of errors.
struct Tally {
  std::span<const Hit> first, second;
  std::uint64_t limit;
  BestPairs result;
  bool any = false;

  void take(const PairHit& pair) {
    if (!any || pair.errors < result.best.errors) {
      if (any) result.second = result.best.errors, result.second_count = result.count;
      result.best = pair;
      result.count = 0;
      any = true;
    }
    if (pair.errors == result.best.errors) {
      if (key_of(first, second, pair) < key_of(first, second, result.best)) result.best = pair;
      result.count = std::min(limit, result.count + 1);
    } else if (result.second_count == 0 || pair.errors < result.second) {
      result.second = pair.errors;
      result.second_count = 1;
    } else if (pair.errors == result.second) {
      result.second_count = std::min(limit, result.second_count + 1);
    }
  }
};

}  // namespace

std::vector<PairHit> proper_pairs(std::span<const Hit> first, std::span<const Hit> second, const InsertRange& range) {
  std::vector<PairHit> pairs;
  const auto add = [&](const PairHit& pair) {
    pairs.push_back(pair);
    return true;
  };
  if (first.size() * second.size() <= few) {
    for_each_of_few(first, second, range, add);
  } else {
    const std::vector<ErrorClass> of_first = error_classes(first), of_second = error_classes(second);
    for (const ErrorClass& a : of_first)
      for (const ErrorClass& b : of_second) for_each_pair_of(first, a, second, b, range, add);
  }
  std::ranges::sort(pairs, {}, [&](const PairHit& pair) { return key_of(first, second, pair); });
  return pairs;
}

std::optional<BestPairs> best_pairs(std::span<const Hit> first, std::span<const Hit> second, const InsertRange& range,
                                    std::uint64_t limit) {
  Tally tally{.first = first, .second = second, .limit = std::max<std::uint64_t>(limit, 1)};
  if (first.size() * second.size() <= few) {
    for_each_of_few(first, second, range, [&](const PairHit& pair) { tally.take(pair); });
  } else {
    const std::vector<ErrorClass> of_first = error_classes(first), of_second = error_classes(second);
    // Sums of errors from the least on, until two of them have pairs.
    std::vector<std::tuple<unsigned, std::size_t, std::size_t>> sums;
    for (std::size_t a = 0; a < of_first.size(); ++a)
      for (std::size_t b = 0; b < of_second.size(); ++b)
        sums.emplace_back(of_first[a].errors + of_second[b].errors, a, b);
    std::ranges::sort(sums);
    for (const auto& [sum, a, b] : sums) {
      if (tally.result.second_count > 0 && sum > tally.result.second) break;
      // In their order on either orientation, so that the first of all is among those within the limit.
      std::uint64_t taken = 0;
      Strand orientation = Strand::forward;
      for_each_pair_of(first, of_first[a], second, of_second[b], range, [&](const PairHit& pair) {
        if (first[pair.first].strand != orientation) taken = 0;
        orientation = first[pair.first].strand;
        tally.take(pair);
        return ++taken < tally.limit;
      });
    }
  }
  if (!tally.any) return std::nullopt;
  return tally.result;
}

}  // namespace genocl::marose
