// The substitution matrices of NCBI as data.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace genocl::pairwise {

struct NcbiMatrix {
  /// The letters of the rows and of the columns.
  static constexpr std::string_view letters = "ARNDCQEGHILKMFPSTWYVBJZX*";
  using Scores = std::array<std::int8_t, 25 * 25>;

  std::string_view name;
  Scores scores;
};

std::span<const NcbiMatrix> ncbi_matrices();

}  // namespace genocl::pairwise
