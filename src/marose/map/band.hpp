// The shape of the bands of cl/marose/map/band.clh: how many bits a word has, and how many are gone through side by
// side.
#pragma once

#include "runtime/launch.hpp"

namespace genocl::marose {

struct BandShape {
  unsigned bits = 32;
  unsigned lanes = 1;

  /// The items of a kernel whose work-items take `lanes` of them at a time.
  std::uint64_t blocks(std::uint64_t items) const { return runtime::ceil_div(items, lanes); }
  void set_defines(runtime::Defines& defines) const { defines.set("BAND_BITS", bits).set("LANES", lanes); }
};

/// For `diagonals` in a row where 64 bits hold as many; else some of the work goes another way.
inline BandShape band_shape(const Device& device, std::uint64_t diagonals) {
  BandShape shape;
  shape.bits = diagonals <= 32 ? 32 : 64;
  if (runtime::uses_cpu_kernels(device)) shape.lanes = 256 / shape.bits;  // one register of AVX2
  return shape;
}

}  // namespace genocl::marose
