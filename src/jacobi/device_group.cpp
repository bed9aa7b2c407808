#include "jacobi/device_group.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "genocl/error.hpp"

namespace genocl::jacobi {

template <class T>
DeviceGroup<T>::DeviceGroup(ProcessGroup* processes, Devices devices, const RunSettings& settings, SolveOptions options,
                            Hooks hooks, IterationCallback report_iterations, Report& report)
    : options_(std::move(options)),
      hooks_(std::move(hooks)),
      report_iterations_(std::move(report_iterations)),
      settings_(settings),
      report_(report),
      run_devices_(make_run_devices(devices, settings_, sizeof(T), options_, hooks_)),
      table_(make_device_table(run_devices_, sizeof(T), processes)),
      balancer_(processes),
      computing_(run_devices_.size(), 0) {}

template <class T>
void DeviceGroup<T>::load(const HostGrid<T>& grid) {
  if (partitions_) return partitions_->restart(grid);
  if (bands_) return bands_->load(grid);
  const std::optional<PartitionSizes> sizes =
      balancer_.choose(table_, settings_, options_, hooks_, sizeof(T), report_, [this] { return measure(); });
  if (!sizes) {
    if (table_.processes != nullptr || settings_.layout.ring) refuse_bands();
    bands_ = std::make_unique<BandedSolver<T>>(run_devices_, settings_, options_, hooks_, report_iterations_);
    report_.decisions.push_back(bands_->decision());
    bands_->load(grid);
    return;
  }
  partitions_ = std::make_unique<PartitionedSolver<T>>(run_devices_, table_, settings_, hooks_, report_iterations_,
                                                       balancer_.is_active());
  const std::vector<FusedStepSet> steps = fused_steps();
  if (!balancer_.predicted().empty()) partitions_->reserve(*sizes, balancer_.predicted(), steps);
  partitions_->start(*sizes, grid, steps);
  if (table_.processes != nullptr) table_.processes->gather({});  // all processes start their clocks together
}

template <class T>
void DeviceGroup<T>::refuse_bands() const {
  const Layout& layout = settings_.layout;
  std::uint64_t held = 0;
  for (const DeviceEntry& entry : table_.entries) held += entry.max_slices;
  const std::uint64_t slice = layout.slice() * settings_.cell_bytes(sizeof(T));
  const std::uint64_t boundaries = table_.size() - (layout.ring ? 0 : 1);
  throw CapacityError("a grid of " + layout.shape.text() + " cells" +
                          (layout.ring ? ", which does not go in bands as its slices are periodic," : "") +
                          " with halos on the devices" + (table_.processes != nullptr ? " of all processes" : ""),
                      (layout.slices + 2 * settings_.halo_depth * boundaries) * slice, held * slice);
}

template <class T>
std::vector<MeasuredSpeed> DeviceGroup<T>::measure() const {
  const std::vector<FusedStepSet> steps = fused_steps();
  std::vector<MeasuredSpeed> speeds;
  for (std::size_t i = 0; i < run_devices_.size(); ++i) {
    if (i < hooks_.slice_seconds.size()) {
      speeds.push_back({{0, hooks_.slice_seconds[i]}, 0});
      continue;
    }
    const RunDevice& one = run_devices_[i];
    speeds.push_back(attribute_errors(
        i, [&] { return measure_speed<T>(one.device, one.plan, settings_, one.max_slices, steps[i]); }));
  }
  return speeds;
}

template <class T>
std::vector<FusedStepSet> DeviceGroup<T>::fused_steps(std::uint64_t iterations, std::uint64_t check_every) const {
  std::vector<FusedStepSet> all(run_devices_.size());
  if (iterations == 0) return all;
  const std::uint64_t interval = check_every != 0 ? std::min(check_every, iterations) : iterations;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const std::uint64_t length : {interval, iterations % interval}) {
      const unsigned most = run_devices_[i].plan.fused_steps;
      if (table_.size() == 1 || options_.balance == Balance::automatic) add_fused_steps(all[i], most, length, true);
      if (table_.size() > 1) add_fused_steps_per_exchange(all[i], most, settings_.halo_depth, length, true);
    }
  return all;
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
  if (partitions_) partitions_->prepare(fused_steps(iterations, check_every));
}

template <class T>
std::uint64_t DeviceGroup<T>::balance() {
  if (!partitions_ || !balancer_.is_active()) return std::numeric_limits<std::uint64_t>::max();
  if (interval_ < balancer_.next_update()) return balancer_.next_update() - interval_;
  const auto iterations = static_cast<double>(interval_);
  for (double& seconds : computing_) seconds /= iterations;
  const auto sizes = balancer_.update(interval_, interval_seconds_ / iterations, computing_);
  interval_ = 0;
  interval_seconds_ = 0;
  std::fill(computing_.begin(), computing_.end(), 0);
  if (sizes) partitions_->move(*sizes);
  return balancer_.next_update();
}

template <class T>
void DeviceGroup<T>::advance(std::uint64_t iterations, bool with_change) {
  if (bands_) return bands_->advance(iterations, with_change);
  interval_seconds_ += partitions_->advance(iterations, with_change);
  interval_ += iterations;
  for (std::size_t i = 0; i < computing_.size(); ++i) computing_[i] += partitions_->times()[i].computing;
}

template <class T>
std::uint64_t DeviceGroup<T>::iterations() const noexcept {
  return partitions_ ? partitions_->iterations() : bands_ ? bands_->iterations() : 0;
}

template <class T>
std::vector<DeviceTotals> DeviceGroup<T>::done() const {
  if (partitions_) return {partitions_->done().begin(), partitions_->done().end()};
  std::vector<DeviceTotals> done(run_devices_.size());
  if (bands_)
    for (std::size_t i = 0; i < done.size(); ++i) {
      const BandTotals& bands = bands_->done()[i];
      done[i] = {bands.updates, bands.computing, bands.waiting};
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
