// Queries in batches.
#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <string>

#include "genocl/io/sequence_reader.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace program {

/// Queries in batches. A thread reads the next batch while the caller processes one.
class QueryBatches {
 public:
  /// @param letters  of a batch
  QueryBatches(const std::string& path, std::uint64_t letters)
      : reader_(path, {.keep_qualities = false, .keep_descriptions = false}), letters_(letters), next_(begin()) {}

  /// Returns no value at the end of the file.
  std::optional<genocl::SequenceSet> next() {
    if (!next_.valid()) return std::nullopt;
    std::optional<genocl::SequenceSet> batch = next_.get();
    if (batch) next_ = begin();
    return batch;
  }

 private:
  std::future<std::optional<genocl::SequenceSet>> begin() {
    return std::async(std::launch::async, [this]() -> std::optional<genocl::SequenceSet> {
      genocl::SequenceSet batch;
      if (!reader_.read(batch, {.residues = letters_})) return std::nullopt;
      return batch;
    });
  }

  genocl::io::SequenceReader reader_;
  std::uint64_t letters_;
  std::future<std::optional<genocl::SequenceSet>> next_;
};

}  // namespace program
