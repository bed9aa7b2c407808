// Tells records of text apart without looking at what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace genocl::io {

/// Where the line that begins at `from` ends, its \n included; npos: not in the text.
std::size_t behind_line(std::string_view text, std::size_t from);

/// The line between those places without its end, \n or \r\n.
std::string_view line_of(std::string_view text, std::size_t from, std::size_t behind);

enum class PlainRecord : std::uint8_t { found, unfinished, other };

/// Finds the end of the FASTQ record of four lines that begins at `from`.
PlainRecord plain_fastq(std::string_view text, std::size_t from, std::size_t& behind);

/// Finds the end of the FASTA record that begins at `from`, where the next one begins.
PlainRecord plain_fasta(std::string_view text, std::size_t from, std::size_t& behind);

}  // namespace genocl::io
