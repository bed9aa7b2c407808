#include "pairwise/extension.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "pairwise/path.hpp"

namespace genocl::pairwise {
namespace {

/// One side of the pivot. Rows are letters of the query, columns letters of the subject, both counted from the pivot
/// outwards, from 1.
class Side {
 public:
  Side(std::span<const Code> query, std::span<const Code> subject, const Pivot& pivot, bool forward,
       const HostScoring& scoring, std::span<const UsedPairs::LetterPair> used)
      : query_(query), subject_(subject), pivot_(pivot), forward_(forward), scoring_(scoring), used_(used) {
    rows_ = forward ? query.size() - pivot.query - 1 : pivot.query;
    columns_ = forward ? subject.size() - pivot.subject - 1 : pivot.subject;
  }

  /// Computes the cells. Returns the highest score, 0 or more.
  std::int32_t compute(std::int32_t x_drop) {
    x_drop_ = x_drop;
    first_row();
    for (std::uint64_t i = 1; i <= rows_ && begin_ < end_; ++i) used_.empty() ? next_row<false>(i) : next_row<true>(i);
    return best_;
  }

  /// The letters of both sequences that the best path has.
  std::uint64_t query_letters() const noexcept { return best_row_; }
  std::uint64_t subject_letters() const noexcept { return best_column_; }

  /// The steps of the best path, from its end to the pivot, which is left out.
  std::vector<std::uint8_t> steps() const {
    std::vector<std::uint8_t> steps;
    std::uint64_t i = best_row_, j = best_column_;
    std::uint8_t state = 0;
    while (i > 0 || j > 0) {
      const std::uint8_t cell = cells_[how_[i].first_cell + (j - how_[i].begin)];
      if (state == 0) state = cell & step_bits;
      steps.push_back(state);
      if (state != step_insertion) --j;
      if (state != step_deletion) --i;
      const bool opens =
          (state == step_deletion && (cell & e_opens) != 0) || (state == step_insertion && (cell & f_opens) != 0);
      if (state == step_pair || opens) state = 0;
    }
    return steps;
  }

 private:
  struct Row {
    std::uint64_t begin = 0;     ///< first column
    std::size_t first_cell = 0;  ///< its place in cells_
  };

  std::uint64_t query_at(std::uint64_t i) const { return forward_ ? pivot_.query + i : pivot_.query - i; }
  std::uint64_t subject_at(std::uint64_t j) const { return forward_ ? pivot_.subject + j : pivot_.subject - j; }

  template <bool any_used>
  std::int32_t pair(std::uint64_t row, Code letter, std::uint64_t j) const {
    const std::uint64_t column = subject_at(j);
    if constexpr (any_used)
      if (std::ranges::binary_search(
              used_, UsedPairs::LetterPair{static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row)}))
        return never;
    return scoring_.of_row(row, letter, subject_[column]);
  }

  bool is_low(std::int32_t score) const noexcept { return score < best_ - x_drop_; }

  void first_row() {
    h_ = {0};
    f_ = {never};
    cells_ = {0};
    how_.push_back({0, 0});
    for (std::uint64_t j = 1; j <= columns_; ++j) {
      const std::int32_t score = j == 1 ? -scoring_.gap_first : std::max(h_.back() - scoring_.gap_extend, never);
      if (is_low(score)) break;
      h_.push_back(score);
      f_.push_back(never);
      cells_.push_back(j == 1 ? step_deletion | e_opens : step_deletion);
    }
    end_ = h_.size();
  }

  /// Replaces the last row in h_ and f_ by the next one.
  template <bool any_used>
  void next_row(std::uint64_t i) {
    const std::int32_t first = scoring_.gap_first, extend = scoring_.gap_extend;
    const std::uint64_t row = query_at(i);
    const Code letter = query_[row];
    const std::uint64_t begin = begin_, end = end_;  // columns of the row above
    std::int32_t e = never, diagonal = never, left = never;
    std::uint64_t live_begin = end, live_end = 0;  // in the new row
    how_.push_back({begin, cells_.size()});
    const std::size_t first_cell = cells_.size();
    for (std::uint64_t j = begin; j <= columns_; ++j) {
      const bool has_above = j < end;
      if (j == h_.size()) {
        h_.push_back(never);
        f_.push_back(never);
      }
      const std::int32_t above = has_above ? h_[j] : never, f_above = has_above ? f_[j] : never;
      const std::int32_t paired = diagonal != never ? diagonal + pair<any_used>(row, letter, j) : never;
      const std::int32_t e_opened = left != never ? left - first : never, e_extended = e - extend;
      const std::int32_t f_opened = above != never ? above - first : never, f_extended = f_above - extend;
      e = std::max({e_opened, e_extended, never});
      const std::int32_t f_here = std::max({f_opened, f_extended, never});
      const std::int32_t value = std::max({paired, e, f_here});
      const bool low = is_low(value);
      if (j > end && low) break;
      std::uint8_t cell = value == paired ? step_pair : value == e ? step_deletion : step_insertion;
      if (e_opened >= e_extended) cell |= e_opens;
      if (f_opened >= f_extended) cell |= f_opens;
      cells_.push_back(cell);
      diagonal = above;
      left = h_[j] = low ? never : value;
      f_[j] = low ? never : f_here;
      if (low) {
        e = never;
        continue;
      }
      live_begin = std::min(live_begin, j);
      live_end = j + 1;
      if (value > best_) {
        best_ = value;
        best_row_ = i;
        best_column_ = j;
      }
    }
    // Dead cells at the end of the row are no part of it.
    if (live_end == 0) live_begin = live_end = begin;
    cells_.resize(first_cell + (live_end - begin));
    begin_ = live_begin;
    end_ = live_end;
  }

