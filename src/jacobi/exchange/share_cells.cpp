#include "jacobi/exchange/share_cells.hpp"

#include <utility>

#include "jacobi/exchange/exchange_slices.hpp"

namespace genocl::jacobi {

template <class T>
void ShareCells<T>::own(const Part& part, const Part& wanted_room) {
  const Part needed = with_ghosts(settings_, part);
  if (!part.empty() && common(needed, room()) != needed) {
    const Part known = common(common(with_ghosts(settings_, own_), room()), wanted_room);
    const std::uint64_t old_first = held_.first;
    next() = {};
    Array<T> old = std::move(now());
    take_memory(wanted_room);
    if (!known.empty()) {
      const std::uint64_t slice = held_.layout.slice();
      cells_[0].copy_from(old, known.size() * slice, (known.begin - old_first) * slice, element(known.begin));
      device_.finish();
    }
    old = {};
    cells_[1] = Array<T>(device_, held_.elements());
    current_ = 0;
  }
  own_ = part;
}

template <class T>
void ShareCells<T>::take_memory(const Part& room) {
  held_.first = room.begin;
  held_.count = room.size();
  cells_[0] = Array<T>(device_, held_.elements());
  held_.formula = settings_.formula;
  load_fields<T>(device_, held_, held_.count, settings_.readers<T>());
  if (!settings_.has_fixed()) return;
  held_.fixed = Array<std::uint8_t>(device_, held_.elements());
  SliceMover<std::uint8_t> mover(device_, held_.layout);
  if (!settings_.read_fixed) {
    for_pieces_of(held_.layout, room, room.size(), [&](const Part& piece) {
      mover.upload(slices_of(settings_.fixed_cells, held_.layout, piece), held_.fixed, local(piece.begin));
    });
    return;
  }
  std::vector<std::uint8_t> cells;
  for_pieces<std::uint8_t>(held_.layout, room, [&](const Part& piece) {
    cells.resize(piece.size() * held_.layout.shape.width * held_.layout.rows_per_slice);
    settings_.read_fixed(held_.layout.in_grid(piece.begin), cells);
    mover.upload(cells, held_.fixed, local(piece.begin));
  });
}

template <class T>
void ShareCells<T>::load(std::span<const T> grid) {
  const Part part = with_ghosts(settings_, own_);
  for_pieces_of(held_.layout, part, part.size(),
                [&](const Part& piece) { load(piece, slices_of(grid, held_.layout, piece)); });
}

template <class T>
void ShareCells<T>::load(const Part& part, std::span<const T> cells) {
  SliceMover<T>(device_, held_.layout).upload(cells, now(), local(part.begin));
}

template <class T>
void ShareCells<T>::store(std::span<T> grid) const {
  if (!own_.empty()) store(own_, slices_of(grid, held_.layout, own_));
}

template <class T>
void ShareCells<T>::store(const Part& part, std::span<T> cells) const {
  SliceMover<T>(device_, held_.layout).download(cells_[current_], local(part.begin), cells);
}

template <class T>
std::vector<T> ShareCells<T>::read(const Part& part) const {
  std::vector<T> slices(part.size() * held_.layout.slice());
  cells_[current_].download(slices, element(part.begin));
  return slices;
}

template <class T>
void ShareCells<T>::write(const Part& part, std::span<const T> slices) {
  now().upload(slices, element(part.begin));
}

template class ShareCells<float>;
template class ShareCells<double>;

}  // namespace genocl::jacobi
