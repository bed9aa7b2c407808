#include "pairwise/host_pair.hpp"

#include <algorithm>
#include <cmath>

#include "genocl/sequence/alphabet.hpp"
#include "pairwise/path.hpp"

namespace genocl::pairwise {
namespace {

/// H and E of all rows after a column; E is that of the next column.
struct Column {
  std::vector<std::int32_t> h, e;
  bool operator==(const Column&) const = default;
};

/// The cells of a pair, column by column (Gotoh 1982): row i is letter i of the query, from 0.
class Cells {
 public:
  Cells(std::span<const Code> query, std::span<const Code> subject, const HostScoring& scoring, const UsedPairs& used)
      : subject_(subject), scoring_(scoring), used_(used), rows_(query.size()) {
    std::array<bool, HostScoring::codes> occurs{};
    for (const Code code : subject) occurs[code] = true;
    for (Code code = 0; code < occurs.size(); ++code) {
      if (!occurs[code]) continue;
      profile_[code].reserve(rows_);
      for (std::size_t i = 0; i < rows_; ++i) profile_[code].push_back(scoring.of_row(i, query[i], code));
    }
    first_column();
  }

  void first_column() { now_ = {std::vector<std::int32_t>(rows_, 0), std::vector<std::int32_t>(rows_, never)}; }
  const Column& column() const noexcept { return now_; }
  void resume_after(const Column& column) { now_ = column; }

  /// Computes the first `rows` rows of column j from the column before. Returns the highest H. With `keeps`, `how`
  /// receives the origin of each cell.
  template <bool keeps>
  std::int32_t compute(std::size_t j, std::size_t rows, std::uint8_t* how) {
    const std::int32_t* const scores = scores_of(j);
    const std::int32_t first = scoring_.gap_first, extend = scoring_.gap_extend;
    std::int32_t* const h = now_.h.data();
    std::int32_t* const e = now_.e.data();
    std::int32_t diagonal = 0, f = never, highest = 0, above = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int32_t pair = diagonal + scores[i];
      const std::int32_t without_f = std::max({pair, e[i], 0});
      const std::int32_t value = std::max(without_f, f);
      diagonal = h[i];
      if constexpr (keeps) {
        std::uint8_t cell = value == 0 ? 0 : value == pair ? step_pair : value == e[i] ? step_deletion : step_insertion;
        if (e[i] == diagonal - first) cell |= e_opens;
        if (f == above - first) cell |= f_opens;
        how[i] = cell;
        above = value;
      }
      h[i] = value;
      highest = std::max(highest, value);
      // F need not look at H if H is F: a gap that begins there is no better than F itself.
      e[i] = std::max(e[i] - extend, value - first);
      f = std::max(f - extend, without_f - first);
    }
    return highest;
  }

 private:
  /// Returns the scores of a column's letter with all rows. Used pairs are excluded.
  const std::int32_t* scores_of(std::size_t j) {
    const std::vector<std::int32_t>& plain = profile_[subject_[j]];
    const std::span<const UsedPairs::LetterPair> used = used_.pairs();
    auto pair = std::ranges::lower_bound(used, j, {}, &UsedPairs::LetterPair::column);
    if (pair == used.end() || pair->column != j) return plain.data();
    changed_ = plain;
    for (; pair != used.end() && pair->column == j; ++pair) changed_[pair->row] = never;
    return changed_.data();
  }

