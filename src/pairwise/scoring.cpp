#include "genocl/pairwise/scoring.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "genocl/error.hpp"
#include "pairwise/ncbi_matrices.hpp"

namespace genocl::pairwise {
namespace {

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return detail::lower(x) == detail::lower(y); });
}

/// The bases that an IUPAC code stands for, a bit each.
unsigned bases_of(char letter) {
  constexpr std::array<std::pair<char, unsigned>, 15> codes = {{{'A', 1},
                                                                {'C', 2},
                                                                {'G', 4},
                                                                {'T', 8},
                                                                {'R', 1 | 4},
                                                                {'Y', 2 | 8},
                                                                {'S', 2 | 4},
                                                                {'W', 1 | 8},
                                                                {'K', 4 | 8},
                                                                {'M', 1 | 2},
                                                                {'B', 2 | 4 | 8},
                                                                {'D', 1 | 4 | 8},
                                                                {'H', 1 | 2 | 8},
                                                                {'V', 1 | 2 | 4},
                                                                {'N', 15}}};
  return std::ranges::find(codes, letter, &std::pair<char, unsigned>::first)->second;
}

}  // namespace

GapPenalty GapPenalty::from_first(int first, int extend) {
  if (extend < 0 || first < extend)
    throw InputError("gap penalties " + std::to_string(first) + " for the first residue and " + std::to_string(extend) +
                     " for each further one; expected first >= further >= 0");
  return {.open = first - extend, .extend = extend};
}

void GapPenalty::check() const {
  const std::string text = "gap penalties open " + std::to_string(open) + ", extend " + std::to_string(extend);
  if (open < 0 || extend < 0) throw InputError(text + "; expected none below 0");
  if (open > most || extend > most || first() > most)
    throw InputError(text + "; expected a sum of at most " + std::to_string(most));
  if (first() == 0) throw InputError(text + "; expected a sum above 0: a gap that costs nothing has no best length");
}

Matrix Matrix::named(std::string_view name) {
  for (const NcbiMatrix& table : ncbi_matrices()) {
    if (!same_name(table.name, name)) continue;
    Matrix matrix(std::string(table.name), Alphabet::protein);
    const std::size_t size = NcbiMatrix::letters.size();
    // Selenocysteine scores as cysteine and pyrrolysine as X, as in BLAST.
    const auto place = [&](char letter) {
      const std::size_t found = NcbiMatrix::letters.find(letter == 'U' ? 'C' : letter == 'O' ? 'X' : letter);
      return found != std::string_view::npos ? found : NcbiMatrix::letters.find('*');
    };
    for (std::size_t q = 0; q < protein::letters.size(); ++q)
      for (std::size_t s = 0; s < protein::letters.size(); ++s)
        matrix.scores_[q * stride + s] = table.scores[place(protein::letters[q]) * size + place(protein::letters[s])];
    matrix.find_range();
    return matrix;
  }
  std::string known;
  for (const std::string& one : names()) known += (known.empty() ? "" : ", ") + one;
  throw InputError("no matrix named " + in_quotes(name) + "; expected one of " + known);
}

const std::vector<std::string>& Matrix::names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const NcbiMatrix& table : ncbi_matrices()) names.emplace_back(table.name);
    return names;
  }();
  return all;
}

Matrix Matrix::dna(int match, int mismatch) {
  if (match < 1 || match > most || mismatch > 0 || mismatch < -most)
    throw InputError("DNA scores: match " + std::to_string(match) + ", mismatch " + std::to_string(mismatch) +
                     "; expected a match from 1 to " + std::to_string(most) + " and a mismatch from " +
                     std::to_string(-most) + " to 0");
  Matrix matrix((match > 0 ? "+" : "") + std::to_string(match) + "/" + std::to_string(mismatch), Alphabet::dna);
  for (std::size_t q = 0; q < dna::letters.size(); ++q)
    for (std::size_t s = 0; s < dna::letters.size(); ++s) {
      const unsigned a = bases_of(dna::letters[q]), b = bases_of(dna::letters[s]);
      const int bases = std::max(std::popcount(a), std::popcount(b));
      // Away from zero where it is halfway, as BLAST rounds.
      const double mean = (a & b) != 0 ? (match + (bases - 1.0) * mismatch) / bases : mismatch;
      matrix.scores_[q * stride + s] = static_cast<std::int8_t>(std::lround(mean));
    }
  matrix.find_range();
  return matrix;
}

Matrix Matrix::unit_costs(Alphabet alphabet) {
  if (alphabet == Alphabet::bytes) throw InputError("unit costs of bytes; expected proteins or DNA");
  Matrix matrix("unit costs", alphabet);
  const std::size_t size = alphabet_size(alphabet);
  for (std::size_t q = 0; q < size; ++q)
    for (std::size_t s = 0; s < size; ++s) matrix.scores_[q * stride + s] = q == s ? 0 : -1;
  matrix.find_range();
  return matrix;
}

bool Matrix::symmetric() const noexcept {
  for (std::size_t a = 0; a < stride; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (scores_[a * stride + b] != scores_[b * stride + a]) return false;
  return true;
}

void Matrix::find_range() {
  const std::size_t size = alphabet_size(alphabet_);
  highest_ = -most;
  lowest_ = most;
  for (std::size_t q = 0; q < size; ++q)
    for (std::size_t s = 0; s < size; ++s) {
      highest_ = std::max<int>(highest_, scores_[q * stride + s]);
      lowest_ = std::min<int>(lowest_, scores_[q * stride + s]);
    }
}

const Matrix& blosum62() {
  static const Matrix matrix = Matrix::named("BLOSUM62");
  return matrix;
}

}  // namespace genocl::pairwise
