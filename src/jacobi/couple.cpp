#include "genocl/jacobi/couple.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/relaxation.hpp"
#include "runtime/names.hpp"

namespace genocl::jacobi {

namespace {

constexpr runtime::Names<Side, 6> side_names = {{{Side::left, "left"},
                                                 {Side::right, "right"},
                                                 {Side::top, "top"},
                                                 {Side::bottom, "bottom"},
                                                 {Side::front, "front"},
                                                 {Side::back, "back"}}};

BoundaryKind kind_of(const Boundaries& boundaries, Side side) {
  switch (side) {
    case Side::left:
      return boundaries.left;
    case Side::right:
      return boundaries.right;
    case Side::top:
      return boundaries.top;
    case Side::bottom:
      return boundaries.bottom;
    case Side::front:
      return boundaries.front;
    default:
      return boundaries.back;
  }
}

bool is_first(Side side) { return side == Side::top || side == Side::front; }

void check_side(const Shape& shape, const SolveOptions& options, Side side, unsigned halo_depth) {
  const std::string name(to_string(side));
  const bool along =
      shape.three_dimensional() ? side == Side::front || side == Side::back : side == Side::top || side == Side::bottom;
  if (!along)
    throw InputError("a coupling at the " + name + " side of a grid of " + shape.text() + "; expected " +
                     (shape.three_dimensional() ? "front or back" : "top or bottom"));
  if (kind_of(options.equation.boundaries, side) != BoundaryKind::fixed)
    throw InputError("a coupling at the " + name + " side, whose boundary is not fixed");
  const std::uint64_t slices = Layout(shape).slices;
  if (slices <= 2 * std::uint64_t{halo_depth})
    throw InputError("a coupled grid of " + shape.text() + " and a halo of " + std::to_string(halo_depth) +
                     " slices; expected more than " + std::to_string(2 * std::uint64_t{halo_depth}) + " slices");
}

}  // namespace

std::string_view to_string(Side side) noexcept { return runtime::name_of(side_names, side); }

template <class T>
struct Coupling<T>::State {
  /// A relaxation and its common slices.
  struct Party {
    Relaxation<T>* relaxation;
    Side side;
    std::uint64_t slices, slice_cells;

    auto& held() const { return RelaxationAccess::held(*relaxation); }
    /// The first of the `depth` slices of the halo, or of those next to it that it owns.
    std::uint64_t halo(std::uint64_t depth) const { return is_first(side) ? 0 : slices - depth; }
    std::uint64_t sent(std::uint64_t depth) const { return is_first(side) ? depth : slices - 2 * depth; }
  };

  Party a, b;
  unsigned depth = 1;
  std::uint64_t exchanges = 0;
  std::vector<T> cells = {};

  void copy_halo(const Party& from, const Party& to) {
    cells.resize(depth * from.slice_cells);
    from.held().run.read_slices(from.sent(depth), cells);
    // The slices of both have the same order where one ends at the boundary and the other one begins there.
    if (is_first(from.side) == is_first(to.side))
      for (std::uint64_t low = 0, high = depth - 1; low < high; ++low, --high)
        std::swap_ranges(slice(low), slice(low + 1), slice(high));
    to.held().run.write_slices(to.halo(depth), cells);
  }
  auto slice(std::uint64_t number) { return cells.begin() + static_cast<std::ptrdiff_t>(number * a.slice_cells); }

  void exchange() {
    copy_halo(a, b);
    copy_halo(b, a);
    ++exchanges;
  }

  /// Both at the same time. Of two errors the one of `a` is thrown.
  void advance(std::uint64_t iterations, bool measured) {
    std::exception_ptr error;
    std::thread other([&] {
      try {
        b.relaxation->advance(iterations, measured);
      } catch (...) {
        error = std::current_exception();
      }
    });
    try {
      a.relaxation->advance(iterations, measured);
    } catch (...) {
      other.join();
      throw;
    }
    other.join();
    if (error) std::rethrow_exception(error);
  }
};

template <class T>
Coupling<T>::Coupling(std::unique_ptr<State> state) : state_(std::move(state)) {}
template <class T>
Coupling<T>::Coupling(Coupling&&) noexcept = default;
template <class T>
Coupling<T>& Coupling<T>::operator=(Coupling&&) noexcept = default;
template <class T>
Coupling<T>::~Coupling() = default;

template <class T>
std::uint64_t Coupling<T>::exchanges() const noexcept {
  return state_->exchanges;
}

template <class T>
void Coupling<T>::advance(std::uint64_t iterations, bool measured) {
  State& state = *state_;
  state.a.held();
  state.b.held();
  const std::uint64_t at_a = state.a.relaxation->iterations(), at_b = state.b.relaxation->iterations();
  if (at_a != at_b)
    throw InputError("coupled relaxations at iterations " + std::to_string(at_a) + " and " + std::to_string(at_b) +
                     "; expected the same");
  for (std::uint64_t left = iterations; left > 0;) {
    const std::uint64_t length = std::min<std::uint64_t>(state.depth, left);
    left -= length;
    state.exchange();
    state.advance(length, measured && left == 0);
  }
  state.exchange();
}

template <class T>
Coupling<T> couple(Relaxation<T>& a, Side side_a, Relaxation<T>& b, Side side_b, unsigned halo_depth) {
  if (&a == &b) throw InputError("a relaxation coupled with itself");
  if (halo_depth == 0) throw InputError("a coupling with a halo of 0 slices; expected at least 1");
  const Shape &first = a.shape(), &second = b.shape();
  check_side(first, RelaxationAccess::options(a), side_a, halo_depth);
  check_side(second, RelaxationAccess::options(b), side_b, halo_depth);
  const bool is_3d = first.three_dimensional();
  if (is_3d != second.three_dimensional() || first.width != second.width || (is_3d && first.height != second.height))
    throw InputError("coupled grids of " + first.text() + " and " + second.text() +
                     "; expected the same cells at their common side");
  const auto party = [](Relaxation<T>& relaxation, Side side) {
    const std::uint64_t slices = Layout(relaxation.shape()).slices;
    return typename Coupling<T>::State::Party{&relaxation, side, slices, relaxation.shape().cells() / slices};
  };
  return Coupling<T>(std::make_unique<typename Coupling<T>::State>(
      typename Coupling<T>::State{party(a, side_a), party(b, side_b), halo_depth}));
}

template class Coupling<float>;
template class Coupling<double>;
template Coupling<float> couple(Relaxation<float>&, Side, Relaxation<float>&, Side, unsigned);
template Coupling<double> couple(Relaxation<double>&, Side, Relaxation<double>&, Side, unsigned);

}  // namespace genocl::jacobi
