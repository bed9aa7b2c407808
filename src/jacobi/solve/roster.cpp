#include "jacobi/solve/roster.hpp"

#include <type_traits>

#include "jacobi/balance/balance_measure.hpp"
#include "jacobi/solve/solve_shares.hpp"

namespace genocl::jacobi {
namespace {

/// A member without its names.
struct Figures {
  std::uint64_t index = 0, process = 0, most = 0, name_bytes = 0, machine_bytes = 0;
  double updates = 0;
  DeviceType type = DeviceType::other;
  Kernel kernel = Kernel::automatic;
  unsigned levels = 1;
};
static_assert(std::is_trivially_copyable_v<Figures>);

}  // namespace

Roster make_roster(std::span<const Worker> workers, std::size_t element, Processes* processes) {
  Roster roster;
  roster.processes = processes;
  roster.own = workers.size();
  const std::size_t process = processes == nullptr ? 0 : processes->rank();
  const std::string machine = processes == nullptr ? std::string() : processes->machine();
  std::vector<Figures> figures;
  std::string names;
  for (const Worker& worker : workers) {
    const DeviceInfo& info = worker.device.info();
    figures.push_back({.index = info.index,
                       .process = process,
                       .most = worker.most,
                       .name_bytes = info.name.size(),
                       .machine_bytes = machine.size(),
                       .updates = guessed_updates(worker.device, element),
                       .type = info.type,
                       .kernel = worker.plan.kernel,
                       .levels = worker.plan.levels});
    names += info.name + machine;
  }
  figures = gather_values<Figures>(processes, figures);
  const std::vector<char> all_names = gather_values<char>(processes, names);
  auto at = all_names.begin();
  const auto take = [&](std::uint64_t bytes) {
    const auto begin = at;
    at += static_cast<std::ptrdiff_t>(bytes);
    return std::string(begin, at);
  };
  for (const Figures& one : figures) {
    if (one.process < process) ++roster.first;
    Member member;
    member.name = take(one.name_bytes);
    member.machine = take(one.machine_bytes);
    member.index = one.index;
    member.process = one.process;
    member.type = one.type;
    member.kernel = one.kernel;
    member.levels = one.levels;
    member.most = one.most;
    member.updates = one.updates;
    roster.members.push_back(std::move(member));
  }
  return roster;
}

}  // namespace genocl::jacobi
