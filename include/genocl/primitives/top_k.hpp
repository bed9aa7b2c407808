// The k largest or smallest keys, as CUB's DeviceTopK, and std::nth_element.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/sort.hpp"

namespace genocl::primitives {

struct TopKOptions {
  /// The smallest keys instead of the largest.
  bool smallest = false;
};
struct NthElementOptions {
  /// Larger keys come first.
  bool descending = false;
};

namespace detail {
/// `results`: k keys and values, or the operands themselves for nth_element(), then `k` is the element's number and 1.
struct Selection {
  SortOperands operands;
  runtime::MemoryView result_keys, result_values;
  std::uint64_t k;
  bool descending;
};
GENOCL_EXPORT void top_k(const Device& device, const Selection& job, const Call& call);
GENOCL_EXPORT void nth_element(const Device& device, const Selection& job, const Call& call);
}  // namespace detail

// Radix selection on the bits of the keys, whose order is that of sort(): floats in the total order of
// std::strong_order, in which positive NaNs are the largest. Any number of keys. O(n): the keys are read once for each
// digit of 11 bits, and once more, with `gpu` kernels twice; result keys and values are written once. The `cpu` kernels
// of top_k() read the keys once if k <= 2,048 and each worker has at least 8 * (k + 4,096) of them. Do not wait.
//
// Scratch memory: 16 KiB, 8 KiB for each `cpu` worker, 16 bytes for each of at most 4,096 chunks; top_k() also 200 KiB
// for each `cpu` worker; nth_element() also that of a copy of the operands (top_k_scratch_bytes(),
// nth_element_scratch_bytes()).
//
// Throw InputError if the numbers of keys and values differ, operands overlap, or k or n exceeds the number of keys;
// CapacityError if the scratch memory does not fit. May be called on several threads at once with different queues.

/// The k = top.size() largest keys of `keys`, or with `smallest` the smallest. They are not sorted: first the keys
/// before the k-th one, then those equal to it, each in the order of `keys`. Of keys equal to the k-th one the first
/// are taken.
template <DeviceRange Keys, WritableRange Top>
requires SortableKey<ElementOf<Keys>> && RangeOf<Top, ElementOf<Keys>>
void top_k(const Device& device, const Keys& keys, Top&& top, const TopKOptions& options = {}, const Call& call = {}) {
  detail::top_k(device, {detail::sort_operands(keys), as_span(top).view(), {}, as_span(top).size(), !options.smallest},
                call);
}

/// The same with the value of each key, of 1, 2, 4, 8 or 16 bytes.
template <DeviceRange Keys, DeviceRange Values, WritableRange TopKeys, WritableRange TopValues>
requires SortableKey<ElementOf<Keys>> && MovableElement<ElementOf<Values>> && RangeOf<TopKeys, ElementOf<Keys>> &&
    RangeOf<TopValues, ElementOf<Values>>
void top_k(const Device& device, const Keys& keys, const Values& values, TopKeys&& top_keys, TopValues&& top_values,
           const TopKOptions& options = {}, const Call& call = {}) {
  detail::top_k(device,
                {detail::sort_operands(keys, values), as_span(top_keys).view(), as_span(top_values).view(),
                 as_span(top_keys).size(), !options.smallest},
                call);
}

/// Rearranges `keys` so that keys[n] is the key that a sort would move there. No key before it is larger, and no key
/// after it is smaller. Keys that are smaller, equal and larger each keep their order.
template <WritableRange Keys>
requires SortableKey<ElementOf<Keys>>
void nth_element(const Device& device, Keys&& keys, std::uint64_t n, const NthElementOptions& options = {},
                 const Call& call = {}) {
  detail::nth_element(device, {detail::sort_operands(keys), {}, {}, n + 1, options.descending}, call);
}

/// The same; values[i], of 1, 2, 4, 8 or 16 bytes, moves with keys[i].
template <WritableRange Keys, WritableRange Values>
requires SortableKey<ElementOf<Keys>> && MovableElement<ElementOf<Values>>
void nth_element(const Device& device, Keys&& keys, Values&& values, std::uint64_t n,
                 const NthElementOptions& options = {}, const Call& call = {}) {
  detail::nth_element(device, {detail::sort_operands(keys, values), {}, {}, n + 1, options.descending}, call);
}

/// Scratch memory of top_k() in bytes, for any k and any type of keys and values.
GENOCL_EXPORT std::uint64_t top_k_scratch_bytes(const Device& device, std::uint64_t count,
                                                const LaunchTuning& tuning = {});
/// Scratch memory of nth_element() in bytes. `value_bytes`: size of a value, 0 without values.
GENOCL_EXPORT std::uint64_t nth_element_scratch_bytes(const Device& device, std::uint64_t count, std::size_t key_bytes,
                                                      std::size_t value_bytes, const LaunchTuning& tuning = {});

}  // namespace genocl::primitives
