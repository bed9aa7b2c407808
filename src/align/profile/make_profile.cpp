// Of an alignment the weights of its sequences, the frequencies of each column, and their scores: Altschul and others
// 1997 (Nucleic Acids Res. 25, 3389-3402), 2009 (Nucleic Acids Res. 37, 815-824); Schaeffer and others 2001 (29,
// 2994-3005).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "align/composition/target_frequencies.hpp"
#include "align/profile/aligned_columns.hpp"
#include "align/scoring/karlin_altschul.hpp"
#include "genocl/align/profile_making.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

/// Frequencies of pairs as the matrix has them.
struct PairFrequencies {
  LetterTable background{};  ///< of the pairs
  PairTable ratio{};         ///< to what chance gives

  explicit PairFrequencies(const PairTable& targets) {
    for (std::size_t a = 0; a < amino_acids; ++a)
      for (std::size_t b = 0; b < amino_acids; ++b) background[a] += targets[a][b];
    for (std::size_t a = 0; a < amino_acids; ++a)
      for (std::size_t b = 0; b < amino_acids; ++b) ratio[a][b] = targets[a][b] / (background[a] * background[b]);
  }
};

/// What the sequences that are aligned in a column tell of it.
struct ColumnWeights {
  LetterTable observed{};
  double unknown = 0;       ///< weight of X
  double observations = 0;  ///< that count as independent, but one
  double gapless = 0;       ///< weight of the letters
  double distinct = 0;      ///< letters of a column of the block, in the mean
  bool aligned = false;     ///< the query is not alone
};

/// How many different amino acids so many independent letters have, as a rule.
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

/// How many independent letters have that many different ones.
double independent_letters(const std::vector<double>& expected, double distinct) {
  std::size_t i = 1;
  while (i < expected.size() && expected[i] <= distinct) ++i;
  if (i == expected.size()) return static_cast<double>(i);
  return static_cast<double>(i) - (expected[i] - distinct) / (expected[i] - expected[i - 1]);
}

/// Weights the sequences, column by column of the query.
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
      if (s == 0) continue;  // the query bounds nothing
      left = std::max(left, left_[s][at]);
      right = std::min(right, right_[s][at]);
    }
    if (here.size() < 2) return found;
    found.aligned = true;
    std::vector<double> weight(here.size(), 0);
    std::array<std::size_t, amino_acids + 1> columns_with{};  // so many different amino acids
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
    // What a gap stands for may be any letter.
    if (alignment_.cells[0][at].letter != AlignedLetter::x)
      for (std::size_t a = 0; a < amino_acids; ++a) found.observed[a] += gaps * chance_frequencies()[a];
    std::size_t known = right - left + 1;
    for (std::size_t c = left; c <= right; ++c)
      if (c != at && alignment_.cells[0][c].letter == AlignedLetter::x) --known;
    found.distinct = static_cast<double>(all_distinct) / static_cast<double>(known);
    const double independent =
        independent_letters(expected_, most_distinct(columns_with, std::max<std::size_t>(1, (right - left + 2) / 2)));
    found.observations = std::max(0.0, std::min(independent, static_cast<double>(here.size())) - 1);
    return found;
  }

 private:
  /// The mean of the half of the columns that have the most.
  static double most_distinct(const std::array<std::size_t, amino_acids + 1>& columns_with, std::size_t half) {
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

/// Pseudocounts of a column, by how far its letters are from the background; infinite for one that is not.
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

constexpr double precision = 200;  // parts of a score

using FineRow = std::array<long, amino_acids>;

/// Scores as they are searched with.
std::vector<Profile::Row> rounded(const std::vector<FineRow>& fine, double factor) {
  std::vector<Profile::Row> rows(fine.size());
  for (std::size_t row = 0; row < fine.size(); ++row)
    for (std::size_t a = 0; a < amino_acids; ++a)
      rows[row][a] = static_cast<std::int8_t>(std::clamp<long>(
          std::lround(factor * static_cast<double>(fine[row][a]) / precision), -Matrix::most, Matrix::most));
  return rows;
}

/// How often each score comes where letters come by chance; rows of X do not count.
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

/// The factor that gives the scores the matrix's lambda, as PSI-BLAST looks for it: in steps, then halfway ten times.
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

/// The unit of the matrix in parts of a bit: that by which its scores come out of its frequencies.
int parts_of_a_bit(const Matrix& matrix, const PairFrequencies& pairs) {
  int best = 0;
  std::size_t most = 0;
  for (int parts = 1; parts <= 5; ++parts) {
    std::size_t equal = 0;
    for (Code a = 0; a < amino_acids; ++a)
      for (Code b = 0; b < amino_acids; ++b)
        equal += std::lround(parts * std::log2(pairs.ratio[a][b])) == matrix(a, b) ? 1 : 0;
    if (equal > most) best = parts;
    most = std::max(most, equal);
  }
  return best;
}

/// One column: its fine scores, and what is told of it.
FineRow score_column(const ColumnWeights& weights, Code query, const Matrix& matrix, const PairFrequencies& pairs,
                     int parts, double lambda, ProfileColumn& column) {
  constexpr double ratio_of_unknown = 0.75;  // of X with any letter
  constexpr double unseen = 30;              // pseudocounts where the sequences tell nothing
  const LetterTable& chance = chance_frequencies();
  FineRow fine{};
  column.observed = weights.observed;
  if (query >= amino_acids) {
    for (Code a = 0; a < amino_acids; ++a) fine[a] = fine_score(matrix(query, a));
    return fine;
  }
  if (!weights.aligned) {
    for (Code a = 0; a < amino_acids; ++a) fine[a] = fine_score(parts * std::log2(pairs.ratio[query][a]));
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
    column.information += odds * chance[a] * std::log2(odds);
  }
  return fine;
}

}  // namespace

