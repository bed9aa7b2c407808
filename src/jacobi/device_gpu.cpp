#include "jacobi/device_gpu.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "genocl/error.hpp"
#include "jacobi/device_table.hpp"

namespace genocl::jacobi {

template <class T>
DeviceGroup<T>::DeviceGroup(ProcessGroup* processes, std::span<const Device> devices, const RunSettings& settings,
                            SolveOptions options, Hooks hooks, IterationCallback tell, Report& report)
    : options_(std::move(options)),
      hooks_(std::move(hooks)),
      tell_(std::move(tell)),
      settings_(settings),
      report_(report),
      run_devices_(make_run_devices(devices, settings_, sizeof(T), options_, hooks_)),
      table_(make_device_table(run_devices_, sizeof(T), processes)),
      computing_(run_devices_.size(), 0) {}

template <class T>
void DeviceGroup<T>::load(const HostGrid<T>& grid) {
  if (partitions_) return partitions_->restart(grid);
  if (bands_) return bands_->load(grid);
  first_.emplace(run_devices_, table_, settings_, options_, hooks_, report_);
  const std::optional<PartitionSizes> chosen = first_->choose();
  if (!chosen) {
    if (table_.processes != nullptr || settings_.layout.ring) refuse_bands();
    bands_ = std::make_unique<BandedSolver<T>>(run_devices_, settings_, options_, hooks_, tell_);
    report_.decisions.push_back(bands_->decision());
    bands_->load(grid);
    return;
  }
  Steering* const steering = first_->steering();
  partitions_ =
      std::make_unique<PartitionedSolver<T>>(run_devices_, table_, settings_, hooks_, tell_, steering != nullptr);
  std::vector<FusedStepSet> fused_steps;
  for (const RunDevice& run_device : run_devices_) fused_steps.push_back(first_->fused_steps_of(run_device));
  if (steering != nullptr && !steering->expected().empty())
    partitions_->reserve(*chosen, steering->expected(), fused_steps);
  partitions_->start(*chosen, grid, fused_steps);
  if (table_.processes != nullptr) table_.processes->gather({});  // the clocks begin together
}

template <class T>
void DeviceGroup<T>::refuse_bands() const {
  const Layout& layout = settings_.layout;
  std::uint64_t most = 0;
  for (const DeviceEntry& entry : table_.entries) most += entry.max_slices;
  const std::uint64_t slice = layout.slice() * settings_.cell_bytes(sizeof(T));
  const std::uint64_t borders = table_.size() - (layout.ring ? 0 : 1);
  throw CapacityError("a grid of " + layout.shape.text() + " cells" +
                          (layout.ring ? ", which does not go in bands as its slices are periodic," : "") +
                          " with ghosts on the devices" + (table_.processes != nullptr ? " of all processes" : ""),
                      (layout.slices + 2 * settings_.halo_depth * borders) * slice, most * slice);
}

template <class T>
void DeviceGroup<T>::store(const HostGrid<T>& grid) {
  if (partitions_)
    partitions_->store(grid);
  else
    bands_->store(grid);
}

template <class T>
void DeviceGroup<T>::prepare(std::uint64_t iterations, std::uint64_t check_every) {
  if (!partitions_) return;
  std::vector<FusedStepSet> fused_steps;
  for (const RunDevice& run_device : run_devices_)
    fused_steps.push_back(first_->fused_steps_of(run_device, iterations, check_every));
  partitions_->prepare(fused_steps);
}

template <class T>
std::uint64_t DeviceGroup<T>::steer() {
  Steering* const steering = partitions_ ? first_->steering() : nullptr;
  if (steering == nullptr) return std::numeric_limits<std::uint64_t>::max();
  if (stretch_ < steering->wanted()) return steering->wanted() - stretch_;
  for (double& one : computing_) one /= static_cast<double>(stretch_);
  const auto moved = steering->look(stretch_, stretch_seconds_ / static_cast<double>(stretch_), computing_);
  stretch_ = 0;
  stretch_seconds_ = 0;
  std::fill(computing_.begin(), computing_.end(), 0);
  if (moved) partitions_->move(*moved);
  return steering->wanted();
}

template <class T>
void DeviceGroup<T>::advance(std::uint64_t iterations, bool with_change) {
  if (bands_) return bands_->advance(iterations, with_change);
  const double seconds = partitions_->advance(iterations, with_change);
  stretch_ += iterations;
  stretch_seconds_ += seconds;
  for (std::size_t i = 0; i < computing_.size(); ++i) computing_[i] += partitions_->times()[i].computing;
}

template <class T>
std::uint64_t DeviceGroup<T>::iterations() const noexcept {
  return partitions_ ? partitions_->iterations() : bands_ ? bands_->iterations() : 0;
}

template <class T>
std::vector<std::string> DeviceGroup<T>::decisions() const {
  const Steering* const steering = first_ ? std::as_const(*first_).steering() : nullptr;
  return steering != nullptr ? steering->decisions() : std::vector<std::string>();
}

template <class T>
std::vector<DeviceTotals> DeviceGroup<T>::done() const {
  if (partitions_) return {partitions_->done().begin(), partitions_->done().end()};
  std::vector<DeviceTotals> done(run_devices_.size());
  if (bands_)
    for (std::size_t i = 0; i < done.size(); ++i) {
      const BandTotals& mine = bands_->done()[i];
      done[i].updates = mine.updates;
      done[i].spent.computing = mine.computing;
      done[i].spent.exchanging = mine.waiting;
    }
  return done;
}

template <class T>
std::vector<SliceRange> DeviceGroup<T>::ranges() const {
  return partitions_ ? ranges_of(partitions_->sizes()) : std::vector<SliceRange>(table_.size());
}

template class DeviceGroup<float>;
template class DeviceGroup<double>;

}  // namespace genocl::jacobi
