#include "jacobi/partitioned_solver.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "jacobi/validate.hpp"

namespace genocl::jacobi {

std::vector<Part> parts_of(const Shares& shares, std::uint64_t first) {
  std::vector<Part> parts;
  for (const std::uint64_t share : shares) {
    parts.push_back({first, first + share});
    first += share;
  }
  return parts;
}

template <class T>
ShareRun<T>::ShareRun(std::span<const Worker> workers, Roster roster, const RunSettings& settings, const Hooks& hooks,
                      Tell tell, bool roomy)
    : workers_(workers.begin(), workers.end()),
      roster_(std::move(roster)),
      settings_(settings),
      tell_(std::move(tell)),
      fail_transfer_(hooks.fail_transfer),
      roomy_(roomy),
      played_(!hooks.slice_seconds.empty()),
      courier_(roster_.processes),
      spent_(workers.size()),
      done_(workers.size()),
      // The courier is one more.
      team_(workers.size() + (roster_.processes != nullptr ? 1 : 0)) {
  for (std::size_t i = 0; i < workers.size(); ++i) {
    runners_.push_back(on_device(roster_.first + i, [&] {
      return std::make_unique<ShareRunner<T>>(workers[i].device, workers[i].plan, settings);
    }));
    if (i < hooks.slice_seconds.size()) runners_[i]->play(hooks.slice_seconds[i]);
    if (hooks.fail_at)
      runners_[i]->interrupt([i, call = hooks.fail_at](std::uint64_t iteration) { call(i, iteration); });
  }
}

template <class T>
Part ShareRun<T>::room_for(std::size_t member, const Part& part) const {
  const Part needed = with_ghosts(settings_, part);
  if (!roomy_) return needed;
  const std::uint64_t most = std::max(roster_[member].most, needed.size());
  const std::uint64_t spare = std::min((most - needed.size()) / 2, part.size() / 2);
  return {needed.begin - std::min(spare, needed.begin), std::min(needed.end + spare, settings_.layout.numbers())};
}

// From the first share to the last, and in a ring from the last to the first.
template <class T>
template <class Use>
void ShareRun<T>::for_neighbours(const Shares& shares, Use&& use) const {
  std::size_t upper = shares.size(), first = shares.size();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] == 0) continue;
    if (upper == shares.size())
      first = i;
    else
      use(upper, i);
    upper = i;
  }
  if (settings_.layout.ring && upper != first) use(upper, first);
}

// Memory for the parts, and neighbours that know each other.
template <class T>
void ShareRun<T>::place(const Shares& shares) {
  const std::vector<Part> parts = this->parts(shares);
  shares_ = shares;
  courier_.disconnect();
  std::vector<Border<T>*> above(runners_.size(), nullptr), below(runners_.size(), nullptr);
  const std::size_t elements = settings_.exchange_every * settings_.layout.slice();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (roster_.has(i)) on_device(i, [&] { runner(i).cells().own(parts[i], room_for(i, parts[i])); });
  for_neighbours(shares, [&](std::size_t upper, std::size_t lower) {
    if (!roster_.has(upper) && !roster_.has(lower)) return;
    const std::shared_ptr<Border<T>>& between = border(upper, lower);
    if (roster_.has(upper))
      below[upper - roster_.first] = between.get();
    else
      courier_.connect_above(roster_[upper].process, between, elements);
    if (roster_.has(lower))
      above[lower - roster_.first] = between.get();
    else
      courier_.connect_below(roster_[lower].process, between, elements);
  });
  for (std::size_t i = 0; i < runners_.size(); ++i) runners_[i]->connect(above[i], below[i]);
}

// Kept for the whole run: page-locking takes longer than an exchange. One of the two is of this process.
template <class T>
const std::shared_ptr<Border<T>>& ShareRun<T>::border(std::size_t upper, std::size_t lower) {
  auto& border = borders_[{upper, lower}];
  if (!border) {
    const bool of_lower = !roster_.has(upper) || (roster_.has(lower) && roster_[upper].type == DeviceType::cpu);
    const std::size_t owner = of_lower ? lower : upper;
    border = on_device(owner, [&] {
      return std::make_shared<Border<T>>(runner(owner).device(), settings_.exchange_every * settings_.layout.slice());
    });
  }
  border->down.restart();
  border->up.restart();
  return border;
}

