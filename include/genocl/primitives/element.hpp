// Element types of the primitives.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "genocl/call.hpp"
#include "genocl/span.hpp"

namespace genocl::primitives {

/// Deprecated name of 0.1. The launch shape is now the member `tuning` of a Call.
using Tuning [[deprecated("use genocl::LaunchTuning in a genocl::Call")]] = LaunchTuning;

/// Any trivially copyable type of 1, 2, 4, 8 or 16 bytes.
template <class T>
concept MovableElement = std::is_trivially_copyable_v<T> &&
    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);

/// A number of an element.
template <class T>
concept ElementIndex = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

/// The element type of an argument whose type is erased.
enum class ElementType { uint32, int32, uint64, int64, float32 };

template <class T>
constexpr ElementType element_type() {
  if constexpr (std::same_as<T, std::uint32_t>)
    return ElementType::uint32;
  else if constexpr (std::same_as<T, std::int32_t>)
    return ElementType::int32;
  else if constexpr (std::same_as<T, std::uint64_t>)
    return ElementType::uint64;
  else if constexpr (std::same_as<T, std::int64_t>)
    return ElementType::int64;
  else {
    static_assert(std::same_as<T, float>);
    return ElementType::float32;
  }
}

}  // namespace genocl::primitives
