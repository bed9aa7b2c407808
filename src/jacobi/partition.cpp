#include "jacobi/partition.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/transfer.hpp"

namespace genocl::jacobi {

template <class T>
void PartitionCells<T>::own(const SliceRange& range, const SliceRange& allocation) {
  const SliceRange needed = with_halo(settings_, range);
  if (!range.empty() && intersection(needed, allocated()) != needed) {
    const SliceRange known = intersection(intersection(with_halo(settings_, own_), allocated()), allocation);
    const std::uint64_t old_first = held_.first;
    next() = {};
    Array<T> old = std::move(now());
    allocate(allocation);
    if (!known.empty()) {
      const std::uint64_t slice = held_.layout.slice();
      cells_[0].copy_from(old, known.size() * slice, (known.begin - old_first) * slice, element(known.begin));
      device_.finish();
    }
    old = {};
    cells_[1] = Array<T>(device_, held_.elements());
    current_ = 0;
  }
  own_ = range;
}

template <class T>
void PartitionCells<T>::allocate(const SliceRange& allocation) {
  held_.first = allocation.begin;
  held_.count = allocation.size();
  cells_[0] = Array<T>(device_, held_.elements());
  held_.formula = settings_.formula;
  load_fields<T>(device_, held_, held_.count, settings_.readers<T>());
  if (!settings_.has_fixed()) return;
  held_.fixed = Array<std::uint8_t>(device_, held_.elements());
  upload_fixed(device_, settings_, held_.first, held_.count, held_.fixed);
}

template <class T>
void PartitionCells<T>::load(std::span<const T> grid) {
  const SliceRange range = with_halo(settings_, own_);
  for_pieces_of(held_.layout, range, range.size(),
                [&](const SliceRange& piece) { load(piece, slices_of(grid, held_.layout, piece)); });
}

template <class T>
void PartitionCells<T>::load(const SliceRange& range, std::span<const T> cells) {
  upload_slices<T>(device_, held_.layout, cells, now(), local(range.begin));
}

template <class T>
void PartitionCells<T>::store(std::span<T> grid) const {
  if (!own_.empty()) store(own_, slices_of(grid, held_.layout, own_));
}

template <class T>
void PartitionCells<T>::store(const SliceRange& range, std::span<T> cells) const {
  download_slices<T>(device_, held_.layout, cells_[current_], local(range.begin), cells);
}

template <class T>
std::vector<T> PartitionCells<T>::read(const SliceRange& range) const {
  std::vector<T> slices(range.size() * held_.layout.slice());
  cells_[current_].download(slices, element(range.begin));
  return slices;
}

template <class T>
void PartitionCells<T>::write(const SliceRange& range, std::span<const T> slices) {
  now().upload(slices, element(range.begin));
}

template class PartitionCells<float>;
template class PartitionCells<double>;

namespace {

// The row on the host of a held row, or of the row that it is a halo of.
std::uint64_t own_row(const Layout& layout, std::uint64_t row) noexcept {
  if (layout.halo_rows == 0) return row;
  const std::uint64_t rows = layout.rows_per_slice, around = layout.halo_rows * rows;  // whole slices
  return row / layout.held_rows() * rows + (row % layout.held_rows() + around - layout.halo_rows) % rows;
}

bool is_halo(const Layout& layout, std::uint64_t row) noexcept {
  return row % layout.held_rows() - layout.halo_rows >= layout.rows_per_slice;  // wraps around below
}

/// Writes rows with their halo on both sides, which may be wider than a row, and zeros up to the pitch.
template <class T>
runtime::CopyRows rows_to_device(const Layout& layout, std::span<const T> cells) {
  return [&layout, cells](std::size_t first, std::size_t count, void* there) {
    const std::uint64_t width = layout.shape.width, halo = layout.halo_columns;
    T* row = static_cast<T*>(there);
    for (std::uint64_t number = first; number < first + count; ++number, row += layout.pitch) {
      std::memcpy(row + halo, cells.data() + own_row(layout, number) * width, width * sizeof(T));
      for (std::uint64_t i = 0; i < halo; ++i) {
        row[halo - 1 - i] = row[halo - 1 - i + width];
        row[halo + width + i] = row[halo + i];
      }
      std::fill(row + layout.held_width(), row + layout.pitch, T{});
    }
  };
}

template <class T>
runtime::CopyRows rows_from_device(const Layout& layout, std::span<T> cells) {
  return [&layout, cells](std::size_t first, std::size_t count, void* there) {
    const std::uint64_t width = layout.shape.width;
    const T* row = static_cast<const T*>(there) + layout.halo_columns;
    for (std::uint64_t number = first; number < first + count; ++number, row += layout.pitch)
      if (!is_halo(layout, number)) std::memcpy(cells.data() + own_row(layout, number) * width, row, width * sizeof(T));
  };
}

// The number of rows in device layout for a number of cells on the host.
std::uint64_t held_rows_of(const Layout& layout, std::size_t cells) noexcept {
  return cells / (layout.shape.width * layout.rows_per_slice) * layout.held_rows();
}

}  // namespace

template <class T>
void to_device_layout(const Layout& layout, std::span<const T> cells, std::span<T> held) {
  runtime::copy_rows_in_threads(held.data(), layout.pitch * sizeof(T), held.size() / layout.pitch,
                                rows_to_device(layout, cells));
}

template <class T>
void from_device_layout(const Layout& layout, std::span<const T> held, std::span<T> cells) {
  runtime::copy_rows_in_threads(const_cast<T*>(held.data()), layout.pitch * sizeof(T), held.size() / layout.pitch,
                                rows_from_device(layout, cells));
}

template <class T>
void upload_slices(const Device& device, const Layout& layout, std::span<const T> host, Array<T>& to,
                   std::uint64_t to_slice) {
  const std::uint64_t rows = held_rows_of(layout, host.size()), first = to_slice * layout.slice();
  runtime::check_range("upload", first, rows * layout.pitch, to.size());
  runtime::upload_rows(device, to.buffer(), first * sizeof(T), layout.pitch * sizeof(T), rows,
                       rows_to_device(layout, host));
  device.finish();
}

template <class T>
void download_slices(const Device& device, const Layout& layout, const Array<T>& from, std::uint64_t from_slice,
                     std::span<T> host) {
  const std::uint64_t rows = held_rows_of(layout, host.size()), first = from_slice * layout.slice();
  runtime::check_range("download", first, rows * layout.pitch, from.size());
  runtime::download_rows(device, from.buffer(), first * sizeof(T), layout.pitch * sizeof(T), rows,
                         rows_from_device(layout, host));
}

void upload_fixed(const Device& device, const RunSettings& settings, std::uint64_t first, std::uint64_t count,
                  Array<std::uint8_t>& to) {
  const Layout& layout = settings.layout;
  std::vector<std::uint8_t> cells;
  for_pieces<std::uint8_t>(layout, {first, first + count}, [&](const SliceRange& piece) {
    std::span<const std::uint8_t> mask;
    if (settings.read_fixed) {
      cells.resize(piece.size() * layout.shape.width * layout.rows_per_slice);
      settings.read_fixed(layout.in_grid(piece.begin), cells);
      mask = cells;
    } else {
      mask = slices_of(settings.fixed_cells, layout, piece);
    }
    upload_slices(device, layout, mask, to, piece.begin - first);
  });
}

#define GENOCL_INSTANTIATE(T)                                                                                \
  template void upload_slices(const Device&, const Layout&, std::span<const T>, Array<T>&, std::uint64_t);   \
  template void download_slices(const Device&, const Layout&, const Array<T>&, std::uint64_t, std::span<T>); \
  template void to_device_layout(const Layout&, std::span<const T>, std::span<T>);                           \
  template void from_device_layout(const Layout&, std::span<const T>, std::span<T>);
GENOCL_INSTANTIATE(float)
GENOCL_INSTANTIATE(double)
GENOCL_INSTANTIATE(std::uint8_t)
#undef GENOCL_INSTANTIATE

}  // namespace genocl::jacobi
