// Batches of reads: sizes for a device, classes by length, packed reads, sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

struct DeviceWork {
  std::size_t reads = 0;  ///< reads in a batch
  unsigned workers = 1;   ///< host threads, each with its own queue
  /// Approximate device memory in bytes for the batch of one worker; larger batches are mapped in parts.
  std::uint64_t bytes = 0;

  friend bool operator==(const DeviceWork&, const DeviceWork&) = default;
};

/// Batch size and workers for a device of this family.
///
/// @param holds_all  all segments of the index stay on the device; otherwise each batch uploads them
/// @param devices    number of devices that share the host's `cores`
/// @param free       bytes of device memory in addition to the index
DeviceWork device_work(KernelFamily family, bool holds_all, std::size_t devices, unsigned cores, std::uint64_t free);

/// Number of reads of `words` words for each strand that are mapped at once in `bytes` bytes: at least 1. Counts the
/// reads, the costs of their windows and their look-ups.
std::size_t reads_within(std::uint64_t bytes, std::size_t words);

/// Number of occurrences that are filtered at once in `bytes` bytes: at least 2^16.
std::uint64_t entries_within(std::uint64_t bytes);

/// Reads of a batch by the number of 64-bit words of the longest of them, a power of two. Kernels are compiled for
/// this number.
using ReadClasses = std::map<std::uint64_t, std::vector<std::uint32_t>>;

/// Decides when a class gets its own kernels: compiling them takes a CPU about five seconds, in which it maps
/// hundreds of thousands of reads. The hits do not depend on it. Thread-safe.
class ReadClassCounts {
 public:
  /// Counts the reads. Classes with fewer than `worth_programs` reads so far join the next longer class of their
  /// batch, if its reads are not much longer. Reads stay in order.
  ReadClasses merge(ReadClasses&& classes, std::uint64_t worth_programs);

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, std::uint64_t> seen_;
};

/// Reads of at most 32 * words bases, as cl/marose/reads.clh reads them.
struct ReadBatch {
  std::uint32_t count = 0;
  std::uint32_t words = 0;   ///< 1, 2, 4, 8, 16 or 32
  bool has_unknown = false;  ///< whether any read contains an N
  /// [read][strand][words]: 2 bits for each base, the first of 32 highest, zeros after the end; strand 1 is the
  /// reverse complement. N is 0.
  Array<std::uint64_t> bases;
  /// The same layout, 01 where the base is N; one word if no read has an N.
  Array<std::uint64_t> unknown;
  /// [read]: number of its plan in the PlanTable.
  Array<std::uint32_t> plan;
  bool one_plan = false;  ///< all reads have plan 0
};

/// Packs the reads `which` of a set, each of at most 1,000 bases.
///
/// @param plans      [i]: plan of read which[i]
/// @param min_words  minimum number of words for each strand, a power of two
ReadBatch pack_reads(const Device& device, const SequenceSet& reads, std::span<const std::uint32_t> which,
                     std::span<const std::uint32_t> plans, std::uint32_t min_words = 1);

using ReadsSource = std::function<std::optional<Mapper::ReadsToMake>()>;

/// A source of reads that are parsed in parallel, from one that fills batches. Batches are reused: new memory for
/// each costs the reading thread more than the reading.
ReadsSource reads_to_make(std::function<bool(SequenceSet&)> source);

}  // namespace genocl::marose
