// What all fuzz targets share. A target is one file that defines fuzz::check().
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace fuzz {

/// What the target does with one input. It throws nothing; what does not hold, it requires.
void check(std::string_view bytes);

/// Ends the process with `what` unless it holds.
void require(bool holds, const char* what);

/// The name of a file of the process's own, in memory where there is such a place. Gone with the process.
const std::string& scratch(const char* ending = "");
/// The same file, with these bytes in it.
const std::string& written(std::string_view bytes, const char* ending = "");

/// Runs `read`: either it ends, or it throws an InputError, whose message is one line that begins with `file`. Returns
/// whether it ended.
bool reads(std::string_view file, const std::function<void()>& read);

}  // namespace fuzz
