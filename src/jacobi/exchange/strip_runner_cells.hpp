// The cells of one device's strip, and how slices of them come and go.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "jacobi/exchange/strip.hpp"

namespace genocl::jacobi {

/// Slices [begin, end) of the grid.
struct Part {
  std::uint64_t begin = 0, end = 0;

  bool empty() const noexcept { return begin >= end; }
  std::uint64_t size() const noexcept { return empty() ? 0 : end - begin; }
  friend bool operator==(const Part&, const Part&) = default;
};

inline Part common(const Part& a, const Part& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// What all strips of a run share.
struct RunSettings {
  Layout layout;
  /// Slices of the neighbours that a strip holds on each side, and iterations between exchanges.
  unsigned ghosts = 1;
  bool overlap = true;
  std::span<const std::uint8_t> fixed_cells;
  /// False in tests of what devices without double do: see ChangeMeter.
  bool has_double = true;
};

/// The part, and so many slices more on each side as the grid has.
inline Part with_ghosts(const RunSettings& settings, const Part& part) {
  if (part.empty()) return part;
  return {part.begin - std::min<std::uint64_t>(settings.ghosts, part.begin),
          std::min(part.end + settings.ghosts, settings.layout.slices)};
}

/// Two arrays in turn. Transfers are on the device's queue, and waited for.
template <class T>
class StripCells {
 public:
  StripCells(const Device& device, const RunSettings& settings)
      : device_(device), settings_(settings), strip_(settings.layout) {}

  const Strip& strip() const noexcept { return strip_; }
  const Part& own() const noexcept { return own_; }
  Part room() const noexcept { return {strip_.first, strip_.first + strip_.count}; }
  Array<T>& now() noexcept { return cells_[current_]; }
  Array<T>& next() noexcept { return cells_[1 - current_]; }
  void swap() noexcept { current_ = 1 - current_; }
  /// The number in the strip of a slice of the grid, and that of its first element.
  std::uint64_t local(std::uint64_t slice) const noexcept { return slice - strip_.first; }
  std::uint64_t element(std::uint64_t slice) const noexcept { return local(slice) * strip_.layout.slice(); }

  /// Owns another part from here on. Where the memory does not reach that far, takes new memory for `room` (of which
  /// the part with its ghosts is part) and brings along what is known of it. Slices that were not here before are to be
  /// written. Nothing may be under way on the arrays.
  void own(const Part& part, const Part& room);
  /// What the strip needs of the whole grid, as the caller has it.
  void load(std::span<const T> grid);
  /// The strip's own slices.
  void store(std::span<T> grid) const;
  /// Slices in the array's layout.
  std::vector<T> read(const Part& part) const;
  void write(const Part& part, std::span<const T> slices);

 private:
  void take_memory(const Part& room);

  Device device_;
  RunSettings settings_;
  Strip strip_;
  std::array<Array<T>, 2> cells_;
  unsigned current_ = 0;
  Part own_;
};

extern template class StripCells<float>;
extern template class StripCells<double>;

}  // namespace genocl::jacobi
