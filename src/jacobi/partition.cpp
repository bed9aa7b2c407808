#include "jacobi/partition.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "genocl/opencl.hpp"
#include "runtime/check.hpp"
#include "runtime/event.hpp"
#include "runtime/parallel.hpp"
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
  load_fields<T>(device_, held_, held_.count, settings_.readers<T>(), &transfer());
  if (!settings_.has_fixed()) return;
  held_.fixed = Array<std::uint8_t>(device_, held_.elements());
  SliceTransfer<std::uint8_t> transfer(device_, held_.layout);
  if (!settings_.read_fixed) {
    for_pieces_of(held_.layout, allocation, allocation.size(), [&](const SliceRange& piece) {
      transfer.upload(slices_of(settings_.fixed_cells, held_.layout, piece), held_.fixed, local(piece.begin));
    });
    return;
  }
  std::vector<std::uint8_t> cells;
  for_pieces<std::uint8_t>(held_.layout, allocation, [&](const SliceRange& piece) {
    cells.resize(piece.size() * held_.layout.shape.width * held_.layout.rows_per_slice);
    settings_.read_fixed(held_.layout.in_grid(piece.begin), cells);
    transfer.upload(cells, held_.fixed, local(piece.begin));
  });
}

template <class T>
SliceTransfer<T>& PartitionCells<T>::transfer() const {
  if (!transfer_) transfer_.emplace(device_, held_.layout);
  return *transfer_;
}

template <class T>
void PartitionCells<T>::load(std::span<const T> grid) {
  const SliceRange range = with_halo(settings_, own_);
  for_pieces_of(held_.layout, range, range.size(),
                [&](const SliceRange& piece) { load(piece, slices_of(grid, held_.layout, piece)); });
}

template <class T>
void PartitionCells<T>::load(const SliceRange& range, std::span<const T> cells) {
  transfer().upload(cells, now(), local(range.begin));
}

template <class T>
void PartitionCells<T>::store(std::span<T> grid) const {
  if (!own_.empty()) store(own_, slices_of(grid, held_.layout, own_));
}

template <class T>
void PartitionCells<T>::store(const SliceRange& range, std::span<T> cells) const {
  transfer().download(cells_[current_], local(range.begin), cells);
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

constexpr std::size_t staging_bytes = std::size_t{16} << 20;

// Copies rows [0, rows) with several threads: one copies about 10 GB/s, less than a bus.
template <class CopyRow>
void copy_rows(std::uint64_t rows, std::size_t row_bytes, const CopyRow& copy_row) {
  const std::uint64_t threads = runtime::threads_for(rows * row_bytes, std::size_t{2} << 20);
  runtime::parallel_for(threads, threads, [&](std::size_t thread) {
    for (std::uint64_t row = rows * thread / threads; row < rows * (thread + 1) / threads; ++row) copy_row(row);
  });
}

// The row on the host of a held row, or of the row that it is a halo of.
std::uint64_t own_row(const Layout& layout, std::uint64_t row) noexcept {
  if (layout.halo_rows == 0) return row;
  const std::uint64_t rows = layout.rows_per_slice, around = layout.halo_rows * rows;  // whole slices
  return row / layout.held_rows() * rows + (row % layout.held_rows() + around - layout.halo_rows) % rows;
}

bool is_halo(const Layout& layout, std::uint64_t row) noexcept {
  return row % layout.held_rows() - layout.halo_rows >= layout.rows_per_slice;  // wraps around below
}

// Writes a row with its halo on both sides, which may be wider than the row.
template <class T>
void put_row(const Layout& layout, const T* cells, T* row) noexcept {
  const std::uint64_t width = layout.shape.width, halo = layout.halo_columns;
  std::memcpy(row + halo, cells, width * sizeof(T));
  for (std::uint64_t i = 0; i < halo; ++i) {
    row[halo - 1 - i] = row[halo - 1 - i + width];
    row[halo + width + i] = row[halo + i];
  }
}

}  // namespace

template <class T>
void to_device_layout(const Layout& layout, std::span<const T> cells, std::span<T> held) {
  const std::uint64_t width = layout.shape.width, pitch = layout.pitch, with_halo = width + 2 * layout.halo_columns;
  copy_rows(held.size() / pitch, pitch * sizeof(T), [&](std::uint64_t row) {
    T* const there = held.data() + row * pitch;
    put_row(layout, cells.data() + own_row(layout, row) * width, there);
    std::fill(there + with_halo, there + pitch, T{});
  });
}

