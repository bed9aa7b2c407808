// Has substitution matrices as data.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace genocl::align {

struct NcbiMatrix {
  /// Rows and columns.
  static constexpr std::string_view letters = "ARNDCQEGHILKMFPSTWYVBJZX*";
  using Scores = std::array<std::int8_t, 25 * 25>;

  std::string_view name;
  Scores scores;
};

std::span<const NcbiMatrix> ncbi_matrices();

}  // namespace genocl::align
