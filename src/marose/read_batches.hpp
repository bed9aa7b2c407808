// Batches of reads: sizes for a device, classes by length, sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

struct DeviceWork {
  std::size_t reads = 0;  ///< at a time
  unsigned workers = 1;   ///< host threads, each with a queue of its own
  /// Bytes of device memory that what one worker maps at once may take, about; more reads or entries are gone through
  /// in parts.
  std::uint64_t bytes = 0;

  friend bool operator==(const DeviceWork&, const DeviceWork&) = default;
};

/// What suits a device of this family, whatever the others are. `holds_all`: all segments of the index stay on it;
/// otherwise every batch has them all brought in. `devices`: among which the host's `cores` are shared out. `free`:
/// bytes of device memory beside the index.
DeviceWork device_work(KernelFamily family, bool holds_all, std::size_t devices, unsigned cores, std::uint64_t free);

/// Reads whose strands take `words` words each that are mapped at once within so many bytes: at least one. Beside the
/// reads themselves these are what their windows cost and where they are looked up.
std::size_t reads_within(std::uint64_t bytes, std::size_t words);

/// Entries of look-ups that are filtered together within so many bytes: at least 2^16.
std::uint64_t entries_within(std::uint64_t bytes);

// Which reads go through a device together.

/// Reads of a batch by the 64-bit words that the longest of them takes, a power of two. The programs that map them are
/// compiled for that number.
using ReadClasses = std::map<std::uint64_t, std::vector<std::uint32_t>>;

/// Decides when a class is worth programs of its own: compiling them takes a CPU some five seconds, in which it maps
/// hundreds of thousands of reads. What is found does not depend on it. Safe to use from several threads.
class ReadClassCounts {
 public:
  /// Counts the reads, and puts those of classes of which fewer than `worth_programs` have come so far to the next
  /// longer ones of their batch, where these are not much longer. Reads stay in order.
  ReadClasses merge(ReadClasses&& classes, std::uint64_t worth_programs);

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, std::uint64_t> seen_;
};

// Turns a source that fills batches into one that tells reads apart.

using ReadsSource = std::function<std::optional<Mapper::ReadsToMake>()>;

/// The batches go round: memory that is new each time costs the one thread that reads more than the reading does.
ReadsSource reads_to_make(std::function<bool(SequenceSet&)> source);

}  // namespace genocl::marose
