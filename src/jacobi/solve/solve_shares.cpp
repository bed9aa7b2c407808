#include "jacobi/solve/solve_shares.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <optional>

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

}  // namespace genocl::jacobi
