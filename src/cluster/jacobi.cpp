#include "genocl/cluster/jacobi.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cluster/mpi_process_gpu.hpp"
#include "genocl/error.hpp"
#include "jacobi/layout.hpp"
#include "jacobi/solver.hpp"

namespace genocl::cluster {

using jacobi::broadcast_values;
using jacobi::Grid;
using jacobi::ProcessGroup;
using jacobi::Report;
using jacobi::Shape;
using jacobi::SolveOptions;

namespace {

/// What rank 0 says of a run, but for the numbers of cuts and weights.
struct Order {
  Shape shape;
  std::uint64_t iterations = 0, check_every = 0, element = 0;
  double tolerance = 0;
  unsigned halo_depth = 0;
  jacobi::Kernel kernel = jacobi::Kernel::automatic;
  jacobi::Balance balance = jacobi::Balance::automatic;
  bool overlap = true, has_grid = false;
  std::uint64_t fixed_cells = 0;
  bool has_weights = false;
  jacobi::Weights weights;
  double damping = 1;
  jacobi::Boundaries boundaries;
  // Cells of the source and of the coefficients, and of what size each is.
  std::uint64_t source = 0, coefficients = 0, source_element = 0, coefficients_element = 0;
};
static_assert(std::is_trivially_copyable_v<Order>);

/// Rank 0's options but for the progress of others, and without fixed cells.
SolveOptions options_of_root(ProcessGroup& processes, Order& order, const SolveOptions& options) {
  const std::uint64_t element = order.element;
  std::vector<Order> orders{order};
  std::vector<std::uint64_t> cuts = options.cuts;
  std::vector<double> weights = options.weights;
  broadcast_values(&processes, orders);
  broadcast_values(&processes, cuts);
  broadcast_values(&processes, weights);
  order = orders.front();
  if (order.element != element) throw InputError("ranks that compute in float and in double; expected one of them");
  SolveOptions intersection;
  intersection.iterations = order.iterations;
  intersection.tolerance = order.tolerance;
  intersection.check_every = order.check_every;
  intersection.kernel = order.kernel;
  intersection.halo_depth = order.halo_depth;
  intersection.balance = order.balance;
  intersection.cuts = std::move(cuts);
  intersection.weights = std::move(weights);
  intersection.overlap = order.overlap;
  if (order.has_weights) intersection.equation.weights = order.weights;
  intersection.equation.damping = order.damping;
  intersection.equation.boundaries = order.boundaries;
  if (processes.rank() == 0) intersection.progress = options.progress;
  return intersection;
}

/// How many there are, and the size of one.
std::pair<std::uint64_t, std::uint64_t> size_of(const jacobi::CellValues& values) {
  return std::visit(
      [](const auto& cells) {
        return std::pair<std::uint64_t, std::uint64_t>(cells.size(),
                                                       sizeof(typename std::decay_t<decltype(cells)>::value_type));
      },
      values);
}

template <class T>
Order order_of(const Shape& shape, const SolveOptions& options) {
  Order order;
  order.shape = shape;
  order.iterations = options.iterations;
  order.check_every = options.check_every;
  order.element = sizeof(T);
  order.tolerance = options.tolerance;
  order.halo_depth = options.halo_depth;
  order.kernel = options.kernel;
  order.balance = options.balance;
  order.overlap = options.overlap;
  order.fixed_cells = options.fixed_cells.size();
  const jacobi::Equation& equation = options.equation;
  order.has_weights = equation.weights.has_value();
  order.weights = equation.weights.value_or(jacobi::Weights{});
  order.damping = equation.damping;
  order.boundaries = equation.boundaries;
  std::tie(order.source, order.source_element) = size_of(equation.source);
  std::tie(order.coefficients, order.coefficients_element) = size_of(equation.coefficients);
  return order;
}

/// Rank 0's mask for everybody, a bit a cell.
class FixedBits {
 public:
  FixedBits(ProcessGroup& processes, const Shape& shape, std::span<const std::uint8_t> cells)
      : slice_(shape.width * jacobi::Layout(shape).rows_per_slice), bytes_((shape.cells() + 7) / 8) {
    constexpr std::uint64_t together = std::uint64_t{1} << 26;
    std::vector<std::byte> piece;
    for (std::uint64_t first = 0; first < bytes_.size(); first += together) {
      piece.assign(std::min(together, bytes_.size() - first), std::byte{0});
      if (processes.rank() == 0)
        for (std::uint64_t i = 8 * first; i < std::min<std::uint64_t>(8 * (first + piece.size()), cells.size()); ++i)
          if (cells[i] != 0) piece[i / 8 - first] |= std::byte{1} << (i % 8);
      processes.broadcast(piece);
      std::memcpy(bytes_.data() + first, piece.data(), piece.size());
    }
  }
  void operator()(std::uint64_t first, std::span<std::uint8_t> cells) const {
    for (std::uint64_t i = 0; i < cells.size(); ++i) {
      const std::uint64_t cell = first * slice_ + i;
      cells[i] = static_cast<std::uint8_t>((bytes_[cell / 8] >> (cell % 8)) & std::byte{1});
    }
  }

