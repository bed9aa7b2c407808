#include "reference/align_modes.hpp"

#include <algorithm>
#include <limits>

namespace genocl_reference {

genocl::pairwise::Alignment end_to_end_alignment(std::span<const genocl::Code> query,
                                                 std::span<const genocl::Code> subject,
                                                 const genocl::pairwise::Matrix& matrix,
                                                 const genocl::pairwise::GapPenalty& gap,
                                                 const genocl::pairwise::FreeEnds& free) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min() / 4;
  const std::size_t m = query.size(), n = subject.size(), width = n + 1;
  const auto cost = [&](std::size_t letters) { return gap.open + static_cast<std::int64_t>(letters) * gap.extend; };
  std::vector<std::int64_t> h((m + 1) * width, 0), e((m + 1) * width, least), f((m + 1) * width, least);
  for (std::size_t i = 0; i <= m; ++i)
    for (std::size_t j = 0; j <= n; ++j) {
      const std::size_t at = i * width + j;
      if (i == 0 && j == 0) continue;
      if (i == 0) {
        h[at] = free.subject_begin ? 0 : -cost(j);
      } else if (j == 0) {
        h[at] = free.query_begin ? 0 : -cost(i);
      } else {
        e[at] = std::max(e[at - 1] - gap.extend, h[at - 1] - gap.first());
        f[at] = std::max(f[at - width] - gap.extend, h[at - width] - gap.first());
        h[at] = std::max({e[at], f[at], h[at - width - 1] + matrix(query[i - 1], subject[j - 1])});
      }
    }
  std::int64_t best = least;
  std::size_t i = 0, j = 0;
  for (std::size_t column = 0; column <= n; ++column)
    for (std::size_t row = 0; row <= m; ++row) {
      const bool allowed =
          (row == m && column == n) || (row == m && free.subject_end) || (column == n && free.query_end);
      if (!allowed || h[row * width + column] <= best) continue;
      best = h[row * width + column];
      i = row;
      j = column;
    }
  genocl::pairwise::Alignment found;
  found.score = static_cast<std::int32_t>(best);
  found.query_end = i;
  found.subject_end = j;
  const auto add = [&](char operation) {
    if (found.runs.empty() || found.runs.back().operation != operation) {
      found.runs.push_back({0, operation});
      if (operation == 'I' || operation == 'D') ++found.gap_opens;
    }
    ++found.runs.back().length;
  };
  for (char state = 'H'; i > 0 && j > 0;) {
    const std::size_t at = i * width + j;
    if (state == 'H') {
      const int score = matrix(query[i - 1], subject[j - 1]);
      if (h[at] == h[at - width - 1] + score) {
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
  if (!free.query_begin)
    for (; i > 0; --i) add('I');
  if (!free.subject_begin)
    for (; j > 0; --j) add('D');
  found.query_begin = i;
  found.subject_begin = j;
  std::reverse(found.runs.begin(), found.runs.end());
  return found;
}

std::uint32_t edit_distance(std::span<const genocl::Code> query, std::span<const genocl::Code> subject, bool free_begin,
                            bool free_end) {
  std::vector<std::uint32_t> column(query.size() + 1);
  for (std::size_t i = 0; i <= query.size(); ++i) column[i] = static_cast<std::uint32_t>(i);
  std::uint32_t best = column.back();
  for (const genocl::Code letter : subject) {
    std::uint32_t diagonal = column[0];
    if (!free_begin) ++column[0];
    for (std::size_t i = 1; i <= query.size(); ++i) {
      const std::uint32_t pair = diagonal + (query[i - 1] == letter ? 0 : 1);
      diagonal = column[i];
      column[i] = std::min({pair, column[i] + 1, column[i - 1] + 1});
    }
    best = std::min(best, column.back());
  }
  return free_end ? best : column.back();
}

}  // namespace genocl_reference
