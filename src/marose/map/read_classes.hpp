// Which reads go through a device together.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace genocl::marose {

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

}  // namespace genocl::marose
