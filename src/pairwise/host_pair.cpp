#include "pairwise/host_pair.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "genocl/sequence/alphabet.hpp"
#include "pairwise/path.hpp"
#include "runtime/vector_clones.hpp"

namespace genocl::pairwise {
namespace {

/// One column of cells without gaps that end in their row (F): the score of row i is the maximum of before[i] +
/// scores[i], e[i] and 0. Returns the highest.
GENOCL_VECTOR_CLONES std::int32_t compute_column(std::size_t rows, const std::int32_t* before,
                                                 const std::int32_t* scores, const std::int32_t* e,
                                                 std::int32_t* column) {
  std::int32_t highest = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int32_t score = std::max(std::max(before[i] + scores[i], e[i]), 0);
    column[i] = score;
    highest = std::max(highest, score);
  }
  return highest;
}

/// Raises the scores of a column to those of gaps that end in their row (F). `f`: that of the first row. Returns F
/// below the last row. Gaps with scores up to 0 are left out: they raise none.
GENOCL_VECTOR_CLONES std::int32_t extend_insertions(std::size_t rows, std::int32_t* column, std::int32_t gap_first,
                                                    std::int32_t gap_extend, std::int32_t f) {
  constexpr std::size_t block = 16;
  for (std::size_t begin = 0; begin < rows; begin += block) {
    const std::size_t end = std::min(begin + block, rows);
    if (f <= 0 && end - begin == block) {
      std::int32_t highest = 0;
      for (std::size_t i = 0; i < block; ++i) highest = std::max(highest, column[begin + i]);
      if (highest <= gap_first) continue;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const std::int32_t without_f = column[i];
      column[i] = std::max(without_f, f);
      // F need not look at H if H is F: a gap that begins there is no better than F itself.
      f = std::max(f - gap_extend, without_f - gap_first);
    }
  }
  return f;
}

/// The E of the next column.
GENOCL_VECTOR_CLONES void extend_deletions(std::size_t rows, const std::int32_t* column, std::int32_t gap_first,
                                           std::int32_t gap_extend, std::int32_t* e) {
  for (std::size_t i = 0; i < rows; ++i) e[i] = std::max(e[i] - gap_extend, column[i] - gap_first);
}

/// The cells of a pair in square blocks (Gotoh 1982), of which only the borders are stored. When pairs of letters
/// become used, only the blocks whose cells change are computed again. Rows are letters of the query, columns are
/// letters of the subject, both from 0.
class PairBlocks {
 public:
  /// All arguments outlive this.
  PairBlocks(std::span<const Code> query, std::span<const Code> subject, const HostScoring& scoring,
             const UsedPairs& used)
      : query_(query), subject_(subject), scoring_(scoring), side_(side_of(query.size(), subject.size())) {
    std::array<bool, HostScoring::codes> occurs{};
    for (const Code code : subject) occurs[code] = true;
    for (Code code = 0; code < occurs.size(); ++code) {
      if (!occurs[code]) continue;
      profile_[code].reserve(query.size());
      for (std::size_t i = 0; i < query.size(); ++i) profile_[code].push_back(scoring.of_row(i, query[i], code));
    }
    block_rows_ = (query.size() + side_ - 1) / side_;
    block_columns_ = (subject.size() + side_ - 1) / side_;
    left_.assign(block_columns_ + 1, std::vector<Border>(query.size()));
    top_.assign(block_rows_ + 1, std::vector<Border>(subject.size()));
    best_.resize(block_rows_ * block_columns_);
    best_of_column_.resize(block_columns_);
    for (const UsedPairs::LetterPair& pair : used.pairs()) exclude(pair);
    changed_.clear();
    for (std::size_t column = 0; column < block_columns_; ++column) {
      for (std::size_t row = 0; row < block_rows_; ++row) compute({column, row});
      update_best(column);
    }
  }

