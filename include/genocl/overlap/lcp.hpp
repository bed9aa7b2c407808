// LCP: the longest common prefixes of neighbours in a suffix array.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/overlap/suffix_array.hpp"

namespace genocl::overlap {

/// - `irreducible`: Kärkkäinen, Manzini, Puglisi, "Permuted longest-common-prefix array", CPM 2009. Compares symbols
///   only if the symbols before the two suffixes differ, O(n log n) in total; the other values follow from
///   PLCP[i] >= PLCP[i - 1] - 1 by a running maximum. Takes 4 bytes a symbol on the device besides the values, 5 on a
///   GPU. The default.
/// - `kasai`: Kasai et al., "Linear-time longest-common-prefix computation in suffix arrays and its applications", CPM
///   2001, the counterpart of Algorithm::published. Compares suffixes in the order of their positions, each from the end
///   of PLCP[i - 1] - 1 symbols on. Up to 65,536 parts of the text run in parallel, and each starts from 0:
///   O(n + the longest value for each part). Takes 4 bytes a symbol besides the values.
enum class LcpMethod : std::uint8_t { irreducible, kasai };

GENOCL_EXPORT std::string_view to_string(LcpMethod method) noexcept;
/// Throws InputError for another name.
GENOCL_EXPORT LcpMethod lcp_method_named(std::string_view name);

/// values()[0] = 0, and values()[i] is the number of first symbols that suffixes i - 1 and i share, up to the first
/// separator; size() values on the device of the array.
/// Const members may be called concurrently.
class GENOCL_EXPORT Lcp {
 public:
  /// Throws CapacityError before the start.
  explicit Lcp(const SuffixArray& suffixes, LcpMethod method = LcpMethod::irreducible);

  std::uint64_t size() const noexcept { return values_.size(); }
  const Array<std::uint32_t>& values() const noexcept { return values_; }
  std::vector<std::uint32_t> download() const { return values_.download(); }

 private:
  Array<std::uint32_t> values_;
};

}  // namespace genocl::overlap
