#include "align/scoring/scoring_table.hpp"

namespace genocl::align {

ScoringTable make_scoring_table(const Matrix& matrix, const GapPenalty& gap,
                                std::span<const std::uint64_t> letter_counts) {
  gap.check();
  ScoringTable table;
  table.matrix = matrix;
  table.gap = gap;
  const std::size_t size = alphabet_size(matrix.alphabet());
  for (std::size_t code = 0; code < size; ++code) {
    if (!letter_counts.empty() && letter_counts[code] == 0) continue;
    const auto same_column = [&](Code other) {
      // Profiles may score any two amino acids differently.
      if (matrix.alphabet() == Alphabet::protein && code < 20 && other < 20) return false;
      for (std::size_t query = 0; query < size; ++query)
        if (matrix(static_cast<Code>(query), static_cast<Code>(code)) != matrix(static_cast<Code>(query), other))
          return false;
      return true;
    };
    std::size_t found = 0;
    while (found < table.representative.size() && !same_column(table.representative[found])) ++found;
    if (found == table.representative.size()) table.representative.push_back(static_cast<Code>(code));
    table.class_of[code] = static_cast<std::uint8_t>(found);
  }
  return table;
}

}  // namespace genocl::align
