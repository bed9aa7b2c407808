// The FASTA against which CRAM is written.
#pragma once

#include <span>
#include <string>

#include "genocl/io/alignment_writer.hpp"

namespace genocl::io {

/// Makes the index `.fai` (and `.gzi`) that htslib needs beside the FASTA, where there is none. Throws InputError with
/// its name for a file that is no FASTA htslib can look into, or has not each of the references with its length.
void prepare_cram_reference(const std::string& fasta, std::span<const AlignmentHeader::Reference> references);

}  // namespace genocl::io
