#include "genocl/cluster/jacobi.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cluster/mpi_process_group.hpp"
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

/// Rank 0's options and the shape, without the lists of cuts and weights.
struct RootOptions {
  Shape shape;
  std::uint64_t iterations = 0, check_every = 0, element = 0;
  double tolerance = 0;
  unsigned halo_depth = 0;
  jacobi::Kernel kernel = jacobi::Kernel::automatic;
  jacobi::KernelsByType kernels;
  jacobi::LocalTile tile;
  jacobi::Balance balance = jacobi::Balance::automatic;
  bool overlap = true, has_grid = false;
  std::uint64_t fixed_cells = 0;
  bool has_weights = false;
  jacobi::Weights weights;
  double damping = 1;
  jacobi::Boundaries boundaries;
  // The numbers of cells of the source and of the coefficients, and their sizes in bytes.
  std::uint64_t source = 0, coefficients = 0, source_element = 0, coefficients_element = 0;
};
static_assert(std::is_trivially_copyable_v<RootOptions>);

/// Rank 0's options, with the progress on rank 0 only, and without fixed cells.
SolveOptions options_of_root(ProcessGroup& processes, RootOptions& root, const SolveOptions& options) {
  const std::uint64_t element = root.element;
  std::vector<RootOptions> all{root};
  std::vector<std::uint64_t> cuts = options.cuts;
  std::vector<double> weights = options.weights;
  broadcast_values(&processes, all);
  broadcast_values(&processes, cuts);
  broadcast_values(&processes, weights);
  root = all.front();
  if (root.element != element) throw InputError("ranks that compute in float and in double; expected one of them");
  SolveOptions common;
  common.iterations = root.iterations;
  common.tolerance = root.tolerance;
  common.check_every = root.check_every;
  common.kernel = root.kernel;
  common.kernels = root.kernels;
  common.tile = root.tile;
  common.halo_depth = root.halo_depth;
  common.balance = root.balance;
  common.cuts = std::move(cuts);
  common.weights = std::move(weights);
  common.overlap = root.overlap;
  if (root.has_weights) common.equation.weights = root.weights;
  common.equation.damping = root.damping;
  common.equation.boundaries = root.boundaries;
  if (processes.rank() == 0) common.progress = options.progress;
  return common;
}

/// The number of values, and the size of one in bytes.
std::pair<std::uint64_t, std::uint64_t> size_of(const jacobi::CellValues& values) {
  return std::visit(
      [](const auto& cells) {
        return std::pair<std::uint64_t, std::uint64_t>(cells.size(),
                                                       sizeof(typename std::decay_t<decltype(cells)>::value_type));
      },
      values);
}

template <class T>
RootOptions root_options(const Shape& shape, const SolveOptions& options) {
  RootOptions root;
  root.shape = shape;
  root.iterations = options.iterations;
  root.check_every = options.check_every;
  root.element = sizeof(T);
  root.tolerance = options.tolerance;
  root.halo_depth = options.halo_depth;
  root.kernel = options.kernel;
  root.kernels = options.kernels;
  root.tile = options.tile;
  root.balance = options.balance;
  root.overlap = options.overlap;
  root.fixed_cells = options.fixed_cells.size();
  const jacobi::Equation& equation = options.equation;
  root.has_weights = equation.weights.has_value();
  root.weights = equation.weights.value_or(jacobi::Weights{});
  root.damping = equation.damping;
  root.boundaries = equation.boundaries;
  std::tie(root.source, root.source_element) = size_of(equation.source);
  std::tie(root.coefficients, root.coefficients_element) = size_of(equation.coefficients);
  return root;
}

/// Rank 0's mask on all ranks, one bit a cell.
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

/// Broadcasts rank 0's array; the other ranks store it in `memory`. An invalid array is not sent: all ranks throw the
/// same error.
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
Report solve(const Communicator& ranks, Devices devices, Grid<T>* grid, const SolveOptions& options) {
  MpiProcessGroup processes(ranks);
  const bool here = ranks.is_root() && grid != nullptr;
  RootOptions root = root_options<T>(here ? grid->shape() : Shape{}, options);
  root.has_grid = here;
  SolveOptions common = options_of_root(processes, root, options);
  if (!root.has_grid) throw InputError("rank 0 has no grid");
  root.shape.check();
  if (root.fixed_cells != 0 && root.fixed_cells != root.shape.cells())
    throw InputError("fixed_cells of " + std::to_string(root.fixed_cells) + " cells for a grid of " +
                     root.shape.text());
  std::optional<FixedBits> bits;
  jacobi::ReadFixed fixed;
  if (root.fixed_cells != 0) {
    bits.emplace(processes, root.shape, options.fixed_cells);
    fixed = [&bits](std::uint64_t first, std::span<std::uint8_t> cells) { (*bits)(first, cells); };
  }
  std::vector<T> source, coefficients;
  common.equation.source = broadcast_cells<T>(processes, root.shape, options.equation.source, root.source,
                                              root.source_element, "source", source);
  common.equation.coefficients =
      broadcast_cells<T>(processes, root.shape, options.equation.coefficients, root.coefficients,
                         root.coefficients_element, "coefficients", coefficients);
  const jacobi::HostGrid<T> cells{here ? grid->cells() : std::span<T>(), {}, {}};
  return jacobi::solve_among<T>(processes, devices, root.shape, cells, fixed, common, {});
}

template <class T>
Report solve(const Communicator& ranks, Devices devices, const Shape& shape, const GridSlices<T>& slices,
             const SolveOptions& options) {
  MpiProcessGroup processes(ranks);
  RootOptions root = root_options<T>(shape, options);
  const SolveOptions common = options_of_root(processes, root, options);
  if (root.fixed_cells != 0) throw InputError("fixed_cells for a grid in slices; expected their function");
  if (root.source != 0 || root.coefficients != 0)
    throw InputError("a source or coefficients for a grid in slices; expected their functions");
  if (!slices.read) throw InputError("no function that reads slices");
  if (slices.coefficients && common.equation.weights)
    throw InputError("both weights and coefficients in the equation; expected one of them");
  return jacobi::solve_among<T>(processes, devices, root.shape, {{}, slices.read, slices.write}, slices.fixed, common,
                                {}, {slices.source, slices.coefficients});
}

#define GENOCL_INSTANTIATE(T)                                                            \
  template Report solve<T>(const Communicator&, Devices, Grid<T>*, const SolveOptions&); \
  template Report solve<T>(const Communicator&, Devices, const Shape&, const GridSlices<T>&, const SolveOptions&);
GENOCL_INSTANTIATE(float)
GENOCL_INSTANTIATE(double)
#undef GENOCL_INSTANTIATE

}  // namespace genocl::cluster
