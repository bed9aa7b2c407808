// Formats the header of SAM and BAM.
#pragma once

#include <string>

#include "genocl/io/alignment_writer.hpp"

namespace genocl::io {

/// Throws InputError for a header that SAM does not allow.
void check_header(const AlignmentHeader& header);
/// Returns the SAM lines. `sorted`: by coordinate.
std::string header_text(const AlignmentHeader& header, bool sorted);
/// Returns the uncompressed header of BAM.
std::string bam_header(const AlignmentHeader& header, bool sorted);

/// Appends a number in BAM's byte order.
template <class Integer>
void append_little_endian(std::string& bytes, Integer value) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * i & 0xff);
}

}  // namespace genocl::io
