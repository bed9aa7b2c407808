#include "pairwise/host_pair.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "genocl/sequence/alphabet.hpp"
#include "pairwise/path.hpp"

namespace genocl::pairwise {
namespace {

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

  /// Returns the best alignment without excluded pairs. The score is 0 without one.
  Alignment find(const RowScores& scores) const {
    Cell best;
    for (const Cell& one : best_of_column_) best = std::max(best, one);
    if (best.score == 0) return {};
    std::vector<std::uint8_t> steps, origins(side_ * side_);
    std::uint64_t i = best.row + 1, j = best.column + 1;  // remaining letters
    std::uint8_t state = 0;
    for (bool arrived = false; !arrived && i > 0 && j > 0;) {
      const BlockKey block{(j - 1) / side_, (i - 1) / side_};
      const std::size_t first_row = block.second * side_, first_column = block.first * side_;
      compute_cells<true>(block, i - first_row, j - first_column, origins.data(), [](auto&&...) {});
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

  /// Computes a block from its left and top borders: calls column(j, h, e, f) after each column, with the F that
  /// crosses the lower border. With `keeps`, `origins` receives the origin of each cell.
  template <bool keeps, class Column>
  void compute_cells(BlockKey block, std::size_t rows, std::size_t columns, std::uint8_t* origins,
                     Column&& column) const {
    const std::size_t first_row = block.second * side_, first_column = block.first * side_;
    const std::int32_t gap_first = scoring_.gap_first, gap_extend = scoring_.gap_extend;
    std::vector<std::int32_t> h(rows), e(rows), changed_scores(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      h[i] = left_[block.first][first_row + i].h;
      e[i] = left_[block.first][first_row + i].gap;
    }
    const std::vector<Border>& top = top_[block.second];
    const auto known = excluded_.find(block);
    std::span<const std::uint32_t> excluded;
    if (known != excluded_.end()) excluded = known->second;
    std::int32_t corner = first_column > 0 ? top[first_column - 1].h : 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const std::int32_t* scores = profile_[subject_[first_column + j]].data() + first_row;
      if (!excluded.empty() && excluded.front() / side_ == j) {
        std::copy_n(scores, rows, changed_scores.begin());
        for (; !excluded.empty() && excluded.front() / side_ == j; excluded = excluded.subspan(1))
          if (excluded.front() % side_ < rows) changed_scores[excluded.front() % side_] = never;
        scores = changed_scores.data();
      }
      std::int32_t diagonal = std::exchange(corner, top[first_column + j].h);
      std::int32_t f = top[first_column + j].gap;
      [[maybe_unused]] std::int32_t above = corner;
      for (std::size_t i = 0; i < rows; ++i) {
        const std::int32_t pair = diagonal + scores[i];
        const std::int32_t without_f = std::max({pair, e[i], 0});
        const std::int32_t value = std::max(without_f, f);
        diagonal = h[i];
        if constexpr (keeps) {
          std::uint8_t cell = value == 0      ? 0
                              : value == pair ? step_pair
                              : value == e[i] ? step_deletion
                                              : step_insertion;
          if (e[i] == diagonal - gap_first) cell |= e_opens;
          if (f == above - gap_first) cell |= f_opens;
          origins[j * side_ + i] = cell;
          above = value;
        }
        h[i] = value;
        // F need not look at H if H is F: a gap that begins there is no better than F itself.
        e[i] = std::max(e[i] - gap_extend, value - gap_first);
        f = std::max(f - gap_extend, without_f - gap_first);
      }
      column(j, h, e, f);
    }
  }

  /// Computes a block, its best cell and its right and lower borders. Returns which of those changed.
  Changes compute(BlockKey block) {
    const std::size_t first_row = block.second * side_, first_column = block.first * side_;
    const std::size_t rows = std::min(side_, query_.size() - first_row);
    const std::size_t columns = std::min(side_, subject_.size() - first_column);
    Changes changes;
    Cell best;
    const auto store = [](Border& border, const Border& value) {
      const bool is_new = border != value;
      border = value;
      return is_new;
    };
    compute_cells<false>(
        block, rows, columns, nullptr, [&](std::size_t j, const auto& h, const auto& e, std::int32_t f) {
          const auto highest = std::ranges::max_element(h);
          if (*highest > best.score)
            best = {*highest, first_column + j, first_row + static_cast<std::size_t>(highest - h.begin())};
          Border& below = top_[block.second + 1][first_column + j];
          const bool corner = j + 1 == columns && below.h != h.back();
          if (store(below, {h.back(), std::max(f, 0)})) changes.below = true;
          if (corner) changes.corner = true;
          if (j + 1 != columns) return;
          for (std::size_t i = 0; i < h.size(); ++i)
            if (store(left_[block.first + 1][first_row + i], {h[i], std::max(e[i], 0)})) changes.right = true;
        });
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
    Alignment one = blocks.find(scores);
    if (one.score < std::max(min_score, 1)) break;
    next.push_back(std::move(one));
    if (next.size() == max_count) break;
    blocks.exclude(next.back());
  }
  return next;
}

}  // namespace genocl::pairwise