 private:
  std::uint64_t slice_;
  std::vector<std::byte> bytes_;
};

/// Rank 0's array for everybody, in `memory` of the others. An array that cannot be one goes nowhere: what is wrong
/// with it is then said on all ranks.
template <class T>
jacobi::CellValues broadcast_cells(ProcessGroup& processes, const Shape& shape, const jacobi::CellValues& own,
                                   std::uint64_t cells, std::uint64_t element, const char* what,
                                   std::vector<T>& memory) {
  if (cells == 0) return {};
  if (element != sizeof(T))
    throw InputError(std::string(what) + " in " + (element == sizeof(float) ? "float" : "double") + " for a grid in " +
                     (element == sizeof(float) ? "double" : "float") + "; expected the grid's type");
  if (cells != shape.cells())
    throw InputError(std::string(what) + " of " + std::to_string(cells) + " cells for a grid of " + shape.text());
  const bool root = processes.rank() == 0;
  const std::span<const T> whole = root ? std::get<std::span<const T>>(own) : std::span<const T>();
  constexpr std::uint64_t together = std::uint64_t{1} << 23;
  if (!root) memory.resize(cells);
  for (std::uint64_t first = 0; first < cells; first += together) {
    const std::uint64_t count = std::min(together, cells - first);
    std::vector<std::byte> piece(count * sizeof(T));
    if (root) std::memcpy(piece.data(), whole.data() + first, piece.size());
    processes.broadcast(piece);
    if (!root) std::memcpy(memory.data() + first, piece.data(), piece.size());
  }
  return root ? whole : std::span<const T>(memory);
}

}  // namespace

template <class T>
Report solve(const Communicator& ranks, std::span<const Device> devices, Grid<T>* grid, const SolveOptions& options) {
  MpiProcessGroup processes(ranks);
  const bool here = ranks.is_root() && grid != nullptr;
  Order order = order_of<T>(here ? grid->shape() : Shape{}, options);
  order.has_grid = here;
  SolveOptions intersection = options_of_root(processes, order, options);
  if (!order.has_grid) throw InputError("rank 0 has no grid");
  order.shape.check();
  if (order.fixed_cells != 0 && order.fixed_cells != order.shape.cells())
    throw InputError("fixed_cells of " + std::to_string(order.fixed_cells) + " cells for a grid of " +
                     order.shape.text());
  std::optional<FixedBits> bits;
  jacobi::ReadFixed fixed;
  if (order.fixed_cells != 0) {
    bits.emplace(processes, order.shape, options.fixed_cells);
    fixed = [&bits](std::uint64_t first, std::span<std::uint8_t> cells) { (*bits)(first, cells); };
  }
  std::vector<T> source, coefficients;
  intersection.equation.source = broadcast_cells<T>(processes, order.shape, options.equation.source, order.source,
                                                    order.source_element, "source", source);
  intersection.equation.coefficients =
      broadcast_cells<T>(processes, order.shape, options.equation.coefficients, order.coefficients,
                         order.coefficients_element, "coefficients", coefficients);
  const jacobi::HostGrid<T> cells{here ? grid->cells() : std::span<T>(), {}, {}};
  return jacobi::solve_among<T>(processes, devices, order.shape, cells, fixed, intersection, {});
}

template <class T>
Report solve(const Communicator& ranks, std::span<const Device> devices, const Shape& shape,
             const GridSlices<T>& slices, const SolveOptions& options) {
  MpiProcessGroup processes(ranks);
  Order order = order_of<T>(shape, options);
  const SolveOptions intersection = options_of_root(processes, order, options);
  if (order.fixed_cells != 0) throw InputError("fixed_cells for a grid in slices; expected their function");
  if (order.source != 0 || order.coefficients != 0)
    throw InputError("a source or coefficients for a grid in slices; expected their functions");
  if (!slices.read) throw InputError("no function that reads slices");
  if (slices.coefficients && intersection.equation.weights)
    throw InputError("both weights and coefficients in the equation; expected one of them");
  return jacobi::solve_among<T>(processes, devices, order.shape, {{}, slices.read, slices.write}, slices.fixed,
                                intersection, {}, {slices.source, slices.coefficients});
}

#define GENOCL_INSTANTIATE(T)                                                                                \
  template Report solve<T>(const Communicator&, std::span<const Device>, Grid<T>*, const SolveOptions&);     \
  template Report solve<T>(const Communicator&, std::span<const Device>, const Shape&, const GridSlices<T>&, \
                           const SolveOptions&);
GENOCL_INSTANTIATE(float)
GENOCL_INSTANTIATE(double)
#undef GENOCL_INSTANTIATE

}  // namespace genocl::cluster
