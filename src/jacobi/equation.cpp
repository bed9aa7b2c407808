#include "jacobi/equation.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/layout.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/validate.hpp"
#include "runtime/parallel.hpp"

namespace genocl::jacobi {

namespace {

constexpr std::uint64_t field_piece_bytes = std::uint64_t{32} << 20;

std::uint64_t cells_of_slice(const Layout& layout) { return layout.shape.width * layout.rows_per_slice; }

/// Reads consecutive slices from `number` on. Outside the grid, its first or last slice is repeated; in a ring, numbers
/// wrap.
template <class T>
void read_slices(const Layout& layout, const ReadCells<T>& read, std::int64_t number, std::span<T> cells) {
  const std::uint64_t each = cells_of_slice(layout), count = cells.size() / each;
  const auto slices = static_cast<std::int64_t>(layout.slices);
  const auto place = [&](std::int64_t at) {
    return static_cast<std::uint64_t>(layout.ring ? (at % slices + slices) % slices
                                                  : std::clamp<std::int64_t>(at, 0, slices - 1));
  };
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t first = place(number + static_cast<std::int64_t>(done));
    std::uint64_t run = 1;
    while (done + run < count && place(number + static_cast<std::int64_t>(done + run)) == first + run) ++run;
    read(first, cells.subspan(done * each, run * each));
    done += run;
  }
}

/// The weights of slices, from their conductivities `k`, which contain one more slice on both sides.
template <class T>
class SliceWeights {
 public:
  SliceWeights(const HeldSlices& held, std::span<const T> k) : held_(held), k_(k) {
    const Layout& layout = held.layout;
    for (const StencilPoint place : neighbours_of(layout.shape.three_dimensional()))
      weights_[place].resize(k.size() - 2 * cells_of_slice(layout));
    const std::uint64_t rows = k.size() / layout.shape.width - 2 * layout.rows_per_slice;
    const std::uint64_t threads = runtime::threads_for(rows * layout.shape.width, std::size_t{1} << 16);
    runtime::parallel_for(threads, threads, [&](std::size_t thread) {
      for (std::uint64_t row = rows * thread / threads; row < rows * (thread + 1) / threads; ++row) make_row(row);
    });
  }
  std::span<const T> weights(StencilPoint place) const { return weights_[place]; }
  bool told() const noexcept { return told_; }

 private:
  // `row`: counted over all slices. Outside a side that is not periodic, the cell itself stands for its neighbour:
  // there is no flux, or the cell is fixed.
  void make_row(std::uint64_t row) {
    const Layout& layout = held_.layout;
    const std::uint64_t width = layout.shape.width, rows = layout.rows_per_slice, slice = width * rows;
    const bool is_3d = layout.shape.three_dimensional();
    const T* at = k_.data() + slice + row * width;
    const std::uint64_t y = row % rows;
    const auto beside = [](std::uint64_t place, std::uint64_t length, bool forward, bool periodic) -> std::int64_t {
      if (forward ? place + 1 < length : place > 0) return forward ? 1 : -1;
      const auto around = static_cast<std::int64_t>(length) - 1;
      return !periodic ? 0 : forward ? -around : around;
    };
    const std::int64_t pitch = static_cast<std::int64_t>(width);
    const std::int64_t up = pitch * beside(y, rows, false, layout.halo_rows != 0);
    const std::int64_t down = pitch * beside(y, rows, true, layout.halo_rows != 0);
    std::array<double, point_count> k{};
    std::array<T, point_count> made{};
    const std::size_t count = neighbours_of(is_3d).size();
    for (std::uint64_t x = 0; x < width; ++x, ++at) {
      const std::int64_t left = beside(x, width, false, layout.halo_columns != 0);
      const std::int64_t right = beside(x, width, true, layout.halo_columns != 0);
      const auto back = static_cast<std::int64_t>(slice);
      if (is_3d)
        k = {double{at[-back]}, double{at[up]},   double{at[left]},
             double{at[right]}, double{at[down]}, double{at[back]}};
      else
        k = {double{at[-back]}, double{at[left]}, double{at[right]}, double{at[back]}};
      if (!weights_by_conductivity<T>(double{*at}, std::span(k).first(count), held_.formula.damping,
                                      std::span(made).first(count)))
        told_ = false;
      std::size_t next = 0;
      for (const StencilPoint place : neighbours_of(is_3d)) weights_[place][row * width + x] = made[next++];
    }
  }

  const HeldSlices& held_;
  std::span<const T> k_;
  std::array<std::vector<T>, point_count> weights_;
  std::atomic<bool> told_ = true;
};

}  // namespace

template <class T>
ReadCells<T> reader_of(std::span<const T> values, const Shape& shape) {
  const std::uint64_t each = shape.width * Layout(shape).rows_per_slice;
  return [values, each](std::uint64_t first, std::span<T> cells) {
    std::copy_n(values.data() + first * each, cells.size(), cells.data());
  };
}

