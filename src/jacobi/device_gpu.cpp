#include "jacobi/device_gpu.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "genocl/error.hpp"
#include "jacobi/device_table.hpp"

namespace genocl::jacobi {

template <class T>
Crew<T>::Crew(Processes* processes, std::span<const Device> devices, const RunSettings& settings, SolveOptions options,
              Hooks hooks, Tell tell, Report& report)
    : options_(std::move(options)),
      hooks_(std::move(hooks)),
      tell_(std::move(tell)),
      settings_(settings),
      report_(report),
      workers_(make_workers(devices, settings_, sizeof(T), options_, hooks_)),
      roster_(make_roster(workers_, sizeof(T), processes)),
      computing_(workers_.size(), 0) {}

template <class T>
void Crew<T>::load(const HostGrid<T>& grid) {
  if (shares_) return shares_->restart(grid);
  if (bands_) return bands_->load(grid);
  first_.emplace(workers_, roster_, settings_, options_, hooks_, report_);
  const std::optional<Shares> chosen = first_->choose();
  if (!chosen) {
    if (roster_.processes != nullptr || settings_.layout.ring) refuse_bands();
    bands_ = std::make_unique<BandRun<T>>(workers_, settings_, options_, hooks_, tell_);
    report_.decisions.push_back(bands_->decision());
    bands_->load(grid);
    return;
  }
  Steering* const steering = first_->steering();
  shares_ = std::make_unique<ShareRun<T>>(workers_, roster_, settings_, hooks_, tell_, steering != nullptr);
  std::vector<SweepLevels> levels;
  for (const Worker& worker : workers_) levels.push_back(first_->levels_of(worker));
  if (steering != nullptr && !steering->expected().empty()) shares_->reserve(*chosen, steering->expected(), levels);
  shares_->start(*chosen, grid, levels);
  if (roster_.processes != nullptr) roster_.processes->gather({});  // the clocks begin together
}

template <class T>
void Crew<T>::refuse_bands() const {
  const Layout& layout = settings_.layout;
  std::uint64_t most = 0;
  for (const Member& member : roster_.members) most += member.most;
  const std::uint64_t slice = layout.slice() * settings_.cell_bytes(sizeof(T));
  const std::uint64_t borders = roster_.size() - (layout.ring ? 0 : 1);
  throw CapacityError("a grid of " + layout.shape.text() + " cells" +
                          (layout.ring ? ", which does not go in bands as its slices are periodic," : "") +
                          " with ghosts on the devices" + (roster_.processes != nullptr ? " of all processes" : ""),
                      (layout.slices + 2 * settings_.exchange_every * borders) * slice, most * slice);
}

template <class T>
void Crew<T>::store(const HostGrid<T>& grid) {
  if (shares_)
    shares_->store(grid);
  else
    bands_->store(grid);
}

template <class T>
void Crew<T>::prepare(std::uint64_t iterations, std::uint64_t check_every) {
  if (!shares_) return;
  std::vector<SweepLevels> levels;
  for (const Worker& worker : workers_) levels.push_back(first_->levels_of(worker, iterations, check_every));
  shares_->prepare(levels);
}

template <class T>
std::uint64_t Crew<T>::steer() {
  Steering* const steering = shares_ ? first_->steering() : nullptr;
  if (steering == nullptr) return std::numeric_limits<std::uint64_t>::max();
  if (stretch_ < steering->wanted()) return steering->wanted() - stretch_;
  for (double& one : computing_) one /= static_cast<double>(stretch_);
  const auto moved = steering->look(stretch_, stretch_seconds_ / static_cast<double>(stretch_), computing_);
  stretch_ = 0;
  stretch_seconds_ = 0;
  std::fill(computing_.begin(), computing_.end(), 0);
  if (moved) shares_->move(*moved);
  return steering->wanted();
}

template <class T>
void Crew<T>::advance(std::uint64_t iterations, bool with_change) {
  if (bands_) return bands_->advance(iterations, with_change);
  const double seconds = shares_->advance(iterations, with_change);
  stretch_ += iterations;
  stretch_seconds_ += seconds;
  for (std::size_t i = 0; i < computing_.size(); ++i) computing_[i] += shares_->spent()[i].computing;
}

template <class T>
std::uint64_t Crew<T>::iterations() const noexcept {
  return shares_ ? shares_->iterations() : bands_ ? bands_->iterations() : 0;
}

template <class T>
std::vector<std::string> Crew<T>::decisions() const {
  const Steering* const steering = first_ ? std::as_const(*first_).steering() : nullptr;
  return steering != nullptr ? steering->decisions() : std::vector<std::string>();
}

template <class T>
std::vector<WorkDone> Crew<T>::done() const {
  if (shares_) return {shares_->done().begin(), shares_->done().end()};
  std::vector<WorkDone> done(workers_.size());
  if (bands_)
    for (std::size_t i = 0; i < done.size(); ++i) {
      const BandsDone& mine = bands_->done()[i];
      done[i].updates = mine.updates;
      done[i].spent.computing = mine.computing;
      done[i].spent.exchanging = mine.waiting;
    }
  return done;
}

template <class T>
std::vector<Part> Crew<T>::parts() const {
  return shares_ ? parts_of(shares_->shares()) : std::vector<Part>(roster_.size());
}

template class Crew<float>;
template class Crew<double>;

}  // namespace genocl::jacobi