  /// Excludes the pairs of letters of an alignment.
  void exclude(const Alignment& alignment) {
    UsedPairs used;
    used.add(alignment);
    for (const UsedPairs::LetterPair& pair : used.pairs()) exclude(pair);
    // Blocks depend on those to the left and above, which have smaller keys.
    std::size_t column = block_columns_;
    while (!changed_.empty()) {
      const BlockKey block = *changed_.begin();
      changed_.erase(changed_.begin());
      if (column < block.first) update_best(column);
      column = block.first;
      const Changes changes = compute(block);
      const bool has_right = block.first + 1 < block_columns_, has_below = block.second + 1 < block_rows_;
      if (changes.right && has_right) changed_.insert({block.first + 1, block.second});
      if (changes.below && has_below) changed_.insert({block.first, block.second + 1});
      if (changes.corner && has_right && has_below) changed_.insert({block.first + 1, block.second + 1});
    }
    if (column < block_columns_) update_best(column);
  }

  /// Returns the best alignment without excluded pairs. The score is 0 if none has at least `min_score`.
  Alignment find(const RowScores& scores, std::int32_t min_score = 1) const {
    Cell best;
    for (const Cell& one : best_of_column_) best = std::max(best, one);
    if (best.score < std::max(min_score, 1)) return {};
    std::vector<std::uint8_t> steps, origins(side_ * side_);
    std::uint64_t i = best.row + 1, j = best.column + 1;  // remaining letters
    std::uint8_t state = 0;
    for (bool arrived = false; !arrived && i > 0 && j > 0;) {
      const BlockKey block{(j - 1) / side_, (i - 1) / side_};
      const std::size_t first_row = block.second * side_, first_column = block.first * side_;
      trace_cells(block, i - first_row, j - first_column, origins.data());
      while (i > first_row && j > first_column) {
        const std::uint8_t cell = origins[(j - 1 - first_column) * side_ + i - 1 - first_row];
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
    return alignment_of(best.score, {{i, best.row + 1}, {j, best.column + 1}}, steps, query_, subject_, scores);
  }

 private:
  using BlockKey = std::pair<std::size_t, std::size_t>;  ///< column and row of a block

  /// H of the cell before a border, and the gap score that crosses it: E at a left border, F at a top border. Gap
  /// scores below 0 lead nowhere: they are stored as 0, so that fewer borders change.
  struct Border {
    std::int32_t h = 0, gap = 0;
    bool operator==(const Border&) const = default;
  };
  struct Changes {
    bool right = false, below = false, corner = false;
  };
  /// The greatest has the highest score, then the first column, then the first row.
  struct Cell {
    std::int32_t score = 0;
    std::size_t column = 0, row = 0;
    bool operator<(const Cell& other) const noexcept {
      return std::tuple(score, other.column, other.row) < std::tuple(other.score, column, row);
    }
  };

  static constexpr std::size_t min_side = 64;

  /// The smallest with which borders take at most 64 MiB.
  static std::size_t side_of(std::uint64_t rows, std::uint64_t columns) {
    std::size_t side = min_side;
    while (rows * columns / side * (2 * sizeof(Border)) > (std::uint64_t{64} << 20)) side *= 2;
    return side;
  }

  void exclude(const UsedPairs::LetterPair& pair) {
    const BlockKey block{pair.column / side_, pair.row / side_};
    std::vector<std::uint32_t>& cells = excluded_[block];
    const std::uint64_t cell = pair.column % side_ * side_ + pair.row % side_;
    cells.insert(std::ranges::lower_bound(cells, cell), static_cast<std::uint32_t>(cell));
    changed_.insert(block);
  }

  /// The scores of a column of a block, `never` for excluded pairs. `excluded`: those of this column and later ones;
  /// those of this column are removed. `changed`: memory for the rows of a block.
  const std::int32_t* scores_of(std::size_t column, std::size_t first_row, std::size_t rows,
                                std::span<const std::uint32_t>& excluded, std::vector<std::int32_t>& changed) const {
    const std::int32_t* scores = profile_[subject_[column]].data() + first_row;
    const std::size_t j = column % side_;
    if (excluded.empty() || excluded.front() / side_ != j) return scores;
    std::copy_n(scores, rows, changed.begin());
    for (; !excluded.empty() && excluded.front() / side_ == j; excluded = excluded.subspan(1))
      if (excluded.front() % side_ < rows) changed[excluded.front() % side_] = never;
    return changed.data();
  }
  std::span<const std::uint32_t> excluded_of(BlockKey block) const {
    const auto known = excluded_.find(block);
    return known == excluded_.end() ? std::span<const std::uint32_t>() : known->second;
  }

  /// Computes the first rows and columns of a block from its left and top borders. `origins` receives the origin of
  /// each cell.
  void trace_cells(BlockKey block, std::size_t rows, std::size_t columns, std::uint8_t* origins) const {
    const std::size_t first_row = block.second * side_, first_column = block.first * side_;
    const std::int32_t gap_first = scoring_.gap_first, gap_extend = scoring_.gap_extend;
    std::vector<std::int32_t> h(rows), e(rows), changed(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      h[i] = left_[block.first][first_row + i].h;
      e[i] = left_[block.first][first_row + i].gap;
    }
    const std::vector<Border>& top = top_[block.second];
    std::span<const std::uint32_t> excluded = excluded_of(block);
    std::int32_t corner = first_column > 0 ? top[first_column - 1].h : 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const std::int32_t* const scores = scores_of(first_column + j, first_row, rows, excluded, changed);
      std::int32_t diagonal = std::exchange(corner, top[first_column + j].h);
      std::int32_t f = top[first_column + j].gap, above = corner;
      for (std::size_t i = 0; i < rows; ++i) {
        const std::int32_t pair = diagonal + scores[i];
        const std::int32_t without_f = std::max({pair, e[i], 0});
        const std::int32_t value = std::max(without_f, f);
        diagonal = h[i];
        std::uint8_t cell = value == 0 ? 0 : value == pair ? step_pair : value == e[i] ? step_deletion : step_insertion;
        if (e[i] == diagonal - gap_first) cell |= e_opens;
        if (f == above - gap_first) cell |= f_opens;
        origins[j * side_ + i] = cell;
        above = h[i] = value;
        // F need not look at H if H is F: a gap that begins there is no better than F itself.
        e[i] = std::max(e[i] - gap_extend, value - gap_first);
        f = std::max(f - gap_extend, without_f - gap_first);
      }
    }
  }

  /// Computes a block, its best cell and its right and lower borders. Returns which of those changed.
  Changes compute(BlockKey block) {
    const std::size_t first_row = block.second * side_, first_column = block.first * side_;
    const std::size_t rows = std::min(side_, query_.size() - first_row);
    const std::size_t columns = std::min(side_, subject_.size() - first_column);
    const std::int32_t gap_first = scoring_.gap_first, gap_extend = scoring_.gap_extend;
    Changes changes;
    Cell best;
    const auto store = [](Border& border, const Border& value) {
      const bool is_new = border != value;
      border = value;
      return is_new;
    };
    // Two columns of scores, each behind that of the row above the block.
    before_.resize(rows + 1);
    column_.resize(rows + 1);
    e_.resize(rows);
    changed_scores_.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      before_[i + 1] = left_[block.first][first_row + i].h;
      e_[i] = left_[block.first][first_row + i].gap;
    }
    const std::vector<Border>& top = top_[block.second];
    before_[0] = first_column > 0 ? top[first_column - 1].h : 0;
    std::span<const std::uint32_t> excluded = excluded_of(block);
    for (std::size_t j = 0; j < columns; ++j) {
      const std::int32_t* const scores = scores_of(first_column + j, first_row, rows, excluded, changed_scores_);
      column_[0] = top[first_column + j].h;
      std::int32_t* const column = column_.data() + 1;
      const std::int32_t highest = compute_column(rows, before_.data(), scores, e_.data(), column);
      std::int32_t f = top[first_column + j].gap;
      // Otherwise no gap has a score above 0.
      if (f > 0 || highest > gap_first) f = extend_insertions(rows, column, gap_first, gap_extend, f);
      extend_deletions(rows, column, gap_first, gap_extend, e_.data());
      // A cell with a gap that ends in it is not the best: the cell before the gap has a higher score.
      if (highest > best.score)
        best = {highest, first_column + j,
                first_row +
                    static_cast<std::size_t>(
                        std::find_if(column, column + rows, [&](std::int32_t h) { return h >= highest; }) - column)};
      Border& below = top_[block.second + 1][first_column + j];
      const std::int32_t last = column[rows - 1];
      const bool corner = j + 1 == columns && below.h != last;
      if (store(below, {last, std::max(f, 0)})) changes.below = true;
      if (corner) changes.corner = true;
      before_.swap(column_);
    }
    for (std::size_t i = 0; i < rows; ++i)
      if (store(left_[block.first + 1][first_row + i], {before_[i + 1], std::max(e_[i], 0)})) changes.right = true;
    best_[block.first * block_rows_ + block.second] = best;
    return changes;
  }

