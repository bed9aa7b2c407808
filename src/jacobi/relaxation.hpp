// Relaxation with what tests need besides.
#pragma once

#include <unistd.h>
#include <span>
#include <string>
#include <utility>

#include "genocl/jacobi/relaxation.hpp"
#include "jacobi/solver.hpp"

namespace genocl::jacobi {

template <class T>
struct Relaxation<T>::State {
  State(std::span<const Device> devices, const Shape& s, SolveOptions o, const Hooks& hooks);

  /// Threads are not copied by fork(), and who waits for them waits for ever. Throws DeviceError in another process
  /// than that of the constructor.
  bool is_of_this_process() const noexcept { return getpid() == process; }
  void check_process() const;

  const pid_t process = getpid();
  Shape shape;
  SolveOptions options;
  Solver<T> run;
};

struct RelaxationAccess {
  template <class T>
  static Relaxation<T> make(std::span<const Device> devices, const Shape& shape, SolveOptions options,
                            const Hooks& hooks) {
    return {devices, shape, std::move(options), &hooks};
  }
};

/// Writes a checkpoint of what a run holds.
template <class T>
void write_checkpoint(const std::string& path, const Shape& shape, const SolveOptions& options, Solver<T>& run);

/// Gives it to a run. Throws InputError before the run has changed.
template <class T>
void read_checkpoint(const std::string& path, const Shape& shape, const SolveOptions& options, Solver<T>& run);

}  // namespace genocl::jacobi