  std::span<const Code> subject_;
  const HostScoring& scoring_;
  const UsedPairs& used_;
  std::size_t rows_;
  std::array<std::vector<std::int32_t>, HostScoring::codes> profile_;
  std::vector<std::int32_t> changed_;
  Column now_;
};

/// The best alignment of a pair without used pairs, which may become more.
class BestAlignment {
 public:
  /// All arguments outlive this.
  BestAlignment(std::span<const Code> query, std::span<const Code> subject, const HostScoring& scoring,
                const UsedPairs& used)
      : query_(query), subject_(subject), cells_(query, subject, scoring, used), highest_(subject.size()) {
    step_ = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(subject.size()))));
    for (std::size_t j = 0; j < subject.size(); ++j) {
      if (j % step_ == 0) kept_.push_back(cells_.column());
      highest_[j] = cells_.compute<false>(j, query.size(), nullptr);
    }
  }

  /// To be called when the pairs of an alignment with these columns have become used: cells change from the first
  /// column on, until a column behind the last one is as before.
  void update(std::size_t begin, std::size_t end) {
    std::size_t j = begin / step_ * step_;
    for (cells_.resume_after(kept_[j / step_]); j < subject_.size(); ++j) {
      if (j % step_ == 0) {
        Column& before = kept_[j / step_];
        if (j >= end && before == cells_.column()) return;
        before = cells_.column();
      }
      highest_[j] = cells_.compute<false>(j, query_.size(), nullptr);
    }
  }

  /// Score 0 without one.
  Alignment find(const RowScores& scores) {
    const auto best = std::ranges::max_element(highest_);
    if (*best == 0) return {};
    const auto column = static_cast<std::size_t>(best - highest_.begin());
    cells_.resume_after(kept_[column / step_]);
    for (std::size_t j = column / step_ * step_; j <= column; ++j) cells_.compute<false>(j, query_.size(), nullptr);
    const std::vector<std::int32_t>& h = cells_.column().h;
    return trace(static_cast<std::size_t>(std::ranges::find(h, *best) - h.begin()), column, scores);
  }

 private:
  Alignment trace(std::size_t row, std::size_t column, const RowScores& scores) {
    AlignmentCoordinates coordinates{.query_end = row + 1, .subject_end = column + 1};
    std::vector<std::uint8_t> steps, how;
    std::uint64_t i = row + 1, j = column + 1;  // remaining letters
    std::uint8_t state = 0;
    for (bool arrived = false; !arrived && i > 0 && j > 0;) {
      const std::size_t begin = (j - 1) / step_ * step_, rows = i;
      how.resize(rows * (j - begin));
      cells_.resume_after(kept_[begin / step_]);
      for (std::size_t k = begin; k < j; ++k) cells_.compute<true>(k, rows, how.data() + (k - begin) * rows);
      while (i > 0 && j > begin) {
        const std::uint8_t cell = how[(j - 1 - begin) * rows + i - 1];
        if (state == 0) state = cell & step_bits;
        arrived = state == 0;
        if (arrived) break;
        steps.push_back(state);
        if (state != step_insertion) --j;
        if (state != step_deletion) --i;
        const bool opens =
            (state == step_deletion && (cell & e_opens) != 0) || (state == step_insertion && (cell & f_opens) != 0);
        if (state == step_pair || opens) state = 0;
      }
    }
    coordinates.query_begin = i;
    coordinates.subject_begin = j;
    return alignment_of(highest_[column], coordinates, steps, query_, subject_, scores);
  }

  std::span<const Code> query_, subject_;
  Cells cells_;
  std::size_t step_ = 1;  // distance of the kept columns
  std::vector<Column> kept_;
  std::vector<std::int32_t> highest_;  ///< [column]
};

}  // namespace

HostScoring::HostScoring(const Matrix& matrix, const GapPenalty& gap) : gap_first(gap.first()), gap_extend(gap.extend) {
  const std::size_t size = alphabet_size(matrix.alphabet());
  for (Code a = 0; a < size; ++a)
    for (Code b = 0; b < size; ++b) at(a, b) = matrix(a, b);
}

HostScoring::HostScoring(const PositionScores& position_scores, const GapPenalty& gap)
    : positions(position_scores), gap_first(gap.first()), gap_extend(gap.extend) {}

std::int32_t HostScoring::highest() const noexcept {
  return positions ? positions->highest : *std::max_element(pairs.begin(), pairs.end());
}
std::int32_t HostScoring::lowest() const noexcept {
  return positions ? positions->lowest : *std::min_element(pairs.begin(), pairs.end());
}

void UsedPairs::add(const Alignment& alignment) {
  const auto before = static_cast<std::ptrdiff_t>(pairs_.size());
  std::uint64_t i = alignment.query_begin, j = alignment.subject_begin;
  for (const EditRun& run : alignment.runs)
    for (std::uint32_t k = 0; k < run.length; ++k) {
      if (run.operation != 'D' && run.operation != 'I')
        pairs_.push_back({static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i)});
      if (run.operation != 'D') ++i;
      if (run.operation != 'I') ++j;
    }
  // Those of an alignment are in order.
  std::inplace_merge(pairs_.begin(), pairs_.begin() + before, pairs_.end());
}

Alignment align_on_host(std::span<const Code> query, std::span<const Code> subject, const HostScoring& scoring,
                        const RowScores& scores, const UsedPairs& used) {
  if (query.empty() || subject.empty()) return {};
  return BestAlignment(query, subject, scoring, used).find(scores);
}

std::vector<Alignment> next_alignments(std::span<const Code> query, std::span<const Code> subject,
                                       const HostScoring& scoring, const RowScores& scores, const Alignment& best,
                                       std::size_t max_count, std::int32_t min_score) {
  std::vector<Alignment> next;
  if (best.score == 0) return next;
  UsedPairs used;
  used.add(best);
  if (max_count == 0) return next;
  BestAlignment rest(query, subject, scoring, used);
  while (true) {
    Alignment one = rest.find(scores);
    if (one.score < std::max(min_score, 1)) break;
    next.push_back(std::move(one));
    if (next.size() == max_count) break;
    used.add(next.back());
    rest.update(next.back().subject_begin, next.back().subject_end);
  }
  return next;
}

}  // namespace genocl::pairwise
