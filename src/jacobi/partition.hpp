// The cells of one device's share, and how slices of them come and go.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

#include "genocl/array.hpp"
#include "jacobi/equation.hpp"
#include "jacobi/layout.hpp"
#include "runtime/parallel.hpp"

namespace genocl::jacobi {

// Where a run takes the cells from, and where it leaves them.

/// The whole grid in the memory of this process; or, without it, functions for slices of it, as the caller has them
/// (cells of a row and rows close together). A run of several processes without these takes the grid of process 0.
template <class T>
struct HostGrid {
  std::span<T> whole;
  /// Fills in slices from that one on, or takes them. Called on the thread that runs.
  std::function<void(std::uint64_t first, std::span<T> cells)> read;
  std::function<void(std::uint64_t first, std::span<const T> cells)> write;
};

/// For those who only read: nothing is stored there.
template <class T>
HostGrid<T> host_grid_of(std::span<const T> cells) {
  return {{const_cast<T*>(cells.data()), cells.size()}, {}, {}};
}

/// The same for which cells are fixed.
using ReadFixed = std::function<void(std::uint64_t first, std::span<std::uint8_t> cells)>;

/// By several threads: one copies about 10 GB/s.
template <class T>
void copy_cells(std::span<const T> from, std::span<T> to) {
  constexpr std::size_t piece = (std::size_t{4} << 20) / sizeof(T);
  const std::size_t pieces = (from.size() + piece - 1) / piece;
  runtime::parallel_for(pieces, runtime::threads_for(pieces, 1), [&](std::size_t i) {
    const std::size_t first = i * piece, count = std::min(piece, from.size() - first);
    std::memcpy(to.data() + first, from.data() + first, count * sizeof(T));
  });
}

/// What is the same for all devices of a run.
struct RunSettings {
  Layout layout;
  /// So many iterations pass between exchanges, and a device holds as many ghosts, slices of its neighbours, on each
  /// side of its share.
  unsigned halo_depth = 1;
  bool overlap = true;
  /// Which cells are fixed, of the whole grid or by slices; neither: only the outermost.
  std::span<const std::uint8_t> fixed_cells;
  ReadFixed read_fixed;
  /// False in tests of what devices without double do: see ChangeMeter.
  bool has_double = true;
  Formula formula;
  std::tuple<FieldReaders<float>, FieldReaders<double>> all_readers;  ///< of the cells' type only

  template <class T>
  const FieldReaders<T>& readers() const noexcept {
    return std::get<FieldReaders<T>>(all_readers);
  }
  /// Bytes that a cell takes on a device.
  std::uint64_t cell_bytes(std::size_t element) const {
    return 2 * element + (has_fixed() ? 1 : 0) + field_bytes(formula, layout.shape, element);
  }
  bool has_fixed() const noexcept { return !fixed_cells.empty() || read_fixed; }
};

/// What the devices are told of the equation. `readers`: for fields that it has not as a whole.
template <class T>
void set_equation(RunSettings& settings, const Equation& equation, const FieldReaders<T>& readers) {
  FieldReaders<T>& all = std::get<FieldReaders<T>>(settings.all_readers);
  all = readers;
  if (const auto source = values_in<T>(equation.source); !source.empty())
    all.source = reader_of<T>(source, settings.layout.shape);
  if (const auto k = values_in<T>(equation.coefficients); !k.empty())
    all.coefficients = reader_of<T>(k, settings.layout.shape);
  settings.formula = formula_of(equation, settings.layout.shape, bool{all.source}, bool{all.coefficients});
}

/// Cells of some slices as the caller has them: without a pitch. In a ring they do not go beyond the grid's last.
template <class Cells>
auto slices_of(Cells grid, const Layout& layout, const SliceRange& range) {
  const std::uint64_t slice = layout.shape.width * layout.rows_per_slice;
  return grid.subspan(layout.in_grid(range.begin) * slice, range.size() * slice);
}

/// Calls use(piece) for the part in pieces of so many slices, which in a ring do not go beyond the grid's last.
template <class Use>
void for_pieces_of(const Layout& layout, const SliceRange& range, std::uint64_t together, Use&& use) {
  for (std::uint64_t first = range.begin; first < range.end;) {
    std::uint64_t end = std::min(first + together, range.end);
    if (layout.ring) end = std::min(end, first + layout.slices - layout.in_grid(first));
    use(SliceRange{first, end});
    first = end;
  }
}

/// Calls use(piece) for the part in pieces that are not worth cutting further.
template <class T, class Use>
void for_pieces(const Layout& layout, const SliceRange& range, Use&& use) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{32} << 20;
  for_pieces_of(layout, range, std::max<std::uint64_t>(1, piece_bytes / (layout.slice() * sizeof(T))), use);
}

