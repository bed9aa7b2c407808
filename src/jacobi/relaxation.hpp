// The state of Relaxation, for its members, checkpoints and tests.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "genocl/jacobi/relaxation.hpp"
#include "jacobi/solver.hpp"
#include "runtime/platform.hpp"

namespace genocl::jacobi {

template <class T>
struct Relaxation<T>::State {
  State(Devices devices, const Shape& s, SolveOptions o, const Hooks& hooks);

  /// fork() does not copy threads, and waiting for them would never end. Throws DeviceError in another process than
  /// that of the constructor.
  bool is_of_this_process() const noexcept { return platform::process_id() == process; }
  void check_process() const;

  const std::int64_t process = platform::process_id();
  Shape shape;
  SolveOptions options;
  Solver<T> run;
};

struct RelaxationAccess {
  template <class T>
  static Relaxation<T> make(Devices devices, const Shape& shape, SolveOptions options, const Hooks& hooks) {
    return {devices, shape, std::move(options), &hooks};
  }
  /// Throws InputError for a relaxation without a grid.
  template <class T>
  static typename Relaxation<T>::State& held(Relaxation<T>& relaxation) {
    return relaxation.held();
  }
  template <class T>
  static const SolveOptions& options(const Relaxation<T>& relaxation) {
    return relaxation.state_->options;
  }
};

/// Writes a checkpoint of a solver's grid.
template <class T>
void write_checkpoint(const std::string& path, const Shape& shape, const SolveOptions& options, Solver<T>& run);

/// Loads it into a solver. Throws InputError before the solver has changed.
template <class T>
void read_checkpoint(const std::string& path, const Shape& shape, const SolveOptions& options, Solver<T>& run);

}  // namespace genocl::jacobi