template <class T>
bool weights_by_conductivity(double k, std::span<const double> beside, double damping, std::span<T> weights) {
  std::array<double, point_count> faces{};  // divided by k, which prevents overflow
  double sum = 0;
  for (std::size_t i = 0; i < beside.size(); ++i) sum += faces[i] = 2 / (1 + k / beside[i]);
  for (std::size_t i = 0; i < beside.size(); ++i) weights[i] = static_cast<T>(damping * (faces[i] / sum));
  return sum > 0;
}

std::uint64_t field_bytes(const Formula& formula, const Shape& shape, std::size_t element) {
  const std::size_t weights = formula.coefficients ? neighbours_of(shape.three_dimensional()).size() : 0;
  return ((formula.source ? 1 : 0) + weights) * element;
}

template <class T>
void load_fields(const Device& device, HeldSlices& held, std::uint64_t max_slices, const FieldReaders<T>& readers) {
  const Formula& formula = held.formula;
  if (!formula.source && !formula.coefficients) return;
  const Layout& layout = held.layout;
  const bool is_3d = layout.shape.three_dimensional();
  const std::uint64_t elements = std::max(max_slices, held.count) * layout.slice(), each = cells_of_slice(layout);
  Fields<T>& fields = held.fields<T>();
  const auto take = [&](Array<T>& one) {
    if (one.size() < elements) one = Array<T>(device, elements);
  };
  if (formula.source) take(fields.source);
  if (formula.coefficients)
    for (const StencilPoint place : neighbours_of(is_3d)) take(fields.weights[place]);
  std::vector<T> cells;
  const std::uint64_t together = std::max<std::uint64_t>(1, field_piece_bytes / (each * sizeof(T)));
  for (std::uint64_t at = 0; at < held.count; at += together) {
    const std::uint64_t count = std::min(together, held.count - at);
    const auto number = static_cast<std::int64_t>(held.first + at);
    if (formula.source) {
      cells.resize(count * each);
      read_slices<T>(layout, readers.source, number, cells);
      check_source<T>(cells, layout, held.first + at);
      for (T& cell : cells) cell = static_cast<T>(formula.damping * double{cell});
      upload_slices<T>(device, layout, cells, fields.source, at);
    }
    if (!formula.coefficients) continue;
    cells.resize((count + 2) * each);
    read_slices<T>(layout, readers.coefficients, number - 1, cells);
    check_coefficients<T>(std::span<const T>(cells).subspan(each, count * each), layout, held.first + at);
    const SliceWeights<T> made(held, cells);
    if (!made.told())
      throw InputError("coefficients whose neighbours differ by too many orders of magnitude; expected less");
    for (const StencilPoint place : neighbours_of(is_3d))
      upload_slices<T>(device, layout, made.weights(place), fields.weights[place], at);
  }
}

#define GENOCL_INSTANTIATE(T)                                                                   \
  template ReadCells<T> reader_of(std::span<const T>, const Shape&);                            \
  template void load_fields(const Device&, HeldSlices&, std::uint64_t, const FieldReaders<T>&); \
  template bool weights_by_conductivity(double, std::span<const double>, double, std::span<T>);
GENOCL_INSTANTIATE(float)
GENOCL_INSTANTIATE(double)
#undef GENOCL_INSTANTIATE

namespace {

std::uint32_t fixed_sides_of(const Boundaries& boundaries, bool is_3d) {
  std::uint32_t open = 0;
  const auto look = [&open](BoundaryKind kind, std::uint32_t side) {
    open |= kind == BoundaryKind::zero_flux ? side : 0;
  };
  look(boundaries.left, side_left);
  look(boundaries.right, side_right);
  look(boundaries.top, is_3d ? side_up : side_previous);
  look(boundaries.bottom, is_3d ? side_down : side_next);
  if (is_3d) look(boundaries.front, side_previous);
  if (is_3d) look(boundaries.back, side_next);
  return all_sides & ~open;
}

}  // namespace

Formula formula_of(const Equation& equation, const Shape& shape, bool source, bool coefficients) {
  const bool is_3d = shape.three_dimensional();
  Formula formula;
  formula.source = source;
  formula.coefficients = coefficients;
  formula.damping = equation.damping;
  formula.weighted = equation.weights || source || coefficients || equation.damping != 1;
  formula.fixed_sides = fixed_sides_of(equation.boundaries, is_3d);
  const double damping = equation.damping, mean = is_3d ? 1.0 / 7 : 0.2;
  Weights weights{mean, mean, mean, mean, mean, mean, mean};
  if (equation.weights) weights = *equation.weights;
  if (coefficients) weights = {};
  formula.weights[point_previous] = damping * (is_3d ? weights.front : weights.top);
  formula.weights[point_up] = damping * (is_3d ? weights.top : 0);
  formula.weights[point_left] = damping * weights.left;
  formula.weights[point_centre] = std::fma(damping, weights.centre, 1 - damping);
  formula.weights[point_right] = damping * weights.right;
  formula.weights[point_down] = damping * (is_3d ? weights.bottom : 0);
  formula.weights[point_next] = damping * (is_3d ? weights.back : weights.bottom);
  return formula;
}

}  // namespace genocl::jacobi
