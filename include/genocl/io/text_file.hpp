// Reads text files: into memory, or line by line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "genocl/export.hpp"

namespace genocl::io {

/// Returns all bytes of a plain, gzip or bgzip file; "-" is standard input. Throws InputError with the file's name and
/// the reason for a missing, truncated or corrupt file and for a directory.
GENOCL_EXPORT std::string read_text_file(const std::string& path);

/// Calls use(line, number) for each line of such a file, without its end, '\n' or "\r\n"; numbers count from 1. The
/// view is valid during the call. Memory: 64 KiB and the longest line. Throws as read_text_file(), and what `use`
/// throws.
GENOCL_EXPORT void for_each_line(const std::string& path,
                                 const std::function<void(std::string_view line, std::uint64_t number)>& use);

}  // namespace genocl::io
