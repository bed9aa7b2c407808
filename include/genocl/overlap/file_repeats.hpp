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
  /// Bound of host memory in bytes, besides that of the driver; at least file_repeats_min_memory(). More memory makes
  /// fewer partitions. Buffers exceed a bound of less than 400 * sqrt(bytes of text), 57 MB for 20 GB. 0: a quarter of
  /// the available memory, or more of it for long strings.
  std::uint64_t memory_bytes = 0;
  /// Folder of temporary files; empty: TMPDIR if set, else /var/tmp, else /tmp.
  std::string temporary_folder = {};
  Progress progress = {};  ///< counts bytes, each once for every pass
};

/// A record, after its last byte.
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

/// The smallest FileRepeatOptions::memory_bytes for strings of this length.
GENOCL_EXPORT std::uint64_t file_repeats_min_memory(std::uint64_t min_length) noexcept;

/// Reports the spans of repeated_spans() for the records of all files, as byte strings, and the text outside of them.
/// The result does not depend on the devices, the memory or the number of partitions. Reports begin when all spans are
/// known.
///
/// Each window of min_length bytes has a minimizer, a k-mer of half its length; equal windows have it at equal offsets.
/// Minimizers are found on the devices, grouped by hash, and compared through fingerprints of the text around them.
/// All windows that are reported have been compared byte by byte; if a fingerprint was wrong, the search repeats with
/// others. Reads the text four times from front to back, and both copies of each repeat at random.
///
/// O(n) expected for n bytes; O(n * min_length) for texts in which every window has another minimizer. Temporary
/// files: 32 bytes for each minimizer that probably occurs twice, about 4 / min_length of the positions, 16 bytes for
/// each repeated minimizer, and n / 8 bytes. Texts of less than 2^40 bytes. Uses a device for minimizers, and the first
/// one for sorting.
///
/// Thread-safe for different sinks. @throws InputError for an invalid min_length, no device, a text of 2^40 bytes or
/// more, a file that cannot be read, or a full folder of temporary files; CapacityError for less memory than
/// file_repeats_min_memory() of the smaller of min_length and the bytes of the text plus 1; Cancelled; what the sink
/// throws
GENOCL_EXPORT void repeated_spans_of_files(Devices devices, std::span<const files::InputFile> files,
                                           const FileRepeatOptions& options, const FileRepeatSink& sink);

}  // namespace genocl::overlap
