#include "jacobi/solve/solve_shares.hpp"

#include <algorithm>
#include <cmath>

#include "genocl/error.hpp"

namespace genocl::jacobi {

std::vector<Part> parts_of(const Shares& shares) {
  std::vector<Part> parts;
  std::uint64_t first = 0;
  for (const std::uint64_t share : shares) {
    parts.push_back({first, first + share});
    first += share;
  }
  return parts;
}

template <class T>
ShareRun<T>::ShareRun(std::span<const Worker> workers, const RunSettings& settings, const Hooks& hooks,
                      const Progress& progress, std::uint64_t total, bool roomy)
    : workers_(workers.begin(), workers.end()),
      settings_(settings),
      progress_(progress),
      total_(total),
      roomy_(roomy),
      played_(!hooks.slice_seconds.empty()),
      spent_(workers.size()),
      done_(workers.size()),
      team_(workers.size()) {
  for (std::size_t i = 0; i < workers.size(); ++i) {
    runners_.push_back(std::make_unique<ShareRunner<T>>(workers[i].device, workers[i].plan, settings));
    if (i < hooks.slice_seconds.size()) runners_[i]->play(hooks.slice_seconds[i]);
    if (hooks.fail_at)
      runners_[i]->interrupt([i, call = hooks.fail_at](std::uint64_t iteration) { call(i, iteration); });
  }
}

template <class T>
Part ShareRun<T>::room_for(std::size_t device, const Part& part) const {
  const Part needed = with_ghosts(settings_, part);
  if (!roomy_) return needed;
  const std::uint64_t most = std::max(workers_[device].most, needed.size());
  const std::uint64_t spare = std::min((most - needed.size()) / 2, part.size() / 2);
  return {needed.begin - std::min(spare, needed.begin), std::min(needed.end + spare, settings_.layout.slices)};
}

// Memory for the parts, and neighbours that know each other.
template <class T>
void ShareRun<T>::place(const Shares& shares) {
  const std::vector<Part> parts = parts_of(shares);
  for (std::size_t i = 0; i < parts.size(); ++i) runners_[i]->cells().own(parts[i], room_for(i, parts[i]));
  shares_ = shares;
  std::size_t upper = runners_.size();
  Border<T>* above = nullptr;
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    runners_[i]->connect(nullptr, nullptr);
    if (parts[i].empty()) continue;
    Border<T>* between = nullptr;
    if (upper != runners_.size()) {
      between = &border(upper, i);
      runners_[upper]->connect(above, between);
    }
    runners_[i]->connect(between, nullptr);
    above = between;
    upper = i;
  }
}

// Kept for the whole run: page-locking takes longer than an exchange.
template <class T>
Border<T>& ShareRun<T>::border(std::size_t upper, std::size_t lower) {
  auto& border = borders_[{upper, lower}];
  if (!border) {
    const bool upper_is_cpu = workers_[upper].device.info().type == DeviceType::cpu;
    const Device& owner = runners_[upper_is_cpu ? lower : upper]->device();
    border = std::make_unique<Border<T>>(owner, settings_.exchange_every * settings_.layout.slice());
  }
  border->down.restart();
  border->up.restart();
  return *border;
}

template <class T>
void ShareRun<T>::reserve(const Shares& first, const Shares& later, std::span<const SweepLevels> levels) {
  make_piece();
  const std::vector<Part> parts = parts_of(later);
  std::size_t upper = runners_.size();
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    if (parts[i].empty()) continue;
    if (upper != runners_.size()) border(upper, i);
    upper = i;
    if (first[i] != 0) continue;
    ShareCells<T>& cells = runners_[i]->cells();
    cells.own(parts[i], room_for(i, parts[i]));
    cells.now().fill(0);  // a host's pages come with the first touch
    cells.next().fill(0);
    runners_[i]->prepare(levels[i]);
  }
}

template <class T>
void ShareRun<T>::start(const Shares& shares, std::span<const T> grid, std::span<const SweepLevels> levels) {
  place(shares);
  team_.run([&](std::size_t i) { runners_[i]->cells().load(grid); }, [] {});
  for (std::size_t i = 0; i < runners_.size(); ++i) runners_[i]->prepare(levels[i]);
  for (const auto& runner : runners_) runner->device().finish();
}

