#include "jacobi/relaxation.hpp"

#include <cmath>
#include <utility>

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

}  // namespace genocl::jacobi