  void update_best(std::size_t column) {
    const std::span<const Cell> blocks = std::span(best_).subspan(column * block_rows_, block_rows_);
    best_of_column_[column] = *std::max_element(blocks.begin(), blocks.end());
  }

  std::span<const Code> query_, subject_;
  const HostScoring& scoring_;
  std::size_t side_, block_rows_ = 0, block_columns_ = 0;
  std::array<std::vector<std::int32_t>, HostScoring::codes> profile_;
  std::vector<std::vector<Border>> left_;  ///< [block column][row of cells]
  std::vector<std::vector<Border>> top_;   ///< [block row][column of cells]
  std::vector<Cell> best_;                 ///< [block column][block row]
  std::vector<Cell> best_of_column_;
  std::map<BlockKey, std::vector<std::uint32_t>> excluded_;  ///< column * side + row in the block, sorted
  std::set<BlockKey> changed_;
  std::vector<std::int32_t> before_, column_, e_, changed_scores_;  ///< of compute()
};

}  // namespace

HostScoring::HostScoring(const Matrix& matrix, const GapPenalty& gap) : gap_first(gap.first()), gap_extend(gap.extend) {
  const std::size_t size = alphabet_size(matrix.alphabet());
  for (Code a = 0; a < size; ++a)
    for (Code b = 0; b < size; ++b) at(a, b) = matrix(a, b);
}

