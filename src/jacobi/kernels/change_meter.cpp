#include "jacobi/kernels/change_meter.hpp"

#include <algorithm>
#include <cmath>

namespace genocl::jacobi {

template <class T>
T ChangeMeter<T>::measure(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to,
                          std::uint64_t begin, std::uint64_t end, std::span<double> squares) {
  const std::uint64_t rows = squares.size();
  if (row_max_.size() < rows) {
    row_max_ = Array<T>(device, rows);
    row_squares_ = Array<double>(device, rows);
    max_.resize(rows);
  }
  sweep_with_change(device, held, from, to, begin, end, row_max_, row_squares_, has_double_ && device.info().fp64);
  row_max_.download(std::span(max_).first(rows));
  row_squares_.download(squares);
  return *std::max_element(max_.begin(), max_.begin() + static_cast<std::ptrdiff_t>(rows));
}

Change change_of(double max, std::span<const double> squares) {
  double sum = 0;
  for (const double square : squares) sum += square;
  if (std::isnan(sum)) max = sum;
  return {max, std::sqrt(sum)};
}

template class ChangeMeter<float>;
template class ChangeMeter<double>;

}  // namespace genocl::jacobi