/// The part, and so many slices more on each side as the grid has.
inline SliceRange with_halo(const RunSettings& settings, const SliceRange& range) {
  if (range.empty()) return range;
  return {range.begin - std::min<std::uint64_t>(settings.halo_depth, range.begin),
          std::min(range.end + settings.halo_depth, settings.layout.numbers())};
}

// Slices between the caller's grid, whose rows lie close together, and a device's array, whose rows have a pitch.

/// Whole slices of the host's grid, as an array of a device has them: rows at the layout's pitch, ghosts filled in,
/// zeros behind rows. cells: width * rows_per_slice of each slice; held: layout.slice() of each. By many threads.
template <class T>
void to_device_layout(const Layout& layout, std::span<const T> cells, std::span<T> held);
/// The other way; ghosts are left behind.
template <class T>
void from_device_layout(const Layout& layout, std::span<const T> held, std::span<T> cells);

/// T: float, double, or std::uint8_t (which cells are fixed). Ghosts of the layout are filled in on the way, and left
/// behind on the way back. Through two page-locked pieces in turn, so that rows are
/// copied on the host while others are on the bus.
template <class T>
class SliceTransfer {
 public:
  SliceTransfer(const Device& device, const Layout& layout);

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

extern template void to_device_layout(const Layout&, std::span<const float>, std::span<float>);
extern template void to_device_layout(const Layout&, std::span<const double>, std::span<double>);
extern template void from_device_layout(const Layout&, std::span<const float>, std::span<float>);
extern template void from_device_layout(const Layout&, std::span<const double>, std::span<double>);
extern template class SliceTransfer<float>;
extern template class SliceTransfer<double>;
extern template class SliceTransfer<std::uint8_t>;

/// The cells are in two arrays in turn. Transfers are on the device's queue, and waited for.
template <class T>
class PartitionCells {
 public:
  PartitionCells(const Device& device, const RunSettings& settings)
      : device_(device), settings_(settings), held_(settings.layout) {}

  const HeldSlices& held() const noexcept { return held_; }
  const SliceRange& own() const noexcept { return own_; }
  SliceRange room() const noexcept { return {held_.first, held_.first + held_.count}; }
  Array<T>& now() noexcept { return cells_[current_]; }
  Array<T>& next() noexcept { return cells_[1 - current_]; }
  void swap() noexcept { current_ = 1 - current_; }
  /// Where a slice of the grid is among those held, and where its first element is.
  std::uint64_t local(std::uint64_t slice) const noexcept { return slice - held_.first; }
  std::uint64_t element(std::uint64_t slice) const noexcept { return local(slice) * held_.layout.slice(); }

  /// The device owns another part from here on. Where the memory does not reach that far, takes new memory for `room`
  /// (of which the part with its ghosts is part) and brings along what is known of it. Slices that were not here before
  /// are to be written. Nothing may be under way on the arrays.
  void own(const SliceRange& range, const SliceRange& room);
  /// Takes the share and its ghosts from the whole grid, as the caller has it.
  void load(std::span<const T> grid);
  /// Gives the share back, without its ghosts.
  void store(std::span<T> grid) const;
  /// The same for some of the slices that are held, which are all of `cells`.
  void load(const SliceRange& range, std::span<const T> cells);
  void store(const SliceRange& range, std::span<T> cells) const;
  /// Slices come and go in the array's layout.
  std::vector<T> read(const SliceRange& range) const;
  void write(const SliceRange& range, std::span<const T> slices);

 private:
  void take_memory(const SliceRange& room);

  Device device_;
  RunSettings settings_;
  HeldSlices held_;
  std::array<Array<T>, 2> cells_;
  unsigned current_ = 0;
  SliceRange own_;
};

extern template class PartitionCells<float>;
extern template class PartitionCells<double>;

}  // namespace genocl::jacobi