template <class T>
void ShareRun<T>::reserve(const Shares& first, const Shares& later, std::span<const SweepLevels> levels) {
  make_piece();
  const std::vector<Part> parts = this->parts(later);
  for_neighbours(later, [&](std::size_t upper, std::size_t lower) {
    if (roster_.has(upper) || roster_.has(lower)) border(upper, lower);
  });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty() || first[i] != 0 || !roster_.has(i)) continue;
    on_device(i, [&] {
      ShareCells<T>& cells = runner(i).cells();
      cells.own(parts[i], room_for(i, parts[i]));
      cells.now().fill(0);  // a host's pages come with the first touch
      cells.next().fill(0);
      runner(i).prepare(levels[i - roster_.first]);
    });
  }
}

template <class T>
void ShareRun<T>::start(const Shares& shares, const HostGrid<T>& grid, std::span<const SweepLevels> levels) {
  place(shares);
  load(grid);
  prepare(levels);
  on_runners([](ShareRunner<T>& runner, std::size_t) { runner.device().finish(); });
}

template <class T>
void ShareRun<T>::prepare(std::span<const SweepLevels> levels) {
  on_runners([&](ShareRunner<T>& runner, std::size_t i) { runner.prepare(levels[i]); });
}

template <class T>
void ShareRun<T>::restart(const HostGrid<T>& grid) {
  load(grid);
  iterations_ = 0;
  on_runners([](ShareRunner<T>& runner, std::size_t) {
    runner.device().finish();
    runner.count_from(0);
  });
}

template <class T>
double ShareRun<T>::advance(std::uint64_t iterations, bool with_change) {
  if (with_change) squares_.assign(settings_.layout.slices * settings_.layout.rows_per_slice, 0);
  const double start = now();
  std::exception_ptr told;  // what `tell` has thrown
  gate_.open();
  team_.run(
      [&](std::size_t i) {
        if (i == runners_.size())
          courier_.carry((iterations + settings_.exchange_every - 1) / settings_.exchange_every, team_.stop());
        else
          spent_[i] = on_device(roster_.first + i, [&] {
            return runners_[i]->advance(iterations, with_change ? &squares_ : nullptr, team_.stop(), gate_);
          });
      },
      [&] {
        if (told) return;
        try {
          look();
        } catch (...) {
          if (roster_.processes != nullptr) throw;  // the others would not hear of it
          told = std::current_exception();
          gate_.close();
        }
      });
  if (told) {
    iterations = 0;
    for (const Spent& spent : spent_) iterations = std::max(iterations, spent.iterations);
  }
  double seconds = now() - start;
  if (played_) {  // until the last one is done
    seconds = 0;
    for (const Spent& spent : spent_) seconds = std::max(seconds, spent.computing);
  }
  iterations_ += iterations;
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    done_[i].spent.computing += spent_[i].computing;
    done_[i].spent.exchanging += spent_[i].exchanging;
    done_[i].updates +=
        static_cast<double>(settings_.layout.changing(runners_[i]->own().begin, runners_[i]->own().end)) *
        static_cast<double>(iterations);
  }
  if (told) std::rethrow_exception(told);
  return seconds;
}

// The sum goes through the rows in their order, whoever had them.
template <class T>
Change ShareRun<T>::change() {
  Change change;
  for (const auto& runner : runners_)
    if (!runner->own().empty()) change.max = std::max(change.max, static_cast<double>(runner->change_max()));
  if (roster_.processes != nullptr) {
    // Each number is one process's and 0 everywhere else: the sums of their bits are their bits, and one message takes
    // them all.
    std::vector<std::uint64_t> bits(squares_.size() + roster_.processes->size(), 0);
    for (std::size_t i = 0; i < squares_.size(); ++i) bits[i] = std::bit_cast<std::uint64_t>(squares_[i]);
    bits[squares_.size() + roster_.processes->rank()] = std::bit_cast<std::uint64_t>(change.max);
    roster_.processes->sum(bits);
    for (std::size_t i = 0; i < squares_.size(); ++i) squares_[i] = std::bit_cast<double>(bits[i]);
    for (std::size_t i = squares_.size(); i < bits.size(); ++i)
      change.max = std::max(change.max, std::bit_cast<double>(bits[i]));
  }
  return change_of(change.max, squares_);
}

template <class T>
void ShareRun<T>::look() {
  if (!tell_) return;
  std::optional<std::uint64_t> least;
  for (const auto& runner : runners_)
    if (!runner->own().empty()) least = std::min(least.value_or(runner->iterations()), runner->iterations());
  tell_(static_cast<double>(least.value_or(iterations_)));  // how far other processes are is not known
}

template class ShareRun<float>;
template class ShareRun<double>;

// How slices come to the devices of a run, go from one to another, and leave them.

