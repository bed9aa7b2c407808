// Sorts more records than the memory holds.
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

/// Sorts records of any bytes by a key; records of one key stay in the order in which they came. What does not fit the
/// memory is written to a temporary file without a name, in sorted runs, which are compressed; finish() merges them.
class RecordSorter {
 public:
  using Sink = std::function<void(std::string_view record)>;

  /// `memory`: bytes for records that wait to be sorted, taken from the system as they come; some more are used while
  /// runs are written and merged, in all less than a fifth of it and 6 MB. `folder`: as SpillFile's. `threads` compress
  /// runs besides the caller's.
  RecordSorter(std::uint64_t memory, std::string folder, unsigned threads);
  RecordSorter(RecordSorter&&) noexcept;
  RecordSorter& operator=(RecordSorter&&) noexcept;
  ~RecordSorter();

  /// Throws InputError with the folder's name where a run cannot be written. A record that is larger than the memory
  /// makes the memory larger.
  void add(std::uint64_t key, std::string_view record);
  /// Calls `sink` with all records in order, once and in the end.
  void finish(const Sink& sink);

  /// How many runs are in the file now.
  std::size_t runs() const noexcept { return runs_.size(); }

 private:
  struct Waiting {
    std::uint64_t key, begin;
  };
  /// Blocks of bgzip in the temporary file, one after the other.
  struct Run {
    std::uint64_t begin = 0;
    std::vector<std::uint32_t> block_sizes;
  };
  class Inflater;
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
  BgzipEncoder encoder_;
  std::unique_ptr<Waiting[]> room_;  // records from the front, what waits to be sorted from the back
  Waiting* first_ = nullptr;
  Waiting* end_ = nullptr;
  std::uint64_t used_ = 0;  // bytes of records
  std::optional<files::SpillFile> file_;
  std::vector<Run> runs_;
};

}  // namespace genocl::io
