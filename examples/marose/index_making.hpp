// Makes an index from a FASTA file.
#pragma once

#include <string>

#include "common/progress_bar.hpp"
#include "genocl/marose.hpp"

namespace program {

/// Throws InputError with the file's name.
genocl::marose::Index make_index(const genocl::Device& device, const std::string& reference,
                                 genocl::marose::IndexOptions options, bool quiet);

}  // namespace program
