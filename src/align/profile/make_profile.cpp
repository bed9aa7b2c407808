// Profiles of multiple alignments, by the method of psiblast.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "align/composition/composition.hpp"
#include "align/scoring/statistics.hpp"
#include "genocl/align/profile_making.hpp"
#include "genocl/error.hpp"

namespace genocl::align {

/// A letter of a sequence, aligned with one of the query.
struct AlignedLetter {
  /// Codes other than the amino acids: X for any other letter, and a gap.
  static constexpr Code x = 20, gap = 21;
  Code letter = gap;
  bool aligned = false;
};

struct AlignedColumns {
  std::vector<Code> query;                        ///< original letters
  std::vector<std::vector<AlignedLetter>> cells;  ///< [sequence][column of the query], the query first
  std::size_t columns() const noexcept { return query.size(); }
  std::size_t sequences() const noexcept { return cells.size(); }
};

/// Throws InputError for an invalid alignment.
AlignedColumns aligned_columns(std::span<const AlignedSequence> alignment);

/// Removes ranges of sequences that are redundant with the query or another sequence, and sequences that become empty.
void purge(AlignedColumns& alignment);

namespace {

bool is_gap(char letter) { return letter == '-' || letter == '.'; }

Code simple_code(Code code) { return code < 20 ? code : AlignedLetter::x; }

/// Removes a range of `other` if enough of its letters equal those of `first`. A range extends between two positions
/// where neither sequence is aligned. `by_other`: `first` is the query, which is aligned everywhere.
void purge_similar(const std::vector<AlignedLetter>& first, std::vector<AlignedLetter>& other, bool by_other,
                   double identity) {
  std::size_t begin = 0, letters = 0, unknown = 0, same = 0;
  bool counting = true;
  const auto end_stretch = [&] {
    if (counting && letters > 0 && static_cast<double>(same) / static_cast<double>(letters) >= identity)
      std::fill_n(other.begin() + static_cast<std::ptrdiff_t>(begin), letters + unknown, AlignedLetter{});
    counting = false;
  };
  for (std::size_t column = 0; column < other.size(); ++column) {
    const AlignedLetter a = first[column], b = other[column];
    if (!b.aligned && (by_other || !a.aligned)) {
      end_stretch();
    } else if (a.letter == AlignedLetter::x || b.letter == AlignedLetter::x) {
      if (counting) ++unknown;
    } else {
      if (!counting) {
        begin = column;
        letters = unknown = same = 0;
        counting = true;
      }
      ++letters;
      if (a.aligned && b.aligned && a.letter == b.letter) ++same;
    }
  }
  end_stretch();
}

bool has_aligned(const std::vector<AlignedLetter>& cells) {
  return std::ranges::any_of(cells, &AlignedLetter::aligned);
}

}  // namespace

AlignedColumns aligned_columns(std::span<const AlignedSequence> alignment) {
  if (alignment.size() < 2)
    throw InputError("an alignment of " + std::to_string(alignment.size()) + " sequences; expected 2 or more");
  AlignedColumns made;
  const std::string& query = alignment.front().letters;
  for (const AlignedSequence& sequence : alignment) {
    const std::string where = "sequence " + in_quotes(sequence.name);
    if (sequence.letters.size() != query.size())
      throw InputError(where + " of an alignment has " + std::to_string(sequence.letters.size()) +
                       " letters and gaps; expected " + std::to_string(query.size()) + ", as the first one has");
    std::vector<AlignedLetter> cells;
    for (std::size_t i = 0; i < query.size(); ++i) {
      const char letter = sequence.letters[i];
      const Code code = is_gap(letter) ? AlignedLetter::gap : protein::encode(letter);
      if (code == invalid_code)
        throw InputError(where + " of an alignment, place " + std::to_string(i + 1) + ": " +
                         in_quotes(std::string(1, letter)) + "; expected an amino acid, or - or .");
      if (is_gap(query[i])) continue;
      if (is_gap(letter))
        cells.push_back({});
      else
        cells.push_back({simple_code(code), true});
      if (&sequence == &alignment.front()) made.query.push_back(code);
    }
    // Gaps between letters are aligned; leading and trailing gaps are not.
    const auto is_aligned = [](const AlignedLetter& cell) { return cell.aligned; };
    const auto first = std::ranges::find_if(cells, is_aligned);
    auto end = cells.end();
    while (end != first && !std::prev(end)->aligned) --end;
    for (auto cell = first; cell != end; ++cell)
      if (cell->letter == AlignedLetter::gap) cell->aligned = true;
    made.cells.push_back(std::move(cells));
  }
  if (made.query.empty()) throw InputError("the first sequence of an alignment has no letters");
  return made;
}

void purge(AlignedColumns& alignment) {
  constexpr double nearly_identical = 0.94;
  auto& cells = alignment.cells;
  std::vector<char> used(cells.size(), 1);
  const auto compare = [&](std::size_t first, std::size_t other, double identity) {
    if (used[first] == 0 || used[other] == 0) return;
    purge_similar(cells[first], cells[other], first == 0, identity);
    if (!has_aligned(cells[other])) used[other] = 0;
  };
  for (std::size_t other = 1; other < cells.size(); ++other) compare(0, other, 1);
  for (std::size_t apart = 1; apart < cells.size(); ++apart)
    for (std::size_t first = 1; first + apart < cells.size(); ++first) compare(first, first + apart, nearly_identical);
  std::size_t kept = 1;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (used[i] == 0) continue;
    if (kept != i) cells[kept] = std::move(cells[i]);
    ++kept;
  }
  cells.resize(kept);
}

