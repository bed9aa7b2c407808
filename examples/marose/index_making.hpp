// Makes an index from a FASTA file, and tells one from the other.
#pragma once

#include <string>

#include "common/progress_bar.hpp"
#include "genocl/marose.hpp"

namespace program {

/// Whether a file is to be opened as an index: FASTA begins otherwise, however it is compressed.
bool is_index(const std::string& path);

/// Throws InputError with the file's name.
genocl::marose::Index make_index(const genocl::Device& device, const std::string& reference,
                                 genocl::marose::IndexOptions options, bool quiet);

}  // namespace program