HostScoring::HostScoring(const PositionScores& position_scores, const GapPenalty& gap)
    : positions(position_scores), gap_first(gap.first()), gap_extend(gap.extend) {}

HostScoring::HostScoring(std::vector<std::int32_t> scores_of_rows, const GapPenalty& gap)
    : rows(std::move(scores_of_rows)), gap_first(gap.first()), gap_extend(gap.extend) {}

std::int32_t HostScoring::highest() const noexcept {
  if (!rows.empty()) return *std::max_element(rows.begin(), rows.end());
  return positions ? positions->highest : *std::max_element(pairs.begin(), pairs.end());
}
std::int32_t HostScoring::lowest() const noexcept {
  if (!rows.empty()) return *std::min_element(rows.begin(), rows.end());
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
  return PairBlocks(query, subject, scoring, used).find(scores);
}

std::vector<Alignment> next_alignments(std::span<const Code> query, std::span<const Code> subject,
                                       const HostScoring& scoring, const RowScores& scores, const Alignment& best,
                                       std::size_t max_count, std::int32_t min_score) {
  std::vector<Alignment> next;
  if (best.score == 0) return next;
  if (max_count == 0) return next;
  UsedPairs used;
  used.add(best);
  PairBlocks blocks(query, subject, scoring, used);
  while (true) {
    Alignment one = blocks.find(scores, min_score);
    if (one.score == 0) break;
    next.push_back(std::move(one));
    if (next.size() == max_count) break;
    blocks.exclude(next.back());
  }
  return next;
}

}  // namespace genocl::pairwise