template <class T>
void from_device_layout(const Layout& layout, std::span<const T> held, std::span<T> cells) {
  const std::uint64_t width = layout.shape.width, pitch = layout.pitch;
  copy_rows(held.size() / pitch, width * sizeof(T), [&](std::uint64_t row) {
    if (!is_halo(layout, row))
      std::memcpy(cells.data() + own_row(layout, row) * width, held.data() + row * pitch + layout.halo_columns,
                  width * sizeof(T));
  });
}

template <class T>
SliceTransfer<T>::SliceTransfer(const Device& device, const Layout& layout) : device_(device), layout_(layout) {
  const std::uint64_t all = layout.slices * layout.held_rows();
  rows_per_piece_ = std::clamp<std::uint64_t>(staging_bytes / (layout.pitch * sizeof(T)), 1, all);
  for (HostArray<T>& piece : pieces_) {
    piece = HostArray<T>(device, rows_per_piece_ * layout.pitch);
    std::fill(piece.begin(), piece.end(), T{});  // padding is transferred with the rows
  }
}

template <class T>
void SliceTransfer<T>::upload(std::span<const T> host, Array<T>& to, std::uint64_t to_slice) {
  const std::uint64_t rows = rows_in(host.size()), width = layout_.shape.width, pitch = layout_.pitch;
  const std::string& name = device_.info().name;
  const cl_command_queue queue = device_.queue()();
  runtime::check_range("upload", to_slice * layout_.slice(), rows * pitch, to.size());
  std::array<Event, 2> transfers;
  for (std::uint64_t first = 0, turn = 0; first < rows; first += rows_per_piece_, ++turn) {
    T* piece = pieces_[turn % 2].data();
    const std::uint64_t count = std::min(rows_per_piece_, rows - first);
    transfers[turn % 2].wait();
    copy_rows(count, width * sizeof(T), [&](std::uint64_t row) {
      put_row(layout_, host.data() + own_row(layout_, first + row) * width, piece + row * pitch);
    });
    cl_event event = nullptr;
    runtime::check(
        clEnqueueWriteBuffer(queue, to.buffer()(), CL_FALSE, (to_slice * layout_.slice() + first * pitch) * sizeof(T),
                             count * pitch * sizeof(T), piece, 0, nullptr, &event),
        "clEnqueueWriteBuffer", name);
    transfers[turn % 2] = runtime::EventAccess::own(event);
    runtime::flush(device_);
  }
  for (Event& transfer : transfers) transfer.wait();
}

template <class T>
void SliceTransfer<T>::download(const Array<T>& from, std::uint64_t from_slice, std::span<T> host) {
  const std::uint64_t rows = rows_in(host.size()), width = layout_.shape.width, pitch = layout_.pitch;
  const std::string& name = device_.info().name;
  const cl_command_queue queue = device_.queue()();
  runtime::check_range("download", from_slice * layout_.slice(), rows * pitch, from.size());
  std::array<Event, 2> transfers;
  const auto rows_of = [&](std::uint64_t turn) { return std::min(rows_per_piece_, rows - turn * rows_per_piece_); };
  const std::uint64_t pieces = (rows + rows_per_piece_ - 1) / rows_per_piece_;
  for (std::uint64_t turn = 0; turn <= pieces; ++turn) {
    if (turn < pieces) {
      cl_event event = nullptr;
      runtime::check(
          clEnqueueReadBuffer(queue, from.buffer()(), CL_FALSE,
                              (from_slice * layout_.slice() + turn * rows_per_piece_ * pitch) * sizeof(T),
                              rows_of(turn) * pitch * sizeof(T), pieces_[turn % 2].data(), 0, nullptr, &event),
          "clEnqueueReadBuffer", name);
      transfers[turn % 2] = runtime::EventAccess::own(event);
      runtime::flush(device_);
    }
    if (turn == 0) continue;
    const T* piece = pieces_[(turn - 1) % 2].data();
    transfers[(turn - 1) % 2].wait();
    copy_rows(rows_of(turn - 1), width * sizeof(T), [&](std::uint64_t row) {
      const std::uint64_t number = (turn - 1) * rows_per_piece_ + row;
      if (is_halo(layout_, number)) return;
      std::memcpy(host.data() + own_row(layout_, number) * width, piece + row * pitch + layout_.halo_columns,
                  width * sizeof(T));
    });
  }
}

template void to_device_layout(const Layout&, std::span<const float>, std::span<float>);
template void to_device_layout(const Layout&, std::span<const double>, std::span<double>);
template void from_device_layout(const Layout&, std::span<const float>, std::span<float>);
template void from_device_layout(const Layout&, std::span<const double>, std::span<double>);
template class SliceTransfer<float>;
template class SliceTransfer<double>;
template class SliceTransfer<std::uint8_t>;

}  // namespace genocl::jacobi
