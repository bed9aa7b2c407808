#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "cluster/communicator_state.hpp"

namespace genocl::cluster {
namespace {

std::vector<int> allowed_cores() {
  cpu_set_t set;
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) cores.push_back(i);
  return cores;
}

bool allow_cores(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

/// Those that the system leaves this process, whatever it was bound to.
std::vector<int> machine_cores(const std::vector<int>& bound) {
  std::vector<int> all;
  for (int i = 0; i < CPU_SETSIZE; ++i) all.push_back(i);
  if (!allow_cores(all)) return bound;
  return allowed_cores();
}

}  // namespace

void share_cores(const Communicator& ranks) {
  if (ranks.node_size() < 2) return;
  const std::vector<int> bound = allowed_cores();
  if (bound.empty()) return;
  const std::vector<int> all = machine_cores(bound);
  const std::size_t count = static_cast<std::size_t>(ranks.node_size()),
                    place = static_cast<std::size_t>(ranks.node_rank());
  const std::size_t begin = all.size() * place / count, end = all.size() * (place + 1) / count;
  std::vector<int> share(all.begin() + static_cast<std::ptrdiff_t>(begin),
                         all.begin() + static_cast<std::ptrdiff_t>(end));
  // More ranks than cores: they take turns.
  if (share.empty()) share.push_back(all[place % all.size()]);
  std::size_t threads = share.size();
  if (bound.size() < share.size()) {
    allow_cores(share);
  } else {
    allow_cores(bound);
    // Where all ranks may use all cores, each starts threads for its share.
    threads = bound.size() == all.size() ? share.size() : bound.size();
  }
  // PoCL's names of it, of version 3 and of versions since.
  for (const char* const name : {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"})
    setenv(name, std::to_string(threads).c_str(), 0);
}

std::vector<Device> pick_devices(const Communicator& ranks, const std::string& spec) {
  if (!spec.empty()) return Device::list(spec);
  if (std::getenv("GENOCL_DEVICE") != nullptr) return {Device::pick()};
  std::vector<Device> gpus;
  try {
    gpus = Device::list("gpu");
  } catch (const InputError&) {  // there is none
    return {Device::pick()};
  }
  const std::size_t count = static_cast<std::size_t>(ranks.node_size()),
                    place = static_cast<std::size_t>(ranks.node_rank());
  std::vector<Device> mine;
  for (std::size_t i = place; i < gpus.size(); i += count) mine.push_back(gpus[i]);
  if (mine.empty()) mine.push_back(gpus[place % gpus.size()]);
  return mine;
}

}  // namespace genocl::cluster
