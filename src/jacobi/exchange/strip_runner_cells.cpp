#include "jacobi/exchange/strip_runner_cells.hpp"

#include <utility>

#include "jacobi/exchange/exchange_slices.hpp"

namespace genocl::jacobi {
namespace {

/// Elements of the caller's slices: they have no pitch.
template <class Cells>
auto slices_of(Cells grid, const Layout& layout, const Part& part) {
  const std::uint64_t slice = layout.shape.width * layout.rows_per_slice;
  return grid.subspan(part.begin * slice, part.size() * slice);
}

}  // namespace

template <class T>
void StripCells<T>::own(const Part& part, const Part& wanted_room) {
  const Part needed = with_ghosts(settings_, part);
  if (!part.empty() && common(needed, room()) != needed) {
    const Part known = common(common(with_ghosts(settings_, own_), room()), wanted_room);
    const std::uint64_t old_first = strip_.first;
    next() = {};
    Array<T> old = std::move(now());
    take_memory(wanted_room);
    if (!known.empty()) {
      const std::uint64_t slice = strip_.layout.slice();
      cells_[0].copy_from(old, known.size() * slice, (known.begin - old_first) * slice, element(known.begin));
      device_.finish();
    }
    old = {};
    cells_[1] = Array<T>(device_, strip_.elements());
    current_ = 0;
  }
  own_ = part;
}

template <class T>
void StripCells<T>::take_memory(const Part& room) {
  strip_.first = room.begin;
  strip_.count = room.size();
  cells_[0] = Array<T>(device_, strip_.elements());
  if (settings_.fixed_cells.empty()) return;
  strip_.fixed = Array<std::uint8_t>(device_, strip_.elements());
  SliceMover<std::uint8_t>(device_, strip_.layout)
      .upload(slices_of(settings_.fixed_cells, strip_.layout, room), strip_.fixed, 0);
}

template <class T>
void StripCells<T>::load(std::span<const T> grid) {
  const Part part = with_ghosts(settings_, own_);
  if (part.empty()) return;
  SliceMover<T>(device_, strip_.layout).upload(slices_of(grid, strip_.layout, part), now(), local(part.begin));
}

template <class T>
void StripCells<T>::store(std::span<T> grid) const {
  if (own_.empty()) return;
  SliceMover<T>(device_, strip_.layout)
      .download(cells_[current_], local(own_.begin), slices_of(grid, strip_.layout, own_));
}

template <class T>
std::vector<T> StripCells<T>::read(const Part& part) const {
  std::vector<T> slices(part.size() * strip_.layout.slice());
  cells_[current_].download(slices, element(part.begin));
  return slices;
}

template <class T>
void StripCells<T>::write(const Part& part, std::span<const T> slices) {
  now().upload(slices, element(part.begin));
}

template class StripCells<float>;
template class StripCells<double>;

}  // namespace genocl::jacobi
