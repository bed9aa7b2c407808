// Stream compaction: selects the flagged elements, or their indices, in order.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

/// A flag is set if it is not 0.
template <class T>
concept CompactionFlag = std::same_as<T, std::uint8_t> || std::same_as<T, std::uint32_t>;

/// Any trivially copyable type of 1, 2, 4, 8 or 16 bytes.
template <class T>
concept MovableElement = sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16;

template <class T>
concept CompactionIndex = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

// Any number of flags. Results beyond the end of a shorter results array are counted but not written. Results must not
// overlap the input.
//
// Reads the flags twice (with vendor paths on NVIDIA once) and the selected values once, and writes the latter once.
// Scratch: 8 bytes for each of at most 4,096 chunks or for each worker; with vendor paths 16 bytes per 8,192 flags.
//
// The forms that return the count wait for the device. The forms with `count` write it to count[0] on the device and do
// not wait. Throw InputError if the numbers of flags and values differ, results, input or `count` overlap, `count` is
// empty, or an index does not fit; CapacityError if the scratch memory does not fit.

/// selected[k] = values[i] for the k-th i with flags[i] set. Returns the number of set flags.
template <MovableElement T, CompactionFlag Flag>
std::uint64_t select(const Device& device, const Array<T>& values, const Array<Flag>& flags, Array<T>& selected,
                     const Tuning& tuning = {});
template <MovableElement T, CompactionFlag Flag>
void select(const Device& device, const Array<T>& values, const Array<Flag>& flags, Array<T>& selected,
            Array<std::uint64_t>& count, const Tuning& tuning = {});

/// indices[k] = the k-th i with flags[i] set. Returns the number of set flags. Index is std::uint32_t (up to 2^32
/// flags) or std::uint64_t.
template <CompactionIndex Index, CompactionFlag Flag>
std::uint64_t select_indices(const Device& device, const Array<Flag>& flags, Array<Index>& indices,
                             const Tuning& tuning = {});
template <CompactionIndex Index, CompactionFlag Flag>
void select_indices(const Device& device, const Array<Flag>& flags, Array<Index>& indices, Array<std::uint64_t>& count,
                    const Tuning& tuning = {});

/// Type-erased select() and select_indices(), for these alone.
class GENOCL_EXPORT Compaction {
  template <MovableElement T, CompactionFlag Flag>
  friend std::uint64_t select(const Device&, const Array<T>&, const Array<Flag>&, Array<T>&, const Tuning&);
  template <MovableElement T, CompactionFlag Flag>
  friend void select(const Device&, const Array<T>&, const Array<Flag>&, Array<T>&, Array<std::uint64_t>&,
                     const Tuning&);
  template <CompactionIndex Index, CompactionFlag Flag>
  friend std::uint64_t select_indices(const Device&, const Array<Flag>&, Array<Index>&, const Tuning&);
  template <CompactionIndex Index, CompactionFlag Flag>
  friend void select_indices(const Device&, const Array<Flag>&, Array<Index>&, Array<std::uint64_t>&, const Tuning&);

  const char* name;
  const cl::Buffer* values;  // null: indices are written
  std::uint64_t value_count;
  std::size_t element_bytes;  // of a value or an index
  const cl::Buffer& flags;
  std::uint64_t flag_count;
  std::size_t flag_bytes;
  const cl::Buffer& results;
  std::uint64_t capacity;

  Compaction(const char* called, const cl::Buffer* from, std::uint64_t from_size, std::size_t bytes,
             const cl::Buffer& all_flags, std::uint64_t all_flags_size, std::size_t bytes_of_flag, const cl::Buffer& to,
             std::uint64_t to_size);
  void run(const Device& device, const cl::Buffer& count, std::uint64_t count_size, const Tuning& tuning) const;
  std::uint64_t run(const Device& device, const Tuning& tuning) const;
  void launch(const Device& device, const cl::Buffer& count, const Tuning& tuning) const;
};

template <MovableElement T, CompactionFlag Flag>
std::uint64_t select(const Device& device, const Array<T>& values, const Array<Flag>& flags, Array<T>& selected,
                     const Tuning& tuning) {
  return Compaction("select", &runtime::LentBuffer::of(values), values.size(), sizeof(T),
                    runtime::LentBuffer::of(flags), flags.size(), sizeof(Flag), runtime::LentBuffer::of(selected),
                    selected.size())
      .run(device, tuning);
}
template <MovableElement T, CompactionFlag Flag>
void select(const Device& device, const Array<T>& values, const Array<Flag>& flags, Array<T>& selected,
            Array<std::uint64_t>& count, const Tuning& tuning) {
  Compaction("select", &runtime::LentBuffer::of(values), values.size(), sizeof(T), runtime::LentBuffer::of(flags),
             flags.size(), sizeof(Flag), runtime::LentBuffer::of(selected), selected.size())
      .run(device, runtime::LentBuffer::of(count), count.size(), tuning);
}

template <CompactionIndex Index, CompactionFlag Flag>
std::uint64_t select_indices(const Device& device, const Array<Flag>& flags, Array<Index>& indices,
                             const Tuning& tuning) {
  return Compaction("select_indices", nullptr, flags.size(), sizeof(Index), runtime::LentBuffer::of(flags),
                    flags.size(), sizeof(Flag), runtime::LentBuffer::of(indices), indices.size())
      .run(device, tuning);
}
template <CompactionIndex Index, CompactionFlag Flag>
void select_indices(const Device& device, const Array<Flag>& flags, Array<Index>& indices, Array<std::uint64_t>& count,
                    const Tuning& tuning) {
  Compaction("select_indices", nullptr, flags.size(), sizeof(Index), runtime::LentBuffer::of(flags), flags.size(),
             sizeof(Flag), runtime::LentBuffer::of(indices), indices.size())
      .run(device, runtime::LentBuffer::of(count), count.size(), tuning);
}

}  // namespace genocl::primitives