namespace {

/// Statistics of a column from the sequences that are aligned in it.
struct ColumnWeights {
  LetterTable observed{};
  double unknown = 0;       ///< weight of X
  double observations = 0;  ///< number of independent observations, less one
  double gapless = 0;       ///< weight of the letters
  double distinct = 0;      ///< mean number of distinct letters in a column of the block
  bool aligned = false;     ///< a sequence is aligned in addition to the query
};

/// [n]: expected number of distinct amino acids among n independent letters.
std::vector<double> expected_distinct(const LetterTable& background) {
  constexpr std::size_t most = 400;
  std::vector<double> expected(most, 0);
  for (std::size_t letters = 1; letters < most; ++letters) {
    double missing = 0;
    for (const double frequency : background)
      missing += std::exp(static_cast<double>(letters) * std::log(1 - frequency));
    expected[letters] = static_cast<double>(amino_acids) - missing;
  }
  return expected;
}

/// Returns the number of independent letters with an expected number of `distinct` different ones.
double independent_letters(const std::vector<double>& expected, double distinct) {
  std::size_t i = 1;
  while (i < expected.size() && expected[i] <= distinct) ++i;
  if (i == expected.size()) return static_cast<double>(i);
  return static_cast<double>(i) - (expected[i] - distinct) / (expected[i] - expected[i - 1]);
}

/// Computes sequence weights for each column of the query.
class Weighing {
 public:
  Weighing(const AlignedColumns& alignment, const LetterTable& background)
      : alignment_(alignment), expected_(expected_distinct(background)) {
    const std::size_t columns = alignment.columns();
    for (const std::vector<AlignedLetter>& cells : alignment.cells) {
      std::vector<std::size_t> left(columns), right(columns);
      for (std::size_t c = 0; c < columns; ++c) left[c] = c > 0 && cells[c - 1].aligned ? left[c - 1] : c;
      for (std::size_t c = columns; c-- > 0;) right[c] = c + 1 < columns && cells[c + 1].aligned ? right[c + 1] : c;
      left_.push_back(std::move(left));
      right_.push_back(std::move(right));
    }
  }

