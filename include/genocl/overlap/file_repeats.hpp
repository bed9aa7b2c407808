// Repeated substrings of texts larger than memory, read from files: exact-substring deduplication of corpora (Lee et
// al. 2022, "Deduplicating training data makes language models better") without a suffix array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "genocl/device.hpp"
#include "genocl/files.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/interval.hpp"

namespace genocl::overlap {

struct FileRepeatOptions {
  std::uint64_t min_length = 50;  ///< bytes, 1 to 2^29 or more than the text has
  /// Only strings that also occur at an earlier position, as in RepeatOptions.
  bool later_only = false;
  /// Ends a record: found from left to right, without overlaps. Empty: each file is one record.
  std::string separator = {};
  /// Bound of host memory in bytes, besides that of the driver; at least file_repeats_min_memory(). More memory means
  /// fewer parts of the temporary files. Buffers need 400 * sqrt(bytes of text) even if the bound is less: 57 MB for
  /// 20 GB. 0: a quarter of the available memory, or more of it for long strings.
  std::uint64_t memory_bytes = 0;
  /// Folder of temporary files; empty: TMPDIR if set, else /var/tmp, else /tmp.
  std::string temporary_folder = {};
  Progress progress = {};  ///< counts bytes, each once for every pass
};

/// A record. FileRepeatSink::span receives it with the counts so far, end_record with the final ones.
struct FileRecord {
  std::size_t file = 0;
  std::uint64_t number = 0;          ///< in all files, from 0
  std::uint64_t number_in_file = 0;  ///< from 0
  std::uint64_t length = 0;          ///< bytes
  std::uint64_t spans = 0;           ///< number of spans reported
  std::uint64_t kept = 0;            ///< bytes outside of them
  bool separated = false;            ///< a separator follows
};

/// Receives the results in the order of the text, on the calling thread. Empty functions are not called.
struct FileRepeatSink {
  /// A span of the current record; `sequence` is FileRecord::number.
  std::function<void(const SequenceInterval& span, const FileRecord& record)> span = {};
  /// Bytes of the current record outside of spans, in any number of parts.
  std::function<void(std::span<const std::uint8_t> bytes)> kept = {};
  std::function<void(const FileRecord& record)> end_record = {};
};

/// The smallest FileRepeatOptions::memory_bytes for strings of this length: 256 bytes for each letter, at least 64 KiB.
GENOCL_EXPORT std::uint64_t file_repeats_min_memory(std::uint64_t min_length) noexcept;

/// Reports the spans of repeated_spans() (overlap/repeats.hpp) for the records of all files, as byte strings, and the
/// text outside of them. Copies may overlap. The result does not depend on the devices, the memory or the number of
/// partitions. Reports begin when all spans are known.
///
/// Each window of min_length bytes has a minimizer, the k-mer of smallest hash in it, where k is half of min_length;
/// equal windows have it at equal offsets. All devices find minimizers, and the first one sorts them by hash.
/// Minimizers of the same hash are compared through fingerprints of the text around them. All windows that are reported
/// have been compared byte by byte; if different strings have equal fingerprints, the search restarts with other
/// hashes. Reads the text four times from front to back, and both copies of each repeat at random offsets.
///
/// O(n) expected for n bytes; O(n * min_length) for texts in which no two windows share a minimizer. Minimizers are at
/// about 4 / min_length of the positions. Temporary files: 32 bytes for each minimizer that probably occurs more than
/// once, 16 bytes for each one that does, and n / 8 bytes.
///
/// Thread-safe if calls have different sinks. @throws InputError for an invalid min_length, no device, a text of 2^40
/// bytes or more, a file that cannot be read, or a temporary folder that cannot be written or is full; CapacityError
/// for less memory than file_repeats_min_memory() of min_length, or of the bytes of the text plus 1 if these are fewer;
/// Cancelled; what the sink throws
GENOCL_EXPORT void repeated_spans_of_files(Devices devices, std::span<const files::InputFile> files,
                                           const FileRepeatOptions& options, const FileRepeatSink& sink);

}  // namespace genocl::overlap
