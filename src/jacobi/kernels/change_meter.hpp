// One iteration that tells how much it changed the cells.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/jacobi/solve.hpp"
#include "jacobi/kernels/sweep.hpp"

namespace genocl::jacobi {

template <class T>
class ChangeMeter {
 public:
  /// `has_double`: false for sums of squares as on a device without double, on every device.
  explicit ChangeMeter(bool has_double = true) : has_double_(has_double) {}

  /// sweep_with_change() on slices [begin, end) of those held; returns when it is done. `squares`: of each row of
  /// these, their sums of squares. Returns the largest change.
  T measure(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to, std::uint64_t begin,
            std::uint64_t end, std::span<double> squares);

 private:
  bool has_double_;
  Array<T> row_max_;
  Array<double> row_squares_;
  std::vector<T> max_;
};

/// The change of an iteration: the largest change and the sums of squares of all rows, in their order. Kernels leave a
/// change that is not a number out of the maximum; the sum tells, and the maximum is then not a number either.
Change change_of(double max, std::span<const double> squares);

/// Whether cells became infinite or not a number: the iteration diverges. A sum of squares alone may overflow.
inline bool diverges(const Change& change) { return !std::isfinite(change.max); }

extern template class ChangeMeter<float>;
extern template class ChangeMeter<double>;

}  // namespace genocl::jacobi