  ColumnWeights column(std::size_t at) const {
    ColumnWeights found;
    std::vector<std::size_t> here;
    std::size_t left = 0, right = alignment_.columns() - 1;
    for (std::size_t s = 0; s < alignment_.sequences(); ++s) {
      if (!alignment_.cells[s][at].aligned) continue;
      here.push_back(s);
      if (s == 0) continue;  // the query sets no bounds
      left = std::max(left, left_[s][at]);
      right = std::min(right, right_[s][at]);
    }
    if (here.size() < 2) return found;
    found.aligned = true;
    std::vector<double> weight(here.size(), 0);
    std::array<std::size_t, amino_acids + 1> columns_with{};  // [distinct amino acids] number of columns
    bool differ = false;
    std::size_t all_distinct = 0;
    for (std::size_t c = left; c <= right; ++c) {
      std::array<std::size_t, AlignedLetter::gap + 1> count{};
      for (const std::size_t s : here) ++count[alignment_.cells[s][c].letter];
      std::size_t distinct = 0, of_amino_acids = 0;
      for (std::size_t letter = 0; letter < count.size(); ++letter) {
        if (count[letter] == 0) continue;
        ++distinct;
        if (letter < amino_acids) ++of_amino_acids;
      }
      all_distinct += distinct;
      ++columns_with[of_amino_acids];
      differ = differ || distinct > 1;
      for (std::size_t i = 0; i < here.size(); ++i)
        weight[i] += 1 / static_cast<double>(count[alignment_.cells[here[i]][c].letter] * distinct);
    }
    if (!differ) std::ranges::fill(weight, 1);
    double sum = 0;
    for (const double one : weight) sum += one;
    double gaps = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      const Code letter = alignment_.cells[here[i]][at].letter;
      if (letter < amino_acids) found.observed[letter] += weight[i] / sum;
      if (letter == AlignedLetter::x) found.unknown += weight[i] / sum;
      if (letter == AlignedLetter::gap) gaps += weight[i] / sum;
    }
    found.gapless = 1 - gaps;
    // A gap may represent any letter.
    if (alignment_.cells[0][at].letter != AlignedLetter::x)
      for (std::size_t a = 0; a < amino_acids; ++a) found.observed[a] += gaps * chance_frequencies()[a];
    std::size_t known = right - left + 1;
    for (std::size_t c = left; c <= right; ++c)
      if (c != at && alignment_.cells[0][c].letter == AlignedLetter::x) --known;
    found.distinct = static_cast<double>(all_distinct) / static_cast<double>(known);
    const double independent =
        independent_letters(expected_, max_distinct(columns_with, std::max<std::size_t>(1, (right - left + 2) / 2)));
    found.observations = std::max(0.0, std::min(independent, static_cast<double>(here.size())) - 1);
    return found;
  }

 private:
  /// The mean over the half of the columns with the most distinct letters.
  static double max_distinct(const std::array<std::size_t, amino_acids + 1>& columns_with, std::size_t half) {
    std::size_t taken = 0, sum = 0;
    for (std::size_t distinct = columns_with.size(); distinct-- > 0 && taken < half;) {
      const std::size_t more = std::min(columns_with[distinct], half - taken);
      taken += more;
      sum += more * distinct;
    }
    return static_cast<double>(sum) / static_cast<double>(taken);
  }

  const AlignedColumns& alignment_;
  std::vector<double> expected_;
  std::vector<std::vector<std::size_t>> left_, right_;  ///< [sequence][column]: the ends of the run of aligned letters
};

/// The number of pseudocounts of a column, from the distance of its letters to the background; infinite at distance 0.
double pseudocounts(const ColumnWeights& column, const LetterTable& background) {
  constexpr double multiplier = 500, numerator = 0.0457, exponent = 0.8, few = 5.5, least = 0.0001;
  double sum = 0, entropy = 0;
  LetterTable mixed{};
  for (std::size_t a = 0; a < amino_acids; ++a)
    sum += mixed[a] = column.observed[a] * column.observations + background[a] * few;
  for (std::size_t a = 0; a < amino_acids; ++a)
    if (const double frequency = mixed[a] / sum; frequency > least)
      entropy += frequency * std::log(frequency / background[a]);
  const double alpha = numerator / std::pow(std::max(entropy, least), exponent);
  return alpha < 1 - least ? multiplier * alpha / (1 - alpha) : std::numeric_limits<double>::infinity();
}

constexpr double precision = 200;  // fractions of a unit of score

using FineRow = std::array<long, amino_acids>;

/// Rounds scores to the integers of a search.
std::vector<Profile::Row> rounded(const std::vector<FineRow>& fine, double factor) {
  std::vector<Profile::Row> rows(fine.size());
  for (std::size_t row = 0; row < fine.size(); ++row)
    for (std::size_t a = 0; a < amino_acids; ++a)
      rows[row][a] = static_cast<std::int8_t>(std::clamp<long>(
          std::lround(factor * static_cast<double>(fine[row][a]) / precision), -Matrix::most, Matrix::most));
  return rows;
}

