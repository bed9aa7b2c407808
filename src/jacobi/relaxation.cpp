#include "jacobi/relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "files/checksum.hpp"
#include "files/section_file.hpp"
#include "genocl/error.hpp"
#include "jacobi/validate.hpp"

namespace genocl::jacobi {

namespace {

template <class T>
const SolveOptions& checked(Devices devices, const Shape& shape, const SolveOptions& options) {
  for (const Device& device : devices) check_precision(device.info(), sizeof(T));
  check_options(devices.size(), shape, options);
  check_equation<T>(options.equation, shape);
  if (options.tolerance != 0) throw InputError("a tolerance in the options of a relaxation; expected it in until()");
  return options;
}

}  // namespace

template <class T>
Relaxation<T>::State::State(Devices devices, const Shape& s, SolveOptions o, const Hooks& hooks)
    : shape(s),
      options(std::move(o)),
      run(nullptr, devices, run_settings<T>(s, checked<T>(devices, s, options), hooks), options, hooks) {}

template <class T>
Relaxation<T>::Relaxation(Devices devices, const Shape& shape, SolveOptions options)
    : Relaxation(devices, shape, std::move(options), nullptr) {}

template <class T>
Relaxation<T>::Relaxation(Devices devices, const Shape& shape, SolveOptions options, const Hooks* hooks)
    : state_(std::make_unique<State>(devices, shape, std::move(options), hooks != nullptr ? *hooks : Hooks())) {}

template <class T>
void Relaxation<T>::State::check_process() const {
  if (!is_of_this_process())
    throw DeviceError("use after fork()", {}, {}, 0, "a Relaxation works in the process that made it");
}

template <class T>
Relaxation<T>::~Relaxation() {
  if (state_ && !state_->is_of_this_process()) static_cast<void>(state_.release());
}
template <class T>
Relaxation<T>::Relaxation(Relaxation&&) noexcept = default;
template <class T>
Relaxation<T>& Relaxation<T>::operator=(Relaxation&& other) noexcept {
  Relaxation(std::move(other)).state_.swap(state_);
  return *this;
}

template <class T>
typename Relaxation<T>::State& Relaxation<T>::held() const {
  state_->check_process();
  if (!state_->run.loaded()) throw InputError("a relaxation without a grid; expected load() or resume() before");
  return *state_;
}

template <class T>
void Relaxation<T>::load(const Grid<T>& grid) {
  state_->check_process();
  if (grid.shape() != state_->shape)
    throw InputError("a grid of " + grid.shape().text() + " for a relaxation of " + state_->shape.text());
  if (grid.cells().size() != grid.shape().cells()) throw InputError("a grid that was moved from");
  check_finite<T>(grid.cells(), grid.shape());
  state_->run.load(host_grid_of<T>(grid.cells()), 0, InputCells::copy);
}

template <class T>
void Relaxation<T>::advance(std::uint64_t iterations, bool measured) {
  held().run.advance(iterations, 0, measured);
}

template <class T>
bool Relaxation<T>::until(double tolerance, std::uint64_t max_iterations, bool measured) {
  if (!std::isfinite(tolerance) || tolerance <= 0)
    throw InputError("a tolerance of " + std::to_string(tolerance) + "; expected a finite number above zero");
  held().run.advance(max_iterations, tolerance, measured);
  return state_->run.converged();
}

template <class T>
void Relaxation<T>::store(Grid<T>& grid) {
  State& state = held();
  if (grid.shape() != state.shape || grid.cells().size() != state.shape.cells())
    throw InputError("a grid of " + grid.shape().text() + " for a relaxation of " + state.shape.text());
  state.run.store({grid.cells(), {}, {}});
}

template <class T>
const Shape& Relaxation<T>::shape() const noexcept {
  return state_->shape;
}

template <class T>
std::uint64_t Relaxation<T>::iterations() const noexcept {
  return state_->run.iterations();
}

template <class T>
std::optional<Change> Relaxation<T>::change() const {
  return state_->run.change();
}

template <class T>
bool Relaxation<T>::diverged() const noexcept {
  return state_->run.diverged();
}

template <class T>
Report Relaxation<T>::report() const {
  return state_->run.report();
}

template <class T>
void Relaxation<T>::checkpoint(const std::string& file) {
  State& state = held();
  write_checkpoint<T>(file, state.shape, state.options, state.run);
}

template <class T>
void Relaxation<T>::resume(const std::string& file) {
  state_->check_process();
  read_checkpoint<T>(file, state_->shape, state_->options, state_->run);
}

template class Relaxation<float>;
template class Relaxation<double>;

namespace {

using runtime::FileKind;
using runtime::SectionFile;

constexpr FileKind kind{{'G', 'J', 'R'}, 1, "a checkpoint of a relaxation", "genocl-jacobi"};

template <class T>
constexpr std::string_view type_name = sizeof(T) == sizeof(double) ? "double" : "float";

void add_equation(runtime::Checksum& sum, const Equation& equation) {
  const Weights w = equation.weights.value_or(Weights{});
  const Boundaries& sides = equation.boundaries;
  std::vector<double> numbers{
      equation.weights ? 1.0 : 0.0, w.centre, w.top, w.bottom, w.left, w.right, w.front, w.back, equation.damping};
  for (const BoundaryKind side : {sides.left, sides.right, sides.top, sides.bottom, sides.front, sides.back})
    numbers.push_back(static_cast<double>(side));
  for (const CellValues* values : {&equation.source, &equation.coefficients})
    numbers.push_back(std::visit([](const auto& cells) { return static_cast<double>(cells.size()); }, *values));
  sum.add(std::as_bytes(std::span<const double>(numbers)));
  for (const CellValues* values : {&equation.source, &equation.coefficients})
    std::visit([&](const auto& cells) { sum.add(std::as_bytes(cells)); }, *values);
}

/// A checksum of all options that affect the values of the cells.
std::uint64_t problem_of(const SolveOptions& options) {
  runtime::Checksum sum;
  add_equation(sum, options.equation);
  // Any nonzero value means a fixed cell.
  constexpr std::size_t together = std::size_t{1} << 20;
  std::vector<std::byte> piece;
  for (std::size_t first = 0; first < options.fixed_cells.size(); first += together) {
    const auto cells = options.fixed_cells.subspan(first, std::min(together, options.fixed_cells.size() - first));
    piece.resize(cells.size());
    std::transform(cells.begin(), cells.end(), piece.begin(),
                   [](std::uint8_t cell) { return cell != 0 ? std::byte{1} : std::byte{0}; });
    sum.add(piece);
  }
  return sum.end();
}

CheckpointInfo info_of(const SectionFile& file) {
  const runtime::Fields fields = file.fields();
  return {{fields.number("width"), fields.number("height"), fields.number("depth")},
          fields.string("type"),
          fields.number("iterations")};
}

/// Reports an error in the contents as an error of the file.
template <class Use>
void of_file(const std::string& path, const Use& use) {
  try {
    use();
  } catch (const InputError& error) {
    throw InputError(path, error.where(), error.wrong(), error.expected());
  }
}

}  // namespace

CheckpointInfo checkpoint_info(const std::string& path) {
  constexpr std::string_view unchecked[] = {"cells"};
  CheckpointInfo info = info_of(*SectionFile::open(path, kind, unchecked));
  of_file(path, [&] { info.shape.check(); });
  return info;
}

template <class T>
void write_checkpoint(const std::string& path, const Shape& shape, const SolveOptions& options, Solver<T>& run) {
  runtime::Fields fields;
  fields.set("width", shape.width);
  fields.set("height", shape.height);
  fields.set("depth", shape.depth);
  fields.set("type", type_name<T>);
  fields.set("iterations", run.iterations());
  fields.set("problem", problem_of(options));
  const std::string text = fields.text();
  // A checkpoint is for failures.
  run.store_by([&](const std::function<void(const HostGrid<T>&)>& fetch) {
    const auto cells = [&](const std::function<void(std::span<const std::byte>)>& sink) {
      fetch({{}, {}, [&](std::uint64_t, std::span<const T> piece) { sink(std::as_bytes(piece)); }});
    };
    runtime::write_section_file(
        path, kind,
        {runtime::section("fields", text), runtime::streamed_section("cells", shape.cells() * sizeof(T), cells)},
        files::AtomicFile::Sync::disk);
  });
}

template <class T>
void read_checkpoint(const std::string& path, const Shape& shape, const SolveOptions& options, Solver<T>& run) {
  const std::shared_ptr<const SectionFile> file = SectionFile::open(path, kind);
  const CheckpointInfo info = info_of(*file);
  if (info.shape != shape) throw InputError(path, {}, "of a grid of " + info.shape.text(), shape.text());
  if (info.type != type_name<T>)
    throw InputError(path, {}, "of a grid of type " + info.type, std::string(type_name<T>));
  if (file->fields().number("problem") != problem_of(options))
    throw InputError(path, {}, "of another problem", "the same fixed cells and equation");
  const auto cells = file->array<T>("cells");
  if (cells.size() != shape.cells())
    throw InputError(path, {}, std::to_string(cells.size()) + " cells", std::to_string(shape.cells()));
  const std::uint64_t slice = shape.cells() / Layout(shape).slices;
  // The file stays mapped while the solver may reload it.
  of_file(path, [&] {
    check_finite<T>(cells, shape);
    run.load({{},
              [file, cells, slice](std::uint64_t first, std::span<T> place) {
                const auto part = cells.subspan(static_cast<std::size_t>(first * slice), place.size());
                std::copy(part.begin(), part.end(), place.begin());
              },
              {}},
             info.iterations, InputCells::borrow);
  });
}

template void write_checkpoint(const std::string&, const Shape&, const SolveOptions&, Solver<float>&);
template void write_checkpoint(const std::string&, const Shape&, const SolveOptions&, Solver<double>&);
template void read_checkpoint(const std::string&, const Shape&, const SolveOptions&, Solver<float>&);
template void read_checkpoint(const std::string&, const Shape&, const SolveOptions&, Solver<double>&);

}  // namespace genocl::jacobi
