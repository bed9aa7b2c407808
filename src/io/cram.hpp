// The reference FASTA of CRAM.
#pragma once

#include <span>
#include <string>

#include "genocl/io/alignment_writer.hpp"

namespace genocl::io {

/// Creates the index `.fai` (and `.gzi`) of the FASTA for htslib if absent. Throws InputError with the file's name if
/// htslib cannot index the FASTA, or if a reference is missing or has another length.
void prepare_cram_reference(const std::string& fasta, std::span<const AlignmentHeader::Reference> references);

}  // namespace genocl::io
