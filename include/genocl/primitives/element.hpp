// Element types of the primitives.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "genocl/call.hpp"
#include "genocl/span.hpp"

namespace genocl::primitives {

/// Deprecated name of 0.1. The launch shape is now the member `tuning` of a Call.
using Tuning [[deprecated("use genocl::LaunchTuning in a genocl::Call")]] = LaunchTuning;

/// A type of any size whose bytes can be copied.
template <class T>
concept TriviallyCopyable = std::is_trivially_copyable_v<T>;

/// Any trivially copyable type of 1, 2, 4, 8 or 16 bytes.
template <class T>
concept MovableElement = TriviallyCopyable<T> &&
    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);

/// A number of an element.
template <class T>
concept ElementIndex = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

/// Integers of 8 to 64 bits, float, double.
template <class T>
concept Arithmetic = (std::integral<T> && !std::same_as<T, bool>) || std::same_as<T, float> || std::same_as<T, double>;

/// A number of elements that only the device knows, such as the count that unique() writes. The call uses the first
/// min(length, size) elements of its input and does not wait. Its launches have the size of the whole input.
class DeviceLength {
 public:
  /// `word`: one number in device memory.
  template <RangeOf<std::uint64_t> Word>
  explicit DeviceLength(const Word& word) : word_(as_span(word).first(1)) {}

  /// For the library.
  const runtime::MemoryView& view() const noexcept { return word_.view(); }

 private:
  Span<const std::uint64_t> word_;
};

/// The element type of an argument whose type is erased.
enum class ElementType { uint32, int32, uint64, int64, float32, uint8, int8, uint16, int16, float64 };

template <Arithmetic T>
constexpr ElementType element_type() {
  if constexpr (std::floating_point<T>) {
    return sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;
  } else {
    constexpr bool is_signed = std::is_signed_v<T>;
    switch (sizeof(T)) {
      case 1:
        return is_signed ? ElementType::int8 : ElementType::uint8;
      case 2:
        return is_signed ? ElementType::int16 : ElementType::uint16;
      case 4:
        return is_signed ? ElementType::int32 : ElementType::uint32;
      default:
        return is_signed ? ElementType::int64 : ElementType::uint64;
    }
  }
}

/// Size of an element in bytes.
constexpr std::size_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::uint8:
    case ElementType::int8:
      return 1;
    case ElementType::uint16:
    case ElementType::int16:
      return 2;
    case ElementType::uint64:
    case ElementType::int64:
    case ElementType::float64:
      return 8;
    default:
      return 4;
  }
}

}  // namespace genocl::primitives
