// Builds an index from FASTA, also for map.
#pragma once

#include <string>

#include "common/progress_bar.hpp"
#include "genocl/marose.hpp"

namespace program {

/// Whether a file is an index. FASTA begins differently, also if it is compressed.
bool is_index(const std::string& path);

struct ReferenceReading {
  bool quiet = false;
  bool strict = false;  ///< a contig that would be renamed or left out is an error
};

struct MadeIndex {
  genocl::marose::Index index;
  bool changed = false;  ///< contigs of the FASTA were renamed or left out
};

/// Reads the contigs of FASTA. Contigs without bases are omitted, and names that SAM does not allow are changed, with
/// warnings. Throws InputError with the file's name.
MadeIndex make_index(const genocl::Device& device, const std::string& reference, genocl::marose::IndexOptions options,
                     const ReferenceReading& reading);

}  // namespace program
