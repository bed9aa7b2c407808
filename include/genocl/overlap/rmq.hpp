// Batches of range minimum queries, and longest common extensions of any two positions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/lcp.hpp"
#include "genocl/overlap/suffix_array.hpp"

namespace genocl::overlap {

/// - `block`: minima of blocks of 32 and a sparse table over the blocks; O(n) construction, 2 bytes an element besides
///   the values (1.7 for 2^24 values, 2.3 for 2^28), O(1) a query, which reads up to 62 values. The default.
/// - `sparse`: a sparse table of all elements; O(n log n), 32 + 4 (log2(n) - 16) bytes an element.
/// - `bv1`: the structure of the paper (Berkman and Vishkin, SIAM J. Computing 22, 1993): Cartesian tree by all nearest
///   smaller values, Euler tour, blocks with steps of one; O(n), about 34 bytes an element, 12 more during construction.
///   Up to 2^31 values.
enum class RmqStructure : std::uint8_t { block, sparse, bv1 };

GENOCL_EXPORT std::string_view to_string(RmqStructure structure) noexcept;
/// Throws InputError for another name.
GENOCL_EXPORT RmqStructure rmq_structure_named(std::string_view name);

/// The range [first, last], both included. In OpenCL: struct { uint, uint }.
struct RangeQuery {
  std::uint32_t first = 0, last = 0;
};
struct RangeMinimum {
  std::uint32_t value = 0;
  std::uint32_t position = 0;  ///< of the leftmost minimum
  friend bool operator==(const RangeMinimum&, const RangeMinimum&) = default;
};

/// The structure over values on a device, which must outlive it and not change. Answers any number of batches.
/// Const members may be called concurrently.
class GENOCL_EXPORT Rmq {
 public:
  /// Up to 2^32 - 2 values (2^31 with bv1), else InputError. Throws CapacityError before the start.
  Rmq(const Device& device, Span<const std::uint32_t> values, RmqStructure structure = RmqStructure::block);
  Rmq(Rmq&&) noexcept;
  Rmq& operator=(Rmq&&) noexcept;
  ~Rmq();

  std::uint64_t size() const noexcept;
  RmqStructure structure() const noexcept;
  /// The bytes of the structure on the device, without the values.
  std::uint64_t bytes() const noexcept;

  /// Answers in the order of the queries. Throws InputError for the first query with first > last or last >= size().
  std::vector<RangeMinimum> minima(std::span<const RangeQuery> queries) const;
  /// The same on the device; does not wait. A query out of range gets value and position 2^32 - 1.
  void minima(Span<const RangeQuery> queries, Span<RangeMinimum> answers) const;

  /// Defined in the library.
  struct State;

 private:
  friend struct runtime::StateAccess;
  std::unique_ptr<State> state_;
};

/// Two positions of a text.
struct PositionPair {
  std::uint32_t a = 0, b = 0;
};

/// Longest common extensions: answers[i] is the number of symbols that the suffixes at pairs[i] share. Each pair costs
/// one range minimum between the ranks of its suffixes.
/// Const members may be called concurrently.
class GENOCL_EXPORT Extensions {
 public:
  /// Takes 4 bytes a symbol for the inverse array besides Lcp and Rmq. `suffixes` need not outlive it.
  explicit Extensions(const SuffixArray& suffixes, RmqStructure structure = RmqStructure::block);
  Extensions(Extensions&&) noexcept;
  Extensions& operator=(Extensions&&) noexcept;
  ~Extensions();

  /// Throws InputError for the first pair with a position >= size of the text.
  std::vector<std::uint32_t> common(std::span<const PositionPair> pairs) const;
  /// The same on the device; does not wait. The answer for a pair out of range is 0.
  void common(Span<const PositionPair> pairs, Span<std::uint32_t> answers) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::overlap
