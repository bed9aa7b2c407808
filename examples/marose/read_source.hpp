// Reads, one by one or mate after mate, in batches.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "genocl/io/sequence_reader.hpp"
#include "genocl/sequence.hpp"

namespace program {

constexpr std::uint64_t longest_read = 1000;

/// The name of a template: a read's without /1 or /2.
std::string_view template_name(std::string_view read_name);

class ReadSource {
 public:
  /// `mates` empty: single reads, or, `interleaved`, mate after mate. With mates records 2 i and 2 i + 1 of a batch are
  /// a pair.
  ReadSource(const std::string& reads, const std::string& mates, bool interleaved, std::uint64_t batch_reads,
             unsigned threads);

  /// False, and an empty batch, at the end. For one thread at a time. Throws InputError as SequenceReader, for a read
  /// that is too long, and for mates that do not belong together.
  bool next(genocl::SequenceSet& batch);
  /// How much of the files has been read, 0 to 1; any thread may ask.
  double fraction() const noexcept { return fraction_; }

 private:
  bool next_pairs(genocl::SequenceSet& batch);
  bool next_interleaved(genocl::SequenceSet& batch);
  void check_lengths(const genocl::SequenceSet& batch) const;
  [[noreturn]] void no_mate(const genocl::io::SequenceReader& ended, const genocl::io::SequenceReader& other,
                            std::string_view name) const;

  genocl::io::SequenceReader reads_;
  std::optional<genocl::io::SequenceReader> mates_;
  bool interleaved_ = false;
  genocl::BatchLimits limits_;
  std::uint64_t before_ = 0;  // records in the batches before
  std::atomic<double> fraction_ = 0;
};

}  // namespace program
