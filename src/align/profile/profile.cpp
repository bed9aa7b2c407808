#include "genocl/align/profile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "align/device_state.hpp"
#include "genocl/error.hpp"
#include "pairwise/path.hpp"

namespace genocl::align {

Profile::Profile(std::string name, std::span<const Code> letters, std::span<const Row> rows, const Matrix& matrix)
    : name_(std::move(name)), letters_(letters.begin(), letters.end()), scores_(rows.size() * stride) {
  if (matrix.alphabet() != Alphabet::protein) throw InputError("a profile with a matrix that is not for proteins");
  if (rows.size() != letters.size())
    throw InputError("a profile of " + std::to_string(letters.size()) + " letters and " + std::to_string(rows.size()) +
                     " rows");
  highest_ = -Matrix::most;
  lowest_ = Matrix::most;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (letters[row] >= protein::letters.size())
      throw InputError("a profile with a letter that is none, in row " + std::to_string(row + 1));
    for (Code code = 0; code < protein::letters.size(); ++code) {
      const Code scored = code == protein::encode('U') ? protein::encode('C') : code;
      const int score = scored < rows[row].size() ? rows[row][scored] : matrix(letters[row], scored);
      if (score < -Matrix::most)
        throw InputError("a profile with a score of " + std::to_string(score) + " in row " + std::to_string(row + 1));
      scores_[row * stride + code] = static_cast<std::int8_t>(score);
      highest_ = std::max(highest_, score);
      lowest_ = std::min(lowest_, score);
    }
  }
}

void Profile::set_ratios(std::vector<Ratios> ratios) {
  if (!ratios.empty() && ratios.size() != size())
    throw InputError("a profile of " + std::to_string(size()) + " rows and frequencies of " +
                     std::to_string(ratios.size()));
  for (const Ratios& row : ratios)
    for (const double ratio : row)
      if (!(ratio >= 0 && std::isfinite(ratio)))
        throw InputError("a profile with a frequency ratio of " + std::to_string(ratio) + "; expected 0 or more");
  ratios_ = std::move(ratios);
}

Profile Profile::of(std::string name, std::span<const Code> letters, const Matrix& matrix) {
  std::vector<Row> rows(letters.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (Code code = 0; code < rows[row].size(); ++code)
      rows[row][code] = static_cast<std::int8_t>(matrix(letters[row], code));
  return {std::move(name), letters, rows, matrix};
}

std::int64_t score_of(const Alignment& alignment, const Profile& profile, std::span<const Code> subject,
                      const GapPenalty& gap) {
  return pairwise::score_of_runs(alignment, profile.letters(), subject, position_scores(profile), gap);
}

}  // namespace genocl::align
