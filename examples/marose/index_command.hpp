// Making an index for map, which has only FASTA.
#pragma once

#include <string>

#include "common/progress_bar.hpp"
#include "genocl/marose.hpp"

namespace program {

/// Whether a file is to be opened as an index: FASTA begins otherwise, however it is compressed.
bool is_index(const std::string& path);

struct ReferenceReading {
  bool quiet = false;
  bool strict = false;  ///< a contig that would be renamed or left out is an error
};

struct MadeIndex {
  genocl::marose::Index index;
  bool changed = false;  ///< contigs of the FASTA were renamed or left out
};

/// Contigs without bases are left out, and names that SAM does not allow are changed, with warnings. Throws InputError
/// with the file's name.
MadeIndex make_index(const genocl::Device& device, const std::string& reference, genocl::marose::IndexOptions options,
                     const ReferenceReading& reading);

}  // namespace program
