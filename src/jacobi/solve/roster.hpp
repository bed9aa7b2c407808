// All devices of a run, those of other processes too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/jacobi/solve.hpp"
#include "jacobi/exchange/processes.hpp"

namespace genocl::jacobi {

struct Worker;

/// What everybody knows of a device.
struct Member {
  std::string name;
  std::string machine;    ///< where it is; empty in a run of one process
  std::size_t index = 0;  ///< there, as DeviceInfo has it
  std::size_t process = 0;
  DeviceType type = DeviceType::other;
  Kernel kernel = Kernel::automatic;
  unsigned levels = 1;
  std::uint64_t most = 0;  ///< slices that its memory holds, ghosts included
  double updates = 0;      ///< a second, guessed
};

/// Devices have the order of their shares: process after process, in each as it was given them.
struct Roster {
  std::vector<Member> members;
  std::size_t first = 0, own = 0;  ///< this process's are [first, first + own)
  Processes* processes = nullptr;  ///< null: this one alone

  std::size_t size() const noexcept { return members.size(); }
  bool is_root() const { return processes == nullptr || processes->rank() == 0; }
  bool has(std::size_t member) const noexcept { return member >= first && member < first + own; }
  const Member& operator[](std::size_t i) const { return members[i]; }
};

/// Collective. `element`: sizeof(T).
Roster make_roster(std::span<const Worker> workers, std::size_t element, Processes* processes);

}  // namespace genocl::jacobi
