// Slices between the caller's grid, whose rows lie close together, and a device's array, whose rows have a pitch.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "genocl/array.hpp"
#include "jacobi/kernels/held_slices.hpp"

namespace genocl::jacobi {

/// Whole slices of the host's grid, as an array of a device has them: rows at the layout's pitch, ghosts filled in,
/// zeros behind rows. cells: width * rows_per_slice of each slice; held: layout.slice() of each. By many threads.
template <class T>
void to_held(const Layout& layout, std::span<const T> cells, std::span<T> held);
/// The other way; ghosts are left behind.
template <class T>
void from_held(const Layout& layout, std::span<const T> held, std::span<T> cells);

/// T: float, double, or std::uint8_t (which cells are fixed). Ghosts of the layout are filled in on the way, and left
/// behind on the way back. Through two page-locked pieces in turn, so that rows are
/// copied on the host while others are on the bus.
template <class T>
class SliceMover {
 public:
  SliceMover(const Device& device, const Layout& layout);

  /// `count` slices of the host (all of them: count * rows_per_slice * width cells) to slices [to_slice, + count) of an
  /// array. Returns when they are there.
  void upload(std::span<const T> host, Array<T>& to, std::uint64_t to_slice);
  void download(const Array<T>& from, std::uint64_t from_slice, std::span<T> host);

 private:
  /// Rows that are held of so many cells of the host.
  std::uint64_t rows_in(std::size_t cells) const noexcept {
    return cells / (layout_.shape.width * layout_.rows_per_slice) * layout_.held_rows();
  }
  Device device_;
  Layout layout_;
  std::uint64_t rows_per_piece_ = 1;
  std::array<HostArray<T>, 2> pieces_;
};

extern template void to_held(const Layout&, std::span<const float>, std::span<float>);
extern template void to_held(const Layout&, std::span<const double>, std::span<double>);
extern template void from_held(const Layout&, std::span<const float>, std::span<float>);
extern template void from_held(const Layout&, std::span<const double>, std::span<double>);
extern template class SliceMover<float>;
extern template class SliceMover<double>;
extern template class SliceMover<std::uint8_t>;

}  // namespace genocl::jacobi
