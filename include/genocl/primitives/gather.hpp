// Gather, scatter and iota.
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

// Elements of 1, 2, 4, 8 or 16 bytes, in any number. Do not wait. No index makes a kernel access memory outside the
// arrays. Reads each index and element once and writes each result once; a random access moves a whole memory line.
// H200, 32-bit elements: random gathers at 39 (1 GiB) to 65 (64 MiB) G elements/s, random scatters at 16 to 22,
// sequential ones at 365. Throw InputError if sizes do not match, or if `to` overlaps `from` or `indices`.

/// to[i] = from[indices[i]]; all bytes 0 if indices[i] >= from.size(). `to` has the size of `indices`.
template <MovableElement T, ElementIndex Index>
requires std::is_trivially_copyable_v<T>
void gather(const Device& device, const Array<T>& from, const Array<Index>& indices, Array<T>& to,
            const Tuning& tuning = {});

/// to[indices[i]] = from[i]; indices not below to.size() are skipped, and elements without an index keep their value.
/// `from` has the size of `indices`. If two indices are equal, either element is stored.
template <MovableElement T, ElementIndex Index>
requires std::is_trivially_copyable_v<T>
void scatter(const Device& device, const Array<T>& from, const Array<Index>& indices, Array<T>& to,
             const Tuning& tuning = {});

/// values[i] = first + i, modulo 2^32 or 2^64.
template <ElementIndex T>
GENOCL_EXPORT void iota(const Device& device, Array<T>& values, T first = 0, const Tuning& tuning = {});

/// Type-erased gather() and scatter(), for these alone.
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
