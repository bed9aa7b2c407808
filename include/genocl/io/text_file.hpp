// Reads small text files as a whole.
#pragma once

#include <string>

#include "genocl/export.hpp"

namespace genocl::io {

/// All bytes of a file, plain, gzip or bgzip; "-" is standard input. Throws InputError with the file's name and the
/// reason for one that is missing, a directory, cut off or corrupt.
GENOCL_EXPORT std::string read_text_file(const std::string& path);

}  // namespace genocl::io
