// Moving elements to and from the places that an array of indices names.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

template <class T>
concept ElementIndex = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

// Elements of 1, 2, 4, 8 or 16 bytes; any number of them; nothing is waited for. No index makes a kernel touch memory
// outside the arrays. Each index and each element is read once and each result written once, but a random access moves
// a whole line of memory: on an H200 random gathers of 32-bit elements run at 39 (1 GiB) to 65 (64 MiB) G elements/s
// and random scatters at 16 to 22, in order both at 365. Throw InputError when the sizes do not match or when `to`
// shares memory with `from` or `indices`.

/// to[i] = from[indices[i]] for each index; 0 (all bytes) where indices[i] is not below from.size(). `to` has as many
/// elements as `indices`.
template <MovableElement T, ElementIndex Index>
requires std::is_trivially_copyable_v<T>
void gather(const Device& device, const Array<T>& from, const Array<Index>& indices, Array<T>& to,
            const Tuning& tuning = {});

/// to[indices[i]] = from[i] for each index; an index not below to.size() is passed over, and elements that no index
/// names keep what they hold. `from` has as many elements as `indices`. Where two indices are the same, either element
/// is left there.
template <MovableElement T, ElementIndex Index>
requires std::is_trivially_copyable_v<T>
void scatter(const Device& device, const Array<T>& from, const Array<Index>& indices, Array<T>& to,
             const Tuning& tuning = {});

/// values[i] = first + i, which wraps round.
template <ElementIndex T>
GENOCL_EXPORT void iota(const Device& device, Array<T>& values, T first = 0, const Tuning& tuning = {});

/// gather() and scatter() without their types. For them alone.
class GENOCL_EXPORT Movement {
  template <MovableElement T, ElementIndex Index>
  requires std::is_trivially_copyable_v<T>
  friend void gather(const Device&, const Array<T>&, const Array<Index>&, Array<T>&, const Tuning&);
  template <MovableElement T, ElementIndex Index>
  requires std::is_trivially_copyable_v<T>
  friend void scatter(const Device&, const Array<T>&, const Array<Index>&, Array<T>&, const Tuning&);

  const char* name;
  const cl::Buffer& from;
  std::uint64_t from_size;
  const cl::Buffer& to;
  std::uint64_t to_size;
  std::size_t element_bytes;
  const cl::Buffer& indices;
  std::uint64_t index_count;
  std::size_t index_bytes;

  Movement(const char* called, const cl::Buffer& source, std::uint64_t source_size, const cl::Buffer& target,
           std::uint64_t target_size, std::size_t bytes, const cl::Buffer& places, std::uint64_t place_count,
           std::size_t bytes_of_place)
      : name(called),
        from(source),
        from_size(source_size),
        to(target),
        to_size(target_size),
        element_bytes(bytes),
        indices(places),
        index_count(place_count),
        index_bytes(bytes_of_place) {}
  void gather_elements(const Device& device, const Tuning& tuning) const;
  void scatter_elements(const Device& device, const Tuning& tuning) const;
  void check(std::uint64_t size, const char* what) const;
  std::uint64_t bytes_moved() const;
};

template <MovableElement T, ElementIndex Index>
requires std::is_trivially_copyable_v<T>
void gather(const Device& device, const Array<T>& from, const Array<Index>& indices, Array<T>& to,
            const Tuning& tuning) {
  Movement("gather", runtime::LentBuffer::of(from), from.size(), runtime::LentBuffer::of(to), to.size(), sizeof(T),
           runtime::LentBuffer::of(indices), indices.size(), sizeof(Index))
      .gather_elements(device, tuning);
}

template <MovableElement T, ElementIndex Index>
requires std::is_trivially_copyable_v<T>
void scatter(const Device& device, const Array<T>& from, const Array<Index>& indices, Array<T>& to,
             const Tuning& tuning) {
  Movement("scatter", runtime::LentBuffer::of(from), from.size(), runtime::LentBuffer::of(to), to.size(), sizeof(T),
           runtime::LentBuffer::of(indices), indices.size(), sizeof(Index))
      .scatter_elements(device, tuning);
}

}  // namespace genocl::primitives
