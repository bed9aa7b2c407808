// Finds longest common prefixes of neighbours in a suffix array.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/overlap/suffix_array.hpp"

namespace genocl::overlap {

/// values()[0] = 0 and values()[i] = how many symbols suffixes i - 1 and i begin with in common, up to the first break;
/// size() of them, on the array's device.
///
/// Irreducible LCPs (Kärkkäinen, Manzini, Puglisi, "Permuted longest-common-prefix array", CPM 2009): symbols are
/// compared only where those before the two suffixes differ, O(n log n) of them in all; the rest follows from
/// PLCP[i] >= PLCP[i - 1] - 1 by a running maximum. Takes 4 bytes a symbol on the device besides the values, 5 on a
/// GPU.
class GENOCL_EXPORT Lcp {
 public:
  /// Throws CapacityError before the start.
  explicit Lcp(const SuffixArray& suffixes);

  std::uint64_t size() const noexcept { return values_.size(); }
  const Array<std::uint32_t>& values() const noexcept { return values_; }
  std::vector<std::uint32_t> download() const { return values_.download(); }

 private:
  Array<std::uint32_t> values_;
};

}  // namespace genocl::overlap
