// Stream compaction: the elements whose flag is set, or their indices, in order and without gaps.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

/// A flag is set when it is not 0.
template <class T>
concept CompactionFlag = std::same_as<T, std::uint8_t> || std::same_as<T, std::uint32_t>;

/// What can be moved: any trivially copyable type of 1, 2, 4, 8 or 16 bytes.
template <class T>
concept MovableElement = sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16;

namespace detail {
/// `values` null: indices are written. `element_bytes`: of a value or an index.
GENOCL_EXPORT void compact(const Device& device, const cl::Buffer* values, std::size_t element_bytes,
                           const cl::Buffer& flags, std::size_t flag_bytes, std::uint64_t flag_count,
                           const cl::Buffer& results, std::uint64_t capacity, const cl::Buffer& count,
                           const Tuning& tuning);
GENOCL_EXPORT std::uint64_t compact_to_host(const Device& device, const cl::Buffer* values, std::size_t element_bytes,
                                            const cl::Buffer& flags, std::size_t flag_bytes, std::uint64_t flag_count,
                                            const cl::Buffer& results, std::uint64_t capacity, const Tuning& tuning);
GENOCL_EXPORT void check_compaction(const char* what, std::uint64_t values, std::uint64_t flags, bool in_place);
GENOCL_EXPORT void check_index_range(std::uint64_t flags, std::size_t index_bytes);
GENOCL_EXPORT void check_count(std::uint64_t size);
}  // namespace detail

// Any number of flags. The results may be a shorter array: what does not fit is not written, but counted, so that the
// caller sees by the count that there is more. They must not be the same buffer as the input.
//
// Reads the flags twice (with vendor paths on NVIDIA once), the selected values once, and writes those. Scratch: 8
// bytes for each of at most 4,096 chunks or for each worker; with vendor paths 16 bytes per 8,192 flags.
//
// The forms that return the count wait for it; those with `count` leave it in count[0] on the device and do not wait.
// Throw InputError when there are not as many flags as values, when results and input are one buffer, when `count` is
// empty, or when an index would not fit; CapacityError when the scratch does not fit.

/// selected[k] = values[i] for the k-th i with flags[i] set; returns the number of those.
template <MovableElement T, CompactionFlag Flag>
std::uint64_t select(const Device& device, const Array<T>& values, const Array<Flag>& flags, Array<T>& selected,
                     const Tuning& tuning = {}) {
  detail::check_compaction("select", values.size(), flags.size(), selected.buffer()() == values.buffer()());
  return detail::compact_to_host(device, &values.buffer(), sizeof(T), flags.buffer(), sizeof(Flag), flags.size(),
                                 selected.buffer(), selected.size(), tuning);
}
template <MovableElement T, CompactionFlag Flag>
void select(const Device& device, const Array<T>& values, const Array<Flag>& flags, Array<T>& selected,
            Array<std::uint64_t>& count, const Tuning& tuning = {}) {
  detail::check_compaction("select", values.size(), flags.size(), selected.buffer()() == values.buffer()());
  detail::check_count(count.size());
  detail::compact(device, &values.buffer(), sizeof(T), flags.buffer(), sizeof(Flag), flags.size(), selected.buffer(),
                  selected.size(), count.buffer(), tuning);
}

/// indices[k] = the k-th i with flags[i] set; returns the number of those. Index is std::uint32_t (up to 2^32 flags) or
/// std::uint64_t.
template <class Index, CompactionFlag Flag>
requires(std::same_as<Index, std::uint32_t> || std::same_as<Index, std::uint64_t>) std::uint64_t
    select_indices(const Device& device, const Array<Flag>& flags, Array<Index>& indices, const Tuning& tuning = {}) {
  detail::check_compaction("select_indices", flags.size(), flags.size(), indices.buffer()() == flags.buffer()());
  detail::check_index_range(flags.size(), sizeof(Index));
  return detail::compact_to_host(device, nullptr, sizeof(Index), flags.buffer(), sizeof(Flag), flags.size(),
                                 indices.buffer(), indices.size(), tuning);
}
template <class Index, CompactionFlag Flag>
requires(std::same_as<Index, std::uint32_t> ||
         std::same_as<Index, std::uint64_t>) void select_indices(const Device& device, const Array<Flag>& flags,
                                                                 Array<Index>& indices, Array<std::uint64_t>& count,
                                                                 const Tuning& tuning = {}) {
  detail::check_compaction("select_indices", flags.size(), flags.size(), indices.buffer()() == flags.buffer()());
  detail::check_index_range(flags.size(), sizeof(Index));
  detail::check_count(count.size());
  detail::compact(device, nullptr, sizeof(Index), flags.buffer(), sizeof(Flag), flags.size(), indices.buffer(),
                  indices.size(), count.buffer(), tuning);
}

}  // namespace genocl::primitives
