// Copies of the grid in the host's memory, from which the other devices go on when one fails.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "jacobi/exchange/host_grid.hpp"

namespace genocl::jacobi {

/// There is always a whole one: a new copy is made beside the last.
template <class T>
class KeptGrid {
 public:
  explicit KeptGrid(std::uint64_t cells) : cells_(cells) {}

  /// The cells at that iteration are there, and stay as they are.
  void points_to(const HostGrid<T>& grid, std::uint64_t iteration) {
    grid_ = grid;
    iteration_ = iteration;
    own_ = slots_.size();
  }
  /// What there is to go on from is about to change.
  void forget_if_in(std::span<const T> cells) {
    if (grid_ && !grid_->whole.empty() && grid_->whole.data() == cells.data()) grid_.reset();
  }
  void forget() { grid_.reset(); }

  bool any() const noexcept { return grid_.has_value(); }
  const HostGrid<T>& grid() const noexcept { return *grid_; }
  std::uint64_t iteration() const noexcept { return iteration_; }

  /// Bytes that the next copy takes of the host.
  std::uint64_t new_bytes() const noexcept { return slots_[next()] ? 0 : cells_ * sizeof(T); }
  /// fill(place) copies the cells of that iteration into it; when it throws, the last copy is what there is.
  template <class Fill>
  void keep(std::uint64_t iteration, Fill&& fill) {
    const std::size_t slot = next();
    if (!slots_[slot]) slots_[slot].reset(new T[cells_]);  // pages come where they are first written, by many threads
    const HostGrid<T> copy{{slots_[slot].get(), static_cast<std::size_t>(cells_)}, {}, {}};
    fill(copy);
    grid_ = copy;
    iteration_ = iteration;
    own_ = slot;
  }

 private:
  std::size_t next() const noexcept { return own_ == 0 ? 1 : 0; }

  std::uint64_t cells_;
  std::array<std::unique_ptr<T[]>, 2> slots_;
  std::size_t own_ = 2;  // the slot that has the last copy; 2: it is elsewhere
  std::optional<HostGrid<T>> grid_;
  std::uint64_t iteration_ = 0;
};

}  // namespace genocl::jacobi
