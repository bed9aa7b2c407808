// Sorts records that exceed the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/files.hpp"
#include "io/sorted_bam_file.hpp"

namespace genocl::io {

/// Sorts records of arbitrary bytes by a key. The sort is stable. Records that exceed the memory are written to an
/// unnamed temporary file as sorted, compressed runs. finish() merges the runs.
class RecordSorter {
 public:
  using Sink = std::function<void(std::string_view record)>;

  /// @param memory Bytes of records in memory, allocated on demand. Writing and merging of runs use additional memory:
  /// less than a third of it, 6 MB, and 1 MB for each thread.
  /// @param folder See SpillFile.
  /// @param threads Compression threads in addition to the caller's.
  RecordSorter(std::uint64_t memory, std::string folder, unsigned threads);
  RecordSorter(RecordSorter&&) noexcept;
  RecordSorter& operator=(RecordSorter&&) noexcept;
  ~RecordSorter();

  /// Throws InputError with the folder's name if a run cannot be written. A record larger than the memory extends the
  /// memory.
  void add(std::uint64_t key, std::string_view record);
  /// Calls `sink` with all records in order. Call it once, after the last add().
  void finish(const Sink& sink);

  /// The current number of runs in the file.
  std::size_t runs() const noexcept { return runs_.size(); }

 private:
  struct Waiting {
    std::uint64_t key, begin;
  };
  /// Consecutive bgzip blocks in the temporary file.
  struct Run {
    std::uint64_t begin = 0;
    std::vector<std::uint32_t> block_sizes;
  };
  class Inflater;
  class BlockReader;
  class RunReader;
  class RunWriter;

  void allocate(std::uint64_t memory);
  void sort();
  std::string_view record_at(std::uint64_t begin) const;
  void write_run();
  void join_runs();
  void merge(const std::function<void(std::uint64_t key, std::string_view record)>& sink);

  std::uint64_t memory_;
  std::string folder_;
  unsigned threads_;
  BgzipEncoder encoder_;
  std::unique_ptr<Waiting[]> buffer_;  // records from the front, entries to sort from the back
  Waiting* first_ = nullptr;
  Waiting* end_ = nullptr;
  std::uint64_t used_ = 0;  // bytes of records
  std::optional<files::SpillFile> file_;
  std::vector<Run> runs_;
};

}  // namespace genocl::io
