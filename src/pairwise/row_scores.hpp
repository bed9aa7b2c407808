// What a query's rows score, by a matrix or by a profile.
#pragma once

#include <cstddef>

#include "genocl/align/profile.hpp"
#include "genocl/align/scoring.hpp"

namespace genocl::align {

class RowScores {
 public:
  RowScores(const Matrix& matrix) : matrix_(&matrix) {}
  RowScores(const Profile& profile) : profile_(&profile) {}

  /// `letter`: of the query, in that row.
  int operator()(std::size_t row, Code letter, Code subject) const noexcept {
    return profile_ != nullptr ? (*profile_)(row, subject) : (*matrix_)(letter, subject);
  }

 private:
  const Matrix* matrix_ = nullptr;
  const Profile* profile_ = nullptr;
};

}  // namespace genocl::align
