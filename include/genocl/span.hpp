// Span<T>: a view of elements in device memory. DoubleBuffer<T>: two views that a sort alternates between.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "genocl/export.hpp"

// Handle types of OpenCL, and a class of CLHPP. Include genocl/opencl.hpp to use declarations with them.
struct _cl_context;  // NOLINT(bugprone-reserved-identifier)
struct _cl_mem;      // NOLINT(bugprone-reserved-identifier)
namespace cl {
class Buffer;
}

namespace genocl {

template <class T>
class Array;

namespace detail {
/// Type-independent form of Span: bytes [offset, offset + bytes) of a buffer.
struct MemoryView {
  _cl_mem* memory = nullptr;
  _cl_context* context = nullptr;
  std::size_t offset = 0, bytes = 0;

  friend bool operator==(const MemoryView&, const MemoryView&) = default;
};

/// `size` elements of a caller's buffer from element `first` on; whole_buffer: all from `first` on.
GENOCL_EXPORT MemoryView view_of(const cl::Buffer& buffer, std::size_t size, std::size_t first,
                                 std::size_t element_bytes);
inline constexpr std::size_t whole_buffer = static_cast<std::size_t>(-1);
/// Bytes [offset, offset + bytes) of a view. Throws InputError beyond its end.
GENOCL_EXPORT MemoryView part_of(const MemoryView& view, std::size_t offset, std::size_t bytes);
}  // namespace detail

namespace runtime {
using detail::MemoryView;
using detail::part_of;
using detail::view_of;
using detail::whole_buffer;
}  // namespace runtime

/// A view of `size` elements of T in device memory: of an Array, of a caller's buffer or sub-buffer, or of a part of
/// one. Read-only if T is const.
///
/// Owns nothing: the memory must exist until a call that takes the view returns. OpenCL keeps it for commands that are
/// still enqueued. Cheap to copy. Copies may be used by several threads at once.
///
/// A view may start at any element. Kernels run in place if the offset in bytes is a multiple of
/// DeviceInfo::buffer_alignment. Otherwise the primitives work on a copy in scratch memory.
template <class T>
class Span {
  static_assert(std::is_trivially_copyable_v<T>, "a Span views elements of a trivially copyable type");

 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;

  Span() = default;

  /// Views elements [first, first + size) of a caller's buffer or sub-buffer. Without `size`: all from `first` on.
  ///
  /// @throws InputError  if the buffer is null or ends before first + size
  explicit Span(const cl::Buffer& buffer, std::size_t size = runtime::whole_buffer, std::size_t first = 0)
      : view_(runtime::view_of(buffer, size, first, sizeof(T))) {}

  Span(Array<value_type>& array) requires(!std::is_const_v<T>) : view_(array.span().view()) {}
  Span(const Array<value_type>& array) requires std::is_const_v<T> : view_(array.span().view()) {}
  template <class U>
  requires(std::is_const_v<T>&& std::same_as<U, value_type>) Span(const Span<U>& other) : view_(other.view()) {}
  /// For the library.
  explicit Span(const runtime::MemoryView& view) noexcept : view_(view) {}

  std::size_t size() const noexcept { return view_.bytes / sizeof(T); }
  std::size_t bytes() const noexcept { return view_.bytes; }
  bool empty() const noexcept { return view_.bytes == 0; }

  /// Elements [first, first + count). Throws InputError beyond the end.
  Span subspan(std::size_t first, std::size_t count) const {
    return Span(runtime::part_of(view_, scaled(first), scaled(count)));
  }
  Span first(std::size_t count) const { return subspan(0, count); }

  /// For the library.
  const runtime::MemoryView& view() const noexcept { return view_; }

 private:
  // A product that overflows exceeds every view.
  static std::size_t scaled(std::size_t count) noexcept {
    return count > static_cast<std::size_t>(-1) / sizeof(T) ? static_cast<std::size_t>(-1) : count * sizeof(T);
  }

  runtime::MemoryView view_;
};

template <class T>
Span<T> as_span(const Span<T>& span) {
  return span;
}
template <class T>
Span<T> as_span(Array<T>& array) {
  return array.span();
}
template <class T>
Span<const T> as_span(const Array<T>& array) {
  return array.span();
}

/// A Span, or an Array, which converts to one.
template <class R>
concept DeviceRange = requires(R& range) {
  genocl::as_span(range);
};
/// The element type of a DeviceRange, without const.
template <DeviceRange R>
using ElementOf = typename decltype(genocl::as_span(std::declval<R&>()))::value_type;
/// A DeviceRange of elements of type T.
template <class R, class T>
concept RangeOf = DeviceRange<R> && std::same_as<ElementOf<R>, T>;
/// A DeviceRange whose elements can be written.
template <class R>
concept WritableRange =
    DeviceRange<R> && !std::is_const_v<typename decltype(genocl::as_span(std::declval<R&>()))::element_type>;

/// Two views of equal size: the elements and memory for a second copy of them. A sort that takes a DoubleBuffer needs
/// no copy at the end. It leaves the result in either and makes that one `current`.
template <class T>
struct DoubleBuffer {
  Span<T> current, alternate;

  void swap() noexcept { std::swap(current, alternate); }
};

}  // namespace genocl
