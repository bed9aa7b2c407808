// Writes FASTA and FASTQ.
#pragma once

#include <cstdint>

#include "genocl/export.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/sequence.hpp"

namespace genocl::io {

/// Every record: '>', name, a blank and the description if there is one, then the letters, `line_width` on a line (0:
/// all on one). An empty record has no line of letters. Reading it back gives an equal set. Throws InputError for a
/// name or description that would not come back (a line break in either, a blank in the name, a description that begins
/// or ends with a blank, a description without a name) and for bytes that are no text. Does not commit.
GENOCL_EXPORT void write_fasta(OutputFile& file, const SequenceSet& set, std::uint64_t line_width = 70);

/// Four lines a record, those of an empty record with empty letters and qualities. Errors as write_fasta; InputError
/// also for a set without qualities.
GENOCL_EXPORT void write_fastq(OutputFile& file, const SequenceSet& set);

}  // namespace genocl::io