MadeProfile make_profile(std::string name, std::span<const AlignedSequence> alignment, const Matrix& matrix,
                         const GapPenalty& gap) {
  const auto matrix_name = named_protein_matrix(matrix);
  const auto targets = matrix_name ? target_frequencies(*matrix_name) : std::nullopt;
  if (!targets) throw InputError("a profile by the matrix " + matrix.name() + "; expected one of NCBI's for proteins");
  const auto gapped = KarlinAltschul::find(matrix, gap);
  if (!gapped)
    throw InputError("a profile with gap penalties whose statistics are not known; expected " +
                     KarlinAltschul::known_gaps(matrix));
  const double lambda = ungapped_parameters(score_distribution(matrix))->lambda;
  const PairFrequencies pairs(*targets);
  const int parts = parts_of_a_bit(matrix, pairs);
  AlignedColumns columns = aligned_columns(alignment);
  purge(columns);
  const Weighing weighing(columns, pairs.background);
  MadeProfile made{Profile("", {}, {}, matrix), std::vector<ProfileColumn>(columns.columns()), {}, {}, *gapped, {}};
  std::vector<FineRow> fine;
  for (std::size_t c = 0; c < columns.columns(); ++c)
    fine.push_back(score_column(weighing.column(c), columns.query[c], matrix, pairs, parts, lambda, made.columns[c]));
  if (std::ranges::none_of(columns.query, [](Code letter) { return letter < amino_acids; }))
    throw InputError("the first sequence of an alignment has no amino acids");
  const std::vector<Profile::Row> rows = scaled(fine, columns.query, lambda);
  made.profile = Profile(std::move(name), columns.query, rows, matrix);
  std::vector<Profile::Row> plain(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (Code a = 0; a < amino_acids; ++a) plain[row][a] = static_cast<std::int8_t>(matrix(columns.query[row], a));
  const KarlinAltschul ideal = *ungapped_parameters(score_distribution(matrix));
  made.standard = ungapped_parameters(distribution(plain, columns.query)).value_or(ideal);
  made.standard_gapped = *gapped;
  made.own = ungapped_parameters(distribution(rows, columns.query)).value_or(ideal);
  made.own_gapped = *gapped;
  made.own_gapped.k = made.own.k * gapped->k / ideal.k;
  // In the digits that a text has: read again, the profile is the same.
  const auto four_digits = [](double value) { return std::round(value * 1e4) / 1e4; };
  made.profile.set_gapped({four_digits(made.own_gapped.lambda), four_digits(made.own_gapped.k)});
  return made;
}

std::string MadeProfile::ascii() const {
  std::string text =
      "\nLast position-specific scoring matrix computed, weighted observed percentages rounded down, information per "
      "position, and relative weight of gapless real matches to pseudocounts\n         ";
  const auto add = [&text](const char* format, auto... values) {
    std::array<char, 64> field;
    std::snprintf(field.data(), field.size(), format, values...);
    text += field.data();
  };
  for (int half = 0; half < 2; ++half)
    for (Code a = 0; a < amino_acids; ++a) add("%4c", protein::decode(a));
  for (std::size_t row = 0; row < profile.size(); ++row) {
    add("\n%5zu %c  ", row + 1, protein::decode(profile.letters()[row]));
    for (Code a = 0; a < amino_acids; ++a) add("%4d", profile(row, a));
    text += ' ';
    for (const double share : columns[row].observed) add("%4d", static_cast<int>(100 * share + 0.5));
    add("%6.2f", columns[row].information);
    // Wider where the alignment tells nothing.
    add(columns[row].information == 0 ? "%9.2f" : " %.2f", columns[row].weight);
  }
  text += "\n\n                      K         Lambda\n";
  const auto parameters = [&](const char* what, const KarlinAltschul& of) {
    add("%-21s", what);
    add("%6.4f", of.k);
    add("     %6.4f\n", of.lambda);
  };
  parameters("Standard Ungapped", standard);
  parameters("Standard Gapped", standard_gapped);
  parameters("PSI Ungapped", own);
  parameters("PSI Gapped", own_gapped);
  return text;
}

}  // namespace genocl::align