template <class T>
void ShareRun<T>::move(const Shares& shares) {
  if (shares == shares_) return;
  struct Moved {
    std::size_t from, to;
    Part part;
    std::vector<T> slices;  // empty: still where it was
  };
  const std::vector<Part> before = parts_of(shares_), after = parts_of(shares);
  std::vector<Moved> moved;
  for (std::size_t to = 0; to < after.size(); ++to) {
    const Part needed = with_ghosts(settings_, after[to]), known = with_ghosts(settings_, before[to]);
    if (needed.empty()) continue;
    // What it lacks lies before or behind what it has.
    Part missing[2] = {needed, {}};
    if (!common(needed, known).empty()) {
      missing[0] = {needed.begin, std::min(needed.end, known.begin)};
      missing[1] = {std::max(needed.begin, known.end), needed.end};
    }
    for (const Part& lack : missing)
      for (std::size_t from = 0; from < before.size(); ++from)
        if (const Part part = common(lack, before[from]); !part.empty()) moved.push_back({from, to, part, {}});
  }
  // Whoever needs other memory forgets what it no longer needs.
  for (Moved& one : moved) {
    ShareCells<T>& cells = runners_[one.from]->cells();
    if (common(with_ghosts(settings_, after[one.from]), cells.room()) != with_ghosts(settings_, after[one.from]))
      one.slices = cells.read(one.part);
  }
  place(shares);
  for (const Moved& one : moved) {
    ShareCells<T>&from = runners_[one.from]->cells(), &to = runners_[one.to]->cells();
    if (one.slices.empty())
      pass_on(from, to, one.part);
    else
      to.write(one.part, one.slices);
  }
  for (const auto& runner : runners_) {
    runner->device().finish();
    runner->count_from(iterations_);
  }
}

template <class T>
void ShareRun<T>::make_piece() {
  if (piece_.size() != 0) return;
  constexpr std::uint64_t piece_bytes = std::uint64_t{8} << 20;
  const std::uint64_t slice = settings_.layout.slice();
  const auto gpu = std::find_if(workers_.begin(), workers_.end(),
                                [](const Worker& worker) { return worker.device.info().type != DeviceType::cpu; });
  piece_ = HostArray<T>(gpu != workers_.end() ? gpu->device : workers_[0].device,
                        std::max<std::uint64_t>(1, piece_bytes / (slice * sizeof(T))) * slice);
}

// Piece by piece, through memory that is page-locked once.
template <class T>
void ShareRun<T>::pass_on(ShareCells<T>& from, ShareCells<T>& to, const Part& part) {
  make_piece();
  const std::uint64_t slice = settings_.layout.slice(), together = piece_.size() / slice;
  for (std::uint64_t first = part.begin; first < part.end; first += together) {
    const std::uint64_t count = std::min(together, part.end - first);
    const std::span<T> cells(piece_.data(), count * slice);
    from.now().download(cells, from.element(first));
    to.now().upload(cells, to.element(first));
  }
}

template <class T>
double ShareRun<T>::advance(std::uint64_t iterations, bool with_change) {
  if (with_change) squares_.resize(settings_.layout.slices * settings_.layout.rows_per_slice);
  const double start = now();
  team_.run(
      [&](std::size_t i) {
        spent_[i] = runners_[i]->advance(iterations, with_change ? &squares_ : nullptr, team_.stop());
      },
      [this] { look(); });
  double seconds = now() - start;
  if (played_) {  // until the last one is done
    seconds = 0;
    for (const Spent& spent : spent_) seconds = std::max(seconds, spent.computing);
  }
  iterations_ += iterations;
  const std::vector<Part> parts = parts_of(shares_);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    done_[i].spent.computing += spent_[i].computing;
    done_[i].spent.exchanging += spent_[i].exchanging;
    done_[i].updates += static_cast<double>(updates_in(parts[i])) * static_cast<double>(iterations);
  }
  return seconds;
}

// The sum goes through the rows in their order, whoever had them.
template <class T>
Change ShareRun<T>::change() const {
  Change change;
  for (const auto& runner : runners_)
    if (!runner->own().empty()) change.max = std::max(change.max, static_cast<double>(runner->change_max()));
  double sum = 0;
  for (const double square : squares_) sum += square;
  change.l2 = std::sqrt(sum);
  return change;
}

template <class T>
void ShareRun<T>::store(std::span<T> grid) const {
  for (const auto& runner : runners_) runner->cells().store(grid);
}

template <class T>
void ShareRun<T>::look() {
  std::uint64_t least = total_;
  for (const auto& runner : runners_)
    if (!runner->own().empty()) least = std::min(least, runner->iterations());
  report_progress(least);
}

template <class T>
void ShareRun<T>::report_progress(std::uint64_t done) {
  if (!progress_) return;
  reported_ = std::max(reported_, done);
  const double fraction = total_ == 0 ? 1 : static_cast<double>(reported_) / static_cast<double>(total_);
  if (!progress_({fraction, reported_, total_})) throw Cancelled();
}

template <class T>
std::uint64_t ShareRun<T>::updates_in(const Part& part) const {
  const Shape& shape = settings_.layout.shape;
  const Part inside = common(part, {1, settings_.layout.slices - 1});
  return inside.size() * (shape.width - 2) * (shape.three_dimensional() ? shape.height - 2 : 1);
}

template class ShareRun<float>;
template class ShareRun<double>;

}  // namespace genocl::jacobi
