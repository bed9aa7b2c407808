// How slices come to the devices of a run, go from one to another, and leave them.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "jacobi/checks.hpp"
#include "jacobi/solve/solve_shares.hpp"

namespace genocl::jacobi {
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

}  // namespace genocl::jacobi