/// The distribution of scores with random letters; rows of X do not count.
ScoreDistribution distribution(const std::vector<Profile::Row>& rows, const std::vector<Code>& query) {
  ScoreDistribution scores{-Matrix::most, std::vector<double>(2 * Matrix::most + 1, 0)};
  double counted = 0;
  for (const Code letter : query) counted += letter < amino_acids ? 1 : 0;
  const LetterTable& chance = chance_frequencies();
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (query[row] < amino_acids)
      for (std::size_t a = 0; a < amino_acids; ++a)
        scores.probability[static_cast<std::size_t>(rows[row][a] + Matrix::most)] += chance[a] / counted;
  const auto begin = std::ranges::find_if(scores.probability, [](double p) { return p > 0; });
  scores.lowest += static_cast<int>(begin - scores.probability.begin());
  scores.probability.erase(scores.probability.begin(), begin);
  while (!scores.probability.empty() && scores.probability.back() == 0) scores.probability.pop_back();
  return scores;
}

double lambda_of(const std::vector<Profile::Row>& rows, const std::vector<Code>& query) {
  const auto parameters = ungapped_parameters(distribution(rows, query));
  if (!parameters) throw InputError("an alignment whose scores have no statistics: chance alone scores above 0");
  return parameters->lambda;
}

/// Scales the scores to the matrix's lambda. Like PSI-BLAST, it brackets the factor in steps and bisects ten times.
std::vector<Profile::Row> scaled(const std::vector<FineRow>& fine, const std::vector<Code>& query, double lambda) {
  constexpr double step = 0.05;
  constexpr int halvings = 10;
  const auto too_low = [&](double factor) { return lambda_of(rounded(fine, factor), query) > lambda; };
  double low = 1, high = 1;
  if (too_low(1)) {
    for (high = 1 + step; too_low(high); high += high - 1) continue;
  } else {
    for (low = 1 - step; !too_low(low); low += low - 1) continue;
  }
  double factor = 1;
  for (int i = 0; i < halvings; ++i) {
    factor = (low + high) / 2;
    (too_low(factor) ? low : high) = factor;
  }
  return rounded(fine, factor);
}

long fine_score(double score) { return std::lround(precision * score); }

/// Frequencies of the matrix.
struct MatrixFrequencies {
  LetterTable background{};
  RatioTable ratio{};
  int parts_of_a_bit = 0;
};

/// Computes the fine scores, the frequency ratios and the statistics of one column.
FineRow score_column(const ColumnWeights& weights, Code query, const Matrix& matrix, const MatrixFrequencies& pairs,
                     double lambda, ProfileColumn& column, Profile::Ratios& ratios) {
  constexpr double ratio_of_unknown = 0.75;  // of X with any letter
  constexpr double unseen = 30;              // pseudocounts of a column without observations
  const LetterTable& chance = chance_frequencies();
  FineRow fine{};
  column.observed = weights.observed;
  if (query >= amino_acids) {
    for (Code a = 0; a < amino_acids; ++a) fine[a] = fine_score(matrix(query, a));
    return fine;
  }
  if (!weights.aligned) {
    for (Code a = 0; a < amino_acids; ++a)
      fine[a] = fine_score(pairs.parts_of_a_bit * std::log2(pairs.ratio[query][a]));
    return fine;
  }
  double pseudo = pseudocounts(weights, pairs.background), observations = weights.observations;
  if (std::isinf(pseudo)) {
    pseudo = unseen;
    observations = 0;
  }
  column.weight = weights.gapless / pseudo * (weights.distinct - 1);
  for (Code a = 0; a < amino_acids; ++a) {
    double expected = weights.unknown * ratio_of_unknown;
    for (std::size_t b = 0; b < amino_acids; ++b) expected += weights.observed[b] * pairs.ratio[a][b];
    const double odds = (observations * weights.observed[a] / chance[a] + pseudo * expected) / (observations + pseudo);
    fine[a] = fine_score(std::log(odds) / lambda);
    ratios[a] = odds;
    column.information += odds * chance[a] * std::log2(odds);
  }
  return fine;
}