namespace {

void wait_for(Transfer& transfer) {
  static const StopFlag never = false;
  wait_until(never, [&] { return transfer.done(); });
}

std::uint64_t cells_in(const Layout& layout, const Part& part) {
  return part.size() * layout.shape.width * layout.rows_per_slice;
}

}  // namespace

template <class T>
void ShareRun<T>::send(std::size_t process, std::span<const T> cells) {
  wait_for(*roster_.processes->send(process, Message::slices, std::as_bytes(cells)));
}

template <class T>
void ShareRun<T>::receive(std::size_t process, std::span<T> cells) {
  wait_for(*roster_.processes->receive(process, Message::slices, std::as_writable_bytes(cells)));
}

// Device by device in one order, so that no two processes wait for one another.
template <class T>
void ShareRun<T>::load(const HostGrid<T>& grid) {
  const Layout& layout = settings_.layout;
  std::vector<T> cells;
  const auto piece_of = [&](const Part& piece) {
    cells.resize(cells_in(layout, piece));
    return std::span<T>(cells);
  };
  if (grid.read) {
    for (std::size_t i = 0; i < runners_.size(); ++i)
      for_pieces<T>(layout, with_ghosts(settings_, runners_[i]->own()), [&](const Part& piece) {
        grid.read(layout.in_grid(piece.begin), piece_of(piece));
        check_finite<T>(cells, layout.shape, layout.in_grid(piece.begin));
        transfer(roster_.first + i, [&] { runners_[i]->cells().load(piece, cells); });
      });
    return;
  }
  if (roster_.is_root()) transfer_all([&](ShareRunner<T>& runner) { runner.cells().load(grid.whole); });
  const std::vector<Part> parts = this->parts(shares_);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool here = roster_.has(i);
    if (roster_.is_root() == here) continue;
    for_pieces<T>(layout, with_ghosts(settings_, parts[i]), [&](const Part& piece) {
      if (!here) {
        send(roster_[i].process, slices_of(std::span<const T>(grid.whole), layout, piece));
        return;
      }
      receive(0, piece_of(piece));
      runner(i).cells().load(piece, cells);
    });
  }
}

template <class T>
void ShareRun<T>::store(const HostGrid<T>& grid) {
  const Layout& layout = settings_.layout;
  std::vector<T> cells;
  const auto fetch = [&](ShareRunner<T>& from, const Part& piece) {
    cells.resize(cells_in(layout, piece));
    from.cells().store(piece, cells);
  };
  if (grid.read || grid.write) {
    if (!grid.write) return;
    for (std::size_t i = 0; i < runners_.size(); ++i)
      for_pieces<T>(layout, runners_[i]->own(), [&](const Part& piece) {
        transfer(roster_.first + i, [&] { fetch(*runners_[i], piece); });
        grid.write(layout.in_grid(piece.begin), cells);
      });
    return;
  }
  if (roster_.is_root()) transfer_all([&](ShareRunner<T>& runner) { runner.cells().store(grid.whole); });
  const std::vector<Part> parts = this->parts(shares_);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool here = roster_.has(i);
    if (roster_.is_root() == here) continue;
    for_pieces<T>(layout, parts[i], [&](const Part& piece) {
      if (!here) {
        receive(roster_[i].process, slices_of(grid.whole, layout, piece));
        return;
      }
      fetch(runner(i), piece);
      send(0, std::span<const T>(cells));
    });
  }
}

