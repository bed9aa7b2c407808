// Reads small text files into memory.
#pragma once

#include <string>

#include "genocl/export.hpp"

namespace genocl::io {

/// Returns all bytes of a plain, gzip or bgzip file; "-" is standard input. Throws InputError with the file's name and
/// the reason for a missing, truncated or corrupt file and for a directory.
GENOCL_EXPORT std::string read_text_file(const std::string& path);

}  // namespace genocl::io
