#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include "cluster/communicator_state.hpp"
#include "runtime/state_access.hpp"

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

/// The cores that this process may use without its binding.
std::vector<int> machine_cores(const std::vector<int>& bound) {
  std::vector<int> all(CPU_SETSIZE);
  std::iota(all.begin(), all.end(), 0);
  if (!allow_cores(all)) return bound;
  return allowed_cores();
}

/// Open MPI binds the ranks of small jobs to one core each by default. A binding that the user requested is kept.
bool bound_by_default() {
  return std::getenv("OMPI_MCA_orte_bound_at_launch") != nullptr &&
         std::getenv("OMPI_MCA_hwloc_base_binding_policy") == nullptr;
}

void sum_on_node(const Communicator& ranks, std::vector<std::uint64_t>& values) {
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Iallreduce, MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM,
             runtime::shared_state_of(ranks)->node.get(), &request);
  wait_for(request);
}

}  // namespace

void share_cores(const Communicator& ranks) {
  const std::vector<int> bound = allowed_cores();
  if (bound.empty()) return;
  const auto count = static_cast<std::size_t>(ranks.node_size()), place = static_cast<std::size_t>(ranks.node_rank());
  std::vector<int> share = bound;
  if (bound_by_default()) {
    const std::vector<int> all = machine_cores(bound);
    share.assign(all.begin() + static_cast<std::ptrdiff_t>(all.size() * place / count),
                 all.begin() + static_cast<std::ptrdiff_t>(all.size() * (place + 1) / count));
    // With more ranks than cores, ranks share a core.
    if (share.empty()) share.push_back(all[place % all.size()]);
    allow_cores(share);
  }
  // Ranks that may use the same cores divide them.
  std::vector<std::uint64_t> users(CPU_SETSIZE);
  for (const int core : share) users[static_cast<std::size_t>(core)] = 1;
  sum_on_node(ranks, users);
  double threads = 0;
  for (const int core : share) threads += 1.0 / static_cast<double>(users[static_cast<std::size_t>(core)]);
  if (threads + 0.5 >= static_cast<double>(share.size()) && !bound_by_default()) return;
  // The first is read by PoCL 3, the second by later versions.
  const std::string text = std::to_string(std::max(1L, std::lround(threads)));
  for (const char* const name : {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"}) setenv(name, text.c_str(), 0);
}

std::vector<Device> pick_devices(const Communicator& ranks, const std::string& spec) {
  const char* const variable = std::getenv("GENOCL_DEVICE");
  const std::string named = spec.empty() && variable != nullptr ? variable : spec;
  std::vector<Device> shared, cpus;
  try {
    for (const Device& device : Device::list(named.empty() ? "gpu" : named))
      (device.info().type == DeviceType::cpu ? cpus : shared).push_back(device);
  } catch (const InputError&) {
    if (!named.empty()) throw;
  }
  // Without a spec a rank has no CPU next to GPUs, and the best of several.
  if (spec.empty()) {
    if (shared.empty()) return {Device::pick()};
    cpus.clear();
  }
  const auto count = static_cast<std::size_t>(ranks.node_size()), place = static_cast<std::size_t>(ranks.node_rank());
  std::vector<Device> mine;
  for (std::size_t i = place; i < shared.size(); i += count) mine.push_back(shared[i]);
  if (mine.empty() && !shared.empty()) mine.push_back(shared[place % shared.size()]);
  mine.insert(mine.end(), cpus.begin(), cpus.end());
  return mine;
}

}  // namespace genocl::cluster
