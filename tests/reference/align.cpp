#include "reference/align.hpp"

#include <algorithm>
#include <limits>

namespace genocl_reference {

std::int64_t local_score(std::span<const genocl::Code> query, std::span<const genocl::Code> subject,
                         const genocl::pairwise::Matrix& matrix, const genocl::pairwise::GapPenalty& gap) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min() / 4;
  std::vector<std::int64_t> h(subject.size() + 1, 0), f(subject.size() + 1, least);
  std::int64_t best = 0;
  for (const genocl::Code letter : query) {
    std::int64_t diagonal = 0, e = least;
    h[0] = 0;
    for (std::size_t j = 1; j <= subject.size(); ++j) {
      e = std::max(e - gap.extend, h[j - 1] - gap.first());
      f[j] = std::max(f[j] - gap.extend, h[j] - gap.first());
      const std::int64_t pair = diagonal + matrix(letter, subject[j - 1]);
      diagonal = h[j];
      h[j] = std::max({std::int64_t{0}, pair, e, f[j]});
      best = std::max(best, h[j]);
    }
  }
  return best;
}

namespace {

// score_at(i, letter): of row i of the query with a letter of the subject.
template <class ScoreAt>
genocl::pairwise::Alignment local_alignment_by(std::span<const genocl::Code> query,
                                               std::span<const genocl::Code> subject, const ScoreAt& score_at,
                                               const genocl::pairwise::GapPenalty& gap, const LetterPairs& taken = {}) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min() / 4;
  const std::size_t m = query.size(), n = subject.size(), width = n + 1;
  std::vector<std::int32_t> h((m + 1) * width, 0), e((m + 1) * width, least), f((m + 1) * width, least);
  for (std::size_t i = 1; i <= m; ++i)
    for (std::size_t j = 1; j <= n; ++j) {
      const std::size_t at = i * width + j;
      e[at] = std::max(e[at - 1] - gap.extend, h[at - 1] - gap.first());
      f[at] = std::max(f[at - width] - gap.extend, h[at - width] - gap.first());
      h[at] = std::max({0, e[at], f[at]});
      if (!taken.contains({i - 1, j - 1})) h[at] = std::max(h[at], h[at - width - 1] + score_at(i - 1, subject[j - 1]));
    }
  genocl::pairwise::Alignment found;
  std::size_t i = 0, j = 0;
  for (std::size_t column = 1; column <= n; ++column)
    for (std::size_t row = 1; row <= m; ++row)
      if (h[row * width + column] > found.score) {
        found.score = h[row * width + column];
        i = row;
        j = column;
      }
  if (found.score == 0) return found;
  found.query_end = i;
  found.subject_end = j;
  const auto add = [&](char operation) {
    if (found.runs.empty() || found.runs.back().operation != operation) {
      found.runs.push_back({0, operation});
      if (operation == 'I' || operation == 'D') ++found.gap_opens;
    }
    ++found.runs.back().length;
  };
  char state = 'H';
  for (;;) {
    const std::size_t at = i * width + j;
    if (state == 'H') {
      if (h[at] == 0) break;
      const int score = score_at(i - 1, subject[j - 1]);
      if (h[at] == h[at - width - 1] + score && !taken.contains({i - 1, j - 1})) {
        add(query[i - 1] == subject[j - 1] ? '=' : 'X');
        found.identities += query[i - 1] == subject[j - 1];
        found.positives += score > 0;
        --i;
        --j;
      } else {
        state = h[at] == e[at] ? 'D' : 'I';
      }
    } else if (state == 'D') {
      add('D');
      if (e[at] == h[at - 1] - gap.first()) state = 'H';
      --j;
    } else {
      add('I');
      if (f[at] == h[at - width] - gap.first()) state = 'H';
      --i;
    }
  }
  found.query_begin = i;
  found.subject_begin = j;
  std::reverse(found.runs.begin(), found.runs.end());
  return found;
}

}  // namespace

genocl::pairwise::Alignment local_alignment(std::span<const genocl::Code> query, std::span<const genocl::Code> subject,
                                            const genocl::pairwise::Matrix& matrix,
                                            const genocl::pairwise::GapPenalty& gap, const LetterPairs& taken) {
  return local_alignment_by(
      query, subject, [&](std::size_t i, genocl::Code letter) { return matrix(query[i], letter); }, gap, taken);
}

genocl::pairwise::Alignment local_alignment(const genocl::align::Profile& profile,
                                            std::span<const genocl::Code> subject,
                                            const genocl::pairwise::GapPenalty& gap) {
  return local_alignment_by(profile.letters(), subject, profile, gap);
}

std::vector<genocl::pairwise::Alignment> local_alignments(std::span<const genocl::Code> query,
                                                          std::span<const genocl::Code> subject,
                                                          const genocl::pairwise::Matrix& matrix,
                                                          const genocl::pairwise::GapPenalty& gap, std::size_t most,
                                                          std::int32_t min_score) {
  std::vector<genocl::pairwise::Alignment> all;
  LetterPairs taken;
  while (all.size() < most) {
    const genocl::pairwise::Alignment one = local_alignment(query, subject, matrix, gap, taken);
    if (one.score < std::max(1, min_score)) break;
    std::size_t i = one.query_begin, j = one.subject_begin;
    for (const genocl::pairwise::EditRun& run : one.runs)
      for (std::uint32_t k = 0; k < run.length; ++k) {
        if (run.operation == '=' || run.operation == 'X') taken.insert({i, j});
        if (run.operation != 'D') ++i;
        if (run.operation != 'I') ++j;
      }
    all.push_back(one);
  }
  return all;
}

}  // namespace genocl_reference
