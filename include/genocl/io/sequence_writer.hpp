// Writes FASTA and FASTQ.
#pragma once

#include <cstdint>

#include "genocl/export.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/sequence.hpp"

namespace genocl::io {

/// Writes each record as '>', name, a blank and the description if present, then the letters, `line_width` per line (0:
/// all on one line). An empty record has no line of letters. Reading the file returns an equal set. Throws InputError
/// for a name or description that would change: a line break in either, a blank in the name, a description with a
/// leading or trailing blank or without a name. Throws InputError also for bytes that are not text. Does not commit.
GENOCL_EXPORT void write_fasta(OutputFile& file, const SequenceSet& set, std::uint64_t line_width = 70);

/// Writes four lines for each record; empty records have empty letters and qualities. Throws the errors of
/// write_fasta(), and InputError for a set without qualities.
GENOCL_EXPORT void write_fastq(OutputFile& file, const SequenceSet& set);

}  // namespace genocl::io
