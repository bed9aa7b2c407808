// Radix sort by integer and floating-point keys.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"

namespace genocl::primitives {

struct SortOptions {
  /// Sorts by bits [first_bit, last_bit) of the keys; bit 0 is the lowest. Without last_bit: all bits from first_bit
  /// on. For signed and floating-point keys, bits of the unsigned integer of the same order: the sign bit flipped, of
  /// negative floating-point keys all bits.
  unsigned first_bit = 0;
  std::optional<unsigned> last_bit = {};
  /// Largest key first. Equal keys keep their order.
  bool descending = false;
};

/// Integers of 8 to 64 bits, float, double. Floating-point keys are in the total order of std::strong_order: negative
/// NaNs, -infinity to -0, +0 to infinity, positive NaNs. No device feature is needed for double.
template <class Key>
concept SortableKey =
    (std::integral<Key> && !std::same_as<Key, bool>) || std::same_as<Key, float> || std::same_as<Key, double>;

/// A trivially copyable type of any size.
template <class Value>
concept SortableValue = std::is_trivially_copyable_v<Value>;

namespace detail {
enum class KeyKind { unsigned_integer, signed_integer, floating_point };

template <SortableKey Key>
constexpr KeyKind key_kind() {
  return std::floating_point<Key>    ? KeyKind::floating_point
         : std::signed_integral<Key> ? KeyKind::signed_integer
                                     : KeyKind::unsigned_integer;
}

/// The operands of a sort with their types erased.
struct SortOperands {
  runtime::MemoryView keys, values;
  std::size_t key_bytes = 0;
  KeyKind key_kind = KeyKind::unsigned_integer;
  std::size_t value_bytes = 0;  ///< 0: no values
};
/// `to`: the keys and values of sort_copy(); null: in place.
GENOCL_EXPORT void sort(const Device& device, const SortOperands& operands, const SortOperands* to,
                        const SortOptions& options, const Call& call);
/// True if the result is in `alternate`. Values of 4 or 8 bytes.
GENOCL_EXPORT bool sort_buffers(const Device& device, const SortOperands& current, const SortOperands& alternate,
                                const SortOptions& options, const Call& call);

enum class SortForm { in_place, copy, double_buffer };
GENOCL_EXPORT std::uint64_t sort_scratch_bytes(const Device& device, std::uint64_t count, std::size_t key_bytes,
                                               std::size_t value_bytes, SortForm form, const SortOptions& options);

template <DeviceRange Keys>
SortOperands sort_operands(const Keys& keys) {
  return {as_span(keys).view(), {}, sizeof(ElementOf<Keys>), key_kind<ElementOf<Keys>>(), 0};
}
template <DeviceRange Keys, DeviceRange Values>
SortOperands sort_operands(const Keys& keys, const Values& values) {
  return {as_span(keys).view(), as_span(values).view(), sizeof(ElementOf<Keys>), key_kind<ElementOf<Keys>>(),
          sizeof(ElementOf<Values>)};
}
}  // namespace detail

// Stable, linear time, any number of items, also above 2^32. On a GPU all items are read and written once per digit of
// 8 bits; bound on a device that copies B bytes per second (read + written): B / (2 * item bytes * digits) items per
// second. On a CPU the items pass through memory twice and are sorted in cache in between; if nearly all keys share
// their highest bits, once per digit.
//
// The type of the keys and the direction cost no pass: the first pass maps keys to unsigned integers of the same order,
// the last one maps them back.
//
// Values of up to 8 bytes move with the keys, those of other sizes than 4 and 8 as words of 4 or 8 bytes. Larger
// values are represented by their numbers, and each value is read once at random at the end.
//
// `gpu` kernels do not wait. With an odd number of digits sort() copies the result once more; sort_copy() and the forms
// with DoubleBuffers do not. The latter need no scratch memory for the items. `cpu` kernels wait for a survey of the
// keys from 2^15 items on.
//
// Throw InputError if first_bit > last_bit, last_bit exceeds the key width, the numbers of keys and values differ, or
// the operands overlap; CapacityError, before any command is enqueued, if the scratch memory does not fit. May be
// called on several threads at once with different queues.

/// Sorts in place.
template <WritableRange Keys>
requires SortableKey<ElementOf<Keys>>
void sort(const Device& device, Keys&& keys, const SortOptions& options = {}, const Call& call = {}) {
  detail::sort(device, detail::sort_operands(keys), nullptr, options, call);
}

/// Sorts in place; values[i] moves with keys[i].
template <WritableRange Keys, WritableRange Values>
requires SortableKey<ElementOf<Keys>> && SortableValue<ElementOf<Values>>
void sort(const Device& device, Keys&& keys, Values&& values, const SortOptions& options = {}, const Call& call = {}) {
  detail::sort(device, detail::sort_operands(keys, values), nullptr, options, call);
}

/// Writes the sorted keys to `sorted`, of the size of `keys`. `keys` does not change.
template <DeviceRange Keys, WritableRange Sorted>
requires SortableKey<ElementOf<Keys>> && RangeOf<Sorted, ElementOf<Keys>>
void sort_copy(const Device& device, const Keys& keys, Sorted&& sorted, const SortOptions& options = {},
               const Call& call = {}) {
  const detail::SortOperands to = detail::sort_operands(sorted);
  detail::sort(device, detail::sort_operands(keys), &to, options, call);
}

/// Writes the sorted keys, and the values in the order of their keys. `keys` and `values` do not change.
template <DeviceRange Keys, DeviceRange Values, WritableRange SortedKeys, WritableRange SortedValues>
requires SortableKey<ElementOf<Keys>> && SortableValue<ElementOf<Values>> && RangeOf<SortedKeys, ElementOf<Keys>> &&
    RangeOf<SortedValues, ElementOf<Values>>
void sort_copy(const Device& device, const Keys& keys, const Values& values, SortedKeys&& sorted_keys,
               SortedValues&& sorted_values, const SortOptions& options = {}, const Call& call = {}) {
  const detail::SortOperands to = detail::sort_operands(sorted_keys, sorted_values);
  detail::sort(device, detail::sort_operands(keys, values), &to, options, call);
}

/// Sorts keys.current. The result is in keys.current afterwards, which may be the former keys.alternate.
template <SortableKey Key>
void sort(const Device& device, DoubleBuffer<Key>& keys, const SortOptions& options = {}, const Call& call = {}) {
  if (detail::sort_buffers(device, detail::sort_operands(keys.current), detail::sort_operands(keys.alternate), options,
                           call))
    keys.swap();
}
template <SortableKey Key, SortableValue Value>
requires(sizeof(Value) == 4 || sizeof(Value) == 8) void sort(const Device& device, DoubleBuffer<Key>& keys,
                                                             DoubleBuffer<Value>& values,
                                                             const SortOptions& options = {}, const Call& call = {}) {
  if (detail::sort_buffers(device, detail::sort_operands(keys.current, values.current),
                           detail::sort_operands(keys.alternate, values.alternate), options, call)) {
    keys.swap();
    values.swap();
  }
}

/// Scratch memory of sort() for `count` keys in bytes, about the size of the operands. For values of up to 8 bytes of
/// other sizes than 4 and 8 also twice a word of each value; for larger ones twice a number and the size of the values.
template <SortableKey Key, SortableValue Value = std::uint32_t>
std::uint64_t sort_scratch_bytes(const Device& device, std::uint64_t count, bool with_values,
                                 const SortOptions& options = {}) {
  return detail::sort_scratch_bytes(device, count, sizeof(Key), with_values ? sizeof(Value) : 0,
                                    detail::SortForm::in_place, options);
}
/// Scratch memory of sort_copy().
template <SortableKey Key, SortableValue Value = std::uint32_t>
std::uint64_t sort_copy_scratch_bytes(const Device& device, std::uint64_t count, bool with_values,
                                      const SortOptions& options = {}) {
  return detail::sort_scratch_bytes(device, count, sizeof(Key), with_values ? sizeof(Value) : 0, detail::SortForm::copy,
                                    options);
}
/// Scratch memory of the forms with DoubleBuffers.
template <SortableKey Key, SortableValue Value = std::uint32_t>
std::uint64_t double_buffer_sort_scratch_bytes(const Device& device, std::uint64_t count, bool with_values,
                                               const SortOptions& options = {}) {
  return detail::sort_scratch_bytes(device, count, sizeof(Key), with_values ? sizeof(Value) : 0,
                                    detail::SortForm::double_buffer, options);
}

}  // namespace genocl::primitives