template <class T>
void ShareRun<T>::move(const Shares& shares) {
  if (shares == shares_) return;
  struct Moved {
    std::size_t from, to;
    Part part;
    std::uint64_t there;    // the number of its first slice where it goes
    std::vector<T> slices;  // empty: still where it was
  };
  // In a ring ghosts are slices of the grid by another number.
  const std::uint64_t around = settings_.layout.ring ? settings_.layout.slices : 0;
  const std::vector<Part> before = parts(shares_), after = parts(shares);
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
    const auto find = [&](const Part& lack, std::size_t from, std::uint64_t less, std::uint64_t more) {
      const Part image{before[from].begin + more - less, before[from].end + more - less};
      const Part part = common(lack, image);
      if (!part.empty())
        moved.push_back({from, to, {part.begin + less - more, part.end + less - more}, part.begin, {}});
    };
    for (const Part& lack : missing)
      for (std::size_t from = 0; from < before.size(); ++from) {
        if (before[from].empty() || (!roster_.has(from) && !roster_.has(to))) continue;
        find(lack, from, 0, 0);
        if (around == 0) continue;
        find(lack, from, around, 0);
        find(lack, from, 0, around);
      }
  }
  // Whoever needs other memory forgets what it no longer needs.
  for (Moved& one : moved) {
    if (!roster_.has(one.from)) continue;
    ShareCells<T>& cells = runner(one.from).cells();
    if (common(with_ghosts(settings_, after[one.from]), cells.room()) != with_ghosts(settings_, after[one.from]))
      transfer(one.from, [&] { one.slices = cells.read(one.part); });
  }
  place(shares);
  // In one order everywhere, so that no two processes wait for one another.
  for (const Moved& one : moved) {
    if (one.slices.empty())
      pass_on(one.from, one.to, one.part, one.there);
    else
      pass_on(one.to, {one.there, one.there + one.part.size()}, one.slices);
  }
  on_runners([&](ShareRunner<T>& runner, std::size_t) {
    runner.device().finish();
    runner.count_from(iterations_);
  });
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
void ShareRun<T>::pass_on(std::size_t from, std::size_t to, const Part& part, std::uint64_t there) {
  make_piece();
  const std::uint64_t slice = settings_.layout.slice(), together = piece_.size() / slice;
  for (std::uint64_t first = part.begin; first < part.end; first += together) {
    const std::uint64_t count = std::min(together, part.end - first);
    const std::span<T> cells(piece_.data(), count * slice);
    if (roster_.has(from)) {
      ShareCells<T>& source = runner(from).cells();
      transfer(from, [&] { source.now().download(cells, source.element(first)); });
    } else {
      receive(roster_[from].process, cells);
    }
    if (roster_.has(to)) {
      ShareCells<T>& target = runner(to).cells();
      transfer(to, [&] { target.now().upload(cells, target.element(there + (first - part.begin))); });
    } else {
      send(roster_[to].process, std::span<const T>(cells));
    }
  }
}

// The same of slices that were read before.
template <class T>
void ShareRun<T>::pass_on(std::size_t to, const Part& part, std::span<const T> slices) {
  if (roster_.has(to)) {
    transfer(to, [&] { runner(to).cells().write(part, slices); });
    return;
  }
  make_piece();
  const std::uint64_t together = piece_.size();
  for (std::uint64_t first = 0; first < slices.size(); first += together)
    send(roster_[to].process, slices.subspan(first, std::min<std::uint64_t>(together, slices.size() - first)));
}

// The other members are in solve_shares.cpp.
#define GENOCL_INSTANTIATE(T)                                                               \
  template void ShareRun<T>::load(const HostGrid<T>&);                                      \
  template void ShareRun<T>::store(const HostGrid<T>&);                                     \
  template void ShareRun<T>::move(const Shares&);                                           \
  template void ShareRun<T>::make_piece();                                                  \
  template void ShareRun<T>::pass_on(std::size_t, std::size_t, const Part&, std::uint64_t); \
  template void ShareRun<T>::pass_on(std::size_t, const Part&, std::span<const T>);         \
  template void ShareRun<T>::send(std::size_t, std::span<const T>);                         \
  template void ShareRun<T>::receive(std::size_t, std::span<T>);
GENOCL_INSTANTIATE(float)
GENOCL_INSTANTIATE(double)
#undef GENOCL_INSTANTIATE

Team::Team(std::size_t members) {
  try {
    threads_.reserve(members);
    for (std::size_t i = 0; i < members; ++i) threads_.emplace_back([this, i] { work(i); });
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    called_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    throw;
  }
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  called_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::fail(std::exception_ptr error) noexcept {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(error);
  stop_.store(true);
}

void Team::work(std::size_t member) {
  std::size_t done = 0;
  for (;;) {
    const std::function<void(std::size_t)>* job = nullptr;
    {
      std::unique_lock lock(mutex_);
      called_.wait(lock, [&] { return closed_ || calls_ != done; });
      if (closed_) return;
      done = calls_;
      job = job_;
    }
    try {
      (*job)(member);
    } catch (const Stopped&) {  // another one has failed
    } catch (...) {
      fail(std::current_exception());
    }
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) ended_.notify_all();
  }
}

void Team::run(const std::function<void(std::size_t)>& job, const std::function<void()>& look) {
  constexpr auto between_looks = std::chrono::milliseconds(20);
  std::unique_lock lock(mutex_);
  failure_ = nullptr;  // of a call before
  stop_.store(false);
  job_ = &job;
  running_ = threads_.size();
  ++calls_;
  called_.notify_all();
  while (!ended_.wait_for(lock, between_looks, [&] { return running_ == 0; })) {
    if (stop_.load()) continue;
    lock.unlock();
    try {
      look();
    } catch (...) {
      fail(std::current_exception());
    }
    lock.lock();
  }
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace genocl::jacobi
