// Numbers in the memory of rank 0 that all ranks read and add to, without its help.
#pragma once

#include <cstdint>

#include "cluster/communicator_state.hpp"

namespace genocl::cluster {

class SharedNumbers {
 public:
  /// Collective. `count` numbers, all 0.
  SharedNumbers(const Communicator& ranks, int count);
  /// Collective.
  ~SharedNumbers();
  SharedNumbers(const SharedNumbers&) = delete;
  SharedNumbers& operator=(const SharedNumbers&) = delete;

  /// The number before `add` is added to it. Any thread may call it.
  std::uint64_t add(int number, std::uint64_t add) const;
  std::uint64_t get(int number) const { return add(number, 0); }

 private:
  std::shared_ptr<Communicator::State> ranks_;
  MPI_Win window_ = MPI_WIN_NULL;
  int exceptions_ = 0;
};

}  // namespace genocl::cluster
