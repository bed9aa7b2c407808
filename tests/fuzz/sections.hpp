// For targets that are files of sections (files/section_file.hpp). An input is the sections alone, so that it is small,
// and what a change has to get past are no checksums: a file is made of them as the library would have written it. A
// change is one of a section's bytes, or of which sections there are.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz.hpp"

namespace fuzz {

/// Names and bytes.
using Sections = std::vector<std::pair<std::string, std::string>>;

/// A byte for the length of the name, the name, two bytes for the length of the bytes, lowest first, the bytes; and so
/// on.
std::string packed(const Sections& sections);
/// What is cut off counts as far as it goes.
Sections unpacked(std::string_view bytes);

// A target of section files has these in the place of check().

/// How many files save_example() makes.
extern const unsigned examples;
/// Writes a whole file of that kind. What it writes differs by `number`.
void save_example(unsigned number, const std::string& path);
/// Opens a file and uses what is open. Throws InputError.
void open_and_use(const std::string& path);

}  // namespace fuzz
