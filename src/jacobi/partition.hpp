// Ranges of slices of the grid, on the host and on a device, and the transfer between the two.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "genocl/array.hpp"
#include "jacobi/equation.hpp"
#include "jacobi/layout.hpp"
#include "runtime/parallel.hpp"

namespace genocl::jacobi {

/// The cells on the host: the whole grid in the memory of this process, or functions for slices of it, in the order of
/// jacobi::Grid. A run of several processes without functions uses the grid of process 0.
template <class T>
struct HostGrid {
  std::span<T> whole;
  /// Fills in slices from `first` on, or receives them. Called on the thread that runs the solver.
  std::function<void(std::uint64_t first, std::span<T> cells)> read;
  std::function<void(std::uint64_t first, std::span<const T> cells)> write;
};

/// For reading only.
template <class T>
HostGrid<T> host_grid_of(std::span<const T> cells) {
  return {{const_cast<T*>(cells.data()), cells.size()}, {}, {}};
}

/// Fills in slices of the mask of fixed cells.
using ReadFixed = std::function<void(std::uint64_t first, std::span<std::uint8_t> cells)>;

/// Copies with several threads: one copies about 10 GB/s.
template <class T>
void copy_cells(std::span<const T> from, std::span<T> to) {
  constexpr std::size_t piece = (std::size_t{1} << 20) / sizeof(T);
  const std::size_t pieces = (from.size() + piece - 1) / piece;
  runtime::parallel_for(pieces, runtime::threads_for(pieces, 1), [&](std::size_t i) {
    const std::size_t first = i * piece, count = std::min(piece, from.size() - first);
    std::memcpy(to.data() + first, from.data() + first, count * sizeof(T));
  });
}

/// Settings common to all devices of a run.
struct RunSettings {
  Layout layout;
  /// Iterations between exchanges, and the number of slices of each neighbour that a device holds on either side of its
  /// partition.
  unsigned halo_depth = 1;
  bool overlap = true;
  /// The mask of fixed cells, whole or by slices; neither: only the outermost cells are fixed.
  std::span<const std::uint8_t> fixed_cells;
  ReadFixed read_fixed;
  /// False in tests: computes as devices without double do; see ChangeMeter.
  bool has_double = true;
  Formula formula;
  std::tuple<FieldReaders<float>, FieldReaders<double>> all_readers;  ///< only those of the cells' type are used

  template <class T>
  const FieldReaders<T>& readers() const noexcept {
    return std::get<FieldReaders<T>>(all_readers);
  }
  /// Bytes of a cell on a device.
  std::uint64_t cell_bytes(std::size_t element) const {
    return 2 * element + (has_fixed() ? 1 : 0) + field_bytes(formula, layout.shape, element);
  }
  bool has_fixed() const noexcept { return !fixed_cells.empty() || read_fixed; }
};

/// Adds the equation to the settings. `readers`: of fields that the equation does not contain as arrays.
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

/// The cells of a range in an array of the whole grid. In a ring the range must not cross the end of the grid.
template <class Cells>
auto slices_of(Cells grid, const Layout& layout, const SliceRange& range) {
  const std::uint64_t slice = layout.shape.width * layout.rows_per_slice;
  return grid.subspan(layout.in_grid(range.begin) * slice, range.size() * slice);
}

/// Calls use(piece) for pieces of at most `together` slices, which in a ring do not cross the end of the grid.
template <class Use>
void for_pieces_of(const Layout& layout, const SliceRange& range, std::uint64_t together, Use&& use) {
  for (std::uint64_t first = range.begin; first < range.end;) {
    std::uint64_t end = std::min(first + together, range.end);
    if (layout.ring) end = std::min(end, first + layout.slices - layout.in_grid(first));
    use(SliceRange{first, end});
    first = end;
  }
}

/// Calls use(piece) for pieces of about 32 MiB.
template <class T, class Use>
void for_pieces(const Layout& layout, const SliceRange& range, Use&& use) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{32} << 20;
  for_pieces_of(layout, range, std::max<std::uint64_t>(1, piece_bytes / (layout.slice() * sizeof(T))), use);
}

/// The range with halo_depth more slices on each side, as far as the grid has them.
inline SliceRange with_halo(const RunSettings& settings, const SliceRange& range) {
  if (range.empty()) return range;
  return {range.begin - std::min<std::uint64_t>(settings.halo_depth, range.begin),
          std::min(range.end + settings.halo_depth, settings.layout.numbers())};
}

/// Converts whole slices to the layout of a device: rows at the pitch, halo columns and rows filled in, zeros after
/// each row. cells: width * rows_per_slice for each slice; held: layout.slice() for each. Uses several threads.
template <class T>
void to_device_layout(const Layout& layout, std::span<const T> cells, std::span<T> held);
/// The inverse; drops the halo.
template <class T>
void from_device_layout(const Layout& layout, std::span<const T> held, std::span<T> cells);

/// Transfer slices of the host (width * rows_per_slice cells each) to the slices of an array from `to_slice` on, or
/// back, converting the layout as above. T: float, double, or std::uint8_t (fixed cells). Return after the transfer.
template <class T>
void upload_slices(const Device& device, const Layout& layout, std::span<const T> host, Array<T>& to,
                   std::uint64_t to_slice);
template <class T>
void download_slices(const Device& device, const Layout& layout, const Array<T>& from, std::uint64_t from_slice,
                     std::span<T> host);
/// Uploads slices [first, first + count) of the mask of fixed cells to the first `count` slices of an array.
void upload_fixed(const Device& device, const RunSettings& settings, std::uint64_t first, std::uint64_t count,
                  Array<std::uint8_t>& to);

/// The cells of one partition and its halo: two arrays in turn. Transfers use the device's queue and are waited for.
template <class T>
class PartitionCells {
 public:
  PartitionCells(const Device& device, const RunSettings& settings)
      : device_(device), settings_(settings), held_(settings.layout) {}

  const HeldSlices& held() const noexcept { return held_; }
  const SliceRange& own() const noexcept { return own_; }
  SliceRange allocated() const noexcept { return {held_.first, held_.first + held_.count}; }
  Array<T>& now() noexcept { return cells_[current_]; }
  Array<T>& next() noexcept { return cells_[1 - current_]; }
  void swap() noexcept { current_ = 1 - current_; }
  /// The index of a slice among those held, and of its first element.
  std::uint64_t local(std::uint64_t slice) const noexcept { return slice - held_.first; }
  std::uint64_t element(std::uint64_t slice) const noexcept { return local(slice) * held_.layout.slice(); }

  /// Changes the partition. If the memory does not contain it with its halo, allocates memory for `allocation` (which
  /// contains both) and copies the known slices; the caller must write the others. The arrays must be idle. Throws
  /// CapacityError; the cells are then lost.
  void own(const SliceRange& range, const SliceRange& allocation);
  /// Uploads the partition and its halo from the whole grid.
  void load(std::span<const T> grid);
  /// Downloads the partition.
  void store(std::span<T> grid) const;
  /// The same for some of the slices held; `cells` contains only these.
  void load(const SliceRange& range, std::span<const T> cells);
  void store(const SliceRange& range, std::span<T> cells) const;
  /// Transfer slices in device layout.
  std::vector<T> read(const SliceRange& range) const;
  void write(const SliceRange& range, std::span<const T> slices);

 private:
  void allocate(const SliceRange& allocation);

  Device device_;
  RunSettings settings_;
  HeldSlices held_;
  std::array<Array<T>, 2> cells_;
  unsigned current_ = 0;
  SliceRange own_;
};

}  // namespace genocl::jacobi