/// Throws InputError for a query without amino acids, and for what make_profile() cannot take.
MadeProfile profile_of(std::string name, AlignedColumns columns, const Matrix& matrix, const GapPenalty& gap) {
  const auto matrix_name = named_protein_matrix(matrix);
  const auto targets = matrix_name ? target_frequencies(*matrix_name) : std::nullopt;
  if (!targets) throw InputError("a profile by the matrix " + matrix.name() + "; expected one of NCBI's for proteins");
  const auto gapped = KarlinAltschul::find(matrix, gap);
  if (!gapped)
    throw InputError("a profile with gap penalties whose statistics are not known; expected " +
                     KarlinAltschul::known_gaps(matrix));
  const double lambda = ungapped_parameters(score_distribution(matrix))->lambda;
  MatrixFrequencies pairs{.ratio = frequency_ratios(matrix)};
  pairs.parts_of_a_bit = parts_of_a_bit(matrix, pairs.ratio);
  for (std::size_t a = 0; a < amino_acids; ++a)
    for (std::size_t b = 0; b < amino_acids; ++b) pairs.background[a] += (*targets)[a][b];
  purge(columns);
  const Weighing weighing(columns, pairs.background);
  MadeProfile made{Profile("", {}, {}, matrix), std::vector<ProfileColumn>(columns.columns()), {}, {}, *gapped, {}};
  std::vector<FineRow> fine;
  std::vector<Profile::Ratios> ratios(columns.columns());
  for (std::size_t c = 0; c < columns.columns(); ++c)
    fine.push_back(
        score_column(weighing.column(c), columns.query[c], matrix, pairs, lambda, made.columns[c], ratios[c]));
  if (std::ranges::none_of(columns.query, [](Code letter) { return letter < amino_acids; }))
    throw InputError("the first sequence of an alignment has no amino acids");
  const std::vector<Profile::Row> rows = scaled(fine, columns.query, lambda);
  made.profile = Profile(std::move(name), columns.query, rows, matrix);
  made.profile.set_ratios(std::move(ratios));
  std::vector<Profile::Row> plain(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (Code a = 0; a < amino_acids; ++a) plain[row][a] = static_cast<std::int8_t>(matrix(columns.query[row], a));
  const KarlinAltschul ideal = *ungapped_parameters(score_distribution(matrix));
  made.standard = ungapped_parameters(distribution(plain, columns.query)).value_or(ideal);
  made.standard_gapped = *gapped;
  made.matrix = *matrix_name;
  made.gap = gap;
  made.own = ungapped_parameters(distribution(rows, columns.query)).value_or(ideal);
  made.own_gapped = *gapped;
  made.own_gapped.k = made.own.k * gapped->k / ideal.k;
  // Rounded to the digits of the text, so that a parsed profile is identical.
  const auto four_digits = [](double value) { return std::round(value * 1e4) / 1e4; };
  made.profile.set_gapped({four_digits(made.own_gapped.lambda), four_digits(made.own_gapped.k)});
  return made;
}

/// Adds the letters of an alignment to columns that no alignment before has set.
void add_alignment(const Alignment& alignment, std::span<const Code> subject, std::vector<AlignedLetter>& cells) {
  std::uint64_t column = alignment.query_begin, letter = alignment.subject_begin;
  for (const pairwise::EditRun& run : alignment.runs) {
    if (run.operation == 'D') {
      letter += run.length;
      continue;
    }
    for (std::uint32_t i = 0; i < run.length; ++i) {
      AlignedLetter& cell = cells.at(column++);
      if (!cell.aligned) cell = {run.operation == 'I' ? AlignedLetter::gap : simple_code(subject[letter + i]), true};
    }
    if (run.operation != 'I') letter += run.length;
  }
}

}  // namespace

MadeProfile make_profile(std::string name, std::span<const AlignedSequence> alignment, const Matrix& matrix,
                         const GapPenalty& gap) {
  return profile_of(std::move(name), aligned_columns(alignment), matrix, gap);
}

MadeProfile make_profile(std::string name, std::span<const Code> query, std::span<const Hit> hits,
                         const Database& database, const Matrix& matrix, const GapPenalty& gap) {
  AlignedColumns columns;
  columns.query.assign(query.begin(), query.end());
  std::vector<AlignedLetter>& first = columns.cells.emplace_back();
  for (const Code code : query) first.push_back({simple_code(code), true});
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const Hit& hit = hits[i];
    if (!hit.alignment || hit.alignment->query_end > query.size())
      throw InputError("a profile of hits without alignments with its query");
    if (i == 0 || hits[i - 1].subject != hit.subject) columns.cells.emplace_back(query.size());
    add_alignment(*hit.alignment, database.sequence(static_cast<std::size_t>(hit.subject)), columns.cells.back());
  }
  return profile_of(std::move(name), std::move(columns), matrix, gap);
}

}  // namespace genocl::align
