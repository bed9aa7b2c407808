// The cells of one device's share, and how slices of them come and go.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "jacobi/equation/check.hpp"
#include "jacobi/equation/fields.hpp"
#include "jacobi/exchange/host_grid.hpp"
#include "jacobi/kernels/held_slices.hpp"

namespace genocl::jacobi {

/// Slices [begin, end) of the grid, by their numbers (Layout).
struct Part {
  std::uint64_t begin = 0, end = 0;

  bool empty() const noexcept { return begin >= end; }
  std::uint64_t size() const noexcept { return empty() ? 0 : end - begin; }
  friend bool operator==(const Part&, const Part&) = default;
};

inline Part common(const Part& a, const Part& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// What is the same for all devices of a run.
struct RunSettings {
  Layout layout;
  /// So many iterations pass between exchanges, and a device holds as many ghosts, slices of its neighbours, on each
  /// side of its share.
  unsigned exchange_every = 1;
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
auto slices_of(Cells grid, const Layout& layout, const Part& part) {
  const std::uint64_t slice = layout.shape.width * layout.rows_per_slice;
  return grid.subspan(layout.in_grid(part.begin) * slice, part.size() * slice);
}

/// Calls use(piece) for the part in pieces of so many slices, which in a ring do not go beyond the grid's last.
template <class Use>
void for_pieces_of(const Layout& layout, const Part& part, std::uint64_t together, Use&& use) {
  for (std::uint64_t first = part.begin; first < part.end;) {
    std::uint64_t end = std::min(first + together, part.end);
    if (layout.ring) end = std::min(end, first + layout.slices - layout.in_grid(first));
    use(Part{first, end});
    first = end;
  }
}

/// Calls use(piece) for the part in pieces that are not worth cutting further.
template <class T, class Use>
void for_pieces(const Layout& layout, const Part& part, Use&& use) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{32} << 20;
  for_pieces_of(layout, part, std::max<std::uint64_t>(1, piece_bytes / (layout.slice() * sizeof(T))), use);
}

/// The part, and so many slices more on each side as the grid has.
inline Part with_ghosts(const RunSettings& settings, const Part& part) {
  if (part.empty()) return part;
  return {part.begin - std::min<std::uint64_t>(settings.exchange_every, part.begin),
          std::min(part.end + settings.exchange_every, settings.layout.numbers())};
}

/// The cells are in two arrays in turn. Transfers are on the device's queue, and waited for.
template <class T>
class ShareCells {
 public:
  ShareCells(const Device& device, const RunSettings& settings)
      : device_(device), settings_(settings), held_(settings.layout) {}

  const HeldSlices& held() const noexcept { return held_; }
  const Part& own() const noexcept { return own_; }
  Part room() const noexcept { return {held_.first, held_.first + held_.count}; }
  Array<T>& now() noexcept { return cells_[current_]; }
  Array<T>& next() noexcept { return cells_[1 - current_]; }
  void swap() noexcept { current_ = 1 - current_; }
  /// Where a slice of the grid is among those held, and where its first element is.
  std::uint64_t local(std::uint64_t slice) const noexcept { return slice - held_.first; }
  std::uint64_t element(std::uint64_t slice) const noexcept { return local(slice) * held_.layout.slice(); }

  /// The device owns another part from here on. Where the memory does not reach that far, takes new memory for `room`
  /// (of which the part with its ghosts is part) and brings along what is known of it. Slices that were not here before
  /// are to be written. Nothing may be under way on the arrays.
  void own(const Part& part, const Part& room);
  /// Takes the share and its ghosts from the whole grid, as the caller has it.
  void load(std::span<const T> grid);
  /// Gives the share back, without its ghosts.
  void store(std::span<T> grid) const;
  /// The same for some of the slices that are held, which are all of `cells`.
  void load(const Part& part, std::span<const T> cells);
  void store(const Part& part, std::span<T> cells) const;
  /// Slices come and go in the array's layout.
  std::vector<T> read(const Part& part) const;
  void write(const Part& part, std::span<const T> slices);

 private:
  void take_memory(const Part& room);

  Device device_;
  RunSettings settings_;
  HeldSlices held_;
  std::array<Array<T>, 2> cells_;
  unsigned current_ = 0;
  Part own_;
};

extern template class ShareCells<float>;
extern template class ShareCells<double>;

}  // namespace genocl::jacobi
