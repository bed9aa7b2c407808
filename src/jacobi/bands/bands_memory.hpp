// Memory of a device for one band, and what is done there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "jacobi/exchange/exchange_slices.hpp"
#include "jacobi/exchange/share_cells.hpp"
#include "jacobi/kernels/change_meter.hpp"

#include "jacobi/clock.hpp"

namespace genocl::jacobi {

template <class T>
class BandMemory {
 public:
  /// Takes two arrays of at most `slices` slices, and a queue of its own.
  BandMemory(const Device& device, const Plan& plan, const RunSettings& settings, std::uint64_t slices)
      : device_(device.with_own_queue()),
        plan_(plan),
        settings_(settings),
        held_(settings.layout),
        mover_(device_, settings.layout),
        meter_(settings.has_double) {
    held_.formula = settings.formula;
    slices = std::min(slices, settings.layout.slices);
    for (Array<T>& cells : cells_) cells = Array<T>(device_, slices * settings.layout.slice());
    if (!settings.fixed_cells.empty()) {
      held_.fixed = Array<std::uint8_t>(device_, slices * settings.layout.slice());
      fixed_mover_.emplace(device_, settings.layout);
    }
  }
  ~BandMemory() { clFinish(device_.queue()()); }
  BandMemory(const BandMemory&) = delete;
  BandMemory& operator=(const BandMemory&) = delete;

  const Device& device() const noexcept { return device_; }

  /// Holds these slices of the grid from here on; their cells are to come.
  void place(const Part& part) {
    held_.first = part.begin;
    held_.count = part.size();
    current_ = 0;
    load_fields<T>(device_, held_, cells_[0].size() / settings_.layout.slice(), settings_.readers<T>());
    if (!fixed_mover_) return;
    const std::uint64_t slice = settings_.layout.shape.width * settings_.layout.rows_per_slice;
    fixed_mover_->upload(settings_.fixed_cells.subspan(part.begin * slice, part.size() * slice), held_.fixed, 0);
  }
  void upload(std::span<const T> cells, std::uint64_t first) {
    if (!cells.empty()) mover_.upload(cells, cells_[current_], first - held_.first);
  }
  void download(const Part& band, std::span<T> cells) {
    mover_.download(cells_[current_], band.begin - held_.first, cells);
  }

  /// That many iterations, on ranges that shrink to the band. `squares`: null, or the sums of squares of the last one
  /// for each row of the grid; its largest change is then returned.
  T iterate(const Part& band, unsigned iterations, std::vector<double>* squares) {
    for (unsigned left = iterations; left > (squares != nullptr ? 1u : 0u);) {
      const unsigned k = std::min(plan_.levels, left - (squares != nullptr ? 1 : 0));
      left -= k;
      const Part held{held_.first, held_.first + held_.count};
      const Part part = common({band.begin - std::min<std::uint64_t>(left, band.begin), band.end + left}, held);
      sweep(device_, plan_, held_, cells_[current_], cells_[1 - current_], part.begin - held_.first,
            part.end - held_.first, k);
      current_ = 1 - current_;
    }
    if (squares == nullptr) return 0;
    const std::uint64_t rows = settings_.layout.rows_per_slice;
    const T change =
        meter_.measure(device_, held_, cells_[current_], cells_[1 - current_], band.begin - held_.first,
                       band.end - held_.first, std::span(*squares).subspan(band.begin * rows, band.size() * rows));
    current_ = 1 - current_;
    return change;
  }

 private:
  Device device_;
  Plan plan_;
  RunSettings settings_;
  HeldSlices held_;
  std::array<Array<T>, 2> cells_;
  unsigned current_ = 0;
  SliceMover<T> mover_;
  std::optional<SliceMover<std::uint8_t>> fixed_mover_;
  ChangeMeter<T> meter_;
};

}  // namespace genocl::jacobi
