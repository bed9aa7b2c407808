// Finds longest common prefixes of neighbours in a suffix array.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/overlap/suffix_array.hpp"

namespace genocl::overlap {

/// - `irreducible`: Kärkkäinen, Manzini, Puglisi, "Permuted longest-common-prefix array", CPM 2009. Symbols are
///   compared only where those before the two suffixes differ, O(n log n) of them in all; the rest follows from
///   PLCP[i] >= PLCP[i - 1] - 1 by a running maximum. Takes 4 bytes a symbol on the device besides the values, 5 on a
///   GPU. The default.
/// - `kasai`: Kasai et al., "Linear-time longest-common-prefix computation in suffix arrays and its applications", CPM
///   2001, to go with Algorithm::published. The text's suffixes are compared in the order of their positions, each from
///   where PLCP[i - 1] - 1 symbols end. At most 65,536 stretches of the text go side by side, and each begins with
///   nothing known: O(n + the longest value for each of them). Takes 4 bytes a symbol besides the values.
enum class LcpMethod : std::uint8_t { irreducible, kasai };

GENOCL_EXPORT std::string_view to_string(LcpMethod method) noexcept;
/// Throws InputError for another name.
GENOCL_EXPORT LcpMethod lcp_method_named(std::string_view name);

/// values()[0] = 0 and values()[i] = how many symbols suffixes i - 1 and i begin with in common, up to the first break;
/// size() of them, on the array's device.
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