  std::span<const Code> query_, subject_;
  Pivot pivot_;
  bool forward_;
  const HostScoring& scoring_;
  std::span<const UsedPairs::LetterPair> used_;
  std::uint64_t rows_ = 0, columns_ = 0;
  std::int32_t x_drop_ = 0, best_ = 0;
  std::uint64_t best_row_ = 0, best_column_ = 0;
  std::uint64_t begin_ = 0, end_ = 0;  ///< columns of the last row
  std::vector<std::int32_t> h_, f_;    ///< [column]; of the last row from begin_ to before end_
  std::vector<std::uint8_t> cells_;    ///< origins of the cells of all rows
  std::vector<Row> how_;
};

/// The columns of an alignment in which two letters are paired, and its gaps: visit(i, j, run, is_first_of_run).
template <class Visit>
void for_columns(const Alignment& alignment, Visit&& visit) {
  std::uint64_t i = alignment.query_begin, j = alignment.subject_begin;
  for (const EditRun& run : alignment.runs)
    for (std::uint32_t k = 0; k < run.length; ++k) {
      visit(i, j, run, k == 0);
      if (run.operation != 'D') ++i;
      if (run.operation != 'I') ++j;
    }
}

bool is_gap(const EditRun& run) { return run.operation == 'D' || run.operation == 'I'; }

}  // namespace

Pivot pivot_of(const Alignment& alignment, std::span<const Code> query, std::span<const Code> subject,
               const HostScoring& scoring) {
  Pivot best{alignment.query_begin, alignment.subject_begin};
  std::int64_t highest = 0, sum = 0;
  std::uint64_t length = 0;  // of the segment that ends here
  for_columns(alignment, [&](std::uint64_t i, std::uint64_t j, const EditRun& run, bool) {
    if (is_gap(run) || sum <= 0) sum = static_cast<std::int64_t>(length = 0);
    if (is_gap(run)) return;
    sum += scoring.of_row(i, query[i], subject[j]);
    ++length;
    if (sum <= highest) return;
    highest = sum;
    best = {i - length / 2, j - length / 2};
  });
  return best;
}

std::int32_t deepest_drop(const Alignment& alignment, const Pivot& pivot, std::span<const Code> query,
                          std::span<const Code> subject, const HostScoring& scoring) {
  std::vector<std::int32_t> before, after;  // scores of the columns on either side of the pivot
  for_columns(alignment, [&](std::uint64_t i, std::uint64_t j, const EditRun& run, bool first_of_run) {
    const std::int32_t score = !is_gap(run)   ? scoring.of_row(i, query[i], subject[j])
                               : first_of_run ? -scoring.gap_first
                                              : -scoring.gap_extend;
    if (i < pivot.query || j < pivot.subject)
      before.push_back(score);
    else if (i > pivot.query || j > pivot.subject)
      after.push_back(score);
  });
  std::ranges::reverse(before);
  std::int64_t deepest = 0;
  for (const std::vector<std::int32_t>& side : {before, after}) {
    std::int64_t sum = 0, highest = 0;
    for (const std::int32_t score : side) {
      sum += score;
      highest = std::max(highest, sum);
      deepest = std::max(deepest, highest - sum);
    }
  }
  return static_cast<std::int32_t>(std::min<std::int64_t>(deepest, std::numeric_limits<std::int32_t>::max() / 4));
}

Alignment extend(std::span<const Code> query, std::span<const Code> subject, const Pivot& pivot,
                 const HostScoring& scoring, const RowScores& scores, std::int32_t x_drop, const UsedPairs& used) {
  Side back(query, subject, pivot, false, scoring, used.pairs()),
      on(query, subject, pivot, true, scoring, used.pairs());
  const std::int32_t score = scoring.of_row(pivot.query, query[pivot.query], subject[pivot.subject]) +
                             back.compute(x_drop) + on.compute(x_drop);
  const AlignmentCoordinates coordinates{
      .query = {pivot.query - back.query_letters(), pivot.query + on.query_letters() + 1},
      .subject = {pivot.subject - back.subject_letters(), pivot.subject + on.subject_letters() + 1}};
  std::vector<std::uint8_t> steps = on.steps(), before = back.steps();
  steps.push_back(step_pair);
  steps.insert(steps.end(), before.rbegin(), before.rend());
  return alignment_of(score, coordinates, steps, query, subject, scores);
}

}  // namespace genocl::pairwise
