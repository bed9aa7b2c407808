#include "jacobi/checks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "genocl/error.hpp"
#include "jacobi/equation/check.hpp"
#include "runtime/parallel.hpp"

namespace genocl::jacobi {
namespace {

// The first cell that is no number or infinite; cells.size() when none is.
template <class T>
std::size_t first_bad_in(std::span<const T> cells) {
  constexpr std::size_t block = 4096;
  for (std::size_t first = 0; first < cells.size(); first += block) {
    const std::span<const T> part = cells.subspan(first, std::min(block, cells.size() - first));
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    constexpr auto exponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    Bits bad = 0;  // no branch for each cell
    for (const T cell : part) bad |= static_cast<Bits>((std::bit_cast<Bits>(cell) & exponent) == exponent);
    if (bad == 0) continue;
    for (std::size_t i = 0; i < part.size(); ++i)
      if (!std::isfinite(part[i])) return first + i;
  }
  return cells.size();
}

template <class T>
std::size_t first_bad(std::span<const T> cells) {
  constexpr std::size_t cells_per_thread = std::size_t{1} << 20;
  const std::size_t threads = runtime::threads_for(cells.size(), cells_per_thread);
  std::vector<std::size_t> bad(threads, cells.size());
  runtime::parallel_for(threads, threads, [&](std::size_t share) {
    const std::size_t begin = cells.size() / threads * share;
    const std::size_t end = share + 1 == threads ? cells.size() : begin + cells.size() / threads;
    const std::size_t found = first_bad_in(cells.subspan(begin, end - begin));
    if (found != end - begin) bad[share] = begin + found;
  });
  return *std::min_element(bad.begin(), bad.end());
}

void check_shape(const Shape& shape, const SolveOptions& options) {
  shape.check();
  // Kernels count the cells of a row, the rows and the slices in 32 bits.
  constexpr std::uint64_t most = (std::uint64_t{1} << 30) - 1;
  if (shape.width > most || shape.height > most || shape.depth > most)
    throw InputError("a grid of " + shape.text() + " cells; at most " + std::to_string(most) + " in each direction");
  if (!options.fixed_cells.empty() && options.fixed_cells.size() != shape.cells())
    throw InputError("fixed_cells of " + std::to_string(options.fixed_cells.size()) + " cells for a grid of " +
                     shape.text());
}

void check_shares(std::size_t devices, const Shape& shape, const SolveOptions& options) {
  const std::uint64_t slices = Layout(shape).slices;
  if (!options.cuts.empty()) {
    if (options.balance != Balance::fixed)
      throw InputError("cuts are for the fixed balance, not for the automatic one");
    if (!options.weights.empty()) throw InputError("both cuts and weights; expected one of them");
    if (options.cuts.size() != devices - 1)
      throw InputError(std::to_string(options.cuts.size()) + " cuts for " + std::to_string(devices) +
                       " devices; expected " + std::to_string(devices - 1));
    std::uint64_t before = 0;
    for (const std::uint64_t cut : options.cuts) {
      if (cut <= before || cut >= slices)
        throw InputError("a cut at " + std::to_string(cut) + "; expected cuts that rise, from 1 to " +
                         std::to_string(slices - 1));
      before = cut;
    }
  }
  if (!options.weights.empty()) {
    if (options.balance != Balance::fixed)
      throw InputError("weights are for the fixed balance, not for the automatic one");
    if (options.weights.size() != devices)
      throw InputError(std::to_string(options.weights.size()) + " weights for " + std::to_string(devices) + " devices");
    double sum = 0;
    for (const double weight : options.weights) {
      if (!(weight > 0) || !std::isfinite(weight))
        throw InputError("a weight of " + std::to_string(weight) + "; expected a finite number above zero");
      sum += weight;
    }
    if (!std::isfinite(sum)) throw InputError("weights whose sum is infinite");
  }
  if (options.balance == Balance::fixed && slices < devices)
    throw InputError("a grid of " + std::to_string(slices) + " slices for " + std::to_string(devices) + " devices");
}

}  // namespace

void check_precision(const DeviceInfo& device, std::size_t element) {
  if (element == sizeof(double) && !device.fp64)
    throw InputError(
        "double on " + device.name +
        ", which has single precision only; expected another device (--device) or float (--precision float)");
}

void check_exchange_every(std::span<const Part> shares, unsigned exchange_every) {
  if (shares.size() < 2) return;
  for (const Part& share : shares)
    if (share.size() < exchange_every)
      throw InputError("slices " + std::to_string(share.begin) + " to " + std::to_string(share.end - 1) +
                       " for one device, and an exchange every " + std::to_string(exchange_every) +
                       " iterations; expected at least as many slices");
}

void check_options(std::size_t devices, const Shape& shape, const SolveOptions& options) {
  constexpr unsigned most_between_exchanges = 4096;
  if (devices == 0) throw InputError("no device given");
  if (!std::isfinite(options.tolerance) || options.tolerance < 0)
    throw InputError("a tolerance of " + std::to_string(options.tolerance) +
                     "; expected zero or a finite number above");
  if (options.check_every == 0) throw InputError("a check every 0 iterations; expected at least 1");
  if (options.exchange_every > most_between_exchanges)
    throw InputError("an exchange every " + std::to_string(options.exchange_every) + " iterations; expected at most " +
                     std::to_string(most_between_exchanges));
  if (options.kernel < Kernel::automatic || options.kernel > Kernel::rolling)
    throw InputError("kernel number " + std::to_string(static_cast<int>(options.kernel)) + " does not exist");
  if (options.balance != Balance::automatic && options.balance != Balance::fixed)
    throw InputError("balance number " + std::to_string(static_cast<int>(options.balance)) + " does not exist");
  check_shares(devices, shape, options);
  check_shape(shape, options);
}

template <class T>
void check_finite(std::span<const T> cells, const Shape& shape, std::uint64_t first_slice) {
  std::size_t bad = first_bad<T>(cells);
  if (bad == cells.size()) return;
  const T cell = cells[bad];
  bad += static_cast<std::size_t>(first_slice * shape.width * Layout(shape).rows_per_slice);
  throw InputError("cell " + std::to_string(bad % shape.width) + "," +
                   std::to_string(bad / shape.width % shape.height) +
                   (shape.three_dimensional() ? "," + std::to_string(bad / shape.width / shape.height) : "") + " is " +
                   std::to_string(cell) + "; expected a finite number");
}

template <class T>
void check_solve(std::span<const Device> devices, const Grid<T>& grid, const SolveOptions& options) {
  for (const Device& device : devices) check_precision(device.info(), sizeof(T));
  check_options(devices.size(), grid.shape(), options);
  check_equation<T>(options.equation, grid.shape());
  if (grid.cells().size() != grid.shape().cells()) throw InputError("a grid whose memory has gone elsewhere");
  check_finite<T>(grid.cells(), grid.shape());
}

template void check_solve(std::span<const Device>, const Grid<float>&, const SolveOptions&);
template void check_solve(std::span<const Device>, const Grid<double>&, const SolveOptions&);
template void check_finite(std::span<const float>, const Shape&, std::uint64_t);
template void check_finite(std::span<const double>, const Shape&, std::uint64_t);

}  // namespace genocl::jacobi
