// Range minimum queries, in batches, on a device; and through them the longest common extensions of any two positions.
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

/// - `block`: minima of blocks of 32 and a sparse table over the blocks; O(n) to make, 2 bytes an element besides the
///   values (1.7 for 2^24 of them, 2.3 for 2^28), O(1) a query with up to 62 values read. The default.
/// - `sparse`: a sparse table of all elements; O(n log n), 32 + 4 (log2(n) - 16) bytes an element.
/// - `bv1`: the paper's (Berkman and Vishkin, SIAM J. Computing 22, 1993): Cartesian tree by all nearest smaller
///   values, Euler tour, blocks in which neighbours differ by one; O(n), some 34 bytes an element, 12 more while it is
///   made. Up to 2^31 values.
enum class RmqStructure : std::uint8_t { block, sparse, bv1 };

GENOCL_EXPORT std::string_view to_string(RmqStructure structure) noexcept;
/// Throws InputError for another name.
GENOCL_EXPORT RmqStructure rmq_structure_named(std::string_view name);

/// The range is [first, last], both included. OpenCL has it as struct { uint, uint }.
struct RangeQuery {
  std::uint32_t first = 0, last = 0;
};
struct RangeMinimum {
  std::uint32_t value = 0;
  std::uint32_t position = 0;  ///< of the leftmost minimum
  friend bool operator==(const RangeMinimum&, const RangeMinimum&) = default;
};

/// Made once over values on a device, which must outlive it and not change; then any number of batches.
class GENOCL_EXPORT Rmq {
 public:
  /// Up to 2^32 - 2 values (2^31 with bv1), else InputError. Throws CapacityError before the start.
  Rmq(const Device& device, Span<const std::uint32_t> values, RmqStructure structure = RmqStructure::block);
  Rmq(Rmq&&) noexcept;
  Rmq& operator=(Rmq&&) noexcept;
  ~Rmq();

  std::uint64_t size() const noexcept;
  RmqStructure structure() const noexcept;
  /// Tells the bytes of the structure on the device, the values not included.
  std::uint64_t bytes() const noexcept;

  /// Answers in the order of the queries. Throws InputError for the first query with first > last or last >= size().
  std::vector<RangeMinimum> minima(std::span<const RangeQuery> queries) const;
  /// The same on the device, nothing waited for. A query that is out of range gets value and position 2^32 - 1.
  void minima(Span<const RangeQuery> queries, Span<RangeMinimum> answers) const;

  /// For the library's own use.
  struct State;
  const State& state() const noexcept { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// These are two positions of a text.
struct PositionPair {
  std::uint32_t a = 0, b = 0;
};

/// How far the texts from any two positions on are equal: answers[i] symbols for pairs[i]. Each pair costs one range
/// minimum between the ranks of its suffixes.
class GENOCL_EXPORT Extensions {
 public:
  /// Copies nothing of `suffixes`; takes 4 bytes a symbol for its inverse besides Lcp and Rmq. `suffixes` may go.
  explicit Extensions(const SuffixArray& suffixes, RmqStructure structure = RmqStructure::block);
  Extensions(Extensions&&) noexcept;
  Extensions& operator=(Extensions&&) noexcept;
  ~Extensions();

  /// Throws InputError for the first pair with a position >= size of the text.
  std::vector<std::uint32_t> common(std::span<const PositionPair> pairs) const;
  /// Enqueues the work on the device and does not wait; the answer is 0 for a pair that is out of range.
  void common(Span<const PositionPair> pairs, Span<std::uint32_t> answers) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::overlap
